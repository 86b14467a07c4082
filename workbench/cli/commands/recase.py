"""The command that restores the case of texts, of any size, as they come.

It imports little, because it is started often.
"""

import signal
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache, partial
from heapq import nsmallest
from itertools import chain
from typing import IO

from workbench.cli.console import check_output, emit, say, write_to
from workbench.cli.options import MOST_AT_ONCE, WithoutEffect, add_places, add_threads, check_count
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
from workbench.recasing.policies import Policy, SentenceStart
from workbench.recasing.recaser import Recaser
from workbench.recasing.streams import ByteReader, decode, encode
from workbench.text.errors import InputError
from workbench.text.incoming import STANDARD_STREAM, iterate_packed
from workbench.text.layout import Layout, seems_wrapped

# fmt: off
_WITHOUT_EFFECT: WithoutEffect = (
    (("review_lines",), lambda o: not o.review, "is of --review FILE"),
    (("unbuffered",), lambda o: o.jobs > 1 or o.output != STANDARD_STREAM,
     "not with several jobs, which take many lines at a time, or -o, written when all is done"),
)


def add_recase(parser: ArgumentParser) -> None:
    """Add the options of ``recase``."""
    parser.add_argument("model", metavar="MODEL",
        help="model file, or en, a model of everyday English that is always there")
    add_places(parser)
    parser.add_argument("text", nargs="*", metavar="TEXT",
        help="files or addresses of UTF-8 text in any case, .gz and .zst too; standard input if "
        "none, or for -")
    parser.add_argument("-o", "--output", default="-", metavar="FILE",
        help="write there, when all is done, not to standard output")
    parser.add_argument("--layout", choices=list(Layout), default=Layout.AUTO,
        help="auto (default): each line by itself, tokenized or running as its own marks say; "
        "tokenized: spaces part the words; running: as it is printed; wrapped: running, lines "
        "broken to fit a width, so that sentences go on until a blank line")
    parser.add_argument("--hashtags", action="store_true",
        help="recase hashtags; without it they pass untouched, as addresses, handles, paths, "
        "markup and code do")
    parser.add_argument("--policy", choices=list(Policy), default=Policy.LOWER,
        help="which case of TEXT is evidence and stays: lower (default), none; caps, that of "
        "words with a lower-case letter, but for sentences in capitals; title, capitals within "
        "words (NumPy, NATO); trust, all capitals, but for headlines, sentences in capitals and, "
        "in part, the first word of a sentence")
    parser.add_argument("--sentence-start", choices=list(SentenceStart),
        default=SentenceStart.MODEL,
        help="first words of sentences: model (default), as the model says; capital, with one by "
        "rule; inside, a line begins within a sentence, so its first word is like any other")
    parser.add_argument("--glossary", metavar="FILE",
        help="words and phrases that are always written so, a form a line, as in iPhone or New "
        "York; the longest that matches counts, in spans as well where it is the whole of one")
    parser.add_argument("--threshold", type=float, metavar="P",
        help="words whose case has a probability below P, 0 to 1, stay as they came; how many "
        "is said on standard error")
    parser.add_argument("--review", metavar="FILE",
        help="write the least sure lines there, least sure first: probability, place, word and "
        "line, with tabs between; corrected, the last column is text for adapt")
    parser.add_argument("--review-lines", type=int, default=100, metavar="N",
        help="how many (default %(default)s)")
    parser.add_argument("--json", action="store_true",
        help="print an object a line: {text, words: [{start, end, from, to, p}]}, offsets in "
        "characters of the line; p is null, and a key true, where the model did not decide: "
        "span, kept (by --policy), glossary; unsure are words that --threshold left")
    parser.add_argument("--unbuffered", action="store_true",
        help="answer each line before the next is read")
    parser.add_argument("--jobs", type=int, default=1, metavar="N",
        help="processes that share the work (default 1)")
    parser.add_argument("--strict", action="store_true",
        help="refuse bytes that are no UTF-8 text; without it they pass unchanged, and how many "
        "is said on standard error")
    add_threads(parser)
    parser.set_defaults(without_effect=_WITHOUT_EFFECT)
# fmt: on


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
