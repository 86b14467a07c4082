"""What the command line shows: progress on standard error, results on standard output."""

import json
import os
import sys
from pathlib import Path

from tqdm import tqdm

from workbench.text.errors import InputError

_UNCOUNTED = "{desc}: {n_fmt}{unit}, {elapsed}{postfix}"  # where nobody knows how many will be


class Progress:
    """A progress bar on a terminal; its methods are the callbacks that the package offers.

    Where standard error is no terminal nothing is shown, so that a log keeps to
    lines that tell something.
    """

    def __init__(self, title, unit="steps"):
        self._bar = tqdm(
            desc=title, unit=f" {unit}", bar_format=_UNCOUNTED,
            file=sys.stderr, disable=None, leave=False,
        )  # fmt: skip

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._bar.close()

    def step(self, step):
        """``on_step`` of a fit."""
        self._bar.set_postfix_str(f"objective {step.objective:,.1f}", refresh=False)
        self._bar.update()

    def tried(self, *strengths_and_wrong):
        """``on_try`` of a search."""
        *strengths, wrong = strengths_and_wrong
        told = ", ".join(f"{strength:g}" for strength in strengths)
        self._bar.set_postfix_str(f"{told}: {wrong:,} errors", refresh=False)
        self._bar.update()

    def counted(self, done, total):
        """``on_point`` of a sweep."""
        self._bar.total, self._bar.bar_format = total, None
        self._bar.update(done - self._bar.n)

    def told(self, name):
        """``on_method`` of a comparison."""
        self._bar.set_postfix_str("", refresh=False)
        self._bar.set_description(name)

    def built(self, done, total, text):
        """``on_step`` of a data set that is being built."""
        self._bar.set_postfix_str(text, refresh=False)
        self.counted(done, total)

    def read(self, done, total, n_words):
        """``on_file`` of a reader."""
        self.built(done, total, f"{n_words:,} words")

    def over(self, items):
        """Yield the items of a list, counting those done."""
        for done, item in enumerate(items):
            self.counted(done, len(items))
            yield item


def say(line):
    """Tell what was done, on standard error."""
    print(line, file=sys.stderr)


def emit(data):
    """Write a result, bytes, to standard output; InputError if it does not take them."""
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except OSError as error:
        # Python would try, fail and complain once more when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise InputError(f"standard output: cannot be written ({error.strerror})") from None


def as_json(value):
    """Return one JSON object as text."""
    return json.dumps(value, allow_nan=False, indent=1)


def print_json(value):
    """Print one JSON object."""
    emit(as_json(value).encode() + b"\n")


def write_lines(path, lines):
    """Write lines of text to a file; InputError if it does not take them."""
    try:
        Path(path).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None


def print_lines(lines):
    """Print lines of text."""
    encoding = sys.stdout.encoding or "utf-8"
    emit("".join(f"{line}\n" for line in lines).encode(encoding, "backslashreplace"))
