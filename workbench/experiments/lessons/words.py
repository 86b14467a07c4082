"""Figures of words: a sentence that is written right, a fixed word, and a broken one."""

from functools import cached_property

import numpy as np
import pandas as pd

from workbench.evaluation.number_words import probability_in_words, signed
from workbench.experiments.lessons.answers import rank
from workbench.experiments.lessons.fits import CUTOFF, FigureGroup
from workbench.experiments.session import Snapshot
from workbench.experiments.why import why
from workbench.features.templates import find_templates
from workbench.settings import BROKEN, FIXED, SIGMA2_GRID, SIGMA2_START
from workbench.text.casing import Tag, wipe_case
from workbench.text.characters import join_words

HARDLY = 0.05  # a fall of a probability that is hardly one
_SHORT = range(5, 15)  # words of a sentence that is shown
_READ_ONE, _UNREAD_ONE = "Look at one that is in it", "Look at one that is not in it"
_OF_FIXED = ("fixed_p", "fixed_answer", "fixed_tight", "fixed_p_tight")
_OF_BROKEN = (
    "broken_n", "broken_n_after", "broken_n_gold", "broken_answer",
    "broken_by_itself", "broken_by_letters", "broken_by_others", "broken_answer_by",
    "broken_most", "broken_intro",
)  # fmt: skip


class SampleFigures(FigureGroup):
    """A sentence that the adapted model writes right, without its capitals and with them.

    Of the short ones, the one with most capitals among those in which adaptation fixed words;
    among all if it fixed none in them. Empty texts where there is no such sentence.
    """

    @cached_property
    def figures(self) -> dict[str, str]:
        """The figures by name, as texts."""
        dev, diff = self.session.corpora["dev"], self.session.at(SIGMA2_START, CUTOFF).diff
        own = dev.sentence_ids[diff["position"]]
        is_fixed = (diff["status"] == FIXED).to_numpy()
        fixed = np.bincount(own[is_fixed], minlength=dev.n_sentences)
        n_wrong = np.bincount(own[~is_fixed], minlength=dev.n_sentences)
        is_short = np.isin(np.diff(dev.starts), _SHORT)
        raised = np.bincount(dev.sentence_ids, ~np.isin(dev.tags, (Tag.LOC, Tag.PNC)))
        shown = np.flatnonzero(is_short & (n_wrong == 0) & (raised > 1))
        if not shown.size:
            return {"sample": "", "sample_lower": ""}
        place = max(shown, key=lambda i: (fixed[i] > 0, raised[i]))
        text = join_words(dev.sentence(place)).rstrip(".")
        return {"sample": text, "sample_lower": wipe_case(text)}


class WordFigures(FigureGroup):
    """The surest fixed word and the first broken one at the best sigma^2; empty without one.

    Only words that a reader sees change count. The fixed word is fixed at sigma^2 = 1, too, and
    has gained a capital if any has.
    """

    @cached_property
    def surest(self) -> pd.DataFrame:
        """The rows of the fixed words: those that gained a capital first, then by how sure."""
        snapshot, start = (
            self.session.at(sigma2, CUTOFF) for sigma2 in (self.fits.best, SIGMA2_START)
        )
        found = seen(snapshot.diff, FIXED)
        fixes = found[found["position"].isin(seen(start.diff, FIXED)["position"])]
        fixes = fixes.assign(p=snapshot.tuned.confidence["dev"][fixes["position"]])
        fixes["is_raised"] = fixes["after"] != fixes["word"]
        return fixes.sort_values(["is_raised", "p"], ascending=False, kind="stable")

    @cached_property
    def figures(self) -> dict[str, str]:
        """The figures by name, as texts."""
        snapshot, start = (
            self.session.at(sigma2, CUTOFF) for sigma2 in (self.fits.best, SIGMA2_START)
        )
        fixed, found = _first(self.surest), seen(snapshot.diff, BROKEN)
        broken = _first(found[self.fits.is_read(found["word"])]) or _first(found)
        return {
            **of_word("fixed", fixed), **of_word("broken", broken),
            **self._of_fixed(start, fixed), **self._of_broken(snapshot, broken),
        }  # fmt: skip

    def _of_fixed(self, start: Snapshot, row: dict | None) -> dict[str, str]:
        """Return how sure of a fixed word the model is at sigma^2 = 1, and what it is at 0.01."""
        if row is None:
            return dict.fromkeys(_OF_FIXED, "")
        tight = self.session.at(min(SIGMA2_GRID), CUTOFF)
        before, after = (
            why(self.session, each, row["position"])["after"] for each in (start, tight)
        )
        less = rank(before["p"] - after["p"], (HARDLY,))
        answer = less if after["tag"] == before["tag"] else "3"
        values = sure(before["p"]), answer, after["form"], sure(after["p"])
        return dict(zip(_OF_FIXED, values, strict=True))

    def _of_broken(self, snapshot: Snapshot, row: dict | None) -> dict[str, str]:
        """Return how the adaptation text writes a broken word, and which votes broke it."""
        if row is None:
            return dict.fromkeys(_OF_BROKEN, "")
        times = self._times_by_tag(row["word"])
        as_given, as_reference = times.get(row["tag_after"], 0), times.get(row["gold_tag"], 0)
        answer = "3" if as_given == as_reference else "1" if as_given > as_reference else "2"
        gap = why(self.session, snapshot, row["position"])["gap"]
        moved = np.zeros(3)  # by the word itself, by its letters, by what stands around it
        most = (0.0, "")
        for each in gap["rows"]:
            change = each["adapted"] - each["background"]
            moved[_kind_of(each["predicate"])] += change
            most = max(most, (change, each["words"]))
        values = (
            *map(str, (sum(times.values()), as_given, as_reference, answer)),
            *map(signed, moved), str(1 + int(moved.argmax())),
            f"{most[1]}, {most[0]:+.2f}", _READ_ONE if sum(times.values()) else _UNREAD_ONE,
        )  # fmt: skip
        return dict(zip(_OF_BROKEN, values, strict=True))

    def _times_by_tag(self, word: str) -> dict[str, int]:
        """Return how often the adaptation text gives a word each tag."""
        train = self.session.corpora["train"]
        tags = train.tags[np.array(train.words, object)[train.word_ids] == word]
        counts = np.bincount(tags, minlength=len(train.tag_names)).tolist()
        return dict(zip(train.tag_names, counts, strict=True))


def seen(diff: pd.DataFrame, status: str) -> pd.DataFrame:
    """Return the words of a status whose change a reader sees: the words themselves differ."""
    letters = diff["word"].str.contains(r"[^\W\d_]{2}", regex=True)
    return diff[(diff["status"] == status) & (diff["before"] != diff["after"]) & letters]


def of_word(name: str, row: dict | None) -> dict[str, str]:
    """Return a word of a diff as the models and the reference write it, and its link."""
    if row is None:
        return {f"{name}_{key}": "" for key in ("before", "after", "gold", "link")}
    link = f"{row['word']} · {row['position']}"
    return {f"{name}_link": link} | {
        f"{name}_{key}": row[key] for key in ("before", "after", "gold")
    }


def sure(p: float) -> str:
    """Return a probability as the panel of reasons says it; no line breaks before its sign."""
    return probability_in_words(p).replace(" %", "\u00a0%")


def _first(rows: pd.DataFrame) -> dict | None:
    return None if rows.empty else rows.iloc[0].to_dict()


def _kind_of(predicate: str) -> int:
    """Return what a predicate reads: 0 the word itself, 1 its letters, 2 what is around it."""
    name, _, _ = predicate.partition("=")
    (template,) = find_templates(name)
    is_of_word = template.offsets == (0,) and template.n_tags == 0
    return 0 if name == "currentword" else 1 if is_of_word else 2
