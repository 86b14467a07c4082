"""The view Papers: a table or figure of theirs made on the chosen texts, with its figures."""

import streamlit as st

from workbench.charts.paper_charts import draw_paper
from workbench.experiments.envelope import Envelope
from workbench.experiments.papers.tables import find_specs_of, to_markdown
from workbench.settings import Settings
from workbench.text.tasks import TaskName
from workbench.views import cache, controls, private, typography
from workbench.views.errors import plain, show_errors
from workbench.views.progress import Progress
from workbench.views.typography import draw_table, number_column, scale, typeset

_FIRST = "6"
_ALWAYS = ("error", "accuracy", "f1", "change", "says")  # columns shown even if rows are equal
_NOTE = "“Paper” is the paper's own figure, for other texts: expect its pattern, not its number."


def render(settings: Settings) -> None:
    """Draw the view; errors are shown where they arise."""
    task, lacking = cache.task_of(settings.background), cache.lacking(settings.background)
    specs = find_specs_of(task, lacking)
    if specs:
        _render_one_of(specs, settings, task)
    if lacking:
        left = [spec.label for spec in find_specs_of(task) if spec not in specs]
        of = ", ".join(sorted({label.split()[0] for label in left}))
        what = f"{len(left)} more tables and figures ({of}) need the background's text"
        st.caption(f"{what}; the chosen one is a model, which comes without it.")
        controls.offer_background(settings)


def _render_one_of(specs, settings, task):
    title, spec, others = st.empty(), _choose_table(specs), _choose_domains(settings, task)
    domains = (settings.domain, *others)
    title.html(typography.title_html(settings.background, " and ".join(domains)))
    st.subheader(typeset(f"{spec.source}: {spec.title}"), anchor=False)
    if spec.is_of_test and not controls.may_test(settings.background, *domains):
        st.caption(plain(typeset(spec.note)))
        return
    place, problem = st.empty(), st.container()
    with show_errors(problem):
        with Progress(place) as progress:
            table, study = _make(spec, settings, domains, progress)
        if spec.is_of_test and isinstance(task, TaskName):  # an annex's are cross-validated
            for texts in study.domains.values():
                with cache.discretion(settings.background):
                    Envelope(study.background_size[0], texts["test"]).open(f"Papers: {spec.label}")
        facts = [typeset(fact) for fact in study.facts]
        title.html(typography.title_html(settings.background, " and ".join(domains), facts))
        _draw(table)
        markdown = "\n".join(to_markdown([table], study)) + "\n"
        name = f"table-{table.spec.name}.md"
        controls.offer_file("Table, Markdown", markdown, name, "text/markdown")


def _choose_table(specs):
    by_label = {spec.label: spec for spec in specs}
    first = next((spec for spec in specs if spec.name == _FIRST), specs[0])
    label = st.pills(
        "Table or figure", list(by_label), default=first.label, required=True,
        help=" · ".join(f"{spec.label}: {spec.title}" for spec in specs),
        **controls.in_link("table", list(by_label), f"{first.label} is shown instead"),
    )  # fmt: skip
    return by_label[label]


def _choose_domains(settings, task):
    names = cache.data_set_names(task)["domain"]
    free = [name for name in names if name not in (settings.background, settings.domain)]
    later = names[names.index(settings.domain) + 1 :] if settings.domain in names else ()
    n_first = 1 if isinstance(task, TaskName) else 0  # an annex's may take a minute each
    return st.multiselect(
        "Also adapted to", free, max_selections=3, width=470,
        default=[name for name in later if name in free][:n_first],  # the next on the list
        key=f"domains other than {settings.background} and {settings.domain}",
        help="Chelba & Acero have two domains; their table 6 has the errors of each model on each.",
    )  # fmt: skip


def _make(spec, settings, domains, progress):
    """Return the table of a spec, made now or kept, and its study."""
    progress.begin("reading")
    callbacks = {"on_build": progress.on_build, "on_wait": progress.on_wait}
    key, study = cache.study(settings, domains, **callbacks)

    def tell(line):
        private.yield_run()  # a newer choice comes first
        progress.begin(typeset(line), at_once=True)

    watch = tell, progress.on_step
    progress.begin("making a table from these texts")
    return cache.table(spec, key, study, watch, progress.on_wait), study


def _draw(table):
    st.html(typography.summary_html(typeset(table.sentence)))
    charts = draw_paper(table.spec.name, table.rows)
    if len(charts) == 1:
        st.container(width=640).altair_chart(charts[0])
    elif charts:
        for place, chart in zip(st.columns(len(charts), gap="large"), charts, strict=True):
            place.altair_chart(chart)
    if not table.rows:
        return
    keys = [column.key for column in table.columns]
    draw_table(
        [{c.key: scale(row.get(c.key), c.kind) for c in table.columns} for row in table.rows],
        {c.key: (number_column(typeset(c.heading), c.kind) if c.is_number
                 else st.column_config.TextColumn(typeset(c.heading))) for c in table.columns},
        (keys[0], *_ALWAYS), table.spec.title,
    )  # fmt: skip
    if any("paper" in key for key in keys):
        st.caption(_NOTE)
    if table.spec.tests:
        st.caption("Each p is corrected for the number of tests in the table, by Holm's method.")
