"""What lessons draw in place of the curve: the objective along a weight, errors on other texts."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.optimize import minimize_scalar

from workbench.adaptation.adaptation import Adaptation, AdaptedFit
from workbench.evaluation.significance import difference_error
from workbench.settings import SIGMA2_GRID
from workbench.text.corpus import Corpus

_MOVES = 61  # of a weight, that are drawn
# Names of the lines of a figure of "pulls": what is gained, what is added to it, and their sum.
OF_WEIGHTS = ["text: Σ log p(y | x)", "prior: −(λ − λ⁰)² / 2σ²", "sum"]
OF_LEFT_OUT = ["with the sentence: L", "what it takes away: −ℓₛ", "without it: L − ℓₛ"]


def pull_of_weight(adaptation: Adaptation, axis: np.ndarray, far: float = 0) -> dict[str, Any]:
    """Return the log-likelihood along one weight, and its optimum at each sigma^2.

    All other weights are the background's. It is drawn somewhat beyond a rise of ``far``; by
    default of as much as raises the log-likelihood most.
    ``mean`` is the background's value of it; ``moves``, by how much it might be raised, and for
    each the ``gains`` in log-likelihood, nats; and for each sigma^2 the ``best`` of the moves,
    where the gain less the penalty of Chelba & Acero's equation 3 is largest.
    """
    mean, loosest = adaptation.problem.mean, 2 * max(SIGMA2_GRID)
    start, _ = adaptation.log_likelihood(mean)

    def gain(move):
        return adaptation.log_likelihood(mean + move * axis)[0] - start

    far = far or minimize_scalar(lambda move: move**2 / loosest - gain(move), bounds=(0.1, 20)).x
    moves = np.linspace(-0.4 * far, 1.4 * far, _MOVES)
    gains = CubicSpline(moves, [gain(move) for move in moves])
    fine = np.linspace(0, far, 50 * _MOVES)
    best = [fine[np.argmax(gains(fine) - fine**2 / (2 * sigma2))] for sigma2 in SIGMA2_GRID]
    most = max(gains(moves))
    return {
        "symbol": "λ", "mean": float(mean @ axis), "moves": moves.tolist(),
        "gains": gains(moves).tolist(), "best": [float(move) for move in best],
        "range": [-0.6 * most, 1.1 * most], "ghosts": [[0, "λ⁰"]],
    }  # fmt: skip


def draw_alike(
    adaptation: Adaptation, pulls: Sequence[dict], axes: Sequence[np.ndarray]
) -> list[dict]:
    """Return some weights as ``pull_of_weight`` does, all on the same scales.

    So the prior is the same curve for each. Where the log-likelihood is largest is marked, too.
    """
    far = max(pull["best"][-1] for pull in pulls)
    drawn = [pull | pull_of_weight(adaptation, axis, far)
             for pull, axis in zip(pulls, axes, strict=True)]  # fmt: skip
    most = max(max(pull["gains"]) for pull in drawn)
    for pull in drawn:
        pull["range"] = [-0.6 * most, 1.1 * most]
        pull["ghosts"].append([pull["best"][-1], "text:"])
    return drawn


def pull_of_sentence(
    fit: AdaptedFit, without: AdaptedFit, gap: float, left_out: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the objective with and without a sentence, along a line through both optima.

    ``gap`` is how much more a word's tag scores than another, in nats, with the sentence;
    ``left_out`` is what ``Session.left_out`` says of that word.

    Returns
    -------
    drawn : dict
        ``moves``, by how much the gap rises on the way; ``gains``, those of the objective with
        all sentences; and ``others``, minus those of the sentence's log-likelihood; nats.
    """
    start, way = fit.fit.weights, without.fit.weights - fit.fit.weights
    shares = np.linspace(1.5, -0.5, _MOVES)

    def gains(adaptation):
        def value(share):
            weights = start + share * way
            penalty = ((weights - adaptation.problem.mean) ** 2).sum() / (2 * fit.sigma2)
            return adaptation.log_likelihood(weights)[0] - penalty

        return np.array([value(share) for share in shares]) - value(0)

    whole, fewer = (gains(each.adaptation) for each in (fit, without))
    change, top = left_out["true"], fewer.max()
    return {
        "symbol": "without it", "mean": gap, "moves": (change * shares).tolist(),
        "gains": whole.tolist(), "others": (fewer - whole).tolist(),
        "best": [change] * len(SIGMA2_GRID), "range": [-2 * top, 3 * top],
        "ghosts": [[0, "with it"], [left_out["forecast"], "without it, forecast"]],
    }  # fmt: skip


def curve_on(text: Corpus, background: Any, adapted: Sequence[Any]) -> dict[str, Any]:
    """Return the error rates of the background and of adapted models on a text, to be drawn.

    ``points`` and ``rules`` as in ``make_payload``, as far as the curve needs them.
    """
    n = np.bincount(text.sentence_ids)
    before, *others = (
        (np.bincount(text.sentence_ids, model.tag(text) != text.tags), n)
        for model in (background, *adapted)
    )
    rates = [float(errors.sum() / n.sum()) for errors, _ in (before, *others)]
    spreads = (1.96 * float(np.nan_to_num(difference_error(each, before))) for each in others)
    return {
        "rules": [{"name": "background", "error": rates[0]}],
        "points": [{"dev": rate, "spread": spread}
                   for rate, spread in zip(rates[1:], spreads, strict=True)],
    }  # fmt: skip


def typical_half(errors: np.ndarray, chosen: np.ndarray) -> int:
    """Return the number of the half of dev that is most like the average half.

    That is by how many more errors its chosen sigma^2 has on the other half, where both halves
    have about as many errors over all sigma^2.

    Parameters
    ----------
    errors, chosen : ndarray, shapes (2, divisions, sigma^2), (2, divisions)
        Error rates of the halves, and the place of the sigma^2 with the fewest of each.
    """
    own, other = (each.reshape(chosen.size, -1) for each in (errors, errors[::-1]))
    more = (other - own)[np.arange(chosen.size), chosen.ravel()]
    return int(np.argmin(np.abs(more - more.mean()) + np.abs((other - own).mean(axis=1))))


def halves_of(errors: np.ndarray, chosen: np.ndarray, is_open: bool) -> dict[str, Any]:
    """Return the error rates of two halves of dev along sigma^2, ready to be drawn.

    One is the ``typical_half``, whose arguments are the same; the other, and its mean over all
    divisions, are left out while the question about it ``is_open``.
    """
    own, other = (each.reshape(chosen.size, -1) for each in (errors, errors[::-1]))
    at, one = (np.arange(chosen.size), chosen.ravel()), typical_half(errors, chosen)
    drawn: dict[str, Any] = {
        "elsewhere": "half of dev text", "label": "the half that chooses",
        "points": [{"dev": rate, "spread": 0} for rate in own[one].tolist()],
        "rules": [{"name": "mean where it chose", "error": float(own[at].mean())}],
    }  # fmt: skip
    if is_open:
        return drawn
    drawn["rules"].append({"name": "mean on the other half", "error": float(other[at].mean())})
    points = [{"dev": rate} for rate in other[one].tolist()]
    return drawn | {"other": {"name": "the other half", "points": points}}
