"""Parts of a text, cut where a paragraph ends: each is read where it is learnt, none elsewhere.

A part is some pieces of files. A piece begins and ends where the first paragraph, or line, ends
after a share of its file's bytes, so whoever reads one need not ask who reads the next. All parts
together are the words and sentences that ``read_corpus`` reads.
"""

import os
import re
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from workbench.text.corpus import Corpus, CorpusBuilder
from workbench.text.errors import InputError
from workbench.text.incoming import decode, is_address, is_pipe, iterate_bytes
from workbench.text.labels import form_of
from workbench.text.layout import SAMPLE, Layout, choose_layout, read_words
from workbench.text.lint import require_text
from workbench.text.readers import describe_looks, find_files, split_blocks

_HEAD = 1 << 19  # bytes that decide on a file's layout: more than 100,000 characters
_MOST = 1 << 24  # bytes decoded at a time
_PACKED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd")  # first bytes of gzip and Zstandard
_GAPS = {True: re.compile(rb"\n[ \t\r]*\n"), False: re.compile(rb"\n")}  # by whether it is wrapped


class Piece(NamedTuple):
    """What lies between two shares, from 0 to 1, of the unpacked bytes of a file."""

    path: str
    start: float
    stop: float


def split_text(sources: Sequence[str], shares: Sequence[float]) -> list[list[Piece]]:
    """Return the training text of files and folders as parts, in order, in proportion to shares.

    InputError if there is no text, or it cannot be read in parts: a pipe, or labelled words.
    """
    files = [_check(str(file)) for file in find_files(sources, "train")[0]]
    edges = [0, *accumulate(map(_size, files))]
    ends = [edges[-1] * done / sum(shares) for done in accumulate(shares)]
    return [_cut(files, edges, *ends_of) for ends_of in pairwise([0, *ends])]


def look_at(sources: Sequence[str]) -> list[str]:
    """Return the notes of ``read_corpus`` on files and folders; InputError if one is no text."""
    files, notes = find_files(sources, "train")
    heads = ((str(file), _head(file)[:SAMPLE]) for file in files)
    return notes + describe_looks(
        [(f, look) for f, head in heads for look in require_text(head, f)]
    )


def _check(file):
    if is_address(file):
        raise InputError(f"{file}: a cluster reads files, which each worker has at the same path")
    if is_pipe(file):
        raise InputError(f"{file}: a pipe is read once, by one process; a cluster needs a file")
    if form_of(file):
        raise InputError(f"{file}: labelled words are not shared out; train without --cluster")
    return file if is_address(file) else os.path.abspath(file)


def _size(file):
    """Return the size of a file as it is stored, 1 for one at an address."""
    return 1 if is_address(file) else os.path.getsize(file)


def _cut(files, edges, start, stop):
    """Return the pieces between two places of all files, one after another, in bytes."""
    return [
        Piece(file, max(0.0, (start - a) / (b - a)), min(1.0, (stop - a) / (b - a)))
        for file, (a, b) in zip(files, pairwise(edges), strict=True)
        if a < stop and start < b
    ]


def read_part(pieces: Sequence[Piece], name: str) -> Corpus | None:
    """Return the words of some pieces, numbered by themselves; None if there are none.

    InputError as in ``read_corpus``.
    """
    builder, n_words = CorpusBuilder(), 0
    for piece in pieces:
        layout = choose_layout(_head(piece.path))
        for data in _read_paragraphs(piece, _GAPS[layout is Layout.WRAPPED]):
            for block in split_blocks([decode(data, piece.path)]):
                try:
                    words, _, lengths, *_ = read_words(block, layout)
                except InputError as error:
                    raise InputError(f"{piece.path}: {error}") from None
                builder.add(words, lengths)
                n_words += len(words)
    return builder.build(name) if n_words else None


def _head(path):
    """Return the text that a file begins with."""
    head = b""
    for data in iterate_bytes(path):
        head += data
        if len(head) > _HEAD:
            break
    # A character cut in two at the end of what was read is no fault of the text.
    return decode(head, path) if len(head) <= _HEAD else head.decode("utf-8-sig", "replace")


def _read_paragraphs(piece: Piece, gap: re.Pattern) -> Iterator[bytes]:
    """Yield the bytes of a piece, whole paragraphs each time."""
    start, stop = _find_bounds(piece, gap)
    held = b""
    for data in _bytes_from(piece.path, start):
        held += data if stop is None else data[: stop - start - len(held)]
        if len(held) > _MOST and (end := _last_end(gap, held)):
            yield from _unless_blank(held[:end])
            start, held = start + end, held[end:]
        if stop is not None and start + len(held) >= stop:
            break
    yield from _unless_blank(held)


def _find_bounds(piece, gap):
    """Return where a piece starts and stops, in bytes of its file; None for the file's end."""
    if (piece.start, piece.stop) == (0, 1):
        return 0, None
    size = _unpacked_size(piece.path)
    return [_next_end(piece.path, int(share * size), size, gap) for share in piece[1:]]


def _next_end(path, place, size, gap):
    """Return where the first gap at a place of a file, or after it, ends; 0 and the size stay."""
    if place in (0, size):
        return place
    held = b""
    for data in _bytes_from(path, place):
        held += data
        if found := gap.search(held):
            return place + found.end()
    return size


def _last_end(gap, data):
    """Return where the last gap of some bytes ends, 0 if there is none; the last MB will do."""
    tail = max(0, len(data) - (1 << 20))
    return max((tail + found.end() for found in gap.finditer(data[tail:])), default=0)


def _unless_blank(data):
    if data and not data.isspace():
        yield data


def _is_read_in_order(path):
    """Return whether the bytes of a file can be had from its beginning alone."""
    if is_address(path):
        return True
    with open(path, "rb") as file:
        return file.read(4).startswith(_PACKED)


def _unpacked_size(path):
    return sum(map(len, iterate_bytes(path))) if _is_read_in_order(path) else os.path.getsize(path)


def _bytes_from(path, first):
    """Yield the unpacked bytes of a file from a place on."""
    if _is_read_in_order(path):
        for data in iterate_bytes(path):
            if len(data) > first:
                yield data[first:]
            first = max(0, first - len(data))
    else:
        with open(path, "rb") as file:
            file.seek(first)
            yield from iter(lambda: file.read(1 << 20), b"")
