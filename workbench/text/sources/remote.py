"""Reads files at addresses: https and http by the standard library, s3, gs and others by fsspec."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPException
from importlib import import_module
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import urlopen

from workbench.text.errors import InputError

_PATIENCE = 30  # seconds without a byte
_NO_TEXT = re.compile(r"text/html|application/(xhtml|pdf)|image/|audio/|video/")


@contextmanager
def open_address(address: str) -> Iterator[Any]:
    """Open a file at an address to read bytes from.

    What goes wrong, in the block too, is an InputError or OSError that does not name the address.
    """
    scheme = address.partition("://")[0]
    if scheme in ("file", "local"):
        raise InputError("a file on this computer is named by its path")
    with (_open_web if scheme in ("http", "https") else _open_by_fsspec)(address) as file:
        yield file


@contextmanager
def _open_web(address):
    if urlsplit(address).username is not None:  # a server would be told it as part of its name
        raise InputError("no name and password are sent; an address without them is needed")
    try:
        with urlopen(address, timeout=_PATIENCE) as answer:
            kind = answer.headers.get_content_type()
            if _NO_TEXT.match(kind):
                raise InputError(f"no text but {kind}; the address of a plain text is needed")
            yield answer
            if answer.length:  # what was promised but did not come
                raise InputError(f"the connection ended {answer.length:,} bytes too early")
    except HTTPError as error:
        error.close()
        raise InputError(f"the server answers {error.code} {error.reason}") from None
    except URLError as error:
        reason = getattr(error.reason, "strerror", None) or error.reason
        raise InputError(f"cannot be reached ({reason})") from None
    except HTTPException as error:
        raise InputError(f"no answer of a web server ({error or type(error).__name__})") from None


@contextmanager
def _open_by_fsspec(address):
    try:
        opened = import_module("fsspec").open(address, "rb").open()
    except ImportError as error:  # of fsspec, or of what it needs for this kind of address
        raise InputError(
            f"{error}; pip install 'capitalization-workbench[cloud]', and s3fs for s3:// or gcsfs "
            "for gs://"
        ) from None
    except FileNotFoundError:
        raise InputError("no such file") from None
    except Exception as error:  # libraries of clouds have errors of their own
        reason = " ".join(str(error).split())
        raise InputError(f"cannot be opened ({type(error).__name__}: {reason})") from None
    with opened:
        yield opened
