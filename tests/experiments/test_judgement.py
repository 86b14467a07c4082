"""An adaptation is judged: by dev or folds, on the new domain and on the background's own."""

import json
import math

import numpy as np
import pandas as pd
import pytest
from command_texts import save

from workbench.adaptation.adaptation import Adaptation, adapt
from workbench.adaptation.method import fold
from workbench.evaluation.diff import word_diff
from workbench.evaluation.significance import error_interval, mcnemar, standard_error
from workbench.experiments.judgement import change_row, is_gain, measure_by_folds
from workbench.experiments.search import choose_variances
from workbench.models.crf import CRF
from workbench.models.kinds import load_model
from workbench.text.corpus import Corpus
from workbench.text.readers import read_corpus

pytestmark = pytest.mark.usefixtures("outside")


# --- rows ---------------------------------------------------------------------------------


@pytest.mark.parametrize("cutoff", [0, 2, None])
def test_a_fold_is_tagged_by_what_the_others_teach(background, adaptation_corpus, cutoff):
    models = [adapt(background, rest, 0.7, cutoff) for rest, _ in fold(adaptation_corpus)]
    folds = [held for _, held in fold(adaptation_corpus)]
    diffs = [
        word_diff(held, background.tag(held), model.tag(held), {}, model.mixed_forms)
        for model, held in zip(models, folds, strict=True)
    ]
    wrong = [(own["tag_after"] != own["gold_tag"]).sum() for own in diffs]
    adaptation = Adaptation(background, adaptation_corpus, cutoff)
    row = measure_by_folds(background, adaptation, {"sigma2": 0.7})
    assert row["after"] * row["words"] == pytest.approx(sum(wrong))
    assert row["before"] == np.mean(background.tag(adaptation_corpus) != adaptation_corpus.tags)
    misspelled = pd.concat(diffs).query("status == 'misspelled' and tag_before != gold_tag")
    assert row["misspelled"] == len(misspelled) <= row["fixed"]


def test_folds_take_a_crf_and_two_variances(background_corpus, adaptation_corpus):
    crf = CRF.fit(background_corpus, cutoff=0)
    adaptation, strengths = Adaptation(crf, adaptation_corpus), {"sigma2_m": 0.5, "sigma2_a": 2.0}
    _, by_pair = choose_variances(crf, adaptation_corpus, **strengths)
    row = measure_by_folds(crf, adaptation, strengths)
    assert row["after"] * row["words"] == pytest.approx(by_pair[0.5, 2.0])


@pytest.mark.parametrize("text", ["He left .\n" * 4, "He left .\n" + "they left .\n" * 5])
def test_too_little_text_for_folds_is_not_measured(background, text):
    few = Corpus.from_sentences([line.split() for line in text.splitlines()])
    assert measure_by_folds(background, Adaptation(background, few), {"sigma2": 1.0}) is None
    assert not is_gain(None)


def test_a_row_counts_what_changed(adaptation_corpus, rng):
    before = rng.random(len(adaptation_corpus)) < 0.4
    after = before & (rng.random(len(adaptation_corpus)) < 0.3)
    row = change_row(adaptation_corpus, before, after)
    assert (row["before"], row["after"]) == (before.mean(), after.mean())
    assert (row["fixed"], row["broken"], row["p_value"]) == mcnemar(before, after)
    low, high = row["before_interval"]
    half = 1.96 * standard_error(before, adaptation_corpus.sentence_ids)
    assert (low, high) == pytest.approx((before.mean() - half, before.mean() + half))
    assert is_gain(row)
    assert not is_gain(change_row(adaptation_corpus, after, before))
    assert not is_gain(change_row(adaptation_corpus, before, before))


def test_nothing_measured_has_no_interval():
    assert all(map(math.isnan, error_interval(np.zeros(0, bool), np.zeros(0, int))))


# --- the command --------------------------------------------------------------------------


@pytest.fixture
def trained(run, place, tmp_path):
    """A background of a data set with dev text, found by its name, and the folder of sets."""
    sets = tmp_path / "sets"
    (sets / "wire").mkdir(parents=True)
    for part in ("train", "dev"):
        (sets / "wire" / f"{part}.txt").write_bytes((place / "news.txt").read_bytes())
    model = tmp_path / "wire.model"
    assert run("train", sets / "wire", "-o", model, "--cutoff", "0")[0] == 0
    return model, sets


def adapt_to(run, model, place, output, *options):
    """Adapt to the domain, measured on the words it learns from, so that there is a gain."""
    (dev := output.parent / "talk").mkdir(exist_ok=True)
    (dev / "dev.txt").write_text((place / "talk" / "train.txt").read_text().replace(" .\n", " !\n"))
    return run("adapt", model, place / "talk", "-o", output, "--dev", dev, *options)


def test_both_domains_are_reported(run, trained, place, output, monkeypatch):
    model, sets = trained
    monkeypatch.setenv("WORKBENCH_DATA", str(sets))
    status, printed, message = adapt_to(run, model, place, output, "--json", "--sigma2", "3")
    assert status == 0
    result, adapted = json.loads(printed), load_model(output)
    own, kept = result["new_domain"], result["background"]
    assert (own["text"], own["words"], kept["text"]) == ("talk", 58, "wire")
    wire = read_corpus(sets / "wire", "dev")
    assert kept["after"] == np.mean(adapted.tag(wire) != wire.tags)
    assert kept["before"] == np.mean(load_model(model).tag(wire) != wire.tags)
    rows = [line for line in message.split("\n") if line.startswith(("new domain", "background"))]
    assert [row.split(": ")[1].split()[0] for row in rows] == ["talk", "wire"]
    assert adapted.info["measured"]["background"]["after"] == kept["after"]


def test_what_is_forgotten_is_unknown_without_text(run, trained, place, output, monkeypatch):
    model, sets = trained
    result = json.loads(adapt_to(run, model, place, output, "--json")[1])
    assert result["background"] is None  # the set is not known here by its name
    (sets / "wire" / "dev.txt").write_text("Another text stands here now .\n")
    monkeypatch.setenv("WORKBENCH_DATA", str(sets))
    message = adapt_to(run, model, place, output)[2]
    assert "not measured: --retain TEXT does" in message
    result = adapt_to(run, model, place, output, "--json", "--retain", place / "news.txt")
    assert json.loads(result[1])["background"]["text"] == "news"


def test_without_a_significant_gain_the_background_stays_as_a_model_or_an_adapter(
    run, place, output
):
    talk, news = place / "talk", place / "news.model"
    status, printed, message = run("adapt", news, talk, "-o", output, "--json", "--dev", talk)
    assert (status, json.loads(printed)["written"]) == (0, "background")
    assert f"{output}: no significant gain, keeping the background (adapted to 58" in message
    background, kept = load_model(news), load_model(output)
    np.testing.assert_array_equal(kept.weights, background.weights)
    assert kept.features.names() == background.features.names()
    assert kept.info == background.info | {"declined": kept.info["declined"]}
    assert run("adapt", news, talk, "-o", output, "--adapter")[0] == 0
    kept = load_model(output, [place])
    np.testing.assert_array_equal(kept.weights, load_model(news).weights)


@pytest.mark.parametrize("options", [("--force",), ("--sigma2", "1")])
def test_whoever_asks_for_it_gets_the_adapted_model(run, place, output, options):
    result = run("adapt", place / "news.model", place / "talk", "-o", output, "--json", *options)
    assert json.loads(result[1])["written"] == "adapted"
    assert load_model(output).info["method"] == "map"


def test_a_significant_gain_is_written(run, place, output, tmp_path):
    news, talk = place / "news.model", place / "talk"
    assert adapt_to(run, news, place, output)[2].count("too few to tell") == 3
    enough = save(tmp_path / "talk.txt", 3 * (talk / "train.txt").read_text().replace(" .", " !"))
    status, printed, _ = run("adapt", news, talk, "-o", output, "--dev", enough, "--json")
    assert (status, json.loads(printed)["written"]) == (0, "adapted")
    assert json.loads(printed)["new_domain"]["verdict"] == "gain is significant"


# --- the lint -----------------------------------------------------------------------------

GOOD = "He flew to Rome on Monday .\nThe ABC reporter met Diane Sawyer in London .\n" * 3
BAD = "SHARES RISE AGAIN TODAY\n> he wrote to Rome\n"


def test_faulty_lines_are_counted_and_kept_or_left_out(run, place, tmp_path, output):
    text = save(tmp_path / "mail.txt", BAD + GOOD)
    status, printed, message = run(
        "adapt", place / "news.model", text, "-o", output, "--sigma2", "1", "--json"
    )
    assert status == 0
    assert f"{text}: 1 ALL-CAPS lines (line 1): kept. Take them out" in message
    assert f"{text}: 4 repeated lines (line 5, 6, 7, …): kept." in message
    result = json.loads(printed)
    assert {row["what"] for row in result["lint"]} == {
        "ALL-CAPS lines", "lines of quoted mail", "repeated lines", "words",
    }  # fmt: skip
    assert result["words"] == len((BAD + GOOD).split())
    command = "adapt", place / "news.model", text, "-o", output, "--sigma2", "1", "--json"
    _, printed, message = run(*command, "--lint", "drop")
    assert json.loads(printed)["words"] == len(GOOD.split()) / 3
    assert f"{text}: 1 ALL-CAPS lines (line 1): left out\n" in message


def test_faulty_lines_are_refused(refuse, place, tmp_path, output):
    text = save(tmp_path / "mail.txt", BAD + GOOD)
    command = "adapt", place / "news.model", text, "-o", output, "--lint"
    assert "--lint drop leaves such lines out, keep takes them" in refuse(*command, "refuse")
    save(text, BAD)
    assert "nothing is left without 1 ALL-CAPS lines (line 1), 1" in refuse(*command, "drop")
    save(text, "He flew to Rome on Monday .\n")
    assert "7 words; more text is needed, or --lint keep" in refuse(*command, "refuse")
