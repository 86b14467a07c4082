"""A sweep: errors and log-likelihood at every sigma^2 and cut-off of a grid (CA04, figure 1)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd

from workbench.adaptation.adaptation import adapt_by_cutoff


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
