"""The decisions of a review, kept from run to run, and the session after them."""

from collections.abc import Sequence

import streamlit as st

from workbench.experiments.exploring.review import Decision, Review, review
from workbench.experiments.exploring.session import Session
from workbench.views.error_messages import plain

_DECISIONS = "decisions of the review"  # by texts: each domain has its own
_REVIEW = "review"


def _texts(session):
    """Return what identifies the texts that decisions are about."""
    return tuple(session.corpora[part].fingerprint for part in ("train", "dev"))


def review_of(opened: Session) -> Review:
    """Return the review of a session as it was opened, made now or kept."""
    kept = st.session_state.get(_REVIEW)
    if kept is None or kept.opened is not opened:
        kept = review(opened, _decisions(opened))
        st.session_state[_REVIEW] = kept
    return kept


def _decisions(opened):
    return st.session_state.get(_DECISIONS, {}).get(_texts(opened), ())


def corrected(opened: Session) -> Session:
    """Return a session of the same texts, of another kind of model, after the decisions."""
    return review(opened, _decisions(opened)).session


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
    return made


def draw() -> None:
    """Draw what the decisions did to the texts, if anything, and a button that takes them back."""
    if says := current().describe():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(plain(says))
            st.button("Undo all decisions", on_click=take_back)
