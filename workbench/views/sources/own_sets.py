"""Texts and candidate sets of the visitor's own, listed as data sets: kept in memory alone."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import streamlit as st

from workbench.settings import SETTINGS
from workbench.text.lint import Finding
from workbench.text.tasks import TaskName

MOST = 5  # sets of one visitor
LEAST_OF_BACKGROUND = 2_000  # words
LEAST_SENTENCES = 50  # of candidate sets, to train a background on
_MARK = " (yours)"
_SETS = "own sets"


class OwnSet(NamedTuple):
    """A text of the visitor's, divided, and what may be wrong with it."""

    corpora: Mapping[str, Any]  # train, dev and test: corpora or candidate sets
    findings: Sequence[Finding]
    text: str = ""  # as it was read, if lines of it can be left out

    @property
    def task(self) -> TaskName:
        """What its words are labelled with."""
        return self.corpora["train"].task

    @property
    def size(self) -> str:
        """How many words, or sentences with candidates, all parts have, in words."""
        if self.task is TaskName.CANDIDATES:
            return f"{sum(sets.n_sentences for sets in self.corpora.values()):,} sentences"
        return f"{self.n_words:,} words"

    @property
    def can_be_background(self) -> bool:
        """Whether it is long enough to train a background on."""
        if self.task is TaskName.CANDIDATES:
            return self.corpora["train"].n_sentences >= LEAST_SENTENCES
        return self.n_words >= LEAST_OF_BACKGROUND

    @property
    def n_words(self) -> int:
        """Number of words of all parts; of candidate sets, of candidates."""
        return sum(map(len, self.corpora.values()))

    @property
    def fingerprint(self) -> str:
        """What identifies the content of its parts."""
        return " ".join(self.corpora[part].fingerprint for part in sorted(self.corpora))


def _sets() -> dict[str, OwnSet]:
    return st.session_state.setdefault(_SETS, {})


def add(name: str, made: OwnSet) -> tuple[str, str]:
    """Keep a set under a name with a mark; returns that, and the oldest's if it had to go, or "".

    A set of the same name gives way to it.
    """
    sets, name = _sets(), marked(name)
    sets.pop(name, None)
    sets[name] = made
    gone = next(iter(sets)) if len(sets) > MOST else ""
    sets.pop(gone, None)
    return name, gone


def marked(name: str) -> str:
    """Return what a set of some name is listed as."""
    return f"{name}{_MARK}"


def remove(name: str) -> None:
    """Forget a set."""
    _sets().pop(name, None)


def find(name: str) -> OwnSet | None:
    """Return the visitor's set of a name; None if there is none."""
    return _sets().get(name)


def all_sets() -> Mapping[str, OwnSet]:
    """Return the visitor's sets by name, the oldest first."""
    return dict(_sets())


def domains(task: TaskName | None = None) -> tuple[str, ...]:
    """Return the names of the sets that can be a domain, of one task or of all, oldest first."""
    return tuple(name for name in _names(task) if "dev" in _sets()[name].corpora)


def _names(task):
    return [name for name, own in _sets().items() if task in (None, own.task)]


def files() -> dict[str, str]:
    """Return the names of the files that the sets were, by the names of the sets."""
    return {name: name.removesuffix(_MARK) for name in _sets()}


def backgrounds(task: TaskName | None = None) -> tuple[str, ...]:
    """Return the names of the sets that are long enough to be a background."""
    return tuple(n for n in _names(task) if _sets()[n].can_be_background)


def explain_link(query: Mapping[str, str], messages: Sequence[str]) -> list[str]:
    """Return the messages about a link, with a reason where it names a set of another visitor."""
    told = {
        name: f"{name}={query[name][:40]}: it was uploaded in another visit and is not here "
        f"now; upload it again under “Your own text”; {SETTINGS[name].default} is used instead"
        for name in ("background", "domain")
        if query.get(name, "").endswith(_MARK)
    }
    return [told.get(message.partition("=")[0], message) for message in messages]
