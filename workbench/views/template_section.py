"""Templates, in the view Compare: the errors on dev without each, or with each added."""

import json

import streamlit as st

from workbench.charts import draw_ablation
from workbench.experiments.ablation import EACH, summarize
from workbench.settings import Settings
from workbench.text.tasks import TaskName
from workbench.views import cache, cards, controls
from workbench.views.number_text import number_column, scale, typeset
from workbench.views.progress import Progress, ProgressBar

_HELP = (
    "“without” takes each of the templates from all of them, “added” adds each to those of ca04. "
    "One background is trained for each; σ² is searched once, on the development text."
)
_COLUMNS = {
    "templates": st.column_config.TextColumn("templates", pinned=True, width=190),
    "features": number_column("features", "count", width=75),
    "background": number_column("background", "rate", width=85),
    "adapted": number_column("adapted", "rate", width=75),
    "change": number_column("change", "change", width=70, help="Of the number of errors"),
    "p": number_column("p", "chance", width=72, help="McNemar's test, from the base"),
    "says": st.column_config.TextColumn("against the base", width=160),
    "seconds": number_column("train, s", "nats", width=65),
}


def render(settings: Settings) -> None:
    """Draw the errors on dev for each template; the caller shows errors."""
    is_case = cache.task_of(settings.background) is TaskName.CASE
    each = st.segmented_control(
        "Each template", EACH if is_case else EACH[:1], default=EACH[0], required=True,
        key="each", bind="query-params", help=_HELP,
    )  # fmt: skip
    place, results = st.empty(), st.empty()
    progress = Progress(place)
    progress.begin(f"reading {settings.background} and {settings.domain}")
    ablation = cache.ablation(settings, each, on_build=progress.on_build)
    _show(ablation.rows, results, 0)
    total = len(ablation.rows) + len(ablation.missing)
    if ablation.missing and not st.toggle("Measure", key="measure", help=f"{total} backgrounds."):
        return
    bar = ProgressBar(place, total, "sets of templates", len(ablation.rows))
    for generation, rows in enumerate(ablation.run(bar.on_name, bar.on_step), 1):
        bar.done = len(rows)
        _show(rows, results, generation)
        cache.yield_run()
    place.empty()
    controls.offer_file(
        "Templates, JSON", json.dumps(ablation.to_json(), allow_nan=False, indent=1),
        f"templates-{settings.background}-{settings.domain}-{each}.json", "application/json",
        help="As `python -m workbench ablate --json` prints it.",
    )  # fmt: skip


def _show(rows, results, generation):
    if len(rows) < 2:
        return
    with results.container():
        st.html(cards.summary_html(typeset(summarize(rows))))
        st.altair_chart(draw_ablation(rows), key=f"ablation {generation}")
        st.dataframe(
            [_table_row(row) for row in rows], hide_index=True, placeholder="–",
            column_config=_COLUMNS,
            alt="Sets of templates, their errors on dev, and how significant the differences are",
        )  # fmt: skip


def _table_row(row):
    return {
        "templates": row["name"], "features": row["features"],
        "background": scale(row["background_error_rate"], "rate"),
        "adapted": scale(row["error_rate"], "rate"),
        "change": scale(row.get("relative_change"), "change"), "p": row.get("p_value"),
        "says": row.get("says"), "seconds": row["train_seconds"],
    }  # fmt: skip
