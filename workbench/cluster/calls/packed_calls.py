"""Calls sent as bytes, so that only workers need this package, and not the scheduler.

Dask's scheduler unpacks the functions and arguments of tasks, so it would need every module that
they come from. Here it sees bytes, arrays and futures, and a function that is sent whole.
"""

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np


def submit(client: Any, function: Callable, *arguments: Any, **placed: Any) -> Any:
    """Return the future of ``function(*arguments)`` on a worker; ``placed`` are Dask's options.

    The function is one of a module. Arguments that are futures stand for their results.
    """
    from distributed import Future

    sent = {i: a for i, a in enumerate(arguments) if isinstance(a, Future | np.ndarray)}
    others = [None if i in sent else argument for i, argument in enumerate(arguments)]
    packed = pickle.dumps((function, others, list(sent)))
    return client.submit(_unpack_and_call, packed, *sent.values(), pure=False, **placed)


def _make_call():
    """Return what runs on a worker: a function in a function, which is sent whole."""

    def unpack_and_call(packed: bytes, *sent: Any) -> Any:
        from pickle import loads

        function, arguments, places = loads(packed)
        for place, argument in zip(places, sent, strict=True):
            arguments[place] = argument
        return function(*arguments)

    return unpack_and_call


_unpack_and_call = _make_call()
