"""How a set of the visitor's own comes into use, once, and what is chosen when it goes."""

from collections.abc import Callable

import streamlit as st

from workbench.settings import SETTINGS
from workbench.views import cache
from workbench.views.error_messages import show_errors
from workbench.views.sources import own_sets

_TAKEN, _GONE, _BEFORE = "texts taken", "set that went", "domain before own texts"
_PLACES = ("word", "slice", "pair")  # settings that name a place of the text before
Make = Callable[[], tuple[str, own_sets.OwnSet]]


def take(identity: str, make: Make, setting: str = "domain") -> str | None:
    """Make a set the domain, or the background, if it was not taken before; returns its name.

    ``make`` reads it and returns a name and the set. None, with the error shown right here, if
    it cannot be read.
    """
    taken = st.session_state.setdefault(_TAKEN, set())
    if identity in taken:
        return None
    with show_errors():
        added, gone = own_sets.add(*make())
        taken.add(identity)
        st.session_state[_GONE] = gone
        _leave(gone)
        before = st.session_state.get("domain")
        if before and not own_sets.find(before):
            st.session_state[_BEFORE] = before
        st.session_state[setting] = added
        forget_places()
        return added
    return None


def last_gone() -> str:
    """Return the name of the set that went when the last was taken; "" if none did."""
    return st.session_state.get(_GONE) or ""


def forget_places() -> None:
    """Forget what the settings name of the text before."""
    for place in _PLACES:
        st.session_state[place] = ""


def remove(name: str) -> None:
    """Forget a set, and choose another where it was chosen; for callbacks."""
    own_sets.remove(name)
    _leave(name)


def _leave(name: str) -> None:
    """Choose a data set of this machine, of the same task, where the chosen set is gone."""
    before = {"domain": st.session_state.get(_BEFORE)}
    for setting, other in (("background", "domain"), ("domain", "background")):
        if name and st.session_state.get(setting) == name:
            beside = str(st.session_state.get(other))
            here = cache.data_set_names(cache.task_of(beside))[setting]
            wanted = before.get(setting), SETTINGS[setting].default, *here
            st.session_state[setting] = next(
                choice for choice in wanted if choice in here and choice != beside
            )
