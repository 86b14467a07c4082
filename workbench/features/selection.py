"""Predicates and features: numbered, counted, cut off, united.

A feature is a pair (predicate, tag) seen together in training; it is kept if
its count is at least the cut-off. Weights live in a table of predicates by
tags, in which ``features`` marks the cells that exist.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

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
    numbering = _number_predicates(events)
    counts = count_features(events, numbering, sum(map(len, numbering.values())))
    exists = counts >= max(1, check_cutoff(cutoff))
    return _keep(numbering, exists)


def _number_predicates(events):
    """Give every predicate that fires in the events a number."""
    values, n = {}, 0
    for fillers, template, strings in _readings(events):
        numbers = values.setdefault(template.name, {})
        used = _used_rows(events, fillers)
        for read, is_used in zip(strings, used, strict=True):
            value = template.value_of(read)
            if is_used and value is not None and value not in numbers:
                numbers[value] = n
                n += 1
    return values


def _used_rows(contexts, fillers):
    """Which fillers of a slot occur; a list of bool."""
    used = np.zeros(contexts.n_rows, bool)
    used[contexts.rows[:, contexts.fillers.index(fillers)]] = True
    return used[fillers.first_row : fillers.first_row + len(fillers)].tolist()


def _readings(contexts):
    """Each template with the fillers of its slot and the strings that they give it to read."""
    for fillers in contexts.fillers:
        strings = list(fillers.strings(contexts.words))
        for template in fillers.slot.templates:
            yield fillers, template, strings


def _keep(values, exists):
    """Drop the predicates without a feature and number the rest afresh."""
    kept = exists.any(axis=1)
    number = np.cumsum(kept) - 1
    survivors = {
        template: {value: int(number[p]) for value, p in numbers.items() if kept[p]}
        for template, numbers in values.items()
    }
    return Features(survivors, exists[kept])


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
