"""How the log-likelihood of each sentence changes as weights move along a direction.

Of an MEMM a sentence's log-likelihood is the sum of log p(t_i | x_i) over its words, of a chain
log P(labels | words). With s(y | x) the scores that the direction makes in the place of weights
the slopes are::

    MEMM     sum over words of s(t_i | x_i) - sum over y of p(y | x_i) s(y | x_i)
    chain    s(labels) - E[s(labels)],   E[s] = d log Z along the direction

the inner products of the direction with the gradients of all sentences, in one pass over the
text: no gradient is ever written down.

Where a weight rests on a sentence alone, the curvature H of the objective is for a good part
the sentence's own, H_z, and what tells how the weights move without it is the inverse of
H - H_z. For word i let r be the tag seen less p, W = diag(p) - p p', and a(y) the sum of
1 / (H - H_i) over the diagonal cells (p, y) of its predicates. Were the other sentences'
curvature diagonal, Woodbury's identity would say

    (H - H_z)^-1 g_z = H^-1 (g_z with r + W (a * r) in the place of r).

So ``at`` takes the diagonal of H for slopes that allow for it.
"""

from collections.abc import Callable

import numpy as np
from scipy import sparse

from workbench.features.contexts import Contexts, Sentences
from workbench.inference.chain.batches import split_sentences
from workbench.inference.chain.chain_sums import fill_chain_marginals
from workbench.inference.chain.chain_viterbi import fill_log_normalizers
from workbench.numerics.threads import run_in_threads
from workbench.scoring.chain_cells import Cells, add_to_words

_MOVE = 1e-3  # of a score, at most, in central differences: exact to 1e-6
_CERTAIN = 1e-3  # sum of p (1 - p) below which a word's own curvature is nothing
Slopes = Callable[[np.ndarray], np.ndarray]  # from a direction, (F,), to sentences, (n,)


class EventSlopes:
    """The slopes of the sentences of a text under a model of single events, as an MEMM.

    Parameters
    ----------
    contexts : Contexts
        Of every word in order, not merged, with the tags of the text.
    firing : sparse matrix, shape (n_rows, P)
        Which predicates each row fires.
    features : ndarray of bool, shape (P, K)
        Cells of the weight table that are features, F of them; weights are in row-major order.
    starts : ndarray of int64, shape (sentences + 1,)
    """

    def __init__(
        self, contexts: Contexts, firing: sparse.csr_matrix, features: np.ndarray,
        starts: np.ndarray,
    ) -> None:  # fmt: skip
        self._rows, self._tags, self._starts = contexts.rows, contexts.tags, starts
        self._firing, self._features = firing, features

    def at(self, weights: np.ndarray, diagonal: np.ndarray | None = None) -> Slopes:
        """Return the slopes at some weights, shape (F,), as a function of the direction, (F,).

        With the diagonal of the objective's Hessian, shape (F,), a direction that is the inverse
        Hessian times v gives v' (H - H_z)^-1 g_z of each sentence z, about; without it v' H^-1 g_z.
        """
        scores = self._sum_rows(self._score_rows(weights))
        p = np.exp(scores - scores.max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        rest = self._seen_less(p)
        if diagonal is not None:
            turned = self._turn(p, rest, diagonal)
            rest += p * (turned - np.einsum("ny,ny->n", p, turned)[:, None])

        def along(direction: np.ndarray) -> np.ndarray:
            scores = self._sum_rows(self._score_rows(direction))
            return sum_sentences(np.einsum("ny,ny->n", rest, scores), self._starts)

        return along

    def _seen_less(self, p):
        """Return r of every word: 1 for the tag seen, less p, shape (N, K)."""
        rest = -p
        rest[np.arange(len(p)), self._tags] += 1
        return rest

    def _score_rows(self, weights):
        """Return the scores of rows for all K tags, none taken as reference; (n_rows, K)."""
        table = np.zeros(self._features.shape)
        table[self._features] = weights
        return self._firing @ table

    def _sum_rows(self, table):
        """Return s(y | x) of every word, shape (N, K)."""
        scores = np.zeros((len(self._rows), table.shape[1]))
        for rows in self._rows.T:
            scores += table[rows]
        return scores

    def _turn(self, p, rest, diagonal):
        """Return a * r of every word, shape (N, K); 0 of those that are all but certain."""
        own, turned = p * (1 - p), np.zeros_like(p)
        words = np.flatnonzero(own.sum(axis=1) > _CERTAIN)
        turned[words] = self._variances(words, own[words], diagonal) * rest[words]
        return turned

    def _variances(self, words, own, diagonal):
        """Return a(y) of some words: their scores' variance with the word's own counts left out."""
        table = np.zeros(self._features.shape)
        table[self._features] = diagonal
        sums = np.zeros_like(own)
        for rows in self._rows[words].T:
            n_fired = np.diff(self._firing.indptr)[rows]
            word = np.repeat(np.arange(len(words)), n_fired)
            first = np.repeat(np.cumsum(n_fired) - n_fired, n_fired)
            entries = np.arange(len(word)) - first + np.repeat(self._firing.indptr[rows], n_fired)
            cells = table[self._firing.indices[entries]]
            # Never less than a hundredth: where a sentence says a word twice H - H_i has both.
            others = np.maximum(cells - own[word], 0.01 * cells)
            shares = np.divide(1.0, others, out=np.zeros_like(others), where=cells > 0)
            for y in range(own.shape[1]):
                sums[:, y] += np.bincount(word, shares[:, y], len(words))
        return sums


class ChainSlopes(EventSlopes):
    """The slopes of the sentences of a text under a linear chain; parameters as ``EventSlopes``.

    The slope of log Z, E[s(labels)], is a central difference of the forward recursion. W is the
    covariance of all labels of a sentence, so what W (a * r) adds is by how much E[s(labels)]
    rises as the scores of words move along a * r: a central difference again. Of a * r the
    transitions' part is left out: all sentences share them, and a is small.
    """

    def __init__(
        self, contexts: Sentences, firing: sparse.csr_matrix, features: np.ndarray,
        starts: np.ndarray,
    ) -> None:  # fmt: skip
        super().__init__(contexts, firing, features, starts)
        self._path_rows, self._rows = self._rows, self._rows[:, contexts.word_slots]
        self._cells, self._parts = Cells(contexts, firing, features), split_sentences(starts)

    def at(self, weights: np.ndarray, diagonal: np.ndarray | None = None) -> Slopes:
        """Return the slopes at some weights, shape (F,); as of ``EventSlopes``."""
        moves = np.zeros((len(self._rows), self._features.shape[1]))
        if diagonal is not None:
            p = self._marginals(weights)
            moves = self._turn(p, self._seen_less(p), diagonal)
        reach = max(np.abs(moves).max(initial=0.0), 1e-300) / _MOVE  # of a step of 1 along moves

        def along(direction: np.ndarray) -> np.ndarray:
            table = self._score_rows(direction)
            own = table[self._path_rows, self._tags[:, None]].sum(axis=1)
            step = _MOVE / max(np.abs(table).max(initial=0.0), 1e-300)
            rises = []
            for moved in (moves / reach, -moves / reach) if moves.any() else (moves,):
                up, down = (
                    self._log_z(weights + sign * direction, moved) for sign in (step, -step)
                )
                rises.append((up - down) / (2 * step))  # E[s(labels)]
            own -= sum(rises) / len(rises)
            if len(rises) > 1:
                own += (rises[0] - rises[1]) * reach / 2  # how it moves along a * r
            return sum_sentences(own, self._starts)

        return along

    def _marginals(self, weights):
        """Return P(label of word i | words), shape (N, K)."""
        p = np.empty((len(self._rows), self._features.shape[1]))
        scores = self._cells.scores(weights)
        run_in_threads(lambda part: fill_chain_marginals(scores, part, p), self._parts)
        return p

    def _log_z(self, weights, moves):
        """Return log Z at the first words of sentences, 0 at others, shape (N,).

        ``moves``, shape (N, K), are added to the scores of the words.
        """
        log_z = np.zeros(len(self._rows))
        scores = add_to_words(self._cells.scores(weights), moves)
        run_in_threads(lambda part: fill_log_normalizers(scores, part, log_z), self._parts)
        return log_z


def sum_sentences(values: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Return the sums of the values of words, shape (N,), by sentence; 0 of a sentence of none."""
    total = np.concatenate([[0.0], np.cumsum(values)])
    return total[starts[1:]] - total[starts[:-1]]
