"""How errors are shown on the page: one line each, escaped, where they arose; never a traceback."""

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import streamlit as st

from workbench.text.errors import InputError
from workbench.views.private import is_overlap

_log = logging.getLogger("workbench")
_UNEXPECTED = "Something went wrong inside the workbench; the terminal it runs in has the details."
_ZERO_WIDTH_SPACE = "\u200b"


def plain(text: str) -> str:
    """Return text with all Markdown escaped: it is shown as it is, and fetches nothing.

    Streamlit's own directives (``:red[…]``) ignore a backslash; an invisible space after the
    colon turns them off.
    """
    escaped = re.sub(r"([\\`*_{}\[\]()#+\-.!|~$<>&^=])", r"\\\1", " ".join(text.split()))
    return escaped.replace(":", f":{_ZERO_WIDTH_SPACE}")


@contextmanager
def show_errors(container: Any = None) -> Iterator[None]:
    """Show an error raised inside the block as one line, in a container or right here."""
    place = container or st
    try:
        yield
    except InputError as error:
        place.error(plain(str(error)))
    except Exception as error:  # a fault: nothing is swallowed, the terminal has the traceback
        if is_overlap(error):
            st.rerun()
        _log.exception("a view failed")
        place.error(_UNEXPECTED)
