"""Tables of Plank & van Noord (2008) on candidate sets, by cross-validation over documents.

Each system on each domain is a task; tables that compare systems share what these select, each
other table is a task of its own.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import chain
from typing import Any

import numpy as np

from workbench.adaptation.method import N_FOLDS, Sources, Split
from workbench.candidates.learning import BEST_ALIKE, name_options
from workbench.candidates.model import CandidateModel
from workbench.candidates.report import Selection, paired_selection_row, selection_row, verdict_of
from workbench.candidates.sets import TASK, CandidateSets
from workbench.experiments.backgrounds import background_of
from workbench.experiments.compare import METHODS
from workbench.experiments.method_rows import learn
from workbench.experiments.papers.pn08 import ALL, AMOUNT_SPECS, CLASSES, SUB_DOMAINS, Comparison
from workbench.experiments.papers.tables import (
    Table,
    find_table_specs,
    judge_table,
    make_spec,
    make_table,
)
from workbench.experiments.table_tasks import make_rows
from workbench.experiments.task_runner import Task, TaskRunner
from workbench.text.errors import InputError


class CandidateStudy:
    """A background of candidate sets, and domains by name, each whole.

    The domains' quality is the one that is learnt. ``options`` are those of
    ``CandidateModel.fit``; the callbacks are as in ``Study``.
    """

    kind = CandidateModel  # that the methods adapt
    shared = ()  # sentences of candidate sets are not compared

    def __init__(
        self, background: CandidateSets, domains: Mapping[str, CandidateSets],
        options: Mapping[str, Any], on_line: Callable | None = None,
        on_step: Callable | None = None,
    ):  # fmt: skip
        self.text, self.options = background, options
        learning = options.get("learning", BEST_ALIKE)
        self.domains = {name: learning.judge(sets) for name, sets in domains.items()}
        self.set_callbacks(on_line, on_step)
        self._selections: dict[tuple[str, str], Selection] = {}

    def set_callbacks(self, on_line: Callable | None, on_step: Callable | None) -> None:
        """Replace the callbacks."""
        self._on_line, self._on_step = on_line, on_step

    def __getstate__(self) -> dict:
        """Return what a worker is sent: the data alone."""
        state = vars(self) | {"_on_line": None, "_on_step": None, "_selections": {}}
        state.pop("model", None)
        return state

    @property
    def key(self) -> list:
        """What the data and options are, for JSON."""
        domains = {name: sets.study_fingerprint for name, sets in self.domains.items()}
        return [self.text.study_fingerprint, domains, self.options]

    @cached_property
    def model(self) -> CandidateModel:
        """The background's model."""
        return background_of(self.text, self.options, self._on_step, CandidateModel)

    def select(self, domain: str, method: str) -> Selection:
        """Return what ``cross_validate`` selects of a domain, made once."""
        if (domain, method) not in self._selections:
            found = cross_validate(self, domain, method)
            self._selections[domain, method] = found
        return self._selections[domain, method]

    def add(self, domain: str, method: str, chosen: Sequence[int]) -> None:
        """Add what a method selects of a domain, found elsewhere."""
        self._selections[domain, method] = Selection(method, np.array(chosen))

    def report(self, line: str) -> None:
        """Call ``on_line`` with what is done next."""
        if self._on_line:
            self._on_line(line)

    @property
    def facts(self) -> list[str]:
        """How much data there is, by name, and how the background is trained."""
        named = {f"background {self.text.name}": self.text} | self.domains
        sizes = [f"{name} {sets.n_sentences:,} sentences" for name, sets in named.items()]
        return [*sizes, *(f"{name} {value}" for name, value in name_options(self.options).items())]

    def describe(self) -> str:
        """Say in a sentence which sets the table is made from."""
        options = ", ".join(f"{name} {value}" for name, value in name_options(self.options).items())
        domains = ", ".join(f"{n} ({s.n_sentences:,})" for n, s in self.domains.items())
        return (
            f"Background {self.text.name} ({self.text.n_sentences:,} sentences), {options}; "
            f"domains {domains}; {N_FOLDS} folds."
        )

    def folds(self, domain: str) -> list[tuple[CandidateSets, ...]]:
        """Return (other folds, dev fold, held-out fold) for each fold; documents stay whole."""
        sets = self.domains[domain]
        of, numbers = assign_folds(sets), range(N_FOLDS)
        dev = [of == (held + 1) % N_FOLDS for held in numbers]
        parts = [((of != held) & ~dev[held], dev[held], of == held) for held in numbers]
        return [tuple(sets.take(np.flatnonzero(part)) for part in each) for each in parts]

    def background(self) -> CandidateModel:
        """Return the background's model."""
        return self.model

    def accuracy(self, model: Any, sets: CandidateSets) -> float:
        """Return the quality of what a model selects, over all sentences, a fraction."""
        return sets.quality_terms.ratio(sets.shares_of(model.tag(sets)))

    def n_units(self, sets: CandidateSets) -> int:
        """Return the size of candidate sets, in sentences."""
        return sets.n_sentences

    def sources(self, adaptation: CandidateSets, dev: CandidateSets) -> Sources:
        """Return the ``Sources`` of a method: the background's model and some of a domain."""
        split = Split(self.text, adaptation, dev, dict(self.options), CandidateModel)
        return Sources(split, lambda *_: self.model)


def assign_folds(sets: CandidateSets, n_folds: int = N_FOLDS) -> np.ndarray:
    """Return the fold of each sentence, int, shape (S,): documents whole, folds about alike.

    Where documents are not known folds are contiguous. InputError if there are too few.
    """
    names = sets.documents or range(sets.n_sentences)
    number = {name: i for i, name in enumerate(dict.fromkeys(names))}
    if len(number) < n_folds:
        raise InputError(
            f"{sets.name}: {len(number)} documents; cross-validation needs {n_folds} or more"
        )
    if not sets.documents:
        return np.arange(sets.n_sentences) * n_folds // sets.n_sentences
    documents = np.array([number[name] for name in names])
    fold_of, filled = np.empty(len(number), int), np.zeros(n_folds)
    sizes = np.bincount(documents)
    for document in np.argsort(-sizes, kind="stable"):  # the largest first, to the emptiest fold
        fold_of[document] = filled.argmin()
        filled[fold_of[document]] += sizes[document]
    return fold_of[documents]


def cross_validate(study: CandidateStudy, domain: str, method: str) -> Selection:
    """Return what a method selects of a domain, each fold by what it learns from others.

    Of the other folds one is development data, on which hyper-parameters are chosen.
    """
    sets = study.domains[domain]
    folds, chosen = assign_folds(sets), np.empty(sets.n_sentences, np.int64)
    for held in range(N_FOLDS):
        study.report(f"{method} on {domain}, fold {held + 1} of {N_FOLDS}")
        is_dev = folds == (held + 1) % N_FOLDS
        rest, dev, test = map(np.flatnonzero, (~is_dev & (folds != held), is_dev, folds == held))
        of_dev, of_test = sets.take(dev), sets.take(test)
        learned = learn(METHODS[method], study.sources(sets.take(rest), of_dev), of_dev)
        local = learned.model.tag(of_test) - of_test.sentence_starts[:-1]
        chosen[test] = sets.sentence_starts[test] + local
    return Selection(method, chosen)


def make_methods(study: CandidateStudy, comparison: Comparison = ALL) -> list[dict]:
    """Return the accuracy of each system on each domain.

    Accuracy is dependency accuracy, PN08's concept accuracy, where that is known, else the
    quality; beside it the quality, and how each system compares with in-domain data alone.
    """
    return [row for domain in study.domains for row in _domain_rows(study, domain, comparison)]


def _domain_rows(study, domain, comparison):
    selections: dict[str, Selection] = {}
    sets = study.domains[domain]
    for name, system in comparison.systems.items():
        selections[name] = study.select(domain, name)
        bases = [base for base in comparison.baselines if base in selections and base != name]
        pairs = {b: paired_selection_row(sets, selections[b], selections[name]) for b in bases}
        row = selection_row(sets, selections[name], CandidateModel.kind)
        of_words = row["dependency_accuracy"]
        told = dict(chain.from_iterable(_judge(*pair) for pair in pairs.items()))
        yield told | {
            "tested_on": domain, "method": name, "system": system,
            "accuracy": row["quality"] if of_words is None else of_words,
            "quality": row["quality"], "best_chosen": row["accuracy"],
            "reducible": row["reducible"],
        }  # fmt: skip


def _judge(base, pair):
    """Yield what a pair shows of the quality: points and verdict, and the sign test's p-value."""
    yield f"from_{base}", 100 * pair["difference"]
    yield f"says_{base}", verdict_of(pair)
    yield f"p_{base}", pair["p_value"]


_FIGURES = (
    ("tested_on", "tested on"), ("system", "system"), ("accuracy", "accuracy", "rate"),
    ("quality", "quality", "rate"), ("best_chosen", "best chosen", "rate"),
    ("reducible", "of reducible error", "rate"),
)  # fmt: skip
_PAIRS = (
    ("from_target", "points of quality over in-domain alone", "signed"),
    ("says_target", "verdict"), ("p_target", "p", "chance"),
    ("from_background", "over out-of-domain alone", "signed"),
    ("says_background", "verdict"), ("p_background", "p", "chance"),
)  # fmt: skip
COMPARISONS = {"pn08-1": ALL, "pn08-2": CLASSES, "pn08-4": SUB_DOMAINS}  # by table
TABLE_SPECS = (
    make_spec(
        "pn08-1", "PN08", "table 1", "accuracy of the methods on candidate sets, 5-fold",
        make_methods, *_FIGURES, *_PAIRS,
    ),
    make_spec(
        "pn08-2", "PN08", "table 2",
        "auxiliary features on candidate sets, one for all and one a class, 5-fold",
        partial(make_methods, comparison=CLASSES), *_FIGURES, *_PAIRS[:3],
        ("from_auxiliary", "over one for all", "signed"), ("says_auxiliary", "verdict"),
        ("p_auxiliary", "p", "chance"),
    ),
    make_spec(
        "pn08-4", "PN08", "table 4", "the auxiliary distribution on each domain, 5-fold",
        partial(make_methods, comparison=SUB_DOMAINS), *_FIGURES, *_PAIRS,
    ),
    *AMOUNT_SPECS,
)  # fmt: skip


def make_candidate_tables(
    study: CandidateStudy, names: Sequence[str], runner: TaskRunner
) -> list[Table]:
    """Return the tables of ``make_tables``, in their order."""
    specs, key = find_table_specs(names, TASK), study.key
    systems = {spec.name: _systems_of(study, spec.name) for spec in specs}
    pairs = dict.fromkeys(pair for own in systems.values() for pair in own)
    tasks = [Task(" on ".join(pair[::-1]), [key, *pair], select_by_folds, pair) for pair in pairs]
    tasks += [
        Task(spec.label, [key, spec.name], make_rows, (spec.name,))
        for spec in specs
        if not systems[spec.name]
    ]
    if runner.is_shared and not all(map(runner.is_kept, tasks)):  # else two would train the same
        list(runner.run([Task("background", key, train_background)]))
    made = {task.arguments: result for task, result in runner.run(tasks)}
    for domain, method in pairs:
        study.add(domain, method, made[domain, method]["chosen"])
    return [_table_of(study, spec, systems[spec.name], made) for spec in specs]


def _systems_of(study, name):
    """Return the domains and methods of a table that compares systems; none for another."""
    methods = COMPARISONS[name].systems if name in COMPARISONS else ()
    return [(domain, method) for domain in study.domains for method in methods]


def _table_of(study, spec, pairs, made):
    """Return a table of what was made by tasks, with the seconds that these took."""
    if pairs:
        table = make_table(spec, study)
        return replace(table, seconds=table.seconds + sum(made[p]["seconds"] for p in pairs))
    found = made[spec.name,]
    return judge_table(spec, study, found["rows"], found["seconds"])


def train_background(study: CandidateStudy) -> dict:
    """Train the background's model, which the cache then has."""
    return {"features": study.model.info["features"]}


def select_by_folds(study: CandidateStudy, domain: str, method: str) -> dict:
    """Return the candidates that a method selects in a domain, and the seconds that it took."""
    began = time.perf_counter()
    chosen = study.select(domain, method).chosen.tolist()
    return {"chosen": chosen, "seconds": time.perf_counter() - began}
