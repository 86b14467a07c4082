"""The view Tune: errors, curve and words at a sigma^2 that a slider moves, and sections below."""

import time

import streamlit as st

from workbench.evaluation.task import TASKS
from workbench.experiments.exploring.subsets import find_subset
from workbench.scrub.answer import answer
from workbench.scrub.view import find_word, make_view
from workbench.settings import SETTINGS, Settings
from workbench.views import cache, cards, controls
from workbench.views.error_messages import plain, show_errors
from workbench.views.progress import Progress
from workbench.views.sections import choice
from workbench.views.style import LECTURE
from workbench.views.tune import dropping, own_text, scrubber

_LAST = "last good result"
_ANSWER = "last answer"
_BATCH = 0.8  # seconds of fits between two drawings of the curve


def render(settings: Settings) -> None:
    """Draw the view; an error is shown above the last good result."""
    with st.sidebar:
        corpora = own_text.draw_upload(TASKS[cache.task_of(settings.background)])
    if settings.lecture:
        st.html(LECTURE)
    title = st.empty()
    line = st.container(key="facts").empty()  # of a fixed height, so that nothing moves
    title.html(cards.title_html(settings.background, _domain(settings, corpora)))
    if messages := controls.link_messages(settings):
        st.warning("\n\n".join(map(plain, messages)))
    problem = st.container()
    progress = Progress(line)
    with show_errors(problem):
        st.session_state[_LAST] = _adapt(settings, corpora, progress)
    if _LAST in st.session_state:
        names, session, snapshot = st.session_state[_LAST]
        title.html(cards.title_html(*names))
        line.caption(plain(" · ".join(cards.facts(session, snapshot))))
        with show_errors():
            _draw(settings, session, snapshot)
            _settle(session, snapshot)
            _fill_curve(session, snapshot.point["cutoff"])


def _domain(settings, corpora):
    return corpora["train"].name if corpora else settings.domain


def _adapt(settings, corpora, progress):
    """Return names, session and snapshot for some settings."""
    domain = _domain(settings, corpora)
    progress.begin(f"training the background model on {settings.background}")
    callbacks = {"on_step": progress.on_step, "on_build": progress.on_build}
    opened = cache.session(settings, corpora, **callbacks)
    session = dropping.session_without_dropped(opened)
    progress.begin(_task(settings))
    point = settings.sigma2, settings.cutoff, settings.part
    snapshot = session.first(*point, progress.on_step)
    return (settings.background, domain), session, snapshot


def _task(settings):
    texts = (SETTINGS[name].text(getattr(settings, name)) for name in ("sigma2", "cutoff"))
    return "training σ² = {}, cut-off {}".format(*texts)


def _draw(settings, session, snapshot):
    explained, status = _answer(settings, session, snapshot), _status(session, snapshot)
    only = None
    with show_errors():
        only = find_subset(session, snapshot, settings.slice)
    scrubber.draw(make_view(session, settings, explained=explained, only=only, status=status))
    dropping.draw(session)
    choice.draw(settings, session, snapshot)


def _answer(settings, session, snapshot):
    """Return the answer about the word that was clicked, if one was; kept until it is another."""
    position = find_word(session, settings)
    if position is None:
        if settings.word:
            part = session.corpora[settings.part].name
            st.warning(plain(f"word={settings.word[:40]}: {part} has no such word at that place"))
        return None
    key = snapshot.tuned.fit, position
    if _ANSWER not in st.session_state or st.session_state[_ANSWER][0] != key:
        st.session_state[_ANSWER] = key, answer(session, snapshot, position)
    return st.session_state[_ANSWER][1]


def _status(session, snapshot):
    """Return what the page is still busy with; nothing when it rests."""
    if snapshot.tuned.settled and not snapshot.tuned.fit.converged:
        return f"not converged after {len(snapshot.tuned.fit.steps) - 1} steps"
    missing = len(session.missing(snapshot.point["cutoff"]))
    n = len(SETTINGS["sigma2"].allowed)
    return f"fitting the curve: {n - missing} of {n}" if missing else ""


def _settle(session, snapshot):
    """Finish a fit that was shown before its end, then draw again."""
    if not snapshot.tuned.settled:
        session.tuning(snapshot.point["cutoff"]).at(snapshot.tuned.sigma2, _yield)
        st.rerun()


def _fill_curve(session, cutoff):
    """Fit the points that the curve lacks, then draw again; a moved slider comes first."""
    missing, began = session.missing(cutoff), time.monotonic()
    if not missing:
        return
    for sigma2 in missing:
        session.tuning(cutoff).at(sigma2, _yield)
        cache.yield_run()
        if time.monotonic() - began > _BATCH:
            break
    st.rerun()


def _yield(_):
    cache.yield_run()
