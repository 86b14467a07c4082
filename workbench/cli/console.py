"""Progress on standard error, results on standard output or in a file."""

import json
import os
import select
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Self, TextIO, TypeVar

from workbench.learning.solvers.fit import Step
from workbench.learning.solvers.time_left import TimeLeftEstimator, describe_progress
from workbench.models.files import write_atomically
from workbench.text.errors import InputError, hide_passwords
from workbench.text.incoming import STANDARD_STREAM
from workbench.text.unfinished import find_target

_T = TypeVar("_T")
_UNCOUNTED = "{desc}: {n_fmt}{unit}, {elapsed}{postfix}"  # where the total is not known


class Progress:
    """A progress bar on a terminal; its methods are the callbacks that the package calls.

    Where standard error is no terminal nothing is shown: a log has no use for a bar.
    """

    def __init__(self, title: str, unit: str = "steps") -> None:
        from tqdm import tqdm  # not needed by all commands, and slow to import

        self._estimator = TimeLeftEstimator()
        self._bar = tqdm(
            desc=title, unit=f" {unit}", bar_format=_UNCOUNTED,
            file=sys.stderr, disable=None, leave=False,
        )  # fmt: skip

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()

    def step(self, step: Step) -> None:
        """Show a step of a fit; its ``on_step``."""
        said = describe_progress(step.iteration, self._estimator.add(step))
        self._bar.set_postfix_str(f"{said}, objective {step.objective:,.1f}", refresh=False)
        self._bar.update()

    def fitting(self, step: Step) -> None:
        """Show a step of the current fit; its ``on_step``. The bar moves when the fit ends."""
        self._bar.set_postfix_str(f"step {step.iteration}")

    def tried(self, *strengths_and_wrong: float) -> None:
        """Show an attempt of a search, strengths then errors; its ``on_try``."""
        *strengths, wrong = strengths_and_wrong
        shown = ", ".join(f"{strength:g}" for strength in strengths)
        self._bar.set_postfix_str(f"{shown}: {wrong:,} errors", refresh=False)
        self._bar.update()

    def trying(self, values: Mapping[str, float]) -> None:
        """Count an attempt of a search by gradient; its ``on_try``."""
        self._bar.update()

    def counted(self, done: int, total: int) -> None:
        """Show how many of all are done; the ``on_point`` of a sweep."""
        self._bar.total, self._bar.bar_format = total, None
        self._bar.update(done - self._bar.n)

    def began(self, name: str) -> None:
        """Show what is being done; the ``on_method`` of a comparison."""
        self._bar.set_postfix_str("", refresh=False)
        self._bar.set_description(name)

    def built(self, done: int, total: int, text: str) -> None:
        """Show a step in building a data set; its ``on_step``."""
        self._bar.set_postfix_str(text, refresh=False)
        self.counted(done, total)

    def read(self, done: int, total: int, n_words: int) -> None:
        """Show that a file was read; the ``on_file`` of a reader."""
        self.built(done, total, f"{n_words:,} words")

    def over(self, items: Sequence[_T]) -> Iterator[_T]:
        """Yield the items of a list, counting those done."""
        for done, item in enumerate(items):
            self.counted(done, len(items))
            yield item


def say(line: str) -> None:
    """Print a line on standard error; where that is closed or full nobody can be told."""
    if sys.stderr is not None:  # else print would take standard output
        with suppress(OSError):
            text = f"{hide_passwords(line)}\n"
            _write(sys.stderr, text.encode(sys.stderr.encoding, "backslashreplace"))


def emit(data: bytes) -> None:
    """Write a result to standard output; InputError if that fails, as on a full disk."""
    if sys.stdout is None:
        raise InputError("standard output: cannot be written (it is closed)")
    try:
        _write(sys.stdout, data)
    except BrokenPipeError:  # its reader has what it wanted
        raise
    except OSError as error:
        raise InputError(f"standard output: cannot be written ({error.strerror})") from None


def _write(stream: TextIO, data: bytes) -> None:
    """Write all of some bytes to a stream, as few at a time as it takes.

    Past its buffer, if it has one, since what stands there is tried once more when Python ends.
    """
    raw: Any = getattr(stream.buffer, "raw", stream.buffer)
    left = memoryview(data)
    while left:
        n = raw.write(left)
        if n is None:  # a pipe that does not block, and is full
            select.select([], [raw], [])
        else:
            left = left[n:]


def as_json(value: object) -> str:
    """Return one JSON object as text."""
    return json.dumps(value, allow_nan=False, indent=1)


def print_json(value: object) -> None:
    """Print one JSON object."""
    emit(as_json(value).encode() + b"\n")


def print_result(result: dict, lines: Iterable[str], as_json: bool) -> None:
    """Print a result: for a program as one JSON object, else as lines of text for people."""
    if as_json:
        print_json(result)
    else:
        print_lines(lines)


def check_output(
    output: str, sources: Iterable[str], what: str = "model", prints: bool = False
) -> None:
    """Refuse a place where no file can be written, or that is one of the sources.

    Standard output is no place for a model on a terminal, nor beside what a command ``prints``.
    """
    if output == STANDARD_STREAM:
        if prints or (what == "model" and sys.stdout.isatty()):
            why = "--json prints there" if prints else "a model is no text for a terminal"
            raise InputError(f"{output}: {why}; a file is needed")
        return
    try:
        target, before = find_target(output)
        if before and any(os.path.exists(t) and target.samefile(t) for t in sources):
            raise InputError(f"{output}: to be read itself; the {what} needs a file of its own")
        tempfile.TemporaryFile(dir=target.parent).close()
    except OSError as error:
        raise InputError(
            f"{output}: cannot be written ({error.strerror}); its folder must exist and have room"
        ) from None


def write_to(output: str, save: Callable[[str], object]) -> None:
    """Have a file saved at a place, which may be standard output."""
    if output != STANDARD_STREAM:
        save(output)
        return
    with tempfile.TemporaryDirectory() as folder:
        save(os.path.join(folder, "output"))
        emit(Path(folder, "output").read_bytes())


def print_lines(lines: Iterable[str], output: str = STANDARD_STREAM) -> None:
    """Print lines of text, or write them to a file; InputError if that fails."""
    text = "".join(f"{line}\n" for line in lines)
    if output == STANDARD_STREAM:
        encoding = getattr(sys.stdout, "encoding", None) or "utf-8"  # a closed one is None
        emit(text.encode(encoding, "backslashreplace"))
    else:
        write_atomically(output, lambda file: file.write(text.encode(errors="backslashreplace")))
