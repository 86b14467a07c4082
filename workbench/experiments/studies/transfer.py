"""Negative transfer: a background adapted to each domain, measured on each other one."""

from workbench.experiments.papers.study import Study, compare_errors, is_gain
from workbench.experiments.papers.table_spec import make_spec


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


def judge_transfer(rows: list[dict]) -> str:
    """Count the pairs of domains with a gain and with negative transfer."""
    others = [row for row in rows if row["trained_on"] != row["tested_on"]]
    harm = [row for row in others if row["says"] == "loss is significant"]
    helped = [row for row in others if is_gain(row)]
    names = "; ".join(f"{row['trained_on']} on {row['tested_on']} {row['told']}"
                      for row in sorted(harm, key=lambda row: -row["change"])[:5])  # fmt: skip
    worst = f" The largest: {names}." if harm else ""
    return (
        f"Of {len(others)} pairs of different domains adaptation to the one lowers the error on "
        f"the other significantly in {len(helped)} and raises it, negative transfer, in "
        f"{len(harm)}.{worst} On its own domain it lowers it in "
        f"{sum(map(is_gain, (row for row in rows if row not in others)))} of "
        f"{len(rows) - len(others)}."
    )


SPEC = make_spec(
    "transfer", "CA04", "beside table 6", "each domain's model on each domain",
    make_transfer, judge_transfer,
    ("trained_on", "adapted to"), ("tested_on", "tested on"), ("background", "background", "rate"),
    ("error", "adapted", "rate"), ("change", "change", "change"), ("p", "p (McNemar)", "chance"),
    ("says", "verdict"),
)  # fmt: skip
