"""Figures of less text: what random parts of the adaptation text do, and one alone."""

from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from workbench.adaptation.adaptation import Adaptation
from workbench.evaluation.number_words import per_cent, with_minus
from workbench.experiments.amounts import order_of
from workbench.experiments.lessons.answers import LOOSE, judge, rank
from workbench.experiments.lessons.fits import CUTOFF, FigureGroup, LessonFits
from workbench.settings import SETTINGS, SIGMA2_GRID
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError

# Random parts of the adaptation text: one in so many sentences.
_PARTS = {"tenth": 10, "hundredth": 100, "third": 3}
_LEAST = 20  # sentences of a tenth
_DRAWS = 3  # of each part, of which the middle one is told, and the range of all is drawn
_ALONE = SIGMA2_GRID[::6]  # of a model that is learnt from it without a background
_HELPS = "A tenth of the adaptation text, {1} of {2} words, brings {0} of all that it gains."
_STIFF = (
    " Where σ² is small its gap is the smaller one: a tenth of the text pulls a tenth as hard "
    "against the same prior."
)
_NAMES = (
    "little_words", "little_error", "little_share", "little_fewer", "little_answer",
    "little_alone", "little_alone_answer", "little_alone_says", "little_claim", "little_sigma2",
    "little_gap", "little_answer_gap", "little_error_loose", "little_train_loose",
    "little_says_loose", "little_says", "little_range", "little_stiff",
)  # fmt: skip
_OF_AMOUNTS = (
    "amount_words_hundredth", "amount_share_hundredth", "amount_range", "amount_share_third",
    "amount_answer", "amount_says",
)  # fmt: skip


class _Part(NamedTuple):
    """A random part of the adaptation text, and what models adapted to it get wrong."""

    text: Corpus
    wrong: list[np.ndarray]  # words of dev, by sigma^2: bool, shape (N,)
    learnt: list[float]  # error rates on the part itself, by sigma^2

    @property
    def best(self) -> np.ndarray:
        """Which words of dev are wrong with the sigma^2 that is best for it; bool, shape (N,)."""
        return min(self.wrong, key=np.sum)

    def gap(self, i: int) -> float:
        """Return by how many percentage points, each rounded, more is wrong on dev than on it."""
        dev, own = (round(100 * rate, 2) for rate in (float(self.wrong[i].mean()), self.learnt[i]))
        return dev - own


class LittleTextFigures(FigureGroup):
    """Errors on dev after adaptation to a random tenth of the text, and without a background.

    Each with the sigma^2 that is best for it; empty texts where that tenth is too short, or where
    all of the text brings no gain.
    """

    def __init__(self, fits: LessonFits):
        super().__init__(fits)
        self._drawn_parts = dict[str, list[_Part]]()

    @cached_property
    def is_told(self) -> bool:
        """Whether the text is long enough to be divided, and adapting to all of it is a gain."""
        train, fits = self.session.corpora["train"], self.fits
        is_long = train.n_sentences >= _LEAST * _PARTS["tenth"]
        return is_long and fits.at(fits.best).wrong["dev"] < fits.is_wrong_before.sum()

    def draws(self, name: str) -> list[_Part]:
        """Return the random draws of a part, the one with the fewest wrong words of dev first."""
        if name not in self._drawn_parts:
            draws = [self._adapted_to(name, draw) for draw in range(_DRAWS)]
            self._drawn_parts[name] = sorted(draws, key=lambda part: int(part.best.sum()))
        return self._drawn_parts[name]

    def part(self, name: str) -> _Part:
        """Return the middle one of the draws of a part."""
        return self.draws(name)[_DRAWS // 2]

    def shares(self, name: str) -> tuple[float, list[float]]:
        """Return which share of the gain of all the text a part brings; and those of its draws."""
        before = int(self.fits.is_wrong_before.sum())
        whole = before - self.fits.at(self.fits.best).wrong["dev"]
        gains = [(before - int(part.best.sum())) / whole for part in self.draws(name)]
        return gains[_DRAWS // 2], gains

    def _adapted_to(self, name: str, draw: int) -> _Part:
        """Return a part of a name as one of its random draws has it."""
        session, (part, path) = self.session, next(self._draw(name, draw))
        fits = [path.at(sigma2) for sigma2 in SIGMA2_GRID]
        learnt = [fit.wrong["train"] / max(1, len(part)) for fit in fits]
        return _Part(part, [session.is_wrong("dev", fit.tags["dev"]) for fit in fits], learnt)

    def _draw(self, name: str, draw: int) -> Iterator[tuple[Corpus, Adaptation]]:
        """Yield random parts, and adaptations to them.

        Only such as can be learnt: few sentences may have no capital, or no word that is known.
        """
        train = self.session.corpora["train"]
        n = max(1, train.n_sentences // _PARTS[name])
        for seed in count(draw, _DRAWS):
            with suppress(InputError):
                part = train.take(np.sort(order_of(train, seed)[:n])).require_cased()
                yield part, self.session.with_corpora({"train": part}).adaptation(CUTOFF)

    @cached_property
    def _alone(self) -> np.ndarray:
        """Which words of dev a model of the tenth alone gets wrong, with the best of ``_ALONE``."""
        session, text = self.session, self.part("tenth").text
        options = session.training_options | {"cutoff": 0}
        models = (type(session.background).fit(text, sigma2=s, **options) for s in _ALONE)
        wrong = (session.is_wrong("dev", model.tag(session.corpora["dev"])) for model in models)
        return min(wrong, key=np.sum)

    @cached_property
    def figures(self) -> dict[str, str]:
        """The figures by name, as texts."""
        if not self.is_told:
            return dict.fromkeys(_NAMES, "")
        fits, before, dev = self.fits, self.fits.is_wrong_before, self.session.corpora["dev"]
        tenth, (share, shares) = self.part("tenth"), self.shares("tenth")
        place = int(np.argmin([wrong.sum() for wrong in tenth.wrong]))
        n_before, told = int(before.sum()), with_minus(per_cent(share, 0))
        whole, train = fits.at(fits.best).wrong["dev"], len(self.session.corpora["train"])
        answer, says = judge(dev, before, self._alone, "background and that model")
        loosest, learnt = tenth.wrong[-1], tenth.learnt[-1]
        gap, words = tenth.gap(-1), f"{len(tenth.text):,}"
        values = (
            words, per_cent(float(tenth.best.mean())), told,
            f"{n_before - int(tenth.best.sum()):,} of {n_before - whole:,}",
            rank(share, (1 / 3, 0.75)),
            per_cent(float(self._alone.mean())), answer, says,
            _HELPS.format(told, words, f"{train:,}") if share > 0 else "",
            SETTINGS["sigma2"].text(SIGMA2_GRID[place]),
            with_minus(f"{gap:.2f}"), rank(gap - fits.gap(max(SIGMA2_GRID)), (-0.1, 0.1)),
            per_cent(float(loosest.mean())), per_cent(learnt),
            judge(dev, before, loosest, LOOSE)[1], judge(dev, before, tenth.best)[1],
            _range(shares), _STIFF if tenth.gap(0) < fits.gap(min(SIGMA2_GRID)) else "",
        )  # fmt: skip
        return dict(zip(_NAMES, values, strict=True))

    def draw(self, is_open: bool) -> dict[str, Any] | None:
        """Return the errors on dev along sigma^2 of all the text, and of a tenth once it is told.

        ``points`` and ``rules``, as in a payload, with a ``label``, and those of an ``other`` text.
        None where there are no parts, here and below.
        """
        drawn = self._drawn
        if drawn is None or not is_open:
            return drawn
        rest = {name: drawn[name] for name in ("elsewhere", "rules")}
        return rest | {"label": drawn["other"]["name"], "points": drawn["other"]["points"]}

    def draw_alone(self, is_open: bool) -> dict[str, Any] | None:
        """Return these errors, and once it is told those of a model without a background."""
        if (drawn := self._drawn) is None:
            return None
        alone = {"name": "that tenth alone", "error": float(self._alone.mean())}
        rules = drawn["rules"] if is_open else [*drawn["rules"], alone]
        return drawn | {"rules": rules}

    def draw_gaps(self, is_open: bool) -> dict[str, Any] | None:
        """Return by how much more is wrong on dev than on what was learnt; None while it is asked.

        In percentage points, as ``counts``, of a tenth of the text and of all of it.
        """
        if is_open or not self.is_told:
            return None
        part = self.part("tenth")
        gaps = {
            "tenth of it": [part.gap(i) for i in range(len(SIGMA2_GRID))],
            "all of it": [self.fits.gap(sigma2) for sigma2 in SIGMA2_GRID],
        }
        return {
            "name": "gap between dev and what was learnt, percentage points",
            "counts": {name: [round(gap, 2) for gap in own] for name, own in gaps.items()},
        }

    @cached_property
    def _drawn(self) -> dict[str, Any] | None:
        """The errors on dev of a tenth and, as ``other``, of all the text; None without parts."""
        if not self.is_told:
            return None
        tenth = [float(wrong.mean()) for wrong in self.part("tenth").wrong]
        points, whole = (
            [{"dev": error, "spread": 0} for error in errors]
            for errors in (tenth, self.fits.on_dev)
        )
        background = {"name": "background", "error": float(self.fits.is_wrong_before.mean())}
        return {
            "elsewhere": "dev text", "rules": [background],
            "label": "a tenth of it", "points": points,
            "other": {"name": "all of it", "points": whole},
        }  # fmt: skip


class AmountFigures(FigureGroup):
    """The learning curve: the lowest errors on dev after adaptation to more and more text."""

    def __init__(self, fits: LessonFits, little: LittleTextFigures):
        super().__init__(fits)
        self._little = little

    @cached_property
    def figures(self) -> dict[str, str]:
        """The figures by name, as texts."""
        little = self._little
        if not little.is_told:
            return dict.fromkeys(_OF_AMOUNTS, "")
        hundredth, (share, shares) = little.part("hundredth"), little.shares("hundredth")
        says = judge(self.session.corpora["dev"], self.fits.is_wrong_before, hundredth.best)[1]
        values = (
            f"{len(hundredth.text):,}", with_minus(per_cent(share, 0)), _range(shares),
            with_minus(per_cent(little.shares("third")[0], 0)), rank(share, (0.1, 0.5)), says,
        )  # fmt: skip
        return dict(zip(_OF_AMOUNTS, values, strict=True))

    def draw(self, is_open: bool) -> dict[str, Any] | None:
        """Return the ``words`` and the lowest ``error`` on dev of each part, and of all the text.

        With the ``low`` and ``high`` of all its draws. While it is asked, None stands for the
        figures of all parts but the tenth. With the error of the ``background``.
        """
        if not self._little.is_told:
            return None
        amounts = list[dict[str, Any]]()
        for name in _PARTS:  # all now, so that the answer shows at once
            draws = self._little.draws(name)
            is_told, words = not is_open or name == "tenth", len(draws[_DRAWS // 2].text)
            errors = [float(draws[i].best.mean()) if is_told else None for i in (0, 1, -1)]
            amounts.append(
                {"words": words, **dict(zip(("low", "error", "high"), errors, strict=True))}
            )
        best = self.fits.at(self.fits.best).wrong["dev"] / len(self.session.corpora["dev"])
        whole = len(self.session.corpora["train"])
        amounts.append({"words": whole, "error": best, "low": best, "high": best})
        amounts.sort(key=lambda amount: amount["words"])
        return {"amounts": amounts, "background": float(self.fits.is_wrong_before.mean())}


def _range(shares: list[float]) -> str:
    """Return the smallest and the largest of some shares, in words."""
    low, high = (with_minus(per_cent(share, 0)) for share in (min(shares), max(shares)))
    return f"{low} to {high}"
