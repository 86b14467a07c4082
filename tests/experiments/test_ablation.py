"""What each template is worth: every row against models trained one by one."""

import json

import numpy as np
import pytest

from workbench.adaptation.adaptation import adapt
from workbench.adaptation.method import Split
from workbench.charts import draw_ablation
from workbench.charts.bars import ablation_table
from workbench.experiments.ablation import Ablation, plan, summarize
from workbench.experiments.search import choose_sigma2
from workbench.features.templates import TEMPLATE_SETS
from workbench.models.memm import MEMM
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError

TEMPLATES = "currentword previousword t-1 shape"


@pytest.fixture(scope="module")
def split(background_corpus, adaptation_corpus):
    train, dev = (adaptation_corpus.take(np.arange(first, 26, 2)) for first in (0, 1))
    options = {"templates": TEMPLATES, "cutoff": 1, "sigma2": 5.0}
    return Split(background_corpus, train, dev, options)


@pytest.fixture(scope="module")
def ablation(split):
    found = Ablation(split, sigma2=1.0)
    list(found.run())
    return found.to_json()


def wrong_of(split, templates, sigma2):
    background = MEMM.fit(split.background, templates, 1, 5.0)
    model = adapt(background, split.adaptation, sigma2)
    return [m.tag(split.dev) != split.dev.tags for m in (background, model)]


def test_each_template_is_taken_away_once_and_counted_in_strict_json(ablation, split):
    names = [row["name"] for row in ablation["rows"]]
    assert names == ["all", "-currentword", "-previousword", "-t-1", "-shape"]
    assert (ablation["sigma2"], ablation["each"]) == (1.0, "without")
    assert json.loads(json.dumps(ablation, allow_nan=False)) == ablation
    row = ablation["rows"][2]
    before, wrong = wrong_of(split, "currentword t-1 shape", 1.0)
    _, base = wrong_of(split, TEMPLATES, 1.0)
    assert (row["background_error_rate"], row["error_rate"]) == (before.mean(), wrong.mean())
    assert (row["fixed"], row["broken"]) == ((base & ~wrong).sum(), (wrong & ~base).sum())
    assert row["relative_change"] == pytest.approx(wrong.sum() / base.sum() - 1)


def test_each_template_is_added_to_those_of_the_paper():
    sets = plan("extended -shape", "added")
    assert sets["ca04"] == list(TEMPLATE_SETS["ca04"])
    further = [n for n in TEMPLATE_SETS["extended"] if n not in sets["ca04"] and n != "shape"]
    assert list(sets) == ["ca04", *(f"+{name}" for name in further)]
    assert sets["+position"] == [*sets["ca04"], "position"]


def test_a_text_without_capitals_is_refused(split):
    lower = Corpus.from_sentences([["all", "lower", "."]], "lower")
    with pytest.raises(InputError, match="lower: no capital"):
        Ablation(Split(split.background, split.adaptation, lower, split.options))


def test_sigma2_is_searched_once_with_the_base(split):
    found = Ablation(split)
    next(found.run())
    background = MEMM.fit(split.background, TEMPLATES, 1, 5.0)
    assert found.sigma2 == choose_sigma2(background, split.adaptation, split.dev)[0]


def test_a_run_that_was_stopped_goes_on_where_it_was(split):
    found = Ablation(split, sigma2=1.0)
    next(found.run())
    assert found.missing[0] == "-currentword"
    names = []
    rows = list(found.run(names.append))
    assert names == ["-currentword", "-previousword", "-t-1", "-shape"]
    assert [len(each) for each in rows] == [2, 3, 4, 5]
    assert found.missing == []


@pytest.mark.parametrize(
    ("templates", "each", "why"),
    [
        ("shape", "without", "templates shape: two or more are needed"),
        ("ca04", "added", "one besides ca04's is needed"),
        ("ca04 +colour", "without", "templates 'colour': no such"),
        ("ca04", "doubled", "each 'doubled': without or added is allowed"),
    ],
)
def test_what_cannot_be_judged_is_refused(templates, each, why):
    with pytest.raises(InputError, match=why):
        plan(templates, each)


def row(name, change, says):
    return {
        "name": name, "relative_change": change, "interval": [change - 0.1, change + 0.1],
        "says": says,
    }  # fmt: skip


ROWS = [
    {"name": "all"},
    row("-shape", 0.3, "loss is significant"),
    row("-t-1", -0.01, "gain is not significant"),
    row("-nextword", -0.4, "gain is significant"),
]


def test_the_summary_names_what_matters_and_whether_it_is_final():
    assert summarize(ROWS) == (
        "Errors rise without it: shape. Errors fall without it: nextword. "
        "No significant difference: 1 of 3."
    )
    added = [{"name": "ca04"}, *(row | {"name": "+" + row["name"][1:]} for row in ROWS[1:])]
    assert summarize(added).startswith("Errors fall with it: nextword. Errors rise with it: shape.")
    assert summarize(ROWS[:1]) == ""
    said = summarize(ROWS[:2], len(ROWS))
    assert said.startswith(f"After 2 of {len(ROWS)} sets of templates: errors rise without it: ")
    assert summarize(ROWS, len(ROWS)) == summarize(ROWS)


def test_the_chart_has_a_mark_a_template_the_most_missed_first():
    table = ablation_table(ROWS)
    assert table["templates"].tolist() == ["-shape", "-t-1", "-nextword"]
    assert table["compared with the base"].tolist() == [
        "more errors", "no clear difference", "fewer errors",
    ]  # fmt: skip
    spec = draw_ablation(ROWS).to_dict()
    assert spec["layer"][1]["encoding"]["y"]["sort"] == ["-shape", "-t-1", "-nextword"]
    assert spec["layer"][1]["encoding"]["x"]["axis"]["title"].endswith("with all")


def test_a_base_without_errors_leaves_changes_undefined():
    undefined = {"name": "-shape", "relative_change": None, "interval": [None, None]}
    table = ablation_table([{"name": "all"}, undefined | {"says": "loss is not significant"}])
    assert table[["change", "low", "high"]].isna().all(axis=None)
