"""Quality by slice of candidate sets: by the first candidate, how many, length and document."""

from collections import Counter
from itertools import pairwise

import numpy as np

from workbench.evaluation.candidates.selection_report import ratio_interval
from workbench.evaluation.slices import Partition, Slices
from workbench.features.candidates.candidate_sets import CandidateSets, Terms

FIRST, CANDIDATES, LENGTH, DOCUMENT = "first-best", "candidates", "words", "document"
IS_BEST, IS_NOT_BEST = "is best", "is not best"
_SIZES, _LENGTHS = (2, 6, 11, 21, 51), (6, 11, 21, 41)  # the first number of each band but one
_MOST_DOCUMENTS = 12  # that have a slice each, the largest
OTHERS = "all others"


class SelectionSlicing(Slices):
    """The slices of the S sentences of candidate sets; they do not depend on a model.

    Lengths are known where the words are, or their number; documents where they are named.
    """

    def __init__(self, sets: CandidateSets):
        self.sets = sets
        first = sets.is_best[sets.sentence_starts[:-1]]
        self.partitions = [
            Partition(FIRST, (IS_BEST, IS_NOT_BEST), np.where(first, 0, 1)),
            _by_bands(CANDIDATES, np.diff(sets.sentence_starts), _SIZES),
        ]
        if (lengths := _lengths(sets)) is not None:
            self.partitions.append(_by_bands(LENGTH, lengths, _LENGTHS))
        if sets.documents:
            self.partitions.append(_by_document(sets.documents))
        known = {part.kind for part in self.partitions}
        self.unknown = tuple(kind for kind in (LENGTH, DOCUMENT) if kind not in known)

    def _row(self, members, before, after):
        """Return the quality of two models in a slice.

        Returns
        -------
        row : dict
            ``n`` sentences; ``before`` and ``after``, qualities (fractions); ``change``, their
            difference, and its 95 % interval, ``low`` and ``high``, as in ``ratio_interval``;
            ``fixed`` and ``broken``, sentences with a better and with a worse choice.
        """
        pair = [_restrict(self.sets.quality_terms.take(own), members) for own in (before, after)]
        old, new = (terms.total() for terms in pair)
        gain = (self.sets.quality[after] - self.sets.quality[before])[members]
        low, high = ratio_interval(*pair)
        return {
            "n": int(members.sum()), "before": old, "after": new, "change": new - old,
            "low": low, "high": high, "fixed": int((gain > 0).sum()),
            "broken": int((gain < 0).sum()),
        }  # fmt: skip


def _restrict(terms, members):
    """Return the terms of a quality with 0 for all sentences outside of a slice."""
    return Terms(terms.above * members, terms.below * members)


def _lengths(sets):
    """Return the number of words of each sentence; None where it is not known."""
    if "words" in sets.counts:  # of every candidate, and the same
        return sets.counts["words"][sets.sentence_starts[:-1]]
    return np.array([len(text.split()) for text in sets.sentences]) if sets.sentences else None


def _by_bands(kind, numbers, edges):
    """Return the partition by bands of a number: below the first edge, from it on, and so on."""
    ends = [1, *edges]
    names = [str(low) if high - low == 1 else f"{low}–{high - 1}" for low, high in pairwise(ends)]
    return Partition(kind, (*names, f"{ends[-1]}+"), np.searchsorted(edges, numbers, "right"))


def _by_document(documents):
    """Return the partition by document, the largest first; the small ones of many are one."""
    largest = [name for name, _ in Counter(documents).most_common()]
    names = largest
    if len(largest) > _MOST_DOCUMENTS:
        names = [*largest[: _MOST_DOCUMENTS - 1], OTHERS]
    place = {name: min(i, len(names) - 1) for i, name in enumerate(largest)}
    return Partition(DOCUMENT, tuple(names), np.array([place[name] for name in documents]))
