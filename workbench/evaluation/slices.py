"""Errors by slice: by reference tag, place, where a word was seen, frequency, or a pattern."""

from collections.abc import Collection, Mapping
from fnmatch import fnmatchcase
from typing import NamedTuple

import numpy as np
import pandas as pd

from workbench.evaluation.error_rates import share
from workbench.evaluation.number_words import change_in_words
from workbench.evaluation.significance import bootstrap, relative_change
from workbench.text.casing import wipe_case
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError

TAG, PLACE, SEEN, FREQUENCY = "reference tag", "place", "seen in", "frequency"
LIKE = "words like"
FIRST, LATER = "first of its sentence", "later in its sentence"
SEEN_IN = ("both", "background only", "domain only", "neither")
READ_IN = ("the domain", "not the domain")  # where the background's text is not known
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
        are no slices by frequency, and a word was seen in the adaptation text or not.

    Notes
    -----
    A slice of the kind "words like" has a pattern for a name, or several with commas between them,
    as in "un*, *-*": its members match one of them as they are written, see ``fnmatch``. After
    " & " may stand another slice, as in "un* & reference tag: CAP": then they are in both.
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
        elif adaptation is not None:
            is_unread = ~_reads(adaptation, corpus)[corpus.word_ids]
            self.partitions.append(Partition(SEEN, READ_IN, is_unread.astype(int)))

    def table(
        self, before: np.ndarray, after: np.ndarray, misspelled: Collection[int] = (),
        like: str = "",
    ) -> pd.DataFrame:  # fmt: skip
        """Return the figures of two models, given by their tags, in every slice that has a member.

        One row a slice: ``kind``, ``name``, and those of ``_row``. Words at the positions
        ``misspelled`` are not fixed, though their tag may be right after: see ``word_diff``. With
        a pattern ``like`` the first row is that of the words that match it, and the others have of
        their slices these words alone.
        """
        spelled = np.ones(len(self.corpus), bool)
        spelled[list(misspelled)] = False
        slices = [
            (part.kind, name, part.slice_of == place)
            for part in self.partitions
            for place, name in enumerate(part.names)
        ]
        if like:
            within = self._is_like(like)
            slices = [(kind, name, members & within) for kind, name, members in slices]
            slices = [(LIKE, like, within), *slices]
        rows = [
            {"kind": kind, "name": name} | self._row(members, before, after, spelled)
            for kind, name, members in slices
            if members.any()
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
        if kind == LIKE:
            pattern, _, other = name.partition(" & ")
            found = np.flatnonzero(self._is_like(pattern))
            other_kind, _, other_name = other.partition(": ")
            return np.intersect1d(found, self.members(other_kind, other_name)) if other else found
        for part in self.partitions:
            if part.kind == kind and name in part.names:
                return np.flatnonzero(part.slice_of == part.names.index(name))
        known = ", ".join([*(part.kind for part in self.partitions), LIKE])
        asked, how = f"{kind}: {name}" if name else kind, "“kind: name”, of the kinds"
        raise InputError(f"slice={asked[:60]}: there is none; a slice is {how} {known}")

    def _is_like(self, patterns):
        """Return which words, as written, match one of some patterns; bool, shape (N,)."""
        wanted = [pattern.strip() for pattern in patterns.split(",")]
        forms = self.corpus.forms
        found = [any(fnmatchcase(form, pattern) for pattern in wanted) for form in forms]
        return np.array(found, bool)[self.corpus.form_ids]


def _reads(adaptation, corpus):
    """Return which words of a corpus's vocabulary stand in the adaptation text; bool of each."""
    used = np.unique(adaptation.word_ids).tolist()
    known = {wipe_case(adaptation.words[word]) for word in used}
    return np.array([wipe_case(word) in known for word in corpus.words])


def _by_seen(corpus, adaptation, in_background):
    """Return the partition by where a word was seen; ``in_background``: bool of each word."""
    in_domain = _reads(adaptation, corpus)
    place = np.where(in_background, np.where(in_domain, 0, 1), np.where(in_domain, 2, 3))
    return Partition(SEEN, SEEN_IN, place[corpus.word_ids])


def tell_clear(table: pd.DataFrame) -> str:
    """Return in how many slices of a table errors clearly fell, and in which they clearly rose.

    A change is clear where its 95 % interval does not hold 0; not corrected for their number.
    """
    n_fewer, is_more = int((table["high"] < 0).sum()), table["low"] > 0
    more = table.loc[is_more, ["kind", "name", "relative_change"]].values
    named = [f"\u201c{kind}: {name}\u201d ({change_in_words(by)})" for kind, name, by in more]
    says = ", ".join(named) or "none"
    return f"Clearly fewer errors in {n_fewer} of {len(table)} slices, more in {says}."
