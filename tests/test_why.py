"""Why a word has its tag: bars that sum to the gap, curves, sentences; MEMM and CRF."""

import json
import math
from dataclasses import replace

import numpy as np
import oracles
import pytest

from workbench.evaluation.explain import explain, marginal_probabilities, tag_probabilities
from workbench.evaluation.gap import per_cent, signed, tell_gap
from workbench.evaluation.predicate_words import describe_predicate
from workbench.experiments.exploring.session import Session
from workbench.experiments.exploring.why import because, path, side_by_side, why
from workbench.features.templates import TEMPLATES, predicates_of
from workbench.models.crf import CRF
from workbench.models.memm import MEMM
from workbench.text.casing import TAGS
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError

KINDS = "memm", "crf"


@pytest.fixture(scope="module")
def sessions(background, background_corpus, adaptation_corpus):
    parts = enumerate(("train", "dev", "test"))
    corpora = {part: adaptation_corpus.take(np.arange(first, 26, 3)) for first, part in parts}
    chain = CRF.fit(background_corpus, cutoff=0, sigma2=5.0)
    return {
        kind: Session(m, None, corpora) for kind, m in {"memm": background, "crf": chain}.items()
    }


@pytest.fixture(params=KINDS)
def session(request, sessions):
    return sessions[request.param]


@pytest.fixture
def snapshot(session):
    return session.at(1.0)


def changed(snapshot):
    """Positions of words that the two models tag differently."""
    diff = snapshot.diff
    return diff["position"][diff["tag_before"] != diff["tag_after"]].tolist()


def positions(snapshot, session):
    """Words that changed, and every third of all."""
    return [*changed(snapshot), *range(0, len(session.corpora["dev"]), 3)]


# --- why ----------------------------------------------------------------------------------


def test_the_bars_sum_to_the_gap_in_each_model(session, snapshot):
    assert changed(snapshot)
    for position in positions(snapshot, session):
        gap = why(session, snapshot, position)["gap"]
        for side in ("background", "adapted"):
            assert gap[side] == sum(row[side] for row in gap["rows"])
        for row in gap["rows"]:
            assert row["change"] == row["adapted"] - row["background"]


def test_of_an_memm_the_gap_is_that_of_log_probabilities(sessions):
    session = sessions["memm"]
    snapshot = session.at(1.0)
    for position in positions(snapshot, session):
        answer = why(session, snapshot, position)
        p = dict(zip(answer["tags"], answer["p_adapted"], strict=True))
        gap = answer["gap"]
        assert gap["adapted"] == pytest.approx(math.log(p[gap["to"]] / p[gap["from"]]), abs=1e-6)
        p = dict(zip(answer["tags"], answer["p_background"], strict=True))
        assert gap["background"] == pytest.approx(math.log(p[gap["to"]] / p[gap["from"]]), abs=1e-6)


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
        for side, of in (("adapted", model), ("background", session.background)):
            scores = []
            for name in (gap["to"], gap["from"]):
                path_tags = tags[first:end].copy()
                path_tags[position - first] = TAGS.index(name)
                scores.append(score_path(of, words, path_tags))
            assert gap[side] == pytest.approx(scores[0] - scores[1], abs=1e-9)


def score_path(model, words, tags):
    weights, total = oracles.weights_of(model), 0.0
    for i, tag in enumerate(tags.tolist()):
        last = [TAGS[t] for t in tags[max(0, i - 2) : i][::-1]]
        total += oracles.score(weights, predicates_of(model.templates, words, i, last), tag)
    return total


def test_before_and_after_are_what_the_diff_says(session, snapshot):
    rows = snapshot.diff.set_index("position")
    for position in changed(snapshot):
        answer, row = why(session, snapshot, position), rows.loc[position]
        assert (answer["before"]["tag"], answer["before"]["form"]) == (row.tag_before, row.before)
        assert (answer["after"]["tag"], answer["after"]["form"]) == (row.tag_after, row.after)
        assert (answer["gold"]["tag"], answer["gold"]["form"]) == (row.gold_tag, row.gold)
        assert (answer["gap"]["from"], answer["gap"]["to"]) == (row.tag_before, row.tag_after)
        assert answer["word"] == row.word


def test_probabilities_are_those_of_explain(sessions):
    session = sessions["memm"]
    snapshot = session.at(1.0)
    corpus, model = session.corpora["dev"], snapshot.tuned.model
    for position in positions(snapshot, session)[::4]:
        answer = why(session, snapshot, position)
        found = explain(model, corpus, position, session.background)
        assert answer["p_adapted"] == pytest.approx(tag_probabilities(found).tolist())
        before = tag_probabilities(found, "background").tolist()
        assert answer["p_background"] == pytest.approx(before)
        alone = tag_probabilities(explain(session.background, corpus, position))
        assert answer["before"]["p"] == pytest.approx(alone[answer["before"]["tag"]])
        if not answer["context_differs"]:
            place = answer["tags"].index(answer["before"]["tag"])
            assert answer["before"]["p"] == pytest.approx(before[place])


def test_of_a_chain_probabilities_are_marginals(sessions):
    session = sessions["crf"]
    snapshot = session.at(1.0)
    answer = why(session, snapshot, 3)
    assert answer["probability"] == "P(tag | sentence)"
    found = marginal_probabilities(snapshot.tuned.model, session.corpora["dev"], 3)
    assert answer["p_adapted"] == pytest.approx(found.tolist())


def test_without_a_change_the_gap_is_to_the_strongest_rival(session, snapshot):
    answer = why(session, snapshot, 0)
    assert answer["before"]["tag"] == answer["after"]["tag"] == answer["gap"]["to"]
    p = dict(zip(answer["tags"], answer["p_adapted"], strict=True))
    p.pop(answer["gap"]["to"])
    assert answer["gap"]["from"] == max(p, key=p.get)
    assert answer["sentence"].startswith("Both say")


def test_rows_are_sorted_and_features_are_known(session, snapshot):
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


# --- sentences ----------------------------------------------------------------------------

SIDES = {
    "before": {"tag": "LOC", "form": "streamlit", "p": 0.98},
    "after": {"tag": "CAP", "form": "Streamlit", "p": 0.75},
}


def gap_of(*changes):
    rows = [{"words": w, "change": c, "new": n} for w, c, n in changes]
    return {"from": "LOC", "to": "CAP", "background": -1.0, "adapted": 1.5, "rows": rows}


def test_a_sentence_says_what_moved_the_decision():
    gap = gap_of(("prefix str-", 1.82, False), ("the word itself", 1.45, True), ("x", -3, False))
    assert tell_gap(**SIDES, gap=gap) == (
        "Background said \u201cstreamlit\u201d 98 %; adapted says \u201cStreamlit\u201d 75 %: "
        "prefix str- +1.82; new from adaptation: the word itself +1.45."
    )


def test_a_sentence_without_reasons_has_none():
    assert tell_gap(**SIDES, gap=gap_of(("x", -3, False))).endswith("75 %.")


def test_a_sentence_on_an_unchanged_tag_names_its_rival():
    sides = {"before": SIDES["after"] | {"p": 0.6}, "after": SIDES["after"]}
    text = tell_gap(**sides, gap=gap_of(("prefix str-", 1.82, False)))
    assert text == (
        "Both say \u201cStreamlit\u201d 60 % to 75 %; its lead over LOC moved by +2.50: "
        "prefix str- +1.82."
    )


@pytest.mark.parametrize(
    ("p", "text"),
    [(0, "0 %"), (0.004, "under 1 %"), (0.01, "1 %"), (0.5, "50 %"), (0.99, "99 %"),
     (0.996, "over 99 %"), (1, "100 %")],
)  # fmt: skip
def test_probabilities_are_told_as_people_read_them(p, text):
    assert per_cent(p) == text


def test_numbers_have_a_true_minus():
    assert [signed(x) for x in (1.818, -0.5)] == ["+1.82", "\u22120.50"]


# --- predicates in words ------------------------------------------------------------------

WORDS = {
    "currentword=gene": "the word itself",
    "previousword=the": "the word before it (the)",
    "nextword=*bdw*": "the word after it (none)",
    "t-1=CAP": "the tag before it (CAP)",
    "t-1,2=CAP,*bdw*": "the two tags before it (CAP, none)",
    "t+1=LOC": "the tag after it (LOC)",
    "prefix3=str": "prefix str-",
    "suffix2=it": "suffix -it",
    "previousprefix1=a": "prefix a- of the word before it",
    "nextsuffix3=ing": "suffix -ing of the word after it",
    "pos+1=NN": "part of speech of the word after it (NN)",
    "pos-1,pos0=DT,NN": "part of speech of the word before it and the word itself (DT, NN)",
    "currentword==": "the word itself",
    "previousword=,": "the word before it (,)",
    "capital=yes": "a capital in it",
    "predicted=CAP": "predicted (CAP)",
}


@pytest.mark.parametrize("predicate", WORDS)
def test_predicates_are_said_in_words(predicate):
    assert describe_predicate(predicate) == WORDS[predicate]


@pytest.mark.parametrize("name", TEMPLATES)
def test_every_template_has_words_of_its_own(name):
    words = describe_predicate(f"{name}=a,b")
    assert not words.startswith(f"{name} (")  # as a template without words is said
    assert not any(mark in words for mark in ("=", "+", "None"))
    if "fix" not in name:  # prefixes of all lengths are said alike: their values tell them apart
        others = [describe_predicate(f"{t}=a,b") for t in TEMPLATES if t != name]
        assert words not in others


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


def test_a_path_begins_at_the_background(session):
    session.at(1e-6)
    curve = path(session, 0, "dev", 2)
    assert curve["p"][0] == pytest.approx(curve["background"], abs=1e-3)


def test_a_path_without_fits_is_empty(sessions):
    fresh = sessions["memm"].without([])
    curve = path(fresh, 0, "dev", 2)
    assert (curve["sigma2s"], curve["p"], curve["chosen"]) == ([], [], [])


# --- because of these sentences -----------------------------------------------------------


def test_dropping_what_pushed_lowers_the_gap(session, snapshot):
    for position in changed(snapshot):
        found = because(session, snapshot, position)
        answer = why(session, snapshot, position)["gap"]
        assert found["gap"] == pytest.approx(answer["adapted"])
        assert (found["from"], found["to"]) == (answer["from"], answer["to"])
        assert found["pushed"]
        assert all(row["effect"] > 0 for row in found["pushed"])
        assert all(row["effect"] < 0 for row in found["resisted"])
        first = found["pushed"][0]
        fewer = session.without([first["sentence"]])
        refit = fewer.at(1.0).tuned
        direction = direction_of(session, snapshot, position)
        fall = direction @ (snapshot.tuned.fit.weights - refit.fit.weights)
        assert first["effect"] / 2 < fall < 2 * first["effect"]


def direction_of(session, snapshot, position):
    answer, problem = why(session, snapshot, position), snapshot.tuned.adaptation.problem
    cells, following = [], None
    for row in answer["gap"]["rows"]:
        template, value = row["predicate"].split("=", 1)
        for tag, sign in ((answer["gap"]["to"], 1.0), (answer["gap"]["from"], -1.0)):
            if template == "t+1":
                following = value
                cells.append((f"t-1={tag}", following, sign))
            else:
                cells.append((row["predicate"], tag, sign))
    return problem.direction(cells)


def test_sentences_are_shown_as_written_with_the_word_in_them(session, snapshot):
    corpus = session.corpora["train"]
    for position in changed(snapshot):
        word = why(session, snapshot, position)["word"]
        found = because(session, snapshot, position)
        for row in found["pushed"] + found["resisted"]:
            assert row["words"] == corpus.sentence(row["sentence"])
            assert [row["words"][i].lower() for i in row["places"]] == [word] * len(row["places"])
            assert row["places"] or word not in [form.lower() for form in row["words"]]


def test_no_more_sentences_than_asked_for_and_the_strongest_first(session, snapshot):
    position = changed(snapshot)[0]
    found = because(session, snapshot, position, 2)
    effects = [row["effect"] for row in found["pushed"]]
    assert effects == sorted(effects, reverse=True)
    assert max(len(found["pushed"]), len(found["resisted"])) <= 2
    assert found["seconds"] > 0


def test_a_dropped_sentence_is_no_reason_any_more(session, snapshot):
    position = changed(snapshot)[0]
    first = because(session, snapshot, position)["pushed"][0]["sentence"]
    fewer = session.without([first])
    again = because(fewer, fewer.at(1.0), position, 99)
    assert first not in [row["sentence"] for row in again["pushed"] + again["resisted"]]


def test_a_snapshot_of_another_session_is_refused(session, snapshot):
    with pytest.raises(InputError, match="the snapshot is of another session"):
        because(session.without([0]), snapshot, 3)


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
            marginal = marginal_probabilities(model, corpus, position)
            assert row[f"{name}_marginal"] == pytest.approx(marginal.to_dict())
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
