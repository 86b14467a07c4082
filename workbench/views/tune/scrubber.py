"""The scrubber on the page: the browser module, told where it stands and asked about a word.

The answer about a word that is clicked is worked out once and kept until it is another.
"""

import time
from collections.abc import Mapping
from typing import Any
from weakref import WeakKeyDictionary

import streamlit as st

from workbench.experiments.movers import name_firing
from workbench.experiments.session import Session, Snapshot
from workbench.scrub.answer import answer, path_of
from workbench.scrub.bundle import script, sheet
from workbench.scrub.slider import make_payload
from workbench.scrub.view import find_word
from workbench.settings import CUTOFFS, Settings
from workbench.text.errors import InputError
from workbench.views.controls import SCRUBBER, SENT
from workbench.views.private import out_of_sight, yield_run
from workbench.views.sections import OF_WORDS
from workbench.views.tune import held_back

_ANSWER, _AHEAD = "last answer", "session and σ² whose payloads were sent ahead"
_MOST_AHEAD = 70_000  # words of payloads that are sent before they are asked for
_names = WeakKeyDictionary[Session, str]()  # by which a page knows what was sent ahead
_put_on_shelf = st.components.v2.component("shelf", js=script("shelf"))
_mount = st.components.v2.component(
    "scrubber", html='<div class="place"></div>', css=sheet(), js=script("streamlit")
)


def draw(view: Mapping[str, Any], session: Session) -> None:
    """Draw the scrubber of a session; what the user settles on is in the settings of the next run.

    The payload, which is large, goes into an element of its own: it is sent only if it changes.
    """
    payload = view["payload"]
    with out_of_sight("shelf"):
        _put_on_shelf(key="payload", data=payload)
    with st.container(key="scrubber-place"):
        intro = "" if view["tagNames"] else view["intro"]  # of a capitalizer the head says it
        heard = st.session_state.get(SENT, 0)
        data = {**view, "payload": {"id": payload["id"]}, "intro": intro, "heard": heard,
                "session": None if payload["part"] == "test" else _name_of(session)}  # fmt: skip
        _mount(key=SCRUBBER, data=data, on_message_change=_take)


def send_ahead(session: Session, settings: Settings, sigma2: float | None) -> None:
    """Send the payloads of all cut-offs, so that another shows at once; not of the test.

    Once for each ``sigma2`` while that alone is known everywhere, and once more, None, with all.
    """
    if settings.part == "test" or st.session_state.get(_AHEAD) == (_name_of(session), sigma2):
        return
    payloads = []
    for cutoff in CUTOFFS:
        yield_run()
        payloads.append(make_payload(session, cutoff, settings.part))
    if sum(len(payload["words"]) for payload in payloads) <= _MOST_AHEAD:
        with out_of_sight("ahead"):
            _put_on_shelf(key="payloads", data={"session": _name_of(session), "all": payloads})
    st.session_state[_AHEAD] = _name_of(session), sigma2


def _name_of(session):
    return _names.setdefault(session, f"{time.time_ns()}")


def _take():
    """Put what the browser says into the widgets that hold the settings."""
    message = dict(st.session_state[SCRUBBER].message)
    held_back.take(message)
    st.session_state.update(message)


def find_answer(settings: Settings, session: Session, snapshot: Snapshot) -> dict[str, Any] | None:
    """Return why the word in the settings has its tag; InputError if the text has no such word."""
    position = find_word(session, settings)
    if position is None:
        if settings.word:
            says = "the text has no such word at that place; a link says both: “gene · 1234”"
            raise InputError(f"word={settings.word[:40]}: {says}")
        return None
    key = snapshot.tuned.fit, snapshot.part, position, bool(settings.lesson)
    if _ANSWER not in st.session_state or st.session_state[_ANSWER][0] != key:
        answered = answer(session, snapshot, position)
        for row in answered["why"]["gap"]["rows"] if session.task.name in OF_WORDS else ():
            row["subset"] = name_firing(snapshot, row["predicate"])
        if session.task.recases and not settings.lesson:
            answered["tries"] = "".join(answered["why"]["after"]["words"]).strip()
        st.session_state[_ANSWER] = key, answered
    answered = st.session_state[_ANSWER][1]
    known = session.adaptation(snapshot.point["cutoff"]).known
    if answered["path"] and len(answered["path"]["sigma2s"]) != len(known):
        answered["path"] = path_of(session, snapshot, answered["why"])
    return answered
