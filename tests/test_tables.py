"""The papers' tables on tiny texts: their rows, their sentences, their form."""

import json

import numpy as np
import pytest

from workbench.charts.papers import draw_paper
from workbench.experiments import backgrounds, ca04_paper, crf08, pn08
from workbench.experiments.ca04 import stand_ins
from workbench.experiments.material import Column, Material, change, growing_amounts
from workbench.experiments.tables import MAKERS, find_makers, make_tables, to_markdown
from workbench.text.errors import InputError
from workbench.text.readers import read_corpus

OPTIONS = {"templates": "ca04", "cutoff": 1, "sigma2": 5.0}


@pytest.fixture(scope="module")
def domains(adaptation_corpus):
    dealt = [adaptation_corpus.take(np.arange(first, 26, 3)) for first in range(3)]
    parts = ("train", "dev", "test")
    return {
        "talk": dict(zip(parts, dealt, strict=True)),
        "bn-abc": dict(zip(parts, dealt[::-1], strict=True)),
    }


@pytest.fixture(scope="module")
def told():
    return []


@pytest.fixture(scope="module")
def material(background_corpus, domains, few_sentences, told):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(backgrounds, "model_folder", lambda: None)
        yield Material(background_corpus, domains, few_sentences, [200, 350], OPTIONS, told.append)


@pytest.fixture(scope="module")
def tables(material):
    return {table.maker.name: table for table in make_tables(material)}


def rows_of(tables, name, **chosen):
    return [r for r in tables[name].rows if all(r[key] == x for key, x in chosen.items())]


def test_all_of_the_papers_tables_are_there(tables):
    assert list(tables) == list(MAKERS)
    assert list(MAKERS) == [
        "1", "2", "3", "4", "5", "6", "figure1", "pn08-1", "pn08-figure1",
        "crf08-2", "crf08-4", "crf08-figure2", "crf08-figure3",
    ]  # fmt: skip


def test_every_table_compares_with_the_paper_in_a_sentence(tables):
    for table in tables.values():
        assert table.sentence.endswith(".")
        assert "nan" not in table.sentence


def test_every_table_survives_strict_json(tables):
    for table in tables.values():
        told = table.to_json()
        assert json.loads(json.dumps(told, allow_nan=False)) == told
        assert set(told) == {"name", "source", "title", "columns", "rows", "sentence", "seconds"}


def test_every_value_has_its_column(tables):
    extra = {"a_word", "background", "method", "paper_set"}
    for table in tables.values():
        keys = {column.key for column in table.maker.columns}
        assert {key for row in table.rows for key in row} - keys <= extra


def test_markdown_lines_up(tables, material):
    lines = to_markdown(tables.values(), material)
    assert lines[0].startswith("Background newswire (500 words); adapted to talk (")
    for table in tables.values():
        grid = [line for line in table.to_markdown() if line.startswith("|")]
        assert len(grid) == (len(table.rows) + 2 if table.rows else 0)
        assert len({len(line) for line in grid}) <= 1
        assert len({line.count("|") for line in grid}) <= 1


def test_the_work_is_told(tables, told):
    assert any("background of" in line for line in told)
    assert any(line.startswith("adapting to talk") for line in told)


# --- Chelba & Acero (2004) ----------------------------------------------------------------


def test_table_1_counts_words(tables, background_corpus, domains):
    first, talk, abc = tables["1"].rows
    assert first["train"] == len(background_corpus)
    assert talk["dev"] == len(domains["talk"]["dev"])
    assert (first["paper_train"], talk["paper_train"], abc["paper_train"]) == (
        20_000_000, 73_000, 25_000,
    )  # fmt: skip


def test_table_2_grows_with_the_text(tables):
    for model in ("1-gram", "MEMM"):
        sizes = [row["parameters"] for row in rows_of(tables, "2", model=model)]
        assert len(sizes) == 3
        assert sizes == sorted(sizes)


def test_tables_2_and_3_stop_at_the_ends_of_sentences(tables, background_corpus):
    words = [row["words"] for row in rows_of(tables, "3", model="MEMM")]
    assert words[-1] == len(background_corpus)
    assert set(words) <= set(background_corpus.starts.tolist())
    assert 200 <= words[0] < 215


def test_table_3_holds_the_errors_of_the_models(tables, material, few_sentences):
    row = rows_of(tables, "3", model="MEMM")[-1]
    wrong = material.memm().tag(few_sentences) != few_sentences.tags
    assert row["in_domain"] == wrong.mean()
    assert row["paper"] == 0.023


def test_table_4_counts_new_features(tables):
    for domain in ("talk", "bn-abc"):
        none, five, every = rows_of(tables, "4", domain=domain)
        assert none["new"] == 0 <= five["new"] <= every["new"]
        assert every["features"] == every["background"] + every["new"]
    assert rows_of(tables, "4", domain="talk")[1]["paper_new"] == 159
    assert "paper" not in rows_of(tables, "4", domain="bn-abc")[1]


def test_table_5_marks_the_best_of_every_cutoff(tables):
    rows = tables["5"].rows
    for cutoff in ("none", "5", "0"):
        chosen = [row for row in rows if row["cutoff"] == cutoff]
        assert [row["best"] for row in chosen].count("best") == 1
        best = next(row for row in chosen if row["best"])
        assert best["accuracy"] == max(row["accuracy"] for row in chosen)
        likelihoods = [row["log_likelihood"] for row in chosen]
        assert likelihoods == sorted(likelihoods)


def test_table_6_holds_the_papers_matrix_beside_ours(tables):
    rows = {(row["trained_on"], row["tested_on"]): row for row in tables["6"].rows}
    assert len(rows) == 8
    assert rows["talk", "bn-abc"]["paper"] == 0.024
    assert rows["talk", "bn-abc"]["paper_change"] == pytest.approx(1 / 3)
    assert rows["bn-abc", "talk"]["paper"] == 0.017
    assert rows["1-gram", "talk"].get("change") is None


def test_figure_1_has_the_background_beside_it(tables):
    assert len({row["background"] for row in tables["figure1"].rows}) == 1
    assert [row["sigma2"] for row in tables["figure1"].rows][-1] == 100


@pytest.mark.parametrize(
    ("names", "stands_for"),
    [
        (["bn-abc", "bn-cnn"], {"bn-abc": "BN-ABC", "bn-cnn": "BN-CNN"}),
        (["mail", "bn-cnn"], {"bn-cnn": "BN-CNN", "mail": "BN-ABC"}),
        (["a", "b", "c"], {"a": "BN-CNN", "b": "BN-ABC"}),
    ],
)
def test_domains_stand_for_the_papers_by_name_or_by_place(names, stands_for):
    assert stand_ins(names) == stands_for


# --- sentences ----------------------------------------------------------------------------


def cell(trained_on, tested_on, change, says):
    return {"trained_on": trained_on, "tested_on": tested_on, "change": change, "says": says}


OWN = [cell("a", "a", -0.4, "gain is significant"), cell("b", "b", -0.2, "gain is significant")]
A_ON_B = cell("a", "b", 0.3, "negative transfer") | {"paper_change": 0.33}
B_ON_A = cell("b", "a", -0.1, "gain is not significant") | {"paper_change": -0.23}


def test_negative_transfer_is_named_with_its_direction():
    told = ca04_paper.judge_matrix([*OWN, A_ON_B, B_ON_A])
    assert told.startswith("As in the paper, adaptation to a domain's own text")
    assert "in 2 of 2" in told
    assert told.endswith(
        "As in the paper, there is negative transfer, errors above the background's, in one "
        "direction: adapted to a and tested on b +30% (paper: +33%); not so: adapted to b and "
        "tested on a -10% (paper: -23%)."
    )


def test_negative_transfer_the_other_way_is_unlike_the_paper():
    rows = [
        A_ON_B | {"says": "gain is significant", "change": -0.3},
        B_ON_A | {"says": "negative transfer", "change": 0.1},
    ]
    told = ca04_paper.judge_matrix([*OWN, *rows])
    assert "Unlike in the paper, there is negative transfer" in told
    assert "in one direction: adapted to b and tested on a +10% (paper: -23%); not so:" in told
    both = ca04_paper.judge_matrix([*OWN, A_ON_B, rows[1]])
    assert "in 2 directions: adapted to a and tested on b +30%" in both
    assert "not so" not in both


def test_no_negative_transfer_is_unlike_the_paper():
    rows = [cell("a", "a", -0.4, "gain is not significant"), cell("b", "a", 0.0, "x")]
    told = ca04_paper.judge_matrix(rows)
    assert told.startswith("Unlike in the paper")
    assert told.endswith(
        "Unlike in the paper, no model adapted to one domain is significantly worse than the "
        "background on another: adapted to b and tested on a +0%."
    )


def point(sigma2, dev, likelihood):
    return {"sigma2": sigma2, "dev_error_rate": dev, "log_likelihood": likelihood,
            "background": 0.03}  # fmt: skip


@pytest.mark.parametrize(
    ("points", "starts", "holds"),
    [
        ([(0.1, 0.02, -9), (1, 0.01, -5), (10, 0.015, -1)], "As", "as in the paper, the dev"),
        ([(0.1, 0.02, -9), (1, 0.03, -5), (10, 0.04, -1)], "As", "unlike in the paper, the dev"),
        ([(0.1, 0.02, -9), (1, 0.01, -10), (10, 0.04, -1)], "Unlike", "does not always rise"),
    ],
)
def test_the_shape_of_figure_1_is_judged(points, starts, holds):
    told = ca04_paper.judge_curve([point(*each) for each in points])
    assert told.startswith(starts)
    assert holds in told


def test_pn08_is_judged_by_the_order_of_its_systems():
    accuracy = {"target": 0.9, "background": 0.8, "all": 0.95, "auxiliary": 0.89,
                "model-combination": 0.91, "equal-weights": 0.9}  # fmt: skip
    rows = [{"tested_on": "a", "method": m, "accuracy": x} for m, x in accuracy.items()]
    told = pn08.judge_methods(rows)
    assert "worst system in 1 of 1 (paper: 5 of 5); the best is data combination" in told
    assert "model combination 1 of 1 (paper: 4 of 5)" in told
    assert "auxiliary distribution 0 of 1" in told


def test_too_little_text_for_shares_is_said():
    assert "too little text" in pn08.judge_shares([])


# --- Plank & van Noord (2008) -------------------------------------------------------------


def test_pn08_table_1_has_every_system_on_every_domain(tables):
    for domain in ("talk", "bn-abc"):
        rows = rows_of(tables, "pn08-1", tested_on=domain)
        assert [row["method"] for row in rows] == list(pn08.SYSTEMS)
        assert rows[0]["says"] is None
        assert rows[5]["paper_2005"] == 0.9819


def test_pn08_figure_1_is_cross_validated(adaptation_corpus, background_corpus, monkeypatch):
    monkeypatch.setattr(backgrounds, "model_folder", lambda: None)
    monkeypatch.setattr(pn08, "_FEWEST", 8)
    parts = dict.fromkeys(("train", "dev", "test"), adaptation_corpus)
    material = Material(background_corpus, {"talk": parts}, options=OPTIONS)
    rows = pn08.make_shares(material)
    assert [row["share"] for row in rows] == [0.5, 1.0]
    assert rows[0]["words"] < rows[1]["words"]
    assert all(0.5 < row[name] <= 1 for row in rows for name in (*pn08.LEARNERS, "background"))
    assert pn08.judge_shares(rows).endswith("%.")


def test_a_smaller_share_is_part_of_a_larger_one(adaptation_corpus):
    small, large = (pn08._draw(adaptation_corpus, share, 3) for share in (0.3, 0.7))
    sentences = [
        {tuple(corpus.sentence(i)) for i in range(corpus.n_sentences)} for corpus in (small, large)
    ]
    assert sentences[0] < sentences[1]


# --- what they are made of ----------------------------------------------------------------


def test_models_are_made_once(material, monkeypatch):
    material.memm()
    monkeypatch.setattr(backgrounds, "_cached", lambda *_: pytest.fail("made again"))
    assert material.memm() is material.memm()


def test_amounts_beyond_the_text_are_left_out(background_corpus, domains):
    material = Material(background_corpus, domains, amounts=[0, 500, 9999])
    assert material.parts == [background_corpus]


@pytest.mark.parametrize(
    ("lengths", "amounts"),
    [([5], [5]), ([2, 2, 6], [2, 4, 10]), ([10] * 21, [20, 40, 210])],
)
def test_amounts_grow_by_text_or_as_in_the_paper(lengths, amounts):
    assert growing_amounts(lengths) == amounts


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        ("rate", 0.01234, "1.23"), ("change", -0.361, "-36"), ("count", 20000, "20,000"),
        ("nats", -4258.58, "-4,258.6"), ("chance", 0.00012, "0.00012"), ("text", "x", "x"),
        ("number", 0.01, "0.01"), ("rate", None, "-"),
    ],
)  # fmt: skip
def test_values_are_shown_by_kind(kind, value, text):
    assert Column("key", "heading", kind).text(value) == text


def test_a_change_from_nothing_is_undefined():
    assert (change(0, 1), change(None, 1), change(1, None), change(0.04, 0.01)) == (
        None, None, None, -0.75,
    )  # fmt: skip


def test_an_unknown_table_is_told_the_known_ones():
    with pytest.raises(InputError, match="table '7': known are 1, 2, 3"):
        find_makers(["1", "7"])
    assert [maker.name for maker in find_makers(["6", "1", "6"])] == ["6", "1"]


@pytest.mark.parametrize(
    "name", ["2", "3", "5", "6", "figure1", "pn08-1", "crf08-figure2", "crf08-figure3"]
)
def test_a_table_has_its_charts(tables, name):
    charts = draw_paper(name, tables[name].rows)
    assert len(charts) == (2 if name == "figure1" else 1)
    for chart in charts:
        assert chart.to_dict()["title"]


def test_a_table_without_rows_or_picture_has_no_chart(tables):
    assert draw_paper("1", tables["1"].rows) == []
    assert draw_paper("pn08-figure1", []) == []


# --- Zhang, Qiu, Huang & Wu (2008) --------------------------------------------------------


def test_capitalizers_are_adapted_and_combined(tables, material):
    rows = tables["crf08-4"].rows
    systems = [row["system"] for row in rows]
    per_domain = [crf08.OUT, crf08.ADAPTED, crf08.COMBINED]
    assert systems == [crf08.IN, *per_domain, *per_domain]
    out, adapted, _ = rows_of(tables, "crf08-4", tested_on="talk")
    test = material.domains["talk"]["test"]
    assert out["accuracy"] == (material.crf().tag(test) == test.tags).mean()
    assert adapted["change"] == pytest.approx((1 - adapted["accuracy"]) / (1 - out["accuracy"]) - 1)
    assert {"sigma2_m", "sigma2_a"} <= set(adapted)
    assert [row["paper"] for row in rows[:4]] == [None, None, None, 0.947]


def test_chunks_are_no_capitalization(tables):
    assert tables["crf08-2"].rows == []
    assert tables["crf08-2"].sentence.startswith("This table is of chunks")


def test_shares_begin_with_none_and_with_two_sentences(tables, material):
    rows = tables["crf08-figure2"].rows
    n = material.domains["talk"]["train"].n_sentences
    assert [rows[0]["sentences"], rows[1]["sentences"], rows[-1]["sentences"]] == [0, 2, n]
    assert all("in_domain" in row for row in rows)


def test_variances_are_tried_over_four_decades(tables):
    rows = tables["crf08-figure3"].rows
    assert [row["sigma2_m"] for row in rows] == list(crf08.SIGMA2_MS)
    assert len({row["sigma2_a"] for row in rows}) == 1
    assert len({row["dev"] for row in rows}) > 1


def chunked(tmp_path, name, text):
    path = tmp_path / f"{name}.iob"
    path.write_text(text)
    return read_corpus(path)


@pytest.fixture
def chunk_material(tmp_path, monkeypatch):
    monkeypatch.setattr(backgrounds, "model_folder", lambda: None)
    news = "The DT B-NP\npound NN I-NP\nfell VBD B-VP\n. . O\n\nHe PRP B-NP\nran VBD B-VP\n"
    talk = "In IN B-PP\nvitro FW B-ADVP\nbinding NN B-NP\nrose VBD B-VP\n\nThe DT B-NP\n"
    domain = {part: chunked(tmp_path, part, talk) for part in ("train", "dev", "test")}
    options = {"templates": "chunk", "cutoff": 0, "sigma2": 5.0}
    news = chunked(tmp_path, "news", news)
    return Material(news, {"talk": domain}, news, options=options)


def test_chunkers_are_adapted_to_all_and_to_two_sentences(chunk_material):
    [table] = make_tables(chunk_material, ["crf08-2"])
    systems = [row["system"] for row in table.rows]
    assert systems == [crf08.IN, crf08.OUT, crf08.FEW, crf08.ADAPTED]
    assert [row["f1"] for row in table.rows][::3] == [1.0, 1.0]
    assert table.rows[1]["f1"] < 1
    assert [row["paper"] for row in table.rows] == [0.962, 0.884, 0.919, 0.95]
    assert "As in the paper, the error of words falls with all the text: -" in table.sentence
    assert "(paper: -30.2 %)." in table.sentence


def test_of_labels_there_are_the_tables_of_crfs(chunk_material):
    names = [table.maker.name for table in make_tables(chunk_material)]
    assert names == ["crf08-2", "crf08-4", "crf08-figure2", "crf08-figure3"]
    with pytest.raises(InputError, match="table '3' is of capitalization; news tells other labels"):
        list(make_tables(chunk_material, ["3"]))
