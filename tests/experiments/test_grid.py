"""The grid of sigma^2 and cut-off: what is known, what is missing, what is as good as the best."""

import re
from itertools import permutations, product

import numpy as np
import pandas as pd
import pytest
from oracles import is_as_good

from workbench.experiments.surface import (
    Point,
    describe_choice,
    describe_grid,
    fill_paths,
    grid_points,
    idle_points,
)
from workbench.settings import SIGMA2_GRID

CUTOFFS = (0, 2, None)


@pytest.fixture
def session(fresh_session):
    return fresh_session


def test_only_points_that_are_fitted_are_known(session):
    points = grid_points(session, CUTOFFS)
    assert len(points) == 3 * len(SIGMA2_GRID)
    assert points["error"].isna().all()
    assert not points["best"].any()
    assert not points["near_best"].any()
    assert session.known_cutoffs == []  # looking opens nothing
    assert describe_grid(points) == "No point of the grid is fitted yet."
    session.at(1.0, 2)
    points = grid_points(session, CUTOFFS).dropna(subset="error")
    assert not points["simplest"].any()  # before all is known it would be another
    assert "simplest" not in describe_grid(points)
    assert [(row.cutoff, row.sigma2) for row in points.itertuples()] == [(2, 1.0)]
    assert points["error"].iloc[0] == session.at(1.0, 2).point["dev_error_rate"]


def test_what_a_choice_costs_is_told_beside_the_best_of_its_cutoff_then_of_the_map(session):
    one = session.at(1.0, 2).tuned
    assert describe_choice(session, one, CUTOFFS) == (None, "")  # of some, another may be best
    fill_paths(session, [2])
    _check_choices(session, [2], "of this cut-off")
    fill_paths(session, CUTOFFS)
    _check_choices(session, CUTOFFS, "of the map, ★,")


def _check_choices(session, cutoffs, scope):
    gold = session.corpora["dev"].tags
    fits = {Point(c, fit.sigma2): fit for c in cutoffs for fit in session.adaptation(c).known}
    wrong = {point: fit.tags["dev"] != gold for point, fit in fits.items()}
    least = min(each.sum() for each in wrong.values())
    lowest = [point for point, each in wrong.items() if each.sum() == least]
    first = min(lowest, key=lambda point: (CUTOFFS.index(point.cutoff), point.sigma2))
    seen, told_of = set(), set()
    for point, fit in fits.items():
        best, says = describe_choice(session, fit, CUTOFFS)
        more = wrong[point].sum() - least
        seen.add(best)
        if more == 0:
            assert best is None
            assert says.startswith("On dev no other σ² ")
            assert says.endswith(" better." if point == first else ", has as few errors.")
            continue
        assert wrong[best].sum() == least
        cutoff = "none" if best.cutoff is None else best.cutoff
        assert f" {scope} is σ² = {best.sigma2:g}, cut-off {cutoff}. " in says
        assert f" have {100 * more / len(gold):.2f} percentage points more errors on dev " in says
        assert ("no clear" in says) == is_as_good(wrong[point], wrong[best])
        if told := re.search(r"; (\d+) times as much dev text", says):
            only = [np.count_nonzero(a & ~b) for a, b in permutations((wrong[point], wrong[best]))]
            n = int(told[1])  # where the sum of n such texts is 1.96 standard deviations from 0
            assert 1.96 / abs(only[0] - only[1]) == pytest.approx((n / sum(only)) ** 0.5, rel=0.2)
            told_of.add(n)
    assert told_of
    assert len(seen) == 2  # of equals one, and nowhere to go from there


def test_idle_time_goes_to_the_present_sigma2_then_row_by_row_and_ends(session):
    session.at(3.2, 2)
    points = idle_points(session, 3.2, CUTOFFS)
    assert points[:2] == [Point(0, 3.2), Point(None, 3.2)]
    assert [point.cutoff for point in points[2:]] == [0] * 24 + [2] * 24 + [None] * 24
    assert {*points, Point(2, 3.2)} == {Point(*each) for each in product(CUTOFFS, SIGMA2_GRID)}
    assert len(points) == 74
    for cutoff, sigma2 in points:
        session.at(sigma2, cutoff)
    assert idle_points(session, 3.2, CUTOFFS) == []


def hanging_together(places, start):
    """The places of a map of rows of 25 that one can reach from one of them."""
    found = {start}
    while more := {
        i for i in {*places} - found for j in found
        if abs(i // 25 - j // 25) + abs(i % 25 - j % 25) == 1
    }:  # fmt: skip
        found |= more
    return found


def test_a_filled_grid_has_every_snapshot_marks_the_best_and_is_told_in_a_sentence(session):
    for cutoff, sigma2 in product(CUTOFFS, SIGMA2_GRID):
        session.at(sigma2, cutoff)
    table = grid_points(session, CUTOFFS)
    assert table["error"].notna().all()
    for cutoff, sigma2 in ((0, 0.1), (None, 10.0)):
        same = table["cutoff"].isna() if cutoff is None else table["cutoff"] == cutoff
        row = table[same.fillna(False) & (table["sigma2"] == sigma2)].iloc[0]
        snapshot = session.at(sigma2, cutoff)
        assert row["error"] == snapshot.models[-1]["error_rate"]
    dev = session.corpora["dev"]
    best = table[table["best"]]
    assert len(best) == 1
    assert best["error"].iloc[0] == table["error"].min()
    cutoffs = [None if pd.isna(cutoff) else int(cutoff) for cutoff in table["cutoff"]]
    wrong = [
        session.at(sigma2, cutoff).tuned.tags["dev"] != dev.tags
        for sigma2, cutoff in zip(table["sigma2"], cutoffs, strict=True)
    ]
    as_good = [i for i in range(len(wrong)) if is_as_good(wrong[i], wrong[best.index[0]])]
    assert table.index[table["p"] >= 0.05].tolist() == as_good
    near = sorted(hanging_together(as_good, best.index[0]))
    assert table.index[table["near_best"]].tolist() == near
    assert 1 < len(near) < len(table)
    among = [
        i for i in near
        if all(j in near for j in (i - 1, i + 1) if j // 25 == i // 25)
    ]  # fmt: skip
    expected = sorted(among, key=lambda i: (-(i // 25), wrong[i].sum(), i))[:1]
    assert table.index[table["simplest"]].tolist() == expected != []
    equal = table[table["error"] == table["error"].min()]
    row = table[table["best"]].iloc[0]  # of equals that of the lowest cut-off
    assert (99 if pd.isna(row["cutoff"]) else row["cutoff"]) == equal["cutoff"].fillna(99).min()
    own = equal["cutoff"].isna() if pd.isna(row["cutoff"]) else equal["cutoff"] == row["cutoff"]
    assert row["sigma2"] == equal[own]["sigma2"].min()
    assert len(equal) > 1
    text = describe_grid(table)
    assert text.startswith("75 of 75 points fitted. Fewest errors on dev: ")
    assert text.count("The simplest among them: σ² = ") == 1
    assert f"Points around it that do not clearly differ (p ≥ 0.05): {len(near) - 1}, σ²" in text
