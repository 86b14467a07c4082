"""What the members of an ensemble read: in which direction, and by which templates.

Models that err alike gain nothing together. An MEMM reads the tags of the words before each word;
which tags the words after it have tells as much, as in a title whose last word alone is surely a
capital: members that read backward know that. And of features that tell the same, each gets
a part of the weight; a member that lacks some of them learns the others in full.
"""

from collections.abc import Sequence
from typing import NamedTuple

from workbench.features.templates import CASING, CASING_RATE, find_templates
from workbench.models.ensembles.backward import BackwardMEMM
from workbench.models.memm import MEMM

DIRECTIONS: dict[str, type[MEMM]] = {"forward": MEMM, "backward": BackwardMEMM}


class Member(NamedTuple):
    """The kind of one member, which is its direction, and its templates by name."""

    kind: type[MEMM]
    templates: tuple[str, ...]


def both_directions(templates: Sequence[str]) -> list[Member]:
    """Return a forward and a backward member, both with all of some templates."""
    return [Member(kind, tuple(templates)) for kind in DIRECTIONS.values()]


def diverse_members(templates: Sequence[str]) -> list[Member]:
    """Return four members with different subsets of some templates, two of them backward.

    One lacks strings of letters, one the case of neighbours in the background's lexicon, one
    both and the word's own case there; the last has all. Templates that do not have both
    groups, such as ``ca04``, give ``both_directions``.
    """
    read = find_templates(templates)
    if not any(map(_reads_letters, read)) or not any(map(_reads_casing_of_neighbours, read)):
        return both_directions(templates)
    lacking = (
        (MEMM, _reads_letters),
        (BackwardMEMM, _reads_casing_of_neighbours),
        (MEMM, lambda template: _reads_letters(template) or _reads_casing(template)),
        (BackwardMEMM, lambda template: False),
    )
    found = [Member(kind, tuple(t.name for t in read if not lacks(t))) for kind, lacks in lacking]
    return [member for member in found if member.templates]


def _reads_letters(template):
    return template.many


def _reads_casing(template):
    return any(name in (CASING, CASING_RATE) for name, _ in _columns(template))


def _reads_casing_of_neighbours(template):
    return any(name == CASING and distance for name, distance in _columns(template))


def _columns(template):
    """Return what a template reads of columns other than the words: names and distances."""
    return [offset for offset in template.offsets if isinstance(offset, tuple)]
