"""Negative transfer: a background adapted to each domain, measured on each other one."""

import altair as alt
import pandas as pd

from workbench.charts.paper_charts import draw_matrix
from workbench.experiments.papers.study import Study, compare_errors
from workbench.experiments.papers.tables import make_spec


def make_transfer(study: Study) -> list[dict]:
    """Return the change of the background's errors on each domain by adaptation to each."""
    models = {domain: study.best(domain).model for domain in study.domains}
    return [_cell(study, of, model, on) for of, model in models.items() for on in study.domains]


def _cell(study, of, model, on):
    test = study.domains[on]["test"]
    before = study.wrong("background", study.memm(), test)
    after = study.wrong(f"best for {of}", model, test)
    row = {"trained_on": of, "tested_on": on, "background": float(before.mean())}
    return row | {"error": float(after.mean())} | compare_errors(test, before, after)


def draw_transfer(rows: list[dict]) -> alt.LayerChart:
    """Draw the change of the background's errors on each domain by adaptation to each."""
    table = pd.DataFrame(rows)
    heading = "Errors after adaptation, and their change from the background"
    return draw_matrix(table, heading, width=84 * table["tested_on"].nunique())


SPEC = make_spec(
    "transfer", "CA04", "beside table 6", "each domain's model on each domain",
    make_transfer,
    ("trained_on", "adapted to"), ("tested_on", "tested on"), ("background", "background", "rate"),
    ("error", "adapted", "rate"), ("change", "change", "change"), ("p", "p (McNemar)", "chance"),
    ("says", "verdict"),
)  # fmt: skip
