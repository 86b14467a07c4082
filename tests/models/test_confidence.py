"""Confidence: coverage and errors by threshold, and a text tried, against plain loops."""

import math
import re

import numpy as np
import oracles
import pytest

from workbench.experiments import confidence
from workbench.experiments.confidence import (
    MOST_CHARACTERS,
    THRESHOLDS,
    coverage,
    find_trial,
    say_changes,
    say_reasons_moved,
    tried_corpus,
    try_text,
)
from workbench.experiments.session import Session
from workbench.models.crf import CRF
from workbench.text.errors import InputError
from workbench.text.layout import Layout, locate

TEXT = """\
The FBI met Peter's  friend, (see http://x.org)... OK?

APPLE SAID: "<b>eBay</b> rose!" met Peter."""


@pytest.fixture(scope="module")
def corpora(adaptation_corpus):
    shares = {"train": np.arange(0, 26, 2), "dev": np.arange(1, 26, 2), "test": np.arange(1, 26, 4)}
    return {part: adaptation_corpus.take(places) for part, places in shares.items()}


@pytest.fixture(scope="module", params=["memm", "crf"])
def session(request, background, background_corpus, unigram, corpora):
    if request.param == "crf":
        background = CRF.fit(background_corpus, cutoff=0)
    return Session(background, unigram, corpora)


def test_confidence_is_the_marginal_and_coverage_that_of_a_loop_falling_with_the_threshold(
    session, monkeypatch
):
    snapshot, dev = session.at(1.0), session.corpora["dev"]
    p, tags = snapshot.tuned.confidence["dev"], snapshot.tuned.tags["dev"]
    n_wrong = sum(a != b for a, b in zip(tags, dev.tags, strict=True))
    assert n_wrong > 0
    for row in coverage(session, snapshot).itertuples():
        kept = [a != b for a, b, q in zip(tags, dev.tags, p, strict=True) if q > row.threshold]
        assert (row.n, row.coverage) == (len(kept), len(kept) / len(dev))
        assert math.isnan(row.error) if not kept else row.error == sum(kept) / len(kept)
        assert row.caught == pytest.approx(1 - sum(kept) / n_wrong)
    for position in (0, 7, len(dev) - 1):
        plain = oracles.marginal_probabilities(snapshot.tuned.model, dev, position)
        assert p[position] == pytest.approx(plain[tags[position]])
    snapshot = session.at(1.0)
    first = coverage(session, snapshot).iloc[0]
    assert first["coverage"] == 1
    assert first["error"] == snapshot.models[-1]["error_rate"]
    table = coverage(session, session.at(1.0))
    assert table["threshold"].tolist() == list(THRESHOLDS)
    assert table["coverage"].is_monotonic_decreasing
    monkeypatch.setattr(confidence, "THRESHOLDS", (1.0,))
    row = coverage(session, session.at(1.0)).iloc[0]
    assert row["n"] == 0
    assert math.isnan(row["error"])


def test_a_text_is_recased_as_by_each_model_with_the_probability_of_its_tags(session):
    snapshot = session.at(1.0)
    words = try_text(session, snapshot, TEXT)
    models = {"1-gram": session.unigram, "background": session.background,
              "adapted": snapshot.tuned.model}  # fmt: skip
    assert list(words[0].forms) == list(models)
    for name, model in models.items():
        for text in (TEXT, TEXT.lower()):
            shown = (word.gap + word.forms[name] for word in try_text(session, snapshot, text))
            assert "".join(shown) == model.recase(text)
    upper, lower = (try_text(session, snapshot, text) for text in (TEXT.upper(), TEXT.lower()))
    pairs = zip(upper, lower, strict=True)
    other = [word.forms["adapted"] for word, low in pairs if word.forms != low.forms]
    assert other == ["HTTP://X.ORG"]  # an address stays as it is
    for word in try_text(session, session.at(1.0), TEXT):
        if word.forms["adapted"] == "http://x.org":
            assert word.tag == "", "no model is asked"
            assert math.isnan(word.p)
        else:
            assert 0 < word.p <= 1
        if word.tag == "PNC":
            assert not any(map(str.isalnum, word.forms["adapted"]))


def test_a_text_that_is_too_long_is_refused_in_one_line(session):
    snapshot = session.at(1.0)
    assert try_text(session, snapshot, "ab " * (MOST_CHARACTERS // 3))
    with pytest.raises(InputError, match="a text of more than 2,000 characters"):
        try_text(session, snapshot, "x" * 2001)


@pytest.mark.parametrize("text", ["", " \n\t "])
def test_no_word_is_no_row(session, text):
    assert try_text(session, session.at(1.0), text) == []


def spaced(text):
    """The words of a text between blanks."""
    return " ".join(locate(text, Layout.AUTO).words)


@pytest.mark.parametrize("part", ["dev", "test"])
def test_the_trial_is_a_dev_sentence_that_adaptation_makes_right(session, part):
    snapshot, dev = session.at(1.0, part=part), session.corpora["dev"]
    text = find_trial(session, snapshot)
    lines = [" ".join(dev.sentence(i)) for i in range(dev.n_sentences)]
    i = [line.lower() for line in lines].index(spaced(text))
    adapted = snapshot.tuned.model.recase(text)
    assert spaced(adapted) == lines[i] != spaced(session.background.recase(text))


def test_without_a_better_sentence_the_trial_is_the_first(session):
    dev = session.corpora["dev"]
    text = find_trial(session, session.at(1e-12))
    assert spaced(text) == " ".join(dev.sentence(0)).lower()
    assert " ." not in text


def test_a_changed_text_is_told_word_by_word_beside_what_it_was(session):
    snapshot = session.at(1.0)
    one, two, other = (
        try_text(session, snapshot, text)
        for text in ("the fbi met peter .", "the fbi sued peter .", "shares rose in new york .")
    )
    kept = [(one[i], two[i]) for i in (0, 1, 3, 4)]
    moved = [(a, b) for a, b in kept if a.tag != b.tag or abs(a.p - b.p) >= 0.05]
    says = say_changes(one, two)
    assert says.count(" → ") == len(moved)
    for a, b in moved:
        assert f"“{b.forms['adapted']}” ({a.tag} " in says
    assert says.startswith("Your last change moves ")
    assert say_changes(one, one).startswith("Your last change moves no other word")
    assert say_changes(one, other) == say_changes([], one) == ""


def test_the_reasons_of_a_word_that_a_change_moves_sum_to_the_change_of_its_lead(session):
    snapshot, texts = session.at(1.0), ("the fbi met peter .", "the cia met peter .")
    says = say_reasons_moved(session, snapshot, *texts, 2)
    gap = session.why(snapshot, 2, tried_corpus(snapshot, texts[1]))["gap"]
    before = session.why(snapshot, 2, tried_corpus(snapshot, texts[0]))
    names = [gap["to"], gap["from"]]
    chances = np.log([before["p_adapted"][before["tags"].index(name)] for name in names])
    assert f" lead of {names[0]} over {names[1]} from " in says
    if "context" in before["probability"]:  # of a chain p is of all sequences of tags
        numbers = [float(n.replace("−", "-")) for n in re.findall(r"[+−][0-9.]+(?= )", says)]
        start, end = numbers[:2]
        assert start == pytest.approx(chances[0] - chances[1], abs=0.006)
        assert end == pytest.approx(gap["adapted"], abs=0.006)
    assert "the word before it (fbi → cia)" in says
    assert say_reasons_moved(session, snapshot, texts[1], texts[1], 2) == ""
    assert say_reasons_moved(session, snapshot, "", texts[1], 2) == ""
    assert say_reasons_moved(session, snapshot, *texts, 1) == ""  # a new word
