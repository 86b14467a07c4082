"""The view Tune: errors, figure 1 and the changed words at a sigma^2 that a slider moves."""

import time
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import streamlit as st

from workbench import charts
from workbench.evaluation.task import TASKS, find_task
from workbench.models.capitalizer import Capitalizer
from workbench.settings import SETTINGS, Settings
from workbench.views import cache, cards, controls
from workbench.views.error_messages import plain, show_errors
from workbench.views.progress import Progress
from workbench.views.tune import changes, own_text

_LAST = "last good result"
_BATCH = 0.8  # seconds of fits between two drawings of the curve


def render(settings: Settings) -> None:
    """Draw the view; an error is shown above the last good result."""
    with st.sidebar:
        corpora = own_text.draw_upload(TASKS[cache.task_of(settings.background)])
    title = st.empty()
    with st.container(key="sigma2-bar", gap="xxsmall"):
        settings = replace(settings, sigma2=controls.choose("sigma2", widget=st.select_slider))
        progress = Progress(st.empty())
    presets = st.container()
    if messages := controls.link_messages(settings):
        st.warning("\n\n".join(map(plain, messages)))
    problem = st.container()
    title.html(cards.title_html(settings.background, _domain(settings, corpora)))
    with show_errors(problem):
        st.session_state[_LAST] = _adapt(settings, corpora, progress)
    if _LAST not in st.session_state:
        return
    (background, domain), session, snapshot = st.session_state[_LAST]
    title.html(cards.title_html(background, domain, cards.facts(session, snapshot)))
    with show_errors():
        with presets:
            curve = session.curve(snapshot.point["cutoff"])
            controls.draw_presets(curve, snapshot.tuned.sigma2)
        progress.say(_status(snapshot))
        _draw(session, snapshot)
        _settle(session, snapshot, progress)
        _fill_curve(session, snapshot.point["cutoff"], progress)


def _domain(settings, corpora):
    return corpora["train"].name if corpora else settings.domain


def _adapt(settings, corpora, progress):
    """Return names, session and snapshot for some settings."""
    domain = _domain(settings, corpora)
    progress.begin(f"training the background model on {settings.background}")
    session = cache.session(
        settings, corpora, on_step=progress.on_step, on_build=progress.on_build,
        on_wait=progress.on_wait,
    )  # fmt: skip
    progress.begin(_task(settings.sigma2, settings.cutoff))
    point = settings.sigma2, settings.cutoff, settings.part
    snapshot = session.first(*point, progress.on_step)
    return (settings.background, domain), session, snapshot


def _task(sigma2, cutoff):
    texts = SETTINGS["sigma2"].text(sigma2), SETTINGS["cutoff"].text(cutoff)
    return "training σ² = {}, cut-off {}".format(*texts)


def _status(snapshot):
    """Return the line that stays in sight when the page is scrolled."""
    fit = snapshot.tuned.fit
    errors = " · ".join(f"{row['name']} {cards.headline(row)}" for row in snapshot.models)
    if not snapshot.tuned.settled:
        end = "first answer, settling"
    else:
        end = "settled" if fit.converged else "not converged"
    return f"{errors} · {len(fit.steps) - 1} steps, {fit.seconds:.2f} s, {end}"


def _draw(session, snapshot):
    st.html(cards.cards_html(snapshot.models))
    st.html(cards.summary_html(snapshot.summary))
    _draw_figures(session, snapshot)
    changes.draw(session, snapshot)
    if find_task(session.background).recases:
        own_text.draw_trial(session, snapshot)
    _draw_downloads(session, snapshot)


def _draw_figures(session, snapshot):
    curve, sigma2 = session.curve(snapshot.point["cutoff"]), snapshot.tuned.sigma2
    table = charts.curve_table(curve, snapshot.models, sigma2, snapshot.part, _generation(sigma2))
    left, right = st.columns([5, 4], gap="large")
    with left:
        alt = charts.describe_curve(curve, sigma2, snapshot.part)
        _draw_picker(table, f"errors {snapshot.part}", alt)
        _draw_picker(table, "likelihood", "Log-likelihood of the adaptation text against σ²")
    with right:
        alt = charts.describe_models(snapshot.models)
        errors, by_tag = (charts.figure_of(name, snapshot.models) for name in ("models", "tags"))
        st.vega_lite_chart(charts.filled(errors, charts.error_table(snapshot.models)), alt=alt)
        tags = charts.filled(by_tag, charts.tag_table(snapshot.models))
        alt = "Wrong words of each model by the tag they should have had"
        st.vega_lite_chart(tags, alt=alt)


def _draw_picker(table, name, alt):
    """Draw a chart on which a click sets sigma^2."""
    key = f"figure {name}"
    st.vega_lite_chart(
        charts.filled(name, table), alt=alt, key=key,
        on_select=lambda: _pick(key), selection_mode=[charts.PICK],
    )  # fmt: skip


def _pick(key):
    if picked := st.session_state[key]["selection"].get(charts.PICK):
        controls.set_sigma2(picked[0]["sigma2"])


def _generation(sigma2):
    """Count the values sigma^2 has had; see ``curve_table``."""
    last, count = st.session_state.get("generation", (sigma2, 0))
    st.session_state["generation"] = sigma2, count + (last != sigma2)
    return st.session_state["generation"][1]


def _draw_downloads(session, snapshot):
    point, recases = snapshot.point, find_task(session.background).recases
    command = "recase" if recases else "evaluate"
    cutoff = SETTINGS["cutoff"].text(point["cutoff"])
    name = f"{session.corpora['train'].name}-sigma2-{point['sigma2']:g}-cutoff-{cutoff}"
    st.subheader("Take away", anchor=False)
    with st.container(horizontal=True):
        controls.offer_file(
            "Adapted model", lambda: model_file(snapshot.tuned.model), f"{name}.model",
            help=f"For `python -m workbench {command}`, on any machine.",
        )  # fmt: skip
        controls.offer_file(
            "Changed words, CSV", lambda: snapshot.diff.to_csv(index=False).encode(),
            f"{name}-{snapshot.part}.csv", "text/csv",
        )  # fmt: skip


def model_file(model: Capitalizer) -> bytes:
    """Return a model as the bytes of its file."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "adapted.model")
        model.save(path)
        return path.read_bytes()


def _settle(session, snapshot, progress):
    """Finish a fit that was shown before its end, then draw again."""
    if not snapshot.tuned.settled:
        session.tuning(snapshot.point["cutoff"]).at(snapshot.tuned.sigma2, progress.on_step)
        st.rerun()


def _fill_curve(session, cutoff, progress):
    """Fit the points that figure 1 lacks, then draw again; a moved slider comes first."""
    missing, began = session.missing(cutoff), time.monotonic()
    if not missing:
        return
    for sigma2 in missing:
        progress.begin(_task(sigma2, cutoff))
        session.tuning(cutoff).at(sigma2, progress.on_step)
        cache.yield_run()
        if time.monotonic() - began > _BATCH:
            break
    st.rerun()
