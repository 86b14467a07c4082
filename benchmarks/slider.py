"""Rows: moves of the sigma^2 slider against scipy and numpy, and a hundred random ones."""

from collections.abc import Iterator
from functools import partial
from importlib.metadata import version

import numpy as np

from benchmarks.measure import Row, Target, percentile, ratio, timed
from benchmarks.rivals.scipy_numpy import PlainAdaptation, PlainText
from benchmarks.texts import Bench
from workbench.adaptation.adaptation import Adaptation, adapt_by_cutoff
from workbench.evaluation.diff import word_diff
from workbench.settings import SETTINGS, SIGMA2_GRID

_START = 1.0  # where the slider stands when the page opens
# A page just opened has the optimum at the slider's position. A second later it has drawn its
# curve and has those at all positions, so there it is asked for values between them.
_MOVES = {"just opened": (0.1, 0.32, 2.2, 4.6, 10.0), "curve drawn": (0.12, 0.4, 1.8, 5.5, 12.0)}
_CUTOFFS = 1, 2, 5, 10, None
_TEXTS = ("dev", "test")
_TARGETS = {"first": Target(">=", 40, "×"), "settled": Target(">=", 15, "×")}
_LIMITS = {"first": Target("<=", 150, "ms"), "settled": Target("<=", 1000, "ms")}


class _Screen:
    """What a move shows at its end: error rates of the texts and the diff to the background."""

    def __init__(self, bench):
        self._corpora, self._model = {p: bench.domain[p] for p in _TEXTS}, bench.background
        self._before = self._model.tag(self._corpora["dev"])

    def draw(self, tags):
        forms = self._model.mixed_forms
        rates = [float((tags[part] != self._corpora[part].tags).mean()) for part in _TEXTS]
        return rates, word_diff(self._corpora["dev"], self._before, tags["dev"], forms, forms)


class _Ours:
    """The page's state when it has opened: built, and fitted at the slider's first position."""

    def __init__(self, bench, screen):
        corpora = {part: bench.domain[part] for part in _TEXTS}
        self._by_cutoff = adapt_by_cutoff(bench.background, bench.domain["train"], corpora)
        self._screen = screen
        self.set_cutoff(0)
        self.start = self.adaptation.at(_START)

    def set_cutoff(self, cutoff):
        """Change the cut-off; its adaptation is built on the first visit."""
        self.adaptation = self._by_cutoff[cutoff]

    def draw_curve(self):
        """Fit all values of sigma^2, as the page does while nobody moves the slider."""
        for sigma2 in SIGMA2_GRID:
            self.adaptation.at(sigma2)

    def first(self, sigma2):
        """Show the answer that comes at once, and return it."""
        return self._show(self.adaptation.first(sigma2))

    def settled(self, sigma2):
        """Show the optimum, and return it."""
        return self._show(self.adaptation.at(sigma2))

    def _show(self, tuned):
        self._screen.draw(tuned.tags)
        return tuned

    def visit(self, cutoff, sigma2):
        """Return both answers at a cut-off and the seconds until each, from the key press."""
        _, until_built = timed(partial(self.set_cutoff, cutoff))
        answers, laps = self.move(sigma2)
        return answers, {name: until_built + lap for name, lap in laps.items()}

    def move(self, sigma2):
        """Return both answers and the seconds until each, from the key press."""
        first, until_first = timed(partial(self.first, sigma2))
        settled, more = timed(partial(self.settled, sigma2))
        answers = {"first": first, "settled": settled}
        return answers, {"first": until_first, "settled": until_first + more}


class _Plain:
    """The rival's state when it has opened: matrices built, texts packed."""

    def __init__(self, bench, screen, features):
        background = bench.background
        self.problem = PlainAdaptation(background, bench.domain["train"], features)
        self._texts = {
            p: PlainText(bench.domain[p], background.templates, features) for p in _TEXTS
        }
        self._screen = screen

    def move(self, start, sigma2, objective):
        """Maximise until an objective is reached, and show the result."""
        weights = self.problem.maximise(start, sigma2, objective)
        self.show(weights)
        return weights

    def show(self, weights):
        table = self.problem.table(weights)
        tags = {part: text.tag(table) for part, text in self._texts.items()}
        self._screen.draw(tags)
        return tags

    def objective(self, weights, sigma2):
        return -self.problem.cost(weights, sigma2)[0]

    def require_same(self, tuned):
        """Raise AssertionError if the rival has another objective or other tags."""
        objective = self.objective(tuned.fit.weights, tuned.sigma2)
        assert np.isclose(objective, tuned.fit.objective, rtol=1e-9), "not the same objective"
        tags = self.show(tuned.fit.weights)
        assert all((tags[part] == tuned.tags[part]).all() for part in _TEXTS), "other tags"


def move(bench: Bench) -> Iterator[Row]:
    """Yield two rows, first and settled answer, of a page in either state, at cut-off 0."""
    screen = _Screen(bench)
    warm = _Ours(bench, screen)
    warm.move(2.0)
    plain = _Plain(bench, screen, warm.adaptation.problem.features)
    plain.require_same(warm.start)
    rival = f"L-BFGS of scipy {version('scipy')}, numpy"
    for state, sigma2s in _MOVES.items():
        moves = sigma2s[: bench.sizes.rounds]
        laps = [_time_move(_open(bench, screen, state), plain, sigma2) for sigma2 in moves]
        note = f"σ² to {', '.join(f'{s:g}' for s in moves)}; the rival from the optimum at 1"
        for name, target in _TARGETS.items():
            mine, theirs = zip(*(lap[name] for lap in laps), strict=True)
            row = f"slider move, {state}, {name}"
            yield Row(row, mine, theirs, "s", rival, ratio(theirs, mine), target, note)


def _open(bench, screen, state):
    page = _Ours(bench, screen)
    if state == "curve drawn":
        page.draw_curve()
    return page


def _time_move(ours, plain, sigma2):
    """Return seconds of (ours, plain) for either answer; plain stops at our objective."""
    answers, mine = ours.move(sigma2)
    laps = {}
    for name, tuned in answers.items():
        run = partial(plain.move, ours.start.fit.weights, sigma2, tuned.fit.objective)
        weights, theirs = timed(run)
        reached = plain.objective(weights, sigma2)
        assert reached >= (1 + 1e-9) * tuned.fit.objective, "scipy stopped short"
        laps[name] = mine[name], theirs
    return laps


def cutoff_moves(bench: Bench) -> Iterator[Row]:
    """Yield a row: the longest wait for a cut-off's first answer, on the first visit."""
    screen = _Screen(bench)
    page, sizes = _Ours(bench, screen), bench.sizes
    moves = _CUTOFFS[: sizes.rounds]
    mine = tuple(1000 * page.visit(cutoff, _START)[1]["first"] for cutoff in moves)
    theirs = tuple(1000 * _time_anew(bench, screen, cutoff) for cutoff in moves)
    shown = ", ".join(map(SETTINGS["cutoff"].text, moves))
    note = f"at σ² {_START:g}, cut-off to {shown}"
    rival = "the same, built anew"
    yield Row("cut-off move, first", mine, theirs, "ms", rival, max(mine), _LIMITS["first"], note)


def _time_anew(bench, screen, cutoff):
    """Return seconds until the first answer of an adaptation built without another cut-off's."""
    corpora = {part: bench.domain[part] for part in _TEXTS}
    text = bench.domain["train"]
    return timed(
        lambda: screen.draw(Adaptation(bench.background, text, cutoff, corpora).first(_START).tags)
    )[1]


def random_moves(bench: Bench) -> Iterator[Row]:
    """Yield two rows: the 95th percentile of random moves, one after the other."""
    rng, screen, sizes = np.random.default_rng(2004), _Screen(bench), bench.sizes
    page = _Ours(bench, screen)
    cutoffs = rng.integers(len(sizes.cutoffs), size=sizes.moves)
    sigma2s = 10 ** rng.uniform(-2, 2, sizes.moves)
    moves = zip(cutoffs, sigma2s.tolist(), strict=True)
    laps = [page.visit(sizes.cutoffs[c], sigma2)[1] for c, sigma2 in moves]
    shown = ", ".join(map(SETTINGS["cutoff"].text, sizes.cutoffs))
    note = f"σ² log-uniform in 0.01–100, cut-off one of {shown}, from a page just opened"
    for name, limit in _LIMITS.items():
        mine = tuple(1000 * lap[name] for lap in laps)
        figure = percentile(mine, 95)
        yield Row(f"random moves, {name}, p95", mine, (), "ms", "", figure, limit, note)
