"""What a model is to learn of each sentence: shares of its candidates; which of them it sees."""

import numpy as np

from workbench.features.candidates.candidate_sets import CandidateSets
from workbench.text.errors import InputError

UNIFORM, GOLD, PROPORTIONAL = TARGETS = ("uniform", "gold", "proportional")
GIVEN, DEPENDENCY = QUALITIES = ("given", "dependency")  # first column; words right


def target_shares(sets: CandidateSets, target: str = UNIFORM) -> np.ndarray:
    """Return the share of each candidate in what is to be learnt, 1 for a sentence; shape (C,).

    Parameters
    ----------
    target : {"uniform", "gold", "proportional"}
        The candidates of best quality, alike; the first of them alone; or all candidates in
        proportion to their quality. Where no quality is above 0 all candidates are alike.

    Raises
    ------
    InputError
        If there is no such target, or shares would be proportional to a quality below 0.

    Source
    ------
    Plank & van Noord (2008), section 3: p~(omega | s) by quality, after Osborne (2000).
    """
    if target not in TARGETS:
        raise InputError(f"target {target!r}: known are {', '.join(TARGETS)}")
    starts = sets.sentence_starts[:-1]
    if target == PROPORTIONAL:
        if (lowest := sets.quality.min()) < 0:
            raise InputError(
                f"{sets.name}: quality {lowest:g}; target proportional needs 0 or more"
            )
        share = np.where(np.add.reduceat(sets.quality, starts)[sets.sentence_ids] > 0,
                         sets.quality, 1.0)  # fmt: skip
    else:
        share = sets.is_best.astype(float)
    if target == GOLD:
        earlier = np.cumsum(share) - share
        share *= earlier == earlier[starts][sets.sentence_ids]
    return share / np.add.reduceat(share, starts)[sets.sentence_ids]


def sample_informative(sets: CandidateSets, n: int) -> CandidateSets:
    """Return the sets with at most n candidates a sentence, of all qualities.

    The range of a sentence's qualities is divided into n bins of equal width; of each bin that
    is not empty the first candidate is kept, the best bin's being one of the best; where
    bins are empty the first of the others fill up.

    Source
    ------
    Osborne (2000), informative samples, as Plank & van Noord (2008) use them; the bins are ours.

    Raises
    ------
    InputError
        If n is not 2 or more.
    """
    if n < 2:
        raise InputError(f"candidates a sentence {n}: 2 or more are allowed")
    ids, starts = sets.sentence_ids, sets.sentence_starts
    worst = np.minimum.reduceat(sets.quality, starts[:-1])[ids]
    span = sets.best_quality[ids] - worst
    away = np.divide(sets.best_quality[ids] - sets.quality, span, where=span > 0, out=0 * span)
    # The best have a bin of their own, so that what is kept holds one of them.
    bins = np.minimum((away * (n - 1)).astype(np.int64) + (away > 0), n - 1)
    _, first = np.unique(ids * n + bins, return_index=True)
    is_first = np.zeros(len(ids), bool)
    is_first[first] = True
    # Firsts of bins come before all others of their sentence; the sort is stable.
    order = np.argsort(2 * ids + ~is_first, kind="stable")
    kept = np.zeros(len(ids), bool)
    kept[order] = np.arange(len(ids)) - starts[ids] < n
    return sets.keep(kept)
