"""What lives longer than a run of the page: sessions, shared by all who look at the same data.

The only place for ``st.cache_*``. Sessions are kept under names and fingerprints,
never hashed: they hold millions of numbers.
"""

import threading
from collections import OrderedDict

import streamlit as st

from workbench.adaptation.method import Split
from workbench.experiments.backgrounds import OPTIONS
from workbench.experiments.bench import Bench
from workbench.experiments.material import Material
from workbench.experiments.session import open_session
from workbench.experiments.tables import make_tables
from workbench.models.kinds import KINDS
from workbench.text.registry import known_data_sets, load

_MOST = {"session": 3, "bench": 3, "material": 2, "table": 30}  # of each sort that is kept
_IN_ORDER = "train", "dev", "test"
_PARTS = set(_IN_ORDER)


class _Kept:
    """The things of a sort used last; made one at a time."""

    def __init__(self, most):
        self._most, self._kept = most, OrderedDict()
        self._lock = threading.Lock()

    def get(self, key, make):
        """Return the thing of a key; ``make`` it, if it is not kept, while others wait."""
        _wait_for(self._lock)
        try:
            if key not in self._kept:
                self._kept[key] = make()
            self._kept.move_to_end(key)
            while len(self._kept) > self._most:
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
def _kept(sort):
    return _Kept(_MOST[sort])


def session(background, domain, corpora=None, model="memm", *, on_step=None, on_build=None):
    """Return the ``Session`` of a background and a domain, opened now or kept.

    Parameters
    ----------
    background, domain : str
        Data sets.
    corpora : dict of str to Corpus, optional
        The user's own text, in the place of the domain.
    model : str
        Kind of the background.
    on_step, on_build : callable, optional
        As of ``open_session``; an exception from them ends the opening.
    """
    own = tuple(corpora[part].fingerprint for part in sorted(corpora)) if corpora else ()
    key = (background, own or domain, model)
    make = _opening(background, corpora or domain, on_step, on_build, KINDS[model])
    return _kept("session").get(key, make)


def _opening(*opening):
    return lambda: open_session(*opening)


def bench(background, domain, *, on_build=None):
    """Return the ``Bench`` of two data sets, opened now or kept with all that it has learned."""

    def make():
        split = [load(background, "train", on_build), *_domain(domain, on_build, "train", "dev")]
        return Bench(Split(*split, OPTIONS), *_domain(domain, on_build, "test"))

    return _kept("bench").get((background, domain), make)


def material(background, domains, *, on_build=None):
    """Return the ``Material`` of data sets, opened now or kept with its models."""

    def make():
        corpora = {
            name: dict(zip(_IN_ORDER, _domain(name, on_build, *_IN_ORDER), strict=True))
            for name in domains
        }
        parts = next(d.parts for d in known_data_sets() if d.name == background)
        test = load(background, "test", on_build) if "test" in parts else None
        return Material(load(background, "train", on_build), corpora, test)

    return _kept("material").get((background, domains), make)


def _domain(name, on_build, *parts):
    return [load(name, part, on_build).require_cased() for part in parts]


def table(name, background, domains, texts, watch):
    """Return one of the papers' tables, made now or kept.

    Parameters
    ----------
    name : str
    background : str
    domains : tuple of str
        Data sets.
    texts : Material
        Of these.
    watch : (callable, callable)
        As for ``Material.watch``.
    """

    def make():
        texts.watch(*watch)
        return next(make_tables(texts, [name]))

    return _kept("table").get((name, background, domains), make)


@st.cache_data(ttl="60s", max_entries=1, show_spinner=False)
def data_set_names():
    """Return the names that can be a background and a domain; dict of setting to tuple."""
    known = known_data_sets()
    here = [data_set for data_set in known if data_set.is_here and data_set.labels == "case"]
    return {
        "background": tuple(data_set.name for data_set in here),
        "domain": tuple(data_set.name for data_set in here if set(data_set.parts) >= _PARTS),
    }
