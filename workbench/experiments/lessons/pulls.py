"""Figures of single weights, between what the text gains by a move and what the prior takes."""

from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.optimize import minimize_scalar

from workbench.adaptation.adaptation import Adaptation
from workbench.evaluation.number_words import per_cent, probability_in_words
from workbench.experiments.lessons.answers import rank
from workbench.experiments.lessons.fits import CUTOFF, FigureGroup, LessonFits
from workbench.experiments.lessons.words import WordFigures
from workbench.experiments.why import why
from workbench.settings import SIGMA2_GRID, SIGMA2_START
from workbench.text.characters import join_words

_TRIED = 4  # fixed words, the surest, of which that is taken whose two weights differ most
_MOVES, _DRAWN = 31, 121  # of a weight: for which the gain is worked out, and that are drawn
_AROUND = 4  # words on each side of an example
_STEEPEST = 6  # times as much in log-likelihood, of a second weight on the same scale
_RAISED = 0.3  # by how much a weight should rise, at least, that is drawn
_INHERITED = 0.2  # how far from 0 the background's value of the rarer weight should be
_FEW = 30  # times that it is seen, at most, to be preferred for that
_MOVERS = 100  # weights among which a new one is looked for
# What is gained, what is added to it, and their sum.
_LINES = {  # by kind
    "likelihood": "text: Σ log p(y | x)", "prior": "prior: −(λ − λ⁰)² / 2σ²", "sum": "sum",
}  # fmt: skip
_PULL = (
    "The figure moves one weight of “{}” and leaves all others as in the background: drag σ², and "
    "watch the top of the sum."
)
_NEW = " The figure has one of the new ones now: its λ⁰ is 0."
_NO_TOP = " Its orange curve has no top: only the prior stops it."
_OUTWEIGHED = (
    "Of two weights that move alone, at σ² = 1, that of a feature seen {0} times goes {2} of the "
    "way that the text asks for, that of one seen {1} times goes {3}."
)
_OF_TWO = (
    "pull_times_rare", "pull_times_often", "pull_share_rare", "pull_share_often", "pull_answer",
    "pull_claim",
)  # fmt: skip


class PullFigures(FigureGroup):
    """How often the features of two weights are seen, and how far their weights get.

    That is at sigma^2 = 1 the share of the way from the background's value to the top of the
    log-likelihood, nearly that at the largest sigma^2.
    """

    def __init__(self, fits: LessonFits, words: WordFigures):
        super().__init__(fits)
        self._words = words

    @cached_property
    def figures(self) -> dict[str, str]:
        """The figures by name, as texts."""
        word, pulls = self._word, self._pulls
        says = {
            "pull_says": _PULL.format(word["after"]) if pulls else "",
            "pull_word": word["after"] if pulls else "",
            "pull_new": self._say_new(),
        }
        if len(pulls) < 2 or not all(pull["best"][-1] for pull in pulls):
            return says | dict.fromkeys(_OF_TWO, "")
        rare, often = map(_share, pulls)
        shares = [per_cent(share, 0) for share in (rare, often)]
        values = *(f"{pull['times']:,}" for pull in pulls), *shares
        answer = rank(often - rare, (-0.02, 0.02))
        claim = _OUTWEIGHED.format(*values) if answer == "3" else ""
        return says | dict(zip(_OF_TWO, (*values, answer, claim), strict=True))

    def _say_new(self) -> str:
        """Return what is said of the new weight that is drawn; "" without one."""
        if not self._pull_of_new:
            return ""
        gains = self._pull_of_new[0]["gains"]
        return _NEW + (_NO_TOP if gains[-1] == max(gains) else "")

    def draw_rare(self, is_open: bool) -> dict[str, Any] | None:
        """Return the rarer weight, as ``pulls``, a list of one as in ``_pull_of_weight``.

        With the names of the ``lines`` that make it up, and the word that it is ``near``. None,
        here and below, where there is no such weight, or while the path is not fitted.
        """
        return None if self.session.missing(CUTOFF) else self._near_word(self._pulls[:1])

    def draw_both(self, is_open: bool) -> dict[str, Any] | None:
        """Return both weights on the same scales, without the sums of their curves while asked."""
        if self.session.missing(CUTOFF):
            return None
        drawn = self._near_word(self._pulls_alike)
        return drawn | {"lines": without_sum(_LINES)} if drawn and is_open else drawn

    def draw_slopes(self, is_open: bool) -> dict[str, Any] | None:
        """Return both weights, with the counts seen and expected to be told below each."""
        drawn = self.draw_both(is_open)
        return drawn | {"tellsSlopes": True} if drawn else None

    def draw_new(self, is_open: bool) -> dict[str, Any] | None:
        """Return the rarer weight; once told, that of a feature that the background lacks."""
        if is_open or self.session.missing(CUTOFF) or not self._pull_of_new:
            return self.draw_rare(is_open)
        return _named(self._pull_of_new)

    def _near_word(self, pulls: list[dict[str, Any]]) -> dict[str, Any] | None:
        """Return weights to be drawn, and their word: its place, context, its tag's probability."""
        if not pulls:
            return None
        dev, position = self.session.corpora["dev"], self._word["position"]
        start = int(dev.starts[dev.sentence_ids[position]])
        words, place = dev.sentence(int(dev.sentence_ids[position])), position - start
        first, word = max(0, place - _AROUND), words[place]
        whole = join_words(words[first : place + _AROUND + 1])
        before = join_words(words[first : place + 1])[: -len(word)]
        after = whole[len(before) + len(word) :]
        along = self.session.path(CUTOFF, "dev", position)
        tag = dev.tag_names[dev.tags[position]]
        chances = np.array(along["p"])[:, along["tags"].index(tag)]
        sure = [f"{tag} {probability_in_words(p)}" for p in chances]
        near = {"position": position, "before": before, "after": after, "sure": sure}
        return _named(pulls) | {"near": near}

    @cached_property
    def _chosen(self) -> tuple[dict[Any, Any], list[tuple[dict[str, Any], np.ndarray]]]:
        """The row of the fixed word that is drawn, and its weights, as ``_two_of``; or nothing."""
        words = self._words.surest.drop_duplicates("word").head(_TRIED).to_dict("records")
        found = [(word, self._two_of(word["position"])) for word in words]
        return max(found, key=lambda each: _contrast(each[1]), default=({}, []))

    @property
    def _word(self) -> dict[Any, Any]:
        return self._chosen[0]

    def _two_of(self, position: int) -> list[tuple[dict[str, Any], np.ndarray]]:
        """Return two weights of a word, ready to be drawn, each with its direction, shape (F,).

        They are weights that were raised, and would rise alone: for its new tag that of the rarest
        feature, rather of those that the background has, too; for that or its old tag, of the most
        frequent. Each has its ``name``, its ``tag`` and the ``times`` that it is seen. One where
        no other was raised, or none.
        """
        snapshot = self.session.at(self.fits.best, CUTOFF)
        adaptation, weights = snapshot.tuned.adaptation, snapshot.tuned.fit.weights
        problem = adaptation.problem
        gap = why(self.session, snapshot, position)["gap"]
        _, slope = adaptation.log_likelihood(problem.mean)
        raised = []
        for row, tag in product(gap["rows"], (gap["to"], gap["from"])):
            axis = problem.direction([(row["predicate"], tag, 1.0)])
            if axis @ (weights - problem.mean) > 0 and axis @ slope > 0:
                times = int(axis @ problem.log_likelihood.observed)
                raised.append(({"name": row["words"], "tag": tag, "times": times}, axis))

        def first(order, least, most=np.inf):
            drawn = ((one | _pull_of_weight(adaptation, axis), axis) for one, axis in order)
            fits = (each for each in drawn
                    if each[0]["best"][-1] >= least and max(each[0]["gains"]) <= most)  # fmt: skip
            return next(fits, None)

        raised.sort(key=lambda each: each[0]["times"])
        # Rather one that shows that the prior's mean is the background's weight, not 0.
        order = sorted(raised, key=lambda each: (
            abs(each[1] @ problem.mean) < _INHERITED or each[0]["times"] > _FEW
        ))  # fmt: skip
        if not (rare := first((own for own in order if own[0]["tag"] == gap["to"]), _RAISED)):
            return []
        more = (own for own in raised[::-1] if own[0]["times"] > rare[0]["times"])
        # Of those that can be seen on the same scales.
        often = first(more, rare[0]["best"][-1] / 3, _STEEPEST * max(rare[0]["gains"]))
        return [rare, often] if often else [rare]

    @property
    def _pulls(self) -> list[dict[str, Any]]:
        return [pull for pull, _ in self._chosen[1]]

    @cached_property
    def _pulls_alike(self) -> list[dict[str, Any]]:
        """Both weights on the same scales, so that the prior is the same curve for each.

        Where the log-likelihood is largest is marked, too.
        """
        if not self._pulls:
            return []
        adaptation, far = self.session.adaptation(CUTOFF), max(p["best"][-1] for p in self._pulls)
        drawn = [pull | _pull_of_weight(adaptation, axis, far) for pull, axis in self._chosen[1]]
        most = max(max(pull["gains"]) for pull in drawn)
        for pull in drawn:
            pull["range"] = [-0.6 * most, 1.1 * most]
            pull["ghosts"].append([pull["best"][-1], "text:"])
        return drawn

    @cached_property
    def _pull_of_new(self) -> list[dict[str, Any]]:
        """The weight that rose most among those of words that the background lacks, to be drawn.

        A list of one, or of none.
        """
        snapshot = self.session.at(self.fits.best, CUTOFF)
        adaptation = snapshot.tuned.adaptation
        top = self.session.movers(snapshot, _MOVERS)
        of_words = top["predicate"].str.startswith("currentword=")
        drawn = []
        for row in top[top["new"] & of_words & (top["change"] > 0)].head(1).itertuples():
            axis = adaptation.problem.direction([(row.predicate, row.tag, 1.0)])
            times = int(axis @ adaptation.problem.log_likelihood.observed)
            says = {"name": row.words, "tag": row.tag, "times": times}
            drawn.append(says | _pull_of_weight(adaptation, axis))
        return drawn


def _share(pull: dict[str, Any]) -> float:
    """Return how far a weight gets at sigma^2 = 1, as a share of how far it gets at the largest."""
    return pull["best"][SIGMA2_GRID.index(SIGMA2_START)] / pull["best"][-1]


def _contrast(pulled: list[tuple[dict[str, Any], np.ndarray]]) -> tuple[bool, float]:
    """Return the key to choose a word by: is the rarer weight an old one, and how both differ."""
    pulls = [pull for pull, _ in pulled if pull["best"][-1]]
    if len(pulls) < 2:
        return False, len(pulls) - 2.0
    rare, often = pulls
    return abs(rare["mean"]) >= _INHERITED, _share(often) - _share(rare)


def _pull_of_weight(adaptation: Adaptation, axis: np.ndarray, far: float = 0) -> dict[str, Any]:
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
    most, drawn = max(gains(moves)), np.linspace(moves[0], moves[-1], _DRAWN)
    return {
        "symbol": "λ", "mean": float(mean @ axis), "moves": drawn.tolist(),
        "gains": gains(drawn).tolist(), "best": [float(move) for move in best],
        "range": [-0.6 * most, 1.1 * most], "ghosts": [[0, "λ⁰"]],
    }  # fmt: skip


def without_sum(lines: dict[str, str]) -> dict[str, str]:
    """Return the names of lines by kind, without the name of their sum."""
    return {kind: name for kind, name in lines.items() if kind != "sum"}


def _named(pulls: list[dict[str, Any]]) -> dict[str, Any]:
    """Return weights to be drawn, each named with its tag, and the names of their lines."""
    named = [pull | {"name": f"{pull['name']} → {pull['tag']}"} for pull in pulls]
    return {"pulls": named, "lines": _LINES}
