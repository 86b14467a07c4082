"""Methods side by side on one split, each tuned on development data only."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from workbench.adaptation.method import Method, Sources, Split
from workbench.adaptation.methods import METHODS
from workbench.experiments.method_rows import judge, measure
from workbench.models.log_linear import LogLinear
from workbench.models.memm import MEMM
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError
from workbench.text.tasks import TaskName

__all__ = ["DEFAULT", "METHODS", "Bench", "Split", "compare", "find_methods"]

DEFAULT = ("1-gram", "background", "target", "map", "weighted")


def find_methods(
    names: Sequence[str], model: type[LogLinear] = MEMM, task: TaskName = TaskName.CASE
) -> list[Method]:
    """Return the methods with the given names, in their order, each once.

    "all" by itself is every method that can be used for a kind of model and a task; with
    other names it is data combination.

    Raises
    ------
    InputError
        If a name is unknown, or the method cannot do with that.
    """
    allowed = {
        name: method
        for name, method in METHODS.items()
        if model in method.models and task in method.tasks
    }
    if list(names) == ["all"]:
        return list(allowed.values())
    if unknown := [name for name in names if name not in METHODS]:
        raise InputError(f"method {unknown[0]!r}: known are {', '.join(METHODS)}")
    if others := [name for name in names if name not in allowed]:
        what = task if model in METHODS[others[0]].models else f"a {model.kind}"
        raise InputError(
            f"method {others[0]!r} is not for {what}; allowed are {', '.join(allowed)}"
        )
    return [METHODS[name] for name in dict.fromkeys(names)]


class Bench:
    """Methods on one split; what has been learned is kept, so that more can join.

    Parameters
    ----------
    train : callable, optional
        As of ``Sources``.
    """

    def __init__(self, split: Split, test: Corpus, train: Callable | None = None):
        self.split, self.test = split, test.require_cased()
        self._sources = Sources(split, train, self._report)
        self._on_step: Callable | None = None
        self._known: dict[str, tuple[dict, np.ndarray]] = {}

    def _report(self, step):
        if self._on_step:
            self._on_step(step)

    def _find(self, names):
        return find_methods(names, self.split.model, self.split.background.task)

    def missing(self, names: Sequence[str]) -> list[str]:
        """Return the methods, of those named, that are not learned yet."""
        return [method.name for method in self._find(names) if method.name not in self._known]

    def comparison(self, names: Sequence[str]) -> dict:
        """Return the comparison of the named methods that are learned.

        Returns
        -------
        comparison : dict
            Ready for JSON. ``words``; ``models``, one row a method in the order of the names,
            see ``method_row``; ``paired``, the ``paired_row`` of the background and of map with
            every other method and of every other one with the best.
        """
        known = [method.name for method in self._find(names) if method.name in self._known]
        rows = [dict(self._known[name][0]) for name in known]
        wrong = {name: self._known[name][1] for name in known}
        paired = judge(self.test, rows, wrong) if rows else []
        return {"words": len(self.test), "models": rows, "paired": paired}

    def run(
        self,
        names: Sequence[str],
        on_method: Callable[[str], object] | None = None,
        on_try: Callable[[dict], object] | None = None,
        on_step: Callable | None = None,
    ) -> Iterator[dict]:
        """Learn what is missing; yield the comparison after each method.

        Parameters
        ----------
        names : sequence of str
            As for ``find_methods``.
        on_method : callable, optional
            Called with the name of each method when its turn comes.
        on_try : callable, optional
            As of ``learn``; what was learned before an exception stays.
        on_step : callable, optional
            Called with each ``Step`` of the background's training.
        """
        self._on_step = on_step
        for method in self._find(names):
            if method.name not in self._known:
                if on_method:
                    on_method(method.name)
                row = measure(method, self._sources, self.split.dev, self.test, on_try)
                self._known[method.name] = row
                yield self.comparison(names)


def compare(
    split: Split,
    test: Corpus,
    names: Sequence[str] = ("all",),
    on_method: Callable[[str], object] | None = None,
    on_step: Callable | None = None,
) -> dict:
    """Return ``Bench.comparison`` of methods, all learned on a split and scored on test data."""
    bench = Bench(split, test)
    for _ in bench.run(names, on_method, on_step=on_step):
        pass
    return bench.comparison(names)
