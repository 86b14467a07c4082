"""The weights of a model of candidate sets that adaptation moved most."""

import numpy as np
import pandas as pd

from workbench.experiments.exploring.session import Snapshot


def moved_weights(snapshot: Snapshot, n: int = 20) -> pd.DataFrame:
    """Return the features whose weights moved most, a DataFrame, the largest change first.

    ``feature``; its weights ``background`` (nan where it is new) and ``adapted``, and ``change``,
    in nats; and ``sentences``: in how many of the adaptation data it tells candidates apart.
    """
    problem, weights = snapshot.tuned.adaptation.problem, snapshot.tuned.fit.weights
    change = weights - problem.mean
    top = np.argsort(-np.abs(change), kind="stable")[:n]
    return pd.DataFrame(
        {
            "feature": [problem.features[place] for place in problem.places[top].tolist()],
            "background": np.where(problem.is_inherited[top], problem.mean[top], np.nan),
            "adapted": weights[top], "change": change[top],
            "sentences": problem.log_likelihood.observed[top].astype(int),
        }
    )  # fmt: skip
