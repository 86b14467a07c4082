"""The panel of a word: the weights behind its tag, along sigma^2, and the sentences behind them."""

from collections.abc import Callable
from typing import Any, NamedTuple

from workbench.experiments.exploring.candidates.why_chosen import (
    choice_path,
    chosen_because,
    why_chosen,
)
from workbench.experiments.session import Session, Snapshot
from workbench.experiments.why import because, path, side_by_side, why
from workbench.models.crf import CRF
from workbench.settings import SETTINGS
from workbench.text.characters import spaces_before


class _Reasons(NamedTuple):
    """What explains a decision of the models of some task."""

    why: Callable[[Session, Snapshot, int], dict]
    path: Callable[[Session, int | None, str, int], dict]
    because: Callable[[Session, Snapshot, int], dict]


# By what a decision is about: ``Session.unit``.
_REASONS = {
    "word": _Reasons(why, path, because),
    "sentence": _Reasons(why_chosen, choice_path, chosen_because),
}


def answer(session: Session, snapshot: Snapshot, position: int) -> dict[str, Any]:
    """Return ``why``, ``path`` and ``because`` of a word of a snapshot's text, ready for JSON.

    Of candidate sets the position is the number of a sentence, and the answer is about a choice.

    ``path`` is that of ``path_of``; the words of sentences have the space that stands before
    each.
    """
    reasons = _REASONS[session.unit]
    sentences = reasons.because(session, snapshot, position)
    for sentence in (*sentences["pushed"], *sentences["resisted"]):
        words = sentence["words"]
        gaps = spaces_before(words)
        sentence["words"] = [" " * gap + word for gap, word in zip(gaps, words, strict=True)]
    curve = path_of(session, snapshot, position)
    reason = reasons.why(session, snapshot, position)
    return {"why": reason, "path": curve, "because": sentences}


def path_of(session: Session, snapshot: Snapshot, position: int) -> dict[str, Any] | None:
    """Return ``path`` of a word, as far as fits are known, with the values of sigma^2 as texts.

    None on the test text: to look along it would be a choice on the test text.
    """
    if snapshot.part == "test":
        return None
    curve = _REASONS[session.unit].path(session, snapshot.point["cutoff"], snapshot.part, position)
    return curve | {"sigma2s": [SETTINGS["sigma2"].text(value) for value in curve["sigma2s"]]}


def compare_kinds(session: Session, snapshot: Snapshot, other: Snapshot, position: int) -> list:
    """Return what an adapted MEMM and an adapted CRF make of a word's sentence, a row a word.

    ``other`` is a snapshot with the other kind of model. Each row has the word, whether it
    is the one asked about, and texts and probabilities by heading.
    """
    models = snapshot.tuned.model, other.tuned.model
    memm, crf = reversed(models) if isinstance(models[0], CRF) else models
    rows = side_by_side(memm, crf, session.corpora[snapshot.part], position)
    return [
        {
            "word": row["word"], "here": row["position"] == position,
            "MEMM": row["memm"], "p given the tags before": row["memm_local"][row["memm"]],
            "p given the sentence": row["memm_marginal"][row["memm"]],
            "CRF": row["crf"], "p given the sentence, CRF": row["crf_marginal"][row["crf"]],
        }
        for row in rows
    ]  # fmt: skip
