"""What the scrubber of a report holds: paths at some cut-offs, and answers about words."""

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from workbench.experiments.exploring.session import OnStep, Session, Snapshot
from workbench.scrub.answer import answer
from workbench.scrub.payload import make_payload
from workbench.scrub.view import make_view
from workbench.settings import BROKEN, FIXED, MISSPELLED, SETTINGS, STATUSES_SHOWN, Settings

OnCount = Callable[[int, int], object] | None
# Settings that a reader moves; they stand in the address after "#".
_MOVED = ("sigma2", "cutoff", "show", "pair", "word", "pin", "lecture")
_UNSAFE = re.compile("[<>&\u2028\u2029\ud800-\udfff]")


def fill_paths(
    session: Session, cutoffs: Sequence[int | None], on_point: OnCount = None,
    on_step: OnStep = None,
) -> None:  # fmt: skip
    """Fit every value of the slider's grid at some cut-offs; those known cost nothing.

    ``on_point`` is called with (fits done, fits in all), ``on_step`` with each ``Step`` of a fit.
    """
    missing = [(sigma2, cutoff) for cutoff in cutoffs for sigma2 in session.missing(cutoff)]
    for done, (sigma2, cutoff) in enumerate(missing, start=1):
        session.tuning(cutoff).at(sigma2, on_step)
        if on_point:
            on_point(done, len(missing))


def best_on_dev(session: Session, cutoff: int | None) -> float:
    """Return the sigma^2 with the fewest errors on dev, of those known; the smaller of equals."""
    known = session.tuning(cutoff).known
    return min(known, key=lambda fit: fit.wrong["dev"]).sigma2


def report_data(
    session: Session, settings: Settings, cutoffs: Sequence[int | None], n_explained: int,
    on_answer: OnCount = None,
) -> dict[str, Any]:  # fmt: skip
    """Return all that the browser module needs to be alive without Python, ready for JSON.

    Returns
    -------
    data : dict
        ``view``, as in ``make_view`` but for its payload; ``payloads``, by cut-off; ``at``, the
        settings that the page starts with, as texts; ``answers``, by position, for
        ``n_explained`` words that the settings' sigma^2 broke or fixed; ``shows``, the values
        that "show" may have.
    """
    held = {SETTINGS["cutoff"].text(cutoff): cutoff for cutoff in cutoffs}
    view = make_view(session, settings)
    answers = _answers(session, settings, n_explained, on_answer)
    view |= {"cutoffs": list(held), "cannotExplain": _refer(session, settings, answers)}
    del view["payload"]
    return {
        "view": view,
        "payloads": {
            text: make_payload(session, cutoff, settings.part) for text, cutoff in held.items()
        },
        "at": {name: SETTINGS[name].text(getattr(settings, name)) for name in _MOVED},
        "answers": answers, "shows": list(STATUSES_SHOWN),
    }  # fmt: skip


def _refer(session, settings, answers):
    """Return the message for a word, or a sentence, for which the report holds no explanation."""
    place = f"σ² = {settings.sigma2:g}, cut-off {SETTINGS['cutoff'].text(settings.cutoff)}"
    unit, units = session.unit, session.task.wording.units
    has = f"{len(answers)} of the {units} that changed at {place}" if answers else f"no {unit}"
    return (
        f"This file explains {has}. For any other, see “Repeat it” below: "
        f"the page and the notebook explain every {unit}."
    )


def _answers(session, settings, n, on_answer):
    snapshot = session.at(settings.sigma2, settings.cutoff, settings.part)
    chosen, found = _worth_explaining(snapshot)[:n], dict[int, dict]()
    for position in chosen:
        found[position] = _plain(answer(session, snapshot, position))
        if on_answer:
            on_answer(len(found), len(chosen))
    return found


def _worth_explaining(snapshot: Snapshot) -> list[int]:
    """Return the positions of words that adaptation broke, then fixed, then misspelled."""
    diff, statuses = snapshot.diff, (BROKEN, FIXED, MISSPELLED)
    rows = [diff[diff["status"] == status] for status in statuses]
    return [int(position) for own in rows for position in own["position"]]


def _plain(explained):
    """Return an answer as reports hold it: without what needs Python, numbers to four digits."""
    because = {key: value for key, value in explained["because"].items() if key != "seconds"}
    for side in ("pushed", "resisted"):  # without its number a sentence cannot be dropped
        because[side] = [
            {key: value for key, value in sentence.items() if key != "sentence"}
            for sentence in because[side]
        ]
    return _rounded(explained | {"because": because, "beside": None})  # None: cannot be asked


def _rounded(value):
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    return float(f"{value:.4g}") if isinstance(value, float) else value


def embed_json(value: Any) -> str:
    r"""Return JSON that is only data within a script element, whatever text it holds.

    >>> embed_json(["</script>", "a & b"])
    '["\\u003c/script\\u003e","a \\u0026 b"]'
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
