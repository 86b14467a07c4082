"""The session behind the view Tune: texts and background loaded once, a snapshot at any sigma^2."""

import os
import shlex
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd

from workbench.adaptation.adaptation import Adaptation, AdaptedFit, OnDemand, adapt_by_cutoff
from workbench.evaluation.diff import summarize, word_diff
from workbench.evaluation.error_rates import find_misspelled
from workbench.evaluation.number_words import counted
from workbench.evaluation.report import model_row, paired_row
from workbench.evaluation.significance import difference_error, mcnemar
from workbench.evaluation.slices import Slicing
from workbench.evaluation.task import Task, task_named
from workbench.experiments import why as reasons
from workbench.experiments.backgrounds import adapt_background, find_background, words_learnt
from workbench.experiments.movers import movers
from workbench.learning.solvers.fit import FINE, Step
from workbench.learning.warm_start import fill_order
from workbench.models.capitalizer import Capitalizer
from workbench.models.log_linear import LogLinear
from workbench.models.memm import MEMM
from workbench.models.mixed_forms import count_mixed_forms, join_mixed_forms
from workbench.models.unigram import Unigram
from workbench.settings import BACKGROUND, MISSPELLED, SETTINGS, SIGMA2_GRID, Settings
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError
from workbench.text.sets.overlap import find_shared, why_no_verdict
from workbench.text.sets.registry import load

ADAPTED = "adapted"
MEASURED = ("dev", "test")  # parts of the domain
_ALIKE = FINE["newton"] / 100  # tolerance at which fits from other starts give the same tags
OnStep = Callable[[Step], object] | None


@dataclass(frozen=True, eq=False)
class Snapshot:
    """All there is to see at one sigma^2, cut-off and text, with a summary in words.

    Attributes
    ----------
    part : {"dev", "test"}
    point : dict
        ``AdaptedFit.describe``: log-likelihood, error rates, features.
    models : list of dict
        ``model_row`` of 1-gram (of case alone), background and adapted, with the number of
        words ``misspelled``; for all but the background ``versus``, a ``paired_row`` from the
        background to the model.
    diff : DataFrame
        ``word_diff`` from the background to the adapted model.
    """

    part: str
    tuned: AdaptedFit
    point: dict
    models: list
    diff: pd.DataFrame
    summary: str


class Session:
    """A background and a domain, loaded and trained once.

    A session of an annex's texts, whose decisions are about something else than words, is a kind
    of it: what is said and drawn of a session is asked of it.

    Parameters
    ----------
    unigram : Unigram or None
        Of the background text; None where the task has no such baseline.
    corpora : dict of str to Corpus
        The domain's ``train`` (adaptation data), ``dev`` and ``test``.
    word_counts : mapping of str to int, optional
        How often each word, in lower case, stands in the background's text; for ``slicing``.
    is_of_model : bool
        Whether the background is a model that was given without its text.
    """

    # What explains a decision, and the weights behind all: see these functions.
    why, path, because, movers = reasons.why, reasons.path, reasons.because, movers
    shift = reasons.shift
    gap_direction, gap_along, left_out = reasons.gap_direction, reasons.gap_along, reasons.left_out
    diff_name = "Changed words"  # of ``Snapshot.diff``
    opener = "open_session"  # what made it
    homes: Mapping[str, tuple[str, ...]] = {  # what ``opener`` and ``reading`` name, by module
        "workbench": ("CRF", "load", "open_session", "read_corpus"),
        "workbench.text.sets.registry": ("find_data_set", "folder_of"),
    }
    defaults: Mapping[str, Any] = BACKGROUND  # of the background's training
    whole: "Session | None" = None  # what it is ``without`` some sentences of
    dropped: frozenset[int] = frozenset()  # these sentences, by their numbers

    def __init__(
        self, background: LogLinear, unigram: Unigram | None, corpora: Mapping[str, Corpus],
        word_counts: Mapping[str, int] | None = None, is_of_model: bool = False,
    ):  # fmt: skip
        self.background, self.unigram, self.word_counts = background, unigram, word_counts
        self.is_of_model = is_of_model
        names = corpora["train"].relabel(background.tag_names).tag_names  # of the adapted model
        corpora = {part: corpus.relabel(names) for part, corpus in corpora.items()}
        train = corpora["train"]
        self.mixed_forms = join_mixed_forms(  # of adapted models
            background.mixed_forms, count_mixed_forms(train)
        )
        self._slicings = {part: Slicing(corpora[part], train, word_counts) for part in MEASURED}
        self._set_up(corpora)

    def _set_up(self, corpora: Mapping[str, Any]) -> None:
        """Tag the texts by what does not move, and make ready the adaptations."""
        self.corpora = dict(corpora)
        train, held = self.corpora["train"], [self.corpora[part] for part in MEASURED]
        self._shared = find_shared(held, self.background.info, [train])
        texts = {part: self.corpora[part].require_cased() for part in MEASURED}
        self._baselines = {part: self._tag_baselines(corpus) for part, corpus in texts.items()}
        self._adaptations = adapt_by_cutoff(self.background, train, {"train": train, **texts})
        self._baseline_rows = dict[str, list[dict]]()
        self.companions = dict[str, Any]()  # what others made of it, kept as long as it is
        # By fit, and gone with it: first answers are replaced.
        self._adapted_rows = WeakKeyDictionary[AdaptedFit, dict[str, dict]]()
        self._lock = threading.Lock()

    @property
    def task(self) -> Task:
        """What its models decide, how the page calls it, and which sections it has."""
        return task_named(self.background.task)

    @property
    def unit(self) -> str:
        """What one decision of its models is about: "word"."""
        return self.task.wording.unit

    @property
    def quality_name(self) -> str:
        """What is measured where that is no error rate, such as "F1"; "" of words and tags."""
        return ""

    @property
    def introduction(self) -> str:
        """What is adapted with how much text, in a sentence."""
        info, train, task = self.background.info, self.corpora["train"], self.background.task
        deed = "restores the case of words" if self.task.recases else f"gives words their {task}"
        return "".join(f"{each.line}. " for each in self._shared) + (
            f"A model that {deed}, trained on {words_learnt(info):,} words of {info['name']}, is "
            f"adapted with {len(train):,} words of {train.name}: move σ² and watch words flip."
        )

    @property
    def contents(self) -> str:
        """What the size of its data is counted in: "words"."""
        return "words"

    @property
    def training_options(self) -> dict[str, Any]:
        """What a model of other texts is trained with to be like the background: as in ``fit``."""
        return {"templates": [template.name for template in self.background.templates]}

    @staticmethod
    def reading(texts: Sequence[str], part: str, repairs: bool = False) -> str:
        """Return the expression of Python that reads a part of one text, or of several as one."""
        more = ", repair=True" if repairs else ""
        if len(texts) == 1:
            return f'load({texts[0]!r}, "{part}"{more})'
        places = [
            repr(t) if os.path.exists(t) else f"folder_of(find_data_set({t!r}))" for t in texts
        ]
        return f'read_corpus([{", ".join(places)}], "{part}"{more})'

    def commands(self, settings: Settings) -> tuple[str, str]:
        """Return what the commands make again, and the commands, ready for a shell.

        The texts are data sets or folders: a command does not divide a text as the page does.
        """
        if self.is_of_model:
            return self._commands_of_model(settings)
        words = ["python", "-m", "workbench", "sweep", "--background", settings.background]
        texts = ("adapt", "dev", "test")
        words += [word for name in texts for word in (f"--{name}", settings.domain)]
        words += ["--sigma2", SETTINGS["sigma2"].text(settings.sigma2)]
        words += ["--cutoff", SETTINGS["cutoff"].text(settings.cutoff)]
        words += ["--model", settings.model] if settings.model == "crf" else []
        if settings.templates != BACKGROUND["templates"]:
            words += ["--templates", settings.templates]
        return "The same errors by the command line", shlex.join([*words, "--json"])

    def _commands_of_model(self, settings):
        """Return the command that adapts the model, of a background without its text."""
        words = ["python", "-m", "workbench", "adapt", settings.background, settings.domain]
        words += ["--dev", settings.domain, "--sigma2", SETTINGS["sigma2"].text(settings.sigma2)]
        words += ["--cutoff", SETTINGS["cutoff"].text(settings.cutoff), "-o", "adapted.model"]
        return "The adapted model, and its errors on dev, by the command line", shlex.join(words)

    def names_of(self, part: str, position: int) -> tuple[str, ...]:
        """Return what a link may call a word: its form in the text, and in lower case."""
        corpus = self.corpora[part]
        return corpus.form_at(position), corpus.words[corpus.word_ids[position]]

    def words_of(self, sentence: int) -> list[str]:
        """Return the words of a sentence of the adaptation data, as written."""
        return self.corpora["train"].sentence(sentence)

    def is_wrong(self, part: str, tags: np.ndarray) -> np.ndarray:
        """Return which of a model's tags of a part are wrong; bool, shape (N,)."""
        return tags != self.corpora[part].tags

    def tags_by_position(self, part: str, tags: np.ndarray) -> dict[int, int]:
        """Return a model's tags of a part where they are not the reference's."""
        return {i: int(tags[i]) for i in self.is_wrong(part, tags).nonzero()[0].tolist()}

    def difference_error(self, part: str, tags: np.ndarray) -> float:
        """Return the standard error of a model's error rate less the background's, a fraction."""
        sentence_ids = self.corpora[part].sentence_ids
        models = (tags, self.background_tags(part))
        wrong = [np.bincount(sentence_ids, self.is_wrong(part, each)) for each in models]
        return difference_error(*((errors, np.bincount(sentence_ids)) for errors in wrong))

    def p_value(self, part: str, tags: np.ndarray, other: np.ndarray) -> float:
        """Return how likely two models' difference on a part is by chance; see ``mcnemar``."""
        return mcnemar(self.is_wrong(part, tags), self.is_wrong(part, other)).p_value

    def slicing(self, part: str) -> Slicing:
        """Return the slices of the dev or the test text."""
        return self._slicings[part]

    def slices(self, snapshot: Snapshot, like: str = "") -> pd.DataFrame:
        """Return the figures of background and adapted model by slice; see ``Slicing.table``."""
        part, diff = snapshot.part, snapshot.diff
        misspelled = diff["position"][diff["status"] == MISSPELLED]
        tags = self.background_tags(part), snapshot.tuned.tags[part]
        return self.slicing(part).table(*tags, misspelled, like)

    @property
    def known_cutoffs(self) -> list[int | None]:
        """The cut-offs asked for so far."""
        with self._lock:
            return list(self._adaptations)

    def _tag_baselines(self, corpus):
        models: dict[str, Capitalizer] = {"1-gram": self.unigram} if self.unigram else {}
        models["background"] = self.background
        return {name: (model, model.tag(corpus)) for name, model in models.items()}

    def adaptation(self, cutoff: int | None) -> Adaptation:
        """Return the ``Adaptation`` with a cut-off; its texts are ``train``, ``dev``, ``test``.

        A MEMM's fits go on until they tag alike whatever was fitted before, so that the same
        settings show the same words and verdicts again.
        """
        with self._lock:
            found = self._adaptations[cutoff]
            if found.tolerance is None and self.background.kind == "memm":
                found.tolerance = _ALIKE
            return found

    def without(self, sentences: Collection[int]) -> "Session":
        """Return the session without some sentences of the adaptation data, by their numbers.

        It shares everything else: the background, texts, features; see ``Adaptation.without``.
        Of what it leaves out ``left_out`` tells.
        """
        fewer, dropped = copy(self), frozenset(sentences)
        fewer._adaptations = OnDemand(lambda cutoff: self.adaptation(cutoff).without(dropped))
        fewer._lock, fewer.companions = threading.Lock(), {}
        fewer.whole, fewer.dropped = self.whole or self, self.dropped | dropped
        return fewer

    def with_corpora(self, corpora: Mapping[str, Corpus]) -> "Session":
        """Return the session with other texts instead of some of the domain's, by part.

        Only the background is shared: features, fits and slices are those of the new texts.
        """
        texts = self.corpora | dict(corpora)
        own = self.background, self.unigram, texts, self.word_counts
        return Session(*own, self.is_of_model)

    def at(
        self, sigma2: float, cutoff: int | None = 0, part: str = "dev", on_step: OnStep = None
    ) -> Snapshot:
        """Return the ``Snapshot`` at a sigma^2 and cut-off, on a part of the domain."""
        return self._describe(self.adaptation(cutoff).at(sigma2, on_step), part)

    def first(
        self, sigma2: float, cutoff: int | None = 0, part: str = "dev", on_step: OnStep = None
    ) -> Snapshot:
        """Return the ``Snapshot`` of the first answer, which ``at`` settles; see ``Adaptation``.

        Without some sentences it is that of ``at``: what it changes is told as what came true.
        """
        if self.dropped:
            return self.at(sigma2, cutoff, part, on_step)
        return self._describe(self.adaptation(cutoff).first(sigma2, on_step), part)

    def _describe(self, tuned, part):
        diff, point = self._compare(tuned, part), tuned.describe()
        models = [*self.baseline_rows(part), self.adapted_row(tuned, part)]
        return Snapshot(part, tuned, point, models, diff, self._summarize(diff, part))

    def _compare(self, tuned, part):
        """Return what differs between background and adapted model: ``Snapshot.diff``."""
        tags = self.background_tags(part), tuned.tags[part]
        forms = self.background.mixed_forms, tuned.model.mixed_forms
        return word_diff(self.corpora[part], *tags, *forms)

    def _summarize(self, diff, part):
        return summarize(diff, len(self.corpora[part]))

    def background_tags(self, part: str) -> np.ndarray:
        """Return the tags that the background gives a part of the domain; int8, shape (N,)."""
        return self._baselines[part]["background"][1]

    def baseline_rows(self, part: str) -> list[dict]:
        """Return the rows of ``Snapshot.models`` that do not depend on sigma^2."""
        if part not in self._baseline_rows:
            baselines = self._baselines[part].items()
            rows = [self._row(name, model, tags, part) for name, (model, tags) in baselines]
            self._baseline_rows[part] = rows
        return self._baseline_rows[part]

    def adapted_row(self, tuned: AdaptedFit, part: str) -> dict:
        """Return the row of ``Snapshot.models`` of an adapted model; kept with its fit."""
        if part not in (rows := self._adapted_rows.setdefault(tuned, {})):
            rows[part] = self._row(ADAPTED, tuned.model, tuned.tags[part], part)
        return rows[part]

    def _row(self, name, model, tags, part):
        corpus = self.corpora[part]
        row = model_row(corpus, name, model, tags)
        row["misspelled"] = int(find_misspelled(corpus, tags, model.mixed_forms).sum())
        if name != "background" and not why_no_verdict(self._shared):
            wrong = [self.is_wrong(part, own) for own in (self.background_tags(part), tags)]
            row["versus"] = paired_row(corpus, "background", wrong[0], name, wrong[1])
        return row

    def curve(self, cutoff: int | None) -> pd.DataFrame:
        """Return the points of figure 1 fitted so far, by sigma^2; a DataFrame."""
        return pd.DataFrame([tuned.describe() for tuned in self.adaptation(cutoff).shown])

    def missing(self, cutoff: int | None) -> list[float]:
        """Return the values of the grid not fitted yet, in ``fill_order``."""
        return fill_order(SIGMA2_GRID, {tuned.sigma2 for tuned in self.adaptation(cutoff).known})


def open_session(
    background: str | Corpus | LogLinear, domain: str | Mapping[str, Corpus],
    on_step: OnStep = None,
    on_build: Callable[[int, int, str], None] | None = None, options: dict = BACKGROUND,
    kind: type[LogLinear] = MEMM, levels: Sequence[tuple[str | Corpus, float]] = (),
) -> Session:  # fmt: skip
    """Return a ``Session``: its texts loaded, its background trained or taken from the cache.

    Parameters
    ----------
    background : str, Corpus or LogLinear
        Data set or folder, or the text itself; or a model, or the name of one, as in
        ``find_background``.
    domain : str or dict of str to Corpus
        Data set or folder with train, dev and test; or its corpora.
    on_step, on_build, options, kind
        As in ``find_background``.
    levels : sequence of (str or Corpus, float)
        Texts that the background's model is adapted to first, each with its sigma2; as in
        ``adapt_background``.
    """
    if isinstance(domain, str):
        domain = {part: load(domain, part, on_build) for part in ("train", "dev", "test")}
    found = find_background(background, on_step, on_build, options, kind)
    steps = ((load(t, "train", on_build) if isinstance(t, str) else t, s) for t, s in levels)
    found = adapt_background(found, steps)
    return Session(found.model, found.unigram, domain, found.word_counts, found.is_model)


def divide(corpus: Corpus, block: int = 20) -> dict[str, Corpus]:
    """Return a user's text as train, dev and test: 3, 1 and 1 of every 5 blocks of sentences.

    Blocks, because neighbouring sentences repeat one another's names.

    Raises
    ------
    InputError
        If there are fewer than 5 sentences.
    """
    if corpus.n_sentences < 5:
        raise InputError(
            f"{corpus.name}: {counted(corpus.n_sentences, 'sentences')}; "
            "5 or more are needed, to adapt to some and measure on others"
        )
    block = min(block, corpus.n_sentences // 5)
    turn = np.arange(corpus.n_sentences) // block % 5
    shares = {"train": turn < 3, "dev": turn == 3, "test": turn == 4}
    return {part: corpus.take(np.flatnonzero(chosen)) for part, chosen in shares.items()}
