"""The lint of a text: each fault is found where it is, and good text has none."""

from pathlib import Path

import pytest

from workbench.text import lint
from workbench.text.corpus import Corpus
from workbench.text.lint import doubt_prose, lint_corpus, lint_text
from workbench.text.readers import read_corpus

GOOD = """\
The FBI arrested two men in New York on Friday, officials said.
"We may have rain," said Mr. Baker of ABC News.
IBM rose.
ABC
New York
He wrote to Diane Sawyer, who was in Los Angeles with Peter Jennings.
"""


def found(text):
    return {finding.what: (finding.n, finding.lines) for finding in lint_text(text)}


def test_good_text_has_no_fault():
    assert lint_text(GOOD) == []


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("PRESIDENT VISITS TEXAS", "ALL-CAPS lines"),
        ("THIS IS ALL LOUD, IS IT NOT?", "ALL-CAPS lines"),
        ("President Visits the Plant in Texas", "headlines"),
        ("Shares Rise as Oil Falls", "headlines"),
        ("so we went to boston and it was late", "lines without a capital"),
        ("-- ", "signatures"),
        ("--", "signatures"),
        ("Sent from my iPhone", "signatures"),
        ("Best regards,", "signatures"),
        ("-----Original Message-----", "signatures"),
        ("See <b>this</b> in Paris.", "mark-up and addresses"),
        ("He said AT&amp;T rose.", "mark-up and addresses"),
        ("Go to http://example.org for more.", "mark-up and addresses"),
        ("It " + "is " * 500 + "long.", "very long lines"),
    ],
)
def test_a_fault_is_found_on_its_line(line, what):
    assert found(f"{GOOD}{line}\n") == {what: (1, (7,))}


@pytest.mark.parametrize(
    "line",
    ["He said the best regards came from Rome.", "Sent on Monday from Rome, it came.",
     "5 < 6 in Rome, and 7 > 6.", "A -- so he said in Rome -- B.", "1996 1997 1998 1999",
     "IBM NBC", "... ... ...", "President Reagan will address Congress on Friday."],
)  # fmt: skip
def test_what_looks_like_a_fault_but_is_none_is_left_alone(line):
    assert found(line) == {}


def test_three_places_are_named_and_all_are_counted():
    assert found("SHARES RISE AGAIN\n\n" * 5)["ALL-CAPS lines"] == (5, (1, 3, 5))


def test_repeated_lines_are_those_that_stood_before():
    text = "He went home to Rome.\nYes .\nHe  went home to Rome.\nYes .\nHe went home to Rome.\n"
    assert found(text) == {"repeated lines": (2, (3, 5))}


def test_a_line_may_have_two_faults():
    assert set(found("SEE HTTP://X.ORG FOR MORE NEWS")) == {
        "ALL-CAPS lines", "mark-up and addresses",
    }  # fmt: skip


def test_every_fault_has_advice_in_one_sentence():
    text = "A B C D\nshares rose in may\n--\n<b>\n" + "word " * 501 + "\nshares rose in may\n"
    for finding in lint_text(text):
        assert finding.advice.endswith(".")
        assert "\n" not in finding.advice


def test_a_corpus_is_told_by_size_tags_and_faults():
    corpus = Corpus.from_sentences([["NATO", "MET", "TODAY"], ["Mr.", "Bush", "left", "."]])
    rows = {finding.what: finding.n for finding in lint_corpus(corpus)}
    assert rows == {
        "sentences": 2, "words": 7, "words LOC": 1, "words CAP": 2, "words MXC": 0,
        "words AUC": 3, "words PNC": 1, "ALL-CAPS lines": 1,
    }  # fmt: skip
    assert lint_corpus(corpus)[0].advice  # two sentences are few


@pytest.mark.parametrize("text", ["", "\n\n", " \t\n", "\u00a0", "<", "&", "--x"])
def test_nothing_has_no_fault(text):
    assert lint_text(text) == []


# --- what may be no prose -----------------------------------------------------------------

NO_PROSE = {
    "passwords": "".join(f"user{i}:x:{i}:{i}:User {i}:/home/u{i}:/bin/sh\n" for i in range(30)),
    "table": "".join(f"{i},Item Number {i},{3 * i}.99\n" for i in range(200)),
    "base64": "".join(f"{'Qk1' * i}/{i}+9aX{i}==\n" for i in range(1, 60)),
    "code": Path(lint.__file__).read_text("utf-8"),
}


@pytest.mark.parametrize("text", NO_PROSE.values(), ids=NO_PROSE)
def test_what_is_no_prose_is_doubted(text, tmp_path):
    (tmp_path / "a.txt").write_text(text, "utf-8")
    assert "may be no prose" in "\n".join(doubt_prose(read_corpus(tmp_path / "a.txt")))


@pytest.mark.parametrize("corpus", ["background_corpus", "adaptation_corpus"])
def test_prose_is_not_doubted(corpus, request):
    corpus = request.getfixturevalue(corpus)
    few = "words are little to learn from"
    assert all(few in line for line in doubt_prose(corpus))
    assert bool(doubt_prose(corpus)) == (len(corpus) < 300)


def test_prose_of_other_scripts_is_not_doubted():
    sentences = ["Οδός Αθηνών στην πόλη .".split(), "Cafe\u0301 l'eau aujourd'hui .".split()]
    assert doubt_prose(Corpus.from_sentences(sentences * 50)) == []


def test_a_command_says_its_doubts_and_trains(run, tmp_path, output):
    (tmp_path / "passwd").write_text(NO_PROSE["passwords"])
    status, _, message = run("train", tmp_path / "passwd", "-o", output, "--cutoff", "0")
    assert status == 0
    assert "workbench: warning: passwd: plain words are " in message
