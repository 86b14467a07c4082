"""What the views Compare and Papers learn with: shared, and used by one visitor at a time."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import streamlit as st

from workbench.adaptation.method import Split
from workbench.experiments.ablation import Ablation
from workbench.experiments.backgrounds import background_of_split
from workbench.experiments.candidate_comparison import CandidateBench
from workbench.experiments.compare import Bench
from workbench.experiments.papers.pn08_candidates import CandidateStudy
from workbench.experiments.papers.study import Study
from workbench.experiments.papers.tables import Table, make_tables
from workbench.experiments.shared_objects import OnWait, Turns
from workbench.features.candidates.packing import join_sets
from workbench.learning.solvers.fit import follow_fits
from workbench.models.candidates.candidate_model import CandidateModel
from workbench.settings import Settings
from workbench.text.joining import join_each, unite_labels
from workbench.text.sets.splits import PARTS
from workbench.views import visits
from workbench.views.cache.data_sets_seen import (
    background_options,
    content_of,
    contents_of,
    has_test,
    is_of_candidates,
    read_domain,
    read_part,
)
from workbench.views.cache.sessions import discretion, levels_of
from workbench.views.cache.waiting import waiting, yield_run
from workbench.views.sources import own_sets


def bench(settings: Settings, *, on_build: Callable | None = None, on_wait: OnWait = None) -> Bench:
    """Return the ``Bench`` of some settings, opened now or kept with all that it has learned."""
    texts = settings.background, *(level.text for level in levels_of(settings))
    is_own = any(own_sets.find(name) for name in texts)
    sort = CandidateBench if is_of_candidates(settings) else Bench
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
    with _turns().take(id(shared), waiting(on_wait)), _while_wanted():
        yield


def _while_wanted():
    """Let a newer choice end what is learnt in the block, at the next step of any fit."""
    return follow_fits(lambda _: yield_run())


def _of_split(sort, settings, watch, make, *key):
    """Return what ``make`` makes of the split and the test text of some settings, now or kept."""

    def read_and_make():
        background = read_part(settings.background, "train", on_build)
        domain = read_domain(settings.domain, on_build)
        if is_of_candidates(settings):
            train, dev, test = domain
            return make(Split(background, train, dev, options, CandidateModel), test)
        further = [read_part(level.text, "train", on_build) for level in levels]
        background, begins = join_each(background.name, [background, *further])
        background, train, dev, test = unite_labels(background, *domain)
        return make(Split(background, train, dev, options, begins=tuple(begins)), test)

    on_build, on_wait = watch
    options, templates = background_options(settings)
    levels = levels_of(settings)
    contents = contents_of(on_build, settings.background, settings.domain)
    contents += tuple(content_of(level.text, on_build) for level in levels)
    return visits.share((sort,), (*contents, templates, *key), read_and_make, waiting(on_wait))


def study(
    settings: Settings, domains: tuple[str, ...], *, on_build: Callable | None = None,
    on_wait: OnWait = None,
) -> tuple[tuple, Study | CandidateStudy]:  # fmt: skip
    """Return the ``Study`` of data sets, opened now or kept with its models, and its key."""

    def make():
        if is_of_candidates(settings):
            sets = {name: join_sets(name, read_domain(name, on_build)) for name in domains}
            return CandidateStudy(read_part(background, "train", on_build), sets, options)
        parts = {name: read_domain(name, on_build) for name in domains}
        corpora = {name: dict(zip(PARTS, own, strict=True)) for name, own in parts.items()}
        test = read_part(background, "test", on_build) if has_test(background) else None
        return Study(read_part(background, "train", on_build), corpora, test, options=options)

    background, (options, templates) = settings.background, background_options(settings)
    key = contents_of(on_build, background, *domains), templates
    return key, visits.share(("material",), key, make, waiting(on_wait))


def table(
    name: str, key: tuple, texts: Study | CandidateStudy, watch: tuple[Callable, Callable],
    on_wait: OnWait = None,
) -> Table:  # fmt: skip
    """Return one of the papers' tables, made now or kept; ``key`` is that of its texts.

    Tables of the same texts are made one after the other: they share the models of ``texts``.
    """

    def make():
        texts.set_callbacks(*watch)
        with discretion(background), _while_wanted():
            return next(make_tables(texts, [name]))

    (background, _), *_ = key[0]
    return visits.share(("table", name), (name, key), make, waiting(on_wait), turn=key)
