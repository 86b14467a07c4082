"""Tables 2 and 4, figures 2 and 3 of Zhang, Qiu, Huang & Wu (2008) on tiny texts."""

from dataclasses import replace

import pytest
from table_rows import rows_of

from workbench.experiments import backgrounds
from workbench.experiments.papers import crf08, crf08_paper
from workbench.experiments.papers.study import Study
from workbench.experiments.papers.tables import make_tables
from workbench.text.errors import InputError
from workbench.text.readers import read_corpus


def test_capitalizers_are_adapted_and_combined(tables, study):
    rows = tables["crf08-4"].rows
    systems = [row["system"] for row in rows]
    per_domain = [crf08.OUT, crf08.ADAPTED, crf08.COMBINED]
    assert systems == [crf08.IN, *per_domain, *per_domain]
    out, adapted, _ = rows_of(tables, "crf08-4", tested_on="talk")
    test = study.domains["talk"]["test"]
    assert out["accuracy"] == (study.crf().tag(test) == test.tags).mean()
    assert adapted["change"] == pytest.approx((1 - adapted["accuracy"]) / (1 - out["accuracy"]) - 1)
    assert {"sigma2_m", "sigma2_a"} <= set(adapted)
    assert [row["paper"] for row in rows[:4]] == [None, None, None, 0.947]
    assert 0 <= adapted["p_combined"] <= 1


def test_chunks_are_no_capitalization(tables):
    assert tables["crf08-2"].rows == []
    assert tables["crf08-2"].sentence.startswith("This table is of chunks")


def test_shares_begin_with_none_and_with_two_sentences(tables, study):
    rows = tables["crf08-figure2"].rows
    n = study.domains["talk"]["train"].n_sentences
    assert [rows[0]["sentences"], rows[1]["sentences"], rows[-1]["sentences"]] == [0, 2, n]
    assert all("in_domain" in row for row in rows)
    assert rows[1]["draws"] == crf08.N_DRAWS
    assert rows[1]["low"] <= rows[1]["accuracy"] <= rows[1]["high"]


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
def chunk_study(tmp_path, monkeypatch):
    monkeypatch.setattr(backgrounds, "model_folder", lambda: None)
    news = "The DT B-NP\npound NN I-NP\nfell VBD B-VP\n. . O\n\nHe PRP B-NP\nran VBD B-VP\n"
    talk = "In IN B-PP\nvitro FW B-ADVP\nbinding NN B-NP\nrose VBD B-VP\n\nThe DT B-NP\n"
    domain = {part: chunked(tmp_path, part, talk) for part in ("train", "dev", "test")}
    options = {"templates": "chunk", "cutoff": 0, "sigma2": 5.0}
    news = chunked(tmp_path, "news", news)
    as_one = replace(news, starts=news.starts[[0, -1]])
    return Study(news, {"talk": domain}, as_one, options=options)


def test_chunkers_are_adapted_to_all_and_to_two_sentences(chunk_study):
    [table] = make_tables(chunk_study, ["crf08-2"])
    systems = [row["system"] for row in table.rows]
    assert systems == [crf08.IN, crf08.OUT, crf08.FEW, crf08.ADAPTED]
    assert [row["f1"] for row in table.rows][::3] == [1.0, 1.0]
    assert table.rows[1]["f1"] < 1
    assert [row["paper"] for row in table.rows] == [0.962, 0.884, 0.919, 0.95]
    assert "As in the paper, the first two" not in table.sentence  # nothing is significant


def test_of_labels_there_are_the_tables_of_crfs(chunk_study):
    names = [table.spec.name for table in make_tables(chunk_study)]
    assert names == ["crf08-2", "crf08-4", "crf08-figure2", "crf08-figure3"]
    with pytest.raises(InputError, match="table '3': known for chunks are crf08-2, crf08-4"):
        list(make_tables(chunk_study, ["3"]))


def chunking(says, outside=0.9):
    """Rows of the background on both texts, and of two systems with a verdict that is given."""
    change = {"told": "-40%", "says": says}
    ends = [{"system": s, "accuracy": a, "error_of_it": 0.002}
            for s, a in ((crf08.IN, 0.96), (crf08.OUT, outside))]  # fmt: skip
    return ends + [{"system": s} | change for s in (crf08.FEW, crf08.ADAPTED)]


@pytest.mark.parametrize(
    ("says", "sentence"),
    [
        ("gain is significant", "As in the paper, the error of words falls significantly"),
        ("gain is not significant", "The error of words does not fall significantly"),
        ("gain is significant", "As in the paper, the first two sentences lower it: -40%"),
        ("no change", ". The first two sentences do not significantly lower it"),
    ],
)
def test_only_a_significant_gain_is_as_in_the_paper(says, sentence):
    assert sentence in crf08_paper.judge_chunking(chunking(says))


def test_without_a_gap_there_is_no_test_of_the_paper():
    sentence = crf08_paper.judge_chunking(chunking("gain is significant", outside=0.957))
    assert "so this is no test of the paper" in sentence
    assert "n the paper, the error" not in sentence


def test_amounts_without_a_gap_are_no_test_of_the_paper():
    few = {"accuracy": 0.9, "draws": 10, "gain": 6, "loss": 1, "change": -0.1, "sentences": 2}
    last = few | {"sentences": 50, "says": "gain is significant", "p": 0.01, "told": "-9%"}
    shares = [{"accuracy": 0.89, "has_gap": False, "is_chunks": True}, few, last]
    assert "this is no test of the paper: of 10 draws" in crf08_paper.judge_shares(shares)
    shares[0]["has_gap"] = True
    assert crf08_paper.judge_shares(shares).startswith("As in the paper, where two sentences")
    shares[0]["is_chunks"] = False  # the paper's two sentences are of chunks
    assert crf08_paper.judge_shares(shares).startswith("Two sentences drawn at random mostly lower")
    few["gain"] = 5
    assert "drawn at random mostly do not lower" in crf08_paper.judge_shares(shares)


def variances(*dev):
    return [{"sigma2_m": 10.0**k, "dev": accuracy, "error_of_it": 0.001}
            for k, accuracy in enumerate(dev)]  # fmt: skip


def test_a_wide_range_within_one_standard_error_is_as_in_the_paper():
    flat = crf08_paper.judge_variances(variances(0.9, 0.9502, 0.95, 0.9))
    assert flat.startswith("As in the paper")
    assert "from 10 to 100: 1.0 of 3.0 decades tried" in flat
    peak = crf08_paper.judge_variances(variances(0.9, 0.95, 0.9))
    assert peak.startswith("Unlike in the paper")
