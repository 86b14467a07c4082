"""What went wrong, said in one line, in its place; never a traceback on the page."""

import logging
import re
from contextlib import contextmanager

import streamlit as st

from workbench.text.errors import InputError

_log = logging.getLogger("workbench")
_UNEXPECTED = "Something went wrong inside the workbench; the terminal it runs in has the details."
_ZERO_WIDTH_SPACE = "\u200b"


def plain(text):
    """Make text harmless as Markdown: it is shown as it is, and fetches nothing.

    Streamlit's own directives (``:red[…]``, ``:material/…:``) do not heed a
    backslash, hence the invisible space after a colon.
    """
    escaped = re.sub(r"([\\`*_{}\[\]()#+\-.!|~$<>&^=])", r"\\\1", " ".join(text.split()))
    return escaped.replace(":", f":{_ZERO_WIDTH_SPACE}")


@contextmanager
def told_in_place(container=None):
    """Show what goes wrong inside the block as one line, in a container or right here."""
    place = container or st
    try:
        yield
    except InputError as error:
        place.error(plain(str(error)))
    except Exception:  # a fault of ours: nothing is swallowed, the terminal has the traceback
        _log.exception("a view failed")
        place.error(_UNEXPECTED)
