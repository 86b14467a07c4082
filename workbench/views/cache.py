"""What is kept between runs and shared by visitors: data sets, sessions, benches, papers' tables.

Data sets and texts first, then what is made of them for the views Tune, Compare and Papers, then
how it is kept. Everything is known by names and by the fingerprints of the texts, so a text that
changes on disk is read again. It is made by one visitor's run while the others wait, and what an
open page uses is kept. When a page has been closed for two minutes its state is forgotten, and
what no other page uses is given back to the system.
"""

import ctypes
import gc
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from types import FunctionType, MethodType, ModuleType
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
import streamlit as st

from workbench.experiments.backgrounds import background_of_split, find_background, split_of_model
from workbench.experiments.compare import Bench
from workbench.experiments.papers.study import ModelStudy
from workbench.experiments.papers.tables import Table, TableSpec, make_table
from workbench.experiments.session import Session
from workbench.learning.solvers.fit import follow_fits
from workbench.models.files import read_description
from workbench.models.shipped import BACKGROUNDS, model_file
from workbench.settings import MOST_KEPT, Settings
from workbench.text.errors import InputError
from workbench.text.sets.registry import DataSet, fingerprint, known_data_sets
from workbench.text.sets.splits import PARTS
from workbench.text.sets.storage import keep_nothing
from workbench.text.tasks import TaskName, check_same_task
from workbench.views import private, uploads
from workbench.views.texts import Texts, texts_of

_FRESH = 5.0  # seconds
_PAUSE = 0.1  # seconds between two calls of ``on_wait``
# Of all of the program, or of whoever is told about progress: no part of an object.
_NOT_OWNED = type, ModuleType, MethodType
OnBuild = Callable | None
OnWait = Callable[[], object] | None


@st.cache_resource(show_spinner=False)
def _looked_at():
    return {}


def content_of(name: str, on_build: OnBuild) -> tuple[str, str]:
    """Return name and fingerprint of a data set, looked up again after some seconds."""
    if own := uploads.find(name):
        return name, own.fingerprint
    if model := uploads.find_model(name):
        return name, model.content_hash()
    if name in BACKGROUNDS:
        return name, read_description(model_file(name))["sha256"]
    looks, now = _looked_at(), time.monotonic()
    if name not in looks or now - looks[name][0] > _FRESH:
        looks[name] = now, fingerprint(name, on_build)
    return name, looks[name][1]


def contents_of(on_build: OnBuild, background: str, *domains: str) -> tuple:
    """Return what identifies some texts; InputError if a domain does not go with the background."""
    for domain in domains:
        if background == domain:
            raise InputError(
                f"{background} is the background and the domain; choose two different data sets, "
                "since adapting a model to its own training text shows nothing"
            )
        check_same_task(background, task_of(background), domain, task_of(domain))
    return tuple(content_of(name, on_build) for name in (background, *domains))


def read_part(name: str, part: str, on_build: OnBuild) -> Any:
    """Return a part of a data set; a visitor's own from memory."""
    if own := uploads.find(name):
        return own.corpora[part]
    return texts_of(task_of(name)).read(name, part, on_build)


def read_domain(name: str, on_build: OnBuild) -> list[Any]:
    """Return train, dev and test of a data set; InputError if one has no capital letters."""
    return [read_part(name, part, on_build).require_cased() for part in PARTS]


def kind_of(settings: Settings) -> Texts:
    """Return what the page makes of texts such as those of some settings."""
    return texts_of(task_of(settings.background))


@st.cache_data(ttl="60s", max_entries=1, show_spinner=False)
def all_data_sets() -> list[DataSet]:
    """Return all data sets that are known, those of words first, looked up again after a minute."""
    return sorted(known_data_sets(), key=lambda each: not isinstance(each.task, TaskName))


def _data_sets():
    return [data_set for data_set in all_data_sets() if data_set.is_here]


def data_set_names(task: str | None = None) -> dict[str, tuple[str, ...]]:
    """Return the names that can be a background and a domain, of one task or of all.

    Models that come with the package are first, texts of the visitor's own last.
    """
    models = BACKGROUNDS if task in (None, TaskName.CASE) else ()
    here = [data_set for data_set in _data_sets() if task in (None, data_set.task)]
    whole = [data_set.name for data_set in here if set(PARTS) <= set(data_set.parts)]
    return {
        "background": (*models, *(d.name for d in here), *uploads.names_of("background", task)),
        "domain": (*whole, *uploads.names_of("domain", task)),
    }


def is_model(name: str) -> bool:
    """Return whether a background is a model without its text: the package's or the visitor's."""
    return name in BACKGROUNDS or uploads.find_model(name) is not None


def model_of(background: str) -> Any:
    """Return the kind of model that methods adapt: that of a model, or what texts are made into."""
    own = uploads.find_model(background)
    return type(own) if own else texts_of(task_of(background)).model


def lacking(background: str) -> frozenset[str]:
    """Return what a background lacks of what methods may need; see ``find_lacking``."""
    if not is_model(background):
        return frozenset()
    return frozenset({"text"} if background in BACKGROUNDS else {"text", "1-gram"})


def task_of(name: str) -> str:
    """Return the task of a data set; that of an unknown name is case."""
    if own := uploads.find(name) or uploads.find_model(name):
        return own.task
    tasks = {data_set.name: data_set.task for data_set in _data_sets()}
    return tasks.get(name, TaskName.CASE)


def session(
    settings: Settings, *, on_step: Callable | None = None, on_build: Callable | None = None,
    on_wait: OnWait = None,
) -> Session:  # fmt: skip
    """Return the ``Session`` of some settings, opened now or kept.

    An exception from ``on_step`` or ``on_build`` (see ``open_session``) ends the opening;
    ``on_wait`` is called while another visitor opens the same one.
    """

    def make():
        with discretion(settings.background):
            text = own.corpora["train"] if own else settings.background
            background = uploads.find_model(settings.background) or text
            domain = own_domain.corpora if own_domain else settings.domain
            return kind.open(settings, background, domain, on_step, on_build)

    contents = contents_of(on_build, settings.background, settings.domain)
    own, own_domain = uploads.find(settings.background), uploads.find(settings.domain)
    kind = kind_of(settings)
    model = "" if is_model(settings.background) else kind.model_name(settings)
    _, templates = kind.options(settings)
    key, watch = (*contents, templates, model), waiting(on_wait)
    return share(("session", model), key, make, watch)


def discretion(background: str) -> AbstractContextManager:
    """Return a context in which what is made of a visitor's own text is not written to disk."""
    return keep_nothing() if uploads.find(background) else nullcontext()


def bench(settings: Settings, *, on_build: Callable | None = None, on_wait: OnWait = None) -> Bench:
    """Return the ``Bench`` of some settings, opened now or kept with all that it has learned."""

    def make():
        domain = read_domain(settings.domain, on_build)
        if is_model(settings.background):
            found = find_background(uploads.find_model(settings.background) or settings.background)
            split, (test,) = split_of_model(found, *domain)
        else:
            background = read_part(settings.background, "train", on_build)
            split, test = kind.split([background, *domain], settings)
        train = None if uploads.find(settings.background) else background_of_split
        return kind.bench(split, test, train=train)

    kind = kind_of(settings)
    _, templates = kind.options(settings)
    contents = contents_of(on_build, settings.background, settings.domain)
    return share(("bench",), (*contents, templates), make, waiting(on_wait))


@contextmanager
def take_turn(shared: Bench, on_wait: OnWait = None) -> Iterator[None]:
    """Hold what all visitors share while the block learns with it, until a newer choice ends it."""
    with _kept().turns.take(id(shared), waiting(on_wait)), follow_fits(private.yield_run):
        yield


def study(
    settings: Settings, domains: tuple[str, ...], *, on_build: Callable | None = None,
    on_wait: OnWait = None,
) -> tuple[tuple, Any]:  # fmt: skip
    """Return the study of data sets, opened now or kept with its models, and its key."""

    def make():
        parts = {name: read_domain(name, on_build) for name in domains}
        if is_model(background):
            found = find_background(uploads.find_model(background) or background)
            own = ((name, dict(zip(PARTS, texts, strict=True))) for name, texts in parts.items())
            return ModelStudy(found, dict(own))
        return kind.study(read, parts, settings)

    def read(part):
        own, known = uploads.find(background), (d for d in all_data_sets() if d.name == background)
        is_there = part in (own.corpora if own else next(known).parts)
        return read_part(background, part, on_build) if is_there else None

    kind, background = kind_of(settings), settings.background
    _, templates = kind.options(settings)
    key = contents_of(on_build, background, *domains), templates
    return key, share(("material",), key, make, waiting(on_wait))


def table(
    spec: TableSpec, key: tuple, texts: Any, watch: tuple[Callable, Callable],
    on_wait: OnWait = None,
) -> Table:  # fmt: skip
    """Return one of the papers' tables, made now or kept; ``key`` is that of its texts.

    Tables of the same texts are made one after the other: they share the models of ``texts``.
    """

    def make():
        texts.set_callbacks(*watch)
        with discretion(background), follow_fits(private.yield_run):
            return make_table(spec, texts)

    (background, _), *_ = key[0]
    return share(("table", spec.name), (spec.name, key), make, waiting(on_wait), turn=key)


def waiting(on_wait: OnWait) -> Callable[[], None]:
    """Return what a waiting run calls repeatedly: it says so, and ends an outdated run."""

    def wait():
        private.yield_run()
        if on_wait:
            on_wait()

    return wait


@st.cache_resource(show_spinner=False)
def _kept():
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
    page, state = visit
    private.forget_later(page, state, _give_back)


@st.cache_resource(show_spinner=False, scope="session", on_release=_close)
def _visit():
    return private.open_page()


def _give_back(page):
    _kept().leave(lambda user: user[0] == page)
    give_back()


def sizes_of(objects: Iterable[Any]) -> list[int]:
    """Return the bytes of each of some objects with all that it refers to.

    What several refer to is counted for the first of them.
    """
    seen: set[int] = set()
    return [_size_of(each, seen) for each in objects]


def _size_of(root, seen):
    n_bytes, waiting = 0, [root]
    while waiting:
        each = waiting.pop()
        if id(each) not in seen and not isinstance(each, _NOT_OWNED):
            seen.add(id(each))
            n_bytes += sys.getsizeof(each)
            waiting += _parts_of(each)
    return n_bytes


def _parts_of(each):
    """Return what an object refers to; of a function what it encloses, not the whole module."""
    if isinstance(each, FunctionType):
        return each.__closure__ or ()
    if isinstance(each, np.ndarray) and each.base is not None:
        return (each.base,)  # holds the numbers of a view
    return gc.get_referents(each)


def give_back() -> None:
    """Free what nothing refers to, and return free memory to the system where it takes it."""
    gc.collect()
    with suppress(AttributeError, OSError, TypeError):  # glibc has it; other systems need it less
        ctypes.CDLL(None).malloc_trim(0)


class Turns:
    """Locks by key: of the threads that ask for the same key, one holds it and the others wait."""

    def __init__(self):
        self._lock = threading.Lock()  # held for a look, never while something is made
        self._locks = WeakValueDictionary[Hashable, Any]()  # of keys that somebody asks for

    @contextmanager
    def take(self, key: Hashable, on_wait: OnWait = None) -> Iterator[None]:
        """Wait for the turn of a key and hold it in the block, however that ends.

        ``on_wait`` is called every tenth of a second of waiting; an exception from it ends
        the waiting.
        """
        with self._lock:
            turn = self._locks.setdefault(key, threading.Lock())
        while not turn.acquire(timeout=_PAUSE):
            if on_wait:
                on_wait()
        try:
            yield
        finally:
            turn.release()


class Kept:
    """Objects that several users share, each made by one thread.

    What somebody uses is kept, and of the rest what was used last, as long as all of it together
    takes no more than some bytes of memory.

    Parameters
    ----------
    most : int
        Bytes, as ``measure`` counts them.
    measure : callable
        From objects to their sizes; what they share is counted for the first.
    """

    def __init__(self, most: int, measure: Callable[[Iterable[Any]], Sequence[int]] = sizes_of):
        self._most, self._measure = most, measure
        self._kept = OrderedDict[Hashable, Any]()  # the last used at the end
        self._used = dict[Hashable, Hashable]()  # the key of what each user uses
        self._lock, self.turns = threading.Lock(), Turns()

    def get(
        self, key: Hashable, make: Callable[[], Any], on_wait: OnWait = None,
        turn: Hashable | None = None, user: Hashable | None = None,
    ) -> Any:  # fmt: skip
        """Return the object of a key, which ``make`` makes if it is not kept.

        Who asks for a key that is being made waits, see ``Turns``; if making it fails or is
        ended, the next who waits makes it. All other keys are free meanwhile, but for those
        of the same ``turn``: a key itself, unless something else is given. A ``user`` uses the
        object until it asks for another or leaves.
        """
        if (found := self._find(key, user)) is None:
            with self.turns.take(key if turn is None else turn, on_wait):
                if (found := self._find(key, user)) is None:
                    found = make()
                    self._keep(key, found, user)
        return found

    def _find(self, key, user):
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                self._used |= {} if user is None else {user: key}
            return self._kept.get(key)

    def _keep(self, key, made, user):
        with self._lock:
            self._kept[key] = made
            self._used |= {} if user is None else {user: key}
            latest_first = list(reversed(self._kept.items()))
        sizes = self._measure(made for _, made in latest_first)  # takes long: others go on
        excess = sum(sizes) - self._most
        with self._lock:
            for (old, _), size in list(zip(latest_first, sizes, strict=True))[:0:-1]:
                if excess > 0 and self._drop(old):
                    excess -= size

    def _drop(self, key):
        """Drop an object unless it is used; returns whether it is gone."""
        if key in self._used.values():
            return False
        return self._kept.pop(key, None) is not None

    def leave(self, is_gone: Callable[[Any], bool]) -> None:
        """Forget the users of whom something is true, and drop all that nobody uses."""
        with self._lock:
            self._used = {user: key for user, key in self._used.items() if not is_gone(user)}
            for key in list(self._kept):
                self._drop(key)
