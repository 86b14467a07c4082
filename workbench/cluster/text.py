"""A text in parts on the workers of a cluster; here is only what all of them know.

A part is some pieces of files. A piece begins and ends where the first paragraph, or line, ends
after a share of its file's bytes, so whoever reads one need not ask who reads the next. All parts
together are the words and sentences that ``read_corpus`` reads. Their forms are counted by part and
merged, numbered in the order of the text; each form is looked at once, by the worker that reads it:
its word and its tag go with it.
"""

import hashlib
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np

from workbench.cluster.workers import Parts, Tasks
from workbench.models.mixed_forms import FormCounts, MixedForms
from workbench.text.casing import TAGS, Tag
from workbench.text.corpus import Corpus, CorpusBuilder, check_cased
from workbench.text.errors import InputError, refusal
from workbench.text.incoming import decode, is_address, is_pipe, iterate_bytes
from workbench.text.labels import form_of
from workbench.text.layout import SAMPLE, Layout, choose_layout, read_words
from workbench.text.lint import count_cases, find_look_of, require_text
from workbench.text.readers import describe_looks, find_files, name_of, split_blocks


class DistributedText:
    """The training text of files and folders, each worker of a cluster with a part of its own.

    Parts are in proportion to the workers' threads, and numbered as one text. The files must be
    on every worker at the same path.

    Attributes
    ----------
    parts : Parts
        The ``Corpus`` of each.
    forms : CountedForms
        Of the whole text, also as the result of a task, ``whole``.
    notes : list of str
        As in a ``Corpus``.
    """

    tag_names = TAGS

    def __init__(self, client: Any, sources: Sequence[str]):
        self.tasks, self.name = Tasks(client), name_of(sources)
        threads = client.nthreads()
        pieces = split_text(sources, list(threads.values()))
        self.notes = look_at(sources)
        read = Parts(self.tasks, pieces, list(threads)).map(read_here, self.name)
        lengths = read.map(_n_sentences).collect()
        read = read.keep(lengths)
        if not read.results:
            raise refusal("no words", self.name)
        self.whole = read.map(count_forms).merge(merge_forms)
        self.parts = read.map(number_alike, self.whole)
        (self.forms,) = self.tasks.collect([self.whole])
        look = find_look_of(
            self.forms.forms, self.forms.counts, sum(self.parts.map(count_cases).collect())
        )
        self.notes += describe_looks([(self.name, found) for found in look])
        self._firsts = list(accumulate(filter(None, lengths), initial=0))[:-1]

    def __len__(self) -> int:
        return int(self.forms.counts.sum())

    def require_cased(self) -> "DistributedText":
        """Return the text; InputError if all words are in one case."""
        by_tag = np.bincount(self.forms.tags, self.forms.counts, len(Tag))
        check_cased(self.name, by_tag.astype(int))
        return self

    @property
    def mixed_forms(self) -> MixedForms:
        """The mixed-case forms of its words, as ``count_mixed_forms``."""
        forms, counts = self.forms.forms, self.forms.counts
        mixed = np.flatnonzero(self.forms.tags == Tag.MXC).tolist()
        return MixedForms({forms[i]: FormCounts(int(counts[i])) for i in mixed})

    def count_words(self) -> tuple[list[str], np.ndarray]:
        """Return the vocabulary, and how often each word occurs, int64."""
        words = self.forms.words
        counts = np.bincount(self.forms.word_ids, self.forms.counts, len(words))
        return words, counts.astype(np.int64)

    @cached_property
    def fingerprint(self) -> str:
        """The same digits as a ``Corpus`` of this text has, from its arrays a part at a time."""
        digest = hashlib.sha256("\n".join(self.forms.forms).encode("utf-8", "surrogatepass"))
        for array in ("form_ids", "tags", "starts"):
            n_words = 0
            for part in self.parts.results:
                asked = self.tasks.submit(_read_array, part, array, n_words)
                ((own, n),) = self.tasks.collect([asked])
                digest.update(own)
                n_words += n
        return digest.hexdigest()[:12]

    def over_parts(self, function: Callable, model: Any, given: Any) -> list[Any]:
        """Return ``function(model, part, number of its first sentence, given)`` of each part."""
        held = self.tasks.submit(_keep, model)  # sent once, and again if its worker is gone
        return self.parts.map(_call_with, held, function, given, own=self._firsts).collect()


def _call_with(part, first, model, function, given):
    return function(model, part, first, given)


def _keep(given):
    return given


def _n_sentences(part):
    return part.n_sentences if part else 0


def _read_array(part, name, n_words):
    """Return an array of a part as bytes, as it is in the whole text, and how many words it has."""
    array = getattr(part, name)
    if name == "starts" and n_words:
        array = array[1:] + n_words
    return array.tobytes(), len(part)


# --- pieces of files -------------------------------------------------------------------


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
    edges = [0, *accumulate(map(os.path.getsize, files))]
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
    return os.path.abspath(file)


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


def read_here(pieces: Sequence[Piece], name: str) -> Corpus | None:
    """Return the words of some pieces, as ``read_part``; InputError, too, if a file is not here."""
    from distributed import get_worker

    for path in (piece.path for piece in pieces):
        if not os.path.exists(path):
            raise InputError(
                f"{path}: not there on worker {get_worker().address}; a text must be at the same "
                "path on all workers"
            )
    return read_part(pieces, name)


# --- forms and words -------------------------------------------------------------------


class CountedForms(NamedTuple):
    """The forms of a text in the order in which they first occur, and how often each does.

    Arrays have the shape (forms,); ``words`` are the vocabulary, as in ``Corpus``.
    """

    forms: list[str]
    counts: np.ndarray  # int64
    words: list[str]
    word_ids: np.ndarray  # int32: the place of each form's word
    tags: np.ndarray  # int8


def count_forms(corpus: Corpus) -> CountedForms:
    """Return the ``CountedForms`` of a part."""
    n = len(corpus.forms)
    word_ids, tags = np.zeros(n, np.int32), np.zeros(n, np.int8)
    word_ids[corpus.form_ids], tags[corpus.form_ids] = corpus.word_ids, corpus.tags
    counts = np.bincount(corpus.form_ids, minlength=n)
    return CountedForms(corpus.forms, counts, corpus.words, word_ids, tags)


def merge_forms(first: CountedForms, second: CountedForms) -> CountedForms:
    """Return the counts of two parts of a text, the first of which stands before the second."""
    forms, places = _number(first.forms, second.forms)
    words, word_places = _number(first.words, second.words)
    counts, word_ids = np.zeros(len(forms), np.int64), np.zeros(len(forms), np.int32)
    tags = np.zeros(len(forms), np.int8)
    n = len(first.forms)
    counts[:n], word_ids[:n], tags[:n] = first.counts, first.word_ids, first.tags
    counts[places] += second.counts
    word_ids[places], tags[places] = word_places[second.word_ids], second.tags
    return CountedForms(forms, counts, words, word_ids, tags)


def _number(first: Sequence[str], second: Sequence[str]) -> tuple[list[str], np.ndarray]:
    """Return the strings of two lists, each once, and where those of the second then stand."""
    numbers = {string: i for i, string in enumerate(first)}
    places = [numbers.setdefault(string, len(numbers)) for string in second]
    return list(numbers), np.array(places, np.int32)


def number_alike(corpus: Corpus, text: CountedForms) -> Corpus:
    """Return a part with words and forms numbered as in the whole text."""
    numbers = {form: i for i, form in enumerate(text.forms)}
    form_ids = np.array([numbers[form] for form in corpus.forms], np.int32)[corpus.form_ids]
    return replace(
        corpus, words=text.words, word_ids=text.word_ids[form_ids],
        forms=text.forms, form_ids=form_ids,
    )  # fmt: skip
