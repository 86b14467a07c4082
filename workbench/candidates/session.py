"""The session behind the view Tune on candidate sets: what each model selects of each sentence.

It is a ``Session`` whose decisions are sentences: the "tags" of a text are the numbers of the
candidates selected, one a sentence, as ``CandidateModel.tag`` gives them.
"""

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from workbench.adaptation.adaptation import OnDemand
from workbench.candidates.files import is_candidate_source, read_candidates
from workbench.candidates.learning import DEFAULTS
from workbench.candidates.model import CandidateModel
from workbench.candidates.report import (
    Selection,
    explain_choice,
    paired_selection_row,
    selection_row,
)
from workbench.candidates.sets import TASK, CandidateSets
from workbench.candidates.why import (
    choice_direction,
    choice_path,
    chosen_because,
    moved_weights,
    name_sentence,
    why_chosen,
)
from workbench.evaluation.significance import difference_error, mcnemar
from workbench.evaluation.slices import Slicing
from workbench.experiments.backgrounds import background_of
from workbench.experiments.session import OnStep, Session, Snapshot
from workbench.settings import BROKEN, FIXED, SETTINGS, STILL_WRONG, Settings
from workbench.text.errors import InputError
from workbench.text.sets.registry import folder_of, known_data_sets
from workbench.text.sets.splits import PARTS

FIRST = "first-best"  # whoever proposed the candidates had this one first


class CandidateSession(Session):
    """A background model of candidate sets and a domain, loaded and trained once.

    Parameters
    ----------
    background : CandidateModel
    corpora : dict of str to CandidateSets
        The domain's ``train`` (adaptation data), ``dev`` and ``test``.
    """

    # Only of the sentences that are there: no others come with candidates.
    why, path, because = why_chosen, choice_path, chosen_because  # type: ignore[assignment]
    gap_direction = choice_direction  # type: ignore[assignment]
    movers = moved_weights
    diff_name = "Choices"
    opener = "open_candidate_session"
    homes = {  # noqa: RUF012 (as in ``Session``)
        __name__: ("load_candidates", "open_candidate_session"),
        "workbench.candidates.packing": ("join_sets",),
    }
    defaults = DEFAULTS

    def __init__(self, background: CandidateModel, corpora: Mapping[str, CandidateSets]):
        self.background: Any = background
        self.unigram, self.word_counts, self.is_of_model = None, None, False
        # What the background has against a rival, by (part, sentence, candidate, rival).
        self.reasons = OnDemand(lambda of: explain_choice(background, self.corpora[of[0]], *of[1:]))
        self._set_up(corpora)

    @property
    def quality_name(self) -> str:
        """What the quality of all that a model selects is called."""
        return self.corpora["train"].quality_name

    @property
    def introduction(self) -> str:
        """What is adapted with how many sentences, in a sentence."""
        info, train = self.background.info, self.corpora["train"]
        return (
            "A model that chooses one candidate for each sentence, trained on "
            f"{info['sentences']:,} sentences of {info['name']}, is adapted with "
            f"{train.n_sentences:,} of {train.name}: move σ² and watch its choices change."
        )

    @property
    def contents(self) -> str:
        """What the size of its data is counted in: "candidates"."""
        return "candidates"

    @property
    def training_options(self) -> dict[str, Any]:
        """What is learnt of each sentence, as in ``fit``."""
        return {"learning": self.background.learning}

    @staticmethod
    def reading(texts: Sequence[str], part: str, repairs: bool = False) -> str:
        """Return the expression that reads a part of some candidate sets, NAME@PATTERN cut."""
        read = []
        for text in texts:
            name, _, pattern = text.partition("@")
            cut = f".of_documents({pattern!r})" if pattern else ""
            read.append(f'load_candidates({name!r}, "{part}"){cut}')
        return read[0] if len(read) == 1 else f"join_sets('background', [{', '.join(read)}])"

    def commands(self, settings: Settings) -> tuple[str, str]:
        """Return what the commands make again, and those that train, adapt and measure."""
        background, domain = settings.background, settings.domain
        sigma2, cutoff = (SETTINGS[n].text(getattr(settings, n)) for n in ("sigma2", "cutoff"))
        commands = (
            ["train", background, "-o", "background.model"],
            ["adapt", "background.model", domain, "--sigma2", sigma2, "--cutoff", cutoff,
             "-o", "adapted.model"],
            ["evaluate", "background.model", "adapted.model", "--test", domain],
        )  # fmt: skip
        lines = (shlex.join(["python", "-m", "workbench", *words]) for words in commands)
        what = "The same models by the command line, measured on the test text"
        return what, "\n".join(lines)

    def names_of(self, part: str, position: int) -> tuple[str, ...]:
        """Return what a link calls any sentence."""
        return (self.unit,)

    def gap_along(self, snapshot: Snapshot, gap: Mapping[str, Any]) -> list[list[float]]:
        """Return no rows: the weights of a choice are not shown along sigma^2."""
        return []

    def words_of(self, sentence: int) -> list[str]:
        """Return the words of a sentence of the adaptation data, or where they are not known."""
        return name_sentence(self.corpora["train"], sentence).split()

    def is_wrong(self, part: str, tags: np.ndarray) -> np.ndarray:
        """Return in which sentences a model's choice is not best; bool, shape (S,)."""
        return ~self.corpora[part].is_best[tags]

    def tags_by_position(self, part: str, tags: np.ndarray) -> dict[int, int]:
        """Return a model's choice of each sentence: its number within it, from 0."""
        return dict(enumerate(self.corpora[part].number_within(tags).tolist()))

    def difference_error(self, part: str, tags: np.ndarray) -> float:
        """Return the standard error of a model's quality less the background's, a fraction."""
        terms = self.corpora[part].quality_terms
        return difference_error(terms.take(tags), terms.take(self.background_tags(part)))

    def p_value(self, part: str, tags: np.ndarray, other: np.ndarray) -> float:
        """Return the p-value of the sign test of the quality of two models' choices."""
        one, two = (self.corpora[part].quality[chosen] for chosen in (tags, other))
        return mcnemar(one < two, two < one).p_value

    def slicing(self, part: str) -> Slicing:
        """Raise InputError: candidate sets have no slices."""
        raise InputError("slice: candidate sets have none; weight: and a feature is allowed")

    def slices(self, snapshot: Snapshot, like: str = "") -> pd.DataFrame:
        """Return an empty table: candidate sets have no slices."""
        return pd.DataFrame()

    def _tag_baselines(self, corpus):
        first = corpus.sentence_starts[:-1]
        return {FIRST: (None, first), "background": (self.background, self.background.tag(corpus))}

    def _row(self, name, model, tags, part):
        """Return a row of ``Snapshot.models``: ``selection_row``, and how many are not best."""
        corpus, selection = self.corpora[part], Selection(name, tags)
        row = selection_row(corpus, selection, "candidates" if model else FIRST)
        row["error_rate"] = 1 - row["quality"]
        row["wrong"] = int(self.is_wrong(part, tags).sum())
        if name != "background":
            before = Selection("background", self.background_tags(part))
            row["versus"] = paired_selection_row(corpus, before, selection)
        return row

    def _compare(self, tuned, part):
        return choice_diff(self.corpora[part], self.background_tags(part), tuned.tags[part])

    def _summarize(self, diff, part):
        statuses = diff["status"].tolist()
        better, worse = (f"{statuses.count(status):,}" for status in (FIXED, BROKEN))
        n = self.corpora[part].n_sentences
        chosen = f"a better candidate in {better} and a worse one in {worse} of {n:,} sentences"
        return f"Adaptation selects {chosen}."


def choice_diff(sets: CandidateSets, before: np.ndarray, after: np.ndarray) -> pd.DataFrame:
    """Return the sentences in which two models' choices differ or neither is best.

    Parameters
    ----------
    before, after : ndarray of int, shape (S,)
        Numbers of the chosen candidates.

    Returns
    -------
    diff : DataFrame
        One row a sentence: ``position``, its number; ``document``; ``text``; ``before`` and
        ``after``, the candidates' numbers within the sentence, from 1; ``quality_before``,
        ``quality_after`` and ``best``, qualities; ``status``: fixed if the second choice has a
        higher quality than the first, broken if a lower one, else still wrong.
    """
    old, new = sets.quality[before], sets.quality[after]
    places = np.flatnonzero((before != after) | (new < sets.best_quality))
    numbers, change = [sets.number_within(own)[places] + 1 for own in (before, after)], new - old
    return pd.DataFrame(
        {
            "position": places,
            "document": [sets.documents[i] if sets.documents else "" for i in places.tolist()],
            "text": [sets.sentences[i] if sets.sentences else "" for i in places.tolist()],
            "before": numbers[0], "after": numbers[1],
            "quality_before": old[places], "quality_after": new[places],
            "best": sets.best_quality[places],
            "status": np.select(
                [change[places] > 0, change[places] < 0], [FIXED, BROKEN], STILL_WRONG
            ),
        }
    )  # fmt: skip


def load_candidates(name: str, part: str = "train") -> CandidateSets:
    """Return a part of candidate sets, by name or path; InputError if there are none."""
    if is_candidate_source(name):
        return read_candidates(name, part, name)
    known = {each.name: each for each in known_data_sets() if each.task == TASK}
    if name not in known:
        here = ", ".join(known) or "none"
        raise InputError(f"{name}: no candidate sets of that name; here are {here}")
    return read_candidates(folder_of(known[name]), part, name)


def open_candidate_session(
    background: str | CandidateSets, domain: str | Mapping[str, CandidateSets],
    on_step: OnStep = None, options: Mapping[str, Any] = DEFAULTS,
) -> CandidateSession:  # fmt: skip
    """Return a ``CandidateSession``, its background trained or taken from the cache.

    Parameters
    ----------
    background : str or CandidateSets
        Candidate sets by name or path; or the sets themselves.
    domain : str or dict of str to CandidateSets
        Candidate sets by name or path; or train, dev and test.
    options : dict
        As in ``CandidateModel.fit``: how the background is trained.

    Raises
    ------
    InputError
        If one of them is not there, or they share no feature.
    """
    if isinstance(background, str):
        background = load_candidates(background, "train")
    trained = background_of(background, options, on_step, CandidateModel)
    if isinstance(domain, str):
        domain = {part: load_candidates(domain, part) for part in PARTS}
    return CandidateSession(trained, domain)
