"""The adaptation sentences behind a decision."""

import numpy as np
import pytest
from tiny_sessions import changed

from workbench.experiments import why as module
from workbench.experiments.why import because, why
from workbench.text.errors import InputError


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


def test_sentences_are_shown_as_written_the_strongest_six_first(session, snapshot):
    corpus = session.corpora["train"]
    for position in changed(snapshot):
        found = because(session, snapshot, position)
        for row in found["pushed"] + found["resisted"]:
            assert row["words"] == corpus.sentence(row["sentence"])
    position = changed(snapshot)[0]
    found = because(session, snapshot, position)
    effects = [row["effect"] for row in found["pushed"]]
    assert effects == sorted(effects, reverse=True)
    assert max(len(found["pushed"]), len(found["resisted"])) <= 6
    assert found["seconds"] > 0


def test_a_link_names_a_predicate_of_the_sentence_and_the_words_that_share_it(session, snapshot):
    n_marked = 0
    for position in changed(snapshot):
        answer, found = why(session, snapshot, position), because(session, snapshot, position)
        own = [row["words"] for row in answer["gap"]["rows"]]
        for row in found["pushed"] + found["resisted"]:
            link = row["link"]
            assert link["effect"] * row["effect"] > 0
            assert link["is_shared"] or link["words"] not in own
            marked = [row["words"][place].lower() for place in link["places"]]
            n_marked += len(marked)
            assert not marked or link["is_shared"]
            if link["words"] == "the word itself" and link["is_shared"]:
                assert set(marked) == {answer["word"]}
            if link["words"].startswith("prefix"):
                assert all(word.startswith(link["words"].split()[1][:-1]) for word in marked)
            if link["words"].startswith("the tag before it") and link["is_shared"]:
                assert len(marked) == 1
    assert n_marked > 10


def test_the_strongest_sentence_with_a_word_that_is_linked_is_told_in_words(session, snapshot):
    n_told = 0
    for position in changed(snapshot):
        found = because(session, snapshot, position)
        linked = [row for row in found["pushed"] if row["link"]["places"]]
        if not linked:
            assert found["says"] == ""
            continue
        words, link = linked[0]["words"], linked[0]["link"]
        feature, word = link["words"], words[link["places"][0]].strip()
        has_it = (
            "is the same word" if feature == "the word itself"
            else f"has the same {feature.removeprefix('the ')}" if feature.startswith("the ")
            else f"shares {feature}"
        )  # fmt: skip
        says = f"Learnt above all from a sentence with “{word}”, which {has_it}."
        assert found["says"] == says
        n_told += 1
    assert n_told > 3


def test_tags_link_by_the_strongest_word_and_equals_go_to_the_first_that_fires(session, snapshot):
    position = changed(snapshot)[0]
    of, problem = module._decide(session, snapshot, position), snapshot.tuned.adaptation.problem
    slopes = problem.slopes.at(snapshot.tuned.fit.weights)
    tag = f"t-1={of.adapted.tag_names[of.tags_after[of.place - 1]]}"
    rng = np.random.default_rng(0)
    solved = problem.direction([(tag, name, rng.normal()) for name in of.adapted.tag_names])
    parts = slopes.parts(solved, 4)
    effect = parts.values.sum()
    assert parts.effect == pytest.approx(effect)
    (link,) = module._tell_links(of, snapshot, {4: parts})
    is_tag = np.array(problem.name_parts(parts.predicates)) == tag
    values = np.bincount(parts.places[is_tag], np.sign(effect) * parts.values[is_tag])
    assert link == {"words": f"the tag before it ({tag[4:]})", "is_shared": True,
                    "places": [values.argmax()], "effect": pytest.approx(effect)}  # fmt: skip
    parts = slopes.parts(np.zeros_like(solved), 4)
    names = problem.name_parts(np.unique(parts.predicates))
    for own in (names, names[::-1]):  # all parts are nothing, so all are as strong
        assert module.find_link(problem, parts, own).name == own[0]


def test_a_snapshot_of_another_session_is_refused(session, snapshot):
    with pytest.raises(InputError, match="the snapshot is of another session"):
        because(session.without([0]), snapshot, 3)


def test_a_dropped_sentence_is_no_reason_any_more(session, snapshot, monkeypatch):
    position = changed(snapshot)[0]
    first = because(session, snapshot, position)["pushed"][0]["sentence"]
    fewer = session.without([first])
    monkeypatch.setattr(module, "_MOST", 99)
    again = because(fewer, fewer.at(1.0), position)
    assert first not in [row["sentence"] for row in again["pushed"] + again["resisted"]]


def test_a_session_tells_what_leaving_out_did_to_a_decision(session, snapshot):
    position = changed(snapshot)[0]
    assert session.left_out(snapshot, position) is None
    first = because(session, snapshot, position)["pushed"][0]["sentence"]
    numbers = sorted({first, (first + 1) % session.corpora["train"].n_sentences})
    fewer = session.without(numbers[:1]).without(numbers[1:])
    after = fewer.at(1.0)
    told = fewer.left_out(after, position)
    assert [each["sentence"] for each in told["sentences"]] == numbers
    assert told["sentences"][0]["words"] == session.corpora["train"].sentence(numbers[0])
    assert told["before"] == why(session, snapshot, position)["after"]
    assert told["after"] == why(fewer, after, position)["after"]
    direction = direction_of(session, snapshot, position)
    moved = after.tuned.fit.weights - snapshot.tuned.fit.weights
    assert told["true"] == pytest.approx(direction @ moved)
    assert told["forecast"] == pytest.approx(told["true"], rel=0.15)
    others = np.flatnonzero(after.tuned.tags["dev"] != snapshot.tuned.tags["dev"])
    assert told["flipped"] == len(set(others.tolist()) - {position})
    contexts = why(session, snapshot, position)["context"], why(fewer, after, position)["context"]
    assert told["context_differs"] == (contexts[0] != contexts[1])
