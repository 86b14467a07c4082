"""Arguments for the compiled functions of MEMMs; see ``kernel_registry.case``."""

import numpy as np
from kernel_registry import case

from workbench.inference.memm import certain_paths as certain
from workbench.inference.memm import viterbi as decoding


def _history(rng, n_tags):
    return np.exp(-rng.random((n_tags + 1, n_tags + 1, n_tags)))


def _paths(rng, n, n_tags):
    return rng.random((n_tags + 1, n_tags + 1, n + 1))


def _text(rng, n, n_tags, models=1):
    starts = np.array(sorted({0, n // 3, n // 3 + 1, n} if n > 1 else {0, n}), np.int64)
    order = np.argsort(-np.diff(starts), kind="stable")
    scores = tuple(rng.normal(size=(n, r, n_tags)) for r in (1, n_tags + 1)[:models])
    histories = np.stack([_history(rng, n_tags) for _ in scores])
    shares = np.array([0.3, 0.7]) if models == 2 else np.ones(1)
    return [scores, histories, shares, starts[:-1][order], np.diff(starts)[order]]


@case(decoding._fill_words)
def _fill_words(rng, n, n_tags):
    words, bits = np.zeros((n_tags + 1, n_tags, n)), np.zeros((n_tags + 1) * n_tags * n, np.int64)
    scores = 100 * rng.normal(size=(9, n_tags + 1, n_tags))
    return [scores, rng.integers(0, 9, n), words, bits]


@case(decoding._take_shares)
def _take_shares(rng, n, n_tags):
    factors = [rng.random((n_tags, n)), _history(rng, n_tags)[0, 0]]
    return [*factors, rng.random(n), 0.3, np.zeros(n)]


@case(decoding._add)
def _add(rng, n, n_tags):
    factors = [rng.random((n_tags, n)), _history(rng, n_tags)[0, 0]]
    return [*factors, rng.random(n), rng.random((n_tags, n + 1))]


@case(decoding._keep_best)
def _keep_best(rng, n, n_tags):
    word, history, shares, _ = _add(rng, n, n_tags)
    others, best = rng.random((n_tags, n)), rng.random((n_tags, n_tags, n)).view(np.int64)
    return [word, history, shares, others, 0, 3, best]


@case(decoding._advance)
def _advance(rng, n, n_tags, is_sum=False):
    scores, histories, shares, *_ = _text(rng, 9, n_tags, 2)
    before, after = _paths(rng, n, n_tags), np.zeros((n_tags + 1, n_tags + 1, n + 1))
    places = rng.integers(0, 9, n)
    return [scores, histories, shares, places, 2, before, after, is_sum]


@case(decoding._note_choices)
def _note_choices(rng, n, n_tags):
    choice = np.zeros((n_tags + 1, n_tags + 1, n + 1), np.uint8)
    return [_paths(rng, n, n_tags).view(np.int64), n, choice]


@case(decoding._rescale)
def _rescale(rng, n, n_tags):
    return [_paths(rng, n, n_tags), n]


@case(decoding._trace)
def _trace(rng, n, n_tags):
    choices = rng.integers(0, n_tags, (n, n_tags, n_tags + 1)).astype(np.uint8)
    last = np.zeros((n_tags + 1, n_tags + 1))
    last[:n_tags, :n_tags] = rng.random((n_tags, n_tags))
    return [last, choices, np.zeros(n, np.int8)]


@case(decoding._n_abreast)
def _n_abreast(rng, n, n_tags):
    lengths = np.sort(rng.integers(1, 1 << 20, n + 1))[::-1].copy()
    return [lengths, n // 2, n_tags**2]


@case(certain._fill_factors)
def _fill_factors(rng, n, n_tags):
    factors, bits = np.zeros((n, n_tags + 1, n_tags)), np.zeros((n_tags + 1) * n_tags * n, np.int64)
    scores = 100 * rng.normal(size=(n + 2, n_tags + 1, n_tags))
    return [scores, 2, (0.0,) * n_tags, factors, bits]


@case(certain._follow_best)
def _follow_best(rng, n, n_tags):
    factors = rng.random((2, n, n_tags + 1, n_tags)) ** 9  # a best path that goes on for a while
    histories, shares = np.stack([_history(rng, n_tags) for _ in range(2)]), np.array([0.3, 0.7])
    given = factors, histories, shares, (0.0,) * n_tags
    return [*given, np.zeros(n, np.int8)]


@case(certain.tag_certain)
def _tag_certain(rng, n, n_tags):
    scores, histories, shares, *sentences = _text(rng, n, n_tags, 2)
    sharp = tuple(9 * one for one in scores)
    given = sharp, histories, shares, (0.0,) * n_tags
    return [*given, *sentences, np.zeros(n, np.int8)]


@case(decoding.viterbi)
def _viterbi(rng, n, n_tags):
    return [*_text(rng, n, n_tags, 2), np.zeros(n, np.int8)]


@case(decoding.marginals)
def _marginals(rng, n, n_tags):
    return [*_text(rng, n, n_tags), np.zeros((n, n_tags))]
