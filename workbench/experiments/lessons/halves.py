"""Figures of halves of the development text: a half that chose sigma^2, and the other."""

from functools import cached_property
from typing import Any

import numpy as np

from workbench.evaluation.number_words import per_cent
from workbench.experiments.lessons.answers import rank
from workbench.experiments.lessons.fits import FigureGroup
from workbench.settings import SETTINGS, SIGMA2_GRID

_DIVISIONS = 200  # of the development text into halves
_SHARE = "{} of all that adaptation gains"
_NAMES = (
    "halves_n", "halves_values", "halves_own", "halves_other", "halves_points", "halves_answer",
    "halves_by_chance", "halves_answer_same", "halves_from", "halves_to", "halves_times",
    "halves_chosen", "halves_drawn", "halves_share",
)  # fmt: skip


class HalvesFigures(FigureGroup):
    """Errors on two halves of the dev text, at the sigma^2 that one of them chose.

    Means over random divisions of its sentences, in each of which either half chooses once.
    So the other half never has fewer errors on average: each would be best with its own choice.
    """

    @cached_property
    def halved(self) -> tuple[np.ndarray, np.ndarray] | None:
        """Error rates of the halves, and the place of the sigma^2 with the fewest of each.

        Shapes (2, divisions, sigma^2) and (2, divisions); None of one sentence.
        """
        dev = self.session.corpora["dev"]
        n, words = dev.n_sentences, np.diff(dev.starts)
        if n < 2:
            return None
        sentence = np.repeat(np.arange(n), words)
        wrong = np.array([
            np.bincount(sentence[self.fits.is_wrong("dev", sigma2)], minlength=n)
            for sigma2 in SIGMA2_GRID
        ])  # fmt: skip
        is_first = np.tile(np.arange(n) % 2 == 0, (_DIVISIONS, 1))
        is_first = np.random.default_rng(0).permuted(is_first, axis=1)
        halves = np.stack([is_first, ~is_first]).astype(float)
        errors = halves @ wrong.T / (halves @ words)[..., None]
        return errors, errors.argmin(axis=-1)

    @cached_property
    def figures(self) -> dict[str, str]:
        """The figures by name, as texts."""
        text, best = SETTINGS["sigma2"].text, self.fits.best
        if self.halved is None:
            return dict.fromkeys(_NAMES, "") | {"halves_drawn": text(best)}
        errors, chosen = self.halved
        own, other = (
            float(np.take_along_axis(of, chosen[..., None], -1).mean())
            for of in (errors, errors[::-1])
        )
        luck = abs(other - own)
        gain = float(self.fits.is_wrong_before.mean() - self.fits.is_wrong("dev", best).mean())
        share = luck / gain if gain > 0 else np.inf
        same = float((chosen == SIGMA2_GRID.index(best)).mean())
        from_, to = np.quantile(chosen, (0.05, 0.95), method="nearest")
        values = (
            str(_DIVISIONS), str(len(SIGMA2_GRID)), per_cent(own), per_cent(other),
            f"{100 * luck:.2f}", rank(share, (0.01, 0.1)),
            per_cent(same, 0), rank(same, (0.5, 0.75)),
            text(SIGMA2_GRID[from_]), text(SIGMA2_GRID[to]),
            f"{SIGMA2_GRID[to] / SIGMA2_GRID[from_]:.0f}",
            str(chosen.size), text(SIGMA2_GRID[chosen.ravel()[_typical_half(errors, chosen)]]),
            _SHARE.format(per_cent(share, 0)) if gain > 0 else "where nothing is gained",
        )  # fmt: skip
        return dict(zip(_NAMES, values, strict=True))

    def draw_choices(self, is_open: bool) -> dict[str, Any] | None:
        """Return how often the halves chose each sigma^2; None while it is asked.

        As ``counts`` by what is counted, with a ``name``.
        """
        if is_open or self.halved is None:
            return None
        times = np.bincount(self.halved[1].ravel(), minlength=len(SIGMA2_GRID))
        name = f"how often each σ² was chosen, of {times.sum():,} times"
        return {"name": name, "counts": {"times": times.tolist()}}

    def draw_half(self, is_open: bool) -> dict[str, Any] | None:
        """Return the error rates of two halves of dev along sigma^2, ready to be drawn.

        One is the ``_typical_half``; the ``other``, and its mean over all divisions, are left out
        while the question about it ``is_open``. ``points`` and ``rules`` as in a payload.
        """
        if self.halved is None:
            return None
        errors, chosen = self.halved
        own, other = (each.reshape(chosen.size, -1) for each in (errors, errors[::-1]))
        at, one = (np.arange(chosen.size), chosen.ravel()), _typical_half(errors, chosen)
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


def _typical_half(errors: np.ndarray, chosen: np.ndarray) -> int:
    """Return the number of the half of dev that is most like the average half, as ``halved``.

    That is by how many more errors its chosen sigma^2 has on the other half, where both halves
    have about as many errors over all sigma^2.
    """
    own, other = (each.reshape(chosen.size, -1) for each in (errors, errors[::-1]))
    more = (other - own)[np.arange(chosen.size), chosen.ravel()]
    return int(np.argmin(np.abs(more - more.mean()) + np.abs((other - own).mean(axis=1))))
