"""Line ends: a line feed, a carriage return, or both; each line is one by itself."""

import pytest

from workbench.recasing import streams
from workbench.recasing.answers import Answerer
from workbench.recasing.recaser import Recaser
from workbench.recasing.streams import cut_blocks, cut_bytes, find_odd

# Chunks, the lines in them, and how many lines unbuffered answers before it asks for another chunk.
LINES = [
    (["the fbi met\rin york\r"], ["the fbi met", "in york"], [2]),
    (["the fbi met\r\nin york"], ["the fbi met", "in york"], [2]),
    (["the fbi\r", "met\r\r\n", "x\n"], ["the fbi", "met", "", "x"], [1, 2, 1]),
    (["the fbi\n\r\r", "in", " york\r"], ["the fbi", "", "", "in york"], [3, 0, 1]),
    (["\r"], [""], [1]),
    ([], [], []),
]


@pytest.mark.parametrize(("chunks", "lines", "answered"), LINES)
def test_a_line_ends_with_a_return_a_feed_or_both(background, chunks, lines, answered):
    text, recaser, n_answered = "".join(chunks), Recaser(background), list[int]()

    def feed():
        for chunk in chunks:
            n_answered.append(0)
            yield chunk

    for block in cut_blocks(feed(), unbuffered=True):
        n_answered[-1] += 1
        assert block.rstrip("\r\n") in lines
    assert n_answered == answered
    assert recaser.recase(text).lower() == text
    assert [line.text.lower() for line in recaser.lines(chunks)] == lines
    answerer = Answerer(recaser, n_doubts=9)
    for answer in (each for p in answerer.pieces([text.encode()]) for each in answerer.answer(p)):
        assert answer.tally.n_lines == len(lines) - (text[-1] not in "\r\n")
        assert {doubt.line: doubt.text.strip().lower() for doubt in answer.doubts} == {
            i: line for i, line in enumerate(lines) if line
        }
    assert find_odd(text + "\0").line == len(lines) - (text[-1:] not in "\r\n")


def test_a_line_feed_in_the_next_chunk_is_an_empty_line():
    chunks = ["he left\r", "\nshe"]
    assert list(cut_blocks(chunks, unbuffered=True)) == ["he left\r", "\n", "she"]
    assert list(cut_blocks(chunks)) == ["he left\r\nshe"]
    pieces = list(cut_bytes(map(str.encode, chunks), unbuffered=True))
    assert pieces == [b"he left\r", b"\n", b"she"]


@pytest.mark.parametrize("wrapped", [False, True])
def test_a_text_of_returns_alone_is_cut_after_lines(wrapped, monkeypatch):
    monkeypatch.setattr(streams, "BLOCK", 100)
    text = "he left.\r\r" * 99
    assert {len(block) for block in cut_blocks([text], wrapped)} <= {100, 90}
    assert {len(piece) for piece in cut_bytes([text.encode()])} <= {100, 90}
