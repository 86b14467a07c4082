"""What stands below the text: one section at a time, so that the others cost nothing."""

from collections.abc import Callable

import streamlit as st

from workbench.experiments.session import Session, Snapshot
from workbench.settings import Settings
from workbench.views import controls
from workbench.views.tune import take_away, word_table

_SECTIONS: dict[str, Callable[[Settings, Session, Snapshot], None]] = {
    "words": word_table.draw,
    "take away": take_away.draw,
}


def draw(settings: Settings, session: Session, snapshot: Snapshot) -> None:
    """Draw the choice of a section, and the chosen one."""
    chosen = controls.choose("section", widget=st.segmented_control, label_visibility="collapsed")
    _SECTIONS[chosen](settings, session, snapshot)
