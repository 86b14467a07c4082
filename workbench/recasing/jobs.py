"""Recasing in several processes, whose results come in the order of the text."""

import multiprocessing
import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait

from workbench.recasing.answers import Answer, Answerer, Piece
from workbench.text.errors import InputError

_AHEAD = 2  # pieces a process that wait: more would only take memory
_own: list[Answerer] = []  # in a worker: its answerer


def answer_in_processes(
    make: Callable[[], Answerer], chunks: Iterable[bytes], n_jobs: int
) -> Iterator[Answer]:
    """Yield the answers to the text of some chunks, in order, by several processes.

    This process cuts bytes and hands them on, and nothing else, since all wait for it. Each of the
    others calls ``make``, a function that can be pickled, once. If it keeps what it returned, it
    costs nothing where processes are forked, as on Linux.
    """
    method = "fork" if sys.platform == "linux" else "spawn"
    context = multiprocessing.get_context(method)
    pieces, waiting = make().pieces(chunks), deque[Future[list[Answer]]]()
    with ProcessPoolExecutor(n_jobs, context, _begin, (make,)) as pool:
        try:
            for piece in pieces:
                waiting.append(pool.submit(_answer, piece))
                if len(waiting) > _AHEAD * n_jobs:
                    yield from waiting.popleft().result()
            while waiting:
                yield from waiting.popleft().result()
        except BrokenProcessPool:
            raise InputError("a job was ended from outside, perhaps out of memory") from None
        finally:
            pool.shutdown(cancel_futures=True)


def _begin(make):
    """Prepare a worker, which ends when the process that started it does."""
    _own[:] = [make()]
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent():
    if parent := multiprocessing.parent_process():
        wait([parent.sentinel])
        os._exit(1)


def _answer(piece: Piece) -> list[Answer]:
    return _own[0].answer(piece)
