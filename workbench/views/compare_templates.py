"""Templates, in the view Compare: the errors on dev without each, or with each added."""

import json

import streamlit as st

from workbench.charts.bars import draw_ablation, gain_in_words
from workbench.experiments.ablation import EACH, summarize
from workbench.settings import Settings
from workbench.text.tasks import TaskName
from workbench.views import cache, controls, private, typography
from workbench.views.errors import plain
from workbench.views.progress import Progress, ProgressBar
from workbench.views.typography import draw_table, number_column, scale, typeset

_HELP = (
    "What is each template worth? “without” removes one at a time from all of them, “added” adds "
    "one at a time to ca04. A background is trained for each set and adapted; σ² is chosen on dev."
)
_COLUMNS = {
    "templates": st.column_config.TextColumn("templates", pinned=True, width=180),
    "adapted": number_column("adapted", "rate", width=80, help="Errors of the adapted model"),
    "change": number_column(
        "change", "change", width=85, help="Of the number of errors, relative to the base"
    ),
    "says": st.column_config.TextColumn("against the base", width=150),
    "p": number_column("p", "chance", width=75, help="McNemar's test against the base"),
    "background": number_column("background", "rate", width=95, help="Errors of the background"),
    "features": number_column("features", "count", width=85),
    "seconds": number_column("training, s", "seconds", width=90),
}
_ALWAYS = ("templates", "adapted", "change", "says")


def render(settings: Settings) -> None:
    """Draw the errors on dev for each template; the caller shows errors."""
    ways = EACH if cache.task_of(settings.background) is TaskName.CASE else EACH[:1]
    each = st.segmented_control(
        "Each template", ways, default=EACH[0], required=True,
        **controls.in_link("each", ways, f"{EACH[0]} is shown instead"),
    )  # fmt: skip
    place, results = st.empty(), st.empty()
    with Progress(place) as progress:
        progress.begin(f"reading {settings.background} and {settings.domain}")
        ablation = cache.ablation(
            settings, each, on_build=progress.on_build, on_wait=progress.on_wait
        )
    n_sets = len(ablation.rows) + len(ablation.missing)
    _show(ablation.rows, n_sets, results, 0)
    if ablation.missing:
        st.markdown(_HELP)
        if not st.toggle(f"Measure: train {n_sets} backgrounds, some minutes", key="measure"):
            return
    _measure(ablation, n_sets, place, results)
    for line in ablation.to_json()["shared"]:
        st.warning(plain(line))
    with st.container(horizontal=True, vertical_alignment="center"):
        controls.offer_file(
            "Templates, JSON", json.dumps(ablation.to_json(), allow_nan=False, indent=1),
            f"templates-{settings.background}-{settings.domain}-{each}.json", "application/json",
            help="As `python -m workbench ablate --json` prints it.",
        )  # fmt: skip


def _measure(ablation, n_sets, place, results):
    """Measure what is missing; draw again after each set of templates."""
    with (
        ProgressBar(place, n_sets, "sets of templates", len(ablation.rows)) as bar,
        cache.take_turn(ablation, bar.on_wait),  # another visitor may be measuring
    ):
        for generation, rows in enumerate(ablation.run(bar.on_name, bar.on_step), 1):
            bar.n_done = len(rows)
            _show(rows, n_sets, results, generation)
            private.yield_run()
    _show(ablation.rows, n_sets, results, n_sets + 1)


def _show(rows, n_sets, results, generation):
    if len(rows) < 2:
        return
    with results.container():
        st.html(typography.summary_html(typeset(summarize(rows, n_sets))))
        st.altair_chart(draw_ablation(rows), key=f"ablation {generation}")
        draw_table(
            [_table_row(row) for row in rows], _COLUMNS, _ALWAYS,
            "Sets of templates, their errors on dev, and how significant the differences are",
        )  # fmt: skip


def _table_row(row):
    return {
        "templates": row["name"], "adapted": scale(row["error_rate"], "rate"),
        "change": scale(row.get("relative_change"), "change"),
        "says": gain_in_words(row["says"]) if row.get("says") else None,
        "p": scale(row.get("p_value"), "chance"),
        "background": scale(row["background_error_rate"], "rate"),
        "features": row["features"], "seconds": row["train_seconds"],
    }  # fmt: skip
