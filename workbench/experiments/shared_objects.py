"""Objects that many threads share, each made by one of them while the others wait."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from workbench.experiments.memory import sizes_of

_PAUSE = 0.1  # seconds between two calls of ``on_wait``
OnWait = Callable[[], object] | None


class Turns:
    """Locks by key: of the threads that ask for the same key, one holds it and the others wait."""

    def __init__(self):
        self._lock = threading.Lock()  # held for a look, never while something is made
        self._busy: dict[Hashable, threading.Event] = {}

    @contextmanager
    def take(self, key: Hashable, on_wait: OnWait = None) -> Iterator[None]:
        """Wait for the turn of a key and hold it in the block, however that ends.

        ``on_wait`` is called every tenth of a second of waiting; an exception from it ends
        the waiting.
        """
        while held := self._hold(key):
            if on_wait:
                on_wait()
            held.wait(_PAUSE)
        try:
            yield
        finally:
            with self._lock:
                self._busy.pop(key).set()

    def _hold(self, key):
        """Return None if this thread now holds the key, else the event of its release."""
        with self._lock:
            if key in self._busy:
                return self._busy[key]
            self._busy[key] = threading.Event()
        return None


class Kept:
    """Objects that several users share, each made by one thread.

    What somebody uses is kept, and of the rest what was used last, as long as all of it together
    takes no more than some bytes of memory.

    Parameters
    ----------
    most : int
        Bytes, as ``measure`` counts them.
    measure : callable
        From objects to their sizes; what they share is counted for the first.
    """

    def __init__(self, most: int, measure: Callable[[Iterable[Any]], Sequence[int]] = sizes_of):
        self._most, self._measure = most, measure
        self._kept = OrderedDict[Hashable, Any]()  # the last used at the end
        self._used = dict[Hashable, Hashable]()  # the key of what each user uses
        self._lock, self._turns = threading.Lock(), Turns()

    def get(
        self, key: Hashable, make: Callable[[], Any], on_wait: OnWait = None,
        turn: Hashable | None = None, user: Hashable | None = None,
    ) -> Any:  # fmt: skip
        """Return the object of a key, which ``make`` makes if it is not kept.

        Who asks for a key that is being made waits, see ``Turns``; if making it fails or is
        ended, the next who waits makes it. All other keys are free meanwhile, but for those
        of the same ``turn``: a key itself, unless something else is given. A ``user`` uses the
        object until it asks for another or leaves.
        """
        if (found := self._find(key, user)) is None:
            with self._turns.take(key if turn is None else turn, on_wait):
                if (found := self._find(key, user)) is None:
                    found = make()
                    self._keep(key, found, user)
        return found

    def _find(self, key, user):
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                self._note(key, user)
            return self._kept.get(key)

    def _note(self, key, user):
        if user is not None:
            self._used[user] = key

    def _keep(self, key, made, user):
        with self._lock:
            self._kept[key] = made
            self._note(key, user)
            latest_first = list(reversed(self._kept.items()))
        sizes = self._measure(made for _, made in latest_first)  # takes long: others go on
        excess = sum(sizes) - self._most
        with self._lock:
            for (old, _), size in list(zip(latest_first, sizes, strict=True))[:0:-1]:
                if excess > 0 and self._drop(old):
                    excess -= size

    def _drop(self, key):
        """Drop an object unless it is used; returns whether it is gone."""
        if key in self._used.values():
            return False
        return self._kept.pop(key, None) is not None

    def leave(self, is_gone: Callable[[Any], bool]) -> None:
        """Forget the users of whom something is true, and drop all that nobody uses."""
        with self._lock:
            self._used = {user: key for user, key in self._used.items() if not is_gone(user)}
            for key in list(self._kept):
                self._drop(key)
