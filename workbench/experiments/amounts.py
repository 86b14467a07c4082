"""How little data: errors on dev after adaptation to growing samples of the adaptation data."""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from workbench.adaptation.method import Method, Sources, Split
from workbench.evaluation.number_words import counted
from workbench.evaluation.significance import LEVEL
from workbench.experiments.compare import find_methods
from workbench.experiments.search import ErrorCounter
from workbench.experiments.session import Session
from workbench.settings import SIGMA2_SEARCH
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError

BACKGROUND = "background"
METHODS = ("map", "target")
# Those that learn from the background's model, not from its text, and have a sigma2 alone.
ALLOWED = ("map", "target", "auxiliary", "auxiliary-classes", "mindiv-adapt-only")

TUNED = SIGMA2_SEARCH[2::2]  # a small grid, for fits that choose their sigma2 on dev


class Sample(NamedTuple):
    """One adaptation: how it is made, on how much, and its errors on dev."""

    method: str
    seed: int
    n_sentences: int
    n_words: int  # or of what ``Session.contents`` counts
    error: float  # a fraction; nan where nothing could be learned from so little
    sigma2: float  # the one with the fewest errors, of those tried


class Crossover(NamedTuple):
    """Which of two methods has fewer errors, and up to or from which amount of data."""

    first: str  # fewer errors on the least data
    second: str
    n_sentences: float  # where the second takes the lead for good; nan where it never does
    error: float  # of both, there
    text: str


def amounts_up_to(n: int) -> tuple[int, ...]:
    """Return 2, 5, 10, 20, 50, … below a number of sentences, and the number itself.

    >>> amounts_up_to(60)
    (2, 5, 10, 20, 50, 60)
    """
    steps = (digit * 10**k for k in range(len(str(n))) for digit in (1, 2, 5))
    return (*(step for step in steps if 2 <= step < n), n)


def order_of(corpus: Corpus, seed: int) -> np.ndarray:
    """Return the sentences of a corpus in the random order of a seed; int64.

    The first n of them are the sample of n: a larger one contains a smaller one.
    """
    return np.random.default_rng(seed).permutation(corpus.n_sentences)


class Amounts:
    """Learning curves of some methods; each fit is made when its turn comes, and kept.

    Parameters
    ----------
    session : Session
        Its background is adapted to samples of its ``train``; errors are those of its ``dev``.
    sigma2s : sequence of float
        Of one, all fits have it; of more, each fit has the one with the fewest errors on dev.
    methods : sequence of str
        Of ``ALLOWED``.
    n_seeds : int
        Orders of the sentences that samples are the beginnings of.

    Raises
    ------
    InputError
        If a method is unknown or not allowed, or there is no sigma2 or seed.
    """

    def __init__(
        self, session: Session, sigma2s: Sequence[float], methods: Sequence[str] = METHODS,
        n_seeds: int = 3,
    ):  # fmt: skip
        if not sigma2s or n_seeds < 1:
            raise InputError("amounts: one sigma2 and one seed at least are needed")
        self.session, self.sigma2s, self.n_seeds = session, tuple(sigma2s), n_seeds
        self.methods = _find(session, methods)
        self.train, self.dev = session.corpora["train"], session.corpora["dev"]
        self.amounts = amounts_up_to(self.train.n_sentences)
        self._orders = [order_of(self.train, seed) for seed in range(n_seeds)]
        self._known: dict[tuple[str, int, int], Sample] = {}
        self._tags = {BACKGROUND: session.background_tags("dev")}  # of methods, with all the data

    @property
    def missing(self) -> list[tuple[str, int, int]]:
        """Method, seed and number of sentences of the fits to come, the cheapest first.

        All the data are one sample: the order of the sentences does not matter there.
        """
        wanted = [
            (method.name, seed, n)
            for n in self.amounts
            for seed in range(1 if n == self.train.n_sentences else self.n_seeds)
            for method in self.methods
        ]
        return [key for key in wanted if key not in self._known]

    def run(self) -> Iterator[Sample]:
        """Fit what is missing, one after the other; yield each when it is known."""
        for key in self.missing:
            self._known[key] = self._fit(*key)
            yield self._known[key]

    def sample(self, seed: int, n: int) -> Corpus:
        """Return the sample of n sentences of the adaptation data in the order of a seed."""
        return self.train.take(np.sort(self._orders[seed][:n]))

    def _fit(self, name, seed, n):
        corpus = self.sample(seed, n)
        method = next(method for method in self.methods if method.name == name)
        error, sigma2 = self._error(method, corpus)
        return Sample(name, seed, n, len(corpus), error, sigma2)

    def _error(self, method, corpus):
        """Return the fewest errors on dev, a fraction, and their sigma^2; nan where none is."""
        background, options = self.session.background, self.session.training_options
        # The background's text is not here, and no method of ALLOWED reads it.
        split = Split(corpus, corpus, self.dev, options, type(background))
        try:
            problem = method.prepare(Sources(split, lambda *_: background))
        except InputError:  # a sample without a capital, or without a known word
            return math.nan, math.nan
        counter = ErrorCounter(problem, self.dev)
        wrong = {sigma2: counter(sigma2=sigma2) for sigma2 in self.sigma2s}
        best = min(wrong, key=lambda sigma2: (wrong[sigma2], sigma2))
        if corpus.n_sentences == self.train.n_sentences:
            self._tags[method.name] = problem.learn(sigma2=best).tag(self.dev)
        return wrong[best] / len(self.session.background_tags("dev")), best

    @property
    def background_error(self) -> float:
        """The background's error rate on dev, a fraction: that without adaptation data."""
        rows = self.session.baseline_rows("dev")
        return next(row["error_rate"] for row in rows if row["name"] == BACKGROUND)

    def samples(self) -> pd.DataFrame:
        """Return the fits so far; a DataFrame with a row and the fields of each ``Sample``."""
        return pd.DataFrame(list(self._known.values()), columns=list(Sample._fields))

    def table(self) -> pd.DataFrame:
        """Return the learning curves so far.

        Returns
        -------
        curves : DataFrame
            One row a method and amount, ``n_sentences``: over seeds the mean ``error`` and the
            ``low``est and ``high``est (fractions, of seeds that could learn), ``n_words`` (the
            mean) and ``n_seeds``. The background has one row, of no sentences.
        """
        by = self.samples().groupby(["method", "n_sentences"], sort=False)
        curves = by.agg(
            error=("error", "mean"), low=("error", "min"), high=("error", "max"),
            n_words=("n_words", "mean"), n_seeds=("error", "count"),
        ).reset_index()  # fmt: skip
        error = self.background_error
        first = [BACKGROUND, 0, error, error, error, 0.0, 1]
        start = pd.DataFrame([first], columns=list(curves.columns))
        return start if curves.empty else pd.concat([start, curves], ignore_index=True)

    def crossovers(self) -> list[Crossover]:
        """Return the crossovers of the mean curves.

        Their texts add the range over the samples, and where the dev text cannot tell the two
        apart that have learnt from all the data.
        """
        rows, of_samples = self.samples(), list[dict]()
        base = {"method": BACKGROUND, "n_sentences": 0, "error": self.background_error}
        for seed in range(self.n_seeds):
            own = rows[(rows["seed"] == seed) | (rows["n_sentences"] == self.train.n_sentences)]
            found = crossovers(pd.concat([pd.DataFrame([base]), own]))
            of_samples.append({_pair(each): each.n_sentences for each in found})
        return [
            each._replace(
                text=each.text
                + _range([own[_pair(each)] for own in of_samples])
                + self._doubt(each)
            )
            for each in crossovers(self.table())
        ]

    def _doubt(self, crossover):
        """Return that two methods do not clearly differ with all the data; "" where they do."""
        if not {crossover.first, crossover.second} <= self._tags.keys():
            return ""
        tags = self._tags[crossover.first], self._tags[crossover.second]
        p = self.session.p_value("dev", *tags)
        return "" if p < LEVEL else f"; with all data not clearly (p = {p:.2f})"


def _find(session: Session, names: Sequence[str]) -> list[Method]:
    if others := [name for name in names if name not in ALLOWED]:
        raise InputError(f"method {others[0]}: {', '.join(ALLOWED)} are allowed here")
    return find_methods(names, type(session.background), session.background.task)


def describe_amount(
    curves: pd.DataFrame, n: int, quality: str = "", contents: str = "words"
) -> str:
    """Say in a sentence how good the methods of ``Amounts.table`` are with n sentences.

    ``quality`` is what is measured where that is no error, as in ``Session.quality_name``;
    ``contents`` as in ``Session.contents``.
    """
    base = _figure(float(curves.loc[curves["method"] == BACKGROUND, "error"].iloc[0]), quality)
    rows = curves[(curves["n_sentences"] == n) & (curves["method"] != BACKGROUND)]
    if rows.empty:
        what = f"{quality} on dev" if quality else "of the dev words wrong"
        return f"Without adaptation data: background {base} {what}."
    found = ", ".join(_in_figures(row, quality) for row in rows.itertuples())
    size = counted(round(float(rows["n_words"].iloc[0])), contents)
    lead = f"; {quality}" if quality else ""
    return f"{counted(n, 'sentences')}, {size}{lead}: {found}; background {base}."


def _in_figures(row, quality):
    if math.isnan(row.error):
        return f"{row.method}: too little to learn from"
    text = f"{row.method} {_figure(row.error, quality)}"
    if row.n_seeds > 1:
        low, high = (row.high, row.low) if quality else (row.low, row.high)
        ends = f"{_figure(low, quality)} to {_figure(high, quality)}"
        text += f" ({ends} in single samples)"
    return text


def _figure(error, quality):
    return f"{100 * (1 - error if quality else error):.2f} %"


# --- who leads ----------------------------------------------------------------------------


def crossovers(curves: pd.DataFrame) -> list[Crossover]:
    """Return, for each two curves of ``Amounts.table``, which has fewer errors with how much data.

    Between two amounts the curves are straight in the logarithm of the number of sentences.
    Where the lead changes more than once, as it does by chance, the last change counts.
    """
    by_method = {name: rows.set_index("n_sentences") for name, rows in curves.groupby("method")}
    base = float(by_method.pop(BACKGROUND)["error"].iloc[0])
    names = [name for name in curves["method"].unique() if name in by_method]
    errors = {name: by_method[name]["error"].dropna().sort_index() for name in names}
    pairs = [(a, errors[a], b, errors[b]) for k, a in enumerate(names) for b in names[k + 1 :]]
    pairs += [(BACKGROUND, errors[name] * 0 + base, name, errors[name]) for name in names]
    found = (_cross(*pair) for pair in pairs)
    return [crossover for crossover in found if crossover is not None]


def _cross(name_a, a, name_b, b):
    """Return the crossover of two curves, Series by n_sentences; None if they have no points."""
    both = a.index.intersection(b.index)
    if both.empty:
        return None
    ahead = (b[both] - a[both]).to_numpy()  # above 0 where a has fewer errors
    n, level = both.to_numpy(float), a[both].to_numpy()
    changes = np.flatnonzero(np.sign(ahead[:-1]) * np.sign(ahead[1:]) < 0)
    if not len(changes):
        return _no_crossing(name_a, name_b, ahead)
    k = changes[-1]
    share = ahead[k] / (ahead[k] - ahead[k + 1])
    place = float(np.exp(np.log(n[k]) + share * np.log(n[k + 1] / n[k])))
    first, second = (name_a, name_b) if ahead[k] > 0 else (name_b, name_a)
    error = float(level[k] + share * (level[k + 1] - level[k]))
    text = _in_words(first, second, place, len(changes) > 1)
    return Crossover(first, second, place, error, text)


def _no_crossing(name_a, name_b, ahead):
    first, second = (name_a, name_b) if ahead.sum() >= 0 else (name_b, name_a)
    text = f"{_the(first)} is ahead of {_the(second)} with every amount tried"
    if not ahead.any():
        text = f"{_the(first)} and {second} are equally good"
    return Crossover(first, second, math.nan, math.nan, text)


def _the(name):
    return f"the {name}" if name == BACKGROUND else name


def _pair(crossover):
    return frozenset((crossover.first, crossover.second))


def _range(places):
    """Return where curves of single samples cross, and in how many if not in all, as text."""
    crossed = sorted(place for place in places if not math.isnan(place))
    if not crossed or len(places) < 2:
        return ""
    low, high = (f"{_round(place):,}" for place in (crossed[0], crossed[-1]))
    ends = low if low == high else f"{low} to {high}"
    if len(crossed) < len(places):
        return f" (in {len(crossed)} of {len(places)} samples they cross, at {ends})"
    return f" ({ends} in single samples)"


def _round(place):
    digits = 10 ** max(0, math.floor(math.log10(place)) - 1)
    return max(1, round(place / digits) * digits)


def _in_words(first, second, place, is_repeated):
    about = counted(_round(place), "sentences")
    if first == BACKGROUND or is_repeated:  # who leads with less data changes
        again = "; below that the lead changes more than once" if is_repeated else ""
        return f"{_the(second)} is ahead of {_the(first)} from {about} on{again}"
    return f"{_the(first)} is ahead of {_the(second)} up to {about}"
