"""What a browser remembers of its visitor, what its Back goes back to, and where it scrolls.

It keeps two cookies for a day: a random key, under which this server holds the visitor's own texts
in memory, so that they live through a reload, and a note that the start was seen. No link has them.
"""

import secrets
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from workbench.views.private import out_of_sight

HOURS = 24  # after the last visit, what is kept of a visitor is deleted
MOST_WORDS = 20_000_000  # of all visitors' texts; then the oldest go
_MOST_VISITORS = 50
_KEY, _SEEN = "workbench-visitor", "workbench-start-seen"
_STATE = "what is kept of the visitor"
# Streamlit makes an entry of the browser's history of some changes, and of others none.
_mount_visit = st.components.v2.component(
    "visit",
    js="""
const MOVES = ["sigma2", "cutoff"], EVENTS = "click keydown change drop popstate", PLACES =
  "pin view background domain part lesson step lecture section show pair slice without".split(" ");
export default function ({ data }) {
  for (const [name, value] of Object.entries(data.cookies)) {
    document.cookie = `${name}=${value}; path=/; SameSite=Strict; max-age=${data.seconds}`
      + (location.protocol === "https:" ? "; Secure" : "");
  }
  if (history.knowsPlaces) return;
  history.knowsPlaces = true;
  // Whether the visitor asked (a corrected link is no place), by a button, below; what moved last.
  let isAsked = false, isPressed = false, isBelow = false, moved = null;
  const at = (key) => document.querySelector(`.st-key-${key}`);
  const ask = (event) => {
    const [first] = event.composedPath(), has = (what) => Boolean(event.target.closest?.(what));
    isAsked = event.type !== "popstate";
    isPressed = isAsked && !first.closest?.("input, .curve");
    if (!isAsked) moved = null;
    isBelow = has(".st-key-below");
    const opens = has(".st-key-section [role=radio]") || first.matches?.(".tries");
    if (event.type === "click" && opens) at("below").scrollIntoView();
  };
  for (const kind of EVENTS.split(" ")) addEventListener(kind, ask, true);
  const link = new URLSearchParams(location.search), names = (what) => link.has(what);
  const look = names("section") && !names("lesson") && !names("word") && setInterval(() => {
    if (at("below")?.children.length > 1) { clearInterval(look); at("below").scrollIntoView(); }
  }, 100);
  const { pushState, replaceState } = history;
  history.pushState = history.replaceState = (state, title, url) => {
    const [here, there] = [location.href, new URL(url, location.href)]
      .map((address) => new URL(address).searchParams);
    const differs = (name) => here.get(name) !== there.get(name);
    const isOther = PLACES.some(differs) || here.has("word") !== there.has("word"); // words: one
    const move = MOVES.find(differs); // all moves of a slider at a place are one more
    const isPlace = isAsked && (isOther || (move && (isPressed || move !== moved)));
    if (isAsked && (isOther || move)) moved = isOther || isPressed ? null : move;
    const isAlone = isBelow && getComputedStyle(at("below")).paddingRight === "0px"; // no words
    if (isAlone && differs("slice") && there.get("slice")) at("scrubber").scrollIntoView();
    if (isPlace) isAsked = false; // other parameters that it changes come one by one
    (isPlace ? pushState : replaceState).call(history, state, title, url);
  };
}
""",
)


@dataclass(eq=False)
class Own:
    """What a visitor brought: sets by name, oldest first, and at most one model."""

    sets: dict[str, Any] = field(default_factory=dict)
    model: Any = None


class Visitors:
    """A bounded store of what visitors brought, by random key; entries expire."""

    def __init__(self, clock=time.monotonic):
        self._clock, self._lock = clock, threading.Lock()
        self._kept = OrderedDict[str, tuple[float, Own]]()  # the last seen at the end

    def find(self, key: str) -> Own | None:
        """Return what is kept under a key; None if nothing is, or no longer."""
        with self._lock:
            self._forget()
            _, own = self._kept.get(key, (0, None))
            if own:
                self._see(key, own)
        return own

    def keep(self, key: str, own: Own) -> None:
        """Keep what a visitor brought under a key."""
        with self._lock:
            self._see(key, own)
            self._forget()

    def sweep(self) -> None:
        """Delete what is old, now and once an hour, also while nobody opens the page."""
        with self._lock:
            self._forget()
        later = threading.Timer(3600, self.sweep)
        later.daemon = True
        later.start()

    def _see(self, key, own):
        self._kept[key] = self._clock(), own
        self._kept.move_to_end(key)

    def _forget(self):
        def is_too_much():
            (seen, _), *_ = self._kept.values()
            n_words = sum(s.n_words for _, own in self._kept.values() for s in own.sets.values())
            is_old = seen < self._clock() - HOURS * 3600
            return is_old or len(self._kept) > _MOST_VISITORS or n_words > MOST_WORDS

        while self._kept and is_too_much():
            self._kept.popitem(last=False)


@st.cache_resource(show_spinner=False)
def _visitors():
    made = Visitors()
    made.sweep()
    return made


def own() -> Own:
    """Return what this visitor brought, now or at the last visit of this browser."""
    if _STATE not in st.session_state:
        key = st.context.cookies.get(_KEY, "")
        found = _visitors().find(key)
        st.session_state[_STATE] = (key, found) if found else ("", Own())
    return st.session_state[_STATE][1]


def keep() -> None:
    """Keep what this visitor brought, for the next time that this browser opens the page."""
    brought, key = own(), st.session_state[_STATE][0] or secrets.token_urlsafe(18)
    st.session_state[_STATE] = key, brought
    _visitors().keep(key, brought)


def has_seen_start() -> bool:
    """Return whether the start was used or dismissed, now or the last time."""
    return st.session_state.get(_SEEN, st.context.cookies.get(_SEEN)) == "yes"


def see_start() -> None:
    """Note that the start was used; for callbacks."""
    st.session_state[_SEEN] = "yes"


def mount() -> None:
    """Tell the browser what to remember, and which settings Back goes back to."""
    key = st.session_state.get(_STATE, ("", None))[0]
    cookies = {_KEY: key, _SEEN: "yes" if has_seen_start() else ""}
    kept = {name: value for name, value in cookies.items() if value}
    with out_of_sight("visit"):
        _mount_visit(key="visitor", data={"cookies": kept, "seconds": HOURS * 3600})
