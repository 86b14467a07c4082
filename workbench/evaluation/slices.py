"""Errors by slice: by reference tag, place in the sentence, where a word was seen, frequency."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from workbench.evaluation.error_rates import share
from workbench.evaluation.significance import bootstrap, relative_change
from workbench.text.casing import wipe_case
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError

TAG, PLACE, SEEN, FREQUENCY = "reference tag", "place", "seen in", "frequency"
FIRST, LATER = "first of its sentence", "later in its sentence"
SEEN_IN = ("both", "background only", "domain only", "neither")
BANDS = ("0", "1–9", "10–99", "100–999", "1,000+")  # times in the background's text
_EDGES = (1, 10, 100, 1000)  # the first count of each band but the first


class Partition(NamedTuple):
    """A division of the words of a text into slices of one kind."""

    kind: str
    names: tuple[str, ...]
    slice_of: np.ndarray  # of each of the N, as a place in names; int, shape (N,)


class Slicing:
    """The slices of a text, as by frequency or by tag, and the errors of two models in each.

    Parameters
    ----------
    corpus : Corpus
        With N words.
    adaptation : Corpus, optional
        The domain's training text; without it no slice says where a word was seen.
    word_counts : mapping of str to int, optional
        How often each word, in lower case, stands in the background's text; without it there
        are no slices by frequency, and none that say where a word was seen.
    """

    def __init__(
        self, corpus: Corpus, adaptation: Corpus | None = None,
        word_counts: Mapping[str, int] | None = None,
    ):  # fmt: skip
        self.corpus = corpus
        self.partitions = [
            Partition(TAG, tuple(corpus.tag_names), corpus.tags),
            Partition(PLACE, (FIRST, LATER), np.where(corpus.is_initial, 0, 1)),
        ]
        if word_counts is not None:
            counts = np.array([word_counts.get(wipe_case(word), 0) for word in corpus.words])
            if adaptation is not None:
                self.partitions.append(_by_seen(corpus, adaptation, counts > 0))
            bands = np.searchsorted(_EDGES, counts, "right")
            self.partitions.append(Partition(FREQUENCY, BANDS, bands[corpus.word_ids]))

    def table(
        self, before: np.ndarray, after: np.ndarray, misspelled: Collection[int] = ()
    ) -> pd.DataFrame:
        """Return the figures of two models, given by their tags, in every slice that has a member.

        One row a slice: ``kind``, ``name``, and those of ``_row``. Words at the positions
        ``misspelled`` are not fixed, though their tag may be right after: see ``word_diff``.
        """
        spelled = np.ones(len(self.corpus), bool)
        spelled[list(misspelled)] = False
        rows = [
            {"kind": part.kind, "name": name}
            | self._row(part.slice_of == place, before, after, spelled)
            for part in self.partitions
            for place, name in enumerate(part.names)
            if (part.slice_of == place).any()
        ]
        return pd.DataFrame(rows)

    def _row(self, members, before, after, spelled):
        """Return the errors of two models in a slice.

        Returns
        -------
        row : dict
            ``n`` words; ``before`` and ``after``, error rates (fractions); ``change``, their
            difference; ``fixed`` and ``broken`` words; ``relative_change`` of the error (a
            fraction; nan where there was none) and its 95 % interval, ``low`` and ``high``, as in
            ``bootstrap``.

        Notes
        -----
        The interval is that of the whole text on the page, a paired bootstrap of sentences: a
        name that occurs three times in a sentence is right or wrong three times at once, which
        an interval for single words (Wilson, Newcombe) does not know.
        """
        gold = self.corpus.tags[members]
        before, after = before[members] != gold, after[members] != gold
        fixed = before & ~after & spelled[members]
        sentences = self.corpus.sentence_ids[members]
        low, high = bootstrap(before, after, sentences)
        return {
            "n": len(before), "before": share(before), "after": share(after),
            "change": share(after) - share(before),
            "fixed": int(fixed.sum()), "broken": int((after & ~before).sum()),
            "relative_change": relative_change(before, after), "low": low, "high": high,
        }  # fmt: skip

    def members(self, kind: str, name: str) -> np.ndarray:
        """Return the positions of the members of a slice; int64, shape (n,).

        Raises
        ------
        InputError
            If there is no such slice.
        """
        for part in self.partitions:
            if part.kind == kind and name in part.names:
                return np.flatnonzero(part.slice_of == part.names.index(name))
        known = ", ".join(part.kind for part in self.partitions)
        raise InputError(f"slice {kind[:40]} {name[:40]}: there is none; kinds are {known}")


def _by_seen(corpus, adaptation, in_background):
    """Return the partition by where a word was seen; ``in_background``: bool of each word."""
    used = np.unique(adaptation.word_ids).tolist()
    known = {wipe_case(adaptation.words[word]) for word in used}
    in_domain = np.array([wipe_case(word) in known for word in corpus.words])
    place = np.where(in_background, np.where(in_domain, 0, 1), np.where(in_domain, 2, 3))
    return Partition(SEEN, SEEN_IN, place[corpus.word_ids])
