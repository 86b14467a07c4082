"""The lint of a text: each fault is found where it is, and good text has none."""

from pathlib import Path

import pytest

from workbench.text import lint
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError
from workbench.text.lint import drop_faults, find_look, lint_text
from workbench.text.readers import read_corpus, read_upload

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


def test_faults_are_counted_three_lines_are_named_and_good_text_has_none():
    assert lint_text(GOOD) == []
    assert found("SHARES RISE AGAIN\n\n" * 5)["ALL-CAPS lines"] == (5, (1, 3, 5))
    text = "He went home to Rome.\nYes .\nHe  went home to Rome.\nYes .\nHe went home to Rome.\n"
    assert found(text) == {"repeated lines": (2, (3, 5))}
    assert set(found("SEE HTTP://X.ORG FOR MORE NEWS")) == {
        "ALL-CAPS lines", "lines with addresses",
    }  # fmt: skip
    text = "A B C D\nshares rose in may\n--\n<b>\n" + "word " * 501 + "\nshares rose in may\n"
    for finding in lint_text(text):
        assert finding.advice.endswith(".")
        assert "\n" not in finding.advice
    text = "He went to Rome.\n-- \nJane Doe\nRome\n\nShe went to Paris.\n"
    assert found(text) == {"signatures": (3, (2, 3, 4))}
    text = "--\n" + "It rained in Rome, he said.\nIt was late, she said in Paris.\n" * 3
    assert found(text)["signatures"] == (5, (1, 2, 3))
    assert found(WRAPPED) == {"ALL-CAPS lines": (1, (6,))}


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("PRESIDENT VISITS TEXAS", "ALL-CAPS lines"),
        ("THIS IS ALL LOUD, IS IT NOT?", "ALL-CAPS lines"),
        ("President Visits the Plant in Texas", "headlines"),
        ("Shares Rise as Oil Falls", "headlines"),
        ("Fed Raises Rates again", "headlines"),
        ("so we went to boston and it was late", "lines without a capital"),
        ("-- ", "signatures"),
        ("--", "signatures"),
        ("Sent from my iPhone", "signatures"),
        ("> He said that it rained in Rome.", "lines of quoted mail"),
        ("On Monday, 3 May, Jane Doe wrote:", "lines of quoted mail"),
        ("Subject: The rain in Rome.", "lines of quoted mail"),
        ("Write to jane@example.org in Rome.", "lines with addresses"),
        ("Best regards,", "signatures"),
        ("-----Original Message-----", "signatures"),
        ("See <b>this</b> in Paris.", "lines with mark-up"),
        ("He said AT&amp;T rose.", "lines with mark-up"),
        ("Go to http://example.org for more.", "lines with addresses"),
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


@pytest.mark.parametrize("text", ["", "\n\n", " \t\n", "\u00a0", "<", "&", "--x"])
def test_nothing_has_no_fault(text):
    assert lint_text(text) == []


# Lines wrapped to a width, as in mail: none of them has to hold a capital.
WRAPPED = """\
It rained in Rome on the day on which the President of the United States
came to see the Pope and his friends of the old days, and nobody who had
been there before him had ever seen so much rain within so few hours, as
the newspapers of Rome did not fail to tell the world on the day after.

THE RAIN GOES ON IN ROME

So the President of the United States stayed within the walls of a hotel
"""


def test_lines_are_dropped_once_but_whole_paragraphs_of_wrapped_text():
    text = GOOD + "SEE <b>THIS</b> IN ROME\nIBM rose in May.\n" * 2 + "See http://x.org in Rome.\n"
    kept, dropped = drop_faults(text)
    assert kept == GOOD + "IBM rose in May.\nSee http://x.org in Rome.\n"
    assert {found.what: (found.n, found.lines) for found in dropped} == {
        "lines with mark-up": (2, (7, 9)), "repeated lines": (1, (10,)),
    }  # fmt: skip
    first, headline, last = WRAPPED.split("\n\n")
    kept, dropped = drop_faults("\n\n".join([first.upper(), first, headline, last]))
    assert kept == "\n".join(["", first, "", "", last])
    assert [(finding.n, finding.lines) for finding in dropped] == [(5, (1, 2, 3))]


@pytest.mark.parametrize("text", ["", "\n\n", GOOD, WRAPPED.split("\n\n")[0]])
def test_good_text_stays_as_it_is(text):
    assert drop_faults(text) == (text, [])


# --- what the whole of a text is ----------------------------------------------------------

STORY = [
    "The ship left Boston for Lisbon on Monday, and nobody knew when it would be back.",
    "Anna Berg, who had never seen the sea, stood on the deck with her brother Tom.",
    "They asked the captain about Madeira; he said that he had not been there since May.",
    "In the evening the radio told them of rain over Ireland and of snow in Norway.",
    "Later a letter came from the Ministry of Trade, but Tom did not open it at all.",
]
SPOKEN = ["so we went to the market and i bought some bread", "it was late and nobody was there",
          "she told him about the house near the river", "they do not know what to make of it",
          "he will come back when the rain is over"]  # fmt: skip
TAGGED = """\
The DT B-NP O
ship NN I-NP O
left VBD B-VP O
Boston NNP B-NP B-LOC
. . O O
"""
MANY = {
    "lines of a word and its labels": [
        "\n".join(" ".join(line.split()[:3]) for line in TAGGED.split("\n")) * 3,
        "-DOCSTART- -X- -X- O\n\n" + f"{TAGGED}\n" * 4,
        "# text = The ship left\n" + "".join(
            f"{i}\t{word}\t{word.lower()}\t{tag}\t_\n" for i, (word, tag) in
            enumerate([("The", "DET"), ("ship", "NOUN"), ("left", "VERB"), ("Rome", "PROPN")] * 2)),
        "the\tO\nship\tO\nleft\tO\nNew\tB-location\nYork\tI-location\n",
        "\n\n".join(f"{word} {tag}" for word, tag in zip("It left at noon .".split(),
                                                         "PRP VBD IN NN .".split(), strict=True)),
    ],
    "beginnings of RTF": [
        r"{\rtf1\ansi\deff0 {\fonttbl{\f0 Times;}}" + "\n" + "\\par\n".join(STORY) + "}",
        r"{\rtf1\mac{\colortbl;\red0\green0\blue0;}" + "\n" + " ".join(STORY) + "}",
        "\n{\\rtf1 " + STORY[0] + "}",
    ],
    "lines with commands of TeX": [
        "\\documentclass{article}\n\\begin{document}\n" + "\n".join(STORY) + "\n\\end{document}\n",
        "\n".join(f"\\section{{Part}}\\label{{a}}\n{line}" for line in STORY),
        "\n".join(f"{line[:-1]}~\\cite{{berg}}." for line in STORY),
    ],
    "lines with tags of HTML": [
        "<!DOCTYPE html>\n<html><body>\n" + "\n".join(f"<p>{line}</p>" for line in STORY),
        "\n".join(f"{line}<br/>" for line in STORY),
        "\n".join(f"<div>\n{line.replace('the', '<i>the</i>')}\n</div>" for line in STORY),
    ],
    "lines with times of subtitles": [
        "".join(f"1\n00:00:01,500 --> 00:00:01,900\n{line}\n\n" for line in STORY),
        "WEBVTT\n\n" + "".join(f"05:01.000 --> 05:04.000\n{line}\n\n" for line in STORY),
        "".join(f"1\n0:00:02.1 --> 0:00:02.9\n{line[:40]}\n{line[40:]}\n" for line in STORY),
    ],
    "lines of a table": [
        "id,text,label\n" + "".join(f'{i},"{line}",good\n' for i, line in enumerate(STORY * 3)),
        "".join(f"{i};{line.replace(';', '')};Rome\n" for i, line in enumerate(STORY * 3)),
        "".join(f"{line}\tneutral\t{i}\n" for i, line in enumerate(STORY * 3)),
    ],
    "lines of one word": [
        "\n".join(" ".join(STORY).split()), "\n\n".join(STORY[0].split()),
        "\n".join(f"\n{word.strip('.,;')}\n" for word in STORY[1].split()),
    ],
    "words that are not of letters": [
        "".join(f"user{i}:x:{i}:{i}:User {i}:/home/u{i}:/bin/sh\n" for i in range(30)),
        "".join(f"{'Qk1' * i}/{i}+9aX{i}== {i}\n" for i in range(1, 60)),
        Path(lint.__file__).read_text("utf-8"),
    ],
    "words with a capital": [
        ". ".join(SPOKEN * 140) + ". Yes.", "\n".join([*SPOKEN * 3, "he met Anna in the street"]),
        "\n".join([*SPOKEN * 5, "So I said that I was there"]).replace(" i ", " I "),
    ],
    "words in Title Case within sentences": [
        ". ".join(line.title() for line in STORY * 4), "\n".join(SPOKEN * 4).title(),
        "\n".join(STORY * 4).title().replace("The", "the").replace(" Of", " of"),
    ],
    "words with a capital within sentences": [
        "\n".join(line.capitalize() for line in STORY * 20),
        "".join(f"{line.capitalize()}. " for line in SPOKEN * 40),
        "".join(f"\" {line.capitalize()} , I think . \"\n" for line in SPOKEN * 40),
    ],
}  # fmt: skip
KINDS = [(what, text) for what, texts in MANY.items() for text in texts]


def looks(text):
    """What is said of the whole of a text, by the page and by commands: one thing, or none."""
    corpus = read_upload(text, "a.txt")
    return [found.what.partition(",")[0] for found in lint_text(text) + find_look(corpus)
            if not found.lines]  # fmt: skip


@pytest.mark.parametrize(("what", "text"), KINDS, ids=[what for what, _ in KINDS])
def test_what_is_no_prose_in_its_case_is_said_before_training(what, text, run, tmp_path, output):
    (tmp_path / "a.txt").write_text(text, "utf-8")
    status, _, message = run("train", tmp_path / "a.txt", "-o", output, "--model", "1gram")
    if "labels" in what:
        assert (status, output.exists(), message.count("\n")) == (1, False, 1)
        assert ".iob (word pos label) or .tag (word label [universal])" in message
        with pytest.raises(InputError, match=f"a.txt: .*{what}"):
            read_upload(text, "a.txt")
        return
    assert looks(text)[0] == what
    notes = read_corpus(tmp_path / "a.txt").notes
    assert any(f" {what}, of " in note for note in notes)
    assert message.startswith("".join(f"{note}\n" for note in notes))


@pytest.mark.parametrize("corpus", ["background_corpus", "adaptation_corpus"])
def test_prose_looks_like_nothing_else(corpus, request):
    assert find_look(request.getfixturevalue(corpus)) == []


@pytest.mark.parametrize(
    "text", ["\n".join(STORY * 30), " ".join(STORY * 30), GOOD, "We sent A to Rome .\n" * 9]
)
def test_prose_in_its_case_is_no_kind_of_file(text):
    assert looks(text) == []


def test_prose_of_other_scripts_is_prose():
    sentences = ["Οδός Αθηνών στην πόλη .".split(), "Cafe\u0301 l'eau aujourd'hui .".split()]
    assert find_look(Corpus.from_sentences(sentences * 50)) == []


def test_a_folder_of_files_alike_has_one_line(tmp_path):
    for i in range(3):
        (tmp_path / f"{i}.txt").write_text(MANY["lines with tags of HTML"][0])
    folder, note = read_corpus(tmp_path).notes
    assert "files read: 3" in folder
    assert note.startswith(f"{tmp_path / '0.txt'} and 2 more files: 6 lines with tags of HTML, of ")


def test_a_command_says_that_a_text_is_little(tmp_path, run, output):
    (tmp_path / "few.txt").write_text(GOOD)
    _, _, message = run("train", tmp_path / "few.txt", "-o", output, "--cutoff", "0")
    assert "workbench: warning: few: 49 words are little to learn from" in message


@pytest.mark.parametrize("choice", ["keep", "drop"])
def test_adapt_says_what_a_text_is_or_refuses_it(run, refuse, place, tmp_path, output, choice):
    (tmp_path / "a.txt").write_text(MANY["lines with commands of TeX"][2])
    adapt = ("adapt", place / "news.model", tmp_path / "a.txt", "-o", output)
    adapt += ("--sigma2", "1", "--lint")
    said = f"{tmp_path / 'a.txt'}: 5 lines with commands of TeX, of 5"
    assert said in refuse(*adapt, "refuse")
    assert run(*adapt, choice)[2].count(said) == 1
