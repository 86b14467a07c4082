"""Files that are refused, in one table of whole lines; other modules test where, this one words."""

import gzip
import os
import re
import socket

import pytest

from workbench.text import incoming
from workbench.text.errors import REFUSALS, InputError
from workbench.text.readers import read_corpus

TEXT = "He left Boston . \nShe stayed , too .\n"
EMPTY = "an empty file; at least one sentence is needed"
WIDE = "UTF-16 text; save it as UTF-8"
NO_GZIP = r"cannot be read \(.+\)"
# What is in a file, and the line that refuses it, a pattern; by the file's name and the refusal.
FILES = {
    ("a.txt", "empty"): [
        (data, EMPTY)
        for data in (b"", b" \n\t\r\n", "\u2003\u00a0\n", b"\xef\xbb\xbf\n", gzip.compress(b""))
    ],
    ("a.txt", "no UTF-8"): [
        ("Il est là .\nDéjà\n".encode("latin-1"),
         r"not UTF-8 \(byte 0xe0 in line 1, perhaps Latin-1\); save it as UTF-8"),
        ("a\nb\nné\n".encode("latin-1"), r"not UTF-8 \(byte 0xe9 in line 3, .+"),
    ],
    ("a.txt", "wide"): [
        *((data, WIDE) for data in (
            TEXT.encode("utf-16"), b"\xfe\xff" + TEXT.encode("utf-16-be"),
            TEXT.encode("utf-16-le"), TEXT.encode("utf-16-be"),
        )),
        (TEXT.encode("utf-32"), "UTF-32 text; save it as UTF-8"),
    ],
    ("a.txt", "binary"): [
        (data, "no text but a binary file; UTF-8 plain text is needed")
        for data in (b"\x7fELF\x02\x01\0\0\0\0" * 9, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    ],
    ("a.txt", "long sentence"): [
        (b"word " * 1_000_000, "a sentence of 1,000,000 words: 20,000 are allowed; give one "
         "sentence a line, or running text with its punctuation"),
    ],
    ("a.txt", "unreadable"): [
        (data, NO_GZIP)
        for data in (gzip.compress(TEXT.encode() * 99)[:-20], b"\x1f\x8b\x08" + b"\0" * 40)
    ],
    ("a.txt", "look"): [
        ("He PRP B-NP\nran VBD B-VP\n" * 9, r"18 lines of a word and its labels, of 18: No text; "
         r"columns are read from files that end in \.iob \(word pos label\) or \.tag .+"),
    ],
    ("a.iob", "columns"): [
        ("He PRP B-NP\nran VBD\n", "line 2: 2 columns; word pos label is allowed"),
        ("He PRP B-NP x\n", "line 1: 4 columns; word pos label is allowed"),
    ],
    ("a.tag", "other columns"): [
        ("He PRP PRON\nran VBD\n", "line 2: 2 columns, 3 before; all lines need as many"),
    ],
    ("a.iob", "stray label"): [
        (text, f"line {line}: {said} \\(--repair reads it as one\\)")
        for text, line, said in (
            ("He PRP I-NP\nran VBD B-VP\n", 1, "I-NP at the start; a chunk begins with B-NP"),
            ("He PRP B-NP\n\nran VBD I-VP\n", 3, "I-VP at the start; a chunk begins with B-VP"),
            ("He PRP B-NP\nran VBD I-VP\n", 2, "I-VP after B-NP; a chunk begins with B-VP"),
            (". . O\nran VBD I-VP\n. . O\nHe PRP B-NP\n", 2, "I-VP after O; .+ B-VP"),
        )
    ],
    ("a.iob", "label"): [
        ("He PRP NP\n", "line 1: label NP; O, B-X and I-X are allowed"),
        ("He PRP B-\n", "line 1: label B-; O, B-X and I-X are allowed"),
        ("a X B-NP\nb X E-NP\nc X U-NP\n",
         "line 3: label U-NP; O, B-X, I-X, E-X and S-X are allowed"),
    ],
    ("a.iob", "empty sentence"): [
        (text, f"line {line}: an empty sentence; one blank line ends a sentence")
        for text, line in (
            ("He PRP B-NP\n\n\nran VBD B-VP\n", 3), ("\nHe PRP B-NP\n", 1),
            ("-DOCSTART- -X- O\n\nHe PRP O\n\n\nran VBD O", 5),
        )
    ],
    ("a.iob", "no labelled words"): [
        ("-DOCSTART- -X- O\n\n", "no words in it; a line for each is needed"),
    ],
    ("a.iob", "long labelled sentence"): [
        ("He PRP O\n" * 20_001, "a sentence of 20,001 words: 20,000 are allowed; a blank line ends "
         "a sentence"),
    ],
}  # fmt: skip
# Of these other tests of the room know the words: of addresses, pipes and streams, of learning.
ELSEWHERE = {
    "local address", "password", "web page", "cut connection", "server", "unreachable",
    "no web server", "no library", "nothing there", "unopened", "odd byte", "no words",
    "no capital", "no case", "all capitals",
}  # fmt: skip


def complaint(source, part="train"):
    """Return the one line that refuses a source."""
    with pytest.raises(InputError) as caught:
        read_corpus(source, part)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.fixture
def matches(tmp_path):
    """Say whether a source is refused with a pattern after its name."""

    def _matches(source, pattern, part="train"):
        said = complaint(source, part)
        start = str(InputError(f"{source}: "))
        return said.startswith(start) and re.fullmatch(pattern, said.removeprefix(start))

    return _matches


@pytest.mark.parametrize(("name", "what"), FILES)
def test_a_bad_file_is_refused_in_one_line_that_names_it(tmp_path, matches, name, what):
    path = tmp_path / name
    for content, pattern in FILES[name, what]:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        assert matches(path, pattern), complaint(path)


def test_what_is_no_file_of_text_is_refused(tmp_path, matches):
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "s"))
        for place, kind in (
            ("s", "a socket"),
            ("/dev/null", "a device"),
            ("/dev/zero", "a device"),
        ):
            assert matches(tmp_path / place, f"{kind}; a file of text is needed")
    with pytest.raises(InputError, match="a folder; a file of text is needed"):
        incoming.read_bytes(tmp_path)
    for name in (tmp_path / "none", "x" * 5000, "a\0b"):
        assert complaint(name).endswith(": no such file or folder")
    assert complaint(tmp_path / "none") == f"{tmp_path / 'none'}: no such file or folder"


def test_a_folder_without_text_says_what_it_should_hold(tmp_path, matches):
    allowed = {
        "train": "train.txt, part-* or other .txt files, train.iob or train.tag",
        "dev": "dev.txt, dev.iob or dev.tag", "test": "test.txt, test.iob or test.tag",
    }  # fmt: skip
    for part, files in allowed.items():
        pattern = f"a folder without text; it should hold {files}".replace("*", r"\*")
        assert matches(tmp_path, pattern, part)
    (tmp_path / "dev.txt").write_text(TEXT)  # development text alone is no training text
    assert "a folder without text" in complaint(tmp_path)


def test_files_of_one_corpus_have_one_form_and_few_labels(tmp_path):
    (tmp_path / "many.tag").write_text("".join(f"w L{i}\n" for i in range(128)))
    (tmp_path / "a.txt").write_text(TEXT)
    (tmp_path / "b.txt").write_bytes(b"")
    both = tmp_path / "a.txt", tmp_path / "many.tag"
    assert complaint(both) == (
        f"{both[0]} and {both[1]}: files of different forms; one corpus is of one form"
    )
    assert complaint(both[1]) == "many: 128 labels; 127 are allowed"
    assert complaint([both[0], tmp_path / "b.txt"]) == f"{tmp_path / 'b.txt'}: {EMPTY}"


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_too_many_bytes_are_refused(tmp_path, monkeypatch, matches, pack):
    path = tmp_path / "a.txt"
    path.write_bytes(pack(os.urandom(1_001)))
    monkeypatch.setattr(incoming, "MOST_BYTES", 1_000)
    for content in (bytes(1_000), gzip.compress(bytes(1_000))):
        (tmp_path / "most").write_bytes(content)
        assert len(incoming.read_bytes(tmp_path / "most")) == 1_000
    is_plain = pack is bytes
    assert matches(path, r"1,001 bytes; a text has at most 1,000" if is_plain else r"1,0\d\d .+")
    path.write_bytes(gzip.compress(bytes(1_001)))
    assert matches(path, "more than 1,000 bytes, unpacked; a text has at most these")
    monkeypatch.setattr(incoming, "MOST_RATIO", 1)
    monkeypatch.setattr(incoming, "_FREE", 0)
    assert matches(path, r"more than 1,001 bytes in \d+ of gzip: no text")


def test_every_refusal_is_in_a_table():
    here = {what for _, what in FILES} | {
        "missing", "kind of file", "folder", "forms", "labels", "large", "large unpacked", "bomb",
    }  # fmt: skip
    assert here | ELSEWHERE == REFUSALS.keys()
    assert not here & ELSEWHERE
