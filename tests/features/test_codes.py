"""Rows of integers as single integers, and back."""

import numpy as np
import pytest

from workbench.features import packing
from workbench.features.packing import join_codes, number_codes, split_codes

RADICES = [(3, 4, 5), (1 << 40, 1 << 40), (1 << 40, 3, 1 << 40), (1 << 31, 1 << 31, 2), (1,)]


@pytest.mark.parametrize("sizes", RADICES)
def test_joined_codes_tell_rows_apart_and_keep_their_order(rng, sizes):
    rows = rng.integers(0, np.minimum(sizes, 4), (50, len(sizes)))
    rows[rows == 3] = np.broadcast_to(np.array(sizes) - 1, rows.shape)[rows == 3]  # the far end
    code, _ = join_codes(rows.T, sizes)
    places = {row: place for place, row in enumerate(sorted(set(map(tuple, rows.tolist()))))}
    assert np.unique(code, return_inverse=True)[1].tolist() == [
        places[tuple(row)] for row in rows.tolist()
    ]


@pytest.mark.parametrize("sizes", RADICES)
def test_codes_split_into_the_columns_they_were_made_of(rng, sizes, monkeypatch):
    monkeypatch.setattr(packing, "_IN_CACHE", 7)
    rows = rng.integers(0, np.minimum(sizes, 1000), (50, len(sizes)))
    np.testing.assert_array_equal(np.stack(split_codes(*join_codes(rows.T, sizes)), axis=1), rows)


@pytest.mark.parametrize("end", [1, 50, 1 << 40, 1 << 62])
def test_distinct_codes_are_numbered_in_order(rng, end, monkeypatch):
    monkeypatch.setattr(packing, "_AT_ONCE", 7)
    given = rng.integers(0, end, 99)
    given[rng.integers(0, 99, 30)] = given[0]
    distinct, places = np.unique(given, return_inverse=True)
    for found, expected in zip(number_codes(given), (distinct, places), strict=True):
        assert np.array_equal(found, expected)
