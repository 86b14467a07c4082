"""The weights that moved most, the words they changed; parts of a text by name.

The weights that adaptation moved most, the words that they changed, and how far all moved.

Parts of a text by name, as they stand in a link: a slice, the words that a weight changed, or
those at which a predicate fires.
"""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from workbench.evaluation.explanation import describe_predicate, quote_mark
from workbench.features.predicates import UNKNOWN_FORMS
from workbench.text.errors import InputError

if TYPE_CHECKING:  # a session has what is here
    from workbench.experiments.session import Session, Snapshot


def movers(session: "Session", snapshot: "Snapshot", n: int = 20, name: str = "") -> pd.DataFrame:
    """Return the features whose weights moved most, and the words that each helped change.

    With a ``name``, "predicate > tag", only the feature of that name; no row if the model has none.

    Returns
    -------
    movers : DataFrame
        One row a feature, the largest change first: ``predicate`` and, in words, ``words``;
        ``tag``; its weights ``background`` (nan where it is new) and ``adapted``, and
        ``change``, nats; ``new``; and ``positions``, a list of the words of the snapshot's text
        that it helped change: both models give them other tags, the predicate fires, and the
        weight moved towards the new tag or away from the old one.
    """
    problem: Any = snapshot.tuned.adaptation.problem
    change = snapshot.tuned.fit.weights - problem.mean
    far = np.argsort(-np.abs(change), kind="stable")[:n]
    top = _find_cell(problem, name) if name else far
    names = problem.features.names()
    predicates, tags = np.divmod(problem.cells[top], len(problem.background.tag_names))
    chosen = [names[p] for p in predicates.tolist()]
    new = ~problem.is_inherited[top]
    helped = _helped(session, snapshot, predicates, tags, change[top])
    return pd.DataFrame(
        {
            "predicate": chosen,
            "words": [_in_words(predicate) for predicate in chosen],
            "tag": [problem.background.tag_names[tag] for tag in tags.tolist()],
            "background": np.where(new, np.nan, problem.mean[top]),
            "adapted": snapshot.tuned.fit.weights[top],
            "change": change[top],
            "new": new,
            "positions": helped,
        }
    )


def _find_cell(problem, name):
    """Return where the weight of a feature is, int, shape (1,); shape (0,) if there is none."""
    predicate, _, tag = name.rpartition(" > ")
    number, tags = _find_predicate(problem, predicate), problem.background.tag_names
    if number is None or tag not in tags:
        return np.zeros(0, int)
    return np.flatnonzero(problem.cells == number * len(tags) + tags.index(tag))


def _find_predicate(problem, name):
    """Return the number of a predicate, None if the model has none of that name."""
    template, _, value = name.partition("=")
    return problem.features.values.get(template, {}).get(value)


def _in_words(predicate):
    """Return a predicate in words, of the word itself with the word."""
    words, (template, _, value) = describe_predicate(predicate), predicate.partition("=")
    is_word = template == "currentword" and value not in UNKNOWN_FORMS
    return f"{words} ({quote_mark(value)})" if is_word else words


def _helped(session, snapshot, predicates, tags, change):
    """Return the positions of the words that each of some features helped change; lists."""
    diff, names = snapshot.diff, snapshot.tuned.adaptation.problem.background.tag_names
    diff = diff[diff["tag_before"] != diff["tag_after"]]
    positions = diff["position"].to_numpy()
    before, after = (
        np.array([names.index(name) for name in diff[side]], int)
        for side in ("tag_before", "tag_after")
    )
    fires = _fires(session, snapshot, positions, predicates)
    agrees = np.where(change > 0, after[:, None] == tags, before[:, None] == tags)
    return [positions[own].tolist() for own in (fires & agrees).T]


def _fires(session, snapshot, positions, predicates):
    """Return which predicates fire at some positions after the adapted model's tags.

    bool, shape (positions, predicates). Only sentences with such positions are packed.
    """
    problem = snapshot.tuned.adaptation.problem
    corpus = session.corpora[snapshot.part]
    corpus = replace(corpus, tags=snapshot.tuned.tags[snapshot.part])
    sentences = np.unique(corpus.sentence_ids[positions])
    is_taken = np.isin(corpus.sentence_ids, sentences)
    places = np.cumsum(is_taken)[positions] - 1
    kind, alone = problem.background, corpus.take(sentences).compact()
    contexts = kind.packed.pack(kind.describe(alone), kind.templates)
    firing = problem.features.firing(contexts)[:, predicates]
    fires = np.zeros((len(positions), len(predicates)), bool)
    for rows in contexts.rows[places].T:
        fires |= firing[rows].toarray() > 0
    return fires


WEIGHT, PREDICATE = "weight", "feature"  # kinds of subsets


def name_subset(kind: str, name: str) -> str:
    """Return the name of a subset, which ``find_subset`` reads."""
    return f"{kind}: {name}"


def name_firing(snapshot: "Snapshot", predicate: str) -> str:
    """Return the name of the subset of the words at which a predicate fires; "" if none can."""
    known = _find_predicate(snapshot.tuned.adaptation.problem, predicate)
    return "" if known is None else name_subset(PREDICATE, predicate)


def describe_subset(text: str) -> str:
    """Return the name of a subset as it is shown: that of a weight or a predicate in words."""
    kind, _, name = text.partition(": ")
    if kind == PREDICATE and "=" in name:
        return f"with {_in_words(name)}"
    predicate, _, tag = name.rpartition(" > ")
    is_weight = kind == WEIGHT and "=" in predicate
    return f"weight of {_in_words(predicate)} for {tag}" if is_weight else text


def find_subset(session: "Session", snapshot: "Snapshot", text: str) -> np.ndarray | None:
    """Return the positions of the members of a named subset, int, (n,); None if it has no name.

    The name is "kind: name" of a slice (``Slicing.members``); of a weight, as ``movers`` of the
    session reads it: "weight: predicate > tag"; or "feature: predicate", of the words at which it
    fires, after the adapted model's own tags. InputError if there is no such subset.
    """
    if not text:
        return None
    kind, _, name = text.partition(": ")
    if kind == PREDICATE:
        number = _find_predicate(snapshot.tuned.adaptation.problem, name)
        if number is None:
            raise InputError(f"slice={text[:60]}: this model has no such feature")
        words = np.arange(len(session.corpora[snapshot.part]))
        return np.flatnonzero(_fires(session, snapshot, words, [number]))
    if kind != WEIGHT:
        return session.slicing(snapshot.part).members(kind, name)
    found = session.movers(snapshot, name=name)
    if found.empty:
        raise InputError(f"slice={text[:60]}: this model has no such weight")
    return np.array(found["positions"].iloc[0], int)
