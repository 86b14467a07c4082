"""A recaser: the same text comes out the same however it arrives; layouts, spans, bytes."""

import gzip

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import messy_texts, steady

from workbench.recasing import streams
from workbench.recasing.answers import Answerer
from workbench.recasing.recaser import Recaser
from workbench.recasing.streams import ByteReader, cut_blocks, cut_bytes, decode, encode, find_odd
from workbench.text.errors import InputError
from workbench.text.layout import Layout, locate, looks_tokenized, seems_wrapped

lines = st.lists(
    st.one_of(
        messy_texts,
        st.sampled_from(
            ["oil prices fell after the opec meeting .", "apple met in new york, he said.",
             "no. 5 (no. 6) \"why?\" 'yes.' he left", "see http://x.com/A , @you . he said", ""]
        ),
    ),
    max_size=6,
).map("\n".join)  # fmt: skip
layouts = st.sampled_from(list(Layout))


def pieces_of(data, text):
    """The text or bytes cut at random places."""
    cuts = data.draw(st.lists(st.integers(0, len(text)), max_size=8).map(sorted))
    return [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]


# --- the same text the same ---------------------------------------------------------------


@steady
@given(st.data(), lines, layouts)
def test_a_text_comes_out_the_same_however_it_is_cut(background, data, text, layout):
    recaser = Recaser(background, layout=layout)
    whole = recaser.recase(text)
    assert "".join(recaser.stream(pieces_of(data, text))) == whole
    assert whole.lower() == text.lower()


@pytest.mark.slow
@steady
@given(lines)
def test_a_line_comes_out_the_same_alone(background, text):
    recaser = Recaser(background)
    alone = [recaser.recase(line) for line in text.split("\n")]
    assert "\n".join(alone) == recaser.recase(text) == background.recase(text)


@steady
@given(lines)
def test_unbuffered_answers_each_line_and_says_the_same(background, text):
    recaser, asked = Recaser(background), []

    def feed():
        for line in text.splitlines(keepends=True):
            asked.append(line)
            yield line

    answers = []
    for answer in recaser.stream(feed(), unbuffered=True):
        answers.append(answer)
        if answer.endswith("\n"):
            assert len("".join(answers)) == len("".join(asked))
    assert "".join(answers) == recaser.recase(text)


@steady
@given(st.data(), lines, st.binary(max_size=8), st.booleans())
def test_bytes_come_out_the_same_however_they_are_cut(background, data, text, odd, packed):
    given_bytes = text.encode() + odd + text.encode()
    assume(not given_bytes.startswith(b"\x1f\x8b"))  # as .gz does
    recaser, sent = Recaser(background), gzip.compress(given_bytes) if packed else given_bytes
    chunks = ByteReader("text").unpack(chunk for chunk in pieces_of(data, sent) if chunk)
    answerer = Answerer(recaser)
    out = b"".join(a.data for piece in answerer.pieces(chunks) for a in answerer.answer(piece))
    came_out, came_in = (b.decode("utf-8", "replace").casefold() for b in (out, given_bytes))
    assert came_out == came_in
    assert out == encode(recaser.recase(decode(given_bytes)))


@pytest.mark.parametrize("layout", list(Layout))
def test_a_line_of_any_length_is_cut_at_the_same_places(layout, monkeypatch):
    monkeypatch.setattr(streams, "LONGEST_LINE", 50)
    monkeypatch.setattr(streams, "BLOCK", 120)
    text = "he left. " * 30 + "\n\n" + "ab " * 40 + "\n" + "x" * 130 + "\nend"
    wrapped, cut = layout is Layout.WRAPPED, []
    for size in (1, 7, 50, 51, 1000):
        chunks = [text[i : i + size] for i in range(0, len(text), size)]
        for unbuffered in (False, True):
            found = list(cut_blocks(chunks, wrapped, unbuffered))
            assert "".join(found) == text
            assert max(map(len, found)) <= 120 + 50
            ends = set(np.cumsum(list(map(len, found))).tolist())
            if unbuffered:
                cut.append(ends)
    assert all(ends == cut[0] for ends in cut)
    assert 45 in cut[0]  # after a sentence


@steady
@given(st.data(), st.booleans())
def test_bytes_are_cut_where_their_text_is(data, unbuffered):
    line = st.text("ab. é€😀\udcff\u0085", max_size=60).map(encode)
    ends = st.sampled_from([b"\n", b"\r", b"\r\n"])
    parts = data.draw(st.lists(st.tuples(line, ends), max_size=8))
    given_bytes = b"".join(map(b"".join, parts))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(streams, "LONGEST_LINE", 7)
        patch.setattr(streams, "BLOCK", 40)
        chunks = pieces_of(data, given_bytes)
        assume(not unbuffered or not any(chunk.endswith(b"\r") for chunk in chunks))
        pieces = list(cut_bytes(chunks, unbuffered))
        cut = [block for piece in pieces for block in cut_blocks([decode(piece)], unbuffered=True)]
        assert cut == list(cut_blocks([decode(given_bytes)], unbuffered=True))
    assert b"".join(pieces) == given_bytes


# --- layouts ------------------------------------------------------------------------------


@steady
@given(lines.map(lambda text: text.replace("\r", " ")))
def test_each_line_says_itself_whether_it_is_tokenized(text):
    expected, sentences, done = [], [], 0
    for line in text.split("\n"):
        layout = Layout.TOKENIZED if looks_tokenized(line) else Layout.RUNNING
        own = locate(line, layout)
        places = zip(own.words, (own.places + done).tolist(), strict=True)
        expected += [(word, *place) for word, place in places]
        sentences += own.lengths
        done += len(line) + 1
    words, places, lengths, *_ = locate(text, Layout.AUTO)
    assert [(w, a, b) for w, (a, b) in zip(words, places.tolist(), strict=True)] == expected
    assert lengths == sentences


def test_a_wrapped_sentence_goes_on_in_the_next_line(background):
    text = "the fbi met\nin new york\n\nthe opec met"
    assert Recaser(background, layout="wrapped").recase(text).split("\n")[1] == "in New York"
    assert Recaser(background).recase(text).split("\n")[1] == "In New York"


def test_an_unknown_layout_is_refused(background):
    with pytest.raises(InputError, match="layout 'odd': allowed are auto, tokenized, running, wr"):
        Recaser(background, layout="odd")


def test_the_word_after_a_tag_begins_the_sentence(background):
    assert Recaser(background).recase("<p>the fbi met</p>") == "<p>The fbi met</p>"


@pytest.mark.parametrize("end", [".", ""])
def test_lines_of_one_length_are_not_wrapped(end):
    assert not seems_wrapped(f"the federal reserve met in new york today and on monday{end}\n" * 9)


# --- spans --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "span",
    ["http://www.example.com/foo/Bar?x=Y&z=1", "https://t.co/mCyNwpzhmt", "john.smith@ibm.com",
     "@someUser_1", "/usr/local/lib/python3", "&nbsp;", '<a href="foo.html">',
     "www.bbc.co.uk/news", "C:\\temp\\readMe.txt", "&NBSP;", "HREF=\"FOO\"", "John.Smith@Ibm.Com"],
)  # fmt: skip
@pytest.mark.parametrize("layout", list(Layout))
def test_spans_pass_untouched(random_model, span, layout):
    text = f"see {span} for the report, {span}."
    assert Recaser(random_model, layout=layout).recase(text).count(span) == 2


def test_hashtags_are_recased_if_asked_for(random_model):
    text = " ".join(f"#{word}" for word in "apple oil prices new york the fbi met".split())
    assert Recaser(random_model).recase(text) == text
    assert Recaser(random_model, hashtags=True).recase(text) != text


# --- bytes --------------------------------------------------------------------------------


def read(data, strict=False):
    reader = ByteReader("mail.txt", strict)
    for i, line in enumerate(b"".join(reader.unpack([data])).splitlines()):
        reader.count(find_odd(decode(line)), i)
    return reader


def test_odd_bytes_are_counted_with_their_first_line_or_strictly_refused():
    reader = read(b"one\ntwo \xff\x00\n\xfe")
    assert (reader.n_odd, reader.first_line) == (3, 2)
    assert reader.describe() == "3 bytes are no UTF-8 text, the first in line 2"
    with pytest.raises(InputError, match=r"mail.txt: byte 0xff in line 2 is no UTF-8 text"):
        read(b"one\n\xff", strict=True)


def test_a_damaged_gz_is_refused():
    data = bytearray(gzip.compress(b"he left new york .\n" * 99))
    data[20] ^= 0xFF
    with pytest.raises(InputError, match=r"mail.txt: cannot be read"):
        read(bytes(data))
