"""The panel of a word: the weights behind its tag, along sigma^2, and the sentences behind them."""

from typing import Any

from workbench.experiments.confidence import tried_corpus
from workbench.experiments.session import Session, Snapshot
from workbench.experiments.why import reasons_in
from workbench.settings import SETTINGS
from workbench.text.characters import spaces_before


def answer(session: Session, snapshot: Snapshot, position: int) -> dict[str, Any]:
    """Return ``why``, ``path``, ``because`` and ``leftOut`` of a word, ready for JSON.

    ``path`` is that of ``path_of``, ``leftOut`` that of ``Session.left_out``; the words of
    sentences have the space that stands before each.
    """
    sentences, dropped = session.because(snapshot, position), session.left_out(snapshot, position)
    _space(*sentences["pushed"], *sentences["resisted"], *(dropped["sentences"] if dropped else ()))
    return {
        "why": session.why(snapshot, position), "path": path_of(session, snapshot, position),
        "because": sentences, "leftOut": dropped,
    }  # fmt: skip


def answer_typed(session: Session, snapshot: Snapshot, text: str, place: int) -> dict[str, Any]:
    """Return the ``answer`` about a word of a text that was typed; no sentence can be dropped."""
    found = reasons_in(session, snapshot, tried_corpus(snapshot, text), place)
    sentences = [*found["because"]["pushed"], *found["because"]["resisted"]]
    _space(*sentences)
    for sentence in sentences:
        del sentence["sentence"]  # its number, by which the page drops it
    return found | {"path": None, "leftOut": None}


def _space(*sentences):
    """Give the words of sentences the space that stands before each."""
    for sentence in sentences:
        words = sentence["words"]
        gaps = spaces_before(words)
        sentence["words"] = [" " * gap + word for gap, word in zip(gaps, words, strict=True)]


def path_of(session: Session, snapshot: Snapshot, position: int) -> dict[str, Any] | None:
    """Return ``path`` of a word, as far as fits are known, with the values of sigma^2 as texts.

    None on the test text: to look along it would be a choice on the test text.
    """
    if snapshot.part == "test":
        return None
    curve = session.path(snapshot.point["cutoff"], snapshot.part, position)
    return curve | {"sigma2s": [SETTINGS["sigma2"].text(value) for value in curve["sigma2s"]]}
