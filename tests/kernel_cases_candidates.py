"""Arguments for the compiled functions of candidate sets; see ``kernel_registry.case``."""

import numpy as np
from kernel_registry import case

from workbench.features.candidates.sentence_columns import SentenceColumns
from workbench.inference.candidates import candidate_sums

F = 7


def make_columns(rng, n):
    """Columns of n sentences with one to four candidates, and the number of candidates."""
    sizes, n_columns = rng.integers(1, 5, n), rng.integers(0, 6, n)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    column_starts = np.concatenate([[0], np.cumsum(n_columns)])
    lengths = rng.integers(0, 6, n) * (n_columns > 0)
    places = [rng.integers(0, most, k) for most, k in zip(n_columns, lengths, strict=True) if k]
    owners = [rng.integers(0, most, k) for most, k in zip(sizes, lengths, strict=True) if k]
    columns, candidates = (np.concatenate([[], *own]).astype(np.uint16) for own in (places, owners))
    return SentenceColumns(
        starts, column_starts, rng.integers(0, F, column_starts[-1]).astype(np.uint32),
        np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64), columns, candidates,
        rng.normal(size=len(candidates)).astype(np.float32),
    ), starts[-1]  # fmt: skip


@case(candidate_sums.sum_sentences)
def sum_sentences(rng, n, n_tags):
    columns, size = make_columns(rng, n)
    offsets, shares, p = rng.random((3, size))
    return [rng.normal(size=F), columns, offsets, shares, p, np.ones(F)]


@case(candidate_sums.sum_sentences)
def sum_sentences_without_gradient(rng, n, n_tags):
    return [*sum_sentences(rng, n, n_tags)[:-1], np.zeros(0)]


@case(candidate_sums.add_curvature)
def add_curvature(rng, n, n_tags):
    columns, size = make_columns(rng, n)
    return [columns, rng.random(size), np.ones(F)]


@case(candidate_sums.add_hessian_product)
def add_hessian_product(rng, n, n_tags):
    columns, size = make_columns(rng, n)
    return [rng.normal(size=F), columns, rng.random(size), np.zeros(size), np.ones(F)]


@case(candidate_sums._take)
def take(rng, n, n_tags):
    return [make_columns(rng, n + 1)[0], 0]


@case(candidate_sums._widest)
def widest(rng, n, n_tags):
    return [make_columns(rng, n)[0].column_starts]


@case(candidate_sums._spread)
def spread(rng, n, n_tags):
    sentence = candidate_sums._take.py_func(make_columns(rng, n + 1)[0], n)
    return [rng.normal(size=F), sentence, np.empty(6), np.zeros(4)]


@case(candidate_sums._gather)
def gather(rng, n, n_tags):
    sentence = candidate_sums._take.py_func(make_columns(rng, n + 1)[0], n)
    return [rng.normal(size=4), sentence, np.zeros(6), np.ones(F)]


@case(candidate_sums._normalize)
def normalize(rng, n, n_tags):
    return [rng.normal(size=n + 1)]
