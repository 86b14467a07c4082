"""Objects that many threads share, each made by one of them while the others wait."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Any

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
    """The most recently used objects of one kind, each made by one thread."""

    def __init__(self, most: int):
        self._most, self._kept = most, OrderedDict[Hashable, Any]()
        self._lock, self._turns = threading.Lock(), Turns()

    def get(
        self, key: Hashable, make: Callable[[], Any], on_wait: OnWait = None,
        turn: Hashable | None = None,
    ) -> Any:  # fmt: skip
        """Return the object of a key, which ``make`` makes if it is not kept.

        Who asks for a key that is being made waits, see ``Turns``; if making it fails or is
        ended, the next who waits makes it. All other keys are free meanwhile, but for those
        of the same ``turn``: a key itself, unless something else is given.
        """
        if (found := self._find(key)) is None:
            with self._turns.take(key if turn is None else turn, on_wait):
                if (found := self._find(key)) is None:
                    found = make()
                    self._keep(key, found)
        return found

    def _find(self, key):
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def _keep(self, key, made):
        with self._lock:
            self._kept[key] = made
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
