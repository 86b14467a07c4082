"""Candidate sets the obvious way: lists of dicts, plain loops; and small sets for tests."""

import math
from collections import defaultdict

import numpy as np

from workbench.candidates.files import read_candidates


def write_svmlight(path, sentences, first_qid=1):
    """Write sentences, lists of (quality, {number: value}, counts), as SVMlight."""
    lines = []
    for qid, candidates in enumerate(sentences, first_qid):
        for quality, features, *counts in candidates:
            pairs = " ".join(f"{number}:{value!r}" for number, value in sorted(features.items()))
            comment = f" # {' '.join(map(str, counts))}" if counts else ""
            lines.append(f"{quality!r} qid:{qid} {pairs}{comment}")
    path.write_text("\n".join(lines) + "\n")
    return path


def draw_sentences(rng, n_sentences, n_features=6, weights=None, at_most=5, with_counts=True):
    """Draw sentences; quality is how near a candidate is to the best by some true weights."""
    weights = np.zeros(n_features) if weights is None else weights
    sentences = []
    for _ in range(n_sentences):
        n = int(rng.integers(1, at_most + 1))
        rows = rng.integers(0, 3, (n, n_features)) / 2 - (rng.random((n, n_features)) < 0.2)
        scores = rows @ weights + rng.gumbel(size=n)
        matched = np.round(9 * np.exp(scores - scores.max())).astype(int) + 1
        candidates = []
        for row, good in zip(rows, matched.tolist(), strict=True):
            features = {i + 1: float(x) for i, x in enumerate(row) if x}
            counts = (good, 10, 10, good // 2, 6) if with_counts else ()
            candidates.append((good / 10, features, *counts))
        sentences.append(candidates)
    return sentences


def read_sentences(path, sentences, name="drawn"):
    """Return the packed sets of sentences, by way of a file."""
    return read_candidates(write_svmlight(path, sentences), name=name)


def probabilities(weights, candidates, offsets=None):
    """Return p of each candidate of a sentence; weights and features by number."""
    scores = [
        sum(weights.get(number, 0.0) * value for number, value in features.items())
        for _, features, *_ in candidates
    ]
    scores = [s + o for s, o in zip(scores, offsets or [0.0] * len(scores), strict=True)]
    total = sum(math.exp(score) for score in scores)
    return [math.exp(score) / total for score in scores]


def shares(candidates, target):
    """Return the target of a sentence."""
    qualities = [quality for quality, *_ in candidates]
    if target == "proportional":
        total = sum(qualities)
        return [q / total if total else 1 / len(qualities) for q in qualities]
    best = [i for i, q in enumerate(qualities) if q == max(qualities)]
    best = best[:1] if target == "gold" else best
    return [1 / len(best) if i in best else 0.0 for i in range(len(qualities))]


def log_likelihood(weights, sentences, target="uniform"):
    """Sum t * log p over candidates and sentences, in nats."""
    return sum(
        t * math.log(p)
        for candidates in sentences
        for t, p in zip(shares(candidates, target), probabilities(weights, candidates), strict=True)
        if t
    )


def gradient(weights, sentences, target="uniform"):
    """Return the gradient by number of the feature; a dict."""
    found = defaultdict(float)
    for candidates in sentences:
        p = probabilities(weights, candidates)
        for (_, features, *_), share, own in zip(
            candidates, shares(candidates, target), p, strict=True
        ):
            for number, value in features.items():
                found[number] += (share - own) * value
    return found


def count_discriminating(sentences):
    """Count the sentences in which each feature tells candidates apart; a dict."""
    found = defaultdict(int)
    for candidates in sentences:
        for number in {number for _, features, *_ in candidates for number in features}:
            found[number] += len({features.get(number, 0.0) for _, features, *_ in candidates}) > 1
    return found


def bracket_f1(sentences, chosen):
    """Return the labelled bracket F1 of one candidate a sentence."""
    counts = [candidates[i][2:5] for candidates, i in zip(sentences, chosen, strict=True)]
    matched, guessed, gold = map(sum, zip(*counts, strict=True))
    return 2 * matched / (guessed + gold)


def write_domains(folder):
    """Write a background, and a domain where one weight is another and two are new, as folders.

    Returns the sentences by (set, part).
    """
    rng, written = np.random.default_rng(2008), {}
    true = np.array([4.0, -4.0, 2.0, 0.0, 8.0, -2.0])
    sizes_of_domain = {"train": 60, "dev": 200, "test": 200}
    parts = {
        "general": (true, {"train": 400, "dev": 100}),
        "domain": (true * [1, -1, 1, 0, 1, 4], sizes_of_domain),
    }
    for name, (weights, sizes) in parts.items():
        (folder / name).mkdir()
        for part, n in sizes.items():
            drawn = draw_sentences(rng, n, weights=weights)
            if name == "general":
                drawn = [[(q, {k: v for k, v in f.items() if k < 5}, *counts)
                          for q, f, *counts in candidates] for candidates in drawn]  # fmt: skip
            write_svmlight(folder / name / f"{part}.svm", drawn)
            written[name, part] = drawn
    (folder / "features.txt").write_text("".join(f"{i}\tw=f{i}\n" for i in range(1, 7)))
    return written
