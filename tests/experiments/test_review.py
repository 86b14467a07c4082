"""The review: decisions change exactly what they say, and the refit is an honest one."""

import io

import numpy as np
import pandas as pd
import pytest

from workbench.experiments.review import (
    ACCEPT,
    CORRECT,
    REFERENCE,
    Decision,
    Place,
    change_words,
    check_value,
    corrected_sentences,
    decide,
    decisions_csv,
    describe_group,
    queue,
    review,
    training_text,
)
from workbench.experiments.session import Session
from workbench.text.casing import tag_of
from workbench.text.corpus import Corpus, join
from workbench.text.errors import InputError
from workbench.text.readers import read_upload

CHUNKS = "He PRP B-NP\nran VBD B-VP\nfast RB I-VP\n. . O\n\nThe DT B-NP\ndog NN I-NP\n. . O\n\n"


@pytest.fixture(scope="module")
def session(tiny_session):
    return tiny_session


@pytest.fixture(scope="module")
def snapshot(session):
    return session.at(1.0)


def lines(corpus):
    return [" ".join(corpus.sentence(i)) for i in range(corpus.n_sentences)]


def from_lines(texts):
    return Corpus.from_sentences([text.split() for text in texts], "anew")


def wrong_words(session, snapshot):
    return {int(i) for i in np.flatnonzero(snapshot.tuned.tags["dev"] != gold(session))}


def gold(session):
    return session.corpora["dev"].tags


def decided(session, snapshot, status, kind, typed=None):
    """The decision on the first word of a status; None typed is the reference's form."""
    rows = snapshot.diff[snapshot.diff["status"] == status]
    row = rows.iloc[0]
    start = review(session, ())
    return decide(start, snapshot, int(row.position), kind, row.gold if typed is None else typed)


# --- texts --------------------------------------------------------------------------------


def test_corpora_join_as_their_sentences_do_with_labels_and_columns_by_name(
    adaptation_corpus, background_corpus
):
    joined = join(adaptation_corpus, background_corpus)
    anew = from_lines([*lines(adaptation_corpus), *lines(background_corpus)])
    assert lines(joined) == lines(anew)
    assert joined.fingerprint == anew.fingerprint
    assert joined.name == adaptation_corpus.name
    read = [joined.words[word] for word in joined.word_ids]
    assert read == [anew.words[word] for word in anew.word_ids]
    first, second = read_upload(CHUNKS, "a.iob"), CHUNKS.replace("NP", "XP")
    joined = join(first, read_upload(second, "b.iob"))
    assert training_text(joined) == CHUNKS + second


@pytest.mark.parametrize("end", ["iob", "tag"])
def test_labelled_sentences_are_written_as_they_are_read(end):
    text = CHUNKS if end == "iob" else CHUNKS.replace(" B-", " ").replace(" I-", " ")
    if end == "tag":
        text = "".join(f"{' '.join(line.split()[:2])}\n" for line in CHUNKS.split("\n")[:-1])
    corpus = read_upload(text, f"a.{end}")
    assert training_text(corpus) == text


# --- decisions ----------------------------------------------------------------------------


def test_a_corrected_sentence_refits_as_a_session_opened_with_it(session, snapshot):
    decision = decided(session, snapshot, "still wrong", CORRECT)
    after = review(session, [decision])
    texts = {part: lines(corpus) for part, corpus in session.corpora.items()}
    moved = texts["dev"].pop(decision.at.sentence)
    corpora = {part: from_lines(text) for part, text in texts.items()}
    corpora["train"] = from_lines([*texts["train"], moved])
    anew = Session(session.background, session.unigram, corpora).at(1.0)
    got = after.session.at(1.0)
    assert got.models == anew.models
    assert got.point["log_likelihood"] == pytest.approx(anew.point["log_likelihood"], rel=1e-9)
    assert got.diff.equals(anew.diff)
    left = len(session.corpora["dev"]) - len(moved.split())
    assert f"the dev figures are of the {left} of {len(session.corpora['dev'])} words" in (
        after.describe()
    )
    assert training_text(corrected_sentences(after)) == moved + "\n"


def test_a_session_with_sentences_has_them_at_the_end(session, few_sentences):
    longer = session.with_corpora({"train": join(session.corpora["train"], few_sentences)})
    assert lines(longer.corpora["train"]) == lines(session.corpora["train"]) + lines(few_sentences)
    assert longer.corpora["dev"] is session.corpora["dev"]


def test_nothing_decided_is_the_session_itself(session, snapshot):
    accepted = decided(session, snapshot, "fixed", ACCEPT)
    for decisions in ((), (accepted,)):
        after = review(session, decisions)
        assert after.session is session
        assert after.describe() == ""
    assert corrected_sentences(after) is None


def test_a_corrected_form_is_what_is_trained_on_and_the_last_decision_counts(session, snapshot):
    decision = decided(session, snapshot, "fixed", CORRECT)
    decision = Decision(*list(vars(decision).values())[:-1], value=decision.word.upper())
    trained = corrected_sentences(review(session, [decision]))
    assert trained.sentence(0)[decision.at.place] == decision.word.upper()
    assert trained.tags[decision.at.place] == tag_of(decision.word.upper())
    wrong = decided(session, snapshot, "still wrong", REFERENCE)
    accepted = Decision(wrong.at, ACCEPT, wrong.word, wrong.before, wrong.before)
    assert review(session, [wrong, accepted]).session is session


def test_places_and_positions_are_inverse_after_sentences_left(session, snapshot):
    after = review(session, [decided(session, snapshot, "still wrong", CORRECT)])
    corpus, opened = after.session.corpora["dev"], session.corpora["dev"]
    for position in range(len(corpus)):
        at = after.origin(position)
        assert after.position(at) == position
        form = corpus.forms[corpus.form_ids[position]]
        assert opened.sentence(at.sentence)[at.place] == form
    assert after.position(after.decisions[0].at) is None


def test_some_dev_text_must_be_left(session):
    dev = session.corpora["dev"]
    all_of_them = [
        Decision(Place(i, 0), CORRECT, *[dev.sentence(i)[0]] * 3) for i in range(dev.n_sentences)
    ]
    with pytest.raises(InputError, match="no sentence of the dev text would be left"):
        review(session, all_of_them)


@pytest.mark.parametrize("status", ["broken", "still wrong"])
def test_a_changed_reference_changes_exactly_that_error(session, snapshot, status):
    assert (snapshot.diff["status"] == status).any()
    decision = decided(session, snapshot, status, REFERENCE)
    after = review(session, [decision])
    now = after.session.at(1.0)
    position = after.position(decision.at)
    before = wrong_words(session, snapshot)
    assert position in before
    assert wrong_words(after.session, now) == before - {position}
    assert now.models[-1]["wrong"] == snapshot.models[-1]["wrong"] - 1
    assert (now.tuned.tags["dev"] == snapshot.tuned.tags["dev"]).all()
    assert after.describe() == "The reference is changed at 1 word of the dev text."
    assert (gold(session) != gold(after.session)).nonzero()[0].tolist() == [position]


def test_any_casing_of_the_same_letters_is_a_form(adaptation_corpus):
    assert check_value(adaptation_corpus, 0, " primeTIME ") == "primeTIME"
    for typed in ("prime time", "PrimeTimes", ""):
        with pytest.raises(InputError, match="any case of the letters of primetime"):
            check_value(adaptation_corpus, 0, typed)


def test_a_label_is_one_of_the_text_and_a_chunk_without_its_beginning_begins_anew():
    corpus = read_upload(CHUNKS, "a.iob")
    assert check_value(corpus, 1, "O") == "O"
    with pytest.raises(InputError, match=r"B-XY: allowed are B-NP, B-VP, I-VP, O, I-NP"):
        check_value(corpus, 1, "B-XY")
    changed = change_words(corpus, [Decision(Place(0, 1), CORRECT, "ran", "B-VP", "O")])
    assert [changed.tag_names[tag] for tag in changed.tags[:4]] == ["B-NP", "O", "B-VP", "O"]


def test_a_reference_that_is_right_needs_another_form(session, snapshot):
    with pytest.raises(InputError, match=r"the reference says .* already"):
        decided(session, snapshot, "fixed", REFERENCE)


# --- queue and files ----------------------------------------------------------------------


def test_the_queue_has_every_word_once_and_tells_its_groups_largest_first(snapshot):
    groups = queue(snapshot.diff)
    positions = [position for group in groups for position in group.positions]
    assert sorted(positions) == snapshot.diff["position"].tolist()
    sizes = [len(group.positions) for group in groups]
    assert sizes == sorted(sizes, reverse=True)
    assert all(sum(group[1:4]) == len(group.positions) for group in groups)
    assert len({group.word for group in groups}) == len(groups)
    diff = pd.DataFrame({
        "word": ["a", "streamlit", "streamlit", "streamlit"], "position": [1, 3, 4, 9],
        "status": ["broken", "fixed", "broken", "fixed"],
    })  # fmt: skip
    assert [describe_group(group) for group in queue(diff)] == [
        "streamlit: 2 fixed, 1 broken", "a: 1 broken",
    ]  # fmt: skip


def test_decisions_are_written_as_csv(snapshot, session):
    decision = decided(session, snapshot, "still wrong", CORRECT)
    table = pd.read_csv(io.StringIO(decisions_csv([decision])))
    row = table.iloc[0]
    assert session.corpora["dev"].sentence(row.sentence - 1)[row.place - 1] == row.word
    assert (row.decision, row.right) == ("corrected", decision.value)
