"""Methods side by side on candidate sets, each tuned on development data only; and judgement."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from workbench.adaptation.adaptation import Adaptation
from workbench.adaptation.method import Method, Sources, Split, fold
from workbench.candidates.learning import name_options
from workbench.candidates.report import (
    Selection,
    best_of,
    describe_sets,
    paired_selection_row,
    select,
    selection_row,
    verdict_of,
)
from workbench.candidates.sets import CandidateSets
from workbench.evaluation.error_rates import to_json
from workbench.experiments.compare import Bench
from workbench.experiments.method_rows import Learned, OnTry, judge_together, learn

_BASELINES = ("background", "map")  # with which every method is paired


def measure_selection(
    method: Method, sources: Sources, dev: CandidateSets, test: CandidateSets,
    on_try: OnTry = None,
) -> tuple[dict, np.ndarray]:  # fmt: skip
    """Return a method's row, and the candidate that it chooses in each test sentence, (S,)."""
    learned = learn(method, sources, dev, on_try)
    selection = select(test, method.name, learned.model)
    row = selection_row(test, selection, learned.model.kind)
    return row | method_facts(method, learned, sources), selection.chosen


class CandidateBench(Bench):
    """Methods on one split of candidate sets, as in ``Bench``."""

    measure = staticmethod(measure_selection)

    def __init__(self, split: Split, test: CandidateSets, train: Callable | None = None):
        super().__init__(split, test, train)
        self._pairs_known: dict[tuple[str, str], dict] = {}

    def comparison(self, names: Sequence[str]) -> dict:
        """Return the comparison of the named methods that are learned, ready for JSON.

        It is as in ``report_selections``, one row a method, with ``method_facts`` and ``gain``,
        verdicts as in ``judge``; ``measure`` is what the quality is called; ``paired`` has the
        background and map with every other method, and every other one with the best.
        """
        known = self._learned(names)
        rows = [dict(row) for row, _ in known]
        about = describe_sets(self.test) | {"measure": self.test.quality_name}
        if not rows:
            return about | {"models": [], "paired": []}
        best, chosen = best_of(rows)["name"], {row["name"]: own for row, own in known}
        judged = {pair: self._pair(pair, chosen) for pair in _pairs(list(chosen), best)}
        says = judge_together(judged, verdict_of)
        for row in rows:
            name = row["name"]
            row["gain"] = {
                "from_background": says.get(("background", name)),
                "to_best": says.get((name, best)) or says.get((best, name)),
            }
        paired = [row | {"verdict": says[pair]} for pair, row in judged.items()]
        return about | {"models": rows, "paired": paired}

    def _pair(self, pair, chosen):
        """Return the comparison of two methods, worked out once."""
        if pair not in self._pairs_known:
            selections = (Selection(name, chosen[name]) for name in pair)
            self._pairs_known[pair] = paired_selection_row(self.test, *selections)
        return self._pairs_known[pair]


def compare_on_candidates(
    split: Split, test: CandidateSets, names: Sequence[str] = ("all",),
    on_method: Callable[[str], object] | None = None, on_step: Callable | None = None,
) -> dict:  # fmt: skip
    """Return ``CandidateBench.comparison`` of methods, all learned on a split.

    ``on_method`` is called with the name of each method when its turn comes, ``on_step`` with
    each ``Step`` of the background's training.
    """
    bench = CandidateBench(split, test)
    for _ in bench.run(names, on_method, on_step=on_step):
        pass
    return bench.comparison(names)


def method_facts(method: Method, learned: Learned, sources: Sources) -> dict[str, Any]:
    """Return what a method chose, estimated and took: entries of its row.

    ``fit_seconds`` are beyond the training of the background, which the methods share.
    """
    is_background = method.name == "background"
    info = learned.model.info
    return {
        "hyper_parameters": name_options(learned.hyper_parameters),
        "estimated": info.get("estimated", {}), "features": info.get("features"),
        "tried": learned.n_tried,
        "fit_seconds": learned.seconds + (sources.background_seconds if is_background else 0),
    }  # fmt: skip


def _pairs(names, best):
    """Return the pairs of methods that are compared, each once."""
    pairs = [(base, name) for base in _BASELINES if base in names for name in names]
    pairs += [(name, best) for name in names if name != "background"]
    unlike = [(a, b) for a, b in pairs if a != b and b != "background"]
    return list({frozenset(pair): pair for pair in reversed(unlike)}.values())[::-1]


def select_by_folds(
    background: Any, adaptation: Adaptation, strengths: Mapping[str, float]
) -> Selection:
    """Return the candidates selected in the adaptation data, each fold by a model of the others.

    InputError as in ``fold`` and in the adaptation.
    """
    of, problem, chosen, before = type(adaptation), adaptation.problem, [], 0
    for rest, held in fold(problem.corpus):
        learned = of(background, rest, problem.cutoff).learn(**strengths)
        chosen.append(before + learned.tag(held))
        before += len(held)
    return Selection("adapted", np.concatenate(chosen))


def measure_selection_change(
    background: Any, adapted: Any | Selection, sets: CandidateSets
) -> dict[str, Any]:
    """Return what an adaptation changed on candidate sets, a dict for JSON.

    ``adapted`` is a model, or what is selected by folds. It is ``paired_selection_row`` with
    ``text``, a name; ``sentences``; ``before`` and ``after``, qualities; and ``verdict``.
    """
    selections = [select(sets, "background", background)]
    is_model = not isinstance(adapted, Selection)
    selections.append(select(sets, "adapted", adapted) if is_model else adapted)
    qualities = [sets.quality_terms.ratio(sets.shares_of(own.chosen)) for own in selections]
    row = paired_selection_row(sets, *selections)
    sizes = {"text": sets.name, "sentences": sets.n_sentences}
    figures = dict(zip(("before", "after"), qualities, strict=True))
    return sizes | to_json(figures) | row | {"verdict": verdict_of(row)}
