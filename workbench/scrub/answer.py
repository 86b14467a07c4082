"""The panel of a word: the weights behind its tag, along sigma^2, and the sentences behind them."""

from collections.abc import Mapping
from typing import Any

from workbench.experiments.session import Session, Snapshot
from workbench.settings import SETTINGS
from workbench.text.characters import spaced
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
    why = session.why(*where)
    sentences, dropped = session.because(*where), session.left_out(*where)
    for sentence in (
        why["before"], why["after"], *sentences["pushed"], *sentences["resisted"],
        *((*dropped["sentences"], dropped["before"], dropped["after"]) if dropped else ()),
    ):  # fmt: skip
        sentence["words"] = spaced(sentence.get("words", []))  # a choice of a candidate has none
    path = path_of(session, snapshot, why, *where[2:])
    return {"why": why, "path": path, "because": sentences, "leftOut": dropped}


def path_of(
    session: Session, snapshot: Snapshot, why: Mapping[str, Any], *text: Corpus
) -> dict[str, Any] | None:
    """Return ``path`` of a word, as far as fits are known, with the values of sigma^2 as texts.

    ``gaps`` of it are the rows of the gap in ``why`` along sigma^2. None on the test text: to look
    along it would be a choice on the test text.
    """
    if snapshot.part == "test":
        return None
    curve = session.path(snapshot.point["cutoff"], snapshot.part, why["position"], *text)
    sigma2s = [SETTINGS["sigma2"].text(value) for value in curve["sigma2s"]]
    return curve | {"sigma2s": sigma2s, "gaps": session.gap_along(snapshot, why["gap"])}
