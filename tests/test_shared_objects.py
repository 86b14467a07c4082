"""Objects shared by threads: made once, what is ready is had at once, a failure blocks nobody."""

import threading
import time

import pytest

from workbench.experiments.shared_objects import Kept, Turns

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
    kept = Kept(3)
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
    kept, waits = Kept(3), threading.Event()
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
    kept, waits = Kept(3), threading.Event()

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
    kept = Kept(3)

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
    kept, waits = Kept(3), threading.Event()
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
    kept, made = Kept(2), []

    def get(key):
        return kept.get(key, lambda: made.append(key) or key)

    for key in "abaca":  # b is the oldest when c comes
        get(key)
    assert made == ["a", "b", "c"]
    get("b")
    assert made == ["a", "b", "c", "b"]


def test_a_turn_ends_with_its_block_however_it_ends():
    turns = Turns()
    with pytest.raises(ValueError, match="on purpose"), turns.take("key"):
        raise ValueError("on purpose")
    with turns.take("key", pytest.fail):
        pass
