"""How errors are shown on the page: one line each, escaped, where they arose; never a traceback."""

import logging
import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

import streamlit as st

from workbench.text.errors import InputError
from workbench.views.private import is_overlap

_log = logging.getLogger("workbench")
_UNEXPECTED = "Something went wrong inside the workbench; the terminal it runs in has the details."
_MOST_ALLOWED = 12  # names in a warning
_OF_LINK = "refused of the link:"
_ZERO_WIDTH_SPACE = "\u200b"


def plain(text: str) -> str:
    """Return text with all Markdown escaped: it is shown as it is, and fetches nothing.

    Streamlit's own directives (``:red[…]``, ``:material/…:``) do not heed a
    backslash, hence the invisible space after a colon.
    """
    escaped = re.sub(r"([\\`*_{}\[\]()#+\-.!|~$<>&^=])", r"\\\1", " ".join(text.split()))
    return escaped.replace(":", f":{_ZERO_WIDTH_SPACE}")


def warn_of_link(name: str, allowed: Collection[str], instead: str) -> None:
    """Warn of a link that gives a widget what it does not offer; until ``forget_link`` is called.

    To be called before the widget with the key ``name`` is drawn, which changes the link;
    ``instead`` says what is shown instead of what the link names.
    """
    key = f"{_OF_LINK} {name}"
    if key not in st.session_state:
        given = st.query_params.get_all(name)
        st.session_state[key] = [text for text in given if text not in allowed][:1]
    for text in st.session_state[key]:
        shown = ", ".join(list(allowed)[:_MOST_ALLOWED])
        more = ", …" if len(allowed) > _MOST_ALLOWED else ""
        st.warning(plain(f"{name}={text[:40]}: allowed are {shown}{more}; {instead}"))


def forget_link(name: str) -> None:
    """Stop warning of what the link gave a widget; for its ``on_change``."""
    st.session_state[f"{_OF_LINK} {name}"] = []


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
