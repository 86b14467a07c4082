"""The papers' tables on tiny texts: their form, their charts, what they are made of."""

import json
import re

import numpy as np
import pytest

from workbench.charts.paper_charts import draw_paper, save_paper
from workbench.evaluation.significance import TOO_FEW
from workbench.experiments import backgrounds
from workbench.experiments.papers.study import Study, change, compare_errors, growing_amounts
from workbench.experiments.papers.table_spec import Column, make_spec
from workbench.experiments.papers.tables import (
    TABLE_SPECS,
    find_table_specs,
    make_table,
    to_markdown,
)
from workbench.text.errors import InputError


def test_all_of_the_papers_tables_are_there(tables):
    assert list(tables) == list(TABLE_SPECS)
    assert list(TABLE_SPECS) == [
        "1", "2", "3", "4", "5", "6", "figure1", "pn08-1", "pn08-2", "pn08-4",
        "pn08-figure1", "pn08-weight", "crf08-2", "crf08-4", "crf08-figure2", "crf08-figure3",
    ]  # fmt: skip


def test_every_table_compares_with_the_paper_in_a_sentence(tables):
    for table in tables.values():
        assert table.sentence.endswith(".")
        assert "nan" not in table.sentence


def test_every_table_survives_strict_json(tables):
    for table in tables.values():
        result = table.to_json()
        assert json.loads(json.dumps(result, allow_nan=False)) == result
        assert set(result) == {"name", "source", "title", "columns", "rows", "sentence", "seconds"}


def test_every_value_has_its_column(tables):
    extra = set(
        "a_word background method says change says_combined gain loss has_gap is_chunks told "
        "change_less told_less told_unigram".split()
    )
    for table in tables.values():
        keys = {column.key for column in table.spec.columns}
        assert {key for row in table.rows for key in row} - keys <= extra


def test_markdown_lines_up(tables, study):
    lines = to_markdown(list(tables.values()), study)
    assert re.fullmatch(r"Paired tests here: \d+; .* below 5 %\.", lines[-1])
    assert lines[0].startswith("Background newswire (500 words); adapted to talk (")
    for table in tables.values():
        grid = [line for line in table.to_markdown() if line.startswith("|")]
        assert len(grid) == (len(table.rows) + 2 if table.rows else 0)
        assert len({len(line) for line in grid}) <= 1
        assert len({line.count("|") for line in grid}) <= 1


@pytest.mark.parametrize(
    ("p_values", "corrected", "holds"),
    [
        ((None,), (None,), 1), ((0.04,), (0.04,), 1), ((0.001, 0.03), (0.002, 0.03), 2),
        ((0.688, 0.033), (0.688, 0.066), 0),
        ((0.03, None, 0.001, 0.03), (0.06, None, 0.003, 0.06), 2),
    ],
)  # fmt: skip
def test_p_values_and_verdicts_are_corrected_for_their_number(study, p_values, corrected, holds):
    rows = [{"p": p, "says": "gain is significant"} for p in p_values]
    columns = ("p", "p", "chance"), ("says", "verdict")
    table = make_table(make_spec("t", "CA04", "table 9", "", lambda _: rows, str, *columns), study)
    assert table.p_values == pytest.approx([p for p in corrected if p is not None])
    assert sum(row["says"] == "gain is significant" for row in table.rows) == holds


def test_each_piece_of_work_is_reported(tables, lines):
    assert any("background of" in line for line in lines)
    assert any(line.startswith("adapting to talk") for line in lines)


def test_the_error_for_an_unknown_table_names_the_known_ones():
    with pytest.raises(InputError, match="table '7': known for case are 1, 2, 3"):
        find_table_specs(["1", "7"])
    assert [spec.name for spec in find_table_specs(["6", "1", "6"])] == ["6", "1"]


@pytest.mark.parametrize(
    "name", ["2", "3", "5", "6", "figure1", "pn08-1", "crf08-figure2", "crf08-figure3"]
)
def test_a_table_has_its_charts(tables, name):
    charts = draw_paper(name, tables[name].rows)
    assert len(charts) == (2 if name == "figure1" else 1)
    for chart in charts:
        assert chart.to_dict()["title"]


def test_charts_are_written_as_pictures(tables, tmp_path):
    files = save_paper("figure1", tables["figure1"].rows, tmp_path / "new")
    assert [file.name for file in files] == ["figure1.svg", "figure1-2.svg"]
    assert all(file.read_text().startswith("<svg") for file in files)
    assert save_paper("1", tables["1"].rows, tmp_path) == []
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"pictures .*file: File exists"):
        save_paper("figure1", tables["figure1"].rows, tmp_path / "file")


def test_one_word_more_is_no_transfer_in_the_picture(tables):
    row = {"background": 0.03, "error": 0.02, "trained_on": "a", "change": 0.0, "p": 1.0}
    says = {"no change": "no clear difference", "loss is significant": "▲ negative transfer"}
    rows = [row | {"tested_on": name, "says": name} for name in says]
    (chart,) = draw_paper("transfer", rows)
    data = next(iter(chart.to_dict()["datasets"].values()))
    assert {cell["says"]: cell["effect"] for cell in data} == says


def test_a_table_without_rows_or_picture_has_no_chart(tables):
    assert draw_paper("1", tables["1"].rows) == []
    assert draw_paper("pn08-figure1", []) == []


# --- what they are made of ----------------------------------------------------------------


def test_models_are_made_once(study, monkeypatch):
    study.memm()
    monkeypatch.setattr(backgrounds, "_cached", lambda *_: pytest.fail("made again"))
    assert study.memm() is study.memm()


def test_amounts_beyond_the_text_are_left_out(background_corpus, domains):
    study = Study(background_corpus, domains, amounts=[0, 500, 9999])
    assert study.parts == [background_corpus]


@pytest.mark.parametrize(
    ("lengths", "amounts"), [([5], [5]), ([2, 2, 6], [2, 4, 10]), ([10] * 21, [20, 40, 210])]
)
def test_amounts_grow_by_text_or_as_in_the_paper(lengths, amounts):
    assert growing_amounts(lengths) == amounts


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        ("rate", 0.01234, "1.23"), ("change", -0.361, "-36"), ("count", 20000, "20,000"),
        ("nats", -4258.58, "-4,258.6"), ("chance", 0.00012, "< 0.001"), ("text", "x", "x"),
        ("change", 0.004, "no change"),
        ("number", 0.01, "0.01"), ("rate", None, "-"),
    ],
)  # fmt: skip
def test_values_are_shown_by_kind(kind, value, text):
    assert Column("key", "heading", kind).text(value) == text


def test_one_word_is_no_change(background_corpus):
    right = np.zeros(len(background_corpus), bool)
    wrong = right.copy()
    wrong[3] = True
    assert compare_errors(background_corpus, right, wrong)["says"] == "no change"
    wrong[4] = True
    assert compare_errors(background_corpus, right, wrong)["says"] == TOO_FEW


def test_a_change_from_nothing_is_undefined():
    assert (change(0, 1), change(None, 1), change(1, None), change(0.04, 0.01)) == (
        None, None, None, -0.75,
    )  # fmt: skip
