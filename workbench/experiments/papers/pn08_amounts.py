"""Plank & van Noord (2008) by amount of data: table 3, figure 1, and the auxiliary weight.

With capitalizers or on candidate sets; ``study`` is a ``Study`` or a ``CandidateStudy``.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from workbench.adaptation.method import Method
from workbench.adaptation.methods.auxiliary import TiedAuxiliary
from workbench.evaluation.significance import mcnemar
from workbench.experiments.compare import METHODS
from workbench.experiments.method_rows import LEVEL
from workbench.experiments.papers.pn08 import SYSTEMS, Learners
from workbench.experiments.papers.study import beside_paper
from workbench.experiments.papers.table_spec import make_spec

SHARES = (0.01, 0.05, 0.25, 1.0)
N_DRAWS = 10  # of each share: two of each of five folds
LEARNERS = ("target", "auxiliary", "model-combination", "equal-weights")
PRIORS = {
    "a wide one of its own": METHODS["auxiliary"],
    "that of all features": replace(METHODS["auxiliary"], prepare=TiedAuxiliary),
}
_FEWEST = 10  # sentences that are worth learning from


def draw(corpus: Any, share: float, seed: int) -> Any:
    """Draw a share of the sentences; a smaller share is part of a larger one."""
    order = np.random.default_rng(seed).permutation(corpus.n_sentences)
    n = max(1, round(share * corpus.n_sentences))
    return corpus.take(np.sort(order[:n]))


def _draws(study, share):
    """Return (some of the other folds, dev, held-out fold) of each draw; none if too few."""
    folds = study.folds(next(iter(study.domains)))
    fewest = min(rest.n_sentences for rest, _, _ in folds)
    if round(share * fewest) < _FEWEST:
        return []
    n_draws = N_DRAWS if share < 1 else len(folds)  # all is all: one of each fold
    cases = ((seed, *folds[seed % len(folds)]) for seed in range(n_draws))
    return [(draw(rest, share, seed), dev, held) for seed, rest, dev, held in cases]


def _learn(study: Any, method: Method, draws: list[tuple], score: Callable) -> np.ndarray:
    """Return what ``score`` makes of each draw's model and held-out fold."""
    learners = Learners(study, method, draws[0][1])
    return np.array([score(learners.learn(some), held) for some, _, held in draws])


# --- table 3 and figure 1 -----------------------------------------------------------------


def make_shares(study: Any) -> list[dict]:
    """Return accuracy by share of the in-domain data, drawn at random, on the first domain."""
    return list(_share_rows(study))


def _share_rows(study: Any) -> Iterator[dict]:
    for share in SHARES:
        if not (draws := _draws(study, share)):
            continue
        outside = np.array([study.accuracy(study.background(), held) for _, _, held in draws])
        row: dict[str, Any] = _describe_draws(study, share, draws)
        row["background"] = float(outside.mean())
        for name in LEARNERS:
            study.report(f"{SYSTEMS[name]}, {share:.0%} of the in-domain data")
            own = _learn(study, METHODS[name], draws, study.accuracy)
            row |= {name: float(own.mean()), f"{name}_spread": float(own.std(ddof=1))}
            row |= {f"{name}_{key}": value for key, value in _compare(outside, own).items()}
        yield row


def _describe_draws(study, share, draws):
    sizes = [study.n_units(some) for some, _, _ in draws]
    return {"share": share, "draws": len(draws), "words": round(float(np.mean(sizes)))}


def _compare(outside, own):
    """Return in how many draws a system is above the background, and the sign test's p-value."""
    signs = mcnemar(own > outside, own < outside)  # the sign test, of who is above
    return {"above": signs.fixed, "p": signs.p_value}


def judge_shares(rows: list[dict]) -> str:
    """Compare the systems on very little in-domain data."""
    if not rows:
        return "There is too little text of the domain for shares of it."
    first, last = rows[0], rows[-1]
    is_clear = first["auxiliary_p"] < LEVEL
    below = is_clear and first["auxiliary"] < first["background"]
    never = not any(
        row["model-combination"] < row["background"] and row["model-combination_p"] < LEVEL
        for row in rows
    )
    best = max(LEARNERS, key=lambda name: last[name])
    says = f"at {first['share']:.0%} of the data the auxiliary distribution is"
    combined = f"model combination {'never falls' if never else 'somewhere falls'}"
    return (
        f"{beside_paper(below if is_clear else None, says)} "
        f"{'' if below else 'not '}significantly below out-of-domain alone: "
        f"{first['auxiliary']:.2%} and {first['background']:.2%}, above it in "
        f"{first['auxiliary_above']} of {first['draws']} draws. "
        f"{beside_paper(None if never else False, combined)} significantly below it. "
        f"With all of it the highest is {SYSTEMS[best]}, {last[best]:.2%}. The paper's figures are "
        "not at hand. Tests are of the signs over draws."
    )


# --- the auxiliary weight -----------------------------------------------------------------


def make_weights(study: Any) -> list[dict]:
    """Return the size of the auxiliary weight by amount of data and by the prior on it.

    Where one variance serves all features, the auxiliary one too, its weight is drawn to 0.
    """
    rows = []
    for share in SHARES:
        draws = _draws(study, share)
        outside = [study.accuracy(study.background(), held) for _, _, held in draws]
        for prior, method in PRIORS.items() if draws else ():
            study.report(f"auxiliary weight, prior {prior}, {share:.0%} of the data")
            found = _learn(study, method, draws, lambda model, held: (
                study.accuracy(model, held), model.info["estimated"]["auxiliary"],
            ))  # fmt: skip
            row = _describe_draws(study, share, draws) | {"prior": prior}
            row |= {"weight": float(found[:, 1].mean()), "spread": float(found[:, 1].std(ddof=1))}
            row["gain"] = 100 * float((found[:, 0] - outside).mean())
            rows.append(row | _compare(np.array(outside), found[:, 0]))
    return rows


def judge_weights(rows: list[dict]) -> str:
    """Say whether scarce data or the prior make the weight too small."""
    if not rows:
        return "There is too little text of the domain for shares of it."
    wide, tied = ([row for row in rows if row["prior"] == prior] for prior in PRIORS)
    shrunk = [row for row in tied if row["weight"] > -0.5]
    worse = [row for row in rows if row["gain"] < 0 and row["p"] < LEVEL]
    return (
        "At -1, and nothing else, the auxiliary feature is the background. Under a prior of its "
        f"own its weight is {_weights(wide)} from the least to the most data; under that of all "
        f"features {_weights(tied)}, less than half the background's in {len(shrunk)} of "
        f"{len(tied)} amounts. The adapted model is significantly below the background in "
        f"{len(worse)} of {len(rows)} rows{_name_rows(worse)}."
    )


def _weights(rows):
    return ", ".join(f"{row['weight']:.2f}" for row in rows)


def _name_rows(rows):
    if not rows:
        return ""
    return ": " + "; ".join(f"{row['share']:.0%}, prior {row['prior']}" for row in rows)


_AMOUNT = (("share", "share", "rate"), ("draws", "draws", "count"))
TABLE_SPECS = (
    make_spec(
        "pn08-figure1", "PN08", "table 3 and figure 1",
        "accuracy by share of in-domain data, drawn at random", make_shares, judge_shares,
        *_AMOUNT, ("words", "words or sentences", "count"),
        ("background", SYSTEMS["background"], "rate"),
        *(column for name in LEARNERS for column in (
            (name, SYSTEMS[name], "rate"), (f"{name}_spread", "deviation", "rate"),
            (f"{name}_above", "draws above out-of-domain", "count"), (f"{name}_p", "p", "chance"),
        )),
    ),
    make_spec(
        "pn08-weight", "PN08", "beside table 3", "the auxiliary weight by amount of data and prior",
        make_weights, judge_weights,
        *_AMOUNT, ("words", "words or sentences", "count"), ("prior", "prior on the weight"),
        ("weight", "weight", "signed"), ("spread", "deviation", "signed"),
        ("gain", "points over out-of-domain alone", "signed"),
        ("above", "draws above it", "count"), ("p", "p (signs)", "chance"),
    ),
)  # fmt: skip
