"""The command that recases text. It imports little, because it is started often."""

import gzip
import sys
import zlib
from argparse import Namespace
from pathlib import Path

from workbench.cli.console import emit, say
from workbench.models.kinds import load_model
from workbench.text.errors import InputError
from workbench.text.readers import decode


def recase(options: Namespace) -> None:
    """Recase a text."""
    model = load_model(options.model, options.background)
    if options.text is None and sys.stdin.isatty():
        say("reading text from the terminal; Ctrl-D ends it")
    name = "standard input" if options.text is None else options.text
    data = _read_bytes(options.text, name)
    if data.decode(errors="replace").removeprefix("\ufeff").strip():
        decode(data, name)  # refuses what is not UTF-8 text
    emit(model.recase(data.decode()).encode())


def _read_bytes(path, name):
    """Return all bytes of a file, plain or gzipped, or of standard input."""
    try:
        data = sys.stdin.buffer.read() if path is None else Path(path).read_bytes()
        return gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{name}: cannot be read ({reason}); UTF-8 text is needed") from None
