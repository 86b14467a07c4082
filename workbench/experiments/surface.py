"""The grid of sigma^2 and cut-off: errors at its points, and which are as good as the best."""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.ndimage import binary_erosion, label

from workbench.adaptation.adaptation import AdaptedFit, adapt_by_cutoff
from workbench.evaluation.number_words import chance_in_words
from workbench.evaluation.significance import LEVEL, mcnemar, text_needed
from workbench.experiments.session import OnStep, Session
from workbench.learning.warm_start import fill_order
from workbench.settings import SIGMA2_GRID


def sweep(
    background: Any, adaptation: Any, texts: Mapping, sigma2s: Sequence[float],
    cutoffs: Sequence[int | None] = (0,), on_point: Callable[[int, int], object] | None = None,
) -> pd.DataFrame:  # fmt: skip
    """Return the errors and log-likelihood at every sigma^2 and cut-off.

    Errors are those of the adaptation data and of ``texts``, such as ``{"dev": ...}``;
    ``on_point`` is called with (points done, points in all).

    Returns
    -------
    points : DataFrame
        One row a point, as ``AdaptedFit.describe`` gives it; a cut-off None is missing.

    Source
    ------
    Chelba & Acero (2004), figure 1, tables 4 and 5.
    """
    found, points = adapt_by_cutoff(background, adaptation, {"train": adaptation, **texts}), []
    for cutoff in cutoffs:
        for sigma2 in sorted(sigma2s):
            points.append(found[cutoff].at(sigma2).describe())
            if on_point:
                on_point(len(points), len(sigma2s) * len(cutoffs))
    return with_cutoffs(points)


def with_cutoffs(points: Sequence[dict]) -> pd.DataFrame:
    """Return the table of the points of a sweep."""
    # A nullable integer: else a missing cut-off would make all of them floats.
    return pd.DataFrame(points).astype({"cutoff": "Int64"})


class Point(NamedTuple):
    """A point of the grid: a sigma^2 and a cut-off."""

    cutoff: int | None
    sigma2: float


def fill_paths(
    session: Session, cutoffs: Sequence[int | None],
    on_point: Callable[[int, int], object] | None = None, on_step: OnStep = None,
) -> None:  # fmt: skip
    """Fit every value of the slider's grid at some cut-offs; those known cost nothing.

    ``on_point`` is called with (fits done, fits in all), ``on_step`` with each ``Step`` of a fit.
    """
    missing = [(sigma2, cutoff) for cutoff in cutoffs for sigma2 in session.missing(cutoff)]
    for done, (sigma2, cutoff) in enumerate(missing, start=1):
        session.adaptation(cutoff).at(sigma2, on_step)
        if on_point:
            on_point(done, len(missing))


def idle_points(session: Session, sigma2: float, cutoffs: Sequence[int | None]) -> list[Point]:
    """Return the points to fit while nobody moves a slider, in this order.

    First the present sigma^2 at every cut-off, so that a new cut-off shows at once; then cut-off
    by cut-off. All 25 values take no longer than 7 of them, which are too far apart to predict
    where one another's fits end.
    """
    known = {cutoff: _fits(session, cutoff) for cutoff in cutoffs}
    first = [Point(cutoff, sigma2) for cutoff in cutoffs if sigma2 not in known[cutoff]]
    rows = {cutoff: fill_order(SIGMA2_GRID, {*known[cutoff], sigma2}) for cutoff in cutoffs}
    return first + [Point(cutoff, value) for cutoff in cutoffs for value in rows[cutoff]]


def grid_points(session: Session, cutoffs: Sequence[int | None]) -> pd.DataFrame:
    """Return the errors on dev at every point of the grid, and which are as good as the best.

    Nothing is fitted.

    Returns
    -------
    points : DataFrame
        One row a point, by cut-off and sigma^2: ``cutoff`` (missing for None), ``sigma2``,
        ``error`` (a fraction, or the quality that is lost; nan where the point is
        not fitted), ``best`` (of equals the one with the lowest cut-off, where the curve begins,
        and then the smallest sigma^2); ``p``, by which a point differs from it, as in
        ``is_near``; ``near_best``, those that do not clearly differ and are connected with it on
        the grid by such points; and ``simplest``, once all are fitted: of those whose neighbours
        along sigma^2 are among them, too, the one with the highest cut-off, then the fewest
        errors. There may be none.
    """
    known = {cutoff: _fits(session, cutoff) for cutoff in cutoffs}
    points = pd.DataFrame(product(cutoffs, SIGMA2_GRID), columns=["cutoff", "sigma2"])
    fits = [known[cutoff].get(sigma2) for cutoff, sigma2 in product(cutoffs, SIGMA2_GRID)]
    points["cutoff"] = points["cutoff"].astype("Int64")
    points["error"] = [_error(fit) if fit else np.nan for fit in fits]
    points["p"] = np.nan
    points["best"] = points["near_best"] = points["simplest"] = False
    if points["error"].notna().any():
        best = int(np.nanargmin(points["error"]))
        points["best"] = points.index == best
        points["p"] = [_p_value(session, fit, fits[best]) if fit else np.nan for fit in fits]
        parts, _ = label(np.reshape(points["p"] >= LEVEL, (len(cutoffs), -1)))
        is_around = parts == parts.flat[best]
        points["near_best"] = is_around.ravel()
        if all(fits):
            stands = binary_erosion(is_around, np.ones((1, 3), bool), border_value=1)
            among = points[stands.ravel()]
            among = among.assign(order=-among["cutoff"].fillna(10**9))  # high ones are before low
            simplest = among.sort_values(["order", "error", "sigma2"]).index[:1]
            points["simplest"] = points.index.isin(simplest)
    return points


def _fits(session, cutoff):
    """Return what is fitted at a cut-off, by sigma^2."""
    if cutoff not in session.known_cutoffs:
        return {}
    return {fit.sigma2: fit for fit in session.adaptation(cutoff).known}


def _error(fit):
    """Return the errors of a fit on dev, a fraction; where choices have a quality, what is lost."""
    return fit.wrong["dev"] / len(fit.tags["dev"])


def describe_choice(
    session: Session, fit: AdaptedFit, cutoffs: Sequence[int | None]
) -> tuple[Point | None, str]:
    """Return the point that is best on dev, and what a fit costs beside it.

    That is the best of all ``cutoffs`` where they are fitted, else of the fit's own; None where
    the fit is as good, or some sigma^2 of its cut-off is not fitted yet, of which nothing is said.
    """
    own = [fit.adaptation.problem.cutoff]
    if session.missing(own[0]):
        return None, ""
    is_full = all(map(session.known_cutoffs.__contains__, cutoffs)) and not any(
        map(session.missing, cutoffs)
    )
    points = grid_points(session, cutoffs if is_full else own)
    row = points[points["best"]].iloc[0]
    place = Point(None if pd.isna(row["cutoff"]) else int(row["cutoff"]), row["sigma2"])
    if row["error"] == _error(fit):
        other = "σ² and cut-off is" if is_full else "σ² of this cut-off is"
        is_it = place == (own[0], fit.sigma2)
        alike = "" if is_it else f"; {'★, ' if is_full else ''}{_name(row)}, has as few errors"
        return None, f"On dev no other {other} better{alike}."
    best = _fits(session, place.cutoff)[place.sigma2]
    pair = mcnemar(*(session.is_wrong("dev", each.tags["dev"]) for each in (fit, best)))
    differs = "clearly worse" if pair.p_value < LEVEL else "no clear difference"
    needed = text_needed(pair)
    more = (
        f"; {needed:.0f} times as much dev text might tell them apart" if 1.5 < needed < 100 else ""
    )
    chance = f"(p: {chance_in_words(pair.p_value)}){more}"
    cost = f"{100 * (_error(fit) - row['error']):.2f} percentage points"
    return place, (
        f"The best on dev {'of the map, ★,' if is_full else 'of this cut-off'} is {_name(row)}. "
        f"These files have {cost} more errors on dev than it: {differs} {chance}."
    )


def is_near(session: Session, fit: AdaptedFit, best: AdaptedFit) -> bool:
    """Return whether a fit does not clearly differ from the best on dev: p >= 0.05.

    That is McNemar's test, as for the pin and the papers' tables, and not the one-standard-error
    rule (Breiman et al., 1984), which knows the error of the best alone: both models read the same
    words, so one that makes the errors of the best and twenty more clearly differs from it.
    """
    return _p_value(session, fit, best) >= LEVEL


def _p_value(session, fit, best):
    return session.p_value("dev", fit.tags["dev"], best.tags["dev"])


def describe_grid(points: pd.DataFrame, quality: str = "") -> str:
    """Say in a sentence what the grid shows; ``quality`` as in ``Session.quality_name``."""
    known = points[points["error"].notna()]
    if known.empty:
        return "No point of the grid is fitted yet."
    best = points[points["best"]].iloc[0]
    simplest = "".join(
        f" The simplest among them: {_name(point)}."
        for _, point in points[points["simplest"]].iterrows()
    )
    near = points[points["near_best"]]
    figure = (
        f"Best on dev: {quality} {100 - 100 * best['error']:.2f} %" if quality
        else f"Fewest errors on dev: {100 * best['error']:.2f} %"
    )  # fmt: skip
    return (
        f"{len(known)} of {len(points)} points fitted. {figure} at {_name(best)}. "
        f"Points around it that do not clearly differ (p ≥ {LEVEL:g}): {len(near) - 1}, σ² from "
        f"{near['sigma2'].min():g} to {near['sigma2'].max():g}.{simplest}"
    )


def _name(point):
    cutoff = "none" if pd.isna(point["cutoff"]) else point["cutoff"]
    return f"σ² = {point['sigma2']:g}, cut-off {cutoff}"
