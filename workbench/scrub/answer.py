"""The panel of a word: the weights behind its tag, along sigma^2, and the sentences behind them."""

from typing import Any

from workbench.experiments.session import Session, Snapshot
from workbench.settings import SETTINGS
from workbench.text.characters import spaces_before
from workbench.text.corpus import Corpus


def answer(
    session: Session, snapshot: Snapshot, position: int, text: Corpus | None = None
) -> dict[str, Any]:
    """Return ``why``, ``path``, ``because`` and ``leftOut`` of a word, ready for JSON.

    The word is one of the snapshot's text, or of any ``text`` without a reference. ``path`` is
    that of ``path_of``, ``leftOut`` that of ``Session.left_out``; the words of sentences have the
    space that stands before each.
    """
    where = (snapshot, position, *((text,) if text else ()))
    sentences, dropped = session.because(*where), session.left_out(*where)
    for sentence in (
        *sentences["pushed"], *sentences["resisted"], *(dropped["sentences"] if dropped else ())
    ):  # fmt: skip
        words = sentence["words"]
        gaps = spaces_before(words)
        sentence["words"] = [" " * gap + word for gap, word in zip(gaps, words, strict=True)]
    return {
        "why": session.why(*where), "path": path_of(session, *where),
        "because": sentences, "leftOut": dropped,
    }  # fmt: skip


def path_of(
    session: Session, snapshot: Snapshot, position: int, *text: Corpus
) -> dict[str, Any] | None:
    """Return ``path`` of a word, as far as fits are known, with the values of sigma^2 as texts.

    None on the test text: to look along it would be a choice on the test text.
    """
    if snapshot.part == "test":
        return None
    curve = session.path(snapshot.point["cutoff"], snapshot.part, position, *text)
    return curve | {"sigma2s": [SETTINGS["sigma2"].text(value) for value in curve["sigma2s"]]}
