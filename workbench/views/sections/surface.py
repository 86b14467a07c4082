"""The section of the grid: errors at every sigma^2 and cut-off, of which a click sets both."""

import time
from collections.abc import Callable, Sequence

import streamlit as st

from workbench.charts.heat_map import GRID_PICK, NONE, draw_heat_map
from workbench.experiments.session import Session, Snapshot
from workbench.experiments.surface import describe_grid, fill_grid, grid_points, missing_points
from workbench.settings import CUTOFFS, SIGMA2_GRID, Settings
from workbench.views import controls
from workbench.views.errors import plain
from workbench.views.progress import ProgressBar
from workbench.views.sections import Section

_KEY, _GENERATION = "grid of errors", "grid generation"
_PAUSE = 0.7  # seconds between two drawings while points are fitted
OnPick = Callable[[float, int | None], object]


def draw(settings: Settings, session: Session, snapshot: Snapshot) -> None:
    """Draw the grid as far as it is known, and a button that fits the rest."""
    draw_grid(session, snapshot, CUTOFFS, controls.set_point)


def draw_grid(
    session: Session, snapshot: Snapshot, cutoffs: Sequence[int | None], on_pick: OnPick
) -> None:
    """Draw the grid of some cut-offs.

    ``on_pick`` is called with the sigma^2 and the cut-off of a cell that was clicked; as a
    callback, so that it may set widgets.
    """
    missing = missing_points(session, cutoffs)
    what = f"The {session.quality_name} on dev" if session.quality_name else "The dev errors"
    st.caption(
        f"{what} at every σ² and cut-off. Cells with a dot do not clearly differ from the best: "
        "this text cannot choose between them. A click on a cell sets both."
    )
    wanted = bool(missing) and st.button(
        "Compute the whole grid" if len(missing) > 1 else "Compute the last point",
        help=f"{len(missing)} of {len(cutoffs) * len(SIGMA2_GRID)} points are missing. What is "
        "fitted stays; a moved slider stops it.",
    )  # fmt: skip
    bar, place = st.empty(), st.empty()
    _draw_points(place, session, snapshot, cutoffs, on_pick)
    if wanted:
        _fill(session, snapshot, cutoffs, bar, place)
        st.rerun()


def _draw_points(place, session, snapshot, cutoffs, on_pick=None):
    points = grid_points(session, cutoffs)
    quality = session.quality_name
    says = describe_grid(points, quality)
    sigma2, cutoff = snapshot.point["sigma2"], snapshot.point["cutoff"]
    chart = draw_heat_map(points, sigma2, cutoff, _generation(sigma2, cutoff), quality)
    with place.container():
        if on_pick is None:  # a passing picture: a key may be drawn once a run
            st.altair_chart(chart, alt=says)
        else:
            st.altair_chart(
                chart, key=_KEY, alt=says, selection_mode=[GRID_PICK],
                on_select=lambda: _pick(on_pick),
            )  # fmt: skip
        st.caption(plain(says))


def _fill(session, snapshot, cutoffs, bar, place):
    """Fit what is missing, and draw the grid again from time to time."""
    drawn, total = time.monotonic(), len(missing_points(session, cutoffs))
    progress = ProgressBar(bar, total, "points")
    for point in fill_grid(session, cutoffs):
        progress.n_done += 1
        cutoff = NONE if point.cutoff is None else point.cutoff
        progress.on_name(f"cut-off {cutoff}, σ² {point.sigma2:g}")
        if time.monotonic() - drawn > _PAUSE:
            _draw_points(place, session, snapshot, cutoffs)
            drawn = time.monotonic()


def _generation(sigma2, cutoff):
    """Count the points that have been shown; see ``heat_map_table``."""
    last, count = st.session_state.get(_GENERATION, ((sigma2, cutoff), 0))
    st.session_state[_GENERATION] = (sigma2, cutoff), count + (last != (sigma2, cutoff))
    return st.session_state[_GENERATION][1]


def _pick(on_pick):
    if picked := st.session_state[_KEY]["selection"].get(GRID_PICK):
        on_pick(*read_pick(picked[0]))


def read_pick(picked: dict) -> tuple[float, int | None]:
    """Return the sigma^2 and the cut-off of a cell, as the browser gives them back."""
    sigma2, cutoff = float(picked["sigma2"]), str(picked["cutoff"])
    nearest = min(SIGMA2_GRID, key=lambda value: abs(value - sigma2))
    return nearest, None if cutoff == NONE else int(cutoff)


SECTION = Section("σ² and cut-off", None, draw)
