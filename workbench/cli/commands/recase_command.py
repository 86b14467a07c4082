"""The command that restores the case of texts, of any size, as they come.

It imports little, because it is started often.
"""

import signal
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache, partial
from heapq import nsmallest
from itertools import chain
from typing import IO

from workbench.cli.console import check_output, emit, say, write_to
from workbench.cli.option_checks import MOST_AT_ONCE, check_count
from workbench.models.files import write_atomically
from workbench.models.kinds import load_model
from workbench.recasing.answers import (
    Answer,
    Answerer,
    Doubt,
    Tally,
    answer_in_processes,
    write_doubt,
)
from workbench.recasing.glossary import Glossary
from workbench.recasing.recaser import Recaser
from workbench.recasing.streams import ByteReader, decode, encode
from workbench.text.errors import InputError
from workbench.text.incoming import STANDARD_STREAM, iterate_packed
from workbench.text.layout import Layout, seems_wrapped


class _Report:
    """What was counted in all texts, and the lines to review."""

    def __init__(self, n_doubts: int) -> None:
        self._n_doubts, self.tally = n_doubts, Tally()
        self._doubts: list[tuple[Doubt, str]] = []

    def add(self, answer: Answer, n_lines: int, name: str) -> None:
        """Add an answer to a text of which some lines were answered before."""
        self.tally = self.tally.plus(answer.tally)
        doubts = [(doubt._replace(line=doubt.line + n_lines), name) for doubt in answer.doubts]
        self._doubts = nsmallest(self._n_doubts, [*self._doubts, *doubts])

    def say(self, options: Namespace) -> None:
        """Say on standard error what options did that the text does not show."""
        words, tally = f"of {self.tally.n_words:,} words", self.tally
        if options.threshold is not None:
            say(f"threshold: {tally.n_unsure:,} {words}, less sure than {options.threshold:g}, "
                "stay as they came")  # fmt: skip
        if options.glossary:
            say(f"glossary: {tally.n_matches:,} of its forms found, in {tally.n_words:,} words")

    def write(self, file: IO[bytes]) -> None:
        """Write the lines to review, the least sure first."""
        for doubt, name in self._doubts:
            file.write(encode(write_doubt(doubt, name)))


@cache  # what a forked process finds loaded
def _make_answerer(path, places, glossary, as_json, n_doubts, **options):
    forms = Glossary.read(glossary) if glossary else ()
    recaser = Recaser(load_model(path, places), glossary=forms, **options)
    return Answerer(recaser, as_json, n_doubts)


def recase(options: Namespace) -> None:
    """Recase texts."""
    _check(options)
    texts = options.text
    sources = [options.model, *texts, *filter(None, [options.glossary])]
    for output in filter(None, [options.output, options.review]):
        check_output(output, sources, "result")
    n_doubts = options.review_lines if options.review else 0
    make = partial(
        _make_answerer, options.model, tuple(options.background), options.glossary, options.json,
        n_doubts, layout=options.layout, hashtags=options.hashtags, policy=options.policy,
        sentence_start=options.sentence_start, threshold=options.threshold,
    )  # fmt: skip
    make()
    report = _Report(n_doubts)
    if options.output != STANDARD_STREAM:
        write_atomically(
            options.output, lambda file: _recase_all(make, texts, options, file.write, report)
        )
    else:
        if hasattr(signal, "SIGPIPE") and options.jobs > 1:
            signal.signal(signal.SIGPIPE, signal.SIG_IGN)  # processes are to be ended
        with suppress(BrokenPipeError):
            _recase_all(make, texts, options, emit, report)
    report.say(options)
    if options.review:
        write_to(options.review, lambda path: write_atomically(path, report.write))


def _check(options):
    check_count("jobs", options.jobs, 1, MOST_AT_ONCE)
    check_count("review lines", options.review_lines, 1)
    if options.review and options.review == options.output:
        raise InputError(f"{options.review}: the text and its review need a file each")


def _recase_all(
    make: Callable[[], Answerer], texts: list[str], options: Namespace,
    write: Callable[[bytes], object], report: _Report,
) -> None:  # fmt: skip
    for path in texts:
        name = "standard input" if path == STANDARD_STREAM else path
        reader, before = ByteReader(name, options.strict), report.tally.n_lines
        chunks = reader.unpack(_read(path))
        if options.layout == Layout.AUTO and not options.unbuffered:
            chunks = _hint_at_wrapping(chunks, name)
        for answer in _answer(make, chunks, options):
            n_lines = report.tally.n_lines - before
            reader.count(answer.odd, n_lines)
            report.add(answer, n_lines, path)
            write(answer.data)
        if odd := reader.describe():
            say(f"{name}: {odd}: unchanged")


def _answer(
    make: Callable[[], Answerer], chunks: Iterable[bytes], options: Namespace
) -> Iterator[Answer]:
    if options.jobs > 1:
        return answer_in_processes(make, chunks, options.jobs)
    answerer = make()
    pieces = answerer.pieces(chunks, options.unbuffered)
    return chain.from_iterable(map(answerer.answer, pieces))


def _read(path: str) -> Iterator[bytes]:
    if path == STANDARD_STREAM and sys.stdin and sys.stdin.isatty():
        say("reading text from the terminal; Ctrl-D ends it")
    return iterate_packed(path)


def _hint_at_wrapping(chunks: Iterator[bytes], name: str) -> Iterator[bytes]:
    """Yield chunks of text; says so if the first seems to have sentences that cross lines."""
    for i, chunk in enumerate(chunks):
        if not i and seems_wrapped(decode(chunk)):
            say(f"{name}: lines seem broken to fit a width; --layout wrapped reads them as one")
        yield chunk
