"""The section of amounts: how little adaptation data do, computed once and then scrubbed."""

import time
from typing import Any

import streamlit as st

from workbench.charts.amount_chart import draw_amounts
from workbench.evaluation.number_words import counted
from workbench.experiments.amounts import TUNED, Amounts, describe_amount
from workbench.experiments.session import Session, Snapshot
from workbench.settings import Settings
from workbench.views import controls
from workbench.views.errors import plain, show_errors
from workbench.views.progress import ProgressBar
from workbench.views.sections import Section

_KEPT = "learning curves"
_PAUSE = 0.7  # seconds between two drawings while models are fitted


def draw(settings: Settings, session: Session, snapshot: Snapshot) -> None:
    """Draw the learning curves computed so far, and a slider of the amount that reads them."""
    st.caption(
        "Each point is a model of a random part of the adaptation data, with all new features. "
        "*map* adapts the background, *target* learns from the part alone."
    )
    tuned = st.toggle(
        "Choose σ² on dev for every fit",
        help=f"The best of σ² = {', '.join(f'{s:g}' for s in TUNED)}, else that of the slider.",
        **controls.in_link("tuned", ("false", "true"), "no σ² is chosen"),
    )  # fmt: skip
    sigma2s = TUNED if tuned else (snapshot.tuned.sigma2,)
    kept = st.session_state.get(_KEPT)
    amounts: Any = kept if kept is not None and kept.session is session else None
    is_begun = amounts is not None and amounts.sigma2s == sigma2s
    label = _label(amounts.missing if is_begun else None, sigma2s)
    is_busy = amounts is None or (is_begun and not amounts.missing)
    wanted = st.button(label, disabled=is_busy) or amounts is None
    bar, place = st.empty(), st.empty()
    with show_errors():
        if wanted:
            if not is_begun:
                amounts = st.session_state[_KEPT] = Amounts(session, sigma2s)
            _compute(amounts, bar, place)
            st.rerun()
    if amounts is not None:
        with place.container():
            _draw_curves(amounts)


def _label(missing, sigma2s):
    if missing:
        return f"Continue: {len(missing)} fits left"
    at = f"σ² = {sigma2s[0]:g}" if len(sigma2s) == 1 else "the best σ²"
    return f"Compute the learning curves at {at}"


def _compute(amounts, bar, place):
    """Fit what is missing, and draw the curves from time to time."""
    drawn, done = time.monotonic(), len(amounts.samples())
    progress = ProgressBar(bar, done + len(amounts.missing), "fits", done)
    progress.on_name("learning curves")
    for sample in amounts.run():
        progress.n_done += 1
        progress.on_name(f"{sample.method}, {counted(sample.n_sentences, 'sentences')}")
        if time.monotonic() - drawn > _PAUSE:
            place.altair_chart(draw_amounts(amounts.table(), quality=amounts.session.quality_name))
            drawn = time.monotonic()


def _draw_curves(amounts):
    """Draw the slider, what it says, the chart and the crossovers."""
    curves = amounts.table()
    known = curves["n_sentences"].unique().tolist()
    if len(known) < 2:
        return
    n = st.select_slider(
        "Sentences of adaptation data", known, value=known[-1], format_func="{:,}".format,
        **controls.in_link("sentences", [f"{n:,}" for n in known], "all of them are taken"),
    )  # fmt: skip
    quality, contents = amounts.session.quality_name, amounts.session.contents
    says, found = describe_amount(curves, n, quality, contents), amounts.crossovers()
    named = ". ".join(crossover.text for crossover in found)
    st.markdown(f"**{plain(says)}**")
    chart = draw_amounts(curves, found, n, quality)
    st.altair_chart(chart, key="learning curves chart", alt=f"{says} {named}.")
    at = ", ".join(f"{sigma2:g}" for sigma2 in amounts.sigma2s)
    chosen = "at σ² = " if len(amounts.sigma2s) == 1 else "each with the best on dev of σ² = "
    bands = f"Bands span {amounts.n_seeds} random samples, all measured on the same dev text."
    st.caption(plain(f"Fits {chosen}{at}. {bands}"))


SECTION = Section("how little data", None, draw)
