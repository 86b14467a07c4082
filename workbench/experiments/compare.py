"""Methods side by side on one split, each tuned on development data only."""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

import numpy as np

from workbench.adaptation.method import MODELS, Method, Sources, Split
from workbench.adaptation.methods import METHODS
from workbench.experiments.method_rows import OnTry, judge, measure
from workbench.models.memm import MEMM
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError
from workbench.text.tasks import TaskName

DEFAULT = ("1-gram", "background", "target", "map", "weighted")
OnMethod = Callable[[str], object] | None


def find_methods(
    names: Sequence[str], model: Any = MEMM, task: str = TaskName.CASE, several: bool = False,
    lacking: Collection[str] = (),
) -> list[Method]:  # fmt: skip
    """Return the methods with the given names, in their order, each once.

    "all" by itself is every method that can be used for a kind of model and a task, without those
    that need what the background is ``lacking``, as in ``find_lacking``, and where it is not of
    ``several`` texts without those that tell them apart; with other names it is data combination.

    Raises
    ------
    InputError
        If a name is unknown, or the method cannot do with that.
    """
    usable = [method for method in METHODS.values() if method.is_for(model, task)]
    allowed = [method.name for method in usable if method.needs not in lacking]
    if list(names) == ["all"]:
        names = [name for name in allowed if several or not METHODS[name].of_several]
    if unknown := [name for name in names if name not in METHODS]:
        raise InputError(f"method {unknown[0]!r}: known are {', '.join(METHODS)}")
    if others := [name for name in names if name not in allowed]:
        other = METHODS[others[0]]
        what = f"a {model.kind}" if model in MODELS and model not in other.models else task
        why = f"method {other.name!r} is not for {what}"
        if other in usable:
            why = f"method {other.name!r} learns from the background's text, and a model has none"
        raise InputError(f"{why}; allowed are {', '.join(allowed)}")
    return [METHODS[name] for name in dict.fromkeys(names)]


def find_left_out(model: Any, task: str, lacking: Collection[str]) -> list[str]:
    """Return the names of the methods that "all" is without, since they need what is lacking."""
    return [m.name for m in find_methods(["all"], model, task) if m.needs in lacking]


class Bench:
    """Methods on one split; what has been learned is kept, so that more can join.

    The background's model may be trained by ``train``, as in ``Sources``. ``measure`` returns the
    row of a method, and what ``comparison`` compares it by.
    """

    measure: Any = staticmethod(measure)

    def __init__(self, split: Split, test: Any, train: Callable | None = None):
        self.split, self.test = split, test.require_cased()
        self._shared = split.find_shared(test)
        self._sources = Sources(split, train, self._report)
        self._on_step: Callable | None = None
        self._known: dict[str, tuple[dict, np.ndarray]] = {}

    def _report(self, step):
        if self._on_step:
            self._on_step(step)

    def find(self, names: Sequence[str]) -> list[Method]:
        """Return the methods with the given names that can do with the split: ``find_methods``."""
        split = self.split
        task, several = split.background.task, bool(split.begins)
        return find_methods(names, split.model, task, several, split.lacking)

    def missing(self, names: Sequence[str]) -> list[str]:
        """Return the methods, of those named, that are not learned yet."""
        return [method.name for method in self.find(names) if method.name not in self._known]

    def add(self, name: str, row: dict, found: np.ndarray) -> None:
        """Add a method that was measured elsewhere, by what ``measure`` returned."""
        self._known[name] = row, found

    def comparison(self, names: Sequence[str]) -> dict:
        """Return the comparison of the named methods that are learned, ready for JSON.

        It has ``words``; ``models``, one row a method in the order of the names, see
        ``method_row``; ``paired``, the ``paired_row`` of the background and of map with
        every other method and of every other one with the best; and ``shared``, as ``Shared``.
        """
        known = self._learned(names)
        rows = [dict(row) for row, _ in known]
        wrong = {row["name"]: wrong for row, wrong in known}
        paired = judge(self.test, rows, wrong, self._shared) if rows else []
        shared = [each.line for each in self._shared]
        return {"words": len(self.test), "models": rows, "paired": paired, "shared": shared}

    def _learned(self, names):
        """Return what is known of the named methods, in the order of the names."""
        return [self._known[m.name] for m in self.find(names) if m.name in self._known]

    def run(
        self, names: Sequence[str], on_method: OnMethod = None, on_try: OnTry = None,
        on_step: Callable | None = None,
    ) -> Iterator[dict]:  # fmt: skip
        """Learn what is missing; yield the comparison after each method.

        ``on_method`` is called with the name of each method when its turn comes, ``on_try`` as
        by ``learn``, ``on_step`` with each ``Step`` of the background's training; what was
        learned before an exception from them stays.
        """
        self._on_step = on_step
        for method in self.find(names):
            if method.name not in self._known:
                if on_method:
                    on_method(method.name)
                data = self._sources, self.split.dev, self.test
                self._known[method.name] = self.measure(method, *data, on_try)
                yield self.comparison(names)


def compare(split: Split, test: Corpus, names: Sequence[str] = ("all",)) -> dict:
    """Return ``Bench.comparison`` of methods, all learned on a split and scored on test data."""
    bench = Bench(split, test)
    for _ in bench.run(names):
        pass
    return bench.comparison(names)
