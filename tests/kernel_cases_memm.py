"""Arguments for the compiled functions of MEMMs; see ``kernel_registry.case``."""

import numpy as np
from kernel_registry import case

from workbench.inference.memm import decoding, greedy, recursion
from workbench.inference.memm.scores import Mixture, Spans


def make_factors(rng, *shape):
    return np.exp(-rng.random(shape))


def make_mixture(rng, n, n_tags, models=2):
    """One or two models of n words: the second reads t-1 with words."""
    rows = (1, n_tags + 1)[:models]
    words = tuple(rng.normal(size=(n, r, n_tags - 1)) for r in rows)
    histories = make_factors(rng, models, n_tags + 1, n_tags + 1, n_tags)
    return Mixture(words, histories, np.array([0.3, 0.7]) if models == 2 else np.ones(1))


def make_spans(n):
    starts = np.array(sorted({0, n // 3, n // 3 + 1, n} if n > 1 else {0, n}), np.int64)
    order = np.argsort(-np.diff(starts), kind="stable")
    return Spans(starts[:-1][order], np.diff(starts)[order])


@case(greedy._fill_factors)
def fill_factors(rng, n, n_tags):
    factors, bits = np.zeros((n, n_tags + 1, n_tags)), np.zeros((n_tags + 1) * n_tags * n, np.int64)
    scores = 100 * rng.normal(size=(n + 2, n_tags + 1, n_tags - 1))
    return [scores, 2, (0.0,) * n_tags, factors, bits]


@case(greedy._follow_best)
def follow_best(rng, n, n_tags):
    # A power of chance: the best path goes on for a while.
    factors = rng.random((2, n, n_tags + 1, n_tags)) ** 9
    return [factors, make_mixture(rng, n, n_tags), (0.0,) * n_tags, np.zeros(n, np.int8)]


@case(greedy.tag_greedily)
def tag_greedily(rng, n, n_tags):
    mixture = make_mixture(rng, n, n_tags)
    sharp = mixture._replace(words=tuple(9 * one for one in mixture.words))
    return [sharp, (0.0,) * n_tags, make_spans(n), np.zeros(n, np.int8)]


@case(recursion.count_abreast)
def count_abreast(rng, n, n_tags):
    lengths = np.sort(rng.integers(1, 1 << 20, n + 1))[::-1].copy()
    return [lengths, n // 2, n_tags**2]


@case(recursion.fill_words)
def fill_words(rng, n, n_tags):
    words, bits = np.zeros((n_tags + 1, n_tags, n)), np.zeros((n_tags + 1) * n_tags * n, np.int64)
    scores = 100 * rng.normal(size=(9, n_tags + 1, n_tags - 1))
    return [scores, rng.integers(0, 9, n), words, bits]


@case(recursion.fill_weights)
def fill_weights(rng, n, n_tags):
    factors = [rng.random((n_tags, n)), make_factors(rng, n_tags)]
    return [*factors, rng.random(n), 0.3, np.zeros(n)]


@case(recursion._add)
def add(rng, n, n_tags):
    factors = [rng.random((n_tags, n)), make_factors(rng, n_tags)]
    return [*factors, rng.random(n), rng.random((n_tags, n + 1))]


@case(recursion._keep_best)
def keep_best(rng, n, n_tags):
    *given, _ = add(rng, n, n_tags)
    best = make_paths(rng, n, n_tags, 1).view(np.int64)
    return [*given, rng.random((n_tags, n)), 0, 3, 255, best]


@case(recursion._keep_k_best)
def keep_k_best(rng, n, n_tags):
    best, way = make_paths(rng, n, n_tags).view(np.int64), 3 | 1 << 8  # of the second rank
    chances = rng.random((n_tags, n))
    return [rng.random(n), chances, 0, way, 1023, best, np.zeros(n, np.int64)]


@case(recursion._keep_paths)
def keep_paths(rng, n, n_tags):
    factors = rng.random((2, n_tags, n)), np.stack([make_factors(rng, n_tags) for _ in range(2)])
    before, best = make_paths(rng, n, n_tags), np.zeros((n_tags + 1, n_tags + 1, 3, n), np.int64)
    return [*factors, np.array([0.3, 0.7]), before[0, 1], 0, 1, 1023, best]


def make_paths(rng, n, n_tags, k=3):
    return np.sort(rng.random((n_tags + 1, n_tags + 1, k, n + 1)), axis=2)[:, :, ::-1].copy()


@case(recursion.advance)
def advance_to_three_best(rng, n, n_tags):
    before, mixture = make_paths(rng, n, n_tags), make_mixture(rng, 9, n_tags)
    return [mixture, rng.integers(0, 9, n), 2, before, np.zeros_like(before), 1023]


@case(recursion.advance)
def advance_sums(rng, n, n_tags):
    before, mixture = make_paths(rng, n, n_tags, 1), make_mixture(rng, 9, n_tags)
    return [mixture, rng.integers(0, 9, n), 1, before, np.zeros_like(before), 0]


@case(recursion.rescale)
def rescale(rng, n, n_tags):
    return [make_paths(rng, n, n_tags), n]


@case(decoding._note_ways)
def note_ways(rng, n, n_tags):
    paths = make_paths(rng, n, n_tags)
    return [paths.view(np.int64), n, 1023, np.zeros(paths.shape, np.uint16)]


@case(decoding._trace)
def trace(rng, n, n_tags):
    ways = rng.integers(0, n_tags, (n, n_tags, n_tags + 1, 1, 3)).astype(np.uint16)
    last = np.zeros((n_tags + 1, n_tags + 1, 1, 3))
    last[:n_tags, :n_tags] = rng.random((n_tags, n_tags, 1, 3))
    return [last, ways, 1, np.full((2, n), -1, np.int8)]


@case(decoding.fill_best_paths)
def fill_best_paths(rng, n, n_tags, k=1):
    return [make_mixture(rng, n, n_tags), make_spans(n), np.full((k, n), -1, np.int8)]


@case(decoding.fill_best_paths)
def fill_three_best_paths(rng, n, n_tags):
    return fill_best_paths(rng, n, n_tags, 3)


@case(recursion.fill_marginals)
def fill_marginals(rng, n, n_tags):
    return [make_mixture(rng, n, n_tags, 1), make_spans(n), np.zeros((n, n_tags))]


# --- where only some tags are allowed -----------------------------------------------------


def make_allowed(rng, n, n_tags):
    """About half of the tags of each word, and at least one."""
    allowed = rng.random((n, n_tags)) < 0.5
    allowed[np.arange(n), rng.integers(0, n_tags, n)] = True
    return allowed


@case(greedy._follow_best)
def follow_best_allowed(rng, n, n_tags):
    return [*follow_best(rng, n, n_tags), make_allowed(rng, n, n_tags)]


@case(greedy.tag_greedily)
def tag_greedily_as_allowed(rng, n, n_tags):
    return [*tag_greedily(rng, n, n_tags), make_allowed(rng, n, n_tags)]


@case(recursion.keep_allowed)
def keep_allowed(rng, n, n_tags):
    return [make_paths(rng, n, n_tags), rng.integers(0, 9, n), make_allowed(rng, 9, n_tags)]


@case(decoding.fill_best_paths)
def fill_best_allowed_paths(rng, n, n_tags):
    return [*fill_best_paths(rng, n, n_tags), make_allowed(rng, n, n_tags)]


@case(decoding._go_back)
def go_back(rng, n, n_tags):
    before, after, chances = (make_paths(rng, n, n_tags, 1) for _ in range(3))
    places = rng.integers(0, 9, n)
    return [make_mixture(rng, 9, n_tags), places, 2, before, after, chances]


@case(decoding._normalize)
def normalize(rng, n, n_tags):
    return [make_paths(rng, n, n_tags, 1), n]


@case(decoding.fill_allowed_marginals)
def fill_allowed_marginals(rng, n, n_tags):
    allowed, found = make_allowed(rng, n, n_tags), np.zeros((n, n_tags))
    return [make_mixture(rng, n, n_tags), make_spans(n), allowed, found]
