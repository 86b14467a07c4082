"""The words that two models tag differently, row by row and in words."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import steady

from workbench.evaluation.diff import STATUSES, status_counts, summarize, word_diff
from workbench.evaluation.significance import mcnemar
from workbench.text.casing import Tag
from workbench.text.corpus import Corpus

LINES = "Diane left ABC .", "On PrimeTime , the Congress of US voters met ."
SENTENCES = [line.split() for line in LINES]
MIXED = {"primetime": "PrimeTime"}
CONGRESS = 8  # place of the word in the corpus


def retag(corpus, **changes):
    """Gold tags but for some places: w3="CAP" gives word 3 the tag CAP."""
    tags = corpus.tags.copy()
    for place, tag in changes.items():
        tags[int(place[1:])] = Tag[tag]
    return tags


@pytest.fixture
def corpus():
    return Corpus.from_sentences(SENTENCES)


@pytest.fixture
def diff(corpus):
    before = retag(corpus, w0="LOC", w8="LOC", w5="LOC", w10="LOC")
    after = retag(corpus, w2="LOC", w5="LOC", w10="CAP")
    return word_diff(corpus, before, after, {}, MIXED)


def row_at(diff, position):
    return diff.set_index("position").loc[position]


def test_a_row_tells_place_tags_status_and_context(diff, corpus):
    assert diff["position"].tolist() == [0, 2, 5, 8, 10]
    expected = ["fixed", "broken", "still wrong", "fixed", "still wrong"]
    assert diff["status"].tolist() == expected
    assert row_at(diff, CONGRESS)[["sentence", "place"]].tolist() == [1, 4]
    tags = row_at(diff, CONGRESS)[["gold_tag", "tag_before", "tag_after"]].tolist()
    assert tags == ["CAP", "LOC", "CAP"]
    row = row_at(diff, CONGRESS)
    assert (row["left"], row["word"], row["right"]) == (
        "On PrimeTime , the", "congress", "of US voters met",
    )  # fmt: skip
    assert row_at(diff, 5)["left"] == "On"
    assert row_at(diff, 2)["right"] == "."
    diff = word_diff(corpus, corpus.tags, retag(corpus, w8="LOC"), {}, MIXED, n_context=1)
    assert diff[["left", "right"]].iloc[0].tolist() == ["the", "of"]


def test_statuses_are_counted_and_a_diff_without_rows_has_its_columns(diff, corpus):
    empty = word_diff(corpus, corpus.tags, corpus.tags, {}, MIXED)
    pd.testing.assert_frame_equal(empty, diff.head(0), check_index_type=False)
    assert list(status_counts(diff).values()) == [2, 1, 2, 0]
    assert tuple(status_counts(diff.head(0))) == STATUSES


@pytest.mark.parametrize(
    ("before", "after", "forms"),
    [(MIXED, {}, ["PrimeTime", "Primetime"]), ({}, MIXED, ["Primetime", "PrimeTime"])],
)
def test_forms_are_those_of_each_model(corpus, before, after, forms):
    wrong = retag(corpus, w5="CAP")
    tags = (corpus.tags, wrong) if before else (wrong, corpus.tags)
    row = word_diff(corpus, *tags, before, after).iloc[0]
    assert row[["gold", "before", "after"]].tolist() == ["PrimeTime", *forms]


def test_a_part_of_a_corpus_counts_positions_from_its_own_start(corpus):
    part = corpus.take([1])
    diff = word_diff(part, part.tags, retag(part, w4="LOC"), {}, MIXED)
    assert diff[["position", "sentence", "place", "word"]].iloc[0].tolist() == [
        4, 0, 4, "congress",
    ]  # fmt: skip


some_tags = st.lists(st.sampled_from(list(Tag)), min_size=14, max_size=14)


@steady
@given(some_tags, some_tags, st.sampled_from([{}, MIXED]))
def test_rows_are_those_of_looking_at_every_word(before, after, forms):
    """Without the form, PrimeTime is written Primetime: the right tag does not mend it."""
    corpus = Corpus.from_sentences(SENTENCES)
    expected = []
    for i, (gold, a, b) in enumerate(zip(corpus.tags, before, after, strict=True)):
        is_misspelled = b == gold == Tag.MXC and not forms
        if a == gold == b and not is_misspelled:
            continue
        status = "broken" if a == gold else "fixed" if b == gold else "still wrong"
        expected.append((i, a.name, b.name, "misspelled" if is_misspelled else status))
    diff = word_diff(corpus, np.array(before, np.int8), np.array(after, np.int8), MIXED, forms)
    found = diff[["position", "tag_before", "tag_after", "status"]]
    assert list(found.itertuples(index=False, name=None)) == expected


@steady
@given(some_tags, some_tags)
def test_fixed_and_broken_are_those_of_mcnemar(before, after):
    corpus = Corpus.from_sentences(SENTENCES)
    before, after = np.array(before, np.int8), np.array(after, np.int8)
    counts = status_counts(word_diff(corpus, before, after, {}, MIXED))
    paired = mcnemar(before != corpus.tags, after != corpus.tags)
    assert (counts["fixed"], counts["broken"]) == (paired.fixed, paired.broken)


def made_of(*kinds):
    """A diff with some rows (word, before, after, status, how often)."""
    rows = [kind[:4] for kind in kinds for _ in range(kind[4])]
    made = pd.DataFrame(rows, columns=["word", "tag_before", "tag_after", "status"])
    # A mark is written alike with either tag.
    before, after = (made["word"].where(made["word"] == "?", made[f"tag_{side}"] + made["word"])
                     for side in ("before", "after"))  # fmt: skip
    return made.assign(before=before, after=after)


MARK_FIXED = ("?", "LOC", "PNC", "fixed", 3)
CONGRESS_FIXED = ("congress", "LOC", "CAP", "fixed", 1400)
SENATE_FIXED = ("senate", "LOC", "CAP", "fixed", 1)
MAY_BROKEN = ("may", "CAP", "LOC", "broken", 6)
STILL = ("anti-semitism", "LOC", "LOC", "still wrong", 1)


@pytest.mark.parametrize(
    ("kinds", "line"),
    [
        (
            [SENATE_FIXED, CONGRESS_FIXED, MAY_BROKEN, STILL],
            "Adaptation fixed 1,401 words and broke 6 of 35,868: most often fixed 'congress' "
            "(LOC to CAP, 1,400 times), broken 'may' (CAP to LOC, 6 times); 1 is still wrong.",
        ),
        (
            [SENATE_FIXED],
            "Adaptation fixed 1 word and broke none of 35,868: "
            "for instance fixed 'senate' (LOC to CAP, once).",
        ),
        (
            [MARK_FIXED, SENATE_FIXED],
            "Adaptation fixed 4 words and broke none of 35,868: "
            "for instance fixed 'senate' (LOC to CAP, once).",
        ),
        (
            [MARK_FIXED],
            "Adaptation fixed 3 words and broke none of 35,868: "
            "most often fixed '?' (LOC to PNC, 3 times).",
        ),
        (
            [MAY_BROKEN, STILL, STILL],
            "Adaptation fixed no word and broke 6 of 35,868: "
            "most often broken 'may' (CAP to LOC, 6 times); 2 are still wrong.",
        ),
        ([STILL], "Adaptation changed no word of 35,868; 1 is still wrong."),
        ([], "Adaptation changed no word of 35,868."),
        (
            [SENATE_FIXED, ("iphone", "LOC", "MXC", "misspelled", 2)],
            "Adaptation fixed 1 word and broke none of 35,868: for instance fixed 'senate' "
            "(LOC to CAP, once); 2 misspelled, with the right tag.",
        ),
        (
            [("us", "LOC", "CAP", "still wrong", 2)],
            "Adaptation fixed no word and broke none of 35,868; 2 are still wrong.",
        ),
    ],
)
def test_a_line_says_in_words_what_happened(kinds, line):
    assert summarize(made_of(*kinds), 35_868) == line


def test_the_first_word_in_the_text_stands_for_equals():
    kinds = [("senate", "LOC", "CAP", "fixed", 2), ("congress", "LOC", "CAP", "fixed", 2)]
    assert "'senate'" in summarize(made_of(*kinds))


def test_the_line_may_leave_out_the_total():
    line = summarize(made_of(SENATE_FIXED))
    assert line.startswith("Adaptation fixed 1 word and broke none: ")
