"""Files of labelled words, one a line: chunks (``.iob``) and parts of speech (``.tag``).

A blank line ends a sentence. What a model is to predict is a column like any other;
words are kept as written.
"""

from array import array
from dataclasses import dataclass

import numpy as np

from workbench.text.corpus import BOUNDARY, Column, Corpus, check_labels
from workbench.text.errors import InputError


@dataclass(frozen=True)
class Form:
    """What the columns of a file are.

    Attributes
    ----------
    kind : str
        What is labelled.
    columns : tuple of str
        Their names; ``label`` is what is to be predicted, a name that begins with an
        underscore is left out.
    least : int
        Columns that must be there; further ones may.
    is_iob : bool
        Labels are chunks, B-X and I-X, or O.
    """

    kind: str
    columns: tuple
    least: int
    is_iob: bool = False

    @property
    def told(self):
        """How a line is written."""
        names = [name.lstrip("_") for name in self.columns]
        return " ".join([*names[: self.least], *(f"[{name}]" for name in names[self.least :])])


FORMS = {
    ".iob": Form("chunks", ("word", "pos", "label"), 3, is_iob=True),
    ".tag": Form("parts of speech", ("word", "label", "_universal"), 2),
}


def form_of(path):
    """Return the ``Form`` of a file by the end of its name; None where it is text."""
    name = str(path).removesuffix(".gz")
    return next((form for end, form in FORMS.items() if name.endswith(end)), None)


class _Values(dict):
    """Numbers of strings, in the order in which they come, and what has come."""

    def __init__(self, first=()):
        super().__init__((string, number) for number, string in enumerate(first))
        self.ids = array("i")

    def __missing__(self, string):
        self[string] = number = len(self)
        return number

    def column(self):
        return Column(list(self), np.array(self.ids, np.int32))


class LabelledBuilder:
    """Collects the files of one form and packs them into a corpus."""

    def __init__(self, form):
        self._form, self._lengths = form, array("i")
        first = {"label": ()}
        self._values = {
            name: _Values(first.get(name, (BOUNDARY,)))
            for name in form.columns
            if not name.startswith("_")
        }

    def add(self, text, name):
        """Add the lines of a file; returns how many words.

        Raises
        ------
        InputError
            Of the first line that is wrong, by the file's name and its number.
        """
        reader = _Reader(self._form, name)
        values = [self._values.get(column) for column in self._form.columns]
        n_words = 0
        for cells in reader.read(text):
            if cells is None:
                self._lengths.append(reader.length)
                continue
            n_words += 1
            for value, cell in zip(values, cells, strict=False):
                if value is not None:
                    value.ids.append(value[cell])
        return n_words

    def build(self, name):
        """Pack what was added."""
        columns = {key: values.column() for key, values in self._values.items()}
        words, labels = columns.pop("word"), columns.pop("label")
        check_labels(labels.strings, name)
        starts = np.concatenate(([0], np.cumsum(self._lengths, dtype=np.int64)))
        return Corpus(
            name, words.strings, words.ids, labels.ids.astype(np.int8), starts,
            words.strings[1:], words.ids - 1, tuple(labels.strings), columns,
        )  # fmt: skip


class _Reader:
    """Lines of a file, each looked at."""

    def __init__(self, form, name):
        self._form, self._name, self.length = form, name, 0
        self._before, self._width = "O", None

    def read(self, text):
        """Yield the cells of each word, and None where a sentence ends."""
        for number, line in enumerate(text.rstrip().split("\n"), 1):
            cells = line.replace("\t", " ").split(" ")
            if "" in cells:
                cells = [cell for cell in cells if cell]
            if cells:
                self._check(cells, number)
                self.length += 1
                yield cells
            else:
                if not self.length:
                    self._refuse(number, "an empty sentence; one blank line ends a sentence")
                yield None
                self.length, self._before = 0, "O"
        yield None

    def _check(self, cells, number):
        n, form = len(cells), self._form
        if n != self._width:
            self._check_width(n, number)
        if form.is_iob:
            label = cells[form.columns.index("label")]
            if label != self._before:
                self._check_chunk(label, number)
            self._before = label

    def _check_width(self, n, number):
        form = self._form
        if not form.least <= n <= len(form.columns):
            self._refuse(number, f"{n} columns; {form.told} is allowed")
        if self._width is not None:
            self._refuse(number, f"{n} columns, {self._width} before; all lines need as many")
        self._width = n

    def _check_chunk(self, label, number):
        begin, dash, kind = label.partition("-")
        if label != "O" and (begin not in ("B", "I") or not dash or not kind):
            self._refuse(number, f"label {label[:40]}; O, B-X and I-X are allowed")
        if begin == "I" and self._before not in (f"B-{kind}", f"I-{kind}"):
            after = "at the start" if not self.length else f"after {self._before}"
            self._refuse(number, f"{label} {after}; a chunk begins with B-{kind}")

    def _refuse(self, number, what):
        raise InputError(f"{self._name}: line {number:,}: {what}")
