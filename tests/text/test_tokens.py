"""Words and sentences of running text: nothing is lost, and nothing looks at case."""

import time

import pytest
from hypothesis import given
from strategies import messy_texts, steady

from workbench.text.casing import wipe_case
from workbench.text.tokens import (
    count_head,
    find_doubtful,
    find_words,
    part_opening_marks,
    split_line,
    split_sentences,
)


def words_of(text):
    return [text[start:end] for start, end in find_words(text)]


def sentences_of(words):
    ends = iter(words)
    return [" ".join(next(ends) for _ in range(n)) for n in split_sentences(words)]


REALISTIC = """\
Mr. and Mrs. J. R. Smith of Smith & Co. don't live in the U.S. any more; he'd said "no."
She paid $1,000.50 (about 50% of it) on Jan. 5, 1990, at 10:30 a.m. -- wasn't it "cheap"?
See Fig. 3 (and eq. 2), e.g., the U.S.-based firms' No. 1 problem, i.e. John's, etc.
“It’s fine,” they’re told… ‘we’ll see’ — she couldn’t, cannot, and isn't gonna!
Write to a.b@example.org or see http://example.org/a--b/(c)?d=1, <https://x.org/y_(z)>.
rock 'n' roll 'em in the '80s; 'tis print() and colo(u)r, **bold**, _so_ and __init__... well
``What?!'' he asked. The O'Brien-McDonald case (1987), 2019–2020, New York–London [1].
the firm is in washington, d.c. he left at 5 p.m. they stayed in new jersey inc. it rained"""


WORDS = {  # of texts, by what they show
    "marks stand alone": [
        ("He left.", "He left ."), ("Why not?!", "Why not ? !"), ("yes; no: a, b",
        "yes ; no : a , b"),
        ("(i.e. this)", "( i.e. this )"), ("[1] {x}", "[ 1 ] { x }"), ("a/b and/or", "a/b and/or"),
        ("well-known F-16A", "well-known F-16A"), ("AT&T Co.", "AT&T Co."), ("", ""), (" \n\t", ""),
    ],
    "clitics stand apart": [
        ("don't", "do n't"), ("DON'T", "DO N'T"), ("don’t", "do n’t"), ("he's", "he 's"),
        ("we've they're I'm", "we 've they 're I 'm"), ("I'd've", "I 'd 've"), ("she'll",
        "she 'll"),
        ("John's.", "John 's ."), ("students' books", "students ' books"), ("cannot", "can not"),
        ("gonna, wanna", "gonna , wanna"), ("U.S.'s", "U.S. 's"), ("'s n't", "'s n't"),
    ],
    "numbers stay whole": [
        ("$1,000.50", "$ 1,000.50"), ("50%", "50 %"), ("3.14 -5 +3", "3.14 -5 +3"), ("£5m", "£ 5m"),
        ("10:30", "10:30"), ("(1990)", "( 1990 )"), ("1990s", "1990s"), ("1990–95", "1990–95"),
        ("#1", "# 1"), ("1,000.", "1,000 ."), ("1/2", "1/2"), ("6-week-old", "6-week-old"),
    ],
    "quotes stand alone": [
        ('"Why?" he', '" Why ? " he'), ("“fine”—she’ll", "“ fine ” — she ’ll"), ("‘so’", "‘ so ’"),
        ("'an example'", "' an example '"), ("``x''", "`` x ''"), ("«Bon»", "« Bon »"),
        ('("so")', '( " so " )'), ("**bold**", "** bold **"), ("_so_", "_ so _"), ("`x`", "` x `"),
        ("## Title", "## Title"), ("```python", "``` python"),
    ],
    "dashes and ellipses stand alone": [
        ("wait...", "wait ..."), ("wait…", "wait …"), ("wait...what", "wait ... what"),
        ("...so", "... so"),
        ("a--b", "a -- b"), ("a—b", "a — b"), ("York–London", "York – London"), ("a -- b",
        "a -- b"),
        ("left....", "left ...."), ("(...)", "( ... )"), ("can't--won't", "ca n't -- wo n't"),
    ],
}  # fmt: skip


@pytest.mark.parametrize("rows", WORDS.values(), ids=WORDS)
def test_words_are_those_of_the_table(rows):
    for text, words in rows:
        assert words_of(text) == words.split(), text


WHOLE = (  # as a word within a line
    "Mr. U.S. u.s. Ph.D. a.m. e.g. i.e. etc. Inc. Jan. Calif. J. U.S.-based D-Calif. non-P.C. "
    "O'Brien o'clock l'été 'em 'tis 'til '80s ’80s 'n' 's n't :-) __init__ _private_name "
    "snake_case print() colo(u)r foo(bar) `` '' ... .PERIOD ,COMMA .period ?QUESTION-MARK "
    '"DOUBLE-QUOTE .periods 日本語。テキスト。 हिन्दी e\u0301tat İstanbul'
)


@pytest.mark.parametrize("word", WHOLE.split())
def test_abbreviations_and_words_with_marks_inside_stay_whole(word):
    assert words_of(f"and {word} then") == ["and", word, "then"]


@pytest.mark.parametrize(
    "word", ["left", "no", "ill", "mass", "I", "1990", "C++", "foo.py", "www.x.org"]
)
def test_a_word_gives_up_its_full_stop(word):
    assert words_of(f"It was {word}.")[-2:] == [word, "."]


@pytest.mark.parametrize("text", ["No. 5 is", "see nos. 3", "(no. 7)"])
def test_no_keeps_its_full_stop_before_a_number(text):
    assert {"No.", "nos.", "no."} & set(words_of(text))


@pytest.mark.parametrize("closing", ["", ".", ",", ")", ").", "?", '"', "'s"])
@pytest.mark.parametrize(
    "address", ["http://x.org/a--b", "https://x.org/y_(z)", "a.b@x.org", "ftp://X.org/A...B/?d=1&e"]
)
def test_an_address_stays_whole(address, closing):
    assert words_of(f"see {address}{closing}")[1] == address


@pytest.mark.parametrize("word", ["(point", "(period"])
def test_a_bracket_before_a_name_of_a_mark_stands_alone(word):
    assert words_of(f"{word} of sale)")[0] == "("


@steady
@given(messy_texts)
def test_words_and_sentences_cover_any_text_whatever_its_case(text):
    spans, words = find_words(text), words_of(text)
    covered = [place for start, end in spans for place in range(start, end)]
    assert covered == [place for place, char in enumerate(text) if not char.isspace()]
    assert all(start < end for start, end in spans)
    assert find_words(wipe_case(text)) == spans
    lengths = split_sentences(words)
    assert sum(lengths) == len(words)
    assert all(lengths)
    assert split_sentences(words_of(wipe_case(text))) == lengths


@pytest.mark.parametrize("line", REALISTIC.split("\n"))
def test_tokenized_text_passes_through_and_upper_case_splits_as_lower(line):
    words = words_of(line)
    assert words_of(" ".join(words)) == words
    assert find_words(line.upper()) == find_words(line.lower())


@pytest.mark.parametrize(
    "line",
    [
        "`` I ca n't find it in the glove compartment '' .",
        "Exxon Mobil ( XOM.N ) offered to pay a $ 20 million fine -- the U.S. said .",
        "Despite a 6-week-old strike by the 10,000-member Council , it 's 7.5 % up .",
        "Mr. Speaker , may I point out that you 've presided over No. 5 ?",
    ],
)
def test_penn_text_passes_through(line):
    assert words_of(line) == line.split()


@pytest.mark.parametrize(
    "text",
    [
        "he left .| she stayed", "why ?| nobody knows", "no !| yes", "well ...| so", "well …| so",
        "`` why ? ''| nobody knows", "he left . )| so", '" why ? "| nobody knows', "what ? !| no",
        'he left .| " why ? "| she asked .', '" i came .| i saw . "| he left', "“ why ? ”| so",
        "in the u.s. he was", "it is by smith & co. he left", "at 5 p.m. they", "the u.s. firm",
        "mr. smith", "dr. the", "vs. the", "smith inc. of york",
        "at 5 p.m. on monday",
        "now .PERIOD| then", "now .period| then", "why ?QUESTION-MARK| then", "a ,COMMA b",
        "a ; b : c",
        "see no. 5 , fig. 3", "",
    ],
)  # fmt: skip
def test_sentences_end_without_the_help_of_capitals(text):
    assert sentences_of(text.replace("|", "").split()) == [s for s in text.split("| ") if s]


@pytest.mark.parametrize("text", ["he left .", "`` why ? ''", "no . . .", "one"])
def test_a_final_mark_leaves_no_empty_sentence_behind(text):
    assert len(split_sentences(text.split())) == 1


@pytest.mark.parametrize("chunk", [")", "(", "'", "a.", "_", "-", "x@", "`", "://", "’s", "(no."])
def test_a_chunk_of_any_length_takes_linear_time(chunk):
    started = time.process_time()
    find_words(chunk * 100_000)
    assert time.process_time() - started < 1


def test_a_mark_that_begins_a_line_ends_nothing_and_a_quotation_may_go_on():
    assert split_line(". he left ! so".split()) == [4, 1]
    assert find_doubtful("! '' he ran".split(), [2, 2]) == [1]


def test_words_of_a_long_chunk_are_left_whole():
    assert [len(find_words("a" * n + ",")) for n in (299, 300)] == [2, 1]
    assert len(find_words("a)" * 1000)) == 1


# --- what stands before a sentence --------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "- |we go", "— |we go", "• |we go", "> |we go", "** |we go", "♪ |we go ♪", "1) |we go",
        "1. |we go", "(12) |we go", "2.1. |we go", "00:01:02 |we go", "[1:02] |we go",
        "0:01:02.345 --> 0:01:03.000 |we go", "84-121123-0000 |we go", "[laughs] |we go",
        "(two men laugh) |we go", "john: |we go", "dr. smith: |we go", "speaker 1: |we go",
        "- [laughs] john: |we go", "\\item |we go",
        "15 years ago", "100-year-old man",
        "2004-05-06 and so", "2.1 percent", "5th avenue", "100 percent", "name : str", "Sys.jl: a",
        "12:30",
        "covid-19 cases", "b-52s of the us", "he said we all: go", "(we go.)", "john:", "[laughs]",
        "1990. we go", "10:30 |is the time", "http://x.org we go", "--we go", "-- we go",
        "[It] is so", "-5 degrees", "",
    ],
)  # fmt: skip
def test_a_head_is_what_stands_before_the_first_sentence(line):
    head, _, sentence = line.rpartition("|")
    line = head + sentence
    assert count_head(line) == count_head(line.upper()) == len(head.rstrip())


@pytest.mark.parametrize(
    ("sentence", "parts"),
    [
        ("`` we go '' .", [1, 4]), ("( `` we", [2, 1]), ("we `` go ''", [4]), ("`` ``", [1, 1]),
        ("-- he left", [3]), ("... so", [2]), ("• we", [1, 1]), ("``", [1]),
    ],
)  # fmt: skip
def test_marks_that_open_a_sentence_are_one_of_their_own(sentence, parts):
    words = sentence.split()
    assert part_opening_marks(words, [len(words)]) == parts
