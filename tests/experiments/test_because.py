"""The adaptation sentences behind a decision."""

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


def test_sentences_are_shown_as_written_the_strongest_three_first(session, snapshot):
    corpus = session.corpora["train"]
    for position in changed(snapshot):
        word = why(session, snapshot, position)["word"]
        found = because(session, snapshot, position)
        for row in found["pushed"] + found["resisted"]:
            assert row["words"] == corpus.sentence(row["sentence"])
            assert [row["words"][i].lower() for i in row["places"]] == [word] * len(row["places"])
            assert row["places"] or word not in [form.lower() for form in row["words"]]
    position = changed(snapshot)[0]
    found = because(session, snapshot, position)
    effects = [row["effect"] for row in found["pushed"]]
    assert effects == sorted(effects, reverse=True)
    assert max(len(found["pushed"]), len(found["resisted"])) <= 3
    assert found["seconds"] > 0


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
