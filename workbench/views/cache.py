"""What lives longer than a run of the page: sessions, shared by all who look at the same data.

The only place for ``st.cache_*``. Sessions are kept under names and the fingerprints of
what is in their texts, so that a text that changes on disk is read afresh; they are never
hashed: they hold millions of numbers.
"""

import threading
import time
from collections import OrderedDict
from functools import partial

import streamlit as st

from workbench.adaptation.method import Split
from workbench.experiments.ablation import Ablation
from workbench.experiments.backgrounds import background_of_split
from workbench.experiments.compare import Bench
from workbench.experiments.papers.study import Study
from workbench.experiments.papers.tables import make_tables
from workbench.experiments.session import open_session
from workbench.features.templates import find_templates
from workbench.models.kinds import KINDS
from workbench.settings import BACKGROUND
from workbench.text.sets.registry import fingerprint, known_data_sets, load

_MOST = {"session": 3, "bench": 3, "ablation": 3, "material": 2, "table": 30}  # that are kept
_FRESH = 5.0  # seconds
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


@st.cache_resource(show_spinner=False)
def _looked_at():
    return {}


def _content(name, on_build):
    """Name and fingerprint of a data set; a look at its files is good for some seconds."""
    looks, now = _looked_at(), time.monotonic()
    if name not in looks or now - looks[name][0] > _FRESH:
        looks[name] = now, fingerprint(name, on_build)
    return name, looks[name][1]


def _options(templates):
    """Options of a background, and what stands for them in a key."""
    names = tuple(template.name for template in find_templates(templates))
    return BACKGROUND | {"templates": templates}, names


def session(settings, corpora=None, *, on_step=None, on_build=None):
    """Return the ``Session`` of some settings, opened now or kept.

    Parameters
    ----------
    settings : Settings
        Its background, domain, templates and model.
    corpora : dict of str to Corpus, optional
        The user's own text, in the place of the domain.
    on_step, on_build : callable, optional
        As of ``open_session``; an exception from them ends the opening.
    """
    options, templates = _options(settings.templates)
    own = tuple(corpora[part].fingerprint for part in sorted(corpora)) if corpora else ()
    domain = own or _content(settings.domain, on_build)
    key = _content(settings.background, on_build), domain, templates, settings.model
    opened = settings.background, corpora or settings.domain
    make = partial(open_session, *opened, on_step, on_build, options, KINDS[settings.model])
    return _kept("session").get(key, make)


def bench(settings, *, on_build=None):
    """Return the ``Bench`` of some settings, opened now or kept with all that it has learned."""

    def make():
        split = _split(settings, options, on_build)
        return Bench(split, *_domain(settings.domain, on_build, "test"), background_of_split)

    options, templates = _options(settings.templates)
    return _kept("bench").get((*_contents(settings, on_build), templates), make)


def ablation(settings, each, *, on_build=None):
    """Return the ``Ablation`` of some settings, opened now or kept with all that it measured."""

    def make():
        return Ablation(_split(settings, options, on_build), each)

    options, templates = _options(settings.templates)
    return _kept("ablation").get((*_contents(settings, on_build), templates, each), make)


def _contents(settings, on_build):
    return _content(settings.background, on_build), _content(settings.domain, on_build)


def _split(settings, options, on_build):
    background = load(settings.background, "train", on_build)
    return Split(background, *_domain(settings.domain, on_build, "train", "dev"), options)


def study(settings, domains, *, on_build=None):
    """Return the ``Study`` of data sets, opened now or kept with its models.

    Parameters
    ----------
    settings : Settings
        Its background and templates.
    domains : tuple of str
    on_build : callable, optional
        As of ``load``.

    Returns
    -------
    key : tuple
        What the study was made of.
    study : Study
    """

    def make():
        corpora = {
            name: dict(zip(_IN_ORDER, _domain(name, on_build, *_IN_ORDER), strict=True))
            for name in domains
        }
        parts = next(d.parts for d in known_data_sets() if d.name == background)
        test = load(background, "test", on_build) if "test" in parts else None
        return Study(load(background, "train", on_build), corpora, test, options=options)

    background, (options, templates) = settings.background, _options(settings.templates)
    texts = tuple(_content(name, on_build) for name in (background, *domains))
    key = texts, templates
    return key, _kept("material").get(key, make)


def _domain(name, on_build, *parts):
    return [load(name, part, on_build).require_cased() for part in parts]


def table(name, key, texts, watch):
    """Return one of the papers' tables, made now or kept.

    Parameters
    ----------
    name : str
    key : tuple
    texts : Study
        With its key, as ``study`` gives both.
    watch : (callable, callable)
        As for ``Study.set_callbacks``.
    """

    def make():
        texts.set_callbacks(*watch)
        return next(make_tables(texts, [name]))

    return _kept("table").get((name, key), make)


@st.cache_data(ttl="60s", max_entries=1, show_spinner=False)
def data_set_names():
    """Return the names that can be a background and a domain; dict of setting to tuple."""
    known = known_data_sets()
    here = [data_set for data_set in known if data_set.is_here and data_set.labels == "case"]
    return {
        "background": tuple(data_set.name for data_set in here),
        "domain": tuple(data_set.name for data_set in here if set(data_set.parts) >= _PARTS),
    }
