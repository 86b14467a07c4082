"""The firing matrix: which predicates each row of contexts fires.

A template with the value ``UNKNOWN`` fires it, or another of ``UNKNOWN_FORMS`` that it has, for
each word that has no predicate before it. What adaptation adds comes after it, so a word that only
the adaptation data have fires both: before its own weight has moved it is scored as it was in the
background.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

import numpy as np
from scipy import sparse

from workbench.features.contexts import Contexts
from workbench.features.predicates import (
    UNKNOWN,
    UNKNOWN_FORMS,
    UNKNOWN_MARK,
    UNKNOWN_UNCASED,
    Values,
)
from workbench.features.templates import Template
from workbench.features.templates.slots import Slot
from workbench.text.casing import Tag, is_cased, tag_of

Fired = tuple[np.ndarray, np.ndarray]  # rows, and the predicate that fires in each


def firing_matrix(contexts: Contexts, values: Values, n_predicates: int) -> sparse.csr_matrix:
    """Return which predicates each row fires; sparse float64, shape (n_rows, P).

    ``values`` and ``n_predicates`` are those of ``Features``.
    """
    read = [list(fillers.strings(contexts.words)) for fillers in contexts.fillers]
    slots = [fillers.slot for fillers in contexts.fillers]
    found = [fire_slot(*pair, values, n_predicates) for pair in zip(slots, read, strict=True)]
    return sparse.vstack(found, format="csr")


def count_features(events: Contexts, firing: sparse.csr_matrix) -> np.ndarray:
    """Return how often each tag occurs with each predicate; float64, shape (P, K)."""
    counts = np.zeros((firing.shape[1], events.n_tags))
    for slot, fillers in enumerate(events.fillers):
        own = slice(fillers.first_row, fillers.first_row + len(fillers))
        counts += (firing[own].T @ events.count_tags(slot)).toarray()
    return counts


def fire_slot(
    slot: Slot, read: Sequence[tuple[str, ...]], values: Values, n_predicates: int
) -> sparse.csr_matrix:
    """Return which predicates fire for strings that a slot reads; sparse, a row for each."""
    found = [pair for t in slot.templates for pair in find_predicates(t, read, values)]
    return matrix_of(found, (len(read), n_predicates))


def matrix_of(found: Iterable[Fired], shape: tuple[int, int]) -> sparse.csr_matrix:
    """Return the matrix of pairs of arrays: rows, and the predicates that fire there or -1."""
    rows, predicates = map(np.concatenate, zip(*found, strict=True))
    fires = predicates >= 0
    entries = np.ones(np.count_nonzero(fires)), (rows[fires], predicates[fires])
    return sparse.csr_matrix(entries, shape=shape)


def find_predicates(
    template: Template, read: Sequence[tuple[str, ...]], values: Values
) -> Iterator[Fired]:
    """Yield rows, places of the strings read, and the predicates that fire there, -1 for none."""
    numbers, found = values.get(template.name, {}), list(map(template.values_of, read))
    rows = np.repeat(np.arange(len(read), dtype=np.int32), list(map(len, found)))
    of_row = list(chain.from_iterable(found))
    own = np.array([numbers.get(value, -1) for value in of_row], np.int32)
    forms = {number for form in UNKNOWN_FORMS if (number := numbers.get(form)) is not None}
    yield rows, np.where(np.isin(own, list(forms)), -1, own) if forms else own
    if forms:
        found_forms = [unknown_form(value, numbers) for value in of_row]
        fired = [-1 if form is None else numbers.get(form, -1) for form in found_forms]
        yield rows, np.array(fired, np.int32)


def unknown_form(value: str, numbers: Mapping[str, int]) -> str | None:
    """Return which of ``UNKNOWN_FORMS`` a template's value is, None if the word is known.

    ``numbers`` are those of the template's values.
    """
    unknown = numbers.get(UNKNOWN, -1)
    if unknown < 0 or 0 <= numbers.get(value, -1) < unknown:
        return None
    return form_of(value)


def form_of(word: str) -> str:
    """Return which of ``UNKNOWN_FORMS`` a word is, whether it is known or not."""
    if tag_of(word) == Tag.PNC:
        return UNKNOWN_MARK
    return UNKNOWN if is_cased(word) else UNKNOWN_UNCASED


def unknown_predicates(predicates: Sequence[str], values: Values) -> list[str]:
    """Return what fires with some predicates, ``template=value``, of words without their own."""
    pairs = [predicate.split("=", 1) for predicate in predicates]
    forms = [(t, unknown_form(value, values.get(t, {}))) for t, value in pairs]
    return [f"{t}={form}" for t, form in forms if form in values.get(t, {})]
