"""Files and folders of text, read into corpora; an error is one line that names the file."""

import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import chain
from pathlib import Path

from workbench.text.corpus import Corpus, CorpusBuilder
from workbench.text.errors import InputError, refusal
from workbench.text.incoming import (
    PACKED,
    STANDARD_STREAM,
    decode,
    decode_pieces,
    is_address,
    iterate_bytes,
    path_in,
    read_bytes,
    unpacked_name,
)
from workbench.text.labels import FORMS, LabelledBuilder, form_of
from workbench.text.layout import BLANK_LINE, SAMPLE, Layout, choose_layout, read_words
from workbench.text.lint import Finding, find_look, require_text
from workbench.text.scratch import Memory

ENDS = (".txt", *FORMS)  # of the files that a data set may be made of
_RESERVED = {"dev.txt", "test.txt", "extra.txt"}
_READ = "read"
_BLOCK = 1 << 22  # characters taken at a time: bounds the memory that words take as objects


def read_corpus(
    sources: str | Path | Sequence[str | Path],
    part: str = "train",
    name: str | None = None,
    on_file: Callable[[int, int, int], None] | None = None,
    repair: bool = False,
    sift: Callable[[str, str], str] | None = None,
    memory: Memory | None = None,
    as_recased: bool = False,
) -> Corpus:
    """Read files and folders into one corpus, named after them unless a name is given.

    A file gives all of its text. A folder that is a data set gives one part of it: ``train.txt`` or
    its ``part-*`` files, ``dev.txt`` or ``test.txt``; any other folder all ``.txt`` files in it
    and in its folders, and ``notes`` say how many these are. Every file may be packed by gzip or
    Zstandard. Files of labelled words end in ``.iob`` or ``.tag``, see ``labels``. An address,
    such as https://example.org/news.txt, names a file, and - standard input. What looks like no
    prose in its natural case is said in ``notes``, too, as in ``lint_text``.

    Parameters
    ----------
    part : {"train", "dev", "test"}
    on_file : callable, optional
        Called with (files done, files in all, words so far).
    repair : bool
        Read a chunk label I-X that continues no chunk as B-X, and say so in ``notes``.
    sift : callable, optional
        From the text of a file and its name to the text to be read; not for labelled words. What
        a text looks like is then not said.
    memory : Memory, optional
        Files may have any size, and the corpus is on disk if it is too large for this; not for
        labelled words.
    as_recased : bool
        Read each line as ``recase`` does; the corpus has a ``reading`` then.

    Raises
    ------
    InputError
        If there is no text, or it is not UTF-8, or a sentence is too long, or a line of
        labelled words is wrong, or labelled words are in a file of text.
    """
    sources = [sources] if isinstance(sources, str | Path) else list(sources)
    files, notes = find_files(sources, part)
    form, n_words, looks = _common_form(files), 0, list[tuple[str, Finding]]()
    builder = _builder(form, repair, memory)
    for done, file in enumerate(files):
        if on_file:
            on_file(done, len(files), n_words)
        if isinstance(builder, LabelledBuilder):
            n_words += builder.add(read_text(file), str(file))
        elif sift:
            n_words += add_text(builder, [sift(read_text(file), str(file))], str(file))[0]
        else:
            with closing(iterate_bytes(file, any_size=memory is not None)) as data:
                pieces = decode_pieces(data, str(file))
                n, found = add_text(builder, pieces, str(file), as_recased)
            n_words += n
            looks += [(str(file), look) for look in found]
    corpus = builder.build(name or name_of(sources))
    looks += [] if sift else [(corpus.name, look) for look in find_look(corpus)]
    return replace(corpus, notes=(*corpus.notes, *notes, *describe_looks(looks)))


def describe_looks(looks: Sequence[tuple[str, Finding]]) -> list[str]:
    """Return a line for each look that texts, given by name, have; it names the first text."""
    alike = Counter(found.advice for _, found in looks)
    first = {found.advice: (name, found) for name, found in reversed(looks)}
    others = {advice: f" and {n - 1:,} more files" for advice, n in alike.items() if n > 1}
    return [
        f"{name}{others.get(advice, '')}: {found.n:,} {found.what}: {advice}"
        for advice, (name, found) in reversed(first.items())
    ]


def read_upload(text: str, name: str) -> Corpus:
    """Return the corpus of the text of one file, read as ``read_corpus`` reads a file."""
    builder = _builder(form_of(name))
    if isinstance(builder, LabelledBuilder):
        builder.add(text, name)
    else:
        add_text(builder, [text], name)
    return builder.build(name)


def _builder(form, repair=False, memory=None):
    if not form:
        return CorpusBuilder(memory)
    if memory:
        raise InputError("memory: labelled words are held in memory, whatever that takes")
    return LabelledBuilder(form, repair)


def _common_form(files):
    forms = {form_of(file): file for file in files}
    if len(forms) > 1:
        names = " and ".join(str(file) for file in forms.values())
        raise refusal("forms", names)
    return next(iter(forms))


def name_of(sources: Iterable[str | Path]) -> str:
    """Short name of the sources of a corpus: ``bn-cnn``, ``letters``, ``a+b``."""
    name = "+".join(dict.fromkeys(map(_stem, sources)))
    return name.encode(errors="backslashreplace").decode()  # a file's may be no UTF-8


def _stem(source):
    if source == STANDARD_STREAM:
        return "standard input"
    path = path_in(str(source)) if is_address(source) else Path(source).absolute()
    stem, end = os.path.splitext(unpacked_name(path.name))
    stem += "" if end.lower() in ENDS else end
    is_part = stem in {"train", "dev", "test"} or stem.startswith("part-")
    return path.parent.name if is_part else stem


def add_text(
    builder: CorpusBuilder, pieces: Iterable[str], name: str, as_recased: bool = False
) -> tuple[int, list[Finding]]:
    """Add the words of a text, given in pieces, to a corpus being built.

    Returns how many they are, and what the text looks like if that is no plain text.
    """
    head, pieces = _peek(iter(pieces), SAMPLE)
    layout, n_words = Layout.AUTO if as_recased else choose_layout(head), 0
    looks = require_text(head[:SAMPLE], name)
    for block in split_blocks(chain([head], pieces)):
        for document in [block] if as_recased else BLANK_LINE.split(block):
            try:
                located = read_words(document, layout)
            except InputError as error:
                raise InputError(f"{name}: {error}") from None
            builder.begin_document()
            if as_recased:
                builder.add_reading(document, located.places, located.doubtful)
            builder.add(located.words, located.lengths)
            n_words += len(located.words)
    return n_words, looks


def _peek(pieces, n):
    """Return the first pieces as one, of n characters or more if there are so many; the rest."""
    head = next(pieces, "")
    while len(head) < n and (piece := next(pieces, None)) is not None:
        head += piece
    return head, pieces


def split_blocks(pieces: Iterable[str]) -> Iterator[str]:
    """Yield a text, given in pieces, cut where a paragraph, or at least a line, ends."""
    held, size = [""], 0
    for piece in pieces:
        held.append(piece)
        size += len(piece)
        if size > _BLOCK and (size - len(piece) <= _BLOCK or "\n" in piece):
            text, start = "".join(held), 0
            while len(text) - start > _BLOCK and (cut := _find_cut(text, start)) >= 0:
                yield text[start:cut]
                start = cut
            held, size = [text[start:]], len(text) - start
    yield "".join(held)


def _find_cut(text, start):
    """Return where a block from a start of a text ends; -1 if that is not known yet."""
    cut = text.rfind("\n\n", start, start + _BLOCK)
    return cut if cut > start else text.find("\n", start + _BLOCK)


def find_part(folder: Path, part: str, ends: Sequence[str] = ENDS) -> list[Path]:
    """Return the files of a folder that are named after a part; the first is the one to read."""
    named = (folder / f"{part}{end}{packed}" for end in ends for packed in PACKED)
    return [file for file in named if file.is_file()]


def find_files(
    sources: Iterable[str | Path], part: str
) -> tuple[list[str | Path], list[str]]:  # fmt: skip
    """Return the files of a part of files, addresses and folders, and a line for each folder.

    The line says how many files were found in a folder that is no data set, and what was left out.
    InputError if there are none.
    """
    files, notes = list[str | Path](), list[str]()
    for source in sources:
        if is_address(source):
            files.append(str(source))
        elif not os.path.exists(source):  # false, too, for a name the system refuses
            raise refusal("missing", str(source)[:200])
        elif not os.path.isdir(source):
            files.append(Path(source))
        elif found := _find_in_set(Path(source), part):
            files += found
        else:
            found, note = _find_texts(Path(source), part)
            files += found
            notes.append(note)
    return files, notes


def _find_in_set(folder, part):
    """Return the files of a part of a folder that is a data set."""
    found = find_part(folder, part)[:1]
    return found or (_in_order(folder.glob("part-*"), folder) if part == "train" else [])


def _find_texts(folder, part):
    """Return the texts in a folder and in its folders, in order, and a line that counts them."""
    found = defaultdict(list)
    walk = os.walk(folder, onerror=lambda error: found["unreadable"].append(Path(error.filename)))
    for place, folders, names in walk if part == "train" else ():
        entered = [f for f in folders if f[0] != "." and not os.path.islink(os.path.join(place, f))]
        for path in (Path(place, name) for name in {*folders, *names}.difference(entered)):
            found[_fate(path)].append(path)
        folders[:] = entered
    if not (texts := found.pop(_READ, [])):
        allowed = "train.txt, part-* or other .txt files" if part == "train" else f"{part}.txt"
        allowed += f", {' or '.join(part + end for end in FORMS)}"
        raise refusal("folder", folder, allowed=allowed)
    left_out = [
        f"{len(paths):,} {why} ({min(path.name for path in paths)}{', …' * (len(paths) > 1)})"
        for why, paths in sorted(found.items())
    ]
    said = f"files read: {len(texts):,}; left out: {', '.join(left_out) or 'none'}"
    return _in_order(texts, folder), f"{folder}: {said}"


def _fate(path):
    """Return whether a file of a folder is read, or else what it is."""
    name = unpacked_name(path.name).lower()
    if name.startswith("."):
        return "hidden"
    if not path.is_file():
        return "irregular"
    if not name.endswith(".txt"):
        return "with other ends"
    return "for dev or test" if name in _RESERVED else _READ


def _in_order(files, folder):
    """Sort by name, numbers by size: part-9 comes before part-10."""

    def key(file):
        parts = re.split(r"(\d+)", str(file.relative_to(folder)))
        return [int(s) if s.isdecimal() else s for s in parts]

    return sorted(files, key=key)


def read_text(path: str | Path) -> str:
    """Return the text of a file, plain or packed.

    InputError if it is not UTF-8 text, or more than ``read_bytes`` reads.
    """
    return decode(read_bytes(path), str(path))
