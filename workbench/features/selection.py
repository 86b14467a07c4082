"""Predicates and features: numbered, counted, cut off, united.

A feature is a pair (predicate, tag) seen together in training; it is kept if
its count is at least the cut-off. Weights live in a table of predicates by
tags, in which ``features`` marks the cells that exist.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from workbench.features.firing import FiringMemory, firing_matrix
from workbench.text.errors import InputError


@dataclass(frozen=True, eq=False)
class Features:
    """The feature set of a model.

    Attributes
    ----------
    values : dict of dict
        ``values[template name][value]`` is the number of the predicate.
    exists : ndarray of bool, shape (P, K)
        Which (predicate, tag) pairs are features.
    """

    values: dict
    exists: np.ndarray

    @property
    def n_predicates(self):
        """P."""
        return len(self.exists)

    def __len__(self):
        """Return F, the number of features."""
        return int(self.exists.sum())

    @cached_property
    def _memory(self):
        return FiringMemory(self.values, self.n_predicates)

    def firing(self, contexts):
        """Return which predicates each row of contexts fires; sparse float64, shape (n_rows, P)."""
        return self._memory.matrix(contexts)

    def remember(self, contexts, firing):
        """Keep for the next call what ``firing`` would find out."""
        self._memory.remember(contexts, firing)

    def names(self):
        """The predicates in order, ``template=value``."""
        ordered = [""] * self.n_predicates
        for template, numbers in self.values.items():
            for value, number in numbers.items():
                ordered[number] = f"{template}={value}"
        return ordered


def number_by_template(names):
    """Turn a list of predicates back into numbers; the inverse of ``Features.names``."""
    values = {}
    for number, name in enumerate(names):
        template, value = name.split("=", 1)
        values.setdefault(template, {})[value] = number
    return values


def check_cutoff(cutoff):
    """Return a cut-off as int, or raise InputError if it is not a whole number >= 0."""
    try:
        number = int(cutoff)
        is_whole = number == float(cutoff) and not isinstance(cutoff, bool)
    except (TypeError, ValueError, OverflowError):
        is_whole = False
    if not is_whole or number < 0:
        raise InputError(f"cutoff {cutoff}: a whole number, 0 or more, is allowed")
    return number


def select_features(events, cutoff):
    """Return the features that some events hold at least ``cutoff`` times; 0 keeps all.

    Source
    ------
    Chelba & Acero (2004), section 3.1.1: features with a count *less than* the
    cut-off are dropped.
    """
    least, counts = max(1, check_cutoff(cutoff)), events.count_tags()
    values, firing = _number_predicates(events, counts.max(axis=1), least)
    exists = firing.T @ counts >= least
    kept = exists.any(axis=1)
    features = Features(_keep(values, kept), exists[kept])
    features.remember(events, firing[:, kept])
    return features


def _number_predicates(events, most, least):
    """Number the predicates that may be in a feature, in the order in which they fire.

    Parameters
    ----------
    events : Contexts
    most : ndarray, shape (n_rows,)
        Count of the most frequent tag with each row.
    least : int

    Returns
    -------
    values : dict of dict
        As in ``Features``.
    firing : sparse matrix, shape (n_rows, P)
        Which of them each row fires.
    """
    values, rows, predicates, n = {}, [], [], 0
    for fillers in events.fillers:
        own = slice(fillers.first_row, fillers.first_row + len(fillers))
        read_rows = _rows_to_read(events.words, fillers, most[own] >= least)
        read, used = list(fillers.strings(events.words, read_rows)), most[own][read_rows] > 0
        for template in fillers.slot.templates:
            told = list(map(template.value_of, read))
            numbers = dict.fromkeys(value for value, u in zip(told, used, strict=True) if u)
            numbers.pop(None, None)
            values[template.name] = numbers = {value: n + i for i, value in enumerate(numbers)}
            found = np.array([numbers.get(value, -1) for value in told], np.int64)
            rows.append(read_rows[found >= 0] + own.start)
            predicates.append(found[found >= 0])
            n += len(numbers)
    places = np.concatenate(rows), np.concatenate(predicates)
    ones = np.ones(len(places[0]))
    return values, sparse.csr_matrix((ones, places), shape=(events.n_rows, n))


def _rows_to_read(words, fillers, is_frequent):
    """Rows of a slot whose predicates may be in a feature: all, or where they tell all, some.

    A rare pair of words is a rare predicate. Only a comma, which joins them, could make
    one predicate of two pairs.
    """
    slot = fillers.slot
    if not all(t.tells_all and t.n_tags == slot.n_tags for t in slot.templates):
        return np.arange(len(fillers))
    has_comma = np.array(["," in word for word in words])[fillers.word_ids].any(axis=1)
    return np.flatnonzero(is_frequent | np.repeat(has_comma, fillers.n_histories))


def _keep(values, kept):
    """Drop the predicates without a feature and number the rest afresh."""
    number = np.cumsum(kept) - 1
    return {
        template: {value: int(number[p]) for value, p in numbers.items() if kept[p]}
        for template, numbers in values.items()
    }


def count_features(events, values, n_predicates):
    """Count each tag with each predicate; float64, shape (P, K)."""
    return firing_matrix(events, values, n_predicates).T @ events.count_tags()


def unite(background, new):
    """Return the union of two feature sets; the background's predicates keep their numbers."""
    values = {template: dict(numbers) for template, numbers in background.values.items()}
    n, places = background.n_predicates, np.empty(new.n_predicates, np.int64)
    for template, numbers in new.values.items():
        known = values.setdefault(template, {})
        for value, number in numbers.items():
            if value not in known:
                known[value] = n
                n += 1
            places[number] = known[value]
    exists = np.zeros((n, background.exists.shape[1]), bool)
    exists[: background.n_predicates] = background.exists
    exists[places] |= new.exists
    return Features(values, exists)
