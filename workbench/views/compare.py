"""The view Compare: methods on one split, each tuned on dev, drawn as soon as it is fitted."""

from collections.abc import Mapping, Sequence

import streamlit as st

from workbench.charts.bars import draw_bench, gain_of
from workbench.evaluation.number_words import interval_in_words
from workbench.evaluation.task import task_of_row
from workbench.experiments.compare import DEFAULT, METHODS, find_left_out, find_methods
from workbench.experiments.envelope import Envelope
from workbench.experiments.method_rows import (
    best_first,
    describe_values,
    standing,
    summarize_comparison,
    to_csv,
)
from workbench.settings import Settings
from workbench.views import cache, controls, private, typography
from workbench.views.errors import plain, show_errors
from workbench.views.progress import Progress, ProgressBar
from workbench.views.texts import texts_of
from workbench.views.typography import draw_table, number_column, scale, typeset

_LAST = "last comparison"
_CHOSEN = "methods"
_TESTS = "McNemar's test, corrected (Holm), and a paired bootstrap of sentences, both at 5 %"
_HOW = (
    "Each method is tuned on dev, where it tries fewer settings than the map of *Tune*. Errors "
    "on test are compared sentence by sentence: a difference may be clear though intervals overlap."
)
_SHARED = {
    "features": number_column("features", "count", width=85),
    "seconds": number_column("fit, s", "seconds", width=65, help="Of all fits, background apart"),
    "chosen": st.column_config.TextColumn("hyper-parameters", width=300),
}  # fmt: skip
# Those that matter most come first, so that no screen clips them.
_COLUMNS = {
    "method": st.column_config.TextColumn("method", pinned=True, width=130),
    "error": number_column("error", "rate", width=75),
    "F1": number_column("F1", "rate", width=75, help="Of chunks"),
    "change": number_column("change", "change", width=85, help="Of the background's errors"),
    "background": st.column_config.TextColumn("against background", width=150, help=_TESTS),
    "best": st.column_config.TextColumn("against the best", width=130, help=_TESTS),
    "interval": st.column_config.TextColumn("95 % interval", width=115, help="Of the error, in %"),
    "p": number_column("p, alone", "chance", width=85,
                       help="McNemar's, against the background; verdicts correct for all tests"),
    **_SHARED,
}  # fmt: skip
_ALWAYS = ("method", "error", "F1", "change", "background")


def render(settings: Settings) -> None:
    """Draw the view; an error is shown above the last comparison."""
    title = st.empty()
    title.html(typography.title_html(settings.background, settings.domain))
    names = _choose_methods(settings)
    st.caption(_HOW + (" Sentences that *Tune* leaves out count here." if settings.without else ""))
    if not controls.may_test(settings.background, settings.domain):
        st.caption(_describe(names))
        return
    place, problem, results = st.empty(), st.container(), st.empty()
    with show_errors(problem):
        if not names:
            st.caption("Choose at least one method.")
            return
        with Progress(place) as progress:
            progress.begin(f"reading {settings.background} and {settings.domain}")
            bench = cache.bench(settings, on_build=progress.on_build, on_wait=progress.on_wait)
        title.html(typography.title_html(settings.background, settings.domain, _facts(bench)))
        _run(bench, settings, names, place, results)
    if _LAST in st.session_state:
        with show_errors(problem):
            st.caption(_describe(names))
            name = f"methods-{settings.background}-{settings.domain}".replace("/", "-")
            controls.offer_file(
                "Comparison, CSV", to_csv(st.session_state[_LAST]), f"{name}.csv", "text/csv",
                help="Every figure of it, as JSON, prints `python -m workbench compare --json`.",
            )  # fmt: skip


def _describe(names):
    return "  \n".join(f"**{name}**: {typeset(METHODS[name].note)}" for name in names)


def _choose_methods(settings):
    """Draw the choice of methods and which are left out; returns those chosen."""
    task = cache.task_of(settings.background)
    model, lacking = cache.model_of(settings.background), cache.lacking(settings.background)
    methods = [method.name for method in find_methods(["all"], model, task, lacking=lacking)]
    if _CHOSEN in st.session_state:  # some may be of another task
        st.session_state[_CHOSEN] = [m for m in st.session_state[_CHOSEN] if m in methods]
    names = st.pills(
        "Methods", methods, selection_mode="multi",
        default=[name for name in DEFAULT if name in methods], help=_describe(methods),
        **controls.in_link(_CHOSEN, methods, "it is left out"),
    )  # fmt: skip
    if left_out := find_left_out(model, task, lacking):
        with st.container(horizontal=True, vertical_alignment="center"):
            why = "They learn from the background's text, which a model file does not hold."
            st.caption(f"Not offered: {', '.join(left_out)}. {why}")
            controls.offer_background(settings)
    return names


def _facts(bench):
    split = bench.split
    size = texts_of(bench.test.task).size_of
    facts = [f"background {size(split.background)}"] if not split.lacking else []
    tuned, measured = f"tuned on {size(split.dev)} (dev)", f"measured on {size(bench.test)} (test)"
    return [*facts, f"adaptation {size(split.adaptation)}", tuned, measured]


def _run(bench, settings, names, place, results):
    """Draw the methods that are fitted, then each further one after its fit."""
    look = " ".join(["Compare:", ", ".join(sorted(names)), settings.templates])
    with cache.discretion(settings.background):
        Envelope(bench.split.name, bench.test).open(look.strip())
    n_done = len(names) - len(bench.missing(names))
    _keep(bench, names, results, 0)
    with ProgressBar(place, len(names), "methods", n_done) as progress:
        for generation, name in enumerate(bench.missing(names), 1):
            with cache.take_turn(bench, progress.on_wait):  # another visitor may be measuring
                for _ in bench.run([name], progress.on_name, progress.on_try, progress.on_step):
                    pass
            progress.n_done += 1
            _keep(bench, names, results, generation)
            private.yield_run()


def _keep(bench, names, results, generation):
    comparison = bench.comparison(names)
    if not comparison["models"]:
        return
    st.session_state[_LAST] = comparison
    with results.container():
        _draw(comparison, texts_of(bench.test.task), len(names), generation)


def _draw(comparison, kind, n_methods, generation):
    st.html(typography.summary_html(typeset(summarize_comparison(comparison, n_methods))))
    for line in comparison.get("shared", ()):
        st.warning(plain(line))
    rows = best_first(comparison)
    chart = draw_bench(rows, comparison.get("measure", ""))
    st.altair_chart(chart, key=f"bench {generation}")
    if kind.draw_comparison:
        kind.draw_comparison(comparison, rows, _SHARED)
        return
    draw_table(
        table_of(comparison, rows), _COLUMNS, _ALWAYS,
        "Methods, their test errors, and whether the differences are significant",
    )  # fmt: skip


def table_of(comparison: Mapping, rows: Sequence[Mapping]) -> list[dict]:
    """Return the rows of the table on the page, as a list of dicts."""
    pairs = {pair["b"]: pair for pair in comparison["paired"] if pair["a"] == "background"}
    return [_table_row(row, pairs.get(row["name"], {})) for row in rows]


def _table_row(row, pair):
    column = task_of_row(row).headline  # errors have a column anyway
    headline = {column.heading: scale(column.value(row), "rate")} if column.heading else {}
    interval = interval_in_words(row["error_interval"], lambda bound: f"{100 * bound:.2f}")
    is_judged = row["gain"]["from_background"] is not None
    return {
        "method": row["name"], "error": scale(row["error_rate"], "rate"), **headline,
        "change": scale(pair.get("relative_change"), "change"),
        "background": gain_of(row) if is_judged else None, "best": standing(row),
        "interval": interval, "p": scale(pair.get("p_value"), "chance"),
        "features": row["features"], "seconds": row["fit_seconds"], "chosen": describe_values(row),
    }  # fmt: skip
