"""Policies: which words of a text as it came keep their case, against loops over sentences."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import steady

from workbench.recasing.policies import Policy, SentenceStart, judge
from workbench.recasing.recaser import Recaser
from workbench.text.casing import Tag, tag_of, wipe_case
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError

SMALL = "a an and as at but by for from in is nor of on or the to vs with".split()
written = st.sampled_from(
    "The the THE of a I 3 3D , `` NumPy GHz NATO U.S. Ph.D. McDONALD iPhone Apple met New york "
    "Long-Term O'Neill IBM said SAID ǅ".split()
)
sentences = st.lists(st.lists(written, min_size=1, max_size=9), min_size=1, max_size=4)


def is_in_capitals(words):
    letters = "".join(words)
    lower, upper = sum(map(str.islower, letters)), sum(map(str.isupper, letters))
    return lower < 0.1 * (lower + upper)


def is_headline(words):
    counted = [w for w in words if w.lower() not in SMALL and w.lower() != w.upper()]
    first_letters = [next(c for c in w if c.lower() != c.upper()) for w in counted]
    n_capitals = sum(c.isupper() or c.istitle() for c in first_letters)
    return len(counted) >= 4 and n_capitals >= 0.9 * len(counted)


def has_inner_capital(word):
    return any(
        c.isupper() and (word[i - 1].isalpha() or (word[i - 1] == "." and word[i - 2].isalpha()))
        for i, c in enumerate(word)
        if i > 1 or (i == 1 and word[0].isalpha())
    )


def keeps(policy, words, i):
    """Whether word i of a sentence keeps its case, read from the policy's definition."""
    word, own = words[i], tag_of(words[i])
    first = next((j for j, w in enumerate(words) if tag_of(w) != Tag.PNC), None)
    if policy == "lower" or is_in_capitals(words):
        return False
    if policy == "caps":
        return any(map(str.islower, word)) and word != "McDONALD"  # the one that is shouted
    if has_inner_capital(word):
        return True
    if policy == "title" or is_headline(words):
        return False
    return own in (Tag.MXC, Tag.AUC) or (own == Tag.CAP and i != first)


@steady
@given(sentences, st.sampled_from(list(Policy)))
def test_words_are_kept_as_a_loop_says(given_sentences, policy):
    corpus = Corpus.from_sentences(given_sentences)
    kept = judge(corpus, policy, np.ones(len(corpus), bool)).kept
    expected = [keeps(policy, words, i) for words in given_sentences for i in range(len(words))]
    assert kept.tolist() == expected


@steady
@given(sentences, st.sampled_from(list(Policy)))
def test_what_is_kept_stays_and_only_case_changes(random_model, given_sentences, policy):
    text = "\n".join(map(" ".join, given_sentences))
    out = Recaser(random_model, policy=policy, layout="tokenized").recase(text)
    assert wipe_case(out) == wipe_case(text)
    for words, after in zip(given_sentences, out.split("\n"), strict=True):
        kept = [keeps(policy, words, i) for i in range(len(words))]
        for word, new, stays in zip(words, after.split(" "), kept, strict=True):
            assert new == word or not stays


def test_a_trusted_text_keeps_its_capitals_and_gets_those_that_lack(background):
    recase = Recaser(background, policy="trust").recase
    line = "The NumPy fell after Grolmik of the opec meeting in new york , 3 GHz ."
    assert recase(line) == "The NumPy fell after Grolmik of the OPEC meeting in New York , 3 GHz ."
    assert recase(line.upper()) == Recaser(background).recase(line)
    line = "Opec ministers meet in Vienna on Tuesday ."
    assert Recaser(background, policy="trust").recase(line) == line.replace("Opec", "OPEC")


def test_an_address_does_not_say_that_a_line_is_not_in_capitals(background):
    line = "OIL FELL IN NEW YORK http://example.com/some/long/path/in/lower/case"
    for policy in Policy:
        assert Recaser(background, policy=policy).recase(line).startswith("Oil fell in New York ")


def test_the_first_word_of_a_line_or_a_paragraph_can_be_one_within_a_sentence(background):
    text = "the oil fell. The oil fell\nnew york fell"
    plain, inside = (
        Recaser(background, sentence_start=rule).recase(text) for rule in ("model", "inside")
    )
    assert plain.replace(" Oil", " oil") == "The oil fell. The oil fell\nNew York fell"
    assert inside.replace(" Oil", " oil") == "the oil fell. The oil fell\nNew York fell"
    recaser = Recaser(background, sentence_start="inside", layout="wrapped")
    lines = recaser.recase("the oil fell.\nthe oil fell.\n\nthe oil fell.").split("\n")
    assert [line.split()[0] for line in lines if line] == ["the", "The", "the"]


# --- sentence starts ----------------------------------------------------------------------


@steady
@given(sentences)
def test_by_rule_each_sentence_begins_with_a_capital(random_model, given_sentences):
    text = "\n".join(map(" ".join, given_sentences))
    rule = {"sentence_start": SentenceStart.CAPITAL}
    for line in Recaser(random_model, layout="tokenized", **rule).recase(text).split("\n"):
        first = next((word for word in line.split(" ") if tag_of(word) != Tag.PNC), "3")
        assert tag_of(first) != Tag.LOC or first.isdigit()


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"policy": "odd"}, "policy 'odd': allowed are lower, caps, title, trust"),
        ({"sentence_start": "no"}, "sentence start 'no': allowed are model, capital, inside"),
    ],
)
def test_an_unknown_choice_is_refused(background, option, message):
    with pytest.raises(InputError, match=message):
        Recaser(background, **option)
