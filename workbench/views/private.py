"""Every touch of Streamlit's private parts, tried with Streamlit 1.66 and 1.67.

Selectors of its elements, in the sheet of what its theme has no setting for; containers that are
out of sight; its runtime, which knows the page that is open and when it is closed, and starts its
runs; and one fault of its state. After an update of Streamlit this file alone is looked through.
"""

import asyncio
import json
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
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
# Colours are mixed with the text's colour: they darken on a light page and lighten on a dark one.
SHEET = (
    f"<style>.stApp {{ --head: 2.9rem; {_ROLES} }} "
    f":is({', '.join(f':has(> .st-key-{key})' for key in _HIDDEN)}) {{ display: none; }}</style>"
    + """
<style>
.wb { --quiet: color-mix(in srgb, currentColor 64%, transparent);
  --hair: color-mix(in srgb, currentColor 16%, transparent);
  --wash: color-mix(in srgb, currentColor 4%, transparent); }
:is(.wb, .st-key-start, .st-key-strip) p { margin: 0; }
/* For screen readers, and for a lecture, which has no choices: else the sentence says the same. */
.wb-title h1 { position: absolute; width: 1px; overflow: hidden; clip-path: inset(50%); }
.wb-title p { color: var(--quiet); font-size: .9rem; }
.st-key-top { padding-right: 2.5rem; } .st-key-top .wb-brand { margin-right: .8rem; }
:is(.st-key-top, .st-key-start) button { min-height: 2rem; padding-block: .15rem; }
.st-key-sentence { margin-block: -.15rem .1rem; }
.st-key-sentence p { font: 400 clamp(1.05rem, .9rem + .5vw, 1.25rem)/1.5 "Source Serif", Georgia,
  serif; margin: 0; }
.st-key-sentence [data-testid="stSelectbox"] { min-width: min(24rem, 100%); }
.st-key-sentence input { font-weight: 600; }
.st-key-start { background: color-mix(in srgb, var(--adapted) 9%, transparent);
  border-radius: .5rem; padding: .35rem .9rem; }
@media (max-width: 640px) {
  .wb.wb-brand small { display: none; } .st-key-strip .katex { font-size: 12px; }
  .st-key-sentence > div:has([data-testid="stSelectbox"]) { flex: 1 1 100%; }
}
.wb-summary { font-size: 1.05rem; font-family: "Source Serif", Georgia, serif; line-height: 1.5; }
:has(> .wb-mark) { position: relative; }
.wb-mark { font: 600 .72em/1 "Source Sans", sans-serif; position: absolute; right: -.2em;
  top: -.5em; }
.wb-forms { margin: 0; display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1rem;
  font-family: "Source Serif", Georgia, serif; font-size: 1.05rem; }
.wb-forms b { font: 600 .875rem/1.75 "Source Sans", sans-serif;
  color: color-mix(in srgb, var(--hue) 72%, currentColor); }
.wb-forms span { overflow-wrap: anywhere; }
.wb-context { font-family: "Source Serif", Georgia, serif; font-size: 1.05rem; }
.wb-context b { --ink: light-dark(#20242c, #e8e4dc);
  color: color-mix(in srgb, var(--hue, var(--ink)) 60%, var(--ink)); }
.wb-context mark { color: inherit;
  background: color-mix(in srgb, var(--adapted) 16%, transparent); }
.wb-check { font-size: .875rem; } .wb-check ul { margin: 0 0 .5rem; padding-left: 1.1rem; }
.wb-context p { font: 400 .875rem/1.5 "Source Sans", sans-serif; color: var(--quiet); }
.st-key-strip { border-left: 4px solid var(--adaptation-text); padding: .6rem 1rem .7rem; }
.st-key-strip button { min-height: 2.1rem; padding-block: .1rem; }
.wb-lesson-title { color: var(--quiet); font-size: .9rem; }
.wb-lesson-title b { color: inherit; font-weight: 600; margin-right: .7rem; }
.wb-step, .wb-reveal { font: 400 1.08rem/1.5 "Source Serif", Georgia, serif; text-wrap: pretty;
  max-width: 62rem; }
.wb-reveal b { font-weight: 600; } .wb-ask { font-size: 1rem; }
.wb-source { color: var(--quiet); font-size: .82rem; text-align: center; }
.st-key-strip .katex-display { margin: .1rem 0; }
/* On the theme's own colour: Streamlit writes white on it in the dark, too. */
[data-testid="stBaseButton-primary"], [data-testid="stMultiSelect"] [data-tag] {
  color: light-dark(#ffffff, #14171c); }
.st-key-lessons button { min-height: 1.7rem; padding: 0; text-align: left; }
.st-key-title { position: absolute; width: 1px; overflow: hidden; }
.st-key-facts { min-height: 1.6rem; }
@media (max-height: 48rem) { .stApp:has(.st-key-strip) .st-key-facts { position: absolute; top: 0;
  min-height: 0; [data-testid="stCaptionContainer"] { display: none; } } } /* room for a lesson */
.st-key-below { min-height: 92vh; } /* so that it can be scrolled to the top, however short */
[data-testid="stCaptionContainer"] { opacity: .75; }
/* A run that no line calls busy, as that which fills the map, needs no button to stop it. */
.stApp:not(:has(.wb-busy)) [data-testid="stStatusWidget"] { visibility: hidden; }
[data-testid="stStatusWidget"] { position: fixed; right: 1rem; bottom: 1rem; padding: .2rem .6rem;
  border: 1px solid; border-radius: .4rem; background: light-dark(#fdfcfa, #14171c); }
.stApp:not([data-test-connection-state="CONNECTED"])::after { position: fixed; bottom: 1rem;
  left: 1rem; padding: .5rem 1rem; border-radius: .4rem; background: #20242c; color: #f6f3ee;
  content: "No connection to the server: what is here stays; all else waits until it is back."; }
/* What the scrubber shows stays true while a run goes on, unless a line says what is being made. */
.st-key-scrubber[data-stale="true"] { opacity: 1; }
.stApp:has(.st-key-facts .wb-busy) .st-key-scrubber { opacity: .4; }
.st-key-scrubber-place { min-height: calc(clamp(19rem, 100vh - 23.9rem, 44rem) + 10.4rem); }
/* Figures of the former texts, until those of the texts that the heading names are here. */
.stApp:has(.wb-pending) :is(.st-key-scrubber-place, .st-key-below) { opacity: .35;
  filter: blur(3px); pointer-events: none; }
[data-testid="stMainBlockContainer"] { padding: 1.4rem clamp(1rem, 20vw - 112px, 42px) 4rem; }
:is([data-testid="stMainBlockContainer"] > [data-testid="stVerticalBlock"], .st-key-shown-view) {
  gap: .5rem; }
[data-testid="stMain"]:focus-visible { outline: 2px solid var(--adapted); outline-offset: -2px; }
[data-testid="stHeader"] { background: none; }
[data-testid="stHeader"], [data-testid="stHeader"] * { pointer-events: none; }
[data-testid="stHeader"] button { pointer-events: auto;
  background: color-mix(in srgb, light-dark(#fdfcfa, #14171c) 88%, transparent); }
/* Sections break into lines on a small screen: each has a frame of its own. */
.st-key-section [role="radiogroup"] { gap: .25rem; }
.st-key-section [role="radio"] { padding-inline: .7rem; margin: 0; border-radius: .25rem; }
.st-key-section [role="radio"][aria-checked="false"] {
  border-color: color-mix(in srgb, currentColor 18%, transparent) !important; }
[data-testid="stVegaLiteChart"] svg .mark-text:not([class*="inside_"]) text {
  fill: light-dark(#565c66, #b9bcc3); }
[data-testid="stVegaLiteChart"] svg :is(.role-title-text, .role-mark):not([class*="inside_"]) text {
  fill: light-dark(#20242c, #e8e4dc); }
/* Why a file is refused: words that Streamlit leaves to screen readers and to a tip. */
[data-testid="stFileChip"]:has([role="alert"]) { flex-wrap: wrap; height: auto; }
[data-testid="stFileChip"] [role="alert"] { position: static; flex-basis: 100%; width: auto;
  height: auto; margin: 0; clip: auto; clip-path: none; white-space: normal; font-size: .8rem; }
@media (forced-colors: active) { [aria-checked="true"], [aria-checked="true"] * {
  forced-color-adjust: none; background: Highlight; color: HighlightText; } }
/* Under the paste box a button says it, and in a box so small the hint would lie on the text. */
[class*="st-key-text-to-paste"]
  [data-testid="InputInstructions"] { display: none; }
/* Streamlit's colours of code have too little contrast on this page. */
[data-testid="stCode"] .token { color: inherit !important; }
.wb p.wb-busy, p.wb-busy { font-size: .875rem; color: var(--quiet); margin: 0; }
[data-test-script-state="running"] .wb-busy::before { content: ""; display: inline-block;
  width: .7em; height: .7em; margin-right: .5em; border: 2px solid currentColor;
  border-top-color: transparent; border-radius: 50%; animation: wb-turn 1.2s linear infinite; }
@keyframes wb-turn { to { rotate: 1turn; } }
@media (prefers-reduced-motion: reduce) { .wb-busy::before { animation: none !important; } }
.wb-busy progress { display: block; width: 100%; height: .5rem; accent-color: var(--adapted); }
[data-test-script-state="notRunning"] .wb-busy::after {
  content: " To go on, change a choice or reload the page."; }
[data-test-script-state="notRunning"] .wb-busy::before { content: "Stopped: "; font-weight: 600; }
[data-test-script-state="notRunning"] .wb-busy progress { display: none; }
.wb-brand { font: 600 1.05rem/1.3 "Source Serif", Georgia, serif; }
.wb-brand small { display: block; font: 400 .8rem/1.4 "Source Sans", sans-serif;
  color: var(--quiet); }
</style>
"""
)
# With a lesson open a lecture is a stage for a projector: its question, the errors, curve, slider.
_LECTURE = """<style>
html { font-size: 140%; }
.st-key-facts [data-testid="stCaptionContainer"], .st-key-top,
.st-key-sentence, .st-key-start { display: none; }
.st-key-facts { position: absolute; top: .9rem; right: 4rem; width: auto; }
.st-key-title { position: static; width: 100%; min-height: 1.8rem; }
[data-testid="stMainBlockContainer"] { padding-top: .6rem; }
[data-testid="stPopoverBody"] { display: none; }
.wb-title h1 { all: unset; font-size: 1.4rem; font-weight: 600; }
.stApp:has(.st-key-strip) {
  :is(.st-key-title, .st-key-facts, .st-key-lesson-end, .st-key-lesson-stage,
    [data-testid="stMainMenu"], [data-testid="stStatusWidget"]) { display: none; }
  :is([data-testid="stMainBlockContainer"] > [data-testid="stVerticalBlock"], .st-key-shown-view) {
    gap: 0; }
  .st-key-strip { padding: .2rem 1rem .4rem; gap: .2rem; margin-bottom: .4rem; }
  .st-key-strip > :first-child { padding-right: 13.4rem; }
  .st-key-lesson-next p { display: block; max-width: 9rem; overflow: hidden;
    text-overflow: ellipsis; }
  .st-key-strip:has(.wb-reveal) :is(.wb-step, .katex-display, .wb-source) { display: none; }
  .wb-step, .wb-reveal { font-size: 1rem; }
  .st-key-strip button { min-height: 1.7rem; }
  .st-key-strip .katex-display { margin: .3rem 0 .5rem; padding-top: .25rem; overflow: visible; }
}
</style>"""
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
