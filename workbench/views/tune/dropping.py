"""The sentences of the adaptation text that the user has dropped, kept from run to run."""

from typing import NamedTuple

import streamlit as st

from workbench.experiments.exploring.session import Session

_KEY = "dropped sentences"


class _Dropped(NamedTuple):
    origin: Session  # as opened; it stays when sentences of a review join
    session: Session  # that they were dropped from
    numbers: frozenset[int]
    fewer: Session


def drop(number: int) -> None:
    """Drop a sentence of the session last shown; for callbacks."""
    kept = st.session_state[_KEY]
    _keep(kept.origin, kept.session, kept.numbers | {number})


def _keep(origin, session, numbers):
    fewer = session.without(numbers) if numbers else session
    st.session_state[_KEY] = _Dropped(origin, session, numbers, fewer)


def session_without_dropped(session: Session, origin: Session) -> Session:
    """Return a session without the sentences dropped from it; another's sentences do not count.

    ``origin`` is the session as it was opened. The sentences that corrections add at the end
    of its adaptation text have other numbers after the next correction, so they come back.
    """
    kept = st.session_state.get(_KEY)
    if kept is None or kept.origin is not origin:
        _keep(origin, session, frozenset())
    elif kept.session is not session:
        n = origin.corpora["train"].n_sentences
        _keep(origin, session, frozenset(number for number in kept.numbers if number < n))
    return st.session_state[_KEY].fewer


def dropped() -> frozenset[int]:
    """Return the numbers of the sentences that are dropped from the session last shown."""
    kept = st.session_state.get(_KEY)
    return kept.numbers if kept else frozenset()


def draw(session: Session) -> None:
    """Draw what is dropped, if anything is, and a button that takes it back."""
    numbers = st.session_state[_KEY].numbers
    if not numbers:
        return
    n = len(numbers)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            f"Adapted without {n} of {session.corpora['train'].n_sentences:,} sentences of the "
            "adaptation text; the features stay the same."
        )
        st.button("Put them back" if n > 1 else "Take it back", on_click=_keep,
                  args=(*st.session_state[_KEY][:2], frozenset()))  # fmt: skip
