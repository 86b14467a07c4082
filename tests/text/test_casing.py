"""Tags, wiping and recasing, over all of Unicode."""

import pytest
from hypothesis import given
from strategies import all_code_points, messy_texts, steady, words

from workbench.text.casing import TAGS, Tag, is_verbalized, recase_word, tag_of, wipe_case

SAMPLE = (
    "PrimeTime continues on ABC .PERIOD Now ,COMMA from Los Angeles ,COMMA Diane Sawyer .PERIOD"
)
SAMPLE_TAGS = "MXC LOC LOC AUC PNC CAP PNC LOC CAP CAP PNC CAP CAP PNC"
SPELLED = [".PERIOD", ",COMMA", "?QUESTION-MARK", "!EXCLAMATION-POINT", ":COLON", ";SEMI-COLON"]
SPELLED += ["--DASH", "-HYPHEN", '"DOUBLE-QUOTE', '"END-QUOTE', "(LEFT-PAREN", ")RIGHT-PAREN"]
SPELLED += ["%PERCENT", "&AMPERSAND", "...ELLIPSIS", "/SLASH", "{LEFT-BRACE", ".POINT"]


@pytest.fixture(scope="module")
def characters():
    return "".join(all_code_points())


@pytest.fixture(scope="module")
def cased(characters):
    """All characters that wiping or recasing may touch, each a word."""
    return [c for c in characters if c.isupper() or c.islower() or c.istitle()]


def test_tags_are_those_of_the_paper_and_only_its_words_are_marks():
    assert TAGS == ("LOC", "CAP", "MXC", "AUC", "PNC")
    assert [tag_of(word).name for word in SAMPLE.split()] == SAMPLE_TAGS.split()
    for word in (".NET", "PERIOD", ".PERIODS", "-Ish", "(point", "#hash", "x.PERIOD"):
        assert not is_verbalized(word)
    for word in (".NET", "'Point", "(Point", ".com"):
        assert tag_of(word) != Tag.PNC


def test_a_known_mixed_form_is_used_for_mxc_only():
    assert recase_word("primetime", Tag.MXC, mixed="PrimeTime") == "PrimeTime"
    assert recase_word("primetime", Tag.CAP, mixed="PrimeTime") == "Primetime"


@pytest.mark.parametrize(
    ("word", "tag"),
    [
        ("primetime", "LOC"), ("1996", "LOC"), ("3.14", "LOC"), ("90s", "LOC"), ("don't", "LOC"),
        ("A", "CAP"), ("I", "CAP"), ("Diane", "CAP"), ("Anglo-saxon", "CAP"), ("'Tis", "CAP"),
        ("5Th", "CAP"), ("ABC", "AUC"), ("U.S.", "AUC"), ("B-2", "CAP"), ("F-16A", "AUC"),
        ("PrimeTime", "MXC"), ("iPhone", "MXC"), ("O'Brien", "MXC"), ("ABCs", "MXC"),
        ("McDonald", "MXC"), (",", "PNC"), ("--", "PNC"), ("``", "PNC"), ("$", "PNC"), ("♥", "PNC"),
        # of other scripts
        ("İstanbul", "CAP"), ("straße", "LOC"), ("STRAẞE", "AUC"), ("Straße", "CAP"),
        ("ΟΔΟΣ", "AUC"), ("Οδος", "CAP"), ("οδος", "LOC"), ("ǅungla", "CAP"), ("ǅ", "CAP"),
        ("Ǆ", "AUC"), ("Ǆungla", "MXC"), ("e\u0301tat", "LOC"), ("E\u0301tat", "CAP"),
        ("日本語", "LOC"), ("हिन्दी", "LOC"), ("عربي", "LOC"), ("٣", "LOC"), ("Ⅳ", "LOC"),
        ("Москва", "CAP"), ("США", "AUC"), ("ﬁn", "LOC"), ("Ⓐ", "PNC"),
    ],
)  # fmt: skip
def test_a_word_has_the_tag_of_the_table(word, tag):
    assert tag_of(word).name == tag


@pytest.mark.parametrize("word", SPELLED)
def test_spelled_out_punctuation_is_pnc_and_stays(word):
    assert tag_of(word) == tag_of(word.lower()) == Tag.PNC
    assert wipe_case(f"Now {word} Then") == f"now {word} then"
    assert recase_word(word, Tag.PNC) == word


@pytest.mark.parametrize(
    ("text", "wiped"),
    [
        ("PrimeTime on ABC", "primetime on abc"), ("İI", "İi"), ("ẞ", "ß"), ("ǅ Ǆ", "ǆ ǆ"),
        ("ΟΔΟΣ ΣΑΣ, Σ", "οδος σας, σ"), ("E\u0301TAT", "e\u0301tat"), ("日本", "日本"), ("", ""),
        ("A\tB\r\n  C", "a\tb\r\n  c"),
    ],
)  # fmt: skip
def test_wiping_gives_uniform_case(text, wiped):
    assert wipe_case(text) == wiped


@pytest.mark.parametrize(
    ("word", "tag", "form"),
    [
        ("diane", Tag.CAP, "Diane"), ("'tis", Tag.CAP, "'Tis"), ("90s", Tag.CAP, "90S"),
        ("u.s.", Tag.AUC, "U.S."), ("straße", Tag.AUC, "STRAẞE"), ("οδος", Tag.AUC, "ΟΔΟΣ"),
        ("ǆungla", Tag.CAP, "ǅungla"), ("ǆungla", Tag.AUC, "ǄUNGLA"), ("ﬁn", Tag.CAP, "ﬁn"),
        ("e\u0301tat", Tag.CAP, "E\u0301tat"), ("日本", Tag.AUC, "日本"),
        ("diane", Tag.LOC, "diane"),
        ("anglo-saxon", Tag.MXC, "Anglo-Saxon"), ("o'brien", Tag.MXC, "O'Brien"),
        ("cafe\u0301s", Tag.MXC, "Cafe\u0301s"), (",", Tag.CAP, ","), ("1996", Tag.AUC, "1996"),
    ],
)  # fmt: skip
def test_recasing_gives_the_form_of_the_tag(word, tag, form):
    assert recase_word(word, tag) == form


# --- any character, any text --------------------------------------------------------------


def test_wiping_changes_letter_case_only_and_tags_bring_it_back(characters, cased):
    def kinds(text):
        return [(c.isalpha(), c.isalnum(), c.isspace()) for c in text]

    assert wipe_case(characters).casefold() == characters.casefold()
    assert kinds(wipe_case("".join(cased))) == kinds(cased)
    caseless = characters.translate(dict.fromkeys(map(ord, cased)))
    assert wipe_case(caseless) == caseless
    assert [c for c in cased if recase_word(wipe_case(c), tag_of(c)) != c] == []
    assert [c for c in cased if tag_of(c) == Tag.MXC] == []
    wiped = [wipe_case(c) for c in cased]
    for tag in Tag:
        assert [w for w in wiped if w != "ς" and wipe_case(recase_word(w, tag)) != w] == []


@steady
@given(messy_texts)
def test_wiping_changes_letter_case_only_and_once(text):
    wiped = wipe_case(text)
    assert len(wiped) == len(text)
    assert wiped.casefold() == text.casefold()
    assert wipe_case(wiped) == wiped


@steady
@given(words)
def test_a_word_comes_back_from_its_tag_or_form(word):
    tag, wiped = tag_of(word), wipe_case(word)
    assert tag == Tag.MXC or recase_word(wiped, tag) == word
    assert recase_word(wiped, Tag.MXC, mixed=word) == word
    for other in Tag:
        recased = recase_word(wiped, other)
        assert recased.casefold() == word.casefold()
        assert len(recased) == len(word)
    assert any(map(str.isalnum, word)) or tag == Tag.PNC
    assert tag == Tag.PNC or not [c for c in wiped if c.isupper() and wipe_case(c) != c]
