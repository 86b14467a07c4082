"""What open pages share, and give back: objects are kept while a page uses them.

A page that is closed may come back, as when a connection is lost for a moment. Two minutes
later its state is forgotten, and what no other page uses is given back to the system.
"""

import asyncio
from collections.abc import Callable, Hashable
from contextlib import suppress
from typing import Any

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from workbench.experiments.memory import give_back
from workbench.experiments.shared_objects import Kept, OnWait
from workbench.settings import MOST_KEPT

# Seconds; after 120 Streamlit no longer gives a closed page its state, but forgets it only when
# the next one is closed.
_PATIENCE = 110
_A_MOMENT = 2  # seconds until the threads of a page have ended


@st.cache_resource(show_spinner=False)
def _kept() -> Kept:
    return Kept(MOST_KEPT)


def share(
    sort: tuple, key: tuple, make: Callable[[], Any], on_wait: OnWait = None,
    turn: Hashable | None = None,
) -> Any:  # fmt: skip
    """Return an object of some sort, made now or kept; see ``Kept.get``.

    This page uses it from now on, instead of the last of this sort.
    """
    turn = None if turn is None else (sort[0], turn)
    return _kept().get((sort[0], key), make, on_wait, turn, (_visit()[0], sort))


def _close(visit):
    """Wait for a page that was closed; Streamlit calls this where its own loop runs."""
    with suppress(RuntimeError):  # no loop: in a test, or when the server ends
        asyncio.get_running_loop().call_later(_PATIENCE, _forget, visit)


@st.cache_resource(show_spinner=False, scope="session", on_release=_close)
def _visit():
    """Return what identifies this page, and its state."""
    context = get_script_run_ctx()
    return (context.session_id, context.session_state) if context else ("", {})


def _forget(visit):
    """Forget a page unless it came back."""
    name, state = visit
    if not runtime.get_instance().is_active_session(name):
        runtime.get_instance().close_session(name)
        for key in list(state.filtered_state):  # Streamlit's loop still holds the last page
            del state[key]
        asyncio.get_running_loop().call_later(_A_MOMENT, _give_back, name)


def _give_back(name):
    _kept().leave(lambda user: user[0] == name)
    give_back()
