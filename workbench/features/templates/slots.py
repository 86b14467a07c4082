"""Slots: templates that read the same words and tags, so that these are read once."""

from collections.abc import Iterable
from dataclasses import dataclass

from workbench.features.templates import Template


@dataclass(frozen=True)
class Slot:
    """Templates that read the same words and tags."""

    offsets: tuple[int | tuple[str, int], ...]
    n_tags: int
    templates: tuple[Template, ...]
    edges_only: bool = False
    unpunctuated: bool = False


def group_by_slot(templates: Iterable[Template]) -> tuple[Slot, ...]:
    """Return the slots of some templates, in the order in which they first appear.

    Templates that read the same words share a slot, which reads as many tags as
    the one that reads most; but those that read words alone have one of their own,
    because a slot has a row for every combination of its words with tags.
    """
    groups: dict[tuple, list[Template]] = {}
    for template in templates:
        flags = template.edges_only, template.unpunctuated
        key = template.offsets, bool(template.n_tags), *flags
        groups.setdefault(key, []).append(template)
    return tuple(
        Slot(offsets, max(template.n_tags for template in group), tuple(group), *flags)
        for (offsets, _, *flags), group in groups.items()
    )
