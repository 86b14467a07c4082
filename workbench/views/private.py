"""Every touch of Streamlit's private parts, tried with Streamlit 1.66 and 1.67.

Selectors of its elements, in page.css and lecture.css beside this file; containers that are
out of sight; its runtime, which knows the page that is open and when it is closed, and starts its
runs; and one fault of its state. After an update of Streamlit these files alone are looked through.
"""

import asyncio
import json
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import RerunData, get_script_run_ctx

from workbench.settings import ROLE_COLORS

ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">'
    '<rect width="32" height="32" rx="6" fill="#09645d"/>'
    '<text x="16" y="23" font-family="Georgia,serif" font-size="20" '
    'font-weight="bold" fill="#fdfcfa" text-anchor="middle">Aa</text></svg>'
)  # the page's own: Streamlit's icons are fetched from the network
BRAND = (
    '<div class="wb wb-brand">Capitalization workbench'
    "<small>capital letters for text without them · Chelba &amp; Acero (2004)</small></div>"
)
_HIDDEN = ("held", "shelf", "ahead", "visit", "idle")  # keys of containers
_ROLES = " ".join(f"--{name.replace(' ', '-')}: {c};" for name, c in ROLE_COLORS.items())
# Sheets of what Streamlit's theme has no setting for, and of a lecture.
_PAGE, _LECTURE = (
    f"<style>{Path(__file__).with_name(name).read_text('utf-8')}</style>"
    for name in ("page.css", "lecture.css")
)
SHEET = (
    f"<style>.stApp {{ --head: 2.9rem; {_ROLES} }} "
    f":is({', '.join(f':has(> .st-key-{key})' for key in _HIDDEN)}) {{ display: none; }}</style>"
    + _PAGE
)
_USUAL = "<style>html { font-size: 16px; }</style>"  # as Streamlit has it
_LOADING = 0.3  # seconds that a browser takes to fetch what shows the sheet
_STATE = "streamlit.runtime.state"
# Seconds; after 120 Streamlit no longer gives a closed page its state, but forgets it only when
# the next one is closed.
_PATIENCE = 110
_again = set[str]()  # pages whose next run ``run_again`` asked for
_SOON, _A_MOMENT = 0.01, 2  # seconds until a run may have ended, and the threads of a page


def send_sheet() -> None:
    """Send the sheet; to a page that opens, a moment before anything that it moves."""
    st.html(SHEET)
    if "has sheet" not in st.session_state:
        st.session_state["has sheet"] = True
        time.sleep(_LOADING)


def send_type(is_lecture: bool) -> None:
    """Send the size of a lecture's type, or the usual one; a moment before tables measure it."""
    st.html(_LECTURE if is_lecture else _USUAL)
    if st.session_state.get("is lecture", False) is not is_lecture:
        st.session_state["is lecture"] = is_lecture
        time.sleep(_LOADING)


def out_of_sight(key: str) -> Any:
    """Return a container that nobody sees; its widgets hold settings and follow Back."""
    assert key in _HIDDEN
    return st.container(key=key)


def yield_run(_step: object = None) -> None:
    """Let Streamlit end this run if the user has moved on; it looks whenever state is read."""
    st.session_state.get("_")


def run_again() -> None:
    """Start another run of the script after the current one; to be called at the end of a run.

    Unlike ``st.rerun`` it lets this run end well: only then does the browser take away what an
    earlier one drew and this one did not. A run that the visitor begins meanwhile comes instead.
    """
    context, server = get_script_run_ctx(), runtime.get_instance()
    assert context
    page, sessions = context.session_id, getattr(server, "_session_mgr", None)
    if sessions is None:  # a test without a browser
        _again.add(page)
        st.rerun()
    if (found := sessions.get_active_session_info(page)) is None:
        return
    session, loop, this_run = found.session, found.session._event_loop, found.session._scriptrunner

    def ask():
        if session._scriptrunner is this_run:
            loop.call_later(_SOON, ask)
        elif session._scriptrunner is None and server.is_active_session(page):
            _again.add(page)
            session._create_scriptrunner(RerunData(
                query_string=session._client_state.query_string,  # as the run left it
                page_script_hash=context.page_script_hash, context_info=context.context_info,
                cached_message_hashes=context.cached_message_hashes,
            ))  # fmt: skip

    loop.call_soon_threadsafe(ask)


def is_run_again() -> bool:
    """Return whether ``run_again`` started this run; a second call in a run returns False."""
    page, _ = open_page()
    is_it = page in _again
    _again.discard(page)
    return is_it


def take_unheard(key: str) -> dict[str, Any]:
    """Return, once, what a component said before this session drew it; {} if it said nothing.

    So it is after the server was restarted while the page stayed open: Streamlit knows no callback
    of what it has not drawn itself, and would not tell.
    """
    if (context := get_script_run_ctx()) is None:
        return {}
    kept = context.session_state._state._new_widget_state
    said: dict[str, Any] = {}
    for name in set(kept.states) - set(kept.widget_metadata):
        if name.endswith(f"-{key}__events"):
            for event in json.loads(kept.states.pop(name).value.json_trigger_value):
                said |= event["value"]
    return said


def forget_in_link(name: str) -> None:
    """Remove a parameter from the link; a widget that is emptied would leave it there."""
    if context := get_script_run_ctx():
        context.session_state._state.query_params.remove_param(name)


def open_page() -> tuple[str, Any]:
    """Return what identifies the open page, "" where there is none, and its state."""
    context = get_script_run_ctx()
    return (context.session_id, context.session_state) if context else ("", {})


def forget_later(page: str, state: Any, then: Callable[[str], object]) -> None:
    """Forget a page that was closed unless it comes back, as after a lost connection.

    ``then`` is called with it a moment later. To be called where Streamlit's own loop runs.
    """

    def forget():
        if not runtime.get_instance().is_active_session(page):
            runtime.get_instance().close_session(page)
            for key in list(state.filtered_state):  # Streamlit's loop still holds the last page
                del state[key]
            asyncio.get_running_loop().call_later(_A_MOMENT, then, page)

    with suppress(RuntimeError):  # no loop: in a test, or when the server ends
        asyncio.get_running_loop().call_later(_PATIENCE, forget)


def is_overlap(error: Exception) -> bool:
    """Return whether the last run of this page changed Streamlit's state while this one read it.

    Each run locks the state for itself alone; another run finds it whole.
    """
    frames = (frame for frame, _ in traceback.walk_tb(error.__traceback__))
    is_of_state = any(f.f_globals.get("__name__", "").startswith(_STATE) for f in frames)
    return is_of_state and "changed size during iteration" in str(error)
