"""Spaces between separate words: nothing is lost, and text reads as it was written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.text.characters import join_words, spaces_before


def joined(text):
    return join_words(text.split())


@pytest.mark.parametrize(
    ("separate", "together"),
    [
        ("Return if streamlit runs in pex .", "Return if streamlit runs in pex."),
        ("Well , no ; yes : what ?", "Well, no; yes: what?"),
        ("He said ( yes ) [ now ] .", "He said (yes) [now]."),
        ('" Good evening , " said Ted .', '"Good evening," said Ted.'),
        ('" One , " he said , " and two . "', '"One," he said, "and two."'),
        ("`` Quoted '' words", "``Quoted'' words"),
        ("it is n't John 's", "it isn't John's"),
        ("the ' missing ' elements", "the 'missing' elements"),
        ("the boys ' books", "the boys' books"),
        ("I 'll say we 've , they 're , he 'd", "I'll say we've, they're, he'd"),
        ("IT 'S McDonald ’s", "IT'S McDonald’s"),
        ("costs $ 5 or £ 6 , 8 % more", "costs $5 or £6, 8% more"),
        ("and so on ... and …", "and so on... and…"),
        ("AT&T - the firm", "AT&T - the firm"),
    ],
)
def test_marks_stand_where_they_are_written(separate, together):
    assert joined(separate) == together


def test_no_words_have_no_spaces():
    assert spaces_before([]) == []


words = st.lists(st.sampled_from(["a", "B", ".", ",", '"', "(", ")", "'s", "``", "''", "n't", "$"]))


@given(words)
def test_every_word_has_its_answer_and_the_first_has_no_space(sentence):
    gaps = spaces_before(sentence)
    assert len(gaps) == len(sentence)
    assert not any(gaps[:1])


@given(st.lists(st.sampled_from(["a", "bc", "Def"]), min_size=1))
def test_plain_words_are_all_apart(sentence):
    assert spaces_before(sentence) == [False, *[True] * (len(sentence) - 1)]
