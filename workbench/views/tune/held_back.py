"""Parts of the texts held back: sentences dropped, corrections of the review, the sealed test text.

Dropped sentences stand in the link, decisions are kept from run to run; both make another session
of the one that was opened. The test text is sealed; a button opens it, and every look counts.
"""

import re
from collections.abc import Sequence
from typing import Any

import streamlit as st

from workbench.evaluation.number_words import times
from workbench.experiments.envelope import Envelope, name_look, say_look
from workbench.experiments.review import Decision, Review, review
from workbench.experiments.session import Session
from workbench.scrub.view import parse_pins
from workbench.settings import Settings
from workbench.text.errors import InputError
from workbench.views.errors import plain

_DECISIONS = "decisions of the review"  # by texts: each domain has its own
_REVIEW = "review"
_OPENED = "opened envelopes"
_FEWER = "session without sentences"


def take(message: dict[str, Any]) -> None:
    """Take out of a panel's message the sentence that it drops or restores, and do so."""
    if "drop" in message:
        _leave_out(_numbers() | {int(message.pop("drop"))})
    if "restore" in message:
        _leave_out(_numbers() - {int(message.pop("restore"))})


def _numbers():
    return set(map(int, re.findall(r"\d{1,9}", st.session_state.get("without") or "")))


def _leave_out(numbers):
    st.session_state["without"] = ", ".join(map(str, sorted(numbers)))


def session_without(session: Session, text: str) -> Session:
    """Return the session that leaves out the sentences whose numbers a text lists.

    InputError if it cannot be read, has the number of no sentence, or leaves none.
    """
    n, numbers = session.corpora["train"].n_sentences, _numbers()
    if not set(text) <= set("0123456789, ") or not numbers < set(range(n)):
        says = f"allowed are some of the sentences 0 to {n - 1:,}; none is left out"
        raise InputError(f"without={text[:40]}: {says}")
    if not numbers:
        return session
    kept = st.session_state.get(_FEWER)
    if kept is None or kept[0] is not session or kept[1].dropped != numbers:
        st.session_state[_FEWER] = session, session.without(numbers)
    return st.session_state[_FEWER][1]


def draw_dropped(session: Session) -> None:
    """Draw what is dropped, if anything is, and a button that takes it back."""
    if not (n := len(session.dropped)):
        return
    says = f"Adapted without {n} of {session.corpora['train'].n_sentences:,} sentences"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"{says} of the adaptation text; the features stay the same.")
        st.button("Put all back" if n > 1 else "Take it back", on_click=_leave_out, args=((),))


def _texts(session):
    """Return what identifies the texts that decisions are about."""
    return tuple(session.corpora[part].fingerprint for part in ("train", "dev"))


def review_of(opened: Session) -> Review:
    """Return the review of a session as it was opened, made now or kept."""
    kept = st.session_state.get(_REVIEW)
    if kept is None or kept.opened is not opened:
        decisions = st.session_state.get(_DECISIONS, {}).get(_texts(opened), ())
        kept = st.session_state[_REVIEW] = review(opened, decisions)
    return kept


def current() -> Review:
    """Return the review that was last opened; for callbacks and later sections."""
    return st.session_state[_REVIEW]


def add(decision: Decision) -> Review:
    """Add a decision and return the review with it; InputError if there can be none."""
    return _decide((*current().decisions, decision))


def take_back() -> None:
    """Take all decisions back; for callbacks."""
    _decide(())
    st.session_state["word"] = ""  # its place may be another now


def _decide(decisions: Sequence[Decision]) -> Review:
    opened = current().opened
    made = review(opened, decisions)  # before anything is kept
    st.session_state.setdefault(_DECISIONS, {})[_texts(opened)] = made.decisions
    st.session_state[_REVIEW] = made
    n = opened.corpora["train"].n_sentences  # those that decisions add have other numbers now
    _leave_out(number for number in _numbers() if number < n)
    return made


def part_shown(settings: Settings, session: Session) -> str:
    """Return the part that may be shown: dev until the envelope of the test text is opened."""
    is_open = Envelope.of(session).name in st.session_state.setdefault(_OPENED, set())
    return settings.part if is_open else "dev"


def draw_sealed(asked: Settings, shown: Settings, session: Session) -> None:
    """Draw the envelope where the test text is asked for: a button, or what was found in it."""
    if asked.part != "test":
        return
    with st.container(horizontal=True, vertical_alignment="center", key="envelope"):
        if shown.part == "test":
            draw_found(shown, session, "Back to dev")
            return
        n = len(Envelope.of(session).looks)
        before = f" It has been opened {times(n)} before." if n else ""
        st.caption(
            "The test text is a sealed envelope: dev is shown until you open it, and each look "
            f"counts, in *Compare* and *Papers*, too.{before}"
        )
        offer_test(session, "Open the envelope", "Choose on dev, report on test")


def draw_found(shown: Settings, session: Session, label: str) -> None:
    """Draw the errors of the shown model on dev and test, and a button to dev; count the look."""
    seen, at = _count(session, shown), (shown.sigma2, shown.cutoff)
    dev, test = (session.at(*at, part).models for part in ("dev", "test"))
    told = say_look(name_look(session, *at), dev, test, len(seen))
    st.caption(plain(told), help="  \n".join(map(plain, seen[-20:])))
    st.button(label, on_click=st.session_state.update, kwargs={"part": "dev", "word": ""})


def offer_test(session: Session, label: str, why: str) -> None:
    """Draw a button that opens the envelope and has the page report on the test text."""
    st.button(label, key=label, on_click=_open, args=(Envelope.of(session).name,), help=why)


def _open(name):
    st.session_state[_OPENED] |= {name}
    st.session_state.update(part="test", word="")  # the word was of dev


def _count(session, settings):
    """Count what is shown, and a pinned state beside it; returns all looks."""
    envelope = Envelope.of(session)
    for state in (*parse_pins(settings.pin)[-1:], settings):
        seen = envelope.open(name_look(session, state.sigma2, state.cutoff))
    return seen
