"""What lives longer than a run of the page: sessions, shared by all who look at the same data.

The only place for ``st.cache_*``. Sessions are kept under names and fingerprints,
never hashed: they hold millions of numbers.
"""

import threading
from collections import OrderedDict

import streamlit as st

from workbench.experiments.session import open_session
from workbench.text.registry import known_data_sets

_MAX_SESSIONS = 3
_PARTS = {"train", "dev", "test"}


class _Sessions:
    """The sessions used last; opened one at a time."""

    def __init__(self):
        self._kept = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key, make):
        """Return the session of a key; ``make`` it, if it is not kept, while others wait."""
        _wait_for(self._lock)
        try:
            if key not in self._kept:
                self._kept[key] = make()
            self._kept.move_to_end(key)
            while len(self._kept) > _MAX_SESSIONS:
                self._kept.popitem(last=False)
            return self._kept[key]
        finally:
            self._lock.release()


def _wait_for(lock):
    # In pieces, so that a run that nobody needs any more stops waiting.
    while not lock.acquire(timeout=0.1):
        yield_run()


def yield_run():
    """Let Streamlit end this run if the user has moved on; it looks whenever state is read."""
    st.session_state.get("_")


@st.cache_resource(show_spinner=False)
def _sessions():
    return _Sessions()


def session(background, domain, corpora=None, *, on_step=None, on_build=None):
    """Return the ``Session`` of a background and a domain, opened now or kept.

    Parameters
    ----------
    background, domain : str
        Data sets.
    corpora : dict of str to Corpus, optional
        The user's own text, in the place of the domain.
    on_step, on_build : callable, optional
        As of ``open_session``; an exception from them ends the opening.
    """
    own = tuple(corpora[part].fingerprint for part in sorted(corpora)) if corpora else ()
    key = (background, own or domain)
    make = _opening(background, corpora or domain, on_step, on_build)
    return _sessions().get(key, make)


def _opening(background, domain, on_step, on_build):
    return lambda: open_session(background, domain, on_step, on_build)


@st.cache_data(ttl="60s", max_entries=1, show_spinner=False)
def data_set_names():
    """Return the names that can be a background and a domain; dict of setting to tuple."""
    here = [data_set for data_set in known_data_sets() if data_set.is_here]
    return {
        "background": tuple(data_set.name for data_set in here),
        "domain": tuple(data_set.name for data_set in here if set(data_set.parts) >= _PARTS),
    }
