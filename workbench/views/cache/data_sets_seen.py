"""Which data sets there are, what is in them, and how they are read.

Sessions and all else that is kept are known by names and by the fingerprints of what is in the
texts, so that a text that changes on disk is read again.
"""

import time
from collections.abc import Callable
from typing import Any

import streamlit as st

from workbench.experiments.exploring.candidates.candidate_sources import (
    all_candidate_sets,
    candidates_fingerprint,
    load_candidates,
)
from workbench.features.templates import find_templates
from workbench.settings import BACKGROUND, CANDIDATES, Settings
from workbench.text.errors import InputError
from workbench.text.sets.registry import DataSet, fingerprint, known_data_sets, load
from workbench.text.sets.splits import PARTS
from workbench.text.tasks import TaskName, check_same_task
from workbench.views.sources import own_sets

_FRESH = 5.0  # seconds
OnBuild = Callable | None


@st.cache_resource(show_spinner=False)
def _looked_at():
    return {}


def content_of(name: str, on_build: OnBuild) -> tuple[str, str]:
    """Return name and fingerprint of a data set, looked up again after some seconds."""
    if own := own_sets.find(name):
        return name, own.fingerprint
    looks, now = _looked_at(), time.monotonic()
    if name not in looks or now - looks[name][0] > _FRESH:
        has_candidates = task_of(name) is TaskName.CANDIDATES
        found = candidates_fingerprint(name) if has_candidates else fingerprint(name, on_build)
        looks[name] = now, found
    return name, looks[name][1]


def contents_of(on_build: OnBuild, background: str, *domains: str) -> tuple:
    """Return what identifies some texts; InputError if a domain does not go with the background."""
    for domain in domains:
        _check_pair(background, domain, task_of(domain))
    return tuple(content_of(name, on_build) for name in (background, *domains))


def _check_pair(background, domain, task):
    """Raise InputError if a domain is the background itself or is of another task."""
    if background == domain:
        raise InputError(
            f"{background} is the background and the domain; choose two different data sets, "
            "since adapting a model to its own training text shows nothing"
        )
    check_same_task(background, task_of(background), domain, task)


def read_part(name: str, part: str, on_build: OnBuild) -> Any:
    """Return a part of a data set, of words or of candidates; the visitor's own from memory."""
    if own := own_sets.find(name):
        return own.corpora[part]
    read = load_candidates if task_of(name) is TaskName.CANDIDATES else load
    return read(name, part, on_build)


def read_domain(name: str, on_build: OnBuild) -> list[Any]:
    """Return train, dev and test of a data set; InputError if one has no capital letters."""
    return [read_part(name, part, on_build).require_cased() for part in PARTS]


def background_options(settings: Settings) -> tuple[dict, tuple[str, ...]]:
    """Return the options of a background, and the names of its templates for a key."""
    if is_of_candidates(settings):  # these have no templates
        return CANDIDATES, ()
    names = tuple(template.name for template in find_templates(settings.templates))
    return BACKGROUND | {"templates": settings.templates}, names


def is_of_candidates(settings: Settings) -> bool:
    """Return whether the texts are candidate sets."""
    return task_of(settings.background) is TaskName.CANDIDATES


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
    """Return the task of a data set; that of an unknown name is case."""
    if own := own_sets.find(name):
        return own.task
    tasks = {data_set.name: data_set.task for data_set in _data_sets()}
    return tasks.get(name, TaskName.CASE)


def has_test(name: str) -> bool:
    """Return whether a data set has test text."""
    known = (d for d in known_data_sets() if d.name == name)
    return own_sets.find(name) is not None or "test" in next(known).parts
