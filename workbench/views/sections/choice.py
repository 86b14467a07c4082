"""The sections below the text: one at a time, so that the others cost nothing."""

from collections.abc import Callable

from streamlit import container, segmented_control

from workbench.evaluation.task import find_task
from workbench.experiments.exploring.session import Session, Snapshot
from workbench.settings import Settings
from workbench.views import controls
from workbench.views.sections import (
    amount_section,
    file_section,
    grid_section,
    review_section,
    slice_section,
    trial_section,
    weight_section,
    word_section,
)

Section = Callable[[Settings, Session, Snapshot], None]
_SECTIONS: dict[str, Section] = {
    "words": word_section.draw,
    "review": review_section.draw,
    "slices": slice_section.draw,
    "σ² and cut-off": grid_section.draw,
    "how little data": amount_section.draw,
    "weights": weight_section.draw,
    "try a text": trial_section.draw,
    "take away": file_section.draw,
}


def draw(settings: Settings, session: Session, snapshot: Snapshot) -> None:
    """Draw the choice of a section, and the chosen one."""
    recases = find_task(session.background).recases
    names = [name for name in _SECTIONS if recases or name != "try a text"]
    with container(key="below"):  # the key is for a lesson's ring
        chosen = controls.choose(
            "section", names, widget=segmented_control, label_visibility="collapsed"
        )
        _SECTIONS[chosen](settings, session, snapshot)
