"""The figures of a session that lessons speak of: named values, as text ready to be read."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import count, product
from typing import Any, NamedTuple, Self

import numpy as np
import pandas as pd

from workbench.adaptation.adaptation import AdaptedFit
from workbench.evaluation.diff import STATUSES, find_changes
from workbench.evaluation.number_words import (
    chance_in_words,
    per_cent,
    probability_in_words,
    with_minus,
)
from workbench.evaluation.report import paired_row
from workbench.experiments.amounts import order_of
from workbench.experiments.backgrounds import words_learnt
from workbench.experiments.lesson_drawings import (
    OF_LEFT_OUT,
    OF_WEIGHTS,
    curve_on,
    draw_alike,
    halves_of,
    pull_of_sentence,
    pull_of_weight,
    typical_half,
)
from workbench.experiments.method_rows import verdict
from workbench.experiments.papers.tables import PRINTED
from workbench.experiments.session import Session, Snapshot
from workbench.experiments.surface import Point, fill_paths, grid_points, is_near
from workbench.experiments.why import because, why
from workbench.features.templates import find_templates
from workbench.settings import BROKEN, CUTOFFS, FIXED, SETTINGS, SIGMA2_GRID, SIGMA2_START
from workbench.text.casing import Tag, wipe_case
from workbench.text.characters import join_words
from workbench.text.corpus import Corpus
from workbench.text.sets.registry import load

_TRIED = 5  # fixed words, the least or the most sure ones, of which one is chosen as an example
_NOT_A_TOSS = 0.6  # a probability above that of words that anything would tip
_AROUND = 4  # words on each side of an example
_SHORT = range(5, 15)  # words of a sentence that is shown
_DIVISIONS = 200  # of the development text into halves
_HOUR = 3600  # seconds, in which answers count as those of one class
_TENTH = 10  # of the adaptation text, that is drawn at random
_OTHER_PARTS = {"hundredth": 100, "thirtieth": 30, "third": 3}
_LEAST = 20  # sentences of it
_ALONE = SIGMA2_GRID[::6]  # of a model that is learnt from it without a background
_DECADE = 6  # values of sigma^2 between one and ten times as much
_HARDLY = 0.05  # a fall of a probability that is hardly one
_FALLS = ("true", "forecast")  # of the gap without a sentence; drawn where both are falls
_STEEPEST = 6  # times as much in log-likelihood, of a second weight on the same scale
_RAISED = 0.3  # by how much a weight should rise, at least, that is drawn
ENOUGH = 30  # errors of the background on dev; fewer hardly tell one setting from another
# Domains that come with every installation: the first that is neither background nor domain is
# the one that lessons measure transfer on.
_OTHERS = ("numba-docs", "nltk-docs", "altair-docs")
CUTOFF = 0  # of the path that lessons follow, as in the paper
# Answers to "fewer, as many, or more errors?", by what a paired test says.
_FEWER, _AS_MANY, _MORE = "1", "2", "3"
_ANSWERS = {"gain is significant": _FEWER, "loss is significant": _MORE}
_TOO_FEW = (
    "Only {n} words of the dev text are wrong before adaptation: too few to tell settings apart."
)
_PULL = (
    "The figure moves one weight of “{}” and leaves all others as in the background: drag σ², and "
    "watch the top of the sum."
)
_READ_ONE, _UNREAD_ONE = "Look at one that is in it", "Look at one that is not in it"
_MOVERS = 100  # weights among which a new one is looked for
_TIGHT = " The one that is drawn occurs only {} times, and hardly moves."
_NEW = " The figure has one of the new ones now: its λ⁰ is 0."
_OUTWEIGHED = (
    "Of two weights that move alone, at σ² = 1, that of a feature seen {0} times goes {2} of the "
    "way that the text asks for, that of one seen {1} times goes {3}."
)
_HELPS = "A tenth of the adaptation text, {1} of {2} words, brings {0} of all that it gains."
_NO_DIFFERENCE = "No difference at all: both models make as many errors."
_NO_TELLING = "This text cannot tell the two models apart (paired test, p = {p})."
_REAL = "The two models differ by more than chance (paired test, p {p})."
_ROWS = (
    "{good} cut-offs, as far as this text can tell; their lowest errors are {low} to {high}. With "
    "all new features {all} of {n} values of σ² match ★, with none {none}: {moral}."
)
_ANY_WILL_DO = "which cut-off it is matters less than a σ² that suits it"
_SOME_WILL_DO = "here the cut-off matters, too"


class _Stop(NamedTuple):
    """A value of sigma^2 that lessons return to."""

    name: str
    sigma2: float


class _Hung(NamedTuple):
    """A fixed word that hangs on one sentence."""

    row: dict[Any, Any]  # of the diff
    found: dict[str, Any]  # as ``because``
    snapshot: Snapshot
    without: Snapshot  # fitted without the sentence
    left_out: dict[str, Any]  # what became of the word, as ``Session.left_out``


class _Little(NamedTuple):
    """A random tenth of the adaptation text, and which words of dev its models get wrong."""

    sample: Corpus
    adapted: list[np.ndarray]  # of models adapted to it, by sigma^2: bool, shape (N,)
    learnt: list[float]  # the error rates of the same models on the tenth itself
    alone: np.ndarray  # of a model of it alone, with the best of some sigma^2
    others: dict[str, tuple[int, np.ndarray]]  # of ``_OTHER_PARTS``: words, and with the best


class LessonFigures(Mapping[str, str]):
    """Figures of a session by name, as text; an empty text where the session has no such thing.

    Those that need fits are found when one of them is asked for. A name with ``answer`` in it
    stands for the number, from 1, of the right answer to a question. All errors are of the
    development text.
    """

    cutoff = CUTOFF

    def __init__(self, session: Session):
        self.session = session
        self._answers = dict[tuple[str, int], list[tuple[float, int]]]()

    @classmethod
    def of(cls, session: Session) -> Self:
        """Return the figures of a session, which all who open it share."""
        return session.companions.setdefault(cls.__name__, cls(session))

    def note_answer(self, lesson: str, step: int, place: int) -> None:
        """Count an answer to a step's question; ``place`` is its number, from 0.

        Numbers below 0 are not counted: the answer was only shown, or a task solved.
        """
        if place >= 0:
            self._answers.setdefault((lesson, step), []).append((time.monotonic(), place))

    def answers(self, lesson: str, step: int) -> list[int]:
        """Return the numbers of the answers that all visitors chose within the last hour."""
        noted, since = self._answers.get((lesson, step), ()), time.monotonic() - _HOUR
        return [place for when, place in noted if when > since]

    def __getitem__(self, name: str) -> str:
        if home := _HOMES.get(name.split("_")[0]):
            return getattr(self, home)[name]
        return self.of_texts[name] if name in self.of_texts else self.of_path[name]

    def __iter__(self) -> Iterator[str]:
        for home in dict.fromkeys(("of_texts", "of_path", *_HOMES.values())):
            yield from getattr(self, home)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def missing(self, names: Iterable[str] = ()) -> list[Point]:
        """Return the points that figures still need to be fitted.

        That is those of the path, and of the whole map where one of the ``names`` is about it.
        """
        is_of_all = any(name.startswith("rows_") for name in names)
        return [Point(cutoff, sigma2) for cutoff in (CUTOFFS if is_of_all else (CUTOFF,))
                for sigma2 in self.session.missing(cutoff)]  # fmt: skip

    # --- without a fit ----------------------------------------------------------------------

    @cached_property
    def of_texts(self) -> dict[str, str]:
        """The figures of texts and background, and those of the paper."""
        session, dev = self.session, self.session.corpora["dev"]
        tags = np.bincount(dev.tags, minlength=len(Tag)) / max(1, len(dev))
        plain = float(tags[Tag.LOC] + tags[Tag.PNC])
        is_wrong, n_wrong = self._is_wrong_before, int(self._is_wrong_before.sum())
        return {
            "background": str(session.background.info["name"]),
            "domain": session.corpora["train"].name,
            "n_background": f"{words_learnt(session.background.info):,}",
            "n_train": _count(len(session.corpora["train"])), "n_dev": _count(len(dev)),
            "share_plain": per_cent(plain, 0), "share_raised": per_cent(1 - plain, 0),
            "answer_plain": _rank(plain, (0.7, 0.85)),
            "answer_tied": "2", "answer_held": "1",
            "error_background": per_cent(float(is_wrong.mean())),
            "too_few": _TOO_FEW.format(n=n_wrong) if n_wrong < ENOUGH else "",
            **_figures_of_paper(),
        }  # fmt: skip

    @cached_property
    def _is_unread(self) -> np.ndarray:
        """Which words of dev the background does not know: bool, shape (N,)."""
        dev, known = self.session.corpora["dev"], self.session.background.known_words
        return np.array([wipe_case(word) not in known for word in dev.words])[dev.word_ids]

    # --- along sigma^2 ----------------------------------------------------------------------

    def _fit(self, sigma2: float, cutoff: int | None = CUTOFF) -> AdaptedFit:
        return self.session.adaptation(cutoff).at(sigma2)

    def _is_wrong(self, part: str, sigma2: float, cutoff: int | None = CUTOFF) -> np.ndarray:
        return self.session.is_wrong(part, self._fit(sigma2, cutoff).tags[part])

    @cached_property
    def best(self) -> float:
        """The sigma^2 with the fewest errors on dev; of equals the smallest."""
        return min(SIGMA2_GRID, key=lambda sigma2: self._fit(sigma2).wrong["dev"])

    @cached_property
    def stops(self) -> tuple[_Stop, ...]:
        """The values of sigma^2 that figures are named after."""
        learnt = min(SIGMA2_GRID, key=lambda sigma2: self._fit(sigma2).wrong["train"])
        return (
            _Stop("learnt", learnt), _Stop("tight", min(SIGMA2_GRID)), _Stop("start", SIGMA2_START),
            _Stop("best", self.best), _Stop("loose", max(SIGMA2_GRID)),
            _Stop("short", SIGMA2_GRID[max(0, SIGMA2_GRID.index(self.best) - _DECADE)]),
        )  # fmt: skip

    @cached_property
    def of_path(self) -> dict[str, str]:
        """The figures of the stops, and the answers to what happens between them."""
        figures = dict[str, str]()
        counts = {name: self._counts(sigma2) for name, sigma2 in self.stops}
        for name, sigma2 in self.stops:
            figures |= self._of_stop(name, sigma2, counts[name])
        n_changed = {name: own[FIXED] + own[BROKEN] for name, own in counts.items()}
        n_fixed, n_broken = (counts["best"][status] for status in (FIXED, BROKEN))
        fixed_read, broken_read = (self._count_read(status) for status in (FIXED, BROKEN))
        loosest, text = max(SIGMA2_GRID), SETTINGS["sigma2"].text
        problem = self.session.adaptation(CUTOFF).problem
        tight, best, loose = map(self._gap, (min(SIGMA2_GRID), self.best, loosest))
        share = (best - tight) / (loose - tight) if loose > tight else 0.0
        answer_loose, says_loose = self._judge("dev", SIGMA2_START, loosest)
        _, says_train = self._judge("train", SIGMA2_START, loosest)
        before, after = self._is_wrong_before, self._is_wrong("dev", SIGMA2_START)
        first, says_first = _judge_pair(self.session.corpora["dev"], before, after)
        fewer = 1 - after.sum() / max(1, before.sum())
        return figures | {
            "best_sigma2": text(self.best), "n_new": _count(problem.n_new),
            "n_inherited": _count(problem.n_active - problem.n_new),
            "answer_tight": _rank(n_changed["tight"] / max(1, n_changed["start"]), (0.25, 0.75)),
            "answer_loose": answer_loose, "says_loose": says_loose, "says_train": says_train,
            "answer_first": str(1 + (first == _FEWER) * int(_rank(fewer, (0.1, 0.25)))),
            "fewer_start": per_cent(fewer, 0), "says_first": says_first,
            "says_right": self._judge("dev", loosest, self.best)[1],
            "gap_share": per_cent(share, 0), "gap_background": with_minus(f"{self._gap(None):.2f}"),
            "answer_gap": _rank(share, (1 / 3, 2 / 3)),
            **dict(zip(("as_good_from", "as_good_to"), self._around_best(), strict=True)),
            "n_fixed_read": _count(fixed_read),
            "n_broken_read": _count(broken_read) if n_broken else "",
            "answer_broken": _rank(broken_read / max(1, n_broken), (2 / 3, 0.9)),
            **{f"{name}_sigma2": text(dict(self.stops)[name]) for name in ("short", "learnt")},
            "answer_price": _rank(counts["short"][FIXED] / max(1, n_fixed), (0.5, 0.75)),
        }  # fmt: skip

    def _judge(
        self, part: str, before: float, after: float, cutoff: int | None = CUTOFF
    ) -> tuple[str, str]:
        """Return whether errors become fewer, stay or become more between two models.

        They have two sigma^2, and the second another cut-off if one is given. Returns the number
        of the answer, by the paired test of the papers' tables, and a sentence.
        """
        wrong = self._is_wrong(part, before), self._is_wrong(part, after, cutoff)
        if (before, CUTOFF) == (after, cutoff):
            return _AS_MANY, ""
        return _judge_pair(self.session.corpora[part], *wrong)

    @cached_property
    def _as_good(self) -> list[int]:
        """The places of the sigma^2 that do not clearly differ from the best."""
        fits, best = map(self._fit, SIGMA2_GRID), self._fit(self.best)
        return [i for i, fit in enumerate(fits) if is_near(self.session, fit, best)]

    def _around_best(self) -> list[str]:
        """Return the first and last sigma^2 around the best between which none clearly differs."""
        place, good = SIGMA2_GRID.index(self.best), self._as_good
        ends = (next(i for i in count(place, step) if i + step not in good) for step in (-1, 1))
        return [SETTINGS["sigma2"].text(SIGMA2_GRID[i]) for i in ends]

    def _of_stop(self, name, sigma2, counts):
        fit = self._fit(sigma2)
        texts = {name: self.session.corpora[name] for name in ("dev", "train")}
        errors = {name: fit.wrong[name] / max(1, len(text)) for name, text in texts.items()}
        return {
            f"error_{name}": per_cent(errors["dev"]), f"train_{name}": per_cent(errors["train"]),
            f"gap_{name}": with_minus(f"{self._gap(sigma2):.2f}"),
            f"n_changed_{name}": _count(counts[FIXED] + counts[BROKEN]),
            f"n_fixed_{name}": _count(counts[FIXED]), f"n_broken_{name}": _count(counts[BROKEN]),
        }  # fmt: skip

    def _gap(self, sigma2):
        """Return by how many percentage points more is wrong on dev than on the adaptation text.

        With sigma^2 None, of the background.
        """
        session, texts = self.session, self.session.corpora
        wrong = (session.is_wrong(part, session.background.tag(texts[part])) if sigma2 is None
                 else self._is_wrong(part, sigma2) for part in ("dev", "train"))  # fmt: skip
        dev, train = (100 * float(own.mean()) for own in wrong)
        return dev - train

    def _counts(self, sigma2):
        """Return how many words have each status, as in a ``word_diff``."""
        fit, dev = self._fit(sigma2), self.session.corpora["dev"]
        tags = self.session.background_tags("dev"), fit.tags["dev"]
        _, statuses = find_changes(dev, *tags, fit.model.mixed_forms)
        counts = np.bincount(statuses, minlength=len(STATUSES)).tolist()
        return dict(zip(STATUSES, counts, strict=True))

    @cached_property
    def _changes(self) -> list[Mapping[str, int]]:
        """How many words have each status, by sigma^2."""
        return [self._counts(sigma2) for sigma2 in SIGMA2_GRID]

    @cached_property
    def of_goals(self) -> dict[str, str]:
        """The sigma^2 that solve each task, where it starts, and what is true there.

        ``best`` is the fewest errors on dev, or no clear difference from that, sought from the far
        end of the slider; ``mild`` the fewest broken words while at least half as many are fixed
        as at the best, sought from there. Empty texts where the start solves the task.
        ``goal_best_at_0.01`` says what is amiss at a sigma^2.
        """
        text = SETTINGS["sigma2"].text
        dev = [self._fit(sigma2).wrong["dev"] for sigma2 in SIGMA2_GRID]
        counts = self._changes
        best = SIGMA2_GRID.index(self.best)
        least = (counts[best][FIXED] + 1) // 2
        broken = [own[BROKEN] if own[FIXED] >= least else np.inf for own in counts]
        far = 0 if best > len(SIGMA2_GRID) // 2 else len(SIGMA2_GRID) - 1
        lowest = [i for i, value in enumerate(broken) if value == min(broken)]
        found = dict[str, str]()
        for name, start, places in (("best", far, self._as_good), ("mild", best, lowest)):
            is_open = start not in places
            found[f"goal_{name}"] = ", ".join(text(SIGMA2_GRID[i]) for i in places * is_open)
        for i, n in enumerate(counts):
            place, few = text(SIGMA2_GRID[i]), n[FIXED] < least
            at = f"At σ² = {place}:"
            found[f"goal_best_at_{place}"] = f"{at} {_count(dev[i])} are wrong; elsewhere fewer."
            found[f"goal_mild_at_{place}"] = (
                f"{at} {_count(n[FIXED])} are fixed, which is too few." if few
                else f"{at} {_count(n[BROKEN])} are broken; elsewhere fewer."
            )  # fmt: skip
        mild = lowest[0]
        return found | {
            "goal_best_start": text(SIGMA2_GRID[far]),
            "goal_best_wrong": f"{_count(dev[best])} of {_count(len(self.session.corpora['dev']))}",
            "goal_mild_sigma2": text(SIGMA2_GRID[mild]), "goal_mild_least": _count(least),
            "goal_mild_fixed": _count(counts[mild][FIXED]),
            "goal_mild_broken": _count(counts[mild][BROKEN]),
        }  # fmt: skip

    def _count_read(self, status):
        """Return how many words of a status at the best sigma^2 the adaptation text has, too."""
        diff = self.session.at(self.best, CUTOFF).diff
        return int(self._is_read(diff.loc[diff["status"] == status, "word"]).sum())

    def _is_read(self, words: pd.Series) -> pd.Series:
        """Return which words the adaptation text has, in whatever letters."""
        train = self.session.corpora["train"]
        read = {train.words[i] for i in np.unique(train.word_ids)}
        return words.map(wipe_case).isin(read)

    @cached_property
    def _halved(self) -> tuple[np.ndarray, np.ndarray] | None:
        """Errors of halves of the dev text, and which sigma^2 each chose; None of one sentence.

        Shapes (2, divisions, sigma^2) and (2, divisions).
        """
        dev = self.session.corpora["dev"]
        n, words = dev.n_sentences, np.diff(dev.starts)
        if n < 2:
            return None
        sentence = np.repeat(np.arange(n), words)
        wrong = np.array([
            np.bincount(sentence[self._is_wrong("dev", sigma2)], minlength=n)
            for sigma2 in SIGMA2_GRID
        ])  # fmt: skip
        is_first = np.tile(np.arange(n) % 2 == 0, (_DIVISIONS, 1))
        is_first = np.random.default_rng(0).permuted(is_first, axis=1)
        halves = np.stack([is_first, ~is_first]).astype(float)
        errors = halves @ wrong.T / (halves @ words)[..., None]
        return errors, errors.argmin(axis=-1)

    @cached_property
    def of_halves(self) -> dict[str, str]:
        """Errors on two halves of the dev text, at the sigma^2 that one of them chose.

        Means over random divisions of its sentences, in each of which either half chooses once.
        So the other half never has fewer errors on average: each would be best with its own choice.
        """
        text = SETTINGS["sigma2"].text
        if self._halved is None:
            return dict.fromkeys(_OF_HALVES, "") | {"halves_drawn": text(self.best)}
        errors, chosen = self._halved
        own, other = (
            float(np.take_along_axis(of, chosen[..., None], -1).mean())
            for of in (errors, errors[::-1])
        )
        points = f"{100 * abs(other - own):.2f}"
        same = float((chosen == SIGMA2_GRID.index(self.best)).mean())
        from_, to = np.quantile(chosen, (0.05, 0.95), method="nearest")
        values = (
            str(_DIVISIONS), str(len(SIGMA2_GRID)), per_cent(own), per_cent(other), points,
            _AS_MANY if points == "0.00" else _MORE,
            per_cent(same, 0), _rank(same, (0.5, 0.75)),
            text(SIGMA2_GRID[from_]), text(SIGMA2_GRID[to]),
            f"{SIGMA2_GRID[to] / SIGMA2_GRID[from_]:.0f}",
            str(chosen.size), text(SIGMA2_GRID[chosen.ravel()[typical_half(errors, chosen)]]),
        )  # fmt: skip
        return dict(zip(_OF_HALVES, values, strict=True))

    def beside(self, name: str, is_open: bool = False) -> dict[str, Any] | None:
        """Return what the curve shows in place of the errors on dev; None if nothing else.

        While the step's question ``is_open``, what would answer it is left out. "halves": how
        often they chose each sigma^2, as ``counts`` by what is counted, with a ``name``; "trade":
        how many words are fixed and broken, in the same way; "half": as "other",
        of a half of dev that chose, and ``other``, the half that did not; "other": ``points`` and
        ``rules``, as in a payload, of the text ``elsewhere``; "little" and "alone": as "half", of
        all the adaptation text and of a tenth of it, with a background and without one; "by
        heart": as "little", with the errors on what was learnt; "amounts": the ``words`` and the
        lowest ``error`` of parts of that text, and that of the ``background``; "pull" and
        "pulls": one or two of ``pulls``, as in ``pull_of_weight``; "new": as "pull", then, of a
        feature that the background lacks; "sentence": one, as in ``pull_of_sentence``; the names
        of their ``lines`` with them, without that of the sum where it is left out.
        """
        if name in ("pull", "pulls", "new", "sentence"):
            return self._draw_pulls(name, is_open)
        if name == "half":
            return self._halved and halves_of(*self._halved, is_open)
        if name in ("little", "alone", "by heart", "amounts"):
            return self._draw_little(is_open, name)
        if name == "other":  # whose step has it veiled
            return self._curve_elsewhere
        if name == "trade" and not is_open:
            counts = {status: [own[status] for own in self._changes] for status in (FIXED, BROKEN)}
            return {"name": "words of dev that adaptation fixes, and breaks", "counts": counts}
        if name != "halves" or is_open or self._halved is None:
            return None
        times = np.bincount(self._halved[1].ravel(), minlength=len(SIGMA2_GRID))
        name = f"how often each σ² was chosen, of {_count(int(times.sum()))} times"
        return {"name": name, "counts": {"times": times.tolist()}}

    def _draw_pulls(self, name, is_open):
        if self.missing():
            return None
        if name == "sentence":
            drawn = self._pulls_of_sentence
            lines = OF_LEFT_OUT[:-1] if is_open else OF_LEFT_OUT
            return {"pulls": drawn, "lines": lines} if drawn else None
        is_new = name == "new" and not is_open and bool(self._pull_of_new)
        drawn = self._pulls_alike if name == "pulls" else self._pulls[:1]
        drawn = self._pull_of_new if is_new else drawn
        drawn = [one | {"name": f"{one['name']} → {one['tag']}"} for one in drawn]
        lines = OF_WEIGHTS[:-1] if is_open and name == "pulls" else OF_WEIGHTS
        near = {} if is_new or not drawn else self._near_drawn()
        return {"pulls": drawn, "lines": lines} | near if drawn else None

    def _near_drawn(self):
        """Return the word whose weights are drawn: its place, context, and tag's probability."""
        dev, position = self.session.corpora["dev"], self._fixed_position
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
        return {"near": {"position": position, "before": before, "after": after, "sure": sure}}

    @property
    def _fixed_position(self) -> int:
        return int(self.of_words["fixed_link"].split(" · ")[-1])

    @cached_property
    def _pulled(self) -> list[tuple[dict[str, Any], np.ndarray]]:
        """Two weights, what adaptation text and prior make of each, and its direction, (F,).

        They are weights of the fixed word in ``of_words`` that were raised, and would rise alone:
        for its new tag that of the rarest feature; for that or its old tag, of the most frequent.
        Each has its ``name``, its ``tag`` and the ``times`` that it is seen. None without such a
        word, one where no other was raised.
        """
        if not self.of_words["fixed_link"]:
            return []
        snapshot = self.session.at(self.best, CUTOFF)
        adaptation, weights = snapshot.tuned.adaptation, snapshot.tuned.fit.weights
        problem = adaptation.problem
        gap = why(self.session, snapshot, self._fixed_position)["gap"]
        _, slope = adaptation.log_likelihood(problem.mean)
        raised = []
        for row, tag in product(gap["rows"], (gap["to"], gap["from"])):
            axis = problem.direction([(row["predicate"], tag, 1.0)])
            if axis @ (weights - problem.mean) > 0 and axis @ slope > 0:
                times = int(axis @ problem.log_likelihood.observed)
                raised.append(({"name": row["words"], "tag": tag, "times": times}, axis))

        def first(order, least, most=np.inf):
            drawn = ((one | pull_of_weight(adaptation, axis), axis) for one, axis in order)
            fits = (each for each in drawn
                    if each[0]["best"][-1] >= least and max(each[0]["gains"]) <= most)  # fmt: skip
            return next(fits, None)

        raised.sort(key=lambda each: each[0]["times"])
        if not (rare := first((own for own in raised if own[0]["tag"] == gap["to"]), _RAISED)):
            return []
        more = (own for own in raised[::-1] if own[0]["times"] > rare[0]["times"])
        # Of those that can be seen on the same scales.
        often = first(more, rare[0]["best"][-1] / 3, _STEEPEST * max(rare[0]["gains"]))
        return [rare, often] if often else [rare]

    @property
    def _pulls(self) -> list[dict[str, Any]]:
        return [pull for pull, _ in self._pulled]

    @cached_property
    def _pull_of_new(self) -> list[dict[str, Any]]:
        """The weight that rose most among those of words that the background lacks, to be drawn.

        A list of one, or of none.
        """
        snapshot = self.session.at(self.best, CUTOFF)
        adaptation = snapshot.tuned.adaptation
        top = self.session.movers(snapshot, _MOVERS)
        of_words = top["predicate"].str.startswith("currentword=")
        drawn = []
        for row in top[top["new"] & of_words & (top["change"] > 0)].head(1).itertuples():
            axis = adaptation.problem.direction([(row.predicate, row.tag, 1.0)])
            times = int(axis @ adaptation.problem.log_likelihood.observed)
            says = {"name": row.words, "tag": row.tag, "times": times}
            drawn.append(says | pull_of_weight(adaptation, axis))
        return drawn

    @cached_property
    def _pulls_alike(self) -> list[dict[str, Any]]:
        adaptation = self.session.adaptation(CUTOFF)
        return draw_alike(adaptation, *zip(*self._pulled, strict=True)) if self._pulled else []

    @cached_property
    def of_pulls(self) -> dict[str, str]:
        """How often the features of ``_pulls`` are seen, and how far their weights get.

        That is at sigma^2 = 1 the share of the way from the background's value to the top of the
        log-likelihood, nearly that at the largest sigma^2.
        """
        pulls, start = self._pulls, SIGMA2_GRID.index(SIGMA2_START)
        says = {
            "pull_says": _PULL.format(self.of_words["fixed_after"]) if pulls else "",
            "pull_new": _NEW if self._pull_of_new else "",
            "pull_tight": _TIGHT.format(_count(pulls[0]["times"])) if len(pulls) > 1 else "",
        }
        if len(pulls) < 2 or not all(pull["best"][-1] for pull in pulls):
            return says | dict.fromkeys(_OF_PULLS, "")
        rare, often = (pull["best"][start] / pull["best"][-1] for pull in pulls)
        shares = [per_cent(share, 0) for share in (rare, often)]
        values = *(_count(pull["times"]) for pull in pulls), *shares
        answer = _rank(often - rare, (-0.02, 0.02))
        claim = _OUTWEIGHED.format(*values) if answer == "3" else ""
        return says | dict(zip(_OF_PULLS, (*values, answer, claim), strict=True))

    # --- at other cut-offs ------------------------------------------------------------------

    @cached_property
    def of_cutoffs(self) -> dict[str, str]:
        """The figures at cut-offs 0, 5 and none, all at the best sigma^2 of cut-off 0."""
        points = {
            SETTINGS["cutoff"].text(cutoff): self._fit(self.best, cutoff).describe()
            for cutoff in (0, 5, None)
        }
        new, five = points["0"]["new_features"], points["5"]["new_features"]
        errors = {name: point["dev_error_rate"] for name, point in points.items()}
        lost = 100 * abs(errors["none"] - errors["0"])
        fixed, still = (
            self._is_unread & self._is_wrong_before & ~self._is_wrong("dev", self.best, cutoff)
            for cutoff in (0, None)
        )
        n_fixed, n_still = int(fixed.sum()), int((fixed & still).sum())
        return {
            **{f"cut_error_{name}": per_cent(error) for name, error in errors.items()},
            "cut_new": _count(new), "cut_new_5": _count(five),
            "cut_share_5": per_cent(five / new if new else np.nan, 0),
            "cut_inherited": _count(points["none"]["free_weights"]),
            "cut_points_lost": f"{lost:.2f}",
            "cut_says_none": self._judge("dev", self.best, self.best, None)[1],
            "cut_answer_5": _rank(five / max(1, new), (0.1, 0.5)),
            "cut_answer_none": _rank(lost, (0.1, 0.5)),
            "cut_unread": _count(n_fixed) if n_fixed else "", "cut_unread_none": _count(n_still),
            "cut_answer_unread": _rank(n_still / max(1, n_fixed), (0.25, 0.75)),
        }  # fmt: skip

    @cached_property
    def of_rows(self) -> dict[str, str]:
        """For how many cut-offs a sigma^2 does not clearly differ from the best of the map.

        Fits what is missing of the map.
        """
        fill_paths(self.session, CUTOFFS)
        points, n = grid_points(self.session, CUTOFFS), len(CUTOFFS)
        good = points.loc[points["near_best"], "cutoff"].nunique(dropna=False)
        match = points[points["near_best"]]["cutoff"].astype(object)
        lowest = points.groupby("cutoff", dropna=False)["error"].min()
        says = _ROWS.format(
            good=f"All {n}" if good == n else f"{good} of {n}",
            moral=_ANY_WILL_DO if good == n else _SOME_WILL_DO,
            n=len(SIGMA2_GRID), all=(match == 0).sum(), none=match.isna().sum(),
            low=per_cent(lowest.min()), high=per_cent(lowest.max()),
        )  # fmt: skip
        return {"rows_n": str(n), "rows_answer": _rank(good, (3, n)), "rows_says": says}

    # --- on another domain ------------------------------------------------------------------

    @cached_property
    def _other(self) -> tuple[str, Corpus]:
        """The name and the dev text of a domain that neither model has learnt from."""
        background = self.session.background
        taken = str(background.info["name"]), self.session.corpora["train"].name
        name = next(name for name in _OTHERS if name not in taken)
        return name, load(name, "dev").relabel(background.tag_names)

    @cached_property
    def _curve_elsewhere(self) -> dict[str, Any]:
        name, text = self._other
        adapted = [self._fit(sigma2).model for sigma2 in SIGMA2_GRID]
        return {"elsewhere": name} | curve_on(text, self.session.background, adapted)

    @cached_property
    def of_other(self) -> dict[str, str]:
        """Errors on dev text of another domain, one of ``_OTHERS``, before and after adaptation."""
        session, (name, text) = self.session, self._other
        models = session.background, self._fit(self.best).model, self._fit(max(SIGMA2_GRID)).model
        wrong = [model.tag(text) != text.tags for model in models]
        _, says_best = _judge_pair(text, wrong[0], wrong[1])
        answer, says_loose = _judge_pair(text, wrong[0], wrong[2])
        shown = zip(("background", "best", "loose"), wrong, strict=True)
        return {f"other_{model}": per_cent(float(own.mean())) for model, own in shown} | {
            "other_name": name, "other_n": _count(len(text)),
            "other_says_best": says_best, "other_says_loose": says_loose, "other_answer": answer,
        }  # fmt: skip

    # --- on less text -----------------------------------------------------------------------

    @cached_property
    def _little(self) -> "_Little | None":
        """A random tenth of the adaptation text, and the errors of models that learnt from it.

        None if that is too short, or if all of the text brings no gain.
        """
        session, train = self.session, self.session.corpora["train"]
        n_before = self._is_wrong_before.sum()
        if train.n_sentences < _LEAST * _TENTH or self._fit(self.best).wrong["dev"] >= n_before:
            return None

        def adapted_to(n):
            part = train.take(np.sort(order_of(train, 0)[: max(1, train.n_sentences // n)]))
            path = session.with_corpora({"train": part}).adaptation(CUTOFF)
            fits = [path.at(sigma2) for sigma2 in SIGMA2_GRID]
            learnt = [fit.wrong["train"] / max(1, len(part)) for fit in fits]
            return part, [session.is_wrong("dev", fit.tags["dev"]) for fit in fits], learnt

        sample, adapted, learnt = adapted_to(_TENTH)
        options = session.training_options | {"cutoff": 0}
        models = (type(session.background).fit(sample, sigma2=s, **options) for s in _ALONE)
        alone = (session.is_wrong("dev", model.tag(session.corpora["dev"])) for model in models)
        parts = {name: adapted_to(n) for name, n in _OTHER_PARTS.items()}
        others = {name: (len(part), min(wrong, key=np.sum))
                  for name, (part, wrong, _) in parts.items()}  # fmt: skip
        return _Little(sample, adapted, learnt, min(alone, key=np.sum), others)

    @property
    def _is_wrong_before(self) -> np.ndarray:
        return self.session.is_wrong("dev", self.session.background_tags("dev"))

    @cached_property
    def of_little(self) -> dict[str, str]:
        """Errors on dev after adaptation to a random tenth of the text, and without a background.

        Each with the sigma^2 that is best for it; empty texts where there is no such tenth.
        """
        if self._little is None:
            return dict.fromkeys(_OF_LITTLE, "")
        sample, adapted, learnt, alone, others = self._little
        before, dev = self._is_wrong_before, self.session.corpora["dev"]
        place = int(np.argmin([wrong.sum() for wrong in adapted]))
        best = adapted[place]
        whole = int(before.sum()) - self._fit(self.best).wrong["dev"]
        few, third = (others[name] for name in ("hundredth", "third"))
        gains = [int(before.sum() - own.sum()) for own in (best, few[1], third[1])]
        shares = [gain / whole for gain in gains]
        told = [with_minus(per_cent(each, 0)) for each in shares]
        answer, says = _judge_pair(dev, before, alone)
        gap = 100 * (float(adapted[-1].mean()) - learnt[-1])
        n_train = _count(len(self.session.corpora["train"]))
        claim = _HELPS.format(told[0], _count(len(sample)), n_train)
        values = (
            _count(len(sample)), per_cent(float(best.mean())), told[0],
            f"{_count(gains[0])} of {_count(whole)}", _rank(shares[0], (0.2, 0.5, 0.85)),
            per_cent(float(alone.mean())), answer, says,
            claim if gains[0] > 0 else "", SETTINGS["sigma2"].text(SIGMA2_GRID[place]),
            _count(few[0]), told[1], told[2], _rank(shares[1], (0.1, 0.25)),
            with_minus(f"{gap:.2f}"), _rank(gap - self._gap(max(SIGMA2_GRID)), (-0.1, 0.1)),
            per_cent(float(adapted[-1].mean())), per_cent(learnt[-1]),
            _judge_pair(dev, before, adapted[-1])[1],
        )  # fmt: skip
        return dict(zip(_OF_LITTLE, values, strict=True))

    def _draw_little(self, is_open, name):
        if self._little is None:
            return None
        if is_open and name == "by heart":
            return None
        before, n = self._is_wrong_before, len(self.session.corpora["dev"])
        if name == "amounts":
            return {"amounts": self._lowest_by_amount(is_open), "background": float(before.mean())}
        rules = [{"name": "background", "error": float(before.mean())}]
        if name == "alone" and not is_open:
            rules.append({"name": "that tenth alone", "error": float(self._little.alone.mean())})
        whole = [{"dev": self._fit(s).wrong["dev"] / n, "spread": 0} for s in SIGMA2_GRID]
        drawn = {"elsewhere": "dev text", "rules": rules}
        if is_open and name == "little":
            return drawn | {"label": "all of it", "points": whole}
        tenth = [{"dev": float(wrong.mean()), "spread": 0} for wrong in self._little.adapted]
        if name == "by heart":
            tenth = [p | {"train": e} for p, e in zip(tenth, self._little.learnt, strict=True)]
        other = {"name": "all of it", "points": whole, "hasLowest": name != "alone"}
        return drawn | {"label": "a tenth of it", "points": tenth, "other": other}

    def _lowest_by_amount(self, is_open):
        """Return the words of each part of the adaptation text and its lowest error rate on dev.

        While the question about the others ``is_open``, None stands for theirs.
        """
        assert self._little is not None
        n, little = len(self.session.corpora["dev"]), self._little
        known = {
            len(little.sample): float(min(wrong.mean() for wrong in little.adapted)),
            len(self.session.corpora["train"]): self._fit(self.best).wrong["dev"] / n,
        }
        asked = {words: None if is_open else float(wrong.mean())
                 for words, wrong in little.others.values()}  # fmt: skip
        return [{"words": words, "error": own} for words, own in sorted((known | asked).items())]

    # --- words ------------------------------------------------------------------------------

    @cached_property
    def of_sample(self) -> dict[str, str]:
        """A sentence that the adapted model writes right, without its capitals and with them.

        Of the short ones, the one with most capitals among those in which adaptation fixed words;
        among all if it fixed none in them. Empty texts where there is no such sentence.
        """
        dev, diff = self.session.corpora["dev"], self.session.at(SIGMA2_START, CUTOFF).diff
        own = dev.sentence_ids[diff["position"]]
        is_fixed = (diff["status"] == FIXED).to_numpy()
        fixed = np.bincount(own[is_fixed], minlength=dev.n_sentences)
        n_wrong = np.bincount(own[~is_fixed], minlength=dev.n_sentences)
        is_short = np.isin(np.diff(dev.starts), _SHORT)
        raised = np.bincount(dev.sentence_ids, ~np.isin(dev.tags, (Tag.LOC, Tag.PNC)))
        shown = np.flatnonzero(is_short & (n_wrong == 0) & (raised > 1))
        if not shown.size:
            return {"sample": "", "sample_lower": ""}
        place = max(shown, key=lambda i: (fixed[i] > 0, raised[i]))
        text = join_words(dev.sentence(place)).rstrip(".")
        return {"sample": text, "sample_lower": wipe_case(text)}

    @cached_property
    def of_words(self) -> dict[str, str]:
        """A sure fixed word and the first broken one at the best sigma^2; empty without one.

        Only words that a reader sees change count. The fixed word is fixed at sigma^2 = 1, too;
        those that gained a capital come first, and of the surest, one is taken that its most
        supportive adaptation sentence contains.
        """
        snapshot, start = (self.session.at(s, CUTOFF) for s in (self.best, SIGMA2_START))
        found = {status: _seen(snapshot.diff, status) for status in (FIXED, BROKEN)}
        is_soon = found[FIXED]["position"].isin(_seen(start.diff, FIXED)["position"])
        fixes = found[FIXED][is_soon]
        fixes = fixes.assign(p=snapshot.tuned.confidence["dev"][fixes["position"]])
        fixes["is_raised"] = fixes["after"] != fixes["word"]  # rather a capital than none
        surest = fixes.sort_values(["is_raised", "p"], ascending=False, kind="stable")
        fixed = self._taught_by_itself(snapshot, surest) or _first(surest)
        was_read = self._is_read(found[BROKEN]["word"])
        broken = _first(found[BROKEN][was_read]) or _first(found[BROKEN])
        return {
            **_of_word("fixed", fixed), **_of_word("broken", broken),
            **self._of_fixed(start, fixed), **self._of_broken(snapshot, broken),
        }  # fmt: skip

    def _of_fixed(self, start: Snapshot, row: dict | None) -> dict[str, str]:
        """Return how sure of a fixed word the model is at sigma^2 = 1, and what it is at 0.01."""
        if row is None:
            return dict.fromkeys(_OF_FIXED, "")
        tight = self.session.at(min(SIGMA2_GRID), CUTOFF)
        before, after = (
            why(self.session, each, row["position"])["after"] for each in (start, tight)
        )
        less = _rank(before["p"] - after["p"], (_HARDLY,))
        answer = less if after["tag"] == before["tag"] else "3"
        values = _sure(before["p"]), answer, after["form"], _sure(after["p"])
        return dict(zip(_OF_FIXED, values, strict=True))

    def _taught_by_itself(self, snapshot: Snapshot, surest: pd.DataFrame) -> dict | None:
        """Return the first word that its most supportive adaptation sentence contains, or None."""
        for row in surest.head(_TRIED).to_dict("records"):
            pushed = because(self.session, snapshot, row["position"])["pushed"]
            if pushed and row["word"].lower() in map(str.lower, pushed[0]["words"]):
                return row
        return None

    def _of_broken(self, snapshot: Snapshot, row: dict | None) -> dict[str, str]:
        """Return how the adaptation text writes a broken word, and which votes broke it."""
        if row is None:
            return dict.fromkeys(_OF_BROKEN, "")
        times = self._times_by_tag(row["word"])
        as_given, as_reference = times.get(row["tag_after"], 0), times.get(row["gold_tag"], 0)
        answer = "3" if as_given == as_reference else "1" if as_given > as_reference else "2"
        gap = why(self.session, snapshot, row["position"])["gap"]
        moved = np.zeros(3)  # by the word itself, by its letters, by what stands around it
        most = (0.0, "")
        for each in gap["rows"]:
            change = each["adapted"] - each["background"]
            moved[_kind_of(each["predicate"])] += change
            most = max(most, (change, each["words"]))
        values = (
            *map(str, (sum(times.values()), as_given, as_reference, answer)),
            *(with_minus(f"{nats:+.2f}") for nats in moved), str(1 + int(moved.argmax())),
            f"{most[1]}, {most[0]:+.2f}", _READ_ONE if sum(times.values()) else _UNREAD_ONE,
        )  # fmt: skip
        return dict(zip(_OF_BROKEN, values, strict=True))

    @cached_property
    def _hung(self) -> "_Hung | None":
        """A fixed word that hangs on one sentence, and the fit without it; None if none does.

        Of the fixed words that are least sure it is the one of whose gap a sentence has most.
        """
        session, snapshot = self.session, self.session.at(self.best, CUTOFF)
        sure, rows = snapshot.tuned.confidence["dev"], _seen(snapshot.diff, FIXED)
        rows = rows.assign(p=sure[rows["position"]]).sort_values("p", kind="stable")
        rows = rows[rows["p"] >= _NOT_A_TOSS][:_TRIED]
        hung = [
            (row, because(session, snapshot, row["position"])) for row in rows.to_dict("records")
        ]
        hung = [(row, found) for row, found in hung if found["pushed"]]
        if not hung:
            return None
        row, found = max(hung, key=lambda each: each[1]["pushed"][0]["effect"] / each[1]["gap"])
        fewer = session.without({found["pushed"][0]["sentence"]})
        without = fewer.at(self.best, CUTOFF)
        left_out = fewer.left_out(without, row["position"])
        assert left_out is not None  # one sentence is
        return _Hung(row, found, snapshot, without, left_out)

    @cached_property
    def of_sentence(self) -> dict[str, str]:
        """The word that hangs on one sentence, and what a fit without the sentence makes of it."""
        if self._hung is None:
            return _of_word("hung", None) | dict.fromkeys(_OF_SENTENCE, "")
        row, found, snapshot, without, left_out = self._hung
        pushed, position = found["pushed"][0], row["position"]
        p_with, p = (left_out[side]["p"] for side in ("before", "after"))
        is_wrong = without.tuned.tags["dev"][position] != snapshot.tuned.tags["dev"][position]
        gap, rest = (round(each, 2) for each in (found["gap"], found["gap"] + left_out["true"]))
        bounds = [round(-share * left_out["forecast"], 2) for share in (0.95, 1.05)]
        values = (  # rounded so that the figures add up
            _sure(p_with), f"{pushed['effect']:.2f}", f"{gap:.2f}", f"{np.exp(gap):.3g}",
            with_minus(f"{rest:.2f}"),
            "3" if is_wrong else _rank(p_with - p, (_HARDLY,)),
            "wrong again" if is_wrong else f"still right, {probability_in_words(p)} sure",
            with_minus(f"{gap - rest:.2f}"), _count(left_out["flipped"]),
            _count(self.session.corpora["train"].n_sentences), str(pushed["sentence"]),
            *(("yes", *(f"{bound:.2f}" for bound in bounds), _rank(gap - rest, bounds))
              if self._pulls_of_sentence else [""] * 4),
        )  # fmt: skip
        return _of_word("hung", row) | dict(zip(_OF_SENTENCE, values, strict=True))

    @cached_property
    def _pulls_of_sentence(self) -> list[dict[str, Any]]:
        """The objective with and without that sentence, drawn: a list of one, or of none."""
        if self._hung is None or max(self._hung.left_out[each] for each in _FALLS) >= 0:
            return []
        row, found, snapshot, without, left_out = self._hung
        name = (
            f"gap between {found['to']} and {found['from']} at “{row['after']}”, nats, on the "
            "straight line between the weights of both models"
        )
        drawn = pull_of_sentence(snapshot.tuned, without.tuned, found["gap"], left_out)
        return [{"name": name} | drawn]

    def _times_by_tag(self, word: str) -> dict[str, int]:
        """Return how often the adaptation text gives a word each tag."""
        train = self.session.corpora["train"]
        tags = train.tags[np.array(train.words, object)[train.word_ids] == word]
        counts = np.bincount(tags, minlength=len(train.tag_names)).tolist()
        return dict(zip(train.tag_names, counts, strict=True))


# Where figures are found, by the beginnings of their names; others in ``of_texts``, ``of_path``.
_HOMES = {
    "cut": "of_cutoffs", "other": "of_other", "sample": "of_sample", "fixed": "of_words",
    "broken": "of_words", "hung": "of_sentence", "halves": "of_halves", "goal": "of_goals",
    "pull": "of_pulls", "little": "of_little", "rows": "of_rows",
}  # fmt: skip
_OF_HALVES = (
    "halves_n", "halves_values", "halves_own", "halves_other", "halves_points", "halves_answer",
    "halves_by_chance", "halves_answer_same", "halves_from", "halves_to", "halves_times",
    "halves_chosen", "halves_drawn",
)  # fmt: skip
_OF_LITTLE = (
    "little_words", "little_error", "little_share", "little_fewer", "little_answer",
    "little_alone", "little_alone_answer", "little_alone_says", "little_claim", "little_sigma2",
    "little_words_hundredth", "little_share_hundredth", "little_share_third",
    "little_answer_hundredth", "little_gap", "little_answer_gap", "little_error_loose",
    "little_train_loose", "little_says_loose",
)  # fmt: skip
_OF_SENTENCE = (
    "hung_p", "hung_effect", "hung_gap", "hung_ratio", "hung_gap_without", "hung_answer",
    "hung_without", "hung_true", "hung_flipped", "hung_sentences", "hung_number", "hung_drawn",
    "hung_low", "hung_high", "hung_answer_near",
)  # fmt: skip
_OF_PULLS = (
    "pull_times_rare", "pull_times_often", "pull_share_rare", "pull_share_often", "pull_answer",
    "pull_claim",
)  # fmt: skip
_OF_FIXED = ("fixed_p", "fixed_answer", "fixed_tight", "fixed_p_tight")
_OF_BROKEN = (
    "broken_n", "broken_n_after", "broken_n_gold", "broken_answer",
    "broken_by_itself", "broken_by_letters", "broken_by_others", "broken_answer_by",
    "broken_most", "broken_intro",
)  # fmt: skip


def _figures_of_paper():
    """Return figures of Chelba & Acero (2004), tables 4 to 6, that lessons compare with ours."""
    matrix, cutoffs = (PRINTED["CA04"][name] for name in ("matrix", "cutoffs"))
    new = {name: own["features"] - cutoffs["none"]["features"] for name, own in cutoffs.items()}
    return {
        "paper_new": _count(new["0"]), "paper_new_5": _count(new["5"]),
        "paper_error_0": per_cent(1 - cutoffs["0"]["accuracy"]),
        "paper_error_none": per_cent(1 - cutoffs["none"]["accuracy"]),
        "paper_background": per_cent(matrix["background"]["BN-ABC"], 1),
        "paper_small": per_cent(matrix["BN-ABC"]["BN-ABC"], 1),
        "paper_transfer": per_cent(matrix["BN-CNN"]["BN-ABC"], 1),
    }  # fmt: skip


def _judge_pair(text: Corpus, before: np.ndarray, after: np.ndarray) -> tuple[str, str]:
    """Return whether a second model has fewer, as many or more errors on a text, as ``_judge``."""
    if before.sum() == after.sum():
        return _AS_MANY, _NO_DIFFERENCE
    row = paired_row(text, "before", before, "after", after)
    answer, p = _ANSWERS.get(verdict(row), _AS_MANY), chance_in_words(row["p_value"])
    if answer == _AS_MANY:
        return answer, _NO_TELLING.format(p=p)
    return answer, _REAL.format(p=p if p.startswith("<") else f"= {p}")


def _kind_of(predicate: str) -> int:
    """Return what a predicate reads: 0 the word itself, 1 its letters, 2 what is around it."""
    name, _, _ = predicate.partition("=")
    (template,) = find_templates(name)
    is_of_word = template.offsets == (0,) and template.n_tags == 0
    return 0 if name == "currentword" else 1 if is_of_word else 2


def _seen(diff: pd.DataFrame, status: str) -> pd.DataFrame:
    """Return the words of a status whose change a reader sees: the words themselves differ."""
    letters = diff["word"].str.contains(r"[^\W\d_]{2}", regex=True)
    return diff[(diff["status"] == status) & (diff["before"] != diff["after"]) & letters]


def _first(rows: pd.DataFrame) -> dict | None:
    return None if rows.empty else rows.iloc[0].to_dict()


def _of_word(name: str, row: dict | None) -> dict[str, str]:
    """Return a word of a diff as the models and the reference write it, and its link."""
    if row is None:
        return {f"{name}_{key}": "" for key in ("before", "after", "gold", "link")}
    link = f"{row['word']} · {row['position']}"
    return {f"{name}_link": link} | {
        f"{name}_{key}": row[key] for key in ("before", "after", "gold")
    }


def _sure(p: float) -> str:
    """Return a probability as the panel of reasons says it; no line breaks before its sign."""
    return probability_in_words(p).replace(" %", "\u00a0%")


def _rank(value: float, bounds: Sequence[float]) -> str:
    """Return the number of the answer that a value belongs to; below the first bound it is 1."""
    return str(1 + int(np.searchsorted(bounds, value, "right")))


def _count(number: int | np.integer) -> str:
    return f"{number:,}"
