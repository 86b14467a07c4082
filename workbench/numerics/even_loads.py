"""Items divided among owners so that their loads are in proportion to their shares."""

import numpy as np

from workbench.numerics.jit import jit


@jit
def deal_in_order(
    sizes: np.ndarray, order: np.ndarray, shares: np.ndarray, owners: np.ndarray
) -> None:
    """Fill in the owner of each item: the one whose load, divided by its share, is then the least.

    Parameters
    ----------
    sizes : ndarray of int, shape (N,)
    order : ndarray of int
        The things that are dealt, the largest first.
    shares : ndarray of float64, shape (owners,)
    owners : ndarray of int, shape (N,)
        Filled at the places of the things dealt.

    Source
    ------
    Graham (1969), *Bounds on multiprocessing timing anomalies*: the longest first.
    """
    loads = np.zeros(len(shares))
    for thing in order:
        after = (loads + sizes[thing]) / shares
        owner = np.argmin(after)
        loads[owner] += sizes[thing]
        owners[thing] = owner
