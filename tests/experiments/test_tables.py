"""The papers' tables and figures on tiny texts: their form, rows, charts and sentences."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from table_rows import OPTIONS, rows_of

from workbench.charts.paper_charts import draw_paper, save_charts
from workbench.evaluation.significance import TOO_FEW, mcnemar
from workbench.experiments import backgrounds
from workbench.experiments.papers import crf08, pn08
from workbench.experiments.papers.ca04 import amount_of_paper, stand_ins
from workbench.experiments.papers.study import Study, change, compare_errors, growing_amounts
from workbench.experiments.papers.tables import (
    PRINTED,
    Column,
    all_specs,
    find_table_specs,
    judge_table,
    make_spec,
    make_table,
    make_tables,
    to_markdown,
)
from workbench.text.errors import InputError
from workbench.text.readers import read_corpus

PAPERS = {
    "CA04": ["1", "2", "3", "4", "5", "6", "figure1"],
    "PN08": ["pn08-1", "pn08-2", "pn08-4", "pn08-figure1", "pn08-weight"],
    "CRF08": ["crf08-2", "crf08-4", "crf08-figure2", "crf08-figure3"],
}
EXTRA = set("a_word background method says change told change_less told_less says_less "
            "told_unigram says_unigram says_combined".split())  # fmt: skip


# --- their form ---------------------------------------------------------------------------


def test_every_table_has_its_form_and_what_the_paper_finds(tables, study):
    assert list(tables) == list(all_specs()) == [name for own in PAPERS.values() for name in own]
    for paper, names in PAPERS.items():
        assert list(PRINTED[paper]["notes"]) == names
    lines = to_markdown(list(tables.values()), study)
    assert lines[0].startswith("Background newswire (500 words); adapted to talk (")
    assert re.fullmatch(r"Paired tests here: \d+; .* below 5 %\.", lines[-1])
    for table in tables.values():
        result = table.to_json()
        assert json.loads(json.dumps(result, allow_nan=False)) == result
        assert table.sentence.endswith(table.spec.note)
        assert len(table.sentence) > len(table.spec.note) or not table.p_values
        shown = {column.key for column in table.spec.columns}
        assert {key for row in table.rows for key in row} - shown <= EXTRA
        grid = [line for line in table.to_markdown() if line.startswith("|")]
        assert len(grid) == (len(table.rows) + 2 if table.rows else 0)
        assert len({(len(line), line.count("|")) for line in grid}) <= 1


def test_each_piece_of_work_is_reported(tables, lines):
    assert any("background of" in line for line in lines)
    assert any(line.startswith("adapting to talk") for line in lines)


def test_a_change_from_nothing_is_undefined():
    pairs = (0, 1), (None, 1), (1, None), (0.04, 0.01)
    assert [change(*pair) for pair in pairs] == [None, None, None, -0.75]


def test_tables_are_found_by_name_and_task(chunk_study):
    assert [spec.name for spec in find_table_specs(["6", "1", "6"])] == ["6", "1"]
    with pytest.raises(InputError, match="table '7': known for case are 1, 2, 3"):
        find_table_specs(["1", "7"])
    assert [table.spec.name for table in make_tables(chunk_study)] == PAPERS["CRF08"]
    with pytest.raises(InputError, match="table '3': known for chunks are crf08-2, crf08-4"):
        list(make_tables(chunk_study, ["3"]))


@pytest.mark.parametrize(("kind", "value", "text"), [
    ("rate", 0.01234, "1.23"), ("change", -0.361, "-36"), ("change", 0.004, "no change"),
    ("count", 20000, "20,000"), ("nats", -4258.58, "-4,258.6"), ("chance", 0.00012, "< 0.001"),
    ("text", "x", "x"), ("number", 0.01, "0.01"), ("rate", None, "-"),
])  # fmt: skip
def test_values_are_shown_by_kind(kind, value, text):
    assert Column("key", "heading", kind).text(value) == text


# --- what their tests say -----------------------------------------------------------------


@pytest.mark.parametrize(("p_values", "corrected", "holds"), [
    ((None,), (None,), 1), ((0.04,), (0.04,), 1), ((0.001, 0.03), (0.002, 0.03), 2),
    ((0.688, 0.033), (0.688, 0.066), 0),
    ((0.03, None, 0.001, 0.03), (0.06, None, 0.003, 0.06), 2),
])  # fmt: skip
def test_p_values_and_verdicts_are_corrected_for_their_number(study, p_values, corrected, holds):
    rows = [{"p": p, "says": "gain is significant"} for p in p_values]
    columns = ("p", "p", "chance"), ("says", "verdict")
    table = make_table(make_spec("t", "CA04", "table 9", "", lambda _: rows, *columns), study)
    assert table.p_values == pytest.approx([p for p in corrected if p is not None])
    assert sum(row["says"] == "gain is significant" for row in table.rows) == holds


def test_a_sentence_counts_the_tests_and_tells_the_largest_effects(study):
    gain, loss = "gain is significant", "loss is significant"
    rows = [
        {"on": on, "p": 0.01, "says": says, "change": change, "told": f"{change:+.0%}", "b_p": p_b,
         "b_says": "loss is not significant"}
        for on, says, change, p_b in (
            ("a", gain, -0.2, 0.5), ("b", gain, -0.4, None), ("c", loss, 0.3, None),
            ("d", TOO_FEW, -0.9, None), ("e", "gain is not significant", -0.5, None),
        )
    ]  # fmt: skip
    columns = ("on", "tested on"), ("p", "p", "chance"), ("b_p", "p", "chance")
    spec = make_spec("4", "CA04", "table 4", "", lambda _: rows, *columns)
    assert judge_table(spec, study, rows, 0).sentence == (
        "Significant gain in 2 of 6 tests, significant loss in 1; too few to tell in 1. "
        "The largest gain: -40%, tested on b. The largest loss: +30%, tested on c. " + spec.note
    )
    spec = make_spec(
        "4", "CA04", "table 4", "", lambda _: rows, *columns[:2], ("b_p", "q", "chance")
    )
    says = judge_table(spec, study, rows, 0).sentence
    assert says.startswith(
        "Significant gain in 2 of 5 tests (column “p”) and 0 of 1 test (column “q”), "
        "significant loss in 1"
    )
    assert judge_table(spec, study, [], 0).sentence.startswith("These texts give no row: ")


# --- their charts -------------------------------------------------------------------------


def test_figures_have_their_charts_which_are_written_as_pictures(tables, tmp_path):
    drawn = {name: draw_paper(name, table.rows) for name, table in tables.items()}
    names = "2", "3", "5", "6", "figure1", "pn08-1", "crf08-figure2", "crf08-figure3"
    assert {name: len(charts) for name, charts in drawn.items() if charts} == {
        name: 2 if name == "figure1" else 1 for name in names
    }
    assert all(chart.to_dict()["title"] for charts in drawn.values() for chart in charts)
    charts = draw_paper("figure1", tables["figure1"].rows)
    files = save_charts("figure1", charts, tmp_path / "new")
    assert [file.name for file in files] == ["figure1.svg", "figure1-2.svg"]
    assert all(file.read_text().startswith("<svg") for file in files)
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"pictures .*file: File exists"):
        save_charts("figure1", charts, tmp_path / "file")


# --- what they are made of ----------------------------------------------------------------


def test_models_are_made_once(study, monkeypatch):
    study.memm()
    monkeypatch.setattr(backgrounds, "_cached", lambda *_: pytest.fail("made again"))
    assert study.memm() is study.memm()


def test_amounts_beyond_the_text_are_left_out(background_corpus, domains):
    study = Study(background_corpus, domains, amounts=[0, 500, 9999])
    assert study.parts == [background_corpus]


def test_one_word_is_no_change(background_corpus):
    right = np.zeros(len(background_corpus), bool)
    wrong = right.copy()
    wrong[3] = True
    assert compare_errors(background_corpus, right, wrong)["says"] == "no change"
    wrong[4] = True
    assert compare_errors(background_corpus, right, wrong)["says"] == TOO_FEW


@pytest.mark.parametrize(
    ("lengths", "amounts"), [([5], [5]), ([2, 2, 6], [2, 4, 10]), ([10] * 21, [20, 40, 210])]
)
def test_amounts_grow_by_text_or_as_in_the_paper(lengths, amounts):
    assert growing_amounts(lengths) == amounts


@pytest.mark.parametrize(("names", "stands_for"), [
    (["bn-abc", "bn-cnn"], {"bn-abc": "BN-ABC", "bn-cnn": "BN-CNN"}),
    (["mail", "bn-cnn"], {"bn-cnn": "BN-CNN", "mail": "BN-ABC"}),
    (["a", "b", "c"], {"a": "BN-CNN", "b": "BN-ABC"}),
])  # fmt: skip
def test_domains_stand_for_the_papers_by_name_or_by_place(names, stands_for):
    assert stand_ins(names) == stands_for


# --- Chelba & Acero (2004) ----------------------------------------------------------------


def test_table_1_counts_words(tables, background_corpus, domains):
    first, talk, abc = tables["1"].rows
    assert first["train"] == len(background_corpus)
    assert talk["dev"] == len(domains["talk"]["dev"])
    assert [row["paper_train"] for row in (first, talk, abc)] == [20_000_000, 73_000, 25_000]


def test_tables_2_and_3_grow_with_the_text_and_stop_at_ends_of_sentences(tables, background_corpus):
    for model in ("1-gram", "MEMM"):
        rows = rows_of(tables, "2", model=model)
        sizes, words = ([row[key] for row in rows] for key in ("parameters", "words"))
        assert len(sizes) == 3
        assert sizes == sorted(sizes)
        assert words[-1] == len(background_corpus)
        assert set(words) <= set(background_corpus.starts.tolist())
        assert 200 <= words[0] < 215
        for name in ("in domain, test", "talk, dev", "bn-abc, dev"):
            cells = rows_of(tables, "3", model=model, tested_on=name)
            assert [row["words"] for row in cells] == words
    assert len(tables["3"].rows) == 18


def test_table_3_holds_the_errors_of_the_models(tables, study, in_domain):
    *_, unigram, row = rows_of(tables, "3", tested_on="in domain, test")
    before, wrong = (m.tag(in_domain) != in_domain.tags for m in (study.unigram(), study.memm()))
    assert (unigram["error"], row["error"]) == (before.mean(), wrong.mean())
    assert row["p"] >= mcnemar(before, wrong).p_value  # corrected
    assert row["paper"] is None  # these are no 20 million words


@pytest.mark.parametrize(
    ("words", "amount"), [(21_000_326, 2), (2_312_207, None), (2_000_034, 0), (500, None)]
)
def test_the_papers_figures_stand_beside_like_amounts_alone(words, amount):
    assert amount_of_paper(words) == amount


def test_the_papers_errors_stand_beside_ours(study, monkeypatch):
    monkeypatch.setitem(PRINTED["CA04"], "amounts", [2_000_000, 3_500_000, len(study.text)])
    (sizes, errors) = make_tables(study, ["2", "3"])
    printed = [(r["paper_words"], r["paper_parameters"]) for r in sizes.rows if "paper_words" in r]
    assert printed == [(len(study.text), 100_000), (len(study.text), 237_586)]
    known = [row["paper"] for row in errors.rows if row["paper"]]
    assert known == [0.044, 0.023, 0.035, 0.021, 0.026, 0.016]


def test_table_4_counts_new_features(tables):
    for domain in ("talk", "bn-abc"):
        none, five, every = rows_of(tables, "4", domain=domain)
        assert none["new"] == 0 <= five["new"] <= every["new"]
        assert every["features"] == every["background"] + every["new"]
    printed = [(row["paper"], row["paper_new"]) for row in rows_of(tables, "4", domain="talk")]
    assert printed == [(237_586, 0), (237_745, 159), (243_262, 5_676)]
    assert "paper" not in rows_of(tables, "4", domain="bn-abc")[1]


def test_table_5_marks_the_best_of_every_cutoff(tables):
    rows = tables["5"].rows
    for cutoff, paper in (("none", 0.9857), ("5", 0.9860), ("0", 0.9862)):
        chosen = [row for row in rows if row["cutoff"] == cutoff]
        (best,) = (row for row in chosen if row["best"] == "best")
        assert best["dev_accuracy"] == max(row["dev_accuracy"] for row in chosen)
        assert best["paper"] == paper
        likelihoods = [row["log_likelihood"] for row in chosen]
        assert likelihoods == sorted(likelihoods)
        assert [row["sigma2"] for row in chosen] == sorted({row["sigma2"] for row in rows})


def test_table_6_holds_the_papers_matrix_beside_ours(tables):
    rows = {(row["trained_on"], row["tested_on"]): row for row in tables["6"].rows}
    assert len(rows) == 8
    assert rows["talk", "bn-abc"]["paper"] == 0.024
    assert rows["talk", "bn-abc"]["paper_change"] == pytest.approx(1 / 3)
    assert rows["bn-abc", "talk"]["paper"] == 0.017
    assert rows["bn-abc", "talk"]["paper_from_unigram"] == pytest.approx(17 / 37 - 1)
    assert rows["1-gram", "talk"].get("change") is None


def test_figure_1_has_the_background_beside_it(tables):
    assert len({row["background"] for row in tables["figure1"].rows}) == 1
    assert [row["sigma2"] for row in tables["figure1"].rows][-1] == 100


# --- Plank & van Noord (2008) -------------------------------------------------------------


def test_pn08_compares_every_system_on_every_domain(tables):
    for domain in ("talk", "bn-abc"):
        rows = rows_of(tables, "pn08-1", tested_on=domain)
        assert [row["method"] for row in rows] == list(pn08.SYSTEMS)
        assert "says_target" not in rows[0]
        assert all(0 <= row["p_target"] <= 1 for row in rows[1:])
        assert rows[5]["paper_2005"] == 0.9819
    accuracies = {(r["tested_on"], r["method"]): r["accuracy"] for r in tables["pn08-1"].rows}
    for name, methods in (("pn08-2", pn08.CLASSES.systems), ("pn08-4", pn08.SUB_DOMAINS.systems)):
        rows = rows_of(tables, name, tested_on="talk")
        assert [row["method"] for row in rows] == list(methods)
        for row in rows:
            known = accuracies.get((row["tested_on"], row["method"]), row["accuracy"])
            assert row["accuracy"] == known
    assert "p_auxiliary" in rows_of(tables, "pn08-2", method="auxiliary-classes")[0]


@pytest.fixture(scope="module")
def share_study(adaptation_corpus, background_corpus):
    parts = dict.fromkeys(("train", "dev", "test"), adaptation_corpus)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(backgrounds, "model_folder", lambda: None)
        patch.setattr(pn08, "_FEWEST", 8)
        patch.setattr(pn08, "SHARES", (0.1, 0.5, 1.0))
        patch.setattr(pn08, "N_DRAWS", 4)
        yield Study(background_corpus, {"talk": parts}, options=OPTIONS)


def test_pn08_figure_1_is_of_random_draws_each_part_of_a_larger(share_study, adaptation_corpus):
    rows = list(pn08.make_shares(share_study))
    assert [(row["share"], row["draws"]) for row in rows] == [(0.5, 4), (1.0, 5)]
    assert rows[0]["words"] < rows[1]["words"]
    for name in pn08.LEARNERS:
        assert all(0.5 < row[name] <= 1 for row in rows)
        assert all(row[f"{name}_says"].endswith("significant") for row in rows)
    assert rows[0]["target_spread"] > 0
    drawn = [pn08.draw(adaptation_corpus, share, 3) for share in (0.3, 0.7)]
    small, large = ({tuple(c.sentence(i)) for i in range(c.n_sentences)} for c in drawn)
    assert small < large


def test_the_auxiliary_weight_is_drawn_to_0_by_a_prior_on_it(share_study):
    wide, tied, *_ = pn08.make_weights(share_study)
    assert wide["share"] == tied["share"] == 0.5
    assert abs(tied["weight"]) < abs(wide["weight"])


@pytest.mark.parametrize(("outside", "own", "above", "says"), [
    ([0.5] * 8, [0.6] * 8, 8, "gain is significant"),
    ([0.6] * 8, [0.5] * 8, 0, "loss is significant"),
    ([0.5] * 8, [0.6] * 6 + [0.4] * 2, 6, "gain is not significant"),
])  # fmt: skip
def test_draws_are_judged_by_their_signs(outside, own, above, says):
    found = pn08._compare(np.array(outside), np.array(own))
    assert (found["above"], found["says"]) == (above, says)


# --- Zhang, Qiu, Huang & Wu (2008) --------------------------------------------------------


def test_capitalizers_are_adapted_and_combined(tables, study):
    rows = tables["crf08-4"].rows
    per_domain = [crf08.OUT, crf08.ADAPTED, crf08.COMBINED]
    assert [row["system"] for row in rows] == [crf08.IN, *per_domain, *per_domain]
    out, adapted, _ = rows_of(tables, "crf08-4", tested_on="talk")
    test = study.domains["talk"]["test"]
    assert out["accuracy"] == (study.crf().tag(test) == test.tags).mean()
    assert adapted["change"] == pytest.approx((1 - adapted["accuracy"]) / (1 - out["accuracy"]) - 1)
    assert {"sigma2_m", "sigma2_a"} <= set(adapted)
    assert adapted["paper_change"] == -0.296
    assert [row["paper"] for row in rows[:4]] == [None, None, None, 0.947]
    assert 0 <= adapted["p_combined"] <= 1
    assert tables["crf08-2"].rows == []  # it is of chunks


def test_shares_begin_with_none_and_with_two_sentences(tables, study):
    rows = tables["crf08-figure2"].rows
    n = study.domains["talk"]["train"].n_sentences
    assert [rows[0]["sentences"], rows[1]["sentences"], rows[-1]["sentences"]] == [0, 2, n]
    assert all("in_domain" in row for row in rows)
    assert rows[1]["draws"] == crf08.N_DRAWS
    assert rows[1]["low"] <= rows[1]["accuracy"] <= rows[1]["high"]
    assert rows[1]["gain"] + rows[1]["loss"] <= crf08.N_DRAWS


def test_variances_are_tried_over_four_decades(tables):
    rows = tables["crf08-figure3"].rows
    assert [row["sigma2_m"] for row in rows] == list(crf08.SIGMA2_MS)
    assert len({row["sigma2_a"] for row in rows}) == 1
    assert len({row["dev"] for row in rows}) > 1


@pytest.fixture
def chunk_study(tmp_path, monkeypatch):
    monkeypatch.setattr(backgrounds, "model_folder", lambda: None)

    def read(name, text):
        path = tmp_path / f"{name}.iob"
        path.write_text(text)
        return read_corpus(path)

    news = "The DT B-NP\npound NN I-NP\nfell VBD B-VP\n. . O\n\nHe PRP B-NP\nran VBD B-VP\n"
    talk = "In IN B-PP\nvitro FW B-ADVP\nbinding NN B-NP\nrose VBD B-VP\n\nThe DT B-NP\n"
    domain = {part: read(part, talk) for part in ("train", "dev", "test")}
    options = {"templates": "chunk", "cutoff": 0, "sigma2": 5.0}
    news = read("news", news)
    as_one = replace(news, starts=news.starts[[0, -1]])
    return Study(news, {"talk": domain}, as_one, options=options)


def test_chunkers_are_adapted_to_all_and_to_two_sentences(chunk_study):
    [table] = make_tables(chunk_study, ["crf08-2"])
    assert [row["system"] for row in table.rows] == [crf08.IN, crf08.OUT, crf08.FEW, crf08.ADAPTED]
    assert [row["f1"] for row in table.rows][::3] == [1.0, 1.0]
    assert table.rows[1]["f1"] < 1
    assert [row["paper"] for row in table.rows] == [0.962, 0.884, 0.919, 0.95]
