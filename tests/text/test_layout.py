"""Layouts of text: tokenized or running, wrapped or one sentence a line."""

import pytest
from hypothesis import given
from strategies import messy_texts, steady

from workbench.text.casing import wipe_case
from workbench.text.errors import InputError
from workbench.text.layout import (
    LONG_LINE,
    MAX_SENTENCE,
    Layout,
    choose_layout,
    locate,
    looks_tokenized,
    looks_wrapped,
    read_words,
)

TOKENIZED = """\
Striking builders could torpedo their futures if they do n't act , analysts say .
`` Ida , where is the car licence ? ''
The U.S. firm rose 5 % , to $ 20 .
"""
RUNNING = """\
Striking builders could torpedo their futures if they don't act, analysts say. It's so.
"Ida, where is the car licence?"
The U.S. firm rose 5%, to $20.
"""
WRAPPED = """\
Redistributions of source code must retain the above copyright notice, this
list of conditions and the following disclaimer. Redistributions in binary
form must reproduce the above copyright notice, this list of conditions and
the following disclaimer.

Neither the name of the holder nor the names of its contributors may be used
to endorse or promote products derived from this software. See No. 5 of the
rules, and the rest.
"""
SPELLED = "PrimeTime continues on ABC .PERIOD Now ,COMMA from Los Angeles ,COMMA Diane .PERIOD\n"
SPEECH = "so we went to boston and it was late\nthen she called me from new york\nand that is it\n"
ALL = pytest.mark.parametrize("text", [TOKENIZED, RUNNING, WRAPPED, SPELLED, SPEECH])


LAYOUTS = pytest.mark.parametrize("layout", list(Layout))


def sentences_of(text):
    located = locate(text, choose_layout(text))
    words = iter(located.words)
    return [" ".join(next(words) for _ in range(n)) for n in located.lengths]


@pytest.mark.parametrize(
    ("text", "tokenized"),
    [(TOKENIZED, True), ("Hello , world .", True), ("it rained .\n", True), (RUNNING, False),
     (WRAPPED, False), ("Hello, world.", False), (SPEECH, False), ("", False), ("one", False)],
)  # fmt: skip
def test_tokenized_text_is_told_by_its_marks(text, tokenized):
    assert looks_tokenized(text) == tokenized


@ALL
def test_the_layout_does_not_depend_on_case_or_line_ends(text):
    assert looks_tokenized(wipe_case(text)) == looks_tokenized(text)
    assert looks_tokenized(text.replace("\n", "\r\n")) == looks_tokenized(text)
    assert sentences_of(text.replace("\n", "\r\n")) == sentences_of(text)


@pytest.mark.parametrize(
    ("text", "wrapped"),
    [(WRAPPED, True), (WRAPPED * 20, True), (WRAPPED.replace("\n", "\r\n"), True),
     (WRAPPED.replace("\n", "\n    "), True), (WRAPPED * 9 + "x" * 300, True),
     (RUNNING * 20, False),
     (SPEECH, False), ("word " * 1000, False), ("a\nb\nc\n", False), ("", False), ("\n\n", False)],
)  # fmt: skip
def test_wrapped_text_is_told_by_its_full_lines(text, wrapped):
    assert looks_wrapped(text) == wrapped


def test_only_lines_of_text_that_goes_on_are_wrapped_whatever_stands_between():
    assert not looks_wrapped(
        "".join(f"The mine in Perth sold {n} tons of iron ore.\n" for n in range(10, 30))
    )
    text = ("Title\n=====\n\n" + WRAPPED + "\n* one\n* two\n\n") * 5
    assert looks_wrapped(text)


def test_sentences_end_as_their_layout_says_however_long_a_line_is():
    assert sentences_of(TOKENIZED) == TOKENIZED.replace("`` ", "``\n").splitlines()
    assert sentences_of("he came . " * LONG_LINE) == ["he came ."] * LONG_LINE
    assert sentences_of(RUNNING) == [
        "Striking builders could torpedo their futures if they do n't act , analysts say .",
        "It 's so .",
        "``",
        "Ida , where is the car licence ? ''",
        "The U.S. firm rose 5 % , to $ 20 .",
    ]
    assert sentences_of(WRAPPED)[1].startswith("Redistributions in binary form must")
    text = WRAPPED.replace("disclaimer.\n\n", "disclaimer\n \t\n")
    assert sentences_of(text)[2].startswith("Neither")
    assert sentences_of(SPEECH) == SPEECH.splitlines()
    assert [s.split()[0] for s in sentences_of(SPELLED)] == ["PrimeTime", "Now"]
    assert len(sentences_of("It rained, and he left. " * 20_000)) == 20_000
    assert read_words("word " * MAX_SENTENCE, Layout.TOKENIZED).lengths == [MAX_SENTENCE]


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("I came . I saw , too .", ["I came .", "I saw , too ."]),
        ("Great ! ! Who won ? @ me", ["Great ! !", "Who won ?", "@ me"]),
        ("`` Why ? '' he said .", ["``", "Why ? '' he said ."]),
        ("Well . . . he left , J . K . too .", ["Well . . . he left , J . K . too ."]),
        (". . .", [". . ."]),
        ("the end .PERIOD a start", ["the end .PERIOD", "a start"]),
    ],
)
def test_a_final_mark_within_a_tokenized_line_ends_a_sentence(line, parts):
    assert sentences_of(f"{line}\nHe left , too .\n") == [*parts, "He left , too ."]


@ALL
@LAYOUTS
def test_sentences_do_not_depend_on_case(text, layout):
    low, own = locate(wipe_case(text), layout), locate(text, layout)
    assert (low.places.tolist(), low.lengths) == (own.places.tolist(), own.lengths)


@LAYOUTS
def test_a_line_of_too_many_words_without_punctuation_is_refused(layout):
    with pytest.raises(InputError, match="a sentence of 20,001 words: 20,000 are allowed"):
        read_words("word " * (MAX_SENTENCE + 1), layout)


@LAYOUTS
@pytest.mark.parametrize("text", ["", "\n", " \t\r\n \n", "\u200b <b>\n"])
def test_text_without_words_has_no_sentence(text, layout):
    located = locate(text, layout)
    assert (located.words, located.places.shape, located.lengths) == ([], (0, 2), [])


@LAYOUTS
@steady
@given(messy_texts)
def test_words_are_all_that_the_view_shows(layout, text):
    located = locate(text, layout)
    seen, stretches = located.view.text, located.in_view.tolist()
    assert located.words == [seen[start:end] for start, end in stretches]
    assert "".join(located.words) == "".join(seen.split())
    assert sum(located.lengths) == len(located.words)
    assert min(located.lengths, default=1) > 0
    edges = [0, *located.places.ravel().tolist(), len(text)]
    assert edges == sorted(edges)
