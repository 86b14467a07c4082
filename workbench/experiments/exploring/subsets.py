"""Parts of a text by name, as they stand in a link: a slice, or the words that a weight changed."""

import numpy as np

from workbench.experiments.exploring.candidates.moved_weights import moved_weights
from workbench.experiments.exploring.movers import movers
from workbench.experiments.exploring.session import Session, Snapshot
from workbench.text.errors import InputError

WEIGHT = "weight"
# By what a decision is about, ``Session.unit``: the weights that moved most, and what names them.
_MOVERS = {"word": (movers, ["predicate", "tag"]), "sentence": (moved_weights, ["feature"])}


def name_subset(kind: str, name: str) -> str:
    """Return the name of a subset, which ``find_subset`` reads."""
    return f"{kind}: {name}"


def find_subset(session: Session, snapshot: Snapshot, text: str) -> np.ndarray | None:
    """Return the positions of the members of a named subset, int, (n,); None if it has no name.

    The name is "kind: name" of a slice (``Slices.members``), or "weight: predicate > tag", of
    candidate sets "weight: feature", of what moved most. InputError if there is no such subset.
    """
    if not text:
        return None
    kind, _, name = text.partition(": ")
    if kind != WEIGHT:
        return session.slicing(snapshot.part).members(kind, name)
    find, columns = _MOVERS[session.unit]
    table = find(session, snapshot)
    found = table[table[columns].agg(" > ".join, axis=1) == name]
    if found.empty:
        raise InputError(f"slice={text[:60]}: it is none of the {len(table)} that moved most here")
    return np.array(found["positions"].iloc[0], int)
