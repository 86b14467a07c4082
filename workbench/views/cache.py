"""What is kept from one run of the page to the next: sessions, shared by all users of a text.

The only place for ``st.cache_*``. Sessions are kept under names and the fingerprints of
what is in their texts, so that a text that changes on disk is read again; they are never
hashed: they hold millions of numbers.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial

import streamlit as st

from workbench.adaptation.method import Split
from workbench.experiments.ablation import Ablation
from workbench.experiments.backgrounds import Level, background_of_split, read_levels
from workbench.experiments.candidate_comparison import CandidateBench
from workbench.experiments.compare import Bench
from workbench.experiments.exploring.candidates.candidate_session import open_candidate_session
from workbench.experiments.exploring.candidates.candidate_sources import (
    all_candidate_sets,
    candidates_fingerprint,
    load_candidates,
)
from workbench.experiments.exploring.session import Session, open_session
from workbench.experiments.papers.pn08_candidates import CandidateStudy
from workbench.experiments.papers.study import Study
from workbench.experiments.papers.tables import Table, make_tables
from workbench.experiments.shared_objects import OnWait, Turns
from workbench.features.candidates.packing import join_sets
from workbench.features.templates import find_templates
from workbench.models.candidates.candidate_model import CandidateModel
from workbench.models.kinds import KINDS
from workbench.settings import BACKGROUND, CANDIDATES, Settings
from workbench.text.errors import InputError
from workbench.text.joining import join_each, unite_labels
from workbench.text.sets.registry import DataSet, fingerprint, known_data_sets, load
from workbench.text.sets.splits import PARTS
from workbench.text.sets.storage import keep_nothing
from workbench.text.tasks import TaskName, check_same_task
from workbench.views import visits
from workbench.views.sources import own_sets

_FRESH = 5.0  # seconds
MOST_LEVELS = 2  # between background and domain


def yield_run() -> None:
    """Let Streamlit end this run if the user has moved on; it looks whenever state is read."""
    st.session_state.get("_")


@st.cache_resource(show_spinner=False)
def _looked_at():
    return {}


def _content(name, on_build):
    """Return name and fingerprint of a data set, looked up again after some seconds."""
    if own := own_sets.find(name):
        return name, own.fingerprint
    looks, now = _looked_at(), time.monotonic()
    if name not in looks or now - looks[name][0] > _FRESH:
        is_of_candidates = task_of(name) is TaskName.CANDIDATES
        found = candidates_fingerprint(name) if is_of_candidates else fingerprint(name, on_build)
        looks[name] = now, found
    return name, looks[name][1]


def _options(settings):
    """Return the options of a background, and the names of its templates for a key."""
    if _is_of_candidates(settings):  # these have no templates
        return CANDIDATES, ()
    names = tuple(template.name for template in find_templates(settings.templates))
    return BACKGROUND | {"templates": settings.templates}, names


def _is_of_candidates(settings):
    return task_of(settings.background) is TaskName.CANDIDATES


def session(
    settings: Settings, *, on_step: Callable | None = None, on_build: Callable | None = None,
    on_wait: OnWait = None,
) -> Session:  # fmt: skip
    """Return the ``Session`` of some settings, opened now or kept.

    An exception from ``on_step`` or ``on_build`` (see ``open_session``) ends the opening;
    ``on_wait`` is called while another visitor opens the same one.
    """

    def make():
        watch = on_step, on_build
        with _discretion(settings.background):
            background = own.corpora["train"] if own else settings.background
            domain = own_domain.corpora if own_domain else settings.domain
            if _is_of_candidates(settings):
                return open_candidate_session(background, domain, *watch)
            steps = [(_read(level.text, "train", on_build), level.sigma2) for level in levels]
            return open_session(background, domain, *watch, options, KINDS[settings.model], steps)

    levels = levels_of(settings)
    contents = _contents(on_build, settings.background, settings.domain)
    contents += _level_contents(levels, on_build)
    own, own_domain = own_sets.find(settings.background), own_sets.find(settings.domain)
    options, templates = _options(settings)
    kind = "candidates" if _is_of_candidates(settings) else settings.model
    key, watch = (*contents, templates, kind), _waiting(on_wait)
    return visits.share(("session", kind), key, make, watch)


def levels_of(settings: Settings) -> tuple[Level, ...]:
    """Return the levels between background and domain; none of candidate sets.

    InputError if a level is one of these two, is not known or is of another task, or there are
    more than the page has sliders for.
    """
    if _is_of_candidates(settings):
        return ()
    free, levels = free_levels(settings), read_levels(settings.levels)
    if len(levels) > MOST_LEVELS:
        raise InputError(f"levels {settings.levels!r}: at most {MOST_LEVELS} are allowed here")
    if others := [level.text for level in levels if level.text not in free]:
        raise InputError(f"levels: {others[0]}: allowed are {', '.join(free)}")
    return levels


def free_levels(settings: Settings) -> list[str]:
    """Return the names of the texts that can be levels."""
    known = data_set_names(task_of(settings.background))["background"]
    return [name for name in known if name not in (settings.background, settings.domain)]


def _level_contents(levels, on_build):
    return tuple((*_content(level.text, on_build), level.sigma2) for level in levels)


def _discretion(background):
    """Return a context in which models of a visitor's own text are written nowhere."""
    return keep_nothing() if own_sets.find(background) else nullcontext()


def _read(name, part, on_build):
    if own := own_sets.find(name):
        return own.corpora[part]
    read = load_candidates if task_of(name) is TaskName.CANDIDATES else load
    return read(name, part, on_build)


def _check_pair(background, domain, task):
    """Raise InputError if a domain is the background itself or is of another task."""
    if background == domain:
        raise InputError(
            f"{background} is the background and the domain; choose two different data sets, "
            "since adapting a model to its own training text shows nothing"
        )
    check_same_task(background, task_of(background), domain, task)


def bench(settings: Settings, *, on_build: Callable | None = None, on_wait: OnWait = None) -> Bench:
    """Return the ``Bench`` of some settings, opened now or kept with all that it has learned."""
    is_own = own_sets.find(settings.background) is not None
    sort = CandidateBench if _is_of_candidates(settings) else Bench
    make = partial(sort, train=None if is_own else background_of_split)
    return _of_split("bench", settings, (on_build, on_wait), make)


def ablation(
    settings: Settings, each: str, *, on_build: Callable | None = None, on_wait: OnWait = None
) -> Ablation:
    """Return the ``Ablation`` of some settings, opened now or kept with all that it measured."""
    watch = on_build, on_wait
    return _of_split("ablation", settings, watch, lambda split, _: Ablation(split, each), each)


@st.cache_resource(show_spinner=False)
def _turns():
    return Turns()


@contextmanager
def take_turn(shared: Bench | Ablation, on_wait: OnWait = None) -> Iterator[None]:
    """Hold what all visitors share while the block learns with it; others wait meanwhile."""
    with _turns().take(id(shared), _waiting(on_wait)):
        yield


def _waiting(on_wait):
    """Return what a waiting run calls repeatedly: it says so, and ends an outdated run."""

    def wait():
        yield_run()
        if on_wait:
            on_wait()

    return wait


def _of_split(sort, settings, watch, make, *key):
    """Return what ``make`` makes of the split and the test text of some settings, now or kept."""

    def read_and_make():
        background = _read(settings.background, "train", on_build)
        domain = _domain(settings.domain, on_build)
        if _is_of_candidates(settings):
            train, dev, test = domain
            return make(Split(background, train, dev, options, CandidateModel), test)
        further = [_read(level.text, "train", on_build) for level in levels]
        background, begins = join_each(background.name, [background, *further])
        background, train, dev, test = unite_labels(background, *domain)
        return make(Split(background, train, dev, options, begins=tuple(begins)), test)

    on_build, on_wait = watch
    options, templates = _options(settings)
    levels = levels_of(settings)
    contents = _contents(on_build, settings.background, settings.domain)
    contents += tuple(_content(level.text, on_build) for level in levels)
    return visits.share((sort,), (*contents, templates, *key), read_and_make, _waiting(on_wait))


def _contents(on_build, background, *domains):
    """Return what identifies some texts; InputError if a domain does not go with the background."""
    for domain in domains:
        _check_pair(background, domain, task_of(domain))
    return tuple(_content(name, on_build) for name in (background, *domains))


def _domain(name, on_build):
    return [_read(name, part, on_build).require_cased() for part in PARTS]


def study(
    settings: Settings, domains: tuple[str, ...], *, on_build: Callable | None = None,
    on_wait: OnWait = None,
) -> tuple[tuple, Study | CandidateStudy]:  # fmt: skip
    """Return the ``Study`` of data sets, opened now or kept with its models, and its key."""

    def make():
        if _is_of_candidates(settings):
            sets = {name: join_sets(name, _domain(name, on_build)) for name in domains}
            return CandidateStudy(_read(background, "train", on_build), sets, options)
        corpora = {name: dict(zip(PARTS, _domain(name, on_build), strict=True)) for name in domains}
        test = _read(background, "test", on_build) if _has_test(background) else None
        return Study(_read(background, "train", on_build), corpora, test, options=options)

    background, (options, templates) = settings.background, _options(settings)
    key = _contents(on_build, background, *domains), templates
    return key, visits.share(("material",), key, make, _waiting(on_wait))


def _has_test(name):
    known = (d for d in known_data_sets() if d.name == name)
    return own_sets.find(name) is not None or "test" in next(known).parts


def table(
    name: str, key: tuple, texts: Study | CandidateStudy, watch: tuple[Callable, Callable],
    on_wait: OnWait = None,
) -> Table:  # fmt: skip
    """Return one of the papers' tables, made now or kept; ``key`` is that of its texts.

    Tables of the same texts are made one after the other: they share the models of ``texts``.
    """

    def make():
        texts.set_callbacks(*watch)
        with _discretion(background):
            return next(make_tables(texts, [name]))

    (background, _), *_ = key[0]
    return visits.share(("table", name), (name, key), make, _waiting(on_wait), turn=key)


@st.cache_data(ttl="60s", max_entries=1, show_spinner=False)
def all_data_sets() -> list[DataSet]:
    """Return all data sets that are known, looked up again after a minute."""
    words = [each for each in known_data_sets() if each.task is not TaskName.CANDIDATES]
    return [*words, *all_candidate_sets()]


def _data_sets():
    return [data_set for data_set in all_data_sets() if data_set.is_here]


def data_set_names(task: TaskName | None = None) -> dict[str, tuple[str, ...]]:
    """Return the names that can be a background and a domain, of one task or of all.

    Texts of the visitor's own come last.
    """
    here = [data_set for data_set in _data_sets() if task in (None, data_set.task)]
    return {
        "background": (*(d.name for d in here), *own_sets.backgrounds(task)),
        "domain": (*(d.name for d in here if set(PARTS) <= set(d.parts)), *own_sets.domains(task)),
    }


def task_of(name: str) -> TaskName:
    """Return the task of a data set; an unknown name is of case."""
    if own := own_sets.find(name):
        return own.task
    tasks = {data_set.name: data_set.task for data_set in _data_sets()}
    return tasks.get(name, TaskName.CASE)
