"""Grids over sigma^2 and cut-off: the table behind figure 1 and tables 4 and 5."""

from collections.abc import Callable, Mapping, Sequence

import pandas as pd

from workbench.experiments.tuning import AdaptedFit, Tuning, tunings
from workbench.features.selection import min_count
from workbench.models.log_linear import LogLinear
from workbench.text.corpus import Corpus


def sweep(
    background: LogLinear,
    adaptation: Corpus,
    texts: Mapping[str, Corpus],
    sigma2s: Sequence[float],
    cutoffs: Sequence[int | None] = (0,),
    on_point: Callable[[int, int], object] | None = None,
) -> pd.DataFrame:
    """Return the errors and log-likelihood at every sigma^2 and cut-off.

    Errors are those of the adaptation data and of ``texts``, such as ``{"dev": ...}``;
    ``on_point`` is called with (points done, points in all).

    Returns
    -------
    points : DataFrame
        One row a point, as ``describe_point`` gives it; a cut-off None is missing.

    Source
    ------
    Chelba & Acero (2004), figure 1, tables 4 and 5.
    """
    texts, points = {"train": adaptation, **texts}, []
    tuned = tunings(background, adaptation, texts, min(cutoffs, key=min_count, default=0))
    for cutoff in cutoffs:
        for sigma2 in sorted(sigma2s):
            points.append(describe_point(tuned[cutoff], tuned[cutoff].at(sigma2)))
            if on_point:
                on_point(len(points), len(sigma2s) * len(cutoffs))
    # A nullable integer: else a missing cut-off would make all of them floats.
    return pd.DataFrame(points).astype({"cutoff": "Int64"})


def describe_point(tuning: Tuning, tuned: AdaptedFit) -> dict:
    """Return one point of a sweep.

    Returns
    -------
    point : dict
        cutoff, sigma2, new_features, free_weights, log_likelihood (nats, total, of the
        adaptation data), an error rate (fraction) for each text, converged, seconds.
    """
    errors = {
        f"{name}_error_rate": tuned.wrong[name] / len(text.corpus)
        for name, text in tuning.packed.items()
    }
    return {
        "cutoff": tuning.problem.cutoff,
        "sigma2": tuned.sigma2,
        "new_features": tuning.problem.n_new,
        "free_weights": tuning.problem.n_active,
        "log_likelihood": tuned.fit.log_likelihood,
        **errors,
        "converged": tuned.fit.converged,
        "seconds": tuned.fit.seconds,
    }
