"""Files of labelled words, one a line: chunks (``.iob``) and parts of speech (``.tag``).

A blank line ends a sentence. Lines of structure, as -DOCSTART- or the comments of CoNLL-U, are
left out. What a model is to predict is a column like any other; words are kept as written. Chunk
labels come in four schemes and are brought into the first. Three words of a chunk, and one that is
the next chunk of the same type:

    IOB2   B-X I-X I-X B-X   every chunk begins with B-
    IOB1   I-X I-X I-X B-X   B- only where two chunks of a type touch
    IOBES  B-X I-X E-X S-X   E- ends a chunk, S- is a whole one; in BILOU L- and U-

A file is of one scheme, found from its labels alone: IOBES if a label begins with E- or S-,
else BILOU with L- or U-. Of the others, a file is IOB1 if some chunk begins with I- and no B-
stands elsewhere than directly after a chunk of its type; else it is IOB2.

Source
------
Ramshaw & Marcus (1995) for IOB1; Ratnaparkhi (1998) for IOB2; Tjong Kim Sang & Buchholz
(2000), whose conlleval reads an I-X that continues no chunk as the beginning of one.
"""

import re
from array import array
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path

import numpy as np

from workbench.text.corpus import BOUNDARY, Column, Corpus, check_labels
from workbench.text.errors import refusal
from workbench.text.incoming import unpacked_name
from workbench.text.layout import MAX_SENTENCE
from workbench.text.tasks import TaskName

_LETTERS = {"IOB2": "BI", "IOB1": "BI", "IOBES": "BIES", "BILOU": "BILU"}


def _find_scheme(pairs):
    """Return the scheme of a file whose labels are given as pairs: label before, label.

    The label before is "O" at the start of a sentence.
    """
    letters = {label[0] for _, label in pairs if label[1:2] == "-"}
    for scheme, own in (("IOBES", "ES"), ("BILOU", "LU")):
        if not letters.isdisjoint(own):
            return scheme
    is_iob1 = any(_is_stray(*pair) for pair in pairs) and all(
        _is_of_type(before, label) for before, label in pairs if label.startswith("B-")
    )
    return "IOB1" if is_iob1 else "IOB2"


def _is_of_type(before, label):
    return before != "O" and before[2:] == label[2:]


def _is_stray(before, label):
    """Whether a label continues a chunk (I-, E-, L-) where none of its type is open."""
    return label[0] in "IEL" and not (before[0] in "BI" and _is_of_type(before, label))


def to_iob2(
    labels: Sequence[str],
    is_first: Sequence[bool],
    refuse: Callable[..., None],
    repair: bool = False,
) -> tuple[list[str], int]:
    """Return the labels of all words of a file in IOB2, and how many of them were repaired.

    Parameters
    ----------
    is_first : sequence of bool
        Whether a word begins a sentence.
    refuse : callable
        Called with the place of the first wrong label, and with what is wrong with it and the
        facts, as ``refusal`` takes them; it raises.
    repair : bool
        Read an I-X (E-X, L-X) that continues no chunk as the beginning of one, as conlleval
        does; otherwise it is refused, in any scheme but IOB1, where it is right.
    """
    before = ["O" if first else b for b, first in zip(["O", *labels], is_first, strict=False)]
    pairs = list(zip(before, labels, strict=True))
    counts = Counter(pairs)
    scheme = _find_scheme(counts)
    strays = {pair for pair in counts if _is_stray(*pair)} if scheme != "IOB1" else set()
    wrong = {pair for pair in counts if not _is_label(pair[1], scheme)}
    refused = wrong if repair else wrong | strays
    if refused:
        place = next(i for i, pair in enumerate(pairs) if pair in refused)
        last, label = pairs[place]
        if pairs[place] in wrong:
            *others, end = (f"{letter}-X" for letter in _LETTERS[scheme])
            refuse(place, "label", label=label[:40], allowed=f"O, {', '.join(others)} and {end}")
        after = "at the start" if is_first[place] else f"after {last}"
        refuse(place, "stray label", label=label, after=after, kind=label[2:])
    converted = {pair: _convert(*pair) for pair in counts}
    return list(map(converted.__getitem__, pairs)), sum(counts[pair] for pair in strays)


def _is_label(label, scheme):
    return label == "O" or (label[:1] in [*_LETTERS[scheme]] and label[1:2] == "-" and label[2:])


def _convert(before, label):
    if label == "O":
        return label
    begins = label[0] in "BSU" or _is_stray(before, label)
    return f"{'B' if begins else 'I'}-{label[2:]}"


@dataclass(frozen=True)
class Form:
    """What the columns of a file are."""

    task: TaskName  # what is labelled
    columns: tuple[str, ...]  # "label" is to be predicted; one that begins with _ is left out
    least: int  # columns that must be there; further ones may

    @property
    def line_format(self) -> str:
        """How a line is written, optional columns in brackets."""
        names = [name.lstrip("_") for name in self.columns]
        return " ".join([*names[: self.least], *(f"[{name}]" for name in names[self.least :])])


FORMS = {
    ".iob": Form(TaskName.CHUNKS, ("word", "pos", "label"), 3),
    ".tag": Form(TaskName.TAGS, ("word", "label", "_universal"), 2),
}

# Lines that are no words: -DOCSTART- -X- O, # newdoc, # text = …, <s>, </doc>.
STRUCTURE = re.compile(r"-DOCSTART-|#\s+(?:(?:newdoc|newpar|id)\b|[\w.:-]+\s+=)|</?\w[^<>]*>\s*$")


def form_of(path: str | Path) -> Form | None:
    """Return the ``Form`` of a file by the end of its name; None where it is text."""
    name = unpacked_name(str(path)).lower()
    return next((form for end, form in FORMS.items() if name.endswith(end)), None)


def labelled_lines(corpus: Corpus) -> str:
    """Return a corpus of labels as its files have it: one word a line, then a blank line.

    What ``LabelledBuilder`` reads from it is the same corpus; columns that a file may lack are
    left out where the corpus lacks them.
    """
    form = next(form for form in FORMS.values() if form.task is corpus.task)
    columns = {
        "word": _strings(Column(corpus.forms, corpus.form_ids)),
        "label": _strings(Column(list(corpus.tag_names), corpus.tags)),
    } | {name: _strings(column) for name, column in corpus.columns.items()}  # fmt: skip
    rows = zip(*(columns[name] for name in form.columns if name in columns), strict=True)
    lines = list(map(" ".join, rows))
    spans = pairwise(corpus.starts.tolist())
    return "".join("\n".join(lines[a:b]) + "\n\n" for a, b in spans)


def _strings(column):
    return [column.strings[i] for i in column.ids.tolist()]


class _Values(dict):
    """Numbers of strings, in the order of their first appearance, and those of all words."""

    def __init__(self, first: tuple = ()):
        super().__init__((string, number) for number, string in enumerate(first))
        self.ids = array("i")

    def __missing__(self, string):
        self[string] = number = len(self)
        return number


class LabelledBuilder:
    """Collects the files of one form and packs them into a corpus; ``repair`` as in ``to_iob2``."""

    def __init__(self, form: Form, repair: bool = False):
        self._form, self._repair = form, repair
        self._lengths = array("i")
        self._notes: list[str] = []
        self._values = {
            name: _Values(() if name == "label" else (BOUNDARY,))
            for name in form.columns
            if not name.startswith("_")
        }

    def add(self, text: str, name: str) -> int:
        """Add the lines of a file; returns how many words.

        An InputError gives the number of the first line that is wrong, after the file's name.
        """
        numbers, cells, lengths = _read_cells(text, self._form, name)
        if not numbers:
            raise refusal("no labelled words", name)
        if max(lengths) > MAX_SENTENCE:
            raise refusal("long labelled sentence", name, n=max(lengths), most=MAX_SENTENCE)
        n_columns = len(cells) // len(numbers)
        for i, column in enumerate(self._form.columns[:n_columns]):
            strings = cells[i::n_columns]
            if column == "label" and self._form.task is TaskName.CHUNKS:
                strings = self._to_iob2(strings, numbers, lengths, name)
            if (values := self._values.get(column)) is not None:
                values.ids.extend(map(values.__getitem__, strings))
        self._lengths.extend(lengths)
        return len(numbers)

    def _to_iob2(self, labels, numbers, lengths, name):
        """Labels of chunks in IOB2; what is repaired is noted."""

        def refuse(place, what, **facts):
            raise refusal(what, name, line=numbers[place], **facts)

        is_first = np.zeros(len(labels), bool)
        is_first[[0, *accumulate(lengths[:-1])]] = True
        labels, n_repaired = to_iob2(labels, is_first.tolist(), refuse, self._repair)
        if n_repaired:
            self._notes.append(f"{name}: chunks without a beginning, repaired: {n_repaired:,}")
        return labels

    def build(self, name: str) -> Corpus:
        """Pack the files added so far."""
        columns = {
            key: Column(list(values), np.array(values.ids, np.int32))
            for key, values in self._values.items()
        }
        words, labels = columns.pop("word"), columns.pop("label")
        check_labels(labels.strings, name)
        starts = np.concatenate(([0], np.cumsum(self._lengths, dtype=np.int64)))
        return Corpus(
            name, words.strings, words.ids, labels.ids.astype(np.int8), starts,
            words.strings[1:], words.ids - 1, tuple(labels.strings), columns, tuple(self._notes),
        )  # fmt: skip


def _read_cells(text, form, name):
    """Return the line number of each word, the cells of all words, and the sentences' lengths."""
    numbers, table, lengths, width, length = array("i"), [], array("i"), None, 0
    is_apart = False  # whether a line of structure has ended the sentence before
    for number, line in enumerate([*text.rstrip().split("\n"), ""], 1):
        cells = line.replace("\t", " ").split(" ")  # no other space: words may hold those
        if line[:1] in "-#<" and STRUCTURE.match(line):
            cells, is_apart = [], True
        elif "" in cells:
            cells = [cell for cell in cells if cell]
        if cells:
            n = len(cells)
            if not form.least <= n <= len(form.columns):
                allowed = form.line_format
                raise refusal("columns", name, line=number, n=n, allowed=allowed)
            if width not in (None, n):
                raise refusal("other columns", name, line=number, n=n, before=width)
            width = n
            table += cells
            numbers.append(number)
            length, is_apart = length + 1, False
        elif length:
            lengths.append(length)
            length = 0
        elif not is_apart:
            raise refusal("empty sentence", name, line=number)
    return numbers, table, lengths
