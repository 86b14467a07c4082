"""Probabilities of words: lines of JSON, thresholds, lists to review."""

import json
import re

import numpy as np
import pytest
from command_texts import save
from hypothesis import given
from hypothesis import strategies as st
from strategies import messy_texts, steady

from workbench.recasing import streams
from workbench.recasing.allowed import Source
from workbench.recasing.answers import Answerer, Piece, find_doubts
from workbench.recasing.recaser import Recaser
from workbench.recasing.streams import encode
from workbench.text.casing import wipe_case
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError
from workbench.text.tokens import find_words

TEXT = "the fbi met apple\r\n\n , in grolmik york http://x.com/a .\nend"
LINE_END = re.compile(r"\r\n?|\n")


def read_json(answerer, text, unbuffered=False):
    pieces = answerer.pieces([encode(text)], unbuffered)
    answers = [answer.data for piece in pieces for answer in answerer.answer(piece)]
    return [json.loads(line) for line in b"".join(answers).split(b"\n")[:-1]]


# --- lines of JSON ------------------------------------------------------------------------


@steady
@given(st.lists(messy_texts, max_size=4).map("\n".join), st.booleans())
def test_each_line_is_an_object_with_the_words_where_they_are(background, text, unbuffered):
    recaser = Recaser(background)
    objects = read_json(Answerer(recaser, as_json=True), text, unbuffered)
    lines = LINE_END.split(text)
    lines = lines if lines[-1] else lines[:-1]
    recased = LINE_END.split(recaser.recase(text))
    assert len(objects) == len(lines)
    for found, line, expected in zip(objects, lines, recased, strict=False):
        assert found["text"] == expected
        for word in found["words"]:
            assert word["from"] == line[word["start"] : word["end"]]
            assert word["to"] == found["text"][word["start"] : word["end"]]
        between = line
        for word in found["words"][::-1]:
            between = between[: word["start"]] + between[word["end"] :]
        assert not between.strip().strip("\ufeff") or "<" in line or "&" in line  # marks-up


def test_p_is_the_marginal_of_the_tag_where_the_model_decides(background):
    words = "the fbi met apple in york".split()
    corpus = Corpus.from_sentences([words])
    p = background.probabilities(corpus)[np.arange(6), background.tag(corpus)]
    (line,) = read_json(Answerer(Recaser(background), as_json=True), " ".join(words))
    assert [word["p"] for word in line["words"]] == pytest.approx(p.tolist(), abs=1e-6)
    recaser = Recaser(background, policy="trust", glossary=["gRolmik"])
    (line,) = read_json(Answerer(recaser, as_json=True), "the NumPy met grolmik www.x.com/A .")
    kinds = ("span", "kept", "glossary", "unsure")
    marked = {word["to"]: kind for word in line["words"] for kind in kinds if word.get(kind)}
    assert marked == {"NumPy": "kept", "gRolmik": "glossary", "www.x.com/A": "span"}
    assert all((word["p"] is None) == (word["to"] in marked) for word in line["words"])


def test_lines_of_json_are_those_of_python_and_escape_odd_bytes(background):
    assert read_json(Answerer(Recaser(background), as_json=True), "a \udcff")[0]["text"][-1] == (
        "\udcff"
    )
    recaser = Recaser(background, threshold=0.9)
    objects = [line.to_json() for line in recaser.lines([TEXT])]
    assert objects == read_json(Answerer(recaser, as_json=True), TEXT)


def test_a_1gram_has_no_p_no_threshold_and_no_review(unigram):
    (line,) = read_json(Answerer(Recaser(unigram), as_json=True), "in new york")
    assert line["text"] == "In New York"
    assert [word["p"] for word in line["words"]] == [None] * 3
    with pytest.raises(InputError, match="threshold: a model of kind 1gram has no probabilities"):
        Recaser(unigram, threshold=0.5)
    with pytest.raises(InputError, match="review: a model of kind 1gram has no probabilities"):
        Answerer(Recaser(unigram), n_doubts=5)


def test_a_line_that_is_too_long_says_where_it_goes_on(background, monkeypatch):
    monkeypatch.setattr(streams, "LONGEST_LINE", 20)
    monkeypatch.setattr(streams, "BLOCK", 40)
    text = "the fbi met in york " * 5 + "\nend\n"
    objects = read_json(Answerer(Recaser(background), as_json=True), text, unbuffered=True)
    assert "".join(found["text"] for found in objects).lower() == text.replace("\n", "")
    goes_on = [found.get("continued", False) for found in objects]
    assert goes_on == [False] + [True] * (len(objects) - 2) + [False]


# --- thresholds ---------------------------------------------------------------------------


@steady
@given(st.floats(0, 1))
def test_less_sure_words_stay_as_they_came(background, threshold):
    text = "THE FBI MET Grolmik OF THE NEW york Times , IBM said apple"
    sure = next(Recaser(background).lines([text])).words
    careful = next(Recaser(background, threshold=threshold).lines([text])).words
    for plain, word in zip(sure, careful, strict=True):
        if abs(plain.p - threshold) > 1e-5:
            assert word.after == (plain.after if plain.p > threshold else plain.before)
            assert (word.source == Source.UNSURE) == (plain.p < threshold)


def test_no_word_is_sure_enough_for_1_and_all_are_for_0(background):
    assert Recaser(background, threshold=0).recase(TEXT) == Recaser(background).recase(TEXT)
    (answer,) = Answerer(Recaser(background, threshold=1)).answer(Piece(encode(TEXT)))
    assert answer.tally.n_unsure > 5


@pytest.mark.parametrize("threshold", [-0.1, 1.1, float("nan")])
def test_a_threshold_is_a_probability(background, threshold):
    with pytest.raises(InputError, match="a probability, 0 to 1, is allowed"):
        Recaser(background, threshold=threshold)


# --- lists to review ----------------------------------------------------------------------


@pytest.mark.slow
@steady
@given(st.lists(messy_texts, max_size=6).map("\n".join), st.integers(1, 5))
def test_the_least_sure_lines_are_those_of_a_loop(background, text, n):
    recaser = Recaser(background)
    least = []
    for number, line in enumerate(recaser.lines([text])):
        doubtful = [
            (word.p, word.after) for word in line.words
            if word.p is not None and word.after.upper() != word.after.lower()
        ]  # fmt: skip
        if doubtful:
            least.append((min(doubtful)[0], number))
    found = find_doubts(recaser.recase_block(text, with_p=True), n)
    assert len(found) == min(n, len(least))
    expected = [p for p, _ in sorted(least)[:n]]
    assert [doubt.p for doubt in found] == pytest.approx(expected, abs=1e-6)
    for doubt in found:
        assert doubt.text.rstrip("\r") == LINE_END.split(recaser.recase(text))[doubt.line]
        assert doubt.word in doubt.text


# --- the command --------------------------------------------------------------------------


def test_the_command_writes_json_counts_and_a_review(run, place, tmp_path):
    first = save(tmp_path / "a.txt", "the fbi met\n\nin new york")
    second = save(tmp_path / "b.txt", "apple\tor grolmik said\n")
    forms, review = save(tmp_path / "forms", "gRolmik\n"), tmp_path / "review"
    words = ("recase", place / "news.model", first, second, "--json", "--threshold", "0.5")
    options = ("--glossary", forms, "--review", review, "--review-lines", "3")
    status, printed, message = run(*words, *options)
    objects = [json.loads(line) for line in printed.splitlines()]
    assert status == 0
    assert [wipe_case(found["text"]) for found in objects] == [
        "the fbi met", "", "in new york", "apple\tor grolmik said"
    ]  # fmt: skip
    assert "of 10 words, less sure than 0.5, stay as they came\n" in message
    assert message.endswith("glossary: 1 of its forms found, in 10 words\n")
    rows = [row.split("\t") for row in review.read_text().splitlines()]
    assert [float(row[0]) for row in rows] == sorted(float(row[0]) for row in rows)
    assert {row[1] for row in rows} == {f"{first}:1", f"{first}:3", f"{second}:1"}
    texts = {row[1]: row[3] for row in rows}
    assert texts[f"{second}:1"] == objects[3]["text"].replace("\t", " ")
    assert all(find_words(text) for text in texts.values())


def test_jobs_answer_and_count_as_one_does(run, place, tmp_path, monkeypatch):
    monkeypatch.setattr(streams, "BLOCK", 100)
    text = save(tmp_path / "a.txt", "the fbi met grolmik\nin new york http://x.com/A .\n" * 40)
    forms = save(tmp_path / "forms", "gRolmik\n")
    outcomes = []
    for jobs in ("1", "2"):
        review = tmp_path / f"review{jobs}"
        options = ("--json", "--threshold", "0.9", "--glossary", forms, "--review", review)
        outcomes.append(
            (run("recase", place / "news.model", text, *options, "--jobs", jobs),
             review.read_text())
        )  # fmt: skip
    assert outcomes[0] == outcomes[1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--threshold", "2"), "threshold 2.0: a probability, 0 to 1, is allowed"),
        (("--review", "x", "--review-lines", "0"), "review lines 0: 1 or more is allowed"),
        (("--glossary", "nowhere.txt"), "nowhere.txt: cannot be read"),
    ],
)
def test_a_mistake_in_an_option_is_told_in_a_line(refuse, place, options, message):
    assert message in refuse("recase", place / "news.model", *options)
