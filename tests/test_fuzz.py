"""Anything at all is given to what reads: the targets of ``tests/fuzz``, the same on every run."""

import pytest
from fuzz import TARGETS
from hypothesis import given, settings
from strategies import steady


@pytest.mark.parametrize("name", TARGETS)
def test_anything_is_read_or_refused_in_a_line(name):
    inputs, check, n_examples = TARGETS[name]
    settings(steady, max_examples=n_examples)(given(inputs)(check))()
