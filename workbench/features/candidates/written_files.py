"""Candidate sets written as the files of a folder, in one zip: SVMlight, names and sentences."""

import io
import zipfile

import numpy as np

from workbench.features.candidates.candidate_files import FEATURES, SENTENCES
from workbench.features.candidates.candidate_sets import BRACKETS, DEPENDENCIES, CandidateSets

_LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the same sets give the same bytes


def write_sets(sets: CandidateSets) -> bytes:
    """Return a zip with ``train.svm``, ``features.txt`` and, if known, ``train.sentences.txt``.

    What is read from them has the same features, by name, values, qualities and counts.
    """
    used = np.unique(sets.features)
    names = [f"{i}\t{sets.feature_names[place]}\n" for i, place in enumerate(used.tolist(), 1)]
    files = {"train.svm": "".join(_lines(sets, used)), FEATURES: "".join(names)}
    if sets.documents:
        files["train" + SENTENCES] = "".join(_sentences(sets))
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name, _LONG_AGO), text, zipfile.ZIP_DEFLATED)
    return held.getvalue()


def _lines(sets, used):
    """Yield a line for each candidate, its features by their number among those used, from 1."""
    numbers, known = np.searchsorted(used, sets.features) + 1, BRACKETS + DEPENDENCIES
    counts = [sets.counts[name] for name in known if name in sets.counts]
    for candidate, sentence in enumerate(sets.sentence_ids.tolist()):
        own = slice(*sets.starts[candidate : candidate + 2])
        pairs = zip(numbers[own].tolist(), sets.values[own].tolist(), strict=True)
        entries = " ".join(f"{number}:{value:.9g}" for number, value in sorted(pairs))
        more = " ".join(f"{own[candidate]:g}" for own in counts)
        comment = f" # {more}" if more else ""
        yield f"{float(sets.quality[candidate])!r} qid:{sentence + 1} {entries}{comment}\n"


def _sentences(sets):
    for i, document in enumerate(sets.documents):
        words = f"\t{sets.sentences[i]}" if sets.sentences else ""
        yield f"{i + 1}\t{document}{words}\n"
