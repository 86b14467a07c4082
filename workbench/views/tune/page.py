"""The view Tune: errors, curve and words at a sigma^2 that a slider moves, and sections below."""

import time
from dataclasses import replace

import streamlit as st

from workbench.experiments.movers import find_subset
from workbench.experiments.surface import Point, idle_points
from workbench.scrub.view import make_view, parse_pins
from workbench.settings import CUTOFFS, SETTINGS, Settings
from workbench.views import cache, controls, lessons, private, sections, typography
from workbench.views.errors import plain, show_errors
from workbench.views.progress import Progress
from workbench.views.tune import held_back, scrubber
from workbench.views.tune.scrubber import find_answer

_LAST = "last good result"
_BATCH, _MAP_BATCH = 0.8, 2.4  # seconds of fits between two drawings: of curve and of map


def render(settings: Settings) -> None:
    """Draw the view; an error is shown above the last good result."""
    asked, goes_on = settings, private.is_run_again()
    private.send_type(bool(settings.lecture))
    # Of a fixed height, so that nothing moves.
    title, line = (st.container(key=key).empty() for key in ("title", "facts"))
    names = settings.background, settings.domain
    shown, *_ = st.session_state.get(_LAST, (names,))
    pending = "" if shown == names else '<i class="wb-pending"></i>'
    title.html(typography.title_html(*names) + pending)
    problem = st.container()
    if messages := controls.link_messages(settings):
        problem.warning("\n\n".join(map(plain, messages)))
    progress = Progress(line)
    with show_errors(problem):
        session = _open(settings, progress)
        if lesson := lessons.find_open(settings, session):
            settings = lesson.follow(settings)
        else:
            settings = replace(settings, part=held_back.part_shown(settings, session))
        with controls.refusing(settings):
            session = held_back.session_without(session, settings.without)
        texts = (SETTINGS[name].text(getattr(settings, name)) for name in ("sigma2", "cutoff"))
        progress.begin("training σ² = {}, cut-off {}".format(*texts))
        at = settings.sigma2, settings.cutoff, settings.part
        st.session_state[_LAST] = names, session, session.first(*at, progress.on_step)
    if _LAST in st.session_state:
        names, session, snapshot = st.session_state[_LAST]
        title.html(typography.title_html(*names))
        line.caption(plain(held_back.current().describe() or typography.facts(session, snapshot)))
        settings = replace(settings, part=snapshot.part)
        with show_errors():
            with controls.refusing(settings):
                find_subset(session, snapshot, settings.slice)
                parse_pins(settings.pin)
            with st.container():
                held_back.draw_sealed(asked, settings, session)
            lesson = lessons.find_open(settings, session)
            _draw(settings, session, snapshot, lesson)
            cutoff, here = snapshot.point["cutoff"], snapshot.tuned.sigma2
            if not snapshot.tuned.settled:  # it was shown before its end
                session.adaptation(cutoff).at(here, private.yield_run)
                st.rerun()
            whole, batch = session, _BATCH
            points = [Point(cutoff, sigma2) for sigma2 in session.missing(cutoff)]
            if lesson and not lesson.is_ready:
                whole, points = lesson.figures.session, lesson.missing
            if not points:
                private.out_of_sight("idle").html('<i class="wb-idle"></i>')
                points, batch = idle_points(session, here, CUTOFFS), _MAP_BATCH
                if first := [point for point in points if point.sigma2 == here]:
                    points = first
                else:  # every cut-off is known here, so that another shows at once
                    scrubber.send_ahead(session, settings, here if points else None)
            if points:
                if goes_on:
                    _fill(whole, points, batch)
                private.run_again()


def _open(settings, progress):
    """Return the session of some settings."""
    is_there = cache.is_model(settings.background)
    what = "reading the model" if is_there else "training the background model on"
    progress.begin(f"{what} {settings.background}")
    opened = cache.session(settings, on_step=progress.on_step, on_build=progress.on_build,
                           on_wait=progress.on_wait)  # fmt: skip
    return held_back.review_of(opened).session


def _draw(settings, session, snapshot, lesson):
    explained = None
    # Always there: where what follows had another place, Streamlit would leave its values out of
    # the link.
    with st.container():
        if text := lessons.complaint(settings, session, lesson):
            st.warning(plain(text))
        if lesson:
            lessons.draw(lesson)
        with show_errors(), controls.refusing(settings):
            explained = find_answer(settings, session, snapshot)
    only, status = find_subset(session, snapshot, settings.slice), _status(session, snapshot)
    view = make_view(session, settings, explained=explained, only=only, status=status,
                     lesson=lesson.view if lesson else None)  # fmt: skip
    scrubber.draw(view | {"corrected": "sigma2=" in " ".join(controls.link_messages(settings))},
                  session)  # fmt: skip
    with st.container():
        held_back.draw_dropped(session)  # below, so that the words stay where they are
    sections.draw(settings, session, snapshot, is_hidden=bool(lesson and lesson.view["veil"]))


def _status(session, snapshot):
    """Return what the page is still busy with; nothing when it rests."""
    if snapshot.tuned.settled and not snapshot.tuned.fit.converged:
        return f"not converged after {len(snapshot.tuned.fit.steps) - 1} steps"
    missing = len(session.missing(snapshot.point["cutoff"]))
    n = len(SETTINGS["sigma2"].allowed)
    return f"fitting the curve: {n - missing} of {n}" if missing else ""


def _fill(session, points, batch):
    """Fit missing points of the grid for ``batch`` seconds; a moved slider ends the run.

    What a point shows is made with it, so that a cut-off that is asked for later shows at once.
    """
    began = time.monotonic()
    for cutoff, sigma2 in points:
        fit = session.adaptation(cutoff).at(sigma2, private.yield_run)
        session.adapted_row(fit, "dev")
        fit.describe()  # its tags of the adaptation text are found now, not when they are asked for
        private.yield_run()
        if time.monotonic() - began > batch:
            break
