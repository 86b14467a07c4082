"""Comparisons, sweeps and ablations of one split as tasks, here or on a cluster.

Each method, point or set of templates is a task; see ``workbench.experiments.task_runner``. The
background's model is trained once, and reaches other processes by the cache on disk.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from workbench.adaptation.adaptation import adapt_by_cutoff
from workbench.adaptation.method import Sources, Split
from workbench.adaptation.methods import METHODS
from workbench.experiments.ablation import Ablation, measure_set
from workbench.experiments.backgrounds import background_of_split, require_features
from workbench.experiments.compare import Bench
from workbench.experiments.surface import with_cutoffs
from workbench.experiments.task_runner import Task, TaskRunner
from workbench.models.log_linear import LogLinear
from workbench.text.corpus import Corpus

# Methods that learn nothing from the background's model.
_WITHOUT_BACKGROUND = {"1-gram", "1-gram-adapted", "target"}
# The slowest methods of all, on a cluster begun first: else one runs alone at the end.
_SLOWEST = ("model-combination", "augment", "weighted")


class SplitStudy:
    """A split, and what a process makes of it once: the background's model.

    ``test`` is the test text; an ablation has none. ``on_step`` is called with each ``Step`` of
    the background's training in this process. ``bench`` compares methods on such texts.
    """

    def __init__(
        self, split: Split, test: Any = None, on_step: Callable | None = None,
        bench: type[Bench] = Bench,
    ):  # fmt: skip
        self.split, self.test, self._on_step, self.bench = split, test, on_step, bench

    def __getstate__(self) -> dict:
        """Return what a worker is sent: the texts alone."""
        return vars(self) | {"_on_step": None}

    @cached_property
    def key(self) -> list:
        """What the texts are, for JSON."""
        own = self.split
        texts = [own.background, own.adaptation, own.dev, self.test]
        prints = [text and _fingerprint(text) for text in texts]
        return [prints, own.options, own.model.kind, own.begins, own.genres]

    @cached_property
    def background(self) -> Any:
        """The background's model, from the cache if there; InputError if it has no feature."""
        model = background_of_split(self.split, self._on_step)
        if isinstance(model, LogLinear):
            require_features(model, self.split.background, self.split.options["cutoff"])
        return model

    @cached_property
    def sources(self) -> Sources:
        """What methods learn from."""
        return Sources(self.split, lambda *_: self.background)

    @cached_property
    def texts(self) -> dict[str, Corpus]:
        """What a sweep measures on."""
        return {"train": self.split.adaptation, "dev": self.split.dev, "test": self.test}

    @cached_property
    def adaptations(self) -> Mapping:
        """The adaptations of the background by cut-off, as in ``adapt_by_cutoff``."""
        return adapt_by_cutoff(self.background, self.split.adaptation, self.texts)

    def task(self, name: str, function: Callable, *arguments: Any) -> Task:
        """Return a task of this study."""
        return Task(name, [self.key, *arguments], function, arguments)


def _fingerprint(data):
    if isinstance(data, LogLinear):
        return data.content_hash()
    return getattr(data, "study_fingerprint", "") or data.fingerprint


# --- tasks, on a worker or here -----------------------------------------------------------


def train_background(study: SplitStudy) -> dict:
    """Return how long the background's training took, or its reading if it was there."""
    began = time.perf_counter()
    n_features = study.background.info["features"]
    return {"features": n_features, "seconds": time.perf_counter() - began}


def measure_method(study: SplitStudy, name: str) -> dict:
    """Return what ``Bench.measure`` does: a method's row, and the words wrong or what is chosen."""
    row, found = study.bench.measure(METHODS[name], study.sources, study.split.dev, study.test)
    return {"row": row, "found": found if found.dtype == bool else found.tolist()}


def measure_background(study: SplitStudy) -> dict:
    """Return the background's error rates on all texts."""
    tag = study.background.tag
    return {
        f"{part}_error_rate": float((tag(text) != text.tags).mean())
        for part, text in study.texts.items()
    }


def measure_point(study: SplitStudy, cutoff: int | None, sigma2: float) -> dict:
    """Return a point of a sweep."""
    return study.adaptations[cutoff].at(sigma2).describe()


def measure_templates(study: SplitStudy, templates: list[str], sigma2: float | None) -> dict:
    """Return ``measure_set`` of some templates."""
    return measure_set(study.split, templates, sigma2, study._on_step)._asdict()


# --- studies ------------------------------------------------------------------------------


def compare_by_tasks(study: SplitStudy, names: Sequence[str], runner: TaskRunner) -> dict:
    """Return ``comparison`` of the study's ``Bench``; each method is a task."""
    split, bench = study.split, study.bench(study.split, study.test)
    methods = bench.find(names)
    tasks = [study.task(method.name, measure_method, method.name) for method in methods]
    if runner.is_shared:
        tasks.sort(key=lambda task: task.name not in _SLOWEST)
    seconds = 0.0
    if not split.lacking and any(task.name not in _WITHOUT_BACKGROUND for task in tasks):
        seconds = _train_first(study, tasks, runner)
    for (name, *_), result in runner.run(tasks):
        row = result["row"]
        if name == "background":  # where it was trained before, its row has the time of reading
            row = row | {"fit_seconds": seconds + row["fit_seconds"]}
        bench.add(name, row, np.asarray(result["found"]))
    return bench.comparison(names)


def _train_first(study, tasks, runner):
    """Have the background trained, unless all tasks are done; return the seconds that it took."""
    first = study.task("background", train_background)
    if runner.is_kept(first) or not all(map(runner.is_kept, tasks)):
        ((_, trained),) = runner.run([first])
        return trained["seconds"]
    return 0.0


def sweep_by_tasks(
    study: SplitStudy, sigma2s: Sequence[float], cutoffs: Sequence[int | None],
    runner: TaskRunner, on_point: Callable[[int, int], object],
) -> tuple[dict[str, float], pd.DataFrame]:  # fmt: skip
    """Return the background's error rates, and the points of ``sweep``, each a task."""
    places = [(cutoff, sigma2) for cutoff in cutoffs for sigma2 in sorted(sigma2s)]
    tasks = [study.task("sweeping", measure_point, *place) for place in places]
    of_background = study.task("background", measure_background)
    ((_, rates),) = runner.run([of_background])
    points: dict[tuple, dict] = {}
    for task, point in runner.run(tasks):
        points[task.arguments] = point
        on_point(len(points), len(tasks))
    return rates, with_cutoffs([points[place] for place in places])


def ablate_by_tasks(study: SplitStudy, each: str, sigma2: float | None, runner: TaskRunner) -> dict:
    """Return ``Ablation.to_json`` of all sets of templates, each a task."""
    ablation = Ablation(study.split, each, sigma2)
    sets = ablation.plan
    base = next(iter(sets))
    ((_, first),) = runner.run([study.task(base, measure_templates, sets[base], sigma2)])
    ablation.add(base, first)
    tasks = [
        study.task(name, measure_templates, templates, ablation.sigma2)
        for name, templates in sets.items()
        if name != base
    ]
    for task, result in runner.run(tasks):
        ablation.add(task.name, result)
    return ablation.to_json()
