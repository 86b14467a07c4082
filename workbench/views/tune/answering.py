"""The answer about the word that was clicked, worked out once and kept until it is another."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from workbench.experiments.exploring.session import Session, Snapshot
from workbench.scrub.answer import answer, compare_kinds, path_of
from workbench.scrub.view import find_word
from workbench.settings import Settings
from workbench.views.error_messages import plain

_KEY = "last answer"


def find_answer(
    settings: Settings, session: Session, snapshot: Snapshot, other: Callable[[], Snapshot]
) -> dict[str, Any] | None:
    """Return the answer about the word in the settings; None if they name no word that is here.

    ``other`` gives the snapshot of the other kind of model; it is called if it is wanted.
    """
    position = find_word(session, settings)
    if position is None:
        if settings.word:
            part = session.corpora[settings.part].name
            st.warning(plain(f"word={settings.word[:40]}: {part} has no such word at that place"))
        return None
    key = snapshot.tuned.fit, snapshot.part, position
    if _KEY not in st.session_state or st.session_state[_KEY][0] != key:
        st.session_state[_KEY] = key, answer(session, snapshot, position)
    answered = st.session_state[_KEY][1]
    known = session.tuning(snapshot.point["cutoff"]).known
    if answered["path"] and len(answered["path"]["sigma2s"]) != len(known):
        answered["path"] = path_of(session, snapshot, position)
    if settings.beside and "beside" not in answered:
        answered["beside"] = compare_kinds(session, snapshot, other(), position)
    return answered
