"""Second roads to every number: slow, obvious, and apart from the fast ones.

Events are counted in a loop, features are a set of pairs (predicate, tag),
scores are sums over predicates, and sequences are enumerated.
"""

import math
from collections import Counter
from itertools import product

import numpy as np
from scipy.optimize import minimize
from scipy.stats import binomtest

from workbench.evaluation.explanation import sentence_of
from workbench.features.templates import predicates_of
from workbench.text.casing import TAGS, Tag, tag_of, wipe_case

K = len(TAGS)


def count_events(corpus, templates):
    """Count the events of a corpus; a Counter of (tag, predicates)."""
    events = Counter()
    for i in range(corpus.n_sentences):
        forms = corpus.sentence(i)
        words = [wipe_case(form) for form in forms]
        tags = [int(tag_of(form)) for form in forms]
        for t in range(len(words)):
            last_tags = [TAGS[tags[back]] for back in range(t - 1, max(t - 3, -1), -1)]
            events[tags[t], tuple(predicates_of(templates, words, t, last_tags))] += 1
    return events


def count_features(events):
    """Count (predicate, tag) pairs."""
    counts = Counter()
    for (tag, predicates), count in events.items():
        for predicate in predicates:
            counts[predicate, tag] += count
    return counts


def select_features(events, cutoff):
    """Return the pairs whose count is not less than the cut-off; a set."""
    return {pair for pair, count in count_features(events).items() if count >= cutoff}


def feature_pairs(features):
    """List the (predicate, tag) pairs of a ``Features`` in the order of its weight vectors."""
    names = features.names()
    return [(names[p], int(k)) for p, k in np.argwhere(features.exists)]


def weights_of(model):
    """Take the weights of an MEMM as a dict of (predicate, tag)."""
    pairs = feature_pairs(model.features)
    return dict(zip(pairs, model.weights[model.features.exists].tolist(), strict=True))


def score(weights, predicates, tag):
    """Sum the weights of the features that are active; s(y | x)."""
    return sum(weights.get((predicate, tag), 0.0) for predicate in predicates)


def log_probabilities(weights, predicates, n_tags=K):
    """Return log p(y | x) for each tag y; a list."""
    scores = [score(weights, predicates, tag) for tag in range(n_tags)]
    highest = max(scores)
    log_normalizer = highest + math.log(sum(math.exp(s - highest) for s in scores))
    return [s - log_normalizer for s in scores]


def log_likelihood(weights, events):
    """Sum count * log p(y | x) over events, in nats."""
    return sum(
        count * log_probabilities(weights, predicates)[tag]
        for (tag, predicates), count in events.items()
    )


class PlainProblem:
    """Eq. 1 with one row for each (event, tag) and one column for each feature.

    ``offset`` are scores of each event and tag to which the features' are added.
    """

    def __init__(self, events, pairs, offset=None, n_tags=K):
        column = {pair: i for i, pair in enumerate(pairs)}
        self.active = np.zeros((len(events), n_tags, len(pairs)))
        self.seen = np.zeros((len(events), n_tags))
        for i, ((seen, predicates), count) in enumerate(events.items()):
            self.seen[i, seen] = count
            for predicate, tag in product(predicates, range(n_tags)):
                if (predicate, tag) in column:
                    self.active[i, tag, column[predicate, tag]] = 1
        self.counts = self.seen.sum(axis=1, keepdims=True)
        self.offset = np.zeros_like(self.seen) if offset is None else np.array(offset)
        self.observed = np.einsum("ny,nyf->f", self.seen, self.active)

    def log_probabilities(self, weights):
        """Return log p(y | x), shape (events, K)."""
        scores = self.offset + self.active @ weights
        scores = scores - scores.max(axis=1, keepdims=True)
        return scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))

    def log_likelihood(self, weights):
        """Nats, total."""
        return float((self.seen * self.log_probabilities(weights)).sum())

    def gradient(self, weights):
        """Observed less expected counts, shape (F,)."""
        expected = self.counts * np.exp(self.log_probabilities(weights))
        return self.observed - np.einsum("ny,nyf->f", expected, self.active)

    def curvature(self, weights):
        """Return the Hessian's diagonal of -L: the sum of count * p * (1 - p)."""
        p = np.exp(self.log_probabilities(weights))
        return np.einsum("ny,nyf->f", self.counts * p * (1 - p), self.active)

    def hessian(self, weights):
        """Return the Hessian of -L, shape (F, F): its events summed."""
        p = np.exp(self.log_probabilities(weights))
        pairs = np.einsum("ny,nyf,nyg->nfg", p, self.active, self.active)
        mean = np.einsum("ny,nyf->nf", p, self.active)
        squares = np.einsum("nf,ng->nfg", mean, mean)
        return np.einsum("n,nfg->fg", self.counts.ravel(), pairs - squares)

    def objective(self, weights, mean, sigma2):
        """Eq. 3, in nats."""
        return self.log_likelihood(weights) - sum((weights - mean) ** 2 / (2 * sigma2))


def fit_scipy(problem, mean, sigma2):
    """Maximise eq. 3 with scipy's L-BFGS, as far as doubles allow; weights, shape (F,)."""

    def cost(weights):
        pull = (weights - mean) / sigma2
        return -problem.objective(weights, mean, sigma2), pull - problem.gradient(weights)

    options = {"maxiter": 5000, "maxfun": 5000, "ftol": 1e-16, "gtol": 1e-9}
    return minimize(cost, mean, jac=True, method="L-BFGS-B", options=options).x


def fit_iis(problem, mean, sigma2, sweeps):
    """Maximise eq. 3 by improved iterative scaling; weights, shape (F,).

    In each sweep every weight moves by the delta that solves, by Newton's method,
    observed = sum of expected * exp(delta * f#(x, y)) + (weight + delta - mean) / sigma2.

    Source
    ------
    Chelba & Acero (2004), eq. 2 and 4; f#(x, y) is the number of active features.
    """
    weights = mean.copy()
    active = problem.active.reshape(-1, len(mean))  # (events * K, F)
    f_sharp = active.sum(axis=1)
    for _ in range(sweeps):
        expected = (problem.counts * np.exp(problem.log_probabilities(weights))).ravel()
        delta = np.zeros_like(weights)
        for _ in range(20):
            grown = active * (expected[:, None] * np.exp(np.outer(f_sharp, delta)))
            excess = problem.observed - grown.sum(axis=0) - (weights + delta - mean) / sigma2
            delta += excess / (f_sharp @ grown + 1 / sigma2)
            if np.abs(excess).max() < 1e-12:
                break
        weights = weights + delta
    return weights


def central_differences(value, weights, step=1e-5):
    """Differentiate numerically; shape (F,)."""
    slopes = []
    for i in range(len(weights)):
        away = np.zeros_like(weights)
        away[i] = step
        slopes.append((value(weights + away) - value(weights - away)) / (2 * step))
    return np.array(slopes)


def enumerate_sequences(weights, templates, words, n_tags=K):
    """Return P(T | W) of each of the K^T tag sequences; a dict of tuples."""
    known = {}

    def step(i, last):
        if (i, last) not in known:
            last_names = [TAGS[tag] for tag in last]
            predicates = predicates_of(templates, words, i, last_names)
            known[i, last] = log_probabilities(weights, predicates, n_tags)
        return known[i, last]

    return {
        tags: math.exp(
            sum(step(i, tags[max(i - 2, 0) : i][::-1])[tag] for i, tag in enumerate(tags))
        )
        for tags in product(range(n_tags), repeat=len(words))
    }


def enumerate_chains(weights, templates, words, n_tags=K):
    """Return the score of each of the K^T tag sequences of a linear chain; a dict of tuples."""

    def score_of(tags):
        return sum(
            score(weights, predicates_of(templates, words, i, [TAGS[t] for t in tags[:i][::-1]]), y)
            for i, y in enumerate(tags)
        )

    return {tags: score_of(tags) for tags in product(range(n_tags), repeat=len(words))}


def log_sum(scores):
    """log of the sum of exponentials."""
    highest = max(scores)
    return highest + math.log(math.fsum(math.exp(s - highest) for s in scores))


def chain_probabilities(weights, templates, words, n_tags=K):
    """Return P(T | W) of each tag sequence of a linear chain; a dict of tuples."""
    scores = enumerate_chains(weights, templates, words, n_tags)
    log_z = log_sum(scores.values())
    return {tags: math.exp(s - log_z) for tags, s in scores.items()}


def chain_covariance(weights, templates, words, pairs):
    """Covariance of the counts of (predicate, tag) pairs over all tag sequences; (F, F)."""
    chances, place = (
        chain_probabilities(weights, templates, words),
        {p: i for i, p in enumerate(pairs)},
    )
    counts = np.zeros((len(chances), len(pairs)))
    for row, tags in zip(counts, chances, strict=True):
        for t, tag in enumerate(tags):
            last = [TAGS[y] for y in tags[:t][::-1]]
            for predicate in predicates_of(templates, words, t, last):
                if (predicate, tag) in place:
                    row[place[predicate, tag]] += 1
    chance = np.array(list(chances.values()))
    counts -= chance @ counts
    return counts.T @ (chance[:, None] * counts)


def forward_in_logs(scores, transitions):
    """Return log Z of a chain by logarithms, a label at a time.

    ``scores``, shape (T, K), of words; ``transitions``, (K + 1, K), the last row at the start.
    """
    reached = scores[0] + transitions[-1]
    for word in scores[1:]:
        reached = np.array([log_sum(reached + column) for column in transitions[:-1].T]) + word
    return log_sum(reached)


def tag_marginals(sequences, length, n_tags=K):
    """Sum P(T | W) over sequences; shape (T, K)."""
    summed = np.zeros((length, n_tags))
    for tags, probability in sequences.items():
        for i, tag in enumerate(tags):
            summed[i, tag] += probability
    return summed


def marginal_probabilities(model, corpus, position):
    """P(tag of a word | W), W its sentence, of the sentence by itself; shape (K,)."""
    alone, place = sentence_of(corpus, position, model.tag_names)
    return model.probabilities(alone)[place]


def keep_allowed(sequences, allowed):
    """Return the sequences whose tags are allowed, bool, shape (T, K); they sum to 1 again."""
    kept = {
        tags: chance
        for tags, chance in sequences.items()
        if all(allowed[i][tag] for i, tag in enumerate(tags))
    }
    total = math.fsum(kept.values())
    return {tags: chance / total for tags, chance in kept.items()}


def most_frequent_tags(corpus):
    """Map each uniform-case word to its most frequent tag, the first of ``Tag`` on a tie."""
    seen = Counter()
    for i in range(corpus.n_sentences):
        seen.update((wipe_case(form), tag_of(form)) for form in corpus.sentence(i))
    words = {word for word, _ in seen}
    return {word: max(Tag, key=lambda tag: (seen[word, tag], -tag)) for word in words}


def is_as_good(wrong, of_best):
    """Whether errors do not clearly differ from the best's, by the binomial test of the words."""
    worse, better = int((wrong & ~of_best).sum()), int((of_best & ~wrong).sum())
    return worse == better or bool(binomtest(worse, worse + better).pvalue >= 0.05)


def enumerate_chain(templates, features, weights, corpus):
    """Log-likelihood and expected counts of a dict of weights, all sequences looked at."""
    pairs = feature_pairs(features)
    known = dict(zip(pairs, weights.tolist(), strict=True))
    place = {pair: i for i, pair in enumerate(pairs)}
    value, expected = 0.0, np.zeros(len(weights))
    for i in range(corpus.n_sentences):
        words = [corpus.words[w] for w in corpus.word_ids[corpus.starts[i] : corpus.starts[i + 1]]]
        gold = tuple(corpus.tags[corpus.starts[i] : corpus.starts[i + 1]].tolist())
        chances = chain_probabilities(known, templates, words)
        value += np.log(chances[gold])
        for tags, chance in chances.items():
            for t, tag in enumerate(tags):
                last = [TAGS[y] for y in tags[:t][::-1]]
                for predicate in predicates_of(templates, words, t, last):
                    if (predicate, tag) in place:
                        expected[place[predicate, tag]] += chance
    return value, expected
