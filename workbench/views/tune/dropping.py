"""The sentences of the adaptation text that the user has dropped, kept from run to run."""

from typing import NamedTuple

import streamlit as st

from workbench.experiments.exploring.session import Session

_KEY = "dropped sentences"


class _Dropped(NamedTuple):
    session: Session  # that they were dropped from
    numbers: frozenset[int]
    fewer: Session


def drop(number: int) -> None:
    """Drop a sentence of the session last shown; for callbacks."""
    kept = st.session_state[_KEY]
    _keep(kept.session, kept.numbers | {number})


def _keep(session, numbers):
    fewer = session.without(numbers) if numbers else session
    st.session_state[_KEY] = _Dropped(session, numbers, fewer)


def session_without_dropped(session: Session) -> Session:
    """Return a session without what was dropped from it; of another session nothing was."""
    kept = st.session_state.get(_KEY)
    if kept is None or kept.session is not session:
        _keep(session, frozenset())
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
            "adaptation text; features are the same."
        )
        st.button("Take them back" if n > 1 else "Take it back", on_click=_keep,
                  args=(st.session_state[_KEY].session, frozenset()))  # fmt: skip
