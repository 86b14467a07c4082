"""Files and folders of candidate sets, read a block at a time; an error names file and line."""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from workbench.candidates.forms import SvmlightReader, TadmReader
from workbench.candidates.joins import ENDS
from workbench.candidates.packing import join_sets, pack_blocks
from workbench.candidates.sets import CandidateSets
from workbench.text.errors import InputError
from workbench.text.incoming import PACKED, iterate_bytes, unpacked_name
from workbench.text.readers import name_of, read_text
from workbench.text.sets.splits import PARTS

# By the end of a name.
READERS: dict[str, Any] = dict(zip(ENDS, (SvmlightReader, TadmReader), strict=True))
FEATURES = "features.txt"  # names of the features of the files beside it
SENTENCES = ".sentences.txt"  # after the name of a part: where its sentences come from
_BLOCK = 1 << 22  # bytes read at a time: bounds the memory that lines take


def is_candidate_source(source: str | Path) -> bool:
    """Return whether a path is a file of candidate sets, or a folder with a part of such."""
    if os.path.isdir(source):  # false, too, for a name that the system refuses
        return any(_find_in(Path(source), part) for part in PARTS)
    return _reader_of(Path(source)) is not None


def read_candidates(
    sources: str | Path | Sequence[str | Path], part: str = "train", name: str | None = None,
    on_file: Callable[[int, int, int], None] | None = None,
) -> CandidateSets:  # fmt: skip
    """Return the candidate sets of files and folders, named after them unless a name is given.

    Parameters
    ----------
    sources : path or sequence of path
        A file ends in ``.svm`` or ``.events``, and may be packed by gzip or Zstandard; a folder
        gives its file that is named after the part. Names of features are read from
        ``features.txt``, there or one folder up, packed or not; without it numbers are their
        names. Documents and words of sentences are read from ``train.sentences.txt`` beside
        ``train.svm``, and so on,
        if it is there.
    part : {"train", "dev", "test"}
    on_file : callable, optional
        Called with (files done, files in all, candidates so far).

    Raises
    ------
    InputError
        If there is no such file, or a line of it is wrong.
    """
    sources = [sources] if isinstance(sources, str | Path) else list(sources)
    files = [_find_file(Path(source), part) for source in sources]
    sets: list[CandidateSets] = []
    for done, file in enumerate(files):
        if on_file:
            on_file(done, len(files), sum(map(len, sets)))
        sets.append(_read_file(file))
    return join_sets(name or name_of(sources), sets)


def read_all_parts(folder: str | Path) -> CandidateSets:
    """Return all parts of a folder as one; of a file, what it holds. InputError as above."""
    parts = [part for part in PARTS if os.path.isdir(folder) and _find_in(Path(folder), part)]
    sets = [read_candidates(folder, part) for part in parts or PARTS[:1]]
    return join_sets(name_of([folder]), sets)


def _reader_of(path):
    plain = unpacked_name(path.name)
    return next((reader for end, reader in READERS.items() if plain.endswith(end)), None)


def _find_in(folder, part):
    """Return the file of a part in a folder, None if it has none."""
    named = (folder / f"{part}{end}{packed}" for end in READERS for packed in PACKED)
    return next((file for file in named if file.is_file()), None)


def _find_file(source, part):
    if not os.path.exists(source):
        raise InputError(f"{str(source)[:200]}: no such file or folder")
    if not source.is_dir():
        if _reader_of(source):
            return source
        raise InputError(f"{source}: no candidate sets; names of such files end in .svm or .events")
    if found := _find_in(source, part):
        return found
    allowed = " or ".join(part + end for end in READERS)
    raise InputError(f"{source}: a folder without {allowed} (.gz and .zst too)")


def _read_file(file):
    stem = unpacked_name(file.name).rpartition(".")[0]
    homes = file.parent, file.parent.parent
    beside = Beside(
        _read_first(home / f"{FEATURES}{end}" for home in homes for end in PACKED),
        _read_first(file.with_name(f"{stem}{SENTENCES}{end}") for end in PACKED),
    )
    return replace(read_pieces(iterate_bytes(file), str(file), beside), name=file.name)


def _read_first(places):
    """Return the first of some paths that is a file; None if none is."""
    place = next((place for place in places if place.is_file()), None)
    return None if place is None else Named(str(place), read_text(place))


class Named(NamedTuple):
    """The text of a file, and its name for errors."""

    name: str
    text: str


class Beside(NamedTuple):
    """The files beside one of candidate sets, None where they are not there."""

    features: Named | None = None  # names: number, tab, class=name
    sentences: Named | None = None  # qid, tab, document, tab, words


def read_pieces(pieces: Iterator[bytes], name: str, beside: Beside) -> CandidateSets:
    """Return the candidate sets in the bytes of one file, whose name says their form.

    InputError, which names the file, if a line of it or of those beside it is wrong.
    """
    reader, blocks = _reader_of(Path(name))(name), []
    for lines in _blocks_of_lines(pieces):
        blocks.append(reader.read(lines))
    reader.finish()
    names = beside.features and _read_names(beside.features, reader.first_number)
    sets = pack_blocks(name, blocks, names, name)
    if beside.sentences is None:
        return sets
    documents, sentences = _read_sentences(beside.sentences, name, reader.sentences)
    return replace(sets, documents=documents, sentences=sentences)


def _blocks_of_lines(pieces: Iterator[bytes]) -> Iterator[list[bytes]]:
    """Yield whole lines of a stream of bytes, some megabytes at a time."""
    held: list[bytes] = []
    for piece in pieces:
        held.append(piece)
        if sum(map(len, held)) >= _BLOCK and b"\n" in piece:
            whole, _, rest = b"".join(held).rpartition(b"\n")
            held = [rest]
            yield whole.split(b"\n")
    if any(held):
        yield b"".join(held).split(b"\n")


def _read_sentences(file, of, sentences):
    """Return document and words of each sentence, by its number; () of words that are not there.

    ``of`` is the name of the file of candidates.
    """
    found = {}
    for line, text in enumerate(file.text.removesuffix("\n").split("\n"), 1):
        number, *rest = text.split("\t")
        if not (number.isdecimal() and rest and rest[0]):
            raise InputError(f"{file.name}: line {line:,}: '<sentence><tab><document>' is needed")
        found[int(number)] = rest
    if missing := [number for number in sentences if number not in found]:
        raise InputError(f"{file.name}: no document of sentence {missing[0]}, which {of} has")
    own = [found[number] for number in sentences]
    has_words = all(len(rest) > 1 for rest in own)
    return tuple(rest[0] for rest in own), tuple(rest[1] for rest in own) if has_words else ()


def _read_names(file, first_number):
    """Return names of features by number."""
    names: dict[int, str] = {}
    for line, text in enumerate(file.text.removesuffix("\n").split("\n"), 1):
        number, tab, name = text.partition("\t")
        if not (tab and name and number.isdecimal() and int(number) >= first_number):
            raise InputError(f"{file.name}: line {line:,}: '<number><tab><name>' is needed")
        names[int(number)] = name
    if len(set(names.values())) < line:
        raise InputError(f"{file.name}: a number or a name twice; each is needed once")
    return names
