"""The command that restores the case of texts, of any size, as they come.

It imports little, because it is started often.
"""

import signal
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache, partial
from io import BufferedReader
from typing import cast

from workbench.cli.console import check_output, emit, say
from workbench.models.files import write_atomically
from workbench.models.kinds import load_model
from workbench.recasing.blocks import LONGEST_LINE
from workbench.recasing.byte_streams import CHUNK, ByteReader, encode
from workbench.recasing.jobs import recase_in_processes
from workbench.recasing.lines import Layout, seems_wrapped
from workbench.recasing.recaser import Recaser
from workbench.text.errors import InputError

_STANDARD_INPUT = "-"


@cache  # what a forked process finds loaded
def _make_recaser(path, places, layout, hashtags):
    return Recaser(load_model(path, places), layout=layout, hashtags=hashtags)


def recase(options: Namespace) -> None:
    """Recase texts."""
    if options.jobs < 1:
        raise InputError(f"jobs {options.jobs}: 1 or more is allowed")
    if options.unbuffered and options.jobs > 1:
        raise InputError("unbuffered: not with several jobs, which take many lines at a time")
    texts = options.text or [_STANDARD_INPUT]
    if options.output:
        check_output(options.output, [options.model, *texts], "a recased text needs")
    make = partial(
        _make_recaser, options.model, tuple(options.background), options.layout, options.hashtags
    )
    make()
    if options.output:
        write_atomically(options.output, lambda file: _recase_all(make, texts, options, file.write))
    else:
        if hasattr(signal, "SIGPIPE") and options.jobs > 1:
            signal.signal(signal.SIGPIPE, signal.SIG_IGN)  # processes are to be ended
        with suppress(BrokenPipeError):
            _recase_all(make, texts, options, emit)


def _recase_all(
    make: Callable[[], Recaser], texts: list[str], options: Namespace,
    write: Callable[[bytes], object],
) -> None:  # fmt: skip
    for path in texts:
        name = "standard input" if path == _STANDARD_INPUT else path
        reader = ByteReader(name, options.strict)
        text = reader.decode(_read(path, name, options.unbuffered))
        if options.layout == Layout.AUTO and not options.unbuffered:
            text = _hint_at_wrapping(text, name)
        for recased in _stream(make, text, options):
            write(encode(recased))
        if odd := reader.describe():
            say(f"{name}: {odd}: unchanged")


def _stream(make: Callable[[], Recaser], text: Iterable[str], options: Namespace) -> Iterator[str]:
    if options.jobs > 1:
        return recase_in_processes(make, text, options.jobs)
    return make().stream(text, options.unbuffered)


def _read(path: str, name: str, unbuffered: bool) -> Iterator[bytes]:
    """Yield the bytes of a file or of standard input as they come, by line if unbuffered."""
    try:
        file = _open(path)
        with file:
            read = (
                partial(file.readline, LONGEST_LINE) if unbuffered else partial(file.read1, CHUNK)
            )
            yield from iter(read, b"")
    except OSError as error:
        reason = error.strerror or error
        raise InputError(f"{name}: cannot be read ({reason}); UTF-8 text is needed") from None


def _open(path: str) -> BufferedReader:
    if path != _STANDARD_INPUT:
        return open(path, "rb")
    if sys.stdin.isatty():
        say("reading text from the terminal; Ctrl-D ends it")
    return cast(BufferedReader, sys.stdin.buffer)


def _hint_at_wrapping(chunks: Iterator[str], name: str) -> Iterator[str]:
    """Yield chunks of text; says so if the first seems to have sentences that cross lines."""
    for i, chunk in enumerate(chunks):
        if not i and seems_wrapped(chunk):
            say(f"{name}: lines seem broken to fit a width; --layout wrapped reads them as one")
        yield chunk
