"""P(t | x) of an MEMM, or of a mixture of several, as factors; texts shared among threads.

An MEMM is normalized in each context; a mixture of M of them is a weighted mean there::

    P(T | W)   = product over i of P(t_i | w, t_{i-1}, t_{i-2})
    P(y | w, t1, t2) = sum over m of share_m f_m(y; w, t1) h_m(y; t1, t2) / Z_m(w, t1, t2)

f are exponentials of the scores of the predicates that read words (and t-1 where some do), h of
those that read the last two tags alone. So a word costs K exponentials and not K^3. LININT of
Daumé III (2007), section 2, is a mixture of two.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from workbench.numerics.threads import run_in_threads, thread_count
from workbench.scoring.memm_context_sums import ContextScores

LOWEST = -345.0  # scores this far below the best count as this: products of two stay above 0
_SMALL = 5_000  # words below which a second thread costs more than it saves


class Mixture(NamedTuple):
    """M models of a text; place K of a history is the boundary."""

    words: tuple  # of ndarray, of shape (N, 1, K - 1) or (N, K + 1, K - 1), as of ContextScores
    histories: np.ndarray  # shape (M, K + 1, K + 1, K): h, at least exp(LOWEST), by t-1 and t-2
    shares: np.ndarray  # shape (M,); they sum to 1


class Spans(NamedTuple):
    """Sentences, longest first: where they start and how many words they have; int64 both."""

    starts: np.ndarray
    lengths: np.ndarray


def mix(scored: Sequence[ContextScores], shares: Sequence[float] = (1.0,)) -> Mixture:
    """Return the mixture of some models by the scores of a text under each of them."""
    words, histories = zip(*scored, strict=True)
    history = np.stack(histories)
    reference = np.zeros((*history.shape[:-1], 1))  # the first tag's scores
    history = np.concatenate([reference, history], axis=-1)
    factors = np.exp(np.maximum(history - history.max(axis=-1, keepdims=True), LOWEST))
    return Mixture(words, factors, np.array(shares, float))


def part_by_bounds(spans: Spans, allowed: np.ndarray | None) -> tuple[Spans, Spans]:
    """Return the sentences all of whose tags are allowed, and those with a word that lacks some.

    ``allowed``, bool, has shape (N, K); None allows all.
    """
    starts, lengths = spans
    if allowed is None:
        return spans, Spans(starts[:0], lengths[:0])
    n_bound = np.append(0, np.cumsum(~allowed.all(axis=1)))
    is_bound = n_bound[starts + lengths] > n_bound[starts]
    return Spans(starts[~is_bound], lengths[~is_bound]), Spans(starts[is_bound], lengths[is_bound])


def run_over_sentences(run: Callable[[Spans], object], starts: np.ndarray) -> None:
    """Call a function with all sentences by their starts, on all cores where that pays."""
    lengths = np.diff(starts)
    order = np.argsort(-lengths, kind="stable")
    n_threads = 1 if starts[-1] < _SMALL else thread_count()
    parts = [order[part::n_threads] for part in range(n_threads)]
    run_in_threads(run, [Spans(starts[part], lengths[part]) for part in parts])
