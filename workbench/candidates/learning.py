"""What a model of candidate sets learns of each sentence: shares of its candidates, of a sample."""

from collections.abc import Mapping
from typing import Any, NamedTuple, Self

import numpy as np

from workbench.candidates.likelihood import CandidateLikelihood, RelativeValues
from workbench.candidates.sets import CandidateSets
from workbench.models.files import require
from workbench.text.errors import InputError, require_kind

# How a model is trained unless said otherwise; candidates share most of their features.
DEFAULTS: dict[str, Any] = {"cutoff": 0, "sigma2": 0.1}
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


class Learning(NamedTuple):
    """What is learnt of each sentence.

    Parameters
    ----------
    target : {"uniform", "gold", "proportional"}
        The candidates that are to be probable, as in ``target_shares``.
    reference : str, optional
        Name of the feature that is log q0: its weight is 1 and not learnt.
    most_candidates : int, optional
        The most candidates of a sentence to learn from, as in ``sample_informative``.
    quality : {"given", "dependency"}
        What makes a candidate the best: the sets' own quality, or as in ``by_dependencies``.

    Source
    ------
    Plank & van Noord (2008), section 3; "dependency" is their concept accuracy.
    """

    target: str = UNIFORM
    reference: str | None = None
    most_candidates: int | None = None
    quality: str = GIVEN

    def judge(self, sets: CandidateSets) -> CandidateSets:
        """Return sets with the quality that is learnt; InputError if they do not have it."""
        require_kind(sets, CandidateSets, ", which read_candidates makes,")
        return sets.by_dependencies() if self.quality == DEPENDENCY else sets

    def sample(self, sets: CandidateSets) -> CandidateSets:
        """Return the candidates that are learnt from, with the quality that is learnt."""
        judged, most = self.judge(sets), self.most_candidates
        return judged if most is None else sample_informative(judged, most)

    def likelihood(self, sets: CandidateSets, values: RelativeValues) -> CandidateLikelihood:
        """Return the log-likelihood of a sample, with its values, for what is to be learnt."""
        offsets = np.zeros(len(sets))
        if self.reference:
            if self.reference not in sets.feature_names:
                raise InputError(f"{sets.name}: no feature {self.reference!r}, which is to be q0")
            offsets = sets.value_of(self.reference)
        return CandidateLikelihood(values, sets, target_shares(sets, self.target), offsets)

    def changes(self) -> dict[str, Any]:
        """Return the values, by name, that are not the defaults."""
        usual = BEST_ALIKE._asdict()
        return {name: value for name, value in self._asdict().items() if value != usual[name]}

    @classmethod
    def read(cls, said: Mapping[str, Any]) -> Self:
        """Return what a model file says; InputError if that cannot be."""
        learning = cls(**said)
        is_text = learning.reference is None or isinstance(learning.reference, str)
        most = learning.most_candidates
        is_number = most is None or (type(most) is int and most >= 2)
        is_known = learning.target in TARGETS and learning.quality in QUALITIES
        require(is_known and is_text and is_number, "another target")
        return learning


BEST_ALIKE = Learning()  # the candidates of best quality, alike


def name_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options of ``CandidateModel.fit`` to display, with the entries of ``learning``."""
    others = {name: value for name, value in options.items() if name != "learning"}
    return others | options.get("learning", BEST_ALIKE).changes()
