"""Addresses of files, such as https://example.org/news.txt, where a path could stand."""

import re
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

STANDARD_STREAM = "-"  # instead of a path: standard input of a text, output of a result
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://")


def is_address(source: object) -> bool:
    """Return whether a source is an address, or standard input, not a path."""
    return source == STANDARD_STREAM or _SCHEME.match(str(source)) is not None


def path_in(address: str) -> PurePosixPath:
    """Return the path that an address has on its server."""
    return PurePosixPath(unquote(urlsplit(address).path))
