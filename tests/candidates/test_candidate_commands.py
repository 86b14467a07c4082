"""Candidate sets on the command line, and what is said of the candidates selected."""

import json
import re
from dataclasses import replace

import candidate_oracle as oracle
import numpy as np
import pytest
from scipy.stats import binomtest

from workbench.candidates.files import read_candidates
from workbench.candidates.learning import Learning
from workbench.candidates.model import CandidateModel
from workbench.candidates.pn08 import assign_folds
from workbench.candidates.report import Selection, paired_selection_row, report_selections
from workbench.models.kinds import load_model
from workbench.text.errors import InputError

pytestmark = pytest.mark.usefixtures("outside")


@pytest.fixture
def sets(tmp_path):
    return oracle.write_domains(tmp_path)


@pytest.fixture
def trained(run, sets, tmp_path):
    status, _, message = run("train", tmp_path / "general", "-o", tmp_path / "b", "--sigma2", "1")
    assert status == 0
    assert message.endswith(" candidates, 4 features, sigma2 1\n")
    return tmp_path / "b"


def qualities(sentences, chosen):
    return [candidates[i][0] for candidates, i in zip(sentences, chosen, strict=True)]


def test_dependencies_may_be_learnt_in_the_place_of_the_quality(run, sets, tmp_path):
    """As from a file whose first column is the share of words right, and so when adapted."""
    judged = [[(right / 6, own, *counts, right, 6) for _, own, *counts, right, _ in candidates]
              for candidates in sets["general", "train"]]  # fmt: skip
    oracle.write_svmlight(tmp_path / "same.svm", judged)
    trained = {}
    for name, file, *how in (("by_option", "general", "--quality", "dependency"),
                             ("by_file", "same.svm")):  # fmt: skip
        model, text = tmp_path / name, tmp_path / file
        assert run("train", text, "-o", model, "--sigma2", "1", *how)[0] == 0
        trained[name] = load_model(model)
    assert trained["by_option"].weight_of == pytest.approx(trained["by_file"].weight_of)
    domain, adapted = tmp_path / "domain", tmp_path / "a"
    status, printed, _ = run("adapt", tmp_path / "by_option", domain, "-o", adapted, "--dev",
                             domain, "--force", "--json")  # fmt: skip
    row, dev = json.loads(printed)["new_domain"], read_candidates(domain, "dev")
    assert (status, load_model(adapted).learning.quality) == (0, "dependency")
    right = dev.dependency_terms.ratio(dev.shares_of(load_model(adapted).tag(dev)))
    assert row["after"] == pytest.approx(right)
    bare = oracle.write_svmlight(tmp_path / "bare.svm", [[(1.0, {1: 1.0}), (0.0, {2: 1.0})]])
    status, _, message = run("train", bare, "-o", adapted, "--quality", "dependency")
    assert (status, "no counts of words" in message) == (1, True)


def test_a_domain_is_adapted_to_and_measured(run, trained, sets, tmp_path):
    domain, adapted = tmp_path / "domain", tmp_path / "a"
    status, printed, message = run("adapt", trained, domain, "-o", adapted, "--dev", domain,
                                   "--retain", tmp_path / "general", "--json")  # fmt: skip
    result = json.loads(printed)
    assert (status, result["written"], result["new_features"]) == (0, "adapted", 2)
    assert "gain is significant" in message
    assert load_model(adapted).info["sigma2"] == result["hyper_parameters"]["sigma2"]
    status, printed, _ = run("evaluate", trained, adapted, "--test", domain, "--json")
    result, sentences = json.loads(printed), sets["domain", "test"]
    test = read_candidates(domain, "test")
    chosen = load_model(adapted).tag(test) - test.sentence_starts[:-1]
    row = result["models"][1]
    assert (row["name"], row["kind"], result["sentences"]) == ("a", "candidates", 200)
    assert row["quality"] == pytest.approx(oracle.bracket_f1(sentences, chosen))
    best = [max(q for q, *_ in candidates) for candidates in sentences]
    assert row["accuracy"] == np.mean(np.equal(qualities(sentences, chosen), best))
    assert result["first"] == pytest.approx(oracle.bracket_f1(sentences, [0] * 200))
    share = (row["quality"] - result["first"]) / (result["oracle"] - result["first"])
    assert row["reducible"] == pytest.approx(share)
    assert result["models"][0]["quality"] < row["quality"] < result["oracle"]
    assert run("evaluate", trained, "--test", domain)[1].startswith("200 sentences, ")


def test_sets_are_found_in_the_folder_of_data_sets(run, trained, monkeypatch, tmp_path):
    monkeypatch.setenv("WORKBENCH_DATA", str(tmp_path))
    assert run("evaluate", trained, "--test", "domain")[0] == 0
    assert "no file, folder or data set" in run("evaluate", trained, "--test", "nowhere")[2]


def test_without_a_significant_gain_the_background_is_kept(run, trained, tmp_path):
    general, output = tmp_path / "general", tmp_path / "a"
    own = "adapt", trained, general, "-o", output, "--dev", general
    assert "keeping the background" in run(*own)[2]
    assert load_model(output).content_hash() == load_model(trained).content_hash()
    assert "keeping" not in run(*own, "--sigma2", "0.1", "--adapter")[2]
    assert load_model(output).content_hash() != load_model(trained).content_hash()


def test_variance_is_searched_by_folds_without_dev(run, trained, tmp_path):
    status, _, message = run("adapt", trained, tmp_path / "domain", "-o", tmp_path / "a")
    assert status == 0
    assert "new domain, 5-fold cross-validation: domain" in message


def test_training_searches_its_variance_on_dev(run, sets, tmp_path):
    general = tmp_path / "general"
    own = "train", general, "-o", tmp_path / "b", "--sigma2", "auto"
    status, _, message = run(*own)
    assert status == 0, message
    assert re.search(r"sigma2 [\d.]+ \(\d+\.\d\d% on general, 5 folds\)\n", message)
    status, _, message = run(*own, "--dev", general, "--target", "proportional")
    model = load_model(tmp_path / "b")
    assert (status, model.learning.target) == (0, "proportional")
    assert f"sigma2 {model.info['sigma2']:g} (" in message


def test_methods_are_compared(run, sets, tmp_path):
    domain = tmp_path / "domain"
    own = ("compare", "--background", tmp_path / "general", "--adapt", domain, "--dev", domain,
           "--test", domain, "--methods", "background,target,map,linint")  # fmt: skip
    result = json.loads(run(*own, "--json")[1])
    rows = {row["name"]: row for row in result["models"]}
    assert list(rows) == ["background", "target", "map", "linint"]
    assert rows["map"]["quality"] > rows["background"]["quality"]
    assert set(rows["linint"]["hyper_parameters"]) == {"share", "sigma2"}
    pairs = {(pair["a"], pair["b"]): pair["verdict"] for pair in result["paired"]}
    assert pairs["background", "map"] == "gain is significant"
    assert "better  worse" in run(*own)[1]


def test_methods_are_compared_by_what_they_learn(run, sets, tmp_path):
    """Dependencies: as if the shares of words right were the quality of all sets from the first."""
    general, domain = tmp_path / "general", tmp_path / "domain"
    texts = ("--background", general, "--adapt", domain, "--dev", domain, "--test", domain)
    how = ("--quality", "dependency", "--target", "gold", "--candidates", "3")
    printed = run("compare", *texts, *how, "--methods", "background,map", "--json")[1]
    result = json.loads(printed)
    learning = Learning("gold", most_candidates=3, quality="dependency")
    model = CandidateModel.fit(read_candidates(general), learning=learning)
    test = read_candidates(domain, "test").by_dependencies()
    right = test.quality_terms.ratio(test.shares_of(model.tag(test)))
    row = result["models"][0]
    assert result["measure"] == "dependency accuracy"
    assert row["quality"] == row["dependency_accuracy"] == pytest.approx(right)
    assert row["hyper_parameters"] == {"cutoff": 0, "sigma2": 0.1} | learning.changes()


def test_words_and_candidates_are_kept_apart(run, trained, place, tmp_path):
    domain = tmp_path / "domain"
    refused = {
        "--templates ca04 +shape: of words": ("train", domain, "-o", tmp_path / "x",
                                              "--templates", "ca04 +shape"),
        "a memm model; candidate sets need": ("adapt", place / "news.model", domain,
                                              "-o", tmp_path / "x"),
        "a candidates model; adapt needs": ("adapt", trained, place / "talk",
                                            "-o", tmp_path / "x"),
        "sigma2 by-template: candidate sets take a number or auto": (
            "adapt", trained, domain, "-o", tmp_path / "x", "--sigma2", "by-template"),
        "the task of domain is candidates": ("evaluate", place / "news.model", "--test", domain),
        "the task of talk is case": ("evaluate", trained, "--test", place / "talk"),
        "a model of candidates has no case": ("recase", trained, place / "news.txt"),
        "method 'pred' is not for candidates": ("compare", "--background", domain, "--adapt",
                                                domain, "--dev", domain, "--test", domain,
                                                "--methods", "pred"),
        "--quality dependency: is of candidate sets alone": (
            "compare", "--background", place / "news", "--adapt", place / "talk", "--dev",
            place / "talk", "--test", place / "talk", "--quality", "dependency"),
    }  # fmt: skip
    for says, command in refused.items():
        status, printed, message = run(*command)
        assert (status, printed, message.count("\n")) == (1, "", 1), message
        assert says in message


def test_pairs_are_tested_by_sentence(sets, tmp_path, rng):
    test, sentences = read_candidates(tmp_path / "domain", "test"), sets["domain", "test"]
    sizes = np.diff(test.sentence_starts)
    a, b = (rng.integers(0, sizes) for _ in "ab")
    selections = [Selection(n, test.sentence_starts[:-1] + own) for n, own in (("a", a), ("b", b))]
    row = paired_selection_row(test, *selections)
    of_a, of_b = (np.array(qualities(sentences, own)) for own in (a, b))
    better, worse = int((of_b > of_a).sum()), int((of_b < of_a).sum())
    assert (row["better"], row["worse"]) == (better, worse)
    assert row["p_value"] == pytest.approx(binomtest(better, better + worse).pvalue)
    difference = oracle.bracket_f1(sentences, b) - oracle.bracket_f1(sentences, a)
    assert row["difference"] == pytest.approx(difference)
    low, high = row["interval"]
    drawn = []
    for _ in range(300):
        some = rng.integers(0, len(sentences), len(sentences))
        picked = [sentences[i] for i in some]
        drawn.append(oracle.bracket_f1(picked, b[some]) - oracle.bracket_f1(picked, a[some]))
    assert [low, high] == pytest.approx(np.quantile(drawn, (0.025, 0.975)), abs=0.01)


def test_what_no_count_is_known_of_is_null(tmp_path):
    sentences = [[(1.0, {1: 1.0}), (0.5, {2: 1.0})], [(1.0, {2: 1.0}), (1.0, {1: 1.0})]]
    drawn = oracle.read_sentences(tmp_path / "a.svm", sentences)
    result = report_selections(drawn, [])
    assert (result["first"], result["random"], result["oracle"]) == (1.0, 0.875, 1.0)
    assert result["dependencies"] == {"first": None, "random": None, "oracle": None}


def test_table_1_is_made_by_cross_validation_over_documents(run, sets, tmp_path):
    domain, names = tmp_path / "domain", {"train": 60, "dev": 200, "test": 200}
    for part, n in names.items():
        lines = [f"{i}\t{part}{i % 4}\n" for i in range(1, n + 1)]
        (domain / f"{part}.sentences.txt").write_text("".join(lines))
    own = "tables", "--background", tmp_path / "general", "--adapt", domain
    status, printed, message = run(*own, "--only", "pn08-1", "--json")
    assert status == 0, message
    (table,) = json.loads(printed)["tables"]
    rows = {row["method"]: row for row in table["rows"]}
    assert min(rows, key=lambda name: rows[name]["quality"]) == "background"
    assert "from_target" not in rows["target"]
    assert "from_background" not in rows["background"]
    assert rows["background"]["says_target"] == "loss is significant"
    assert rows["all"]["says_background"] == "gain is significant"
    assert table["sentence"].startswith("Significant gain in 4 of 9 tests, significant loss in 2")
    assert "table 'crf08-2': known for candidates are pn08-1" in run(*own, "--only", "crf08-2")[2]


def test_folds_keep_documents_whole_and_alike(sets, tmp_path):
    test = read_candidates(tmp_path / "domain", "test")
    documents = tuple(f"d{min(i // 7, 20)}" for i in range(test.n_sentences))
    folds = assign_folds(replace(test, documents=documents))
    assert {len(set(folds[np.equal(documents, name)])) for name in documents} == {1}
    assert np.bincount(folds).tolist() == [60, 35, 35, 35, 35]
    assert np.bincount(assign_folds(test)).tolist() == [40] * 5
    with pytest.raises(InputError, match="2 documents; cross-validation needs 5"):
        assign_folds(replace(test, documents=("a", *"b" * (test.n_sentences - 1))))


def test_some_documents_alone_are_learnt_from(run, sets, tmp_path):
    """NAME@PATTERN is the sentences of documents with such names, and of no others."""
    folder = tmp_path / "general"
    n = len(sets["general", "train"])
    lines = [f"{i}\t{'news' if i % 3 else 'talk'}_{i % 2}" for i in range(1, n + 1)]
    (folder / "train.sentences.txt").write_text("\n".join(lines) + "\n")
    status, _, message = run("train", f"{folder}@news_*", "-o", tmp_path / "n.model")
    n_news = sum(i % 3 > 0 for i in range(1, n + 1))
    assert (status, load_model(tmp_path / "n.model").info["sentences"]) == (0, n_news)
    assert f"{n_news:,} sentences" in message
    status, _, message = run("train", f"{folder}@mail_*", "-o", tmp_path / "m.model")
    assert status == 1
    assert "no document matches mail_*; documents: news_1, news_0, talk_1" in message
