"""A slider move in scipy and numpy: L-BFGS on sparse matrices, vectorised decoding."""

from collections.abc import Sequence

import numpy as np
from scipy import sparse
from scipy.optimize import minimize

from workbench.features.contexts import Contexts
from workbench.features.events import pack_events
from workbench.features.firing import firing_matrix
from workbench.features.packing import pack_contexts
from workbench.features.selection import Features
from workbench.features.templates import Template
from workbench.models.memm import MEMM
from workbench.text.corpus import Corpus


def event_matrix(
    contexts: Contexts, features: Features, slots: list[int] | None = None
) -> sparse.csr_matrix:
    """Return which predicates fire in each context, of some slots; CSR, shape (N, P)."""
    rows = contexts.rows if slots is None else contexts.rows[:, slots]
    firing = firing_matrix(contexts, features.values, features.n_predicates)
    ends = np.arange(len(rows) + 1) * rows.shape[1]
    places = np.ascontiguousarray(rows).ravel()
    shape = (len(rows), contexts.n_rows)
    return (sparse.csr_matrix((np.ones(len(places)), places, ends), shape) @ firing).tocsr()


def log_softmax(scores: np.ndarray) -> np.ndarray:
    """Return log p along the last axis."""
    scores = scores - scores.max(axis=-1, keepdims=True)
    return scores - np.log(np.exp(scores).sum(axis=-1, keepdims=True))


class PlainAdaptation:
    """Eq. 3 of CA04, with the features of the union, as a cost for ``scipy.optimize.minimize``."""

    def __init__(self, background: MEMM, corpus: Corpus, features: Features):
        events = pack_events(corpus, background.templates)
        matrix = event_matrix(events, features)
        fired = np.flatnonzero(matrix.getnnz(axis=0))
        self.mean = np.zeros(features.exists.shape)
        self.mean[: len(background.weights)] = background.weights
        self.free = np.zeros(features.exists.shape, bool)
        self.free[fired] = features.exists[fired]
        self._matrix = matrix[:, fired].tocsr()
        self._back = self._matrix.T.tocsr()
        self._cells = np.flatnonzero(features.exists[fired])
        self._shape = len(fired), events.n_tags
        self._counts, self._tags = events.counts, events.tags
        self._places = np.arange(len(events.tags))

    def cost(self, weights: np.ndarray, sigma2: float) -> tuple[float, np.ndarray]:
        """Return the objective with its sign reversed, in nats, and its gradient."""
        dense = np.zeros(self._shape)
        dense.ravel()[self._cells] = weights
        log_p = log_softmax(self._matrix @ dense)
        excess = self._counts[:, None] * np.exp(log_p)
        excess[self._places, self._tags] -= self._counts
        away = weights - self.mean[self.free]
        log_likelihood = self._counts @ log_p[self._places, self._tags]
        gradient = (self._back @ excess).ravel()[self._cells] + away / sigma2
        return away @ away / (2 * sigma2) - log_likelihood, gradient

    def maximise(self, start: np.ndarray, sigma2: float, objective: float) -> np.ndarray:
        """Return the free weights where L-BFGS first reaches an objective."""

        def stop_at(intermediate_result):
            if -intermediate_result.fun >= objective:
                raise StopIteration

        options = {"maxiter": 20_000, "maxfun": 20_000, "ftol": 0, "gtol": 0}
        if -self.cost(start, sigma2)[0] >= objective:
            return start
        return minimize(
            self.cost, start, (sigma2,), "L-BFGS-B", True, callback=stop_at, options=options
        ).x

    def table(self, weights: np.ndarray) -> np.ndarray:
        """Return the weights of all predicates, shape (P, K)."""
        table = self.mean.copy()
        table[self.free] = weights
        return table


class PlainText:
    """A text packed for decoding in numpy: all sentences at once, word by word.

    Sentences are ordered by length, so those that have not ended come first. The
    templates of tags must share one slot of (t-1, t-2), as those of CA04 do.
    """

    def __init__(self, corpus: Corpus, templates: Sequence[Template], features: Features):
        contexts = pack_contexts(corpus, templates)
        slots = [s for s, fillers in enumerate(contexts.fillers) if fillers.slot.offsets]
        (tags,) = (fillers for fillers in contexts.fillers if not fillers.slot.offsets)
        firing = firing_matrix(contexts, features.values, features.n_predicates)
        self._history = firing[tags.first_row : tags.first_row + len(tags)]
        self._words = event_matrix(contexts, features, slots)
        self.corpus = corpus
        lengths = np.diff(corpus.starts)
        order = np.argsort(-lengths, kind="stable")
        going = [np.count_nonzero(lengths > i) for i in range(lengths.max())]
        self._columns = [corpus.starts[order[:n]] + i for i, n in enumerate(going)]

    def tag(self, table: np.ndarray) -> np.ndarray:
        """Return the most probable tags under a weight table; int8, shape (N,)."""
        n_tags = table.shape[1]
        words = self._words @ table
        history = (self._history @ table).reshape(n_tags + 1, n_tags + 1, n_tags)
        best = np.full((len(self._columns[0]), n_tags + 1, n_tags + 1), -np.inf)
        best[:, n_tags, n_tags] = 0
        choices, ends = [], []
        for places in self._columns:
            ends.append(best[len(places) :])
            best, choice = _advance(best[: len(places)], words[places], history)
            choices.append(choice)
        return self._trace([*ends[1:], best], choices)

    def _trace(self, ends, choices):
        """Follow the choices back; ``ends[i]`` are the sentences that end with word i."""
        n_states = ends[0].shape[1]
        tags = np.empty(len(self.corpus), np.int8)
        tag, last = np.empty(0, np.int64), np.empty(0, np.int64)
        for places, end, choice in zip(self._columns[::-1], ends[::-1], choices[::-1], strict=True):
            states = end.reshape(-1, n_states**2).argmax(axis=1)
            tag = np.concatenate((tag, states // n_states))
            last = np.concatenate((last, states % n_states))
            tags[places] = tag
            tag, last = last, choice[np.arange(len(places)), tag, last]
        return tags


def _advance(best, words, history):
    """Return the scores of the best paths to (tag, t-1), and the t-2 before each."""
    reached = best[..., None] + log_softmax(words[:, None, None, :] + history)
    choice = reached.argmax(axis=2)
    after = np.full_like(best, -np.inf)
    after[:, :-1] = reached.max(axis=2).transpose(0, 2, 1)
    return after, choice.transpose(0, 2, 1)
