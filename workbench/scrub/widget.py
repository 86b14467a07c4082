"""The scrubber in a notebook: the same browser module, its settings synced with Python."""

import json
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from workbench.experiments.session import Session
from workbench.experiments.surface import fill_paths
from workbench.scrub.answer import answer
from workbench.scrub.bundle import script, sheet
from workbench.scrub.view import find_word, make_view, parse_pins
from workbench.settings import SETTINGS, Settings
from workbench.text.errors import InputError

_STYLE = Path(__file__).with_name("widget.css")
_SYNCED = ("sigma2", "cutoff", "show", "pair", "word", "pin", "lecture")


def scrub(session: Session, **settings: Any) -> Any:
    """Return a notebook's widget with the slider of a session, its curve, errors and words.

    Parameters
    ----------
    settings
        ``sigma2``, ``cutoff``, ``part``, ``show``, ``word`` and others of ``Settings``: where
        the sliders stand and what is shown at first.

    Returns
    -------
    widget : anywidget.AnyWidget
        ``sigma2``, a float; ``cutoff``, an int or None; ``show``, ``pair``, ``word``, ``pin``
        and ``lecture``, texts as in a link; ``dropped``, numbers of sentences of the adaptation
        text that are left out. They follow what is done in the browser, which follows them.

    Raises
    ------
    InputError
        If there is no such setting, or a value is none of those allowed.
    """
    try:
        start = Settings(**settings)
    except TypeError:
        known = ", ".join(Settings.__dataclass_fields__)
        raise InputError(f"{', '.join(settings)}: allowed are {known}") from None
    checked = {name: _check(name, getattr(start, name)) for name in ("part", *_SYNCED)}
    return _widget_class()(session, replace(start, **checked))


def _check(name, value):
    """Return the value of a setting; InputError if it cannot have it."""
    setting = SETTINGS[name]
    if name == "pin":
        parse_pins(value)
    try:
        return setting.parse(setting.text(value))
    except ValueError as error:
        raise InputError(str(error)) from None


class _Following:
    """What a widget does when one of its settings changes: it makes the view anew."""

    _session: Session
    _fewer: Session  # without the sentences that are left out
    _part: str
    path: str
    said: dict[str, Any]
    hold_sync: Callable[[], AbstractContextManager[None]]  # of the widget that this is part of

    @property
    def payload(self) -> dict[str, Any]:
        """What ``make_payload`` returned, as a dict."""
        return json.loads(self.path)

    def __repr__(self):
        return _describe(self.payload, self.said)

    def _leave_out(self, change):
        self._fewer = self._session.without(change["new"]) if change["new"] else self._session
        self._update()

    def _update(self, change=None):
        given = {name: getattr(self, name) for name in _SYNCED}
        settings = Settings(part=self._part, **given)
        if self._fewer.missing(settings.cutoff):
            self._fewer.first(settings.sigma2, settings.cutoff, self._part)
            self._say(settings, "working out the other values of σ² …")
            fill_paths(self._fewer, [settings.cutoff])
        self._say(settings)

    def _say(self, settings, status=""):
        view = _view(self._fewer, settings, status)
        payload = view.pop("payload")
        with self.hold_sync():
            self.path = json.dumps(payload, ensure_ascii=False, separators=(",", ":"))
            self.said = {**view, "id": payload["id"]}


@cache
def _widget_class() -> type:
    """Return the class, made on first use: only notebooks need what it is made of."""
    import anywidget
    import traitlets

    class Scrubber(_Following, anywidget.AnyWidget):
        """A session's path in the browser, and the settings that both sides may change."""

        _esm = script("widget")
        _css = sheet() + _STYLE.read_text("utf-8")
        path = traitlets.Unicode().tag(sync=True)  # the payload as JSON, kept with a notebook
        said = traitlets.Dict().tag(sync=True)  # the view but for its payload
        sigma2 = traitlets.Float().tag(sync=True)
        cutoff = traitlets.Int(allow_none=True).tag(sync=True)
        show = traitlets.Unicode().tag(sync=True)
        pair = traitlets.Unicode().tag(sync=True)
        word = traitlets.Unicode().tag(sync=True)
        pin = traitlets.Unicode().tag(sync=True)
        lecture = traitlets.Unicode().tag(sync=True)
        dropped = traitlets.List(traitlets.Int()).tag(sync=True)

        def __init__(self, session, start):
            self._session, self._part, self._fewer = session, start.part, session
            super().__init__(**{name: getattr(start, name) for name in _SYNCED})
            self._update()
            self.observe(self._leave_out, "dropped")
            self.observe(self._update, list(_SYNCED))

        @traitlets.validate(*_SYNCED)
        def _allow(self, proposal):
            try:
                return _check(proposal["trait"].name, proposal["value"])
            except InputError as error:
                raise traitlets.TraitError(str(error)) from None

    return Scrubber


def _view(session, settings, status):
    """Return the view, with the answer about the word that is asked unless a fit is to come."""
    position = None if status else find_word(session, settings)
    if position is None:
        return make_view(session, settings, status=status)
    snapshot = session.at(settings.sigma2, settings.cutoff, settings.part)
    return make_view(session, settings, explained=answer(session, snapshot, position))


def _describe(payload: Mapping, view: Mapping) -> str:
    """Return in a line where the sliders stand and how many words are wrong there."""
    at, words = view["at"], f"{payload['n_units']:,} {payload['part']} words"
    point = payload["points"][payload["sigma2s"].index(at["sigma2"])]
    wrong = {row["name"]: row["wrong"] for row in (*payload["models"], point)}
    shown = ", ".join(f"{name} {n:,}" for name, n in wrong.items())
    return f"σ² {at['sigma2']}, cut-off {at['cutoff']}: wrong of {words}: {shown}"
