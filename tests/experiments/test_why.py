"""Why a word has its tag: bars that sum to the gap, curves, sentences; MEMM and CRF."""

import json
import math
from collections import Counter
from dataclasses import replace

import numpy as np
import oracles
import pytest
from tiny_sessions import KINDS, changed

from workbench.evaluation.explanation import explain, tag_probabilities
from workbench.experiments.session import Session
from workbench.experiments.why import because, path, side_by_side, why
from workbench.features.templates import predicates_of
from workbench.models.crf import CRF
from workbench.models.memm import MEMM
from workbench.text.casing import TAGS
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError


def positions(snapshot, session):
    """Words that changed, and every third of all."""
    return [*changed(snapshot), *range(0, len(session.corpora["dev"]), 3)]


# --- why ----------------------------------------------------------------------------------


def test_bars_are_sorted_sum_to_the_gap_and_explain_what_the_diff_says(session, snapshot):
    assert changed(snapshot)
    for position in positions(snapshot, session):
        gap = why(session, snapshot, position)["gap"]
        for side in ("background", "adapted"):
            assert gap[side] == sum(row[side] for row in gap["rows"])
        for row in gap["rows"]:
            assert row["change"] == row["adapted"] - row["background"]
    found = {False: 0, True: 0}
    for position in positions(snapshot, session):
        rows = why(session, snapshot, position)["gap"]["rows"]
        assert [abs(row["change"]) for row in rows] == sorted(
            (abs(row["change"]) for row in rows), reverse=True
        )
        for row in rows:
            found[row["new"]] += 1
            assert row["in_background"] or row["in_adapted"]
            assert row["new"] == (row["in_adapted"] and not row["in_background"])
            assert row["in_background"] or row["background"] == 0
    assert min(found.values()) > 0
    rows = snapshot.diff.set_index("position")
    for position in changed(snapshot):
        answer, row = why(session, snapshot, position), rows.loc[position]
        assert (answer["before"]["tag"], answer["before"]["form"]) == (row.tag_before, row.before)
        assert (answer["after"]["tag"], answer["after"]["form"]) == (row.tag_after, row.after)
        assert (answer["gold"]["tag"], answer["gold"]["form"]) == (row.gold_tag, row.gold)
        assert (answer["gap"]["from"], answer["gap"]["to"]) == (row.tag_before, row.tag_after)
        assert answer["word"] == row.word
        corpus = session.corpora["dev"]
        own = range(*corpus.starts[row.sentence : row.sentence + 2])
        for side in ("before", "after"):  # words that are not in the diff are written right
            written = [rows[side].get(i, corpus.form_at(i)) for i in own]
            assert answer[side]["words"] == written


def test_of_an_memm_the_gap_is_that_of_log_probabilities(sessions):
    session, differ = sessions["memm"], []
    snapshot = session.at(1.0)
    for position in positions(snapshot, session):
        answer = why(session, snapshot, position)
        p = dict(zip(answer["tags"], answer["p_adapted"], strict=True))
        gap = answer["gap"]
        assert gap["adapted"] == pytest.approx(math.log(p[gap["to"]] / p[gap["from"]]), abs=1e-6)
        p = dict(zip(answer["tags"], answer["p_background"], strict=True))
        assert gap["background"] == pytest.approx(math.log(p[gap["to"]] / p[gap["from"]]), abs=1e-6)
        moved = [row for row in gap["rows"] if " → " in row["words"]]
        assert answer["context_differs"] or not moved
        differ.append((answer["context_differs"], bool(moved)))
    assert (True, True) in differ


def test_of_a_chain_the_gap_is_that_of_whole_sequences(sessions):
    """The scores of the sentence's labels with one of them replaced, every predicate summed."""
    session = sessions["crf"]
    snapshot = session.at(1.0)
    model, corpus = snapshot.tuned.model, session.corpora["dev"]
    tags = snapshot.tuned.tags["dev"]
    for position in positions(snapshot, session)[:12]:
        sentence = corpus.sentence_ids[position]
        first, end = corpus.starts[sentence : sentence + 2]
        words = [corpus.words[i] for i in corpus.word_ids[first:end]]
        gap = why(session, snapshot, position)["gap"]
        of_background = session.background_tags("dev")
        for side, of, own in (("adapted", model, tags),
                              ("background", session.background, of_background)):  # fmt: skip
            scores = []
            for name in (gap["to"], gap["from"]):
                path_tags = own[first:end].copy()
                path_tags[position - first] = TAGS.index(name)
                scores.append(score_path(of, words, path_tags))
            assert gap[side] == pytest.approx(scores[0] - scores[1], abs=1e-9)


def score_path(model, words, tags):
    weights, total = oracles.weights_of(model), 0.0
    for i, tag in enumerate(tags.tolist()):
        last = [TAGS[t] for t in tags[max(0, i - 2) : i][::-1]]
        total += oracles.score(weights, predicates_of(model.templates, words, i, last), tag)
    return total


def test_probabilities_are_those_of_explain(sessions):
    session = sessions["memm"]
    snapshot = session.at(1.0)
    corpus, model = session.corpora["dev"], snapshot.tuned.model
    for position in positions(snapshot, session)[::4]:
        answer = why(session, snapshot, position)
        found = explain(model, corpus, position, session.background)
        assert answer["p_adapted"] == pytest.approx(tag_probabilities(found).tolist())
        alone = tag_probabilities(explain(session.background, corpus, position))
        assert answer["p_background"] == pytest.approx(alone.tolist())
        assert answer["before"]["p"] == pytest.approx(alone[answer["before"]["tag"]])


def test_of_a_chain_probabilities_are_marginals(sessions):
    session = sessions["crf"]
    snapshot = session.at(1.0)
    answer = why(session, snapshot, 3)
    assert answer["probability"] == "P(tag | sentence)"
    found = oracles.marginal_probabilities(snapshot.tuned.model, session.corpora["dev"], 3)
    assert answer["p_adapted"] == pytest.approx(found.tolist())


def test_without_a_change_the_gap_is_to_the_strongest_rival(session, snapshot):
    answer = why(session, snapshot, 0)
    assert answer["before"]["tag"] == answer["after"]["tag"] == answer["gap"]["to"]
    p = dict(zip(answer["tags"], answer["p_adapted"], strict=True))
    p.pop(answer["gap"]["to"])
    assert answer["gap"]["from"] == max(p, key=p.get)
    assert answer["sentence"].startswith("Both models write")


@pytest.mark.parametrize("kind", ["memm", "crf"])
def test_a_word_of_a_text_without_reference_has_the_reasons_of_the_same_word_on_dev(sessions, kind):
    session = sessions[kind]
    snapshot, dev = session.at(1.0), session.corpora["dev"]
    position = changed(snapshot)[0]
    place = int(np.searchsorted(dev.starts, position, "right")) - 1
    typed = Corpus.from_sentences([list(map(str.lower, dev.sentence(place)))], gold=False)
    own = position - int(dev.starts[place])
    found, known = why(session, snapshot, own, typed), why(session, snapshot, position)
    assert found["gold"] is None
    assert found["gap"] == known["gap"]
    assert (found["before"], found["after"]) == (known["before"], known["after"])
    told_last = [each["sentence"].rpartition("What changed most: ")[2] for each in (found, known)]
    assert told_last[0] == told_last[1]
    told, here = because(session, snapshot, own, typed), because(session, snapshot, position)
    assert told | {"seconds": 0} == here | {"seconds": 0}
    assert path(session, 0, "dev", own, typed) == path(session, 0, "dev", position)
    fewer = session.without([here["pushed"][0]["sentence"]])
    after = fewer.at(1.0)
    told, here = fewer.left_out(after, own, typed), fewer.left_out(after, position)
    is_other = here["before"]["tag"] != here["after"]["tag"]
    assert told.pop("flipped") == here.pop("flipped") + is_other  # all of dev, and all others
    assert told == here


@pytest.mark.parametrize("n_dropped", [0, 5])
def test_how_the_adaptation_text_writes_a_word_is_told(session, n_dropped):
    train, dev = session.corpora["train"], session.corpora["dev"]
    session = session.without(range(n_dropped)) if n_dropped else session
    snapshot = session.at(1.0)
    read = [word for i in range(n_dropped, train.n_sentences) for word in train.sentence(i)]
    for position in range(0, len(dev), 3):
        why = session.why(snapshot, position)
        forms = Counter(word for word in read if word.lower() == why["word"])
        told = [f"“{form}” {'once' if n == 1 else f'{n} times'}" for form, n in forms.items()]
        if not forms:
            assert why["read"].startswith(f"The adaptation text does not have “{why['word']}”")
        assert all(each in why["read"] for each in told) or len(forms) > 3


def test_answers_are_ready_for_json(session, snapshot):
    position = changed(snapshot)[0]
    answers = (
        why(session, snapshot, position), because(session, snapshot, position),
        path(session, 0, "dev", position),
    )  # fmt: skip
    for answer in answers:
        assert json.loads(json.dumps(answer, allow_nan=False)) == answer


@pytest.mark.parametrize("ask", [why, because])
def test_a_position_beyond_the_text_is_refused(session, snapshot, ask):
    with pytest.raises(InputError, match="position 999: 0 to "):
        ask(session, snapshot, 999)
    with pytest.raises(InputError, match="position -1: 0 to "):
        path(session, 0, "dev", -1)


# --- along sigma^2 ------------------------------------------------------------------------


def test_a_path_has_what_why_says_at_each_sigma2(session):
    snapshots = {sigma2: session.at(sigma2) for sigma2 in (0.1, 1.0, 10.0)}
    position = changed(snapshots[1.0])[0]
    curve = path(session, 0, "dev", position)
    assert curve["sigma2s"] == sorted(curve["sigma2s"])
    assert set(snapshots) <= set(curve["sigma2s"])
    for sigma2, snapshot in snapshots.items():
        answer, place = why(session, snapshot, position), curve["sigma2s"].index(sigma2)
        assert curve["p"][place] == pytest.approx(answer["p_adapted"])
        assert curve["chosen"][place] == answer["after"]["tag"]
        assert curve["tags"] == answer["tags"]


def test_a_path_begins_at_the_background_and_is_empty_without_fits(session, sessions):
    session.at(1e-6)
    curve = path(session, 0, "dev", 2)
    assert curve["p"][0] == pytest.approx(curve["background"], abs=1e-3)
    fresh = sessions["memm"].without([])
    curve = path(fresh, 0, "dev", 2)
    assert (curve["sigma2s"], curve["p"], curve["chosen"]) == ([], [], [])


def test_rows_of_a_gap_along_sigma2_are_those_of_each_fit_in_the_same_context(session):
    for sigma2 in (0.1, 1.0, 10.0):
        session.at(sigma2)
    snapshot = session.at(1.0)
    known = session.adaptation(0).known
    for position in changed(snapshot):
        gap = why(session, snapshot, position)["gap"]
        along = session.gap_along(snapshot, gap)
        assert len(along) == len(known) >= 3
        for tuned, values in zip(known, along, strict=True):
            weights = oracles.weights_of(tuned.model)
            for row, value in zip(gap["rows"], values, strict=True):
                to, start = (
                    weight(weights, row["predicate"], gap[side]) for side in ("to", "from")
                )
                assert value == pytest.approx(to - start, abs=1e-4)


def weight(weights, predicate, tag):
    """Weight of a predicate for a tag; that of the tag after the word is the transition to it."""
    template, _, value = predicate.partition("=")
    if template == "t+1":
        predicate, tag = f"t-1={tag}", value
    return oracles.score(weights, [predicate], TAGS.index(tag))


# --- MEMM beside CRF ----------------------------------------------------------------------


def test_side_by_side_has_each_word_s_probabilities(sessions):
    memm, crf = (sessions[kind].at(1.0).tuned.model for kind in KINDS)
    corpus = sessions["memm"].corpora["dev"]
    rows = side_by_side(memm, crf, corpus, 8)
    first, end = corpus.starts[corpus.sentence_ids[8] :][:2]
    assert [row["position"] for row in rows] == list(range(first, end))
    assert [row["word"] for row in rows] == corpus.sentence(int(corpus.sentence_ids[8]))
    for row in rows:
        position = row["position"]
        local = tag_probabilities(explain(memm, corpus, position))
        assert row["memm_local"] == pytest.approx(local.to_dict())
        for name, model in (("memm", memm), ("crf", crf)):
            marginal = oracles.marginal_probabilities(model, corpus, position)
            assert list(row[f"{name}_marginal"].values()) == pytest.approx(marginal.tolist())
            assert row[name] == model.tag_names[model.tag(corpus)[position]]
    assert json.loads(json.dumps(rows)) == rows


# --- other tasks --------------------------------------------------------------------------


def label(lines, names):
    """A corpus of words written as word/TAG."""
    pairs = [[word.rsplit("/", 1) for word in line.split()] for line in lines]
    corpus = Corpus.from_sentences([[word for word, _ in line] for line in pairs], gold=False)
    tags = np.array([names.index(tag) for line in pairs for _, tag in line], np.int8)
    return replace(corpus, tags=tags, tag_names=names)


@pytest.mark.parametrize("kind", [MEMM, CRF])
def test_a_tag_that_the_background_never_saw_has_no_chance_in_it(kind):
    old = label(["the/DT plan/NN", "a/DT mill/NN said/VB", "sales/NN rose/VB"], ("DT", "NN", "VB"))
    new = label(["uh/UH the/DT plan/NN", "uh/UH sales/NN rose/VB"], ("DT", "NN", "VB", "UH"))
    background = kind.fit(old, cutoff=0)
    session = Session(background, None, {"train": new, "dev": new, "test": new})
    snapshot = session.at(10.0)
    answer = why(session, snapshot, 0)
    assert answer["tags"] == ["DT", "NN", "VB", "UH"]
    assert answer["after"]["tag"] == answer["after"]["form"] == answer["gap"]["to"] == "UH"
    assert answer["p_background"][3] == 0
    assert sum(answer["p_background"]) == pytest.approx(1)
    assert answer["gap"]["adapted"] > 0
    assert path(session, 0, "dev", 0)["background"] == pytest.approx(answer["p_background"])
    assert because(session, snapshot, 0)["pushed"]
