"""What a target is, and where it may write."""

import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from hypothesis.strategies import SearchStrategy

from workbench.text.errors import InputError


class Target(NamedTuple):
    """Inputs, what must hold of each, and how many the tests make of them."""

    inputs: SearchStrategy
    check: Callable[[Any], None]
    n_examples: int


@cache
def scratch() -> Path:
    """Return a folder that is gone when the process ends."""
    folder = tempfile.TemporaryDirectory(prefix="fuzz-")
    _KEPT.append(folder)
    return Path(folder.name)


_KEPT: list[tempfile.TemporaryDirectory] = []


def refusal(error: InputError) -> None:
    """Check that a refusal is one line of a length that one reads."""
    assert str(error).isprintable(), repr(str(error))
    assert 10 < len(str(error)) < 1000, len(str(error))
