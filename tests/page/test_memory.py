"""Sizes of objects are those of all that they own, once."""

import threading

import numpy as np
import pytest

from workbench.views import cache
from workbench.views.cache import give_back, sizes_of

MEGABYTE = np.zeros(1 << 20, np.int8)


class Owner:
    def __init__(self, owned):
        self.owned = owned

    def method(self):
        return self.owned


OWNERS = {
    "itself": lambda owned: owned, "list": lambda owned: [[owned]],
    "dict": lambda owned: {"key": {1: owned}}, "object": Owner,
    "view": lambda owned: owned[::2], "view of a view": lambda owned: owned[:10][:5],
    "closure": lambda owned: lambda: owned, "twice": lambda owned: [owned, owned],
}  # fmt: skip


@pytest.mark.parametrize("own", OWNERS.values(), ids=OWNERS)
def test_all_that_an_object_refers_to_counts_once(own):
    (size,) = sizes_of([own(MEGABYTE.copy())])
    assert 1 << 20 <= size < (1 << 20) + 5000


def test_what_several_share_counts_for_the_first():
    first, second = sizes_of([[MEGABYTE.copy()] * 2, [MEGABYTE]])
    shared = sizes_of([[MEGABYTE], [MEGABYTE, "own"]])
    assert first > 1 << 20
    assert second > 1 << 20
    assert shared[0] > 1 << 20 > 1000 > shared[1]


@pytest.mark.parametrize("other", [np, threading.Thread, Owner(MEGABYTE).method])
def test_the_program_and_who_is_called_are_no_part(other):
    assert sizes_of([[other]]) < [1000]


def test_a_cycle_ends():
    cycle = [MEGABYTE.copy()]
    cycle.append(cycle)
    assert 1 << 20 <= sizes_of([cycle])[0] < (1 << 20) + 5000


def test_strings_count_by_their_length():
    assert sizes_of([["x" * 1000, "y" * 1000]])[0] > 2000


def test_what_nothing_refers_to_is_freed(monkeypatch):
    import weakref

    cycle = Owner(None)
    cycle.owned = cycle
    gone = weakref.ref(cycle)
    del cycle
    give_back()
    assert gone() is None
    monkeypatch.setattr(cache.ctypes, "CDLL", lambda _: object())  # no glibc
    give_back()
