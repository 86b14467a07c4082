"""The main job as a whole: what a snapshot says is consistent, and known points are kept."""

from dataclasses import replace

import numpy as np
import pytest

from workbench.evaluation.diff import status_counts
from workbench.experiments import session as session_module
from workbench.experiments.backgrounds import Background, count_words
from workbench.experiments.session import ADAPTED, Session, divide, open_session
from workbench.settings import SIGMA2_GRID
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError


@pytest.fixture
def corpora(adaptation_parts):
    return adaptation_parts


@pytest.fixture
def session(fresh_session):
    return fresh_session


@pytest.mark.parametrize("part", ["dev", "test"])
@pytest.mark.parametrize("sigma2", [0.01, 1.0, 100.0])
def test_fixed_less_broken_is_what_the_errors_fell_by(session, sigma2, part):
    snapshot = session.at(sigma2, part=part)
    _, before, after = (row["wrong"] for row in snapshot.models)
    counts = status_counts(snapshot.diff)
    assert counts["fixed"] - counts["broken"] == before - after
    assert counts["broken"] + counts["still wrong"] == after
    assert after == snapshot.tuned.wrong[part]


def test_models_in_order_the_point_and_the_summary_count_as_the_diff_does(session, corpora):
    snapshot = session.at(1.0)
    counts, row = status_counts(snapshot.diff), snapshot.models[2]["versus"]
    assert (row["a"], row["b"]) == ("background", ADAPTED)
    assert (row["fixed"], row["broken"]) == (counts["fixed"], counts["broken"])
    rows = session.at(1.0).models
    assert [(row["name"], row["kind"]) for row in rows] == [
        ("1-gram", "1gram"), ("background", "memm"), ("adapted", "memm"),
    ]  # fmt: skip
    assert ["versus" in row for row in rows] == [True, False, True]
    assert snapshot.point["sigma2"] == snapshot.tuned.sigma2 == 1.0
    assert snapshot.point["dev_error_rate"] == snapshot.models[2]["error_rate"]
    fixed = status_counts(snapshot.diff)["fixed"]
    assert snapshot.summary.startswith(f"Adaptation fixed {fixed} words and broke ")
    assert f" of {len(corpora['dev'])}: " in snapshot.summary


def test_another_part_is_shown_without_another_fit(session):
    steps = []
    dev = session.at(1.0, part="dev", on_step=steps.append)
    n = len(steps)
    test = session.at(1.0, part="test", on_step=steps.append)
    assert len(steps) == n
    assert dev.tuned is test.tuned
    assert (dev.part, test.part) == ("dev", "test")


def test_a_cutoff_is_built_once(session):
    assert session.adaptation(0) is session.adaptation(0)
    assert session.adaptation(0) is not session.adaptation(None)
    assert session.at(1.0, cutoff=None).point["new_features"] == 0


def test_the_curve_holds_what_was_fitted(session):
    assert session.curve(0).empty
    for sigma2 in (10.0, 0.1):
        session.at(sigma2)
    curve = session.curve(0)
    assert curve["sigma2"].tolist() == [0.1, 10.0]
    assert {"log_likelihood", "train_error_rate", "dev_error_rate"} <= set(curve.columns)
    assert session.curve(None).empty


def test_what_is_missing_is_the_rest_of_the_grid(session):
    assert sorted(session.missing(0)) == sorted(SIGMA2_GRID)
    session.at(SIGMA2_GRID[3])
    assert sorted(session.missing(0)) == sorted(set(SIGMA2_GRID) - {SIGMA2_GRID[3]})
    assert len(session.missing(None)) == len(SIGMA2_GRID)


def test_every_second_value_outward_from_what_is_known_comes_first(session):
    session.at(1.0)
    order = [SIGMA2_GRID.index(sigma2) for sigma2 in session.missing(0)]
    assert sorted(order[:12]) == [*range(0, 12, 2), *range(14, 25, 2)]
    away = [abs(k - 12) for k in order[:12]]
    assert away == sorted(away)


def test_a_domain_without_case_is_refused(background, corpora):
    lower = Corpus.from_sentences([["no", "case", "here", "."]], "lower")
    with pytest.raises(InputError, match="lower: no capital letter"):
        Session(background, None, corpora | {"dev": lower})


def test_the_grid_is_even_on_a_log_scale():
    steps = np.diff(np.log10(SIGMA2_GRID))
    assert (SIGMA2_GRID[0], SIGMA2_GRID[-1]) == (0.01, 100.0)
    assert steps == pytest.approx(1 / 6, abs=0.02)


# --- opening ------------------------------------------------------------------------------


@pytest.fixture
def background_found(background, background_corpus, unigram, monkeypatch):
    found = Background(background, unigram, count_words(background_corpus))
    monkeypatch.setattr(session_module, "find_background", lambda *_: found)
    return found


def test_corpora_are_opened_as_they_are_and_a_folder_by_its_parts(
    background_found, corpora, tmp_path
):
    opened = open_session("anything", corpora)
    assert opened.corpora == corpora
    assert (opened.background, opened.unigram) == background_found[:2]
    for part, corpus in corpora.items():
        lines = [" ".join(corpus.sentence(i)) for i in range(corpus.n_sentences)]
        (tmp_path / f"{part}.txt").write_text("\n".join(lines) + "\n")
    opened = open_session("anything", str(tmp_path))
    sizes = {part: len(corpus) for part, corpus in opened.corpora.items()}
    assert sizes == {part: len(corpus) for part, corpus in corpora.items()}


def test_what_is_opened_knows_which_words_the_background_has(background_found, corpora):
    opened = open_session("anything", corpora)
    positions = opened.slicing("dev").members("frequency", "0")
    corpus = corpora["dev"]
    unseen = {corpus.words[word] for word in corpus.word_ids[positions]}
    assert "ibm" not in unseen
    assert unseen
    assert not unseen & set(background_found.word_counts)


def test_the_cut_offs_that_were_opened_are_known(session):
    assert session.known_cutoffs == []
    session.at(1.0)
    assert session.known_cutoffs == [0]
    session.adaptation(None)
    assert session.known_cutoffs == [0, None]


def test_a_sigma2_near_zero_changes_nothing(session):
    snapshot = session.at(1e-12)
    assert status_counts(snapshot.diff) == {
        "fixed": 0, "broken": 0, "still wrong": snapshot.models[1]["wrong"], "misspelled": 0,
    }  # fmt: skip
    assert snapshot.summary.startswith("Adaptation changed no word")


def test_slices_of_a_snapshot_are_of_its_errors(session):
    snapshot = session.at(1.0, part="test")
    table = session.slices(snapshot)
    _, before, after = snapshot.models
    by_tag = table[table["kind"] == "reference tag"]
    assert (by_tag["n"] * by_tag["before"]).sum() == pytest.approx(before["wrong"])
    assert (by_tag["n"] * by_tag["after"]).sum() == pytest.approx(after["wrong"])
    counts = status_counts(snapshot.diff)
    assert by_tag["fixed"].sum() == counts["fixed"] > 0
    assert by_tag["broken"].sum() == counts["broken"] > 0
    status = snapshot.diff["status"].copy()
    status[status.eq("fixed").idxmax()] = "misspelled"
    table = session.slices(replace(snapshot, diff=snapshot.diff.assign(status=status)))
    assert table["fixed"][table["kind"] == "reference tag"].sum() == counts["fixed"] - 1


# --- dividing a user's text ---------------------------------------------------------------


def sentences(corpus):
    return [tuple(corpus.sentence(i)) for i in range(corpus.n_sentences)]


@pytest.mark.parametrize("n", [5, 7, 26])
def test_a_text_is_divided_whole_and_without_overlap(adaptation_corpus, n):
    corpus = adaptation_corpus.take(np.arange(n))
    parts = divide(corpus)
    assert list(parts) == ["train", "dev", "test"]
    assert all(part.n_sentences for part in parts.values())
    divided = [sentence for part in parts.values() for sentence in sentences(part)]
    assert sorted(divided) == sorted(sentences(corpus))


def test_three_blocks_of_five_are_for_training_and_keep_neighbours_together(adaptation_corpus):
    parts = divide(adaptation_corpus.take(np.arange(25)), block=5)
    assert [part.n_sentences for part in parts.values()] == [15, 5, 5]
    assert sentences(parts["dev"]) == sentences(adaptation_corpus)[15:20]


def test_the_same_settings_tag_alike_whatever_was_fitted_before():
    opened, sigma2s, tags = open_session("en-ca04", "nltk-docs"), SIGMA2_GRID[::6], []
    for way in (1, -1):
        adaptation = opened.with_corpora({}).adaptation(0)  # where nothing was fitted
        fits = {sigma2: adaptation.at(sigma2) for sigma2 in sigma2s[::way]}
        tags.append(np.array([fits[sigma2].tags["dev"] for sigma2 in sigma2s]))
    assert (tags[0] != tags[1]).sum() == 0


def test_without_a_sentence_the_first_answer_is_settled(fresh_session):
    assert not fresh_session.first(SIGMA2_GRID[0]).tuned.settled
    assert fresh_session.without({0}).first(SIGMA2_GRID[0]).tuned.settled
