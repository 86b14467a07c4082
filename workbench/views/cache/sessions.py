"""Sessions of the view Tune, shared by all users; the texts between background and domain."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from workbench.experiments.backgrounds import Level, read_levels
from workbench.experiments.exploring.candidates.candidate_session import open_candidate_session
from workbench.experiments.exploring.session import Session, open_session
from workbench.experiments.shared_objects import OnWait
from workbench.models.kinds import KINDS
from workbench.settings import Settings
from workbench.text.errors import InputError
from workbench.text.sets.storage import keep_nothing
from workbench.views import visits
from workbench.views.cache.data_sets_seen import (
    background_options,
    content_of,
    contents_of,
    data_set_names,
    is_of_candidates,
    read_part,
    task_of,
)
from workbench.views.cache.waiting import waiting
from workbench.views.sources import own_sets

MOST_LEVELS = 2  # between background and domain


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
        with discretion(settings.background):
            background = own.corpora["train"] if own else settings.background
            domain = own_domain.corpora if own_domain else settings.domain
            if is_of_candidates(settings):
                return open_candidate_session(background, domain, *watch)
            steps = [(read_part(level.text, "train", on_build), level.sigma2) for level in levels]
            return open_session(background, domain, *watch, options, KINDS[settings.model], steps)

    levels = levels_of(settings)
    contents = contents_of(on_build, settings.background, settings.domain)
    contents += _level_contents(levels, on_build)
    own, own_domain = own_sets.find(settings.background), own_sets.find(settings.domain)
    options, templates = background_options(settings)
    kind = "candidates" if is_of_candidates(settings) else settings.model
    key, watch = (*contents, templates, kind), waiting(on_wait)
    return visits.share(("session", kind), key, make, watch)


def levels_of(settings: Settings) -> tuple[Level, ...]:
    """Return the levels between background and domain; none of candidate sets.

    InputError if a level is one of these two, is not known or is of another task, or there are
    more than the page has sliders for.
    """
    if is_of_candidates(settings):
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
    return tuple((*content_of(level.text, on_build), level.sigma2) for level in levels)


def discretion(background: str) -> AbstractContextManager:
    """Return a context in which models of a visitor's own text are not written to disk."""
    return keep_nothing() if own_sets.find(background) else nullcontext()
