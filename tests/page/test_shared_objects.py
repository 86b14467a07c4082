"""What visitors share: made once, kept while it is used, measured with all that it owns."""

import threading
import time

import numpy as np
import pytest

from workbench.views import cache
from workbench.views.cache import Kept, Turns, give_back, sizes_of

PATIENCE = 10.0  # seconds: a test that hangs fails


def run(work, *arguments):
    """Start a thread; returns it and a list that gets what it returned or raised."""
    outcome = []

    def keep():
        try:
            outcome.append(work(*arguments))
        except BaseException as error:  # as Streamlit's exceptions are
            outcome.append(error)

    thread = threading.Thread(target=keep, daemon=True)
    thread.start()
    return thread, outcome


def count(objects):
    """One for each object: as many are kept as the bound says."""
    return [1 for _ in objects]


@pytest.fixture
def slow():
    """A ``make`` that begins, then waits until it may end; counts its calls."""

    class Slow:
        began, may_end, calls = threading.Event(), threading.Event(), 0

        def __call__(self):
            self.calls += 1
            self.began.set()
            assert self.may_end.wait(PATIENCE)
            return "slow"

    return Slow()


def test_a_ready_object_is_had_while_another_is_made(slow):
    kept = Kept(3, count)
    kept.get("ready", lambda: "at once")
    thread, outcome = run(kept.get, "slow", slow)
    assert slow.began.wait(PATIENCE)
    began = time.monotonic()
    assert kept.get("ready", pytest.fail) == "at once"
    assert kept.get("other", lambda: "made meanwhile") == "made meanwhile"
    assert time.monotonic() - began < 1
    assert not outcome
    slow.may_end.set()
    thread.join(PATIENCE)
    assert outcome == ["slow"]


def test_two_that_ask_for_one_make_it_once_and_the_second_is_told(slow):
    kept, waits = Kept(3, count), threading.Event()
    first, one = run(kept.get, "key", slow)
    assert slow.began.wait(PATIENCE)
    second, other = run(kept.get, "key", slow, waits.set)
    assert waits.wait(PATIENCE)
    slow.may_end.set()
    for thread in (first, second):
        thread.join(PATIENCE)
    assert (one, other, slow.calls) == (["slow"], ["slow"], 1)


class Cancelled(BaseException):
    """Ends a run as Streamlit does; no ``Exception``."""


@pytest.mark.parametrize("kind", [ValueError, Cancelled])
def test_if_the_maker_fails_one_who_waits_takes_over(slow, kind):
    kept, waits = Kept(3, count), threading.Event()

    def fail():
        slow()
        raise kind

    first, one = run(kept.get, "key", fail)
    assert slow.began.wait(PATIENCE)
    second, other = run(kept.get, "key", lambda: "second try", waits.set)
    assert waits.wait(PATIENCE)
    slow.may_end.set()
    for thread in (first, second):
        thread.join(PATIENCE)
    assert isinstance(one[0], kind)
    assert other == ["second try"]
    assert kept.get("key", pytest.fail) == "second try"


def test_who_waits_can_be_ended_and_the_maker_goes_on(slow):
    kept = Kept(3, count)

    def end():
        raise Cancelled

    first, one = run(kept.get, "key", slow)
    assert slow.began.wait(PATIENCE)
    with pytest.raises(Cancelled):
        kept.get("key", slow, end)
    slow.may_end.set()
    first.join(PATIENCE)
    assert one == ["slow"]


def test_keys_of_one_turn_are_made_one_after_the_other(slow):
    kept, waits = Kept(3, count), threading.Event()
    first, _ = run(lambda: kept.get("a", slow, turn="texts"))
    assert slow.began.wait(PATIENCE)
    second, other = run(lambda: kept.get("b", lambda: "b", waits.set, turn="texts"))
    assert waits.wait(PATIENCE)
    assert not other
    slow.may_end.set()
    for thread in (first, second):
        thread.join(PATIENCE)
    assert other == ["b"]


def test_those_used_last_are_kept():
    kept, made = Kept(2, count), []

    def get(key):
        return kept.get(key, lambda: made.append(key) or key)

    for key in "abaca":  # b is the oldest when c comes
        get(key)
    assert made == ["a", "b", "c"]
    get("b")
    assert made == ["a", "b", "c", "b"]


def test_what_somebody_uses_is_kept_until_they_leave_or_ask_for_another():
    kept = Kept(2, count)
    for user in "abcd":
        kept.get(user, user.upper, user=user)
    assert made_of(kept, *"abcd") == ""
    kept.leave(lambda user: user in "ab")
    assert made_of(kept, *"cd") == ""
    assert made_of(kept, *"ab") == "ab"
    kept = Kept(1, count)
    for key in "ab":
        kept.get(key, key.upper, user="one")
    assert made_of(kept, "b", "a") == "a"
    kept = Kept(10, count)
    kept.get("a", str, user="one")
    kept.get("b", lambda: "B", user="two")
    kept.get("c", lambda: "C")
    kept.leave(lambda user: user == "one")
    assert made_of(kept, *"bca") == "ca"


def made_of(kept, *keys):
    """The keys that are made anew when all of them are asked for."""
    made = []
    for key in keys:
        kept.get(key, lambda key=key: made.append(key) or key)
    return "".join(made)


def test_as_many_are_kept_as_fit():
    kept = Kept(100, lambda objects: [len(each) for each in objects])
    for key, size in {"a": 40, "b": 30, "c": 20, "d": 50}.items():  # d: a has to go
        kept.get(key, lambda size=size: "x" * size)
    assert made_of(kept, *"bcd") == ""
    kept.get("e", lambda: "x" * 200)  # does not fit at all, but is had
    assert made_of(kept, *"e") == ""
    assert made_of(kept, *"bcd") == "bcd"


def test_a_turn_ends_with_its_block_however_it_ends():
    turns = Turns()
    with pytest.raises(ValueError, match="on purpose"), turns.take("key"):
        raise ValueError("on purpose")
    with turns.take("key", pytest.fail):
        pass


def test_others_go_on_while_sizes_are_measured():
    measuring, may_end = threading.Event(), threading.Event()

    def measure(objects):
        if (n := len(list(objects))) > 1:
            measuring.set()
            assert may_end.wait(PATIENCE)
        return [1] * n

    kept = Kept(1, measure)
    kept.get("ready", lambda: "at once")
    thread, _ = run(kept.get, "new", lambda: "new")
    assert measuring.wait(PATIENCE)
    assert kept.get("ready", pytest.fail) == "at once"
    may_end.set()
    thread.join(PATIENCE)


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


def test_a_cycle_ends_and_strings_count_by_their_length():
    cycle = [MEGABYTE.copy()]
    cycle.append(cycle)
    assert 1 << 20 <= sizes_of([cycle])[0] < (1 << 20) + 5000
    assert sizes_of([["x" * 1000, "y" * 1000]])[0] > 2000


@pytest.mark.parametrize("other", [np, threading.Thread, Owner(MEGABYTE).method])
def test_the_program_and_who_is_called_are_no_part(other):
    assert sizes_of([[other]]) < [1000]


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
