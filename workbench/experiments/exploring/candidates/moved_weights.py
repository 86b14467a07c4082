"""The weights of a model of candidate sets that adaptation moved most."""

import numpy as np
import pandas as pd

from workbench.experiments.session import Session, Snapshot


def moved_weights(session: Session, snapshot: Snapshot, n: int = 20) -> pd.DataFrame:
    """Return the features whose weights moved most, a DataFrame, the largest change first.

    ``feature``; its weights ``background`` (nan where it is new) and ``adapted``, and ``change``,
    in nats; ``sentences``: in how many of the adaptation data it tells candidates apart; and
    ``positions``, a list: the sentences of the snapshot's text whose choice it helped to change.
    """
    problem, weights = snapshot.tuned.adaptation.problem, snapshot.tuned.fit.weights
    change = weights - problem.mean
    top = np.argsort(-np.abs(change), kind="stable")[:n]
    names = [problem.features[place] for place in problem.places[top].tolist()]
    return pd.DataFrame(
        {
            "feature": names,
            "background": np.where(problem.is_inherited[top], problem.mean[top], np.nan),
            "adapted": weights[top], "change": change[top],
            "sentences": problem.log_likelihood.observed[top].astype(int),
            "positions": _helped(session, snapshot, names, change[top]),
        }
    )  # fmt: skip


def _helped(session, snapshot, names, change):
    """Return the sentences of which each feature helped to change the choice; lists.

    Its change speaks for the adapted model's candidate, against that of the background.
    """
    sets, part = session.corpora[snapshot.part], snapshot.part
    before, after = session.background_tags(part), snapshot.tuned.tags[part]
    values = (sets.value_of(name) for name in names)
    gains = [(own[after] - own[before]) * moved for own, moved in zip(values, change, strict=True)]
    return [np.flatnonzero(gain > 0).tolist() for gain in gains]
