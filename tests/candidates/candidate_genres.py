"""Candidate sets of two genres, as a folder of data sets."""

from pathlib import Path

import candidate_oracle as oracle
import numpy as np

NEWS, TALK = (
    np.array([1.0, -1.0, 0.5, 0.0, 2.0, -0.5]),
    np.array([-1.0, 1.0, 2.0, 0, 0.5, 1, 1, -2]),
)
QUERY = {"background": "parses/news", "domain": "parses/talk"}


def write_genres(data: Path) -> None:
    """Write the sets of both genres among the data sets; each has its sentences beside it."""
    rng = np.random.default_rng(8)
    for name, weights in (("news", NEWS), ("talk", TALK)):
        folder = data / "parses" / name
        folder.mkdir(parents=True)
        for part, n in (("train", 60), ("dev", 40), ("test", 20)):
            drawn = oracle.draw_sentences(rng, n, len(weights), weights)
            oracle.write_svmlight(folder / f"{part}.svm", drawn)
            lines = [f"{i}\tdoc{i % 6}\tWords of {i} ." for i in range(1, n + 1)]
            (folder / f"{part}.sentences.txt").write_text("\n".join(lines) + "\n")
