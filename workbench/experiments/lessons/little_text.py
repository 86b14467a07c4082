"""Figures of less text: what random parts of the adaptation text do, and one alone."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from workbench.evaluation.number_words import per_cent, with_minus
from workbench.experiments.amounts import order_of
from workbench.experiments.lessons.answers import judge, rank
from workbench.experiments.lessons.fits import CUTOFF, FigureGroup
from workbench.settings import SETTINGS, SIGMA2_GRID
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError

# Random parts of the adaptation text: one in so many sentences. The first is what lessons ask of.
_PARTS = {"tenth": 10, "hundredth": 100, "thirtieth": 30, "third": 3}
_LEAST = 20  # sentences of a tenth
_DRAWS = 3  # of each part, of which the first is told, and the range of all is drawn
_ALONE = SIGMA2_GRID[::6]  # of a model that is learnt from it without a background
_HELPS = "A tenth of the adaptation text, {1} of {2} words, brings {0} of all that it gains."
_NAMES = (
    "little_words", "little_error", "little_share", "little_fewer", "little_answer",
    "little_alone", "little_alone_answer", "little_alone_says", "little_claim", "little_sigma2",
    "little_words_hundredth", "little_share_hundredth", "little_share_third",
    "little_answer_hundredth", "little_gap", "little_answer_gap", "little_error_loose",
    "little_train_loose", "little_says_loose", "little_says", "little_says_hundredth",
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


class LittleTextFigures(FigureGroup):
    """Errors on dev after adaptation to a random tenth of the text, and without a background.

    Each with the sigma^2 that is best for it; empty texts where that tenth is too short, or where
    all of the text brings no gain.
    """

    @cached_property
    def _parts(self) -> dict[str, _Part]:
        """The parts by name; none where there is nothing to tell of them."""
        train, fits = self.session.corpora["train"], self.fits
        is_short = train.n_sentences < _LEAST * _PARTS["tenth"]
        if is_short or fits.at(fits.best).wrong["dev"] >= fits.is_wrong_before.sum():
            return {}
        return {name: self._adapted_to(name) for name in _PARTS}

    def _adapted_to(self, name: str, draw: int = 0) -> _Part:
        """Return a part of a name as one of its random draws has it."""
        session, part = self.session, next(self._draw(name, draw))
        path = session.with_corpora({"train": part}).adaptation(CUTOFF)
        fits = [path.at(sigma2) for sigma2 in SIGMA2_GRID]
        learnt = [fit.wrong["train"] / max(1, len(part)) for fit in fits]
        return _Part(part, [session.is_wrong("dev", fit.tags["dev"]) for fit in fits], learnt)

    def _draw(self, name: str, draw: int) -> Iterator[Corpus]:
        """Yield random parts that can be learnt: few sentences may have no capital letter."""
        train = self.session.corpora["train"]
        n = max(1, train.n_sentences // _PARTS[name])
        for seed in count(draw, _DRAWS):
            with suppress(InputError):
                yield train.take(np.sort(order_of(train, seed)[:n])).require_cased()

    @cached_property
    def _drawn_again(self) -> dict[str, list[float]]:
        """The lowest error rates on dev of each part, of all its draws but the first."""
        draws = range(1, _DRAWS)
        return {name: [float(self._adapted_to(name, draw).best.mean()) for draw in draws]
                for name in self._parts}  # fmt: skip

    @cached_property
    def _alone(self) -> np.ndarray:
        """Which words of dev a model of the tenth alone gets wrong, with the best of ``_ALONE``."""
        session, text = self.session, self._parts["tenth"].text
        options = session.training_options | {"cutoff": 0}
        models = (type(session.background).fit(text, sigma2=s, **options) for s in _ALONE)
        wrong = (session.is_wrong("dev", model.tag(session.corpora["dev"])) for model in models)
        return min(wrong, key=np.sum)

    @cached_property
    def figures(self) -> dict[str, str]:
        """The figures by name, as texts."""
        if not self._parts:
            return dict.fromkeys(_NAMES, "")
        fits, before, dev = self.fits, self.fits.is_wrong_before, self.session.corpora["dev"]
        tenth, hundredth, third = (self._parts[name] for name in ("tenth", "hundredth", "third"))
        place = int(np.argmin([wrong.sum() for wrong in tenth.wrong]))
        whole = int(before.sum()) - fits.at(fits.best).wrong["dev"]
        gains = [int(before.sum() - part.best.sum()) for part in (tenth, hundredth, third)]
        shares = [gain / whole for gain in gains]
        told = [with_minus(per_cent(each, 0)) for each in shares]
        answer, says = judge(dev, before, self._alone)
        loosest, learnt = tenth.wrong[-1], tenth.learnt[-1]
        gap, words = 100 * (float(loosest.mean()) - learnt), f"{len(tenth.text):,}"
        claim = _HELPS.format(told[0], words, f"{len(self.session.corpora['train']):,}")
        values = (
            words, per_cent(float(tenth.best.mean())), told[0],
            f"{gains[0]:,} of {whole:,}", rank(shares[0], (0.2, 0.5, 0.85)),
            per_cent(float(self._alone.mean())), answer, says,
            claim if gains[0] > 0 else "", SETTINGS["sigma2"].text(SIGMA2_GRID[place]),
            f"{len(hundredth.text):,}", told[1], told[2], rank(shares[1], (0.1, 0.25)),
            with_minus(f"{gap:.2f}"), rank(gap - fits.gap(max(SIGMA2_GRID)), (-0.1, 0.1)),
            per_cent(float(loosest.mean())), per_cent(learnt), judge(dev, before, loosest)[1],
            *(judge(dev, before, part.best)[1] for part in (tenth, hundredth)),
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
        if is_open or not self._parts:
            return None
        part = self._parts["tenth"]
        tenth = [100 * (float(wrong.mean()) - learnt)
                 for wrong, learnt in zip(part.wrong, part.learnt, strict=True)]  # fmt: skip
        gaps = {
            "tenth of it": tenth,
            "all of it": [self.fits.gap(sigma2) for sigma2 in SIGMA2_GRID],
        }
        return {
            "name": "gap between dev and what was learnt, percentage points",
            "counts": {name: [round(gap, 2) for gap in own] for name, own in gaps.items()},
        }

    def draw_amounts(self, is_open: bool) -> dict[str, Any] | None:
        """Return the ``words`` and the lowest ``error`` on dev of each part, and of all the text.

        With the ``low`` and ``high`` of all its draws. While it is asked, None stands for the
        figures of all parts but the tenth. With the error of the ``background``.
        """
        if not self._parts:
            return None
        amounts = list[dict[str, Any]]()
        for name, part in self._parts.items():  # all now, so that the answer shows at once
            errors = [float(part.best.mean()), *self._drawn_again[name]]
            is_told = not is_open or name == "tenth"
            amounts.append(_amount(part.text, errors if is_told else [None]))
        best = self._whole[SIGMA2_GRID.index(self.fits.best)]
        amounts.append(_amount(self.session.corpora["train"], [best]))
        amounts.sort(key=lambda amount: amount["words"])
        return {"amounts": amounts, "background": float(self.fits.is_wrong_before.mean())}

    @property
    def _whole(self) -> list[float]:
        """Error rates on dev with all of the adaptation text, by sigma^2."""
        n = len(self.session.corpora["dev"])
        return [self.fits.at(sigma2).wrong["dev"] / n for sigma2 in SIGMA2_GRID]

    @cached_property
    def _drawn(self) -> dict[str, Any] | None:
        """The errors on dev of a tenth and, as ``other``, of all the text; None without parts."""
        if not self._parts:
            return None
        tenth = [float(wrong.mean()) for wrong in self._parts["tenth"].wrong]
        points, whole = (
            [{"dev": error, "spread": 0} for error in errors] for errors in (tenth, self._whole)
        )
        background = {"name": "background", "error": float(self.fits.is_wrong_before.mean())}
        return {
            "elsewhere": "dev text", "rules": [background],
            "label": "a tenth of it", "points": points,
            "other": {"name": "all of it", "points": whole},
        }  # fmt: skip


def _amount(text: Corpus, errors: Sequence[Any]) -> dict[str, Any]:
    """Return how many words a text has, the first of some error rates, and their range."""
    low, high = (None, None) if errors == [None] else (min(errors), max(errors))
    return {"words": len(text), "error": errors[0], "low": low, "high": high}
