"""Candidate sets in the event files of TADM, the estimator of Plank & van Noord (2008).

A sentence is a line with the number of its candidates, then a line for each of them:
``<quality> <n> <feature> <value> ...`` with n pairs; features are whole numbers from 0.
"""

import numpy as np

from workbench.features.candidates.packing import Block
from workbench.features.candidates.parsed_numbers import (
    BadLine,
    name_bad_line,
    parse_numbers,
    whole,
)
from workbench.text.errors import InputError

_FORM = "'<quality> <n> <feature> <value> ...' with n pairs of finite numbers is needed"


class TadmReader:
    """Reads the blocks of one file, one after another; keeps what binds them together."""

    first_number = 0  # of features

    def __init__(self, name: str):
        self._name, self._n_lines = name, 0
        self.sentences: dict[int, None] = {}  # their numbers, from 1
        self._missing, self._begins = 0, False  # candidates still to come; whether of a new one

    def read(self, lines: list[bytes]) -> Block:
        """Return the candidates of the next lines of the file; InputError names a bad one."""
        numbered = [
            (number, line)
            for number, line in enumerate(map(bytes.split, lines), self._n_lines + 1)
            if line
        ]
        self._n_lines += len(lines)
        begins = np.array(self._find_begins(numbered), bool)
        candidates = [(number, line) for number, line in numbered if len(line) > 1]
        try:
            block = _parse([line for _, line in candidates])
        except BadLine as error:
            raise name_bad_line(self._name, candidates, _parse, error) from None
        return block._replace(begins=begins)

    def finish(self) -> None:
        """Raise InputError if the file ends before the last sentence does."""
        if self._missing:
            raise InputError(
                f"{self._name}: line {self._n_lines:,}: the file ends; {self._missing} more "
                "candidates of the last sentence are needed"
            )

    def _find_begins(self, numbered):
        """Return of each candidate whether a sentence begins with it."""
        found = []
        for number, line in numbered:
            if (len(line) == 1) == bool(self._missing):
                needed = "a candidate" if self._missing else "the number of a sentence's candidates"
                raise InputError(f"{self._name}: line {number:,}: {needed} is needed")
            if len(line) == 1:
                self._missing, self._begins = self._read_size(number, line[0]), True
                self.sentences[len(self.sentences) + 1] = None
            else:
                found.append(self._begins)
                self._missing, self._begins = self._missing - 1, False
        return found

    def _read_size(self, number, word):
        if not word.isdigit() or not int(word):
            raise InputError(f"{self._name}: line {number:,}: 1 or more candidates are needed")
        return int(word)


def _parse(lines):
    """Return the ``Block`` of the words of some lines."""
    sizes = np.array([len(line) for line in lines], np.int64)
    numbers = parse_numbers(b" ".join(word for line in lines for word in line), sizes.sum(), _FORM)
    firsts = np.cumsum(sizes) - sizes
    lengths = whole(numbers[firsts + 1], 0, "numbers of pairs") if len(lines) else sizes
    if (2 * lengths + 2 != sizes).any():
        raise BadLine(_FORM)
    is_entry = np.ones(len(numbers), bool)
    is_entry[firsts] = is_entry[firsts + 1] = False
    features = whole(numbers[is_entry][::2], 0, "features")
    owner = np.repeat(np.arange(len(lines)), lengths)
    if len(np.unique(owner << 32 | features.astype(np.int64))) < len(features):
        raise BadLine("each feature may stand once")
    values = numbers[is_entry][1::2].astype(np.float32)
    return Block(features, values, lengths, numbers[firsts], np.zeros(0, bool), {})
