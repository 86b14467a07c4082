"""The sections below the text: one at a time, so that the others cost nothing."""

from collections.abc import Callable

from streamlit import container, segmented_control

from workbench.experiments.session import Session, Snapshot
from workbench.settings import Settings
from workbench.views import controls
from workbench.views.candidates import choice_section, moved_section, quality_slices
from workbench.views.sections import (
    amounts,
    review,
    slices,
    surface,
    take_away,
    trial,
    weights,
    words,
)

Section = Callable[[Settings, Session, Snapshot], None]
_OF_WORDS: dict[str, Section] = {
    "words": words.draw,
    "review": review.draw,
    "slices": slices.draw,
    "σ² and cut-off": surface.draw,
    "how little data": amounts.draw,
    "weights": weights.draw,
    "try a text": trial.draw,
    "take away": take_away.draw,
}
_OF_CANDIDATES: dict[str, Section] = {
    "choices": choice_section.draw,
    "review": review.draw,
    "slices": quality_slices.draw,
    "σ² and cut-off": surface.draw,
    "how little data": amounts.draw,
    "weights": moved_section.draw,
    "take away": take_away.draw,
}
# By what a decision is about: ``Session.unit``.
_SECTIONS = {"word": _OF_WORDS, "sentence": _OF_CANDIDATES}


def draw(settings: Settings, session: Session, snapshot: Snapshot) -> None:
    """Draw the choice of a section, and the chosen one."""
    with container(key="below"):  # the key is for a lesson's ring
        chosen = controls.choose(
            "section", session.task.sections, widget=segmented_control, label_visibility="collapsed"
        )
        _SECTIONS[session.unit][chosen](settings, session, snapshot)
