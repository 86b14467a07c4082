"""The levels between background and domain: which texts, and a slider of σ² for each."""

from collections.abc import Sequence

import streamlit as st

from workbench.experiments.backgrounds import Level
from workbench.settings import SETTINGS, SIGMA2_GRID, Settings
from workbench.views import cache
from workbench.views.errors import show_errors

_CHOSEN = "texts between"
_SIGMA2 = SETTINGS["sigma2"]


def draw_choice(settings: Settings) -> None:
    """Draw the choice of the texts, at most two; sigma2 of a new one is the start value."""
    with show_errors():
        levels, free = cache.levels_of(settings), cache.free_levels(settings)
        st.session_state[_CHOSEN] = [level.text for level in levels]
        st.multiselect(
            SETTINGS["levels"].label, free, key=_CHOSEN, max_selections=cache.MOST_LEVELS,
            placeholder="nothing", help=SETTINGS["levels"].help,
            on_change=_choose, args=(levels,),
        )  # fmt: skip


def _choose(before):
    known = {level.text: level.sigma2 for level in before}
    names = st.session_state[_CHOSEN]
    _put([Level(name, known.get(name, _SIGMA2.default)) for name in names])


def draw_sliders(settings: Settings) -> None:
    """Draw a slider for each step from the background to the last level."""
    levels = cache.levels_of(settings)
    if not levels:
        return
    stops, above = [_SIGMA2.text(sigma2) for sigma2 in SIGMA2_GRID], settings.background
    for number, (level, place) in enumerate(
        zip(levels, st.columns(cache.MOST_LEVELS), strict=False)
    ):
        key = f"level {number}"
        st.session_state[key] = _SIGMA2.text(_nearest(level.sigma2))
        place.select_slider(
            f"{above} → {level.text}: σ²", stops, key=key, on_change=_move,
            args=(levels, number, key),
            help="σ² of this step. The slider below is that of the last step, to the domain.",
        )  # fmt: skip
        above = level.text


def _move(levels, number, key):
    moved = levels[number]._replace(sigma2=float(st.session_state[key]))
    _put([*levels[:number], moved, *levels[number + 1 :]])


def _put(levels: Sequence[Level]) -> None:
    st.session_state["levels"] = ",".join(f"{level.text}:{level.sigma2:g}" for level in levels)


def _nearest(sigma2):
    return min(SIGMA2_GRID, key=lambda value: abs(value - sigma2))
