"""P(tag of a word | W) of an MEMM: the recursion with sums."""

import numpy as np

from workbench.inference.memm.mixture import Mixture, Spans, run_over_sentences
from workbench.inference.memm.recursion import advance, count_abreast
from workbench.numerics.jit import jit


def marginals(mixture: Mixture, starts: np.ndarray) -> np.ndarray:
    """Return P(tag of word i | W), shape (N, K): an exact sum over the tags before it.

    What follows word i does not matter: an MEMM is normalized word by word. ``starts`` are
    those of the sentences, and the end of the last.
    """
    found = np.empty((starts[-1], mixture.histories.shape[-1]))
    run_over_sentences(lambda spans: _fill_marginals(mixture, spans, found), starts)
    return found


@jit
def _fill_marginals(mixture: Mixture, spans: Spans, found: np.ndarray) -> None:
    """Fill in the marginals of some sentences, shape (N, K)."""
    (starts, lengths), first, base = spans, 0, mixture.histories.shape[1]
    while first < len(starts):
        n = count_abreast(lengths, first, base * base)
        places, ends = starts[first : first + n], lengths[first : first + n]
        before, after = np.ones((base, base, 1, n)), np.empty((base, base, 1, n))
        for i in range(ends[0]):
            while ends[n - 1] == i:
                n -= 1
            advance(mixture, places[:n] + i, i, before, after, 0)
            before, after = after, before
            for s in range(n):
                for y in range(found.shape[1]):
                    found[places[s] + i, y] = before[y, :, 0, s].sum()
        first += len(places)
