"""Targets that read text: words, case, recasing, files of any kind."""

import gzip
import io
from functools import cache

import numpy as np
from hypothesis import strategies as st
from strategies import messy_texts, words
from tiny_data import ADAPTATION, BACKGROUND

from fuzz.target import Target, refusal
from workbench.models.crf import CRF
from workbench.models.memm import MEMM
from workbench.models.unigram import Unigram
from workbench.recasing.recaser import Recaser
from workbench.recasing.spans import find_spans
from workbench.recasing.streams import ByteReader, cut_bytes, decode_chunks, encode
from workbench.text.casing import Tag, recase_word, tag_of, wipe_case
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError
from workbench.text.incoming import decode, read_stream
from workbench.text.labels import labelled_lines
from workbench.text.layout import Layout, locate
from workbench.text.lint import drop_faults, lint_text
from workbench.text.readers import read_upload
from workbench.text.tasks import TaskName

# Long runs of what rules look for, too: a rule that looks back at every character takes hours.
long_texts = st.tuples(messy_texts, st.integers(1, 300)).map(lambda drawn: drawn[0] * drawn[1])
layouts = st.lists(messy_texts, max_size=6).flatmap(
    lambda lines: st.sampled_from(["\n", "\n\n", "\r\n", " ", "\u2028"]).map(
        lambda end: end.join(lines)
    )
)
any_texts = messy_texts | layouts | long_texts

# --- words --------------------------------------------------------------------------------


def check_words(text: str) -> None:
    """Words are where their spans say, in order, white space lies between them, case is nothing."""
    for layout in Layout:
        own, low = locate(text, layout), locate(wipe_case(text), layout)
        edges = np.concatenate([[0], own.places.ravel(), [len(text)]])
        assert (np.diff(edges) >= 0).all()
        assert [own.view.text[a:b] for a, b in own.in_view.tolist()] == own.words
        assert "".join(own.words) == "".join(own.view.text.split())
        assert sum(own.lengths) == len(own.words)
        assert min(own.lengths, default=1) > 0
        assert (low.places.tolist(), low.lengths) == (own.places.tolist(), own.lengths)


# --- case ---------------------------------------------------------------------------------


def check_case(drawn: tuple[str, str]) -> None:
    """Wiping is done once; nothing moves, and no tag changes anything but case."""
    text, word = drawn
    low = wipe_case(text)
    assert (len(low), wipe_case(low)) == (len(text), low)
    assert recase_word(wipe_case(word), tag_of(word), word) == word
    for tag in Tag:
        form = recase_word(wipe_case(word), tag)
        assert (len(form), form.casefold()) == (len(word), word.casefold())


# --- recasing -----------------------------------------------------------------------------


@cache
def models():
    """Return a 1-gram, an MEMM and a CRF of a few sentences."""
    lines = (BACKGROUND + "\n" + ADAPTATION + "\nthe iPhone of McDonald on eBay").split("\n")
    corpus = Corpus.from_sentences([line.split() for line in lines if line.strip()])
    return Unigram.fit(corpus), MEMM.fit(corpus, cutoff=0), CRF.fit(corpus, cutoff=0)


def check_recasing(drawn: tuple[str, Layout, int]) -> None:
    """Nothing but the case of letters changes, nothing at all in what passes untouched.

    It does not matter where the text is cut, nor, but for wrapped lines, what stands around one.
    """
    text, layout, size = drawn
    for model in models():
        recaser = Recaser(model, layout=layout)
        recased = recaser.recase(text)
        assert len(recased) == len(text)
        assert recased.casefold() == text.casefold()
        for span in find_spans(text):
            assert recased[span.start : span.end] == text[span.start : span.end]
        chunks = (text[i : i + size] for i in range(0, len(text), size))
        assert "".join(recaser.stream(chunks)) == recased
        if layout is not Layout.WRAPPED:
            lines = text.split("\n")
            assert "\n".join(map(recaser.recase, lines)) == recased


# --- streams ------------------------------------------------------------------------------

_odd = st.lists(messy_texts.map(str.encode) | st.binary(max_size=6), max_size=6).map(b"".join)
streams = st.tuples(
    _odd, st.integers(1, 400), st.booleans(), st.integers(1, 70), st.binary(max_size=4)
)


def check_stream(drawn: tuple[bytes, int, bool, int, bytes]) -> None:
    """Bytes of any kind come out as they went in, packed or not, cut anywhere."""
    data, times, packed, size, rest = drawn
    data *= times
    given = gzip.compress(data, mtime=0) + rest if packed else data
    chunks = (given[i : i + size] for i in range(0, len(given), size))
    try:
        pieces = cut_bytes(ByteReader("stream").unpack(chunks))
        out = encode("".join(decode_chunks(pieces)))
    except InputError as error:
        refusal(error)
        assert given.startswith(b"\x1f\x8b")
        assert rest.strip(b"\0") or not packed
        return
    assert out == data or rest.startswith(b"\x1f") or data.startswith(b"\x1f\x8b")


# --- files --------------------------------------------------------------------------------

_labels = st.sampled_from(["NN", "B-NP", "I-NP", "O", "B-", "I-VP", "E-NP", "S-X", "L-NP", "U-NP"])
_columns = st.lists(words | _labels, max_size=4).map(" ".join)
_lines = st.lists(_columns | st.just(""), max_size=12).map("\n".join)
_plain = st.one_of(
    st.binary(max_size=60),
    (any_texts | _lines).flatmap(
        lambda text: st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "latin-1", "utf-32"]).map(
            lambda encoding: text.encode(encoding, "replace")
        )
    ),
)
_packed = st.tuples(_plain, st.binary(max_size=8), st.integers(0, 60)).map(
    lambda drawn: (gzip.compress(drawn[0], mtime=0) + drawn[1])[drawn[2] :]
)
_whole = _plain.map(lambda data: gzip.compress(data, mtime=0))
files = st.tuples(_plain | _whole | _packed, st.sampled_from(["a.txt", "a.iob", "a.tag"]))


def check_file(drawn: tuple[bytes, str]) -> None:
    """A file of any bytes is read or refused in a line; labels that were read can be written."""
    data, name = drawn
    try:
        unpacked = read_stream(io.BytesIO(data))
    except (InputError, EOFError, OSError, ValueError):
        return
    except Exception as error:
        if type(error).__module__ == "zlib":
            return
        raise
    try:
        corpus = read_upload(decode(unpacked, name), name)
    except InputError as error:
        refusal(error)
        return
    if corpus.task is TaskName.CASE:
        _check_lint(decode(unpacked, name))
    else:
        again = read_upload(labelled_lines(corpus), name)
        assert labelled_lines(again) == labelled_lines(corpus)


def _check_lint(text):
    left, found = drop_faults(text)
    lint_text(text)
    assert set(left.split()) <= set(text.split())
    assert len(left) <= len(text) + 1
    assert all(finding.n > 0 for finding in found)


TARGETS = {
    "words": Target(any_texts, check_words, 250),
    "case": Target(st.tuples(any_texts, words), check_case, 300),
    "recasing": Target(
        st.tuples(any_texts, st.sampled_from(Layout), st.integers(1, 50)), check_recasing, 80
    ),
    "streams": Target(streams, check_stream, 200),
    "readers": Target(files, check_file, 300),
}
