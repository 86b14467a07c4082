"""P(t | x) of an MEMM, or of a mixture of several, as factors; texts shared among threads.

An MEMM is normalized in each context; a mixture of M of them is a weighted mean there::

    P(T | W)   = product over i of P(t_i | w, t_{i-1}, t_{i-2})
    P(y | w, t1, t2) = sum over m of share_m f_m(y; w, t1) h_m(y; t1, t2) / Z_m(w, t1, t2)

f are exponentials of the scores of the predicates that read words (and t-1 where some do), which
are known before decoding; h of those that read the last two tags alone, the same for all words.
So a word costs K exponentials and not K^3. LININT of Daumé III (2007), section 2, is a mixture
of two.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from workbench.features.contexts import Contexts
from workbench.numerics.jit import jit
from workbench.numerics.threads import run_in_threads, thread_count

_CELLS = 4096  # sums of a block of words: they stay in the cache while slot by slot is added


class ContextScores(NamedTuple):
    """Scores of all contexts of a text, relative to the first tag's; place K is the boundary."""

    words: np.ndarray  # shape (N, 1, K - 1); (N, K + 1, K - 1) by t-1 if a predicate reads both
    history: np.ndarray  # shape (K + 1, K + 1, K - 1), by (t-1, t-2): of tags alone


def score_contexts(table: np.ndarray, contexts: Contexts) -> ContextScores:
    """Return the scores of all contexts by those of their rows, shape (n_rows, K - 1)."""
    fillers, rows, base = contexts.fillers, contexts.rows, contexts.n_tags + 1
    history, columns = np.zeros((base, base, table.shape[1])), (0.0,) * table.shape[1]
    for filler in fillers:
        if filler.slot.n_tags and not filler.slot.offsets:
            own = table[filler.first_row : filler.first_row + len(filler)]
            history += own.reshape(base, base if filler.slot.n_tags == 2 else 1, -1)
    read = [(bool(f.slot.offsets), bool(f.slot.n_tags)) for f in fillers]
    alone, both = (np.flatnonzero([r == kind for r in read]) for kind in ((1, 0), (1, 1)))
    words = np.empty((len(rows), base if len(both) else 1, table.shape[1]))
    firsts = np.array([filler.first_row for filler in fillers], np.uint32)
    sum_rows_of_words(table, rows.T.view(np.uint32), alone, both, firsts, columns, words)
    return ContextScores(words, history)


@jit
def sum_rows_of_words(
    table: np.ndarray, rows: np.ndarray, alone: np.ndarray, both: np.ndarray,
    firsts: np.ndarray, columns: tuple, words: np.ndarray,
) -> None:  # fmt: skip
    """Fill in the scores of words, shape (N, R, L), from those of rows, shape (n_rows, L).

    Of the rows, shape (S, N), the slots ``alone`` read no tag: they are alike for all R. Those
    of ``both`` have R rows a word, one for every t-1, from their slot's first row on.
    """
    (n, n_histories, _), width = words.shape, len(columns)
    flat_table, flat_words, size = table.reshape(-1), words.reshape(-1), n_histories * width
    n_block = _CELLS // max(width, 1)
    block = np.empty(n_block * width)
    for first in range(0, n, n_block):
        n_own = min(n_block, n - first)
        block[:] = 0.0
        for s in alone:
            own_rows = rows[s, first : first + n_own]
            for i in range(n_own):
                added = flat_table[np.int64(own_rows[i]) * width :]
                for y in range(width):
                    block[i * width + y] += added[y]
        for i in range(n_own):
            for r in range(n_histories):
                for y in range(width):
                    words[first + i, r, y] = block[i * width + y]
        for s in both:
            for i in range(first, first + n_own):
                row = rows[s, i] - (rows[s, i] - firsts[s]) % np.uint32(n_histories)
                added = flat_table[np.int64(row) * width :]
                own = flat_words[i * size : (i + 1) * size]
                for j in range(size):
                    own[j] += added[j]


LOWEST = -345.0  # scores this far below the best count as this: products of two stay above 0
_SMALL = 5_000  # words below which a second thread costs more than it saves


class Mixture(NamedTuple):
    """M models of a text; place K of a history is the boundary."""

    words: tuple  # of ndarray, of shape (N, 1, K - 1) or (N, K + 1, K - 1), as in ContextScores
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
