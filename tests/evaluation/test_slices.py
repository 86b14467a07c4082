"""Slices, against counting word by word."""

from collections import Counter

import numpy as np
import pandas as pd
import pytest

from workbench.evaluation import slices as module
from workbench.evaluation.significance import FEWEST_SENTENCES, bootstrap
from workbench.evaluation.slices import Slicing, tell_clear
from workbench.text.casing import TAGS
from workbench.text.errors import InputError


@pytest.fixture(scope="module")
def parts(adaptation_corpus):
    """Adaptation data and the text to be sliced."""
    return adaptation_corpus.take(np.arange(0, 26, 2)), adaptation_corpus.take(np.arange(1, 26, 2))


@pytest.fixture(scope="module")
def counts(background_corpus):
    return Counter(form.lower() for i in range(60) for form in background_corpus.sentence(i))


@pytest.fixture
def tags(parts):
    """Tags of two models that are wrong here and there."""
    rng, gold = np.random.default_rng(5), parts[1].tags
    return [np.where(rng.random(len(gold)) < p, (gold + 1) % 5, gold).astype(np.int8)
            for p in (0.4, 0.2)]  # fmt: skip


def plain_slice(word, tag, is_first, train_words, counts):
    """The name of each slice that a word is in, by kind."""
    n, in_domain = counts.get(word, 0), word in train_words
    seen = {(True, True): "both", (True, False): "background only",
            (False, True): "domain only", (False, False): "neither"}  # fmt: skip
    bands = [("0", 1), ("1–9", 10), ("10–99", 100), ("100–999", 1000), ("1,000+", 10**12)]
    return {
        "reference tag": TAGS[tag],
        "place": "first of its sentence" if is_first else "later in its sentence",
        "seen in": seen[n > 0, in_domain],
        "frequency": next(name for name, end in bands if n < end),
    }


def plain_members(parts, counts):
    """Positions by (kind, name), word by word."""
    train, corpus = parts
    train_words = {f.lower() for i in range(train.n_sentences) for f in train.sentence(i)}
    found, position = {}, 0
    for i in range(corpus.n_sentences):
        for place, form in enumerate(corpus.sentence(i)):
            tag = corpus.tags[position]
            names = plain_slice(form.lower(), tag, place == 0, train_words, counts)
            for key in names.items():
                found.setdefault(key, []).append(position)
            position += 1
    return found


def is_fixed(corpus, before, after, position):
    return before[position] != corpus.tags[position] == after[position]


def test_words_that_are_misspelled_are_not_fixed(parts, tags):
    corpus, (before, after) = parts[1], tags
    fixed = [i for i in range(len(corpus)) if is_fixed(corpus, before, after, i)]
    assert len(fixed) > 3
    right = next(i for i in range(len(corpus)) if before[i] == after[i] == corpus.tags[i])
    table = Slicing(corpus).table(before, after, [*fixed[:2], right])
    assert table["fixed"][table["kind"] == "place"].sum() == len(fixed) - 2
    same = Slicing(corpus).table(before, after).drop(columns="fixed")
    assert table.drop(columns="fixed").equals(same)


def test_members_and_their_errors_are_those_of_a_loop_over_the_words(parts, counts, tags):
    slicing = Slicing(parts[1], parts[0], counts)
    for (kind, name), positions in plain_members(parts, counts).items():
        assert slicing.members(kind, name).tolist() == positions
    corpus, (before, after) = parts[1], tags
    table = Slicing(corpus, parts[0], counts).table(before, after)
    expected = plain_members(parts, counts)
    assert set(zip(table["kind"], table["name"], strict=True)) == set(expected)
    for row in table.itertuples():
        words = expected[row.kind, row.name]
        a, b = (sum(t[w] != corpus.tags[w] for w in words) for t in tags)
        assert (row.n, row.before, row.after) == (len(words), a / len(words), b / len(words))
        assert row.change == pytest.approx((b - a) / len(words))
        assert row.fixed - row.broken == a - b
        assert row.fixed == sum(is_fixed(corpus, *tags, w) for w in words)
        assert np.isnan(row.relative_change) if a == 0 else row.relative_change == (b - a) / a


@pytest.mark.parametrize(("count", "band"), [
    (0, "0"), (1, "1–9"), (9, "1–9"), (10, "10–99"), (99, "10–99"), (100, "100–999"),
    (999, "100–999"), (1000, "1,000+"), (10**7, "1,000+"),
])  # fmt: skip
def test_bands_begin_where_they_say(parts, count, band):
    corpus = parts[1]
    slicing = Slicing(corpus, parts[0], {"nato": count})
    at = next(p for p, w in enumerate(corpus.word_ids) if corpus.words[w] == "nato")
    assert at in slicing.members("frequency", band)


@pytest.mark.parametrize("kind", ["reference tag", "place", "seen in", "frequency"])
def test_slices_of_a_kind_are_all_words_once(parts, counts, tags, kind):
    table = Slicing(parts[1], parts[0], counts).table(*tags)
    rows = table[table["kind"] == kind]
    assert rows["n"].sum() == len(parts[1])
    slicing = Slicing(parts[1], parts[0], counts)
    positions = np.concatenate([slicing.members(kind, name) for name in rows["name"]])
    assert sorted(positions) == list(range(len(parts[1])))


def test_the_interval_is_that_of_sentences_and_only_where_there_are_enough(parts, tags):
    corpus = parts[1]
    table = Slicing(corpus).table(*tags)
    n_defined = 0
    for row in table.itertuples():
        members = Slicing(corpus).members(row.kind, row.name)
        a, b = (t[members] != corpus.tags[members] for t in tags)
        sentences = corpus.sentence_ids[members]
        if len({*sentences[a | b].tolist()}) < FEWEST_SENTENCES:
            assert np.isnan([row.low, row.high]).all()
        else:
            n_defined += 1
            assert (row.low, row.high) == bootstrap(a, b, sentences)
            assert row.low <= row.relative_change <= row.high
    assert 0 < n_defined < len(table)


def test_without_counts_a_word_was_seen_in_the_adaptation_text_or_not(parts, counts):
    seen = Slicing(parts[1], parts[0], counts)
    has = [i for name in ("both", "domain only") for i in seen.members("seen in", name).tolist()]
    unseen = Slicing(parts[1], parts[0])
    assert unseen.members("seen in", "the domain").tolist() == sorted(has)
    kinds = list(dict.fromkeys(unseen.table(*[parts[1].tags] * 2)["kind"]))
    assert kinds == ["reference tag", "place", "seen in"]


@pytest.mark.parametrize(("patterns", "is_like"), [
    ("s*", lambda word: word.startswith("s")),
    ("*[A-Z]*", lambda word: word != word.lower()),
    (" ???????* ,*s", lambda word: len(word) >= 7 or word.endswith("s")),
])  # fmt: skip
def test_a_pattern_is_a_slice_and_divides_the_others(parts, counts, tags, patterns, is_like):
    corpus, slicing = parts[1], Slicing(parts[1], parts[0], counts)
    words = [word for i in range(corpus.n_sentences) for word in corpus.sentence(i)]
    like = [i for i, word in enumerate(words) if is_like(word)]
    assert 0 < len(like) < len(words)
    assert slicing.members("words like", patterns).tolist() == like
    table, expected = slicing.table(*tags, like=patterns), plain_members(parts, counts)
    first, *others = table.itertuples()
    assert (first.kind, first.name, first.n) == ("words like", patterns, len(like))
    wrong = [sum(own[i] != corpus.tags[i] for i in like) / len(like) for own in tags]
    assert [first.before, first.after] == wrong
    for row in others:
        members = sorted({*expected[row.kind, row.name]} & {*like})
        assert row.n == len(members)
        both = f"{patterns} & {row.kind}: {row.name}"
        assert slicing.members("words like", both).tolist() == members
    assert len(others) == sum(bool({*own} & {*like}) for own in expected.values())


def test_a_pattern_that_no_word_is_like_has_no_row(parts, tags):
    assert Slicing(parts[1]).table(*tags, like="[").empty
    assert Slicing(parts[1]).members("words like", "[").size == 0


def test_without_counts_or_adaptation_data_nothing_is_said_of_them(parts, tags, counts):
    assert set(Slicing(parts[1]).table(*tags)["kind"]) == {"reference tag", "place"}
    assert set(Slicing(parts[1], None, counts).table(*tags)["kind"]) == {
        "reference tag", "place", "frequency",
    }  # fmt: skip


def test_an_unknown_slice_is_an_error_of_one_line(parts):
    with pytest.raises(InputError, match=r"slice=place: nowhere: there is none; .+ refer"):
        Slicing(parts[1]).members("place", "nowhere")


def test_a_sentence_says_in_which_slices_errors_clearly_rose():
    columns = ["kind", "name", "relative_change", "low", "high"]
    rows = [
        ("reference tag", "LOC", -0.14, -0.37, 0.18), ("reference tag", "AUC", -0.3, -0.4, -0.19),
        ("reference tag", "PNC", np.nan, np.nan, np.nan), ("place", "later", -0.1, -0.2, -0.01),
        ("seen in", "not the domain", 0.13, 0.02, 0.25), ("frequency", "0", 0.5, 0.1, 0.9),
    ]  # fmt: skip
    table = pd.DataFrame(rows, columns=columns)
    assert tell_clear(table) == (
        "Clearly fewer errors in 2 of 6 slices, more in \u201cseen in: not the domain\u201d "
        "(+13 %), \u201cfrequency: 0\u201d (+50 %)."
    )
    assert tell_clear(table[:3]) == "Clearly fewer errors in 1 of 3 slices, more in none."


def test_bands_and_edges_agree():
    assert len(module.BANDS) == len(module._EDGES) + 1
