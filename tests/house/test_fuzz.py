"""Anything at all is given to what reads: the targets of ``tests/fuzz``, the same on every run."""

import os
from unittest.mock import patch

import pytest
from fuzz import TARGETS
from hypothesis import given, settings
from strategies import steady


@pytest.fixture(scope="module", autouse=True)
def _environment():
    """Leave the environment as it was: a target looks for models in a folder of its own."""
    with patch.dict(os.environ):
        yield


@pytest.mark.parametrize("name", TARGETS)
def test_anything_is_read_or_refused_in_a_line(name):
    inputs, check, n_examples = TARGETS[name]
    settings(steady, max_examples=n_examples)(given(inputs)(check))()
