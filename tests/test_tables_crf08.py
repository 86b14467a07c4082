"""Tables 2 and 4, figures 2 and 3 of Zhang, Qiu, Huang & Wu (2008) on tiny texts."""

import pytest
from table_rows import rows_of

from workbench.experiments import backgrounds
from workbench.experiments.papers import crf08
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


def test_chunks_are_no_capitalization(tables):
    assert tables["crf08-2"].rows == []
    assert tables["crf08-2"].sentence.startswith("This table is of chunks")


def test_shares_begin_with_none_and_with_two_sentences(tables, study):
    rows = tables["crf08-figure2"].rows
    n = study.domains["talk"]["train"].n_sentences
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
def chunk_study(tmp_path, monkeypatch):
    monkeypatch.setattr(backgrounds, "model_folder", lambda: None)
    news = "The DT B-NP\npound NN I-NP\nfell VBD B-VP\n. . O\n\nHe PRP B-NP\nran VBD B-VP\n"
    talk = "In IN B-PP\nvitro FW B-ADVP\nbinding NN B-NP\nrose VBD B-VP\n\nThe DT B-NP\n"
    domain = {part: chunked(tmp_path, part, talk) for part in ("train", "dev", "test")}
    options = {"templates": "chunk", "cutoff": 0, "sigma2": 5.0}
    news = chunked(tmp_path, "news", news)
    return Study(news, {"talk": domain}, news, options=options)


def test_chunkers_are_adapted_to_all_and_to_two_sentences(chunk_study):
    [table] = make_tables(chunk_study, ["crf08-2"])
    systems = [row["system"] for row in table.rows]
    assert systems == [crf08.IN, crf08.OUT, crf08.FEW, crf08.ADAPTED]
    assert [row["f1"] for row in table.rows][::3] == [1.0, 1.0]
    assert table.rows[1]["f1"] < 1
    assert [row["paper"] for row in table.rows] == [0.962, 0.884, 0.919, 0.95]
    assert "As in the paper, two sentences" not in table.sentence  # nothing is significant
    assert "(paper: -30.2 %)." in table.sentence


def test_of_labels_there_are_the_tables_of_crfs(chunk_study):
    names = [table.spec.name for table in make_tables(chunk_study)]
    assert names == ["crf08-2", "crf08-4", "crf08-figure2", "crf08-figure3"]
    with pytest.raises(InputError, match="table '3' is of capitalization; news has other labels"):
        list(make_tables(chunk_study, ["3"]))


def chunking(says):
    """Rows of two systems, one of them with a gain that says of itself what is given."""
    change = {"change": -0.4, "says": says}
    return [{"system": s} | change for s in (crf08.FEW, crf08.ADAPTED)]


@pytest.mark.parametrize(
    ("says", "sentence"),
    [
        ("gain is significant", "As in the paper, the error of words falls significantly"),
        ("gain is not significant", "Unlike in the paper, the error of words does not fall"),
        ("gain is significant", "As in the paper, two sentences lower it: -40.0 %"),
        ("gain is not significant", "Unlike in the paper, two sentences do not lower it: -40.0 %"),
    ],
)
def test_only_a_significant_gain_is_as_in_the_paper(says, sentence):
    assert sentence in crf08.judge_chunking(chunking(says))


def variances(*dev):
    return [{"sigma2_m": 10.0**k, "dev": accuracy} for k, accuracy in enumerate(dev)]


def test_around_the_best_variance_it_is_flat_or_not():
    flat = crf08.judge_variances(variances(0.9, 0.9502, 0.95, 0.9))
    assert "at 10; from 10 to 100 accuracy on dev changes by less than 0.1 points." in flat
    peak = crf08.judge_variances(variances(0.9, 0.95, 0.9))
    assert peak.endswith("at 10; at every other accuracy on dev is lower by 0.1 points or more.")
