"""Decoding one MEMM or two mixed, beside all sequences enumerated: any number of tags and words."""

from itertools import pairwise, product

import numpy as np
import pytest

from workbench.inference.memm.decoding import k_best, marginals, viterbi
from workbench.inference.memm.scores import ContextScores, mix

LENGTHS = {"no sentence": [], "one word": [1], "one to four words": [2, 1, 4, 3, 1]}


# Tags and models: each pair is compiled anew, so not all pairs are tried.
@pytest.fixture(params=[(1, 1), (5, 1), (2, 2), (9, 2)], ids="{0[0]} tags, {0[1]} models".format)
def sizes(request):
    return request.param


@pytest.fixture
def n_tags(sizes):
    return sizes[0]


@pytest.fixture
def mixture(rng, sizes):
    """Eleven words; the second model reads the last tag with each."""
    n_tags, n_models = sizes
    scored = [
        ContextScores(
            2 * rng.normal(size=(11, rows, n_tags - 1)),
            2 * rng.normal(size=(n_tags + 1, n_tags + 1, n_tags - 1)),
        )
        for rows in (1, n_tags + 1)[:n_models]
    ]
    shares = (0.3, 0.7) if n_models == 2 else (1.0,)
    return scored, shares, mix(scored, shares)


@pytest.fixture(params=LENGTHS.values(), ids=LENGTHS)
def starts(request, n_tags):
    return np.cumsum([0, *(min(n, 3) if n_tags == 9 else n for n in request.param)])


def chance(scored, shares, word, t1, t2):
    """P(tag | word, t-1, t-2) of each tag."""
    total = 0
    for (words, history), share in zip(scored, shares, strict=True):
        own = np.append(0, words[word, t1 if words.shape[1] > 1 else 0] + history[t1, t2])
        total = total + share * np.exp(own) / np.exp(own).sum()
    return total


def enumerate_all(scored, shares, words, n_tags, allowed=None):
    """Probability of each sequence of (allowed) tags, the best first."""
    chances = {}
    for tags in product(range(n_tags), repeat=len(words)):
        if allowed is None or all(allowed[word, y] for word, y in zip(words, tags, strict=True)):
            past = (*tags[::-1], n_tags, n_tags)
            steps = [
                chance(scored, shares, word, *past[len(tags) - i :][:2])[tags[i]]
                for i, word in enumerate(words)
            ]
            chances[tags] = np.prod(steps)
    total = sum(chances.values()) if allowed is not None else 1.0
    ordered = sorted(chances, key=chances.get, reverse=True)
    return {tags: chances[tags] / total for tags in ordered}


@pytest.mark.parametrize("is_bound", [False, True], ids=["all allowed", "some allowed"])
def test_tags_and_marginals_are_those_of_enumeration(rng, mixture, starts, n_tags, is_bound):
    scored, shares, mixed = mixture
    allowed = rng.random((starts[-1], n_tags)) < 0.5
    allowed[np.arange(starts[-1]), rng.integers(0, n_tags, starts[-1])] = True
    allowed = allowed if is_bound else None
    tags, found = viterbi(mixed, starts, allowed), marginals(mixed, starts, allowed)
    for a, b in pairwise(starts):
        chances = enumerate_all(scored, shares, range(a, b), n_tags, allowed)
        assert tuple(tags[a:b].tolist()) == next(iter(chances))
        summed = np.zeros((b - a, n_tags))
        for sequence, p in chances.items():
            summed[np.arange(b - a), sequence] += p
        np.testing.assert_allclose(found[a:b], summed, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("k", [1, 3, 9])
def test_the_k_best_are_those_of_enumeration(mixture, starts, n_tags, k):
    scored, shares, mixed = mixture
    paths = k_best(mixed, starts, k)
    for s, (a, b) in enumerate(pairwise(starts)):
        best = list(enumerate_all(scored, shares, range(a, b), n_tags).items())[:k]
        assert [tuple(own) for own in paths.tags[: len(best), a:b].tolist()] == [t for t, _ in best]
        np.testing.assert_allclose(
            np.exp(paths.log_probabilities[: len(best), s]), [p for _, p in best], rtol=1e-9
        )
        assert (paths.tags[len(best) :, a:b] == -1).all()
        assert (paths.log_probabilities[len(best) :, s] == -np.inf).all()
