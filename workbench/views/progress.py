"""The line that says what the page is busy with; each update lets an outdated run stop.

Streamlit's Stop halts a run before anything more can be sent to the browser, so a line cannot be
emptied then. The page's style sheet marks it instead: a line of this kind that is still there
when nothing runs any more was stopped.
"""

import time
from collections.abc import Mapping
from html import escape
from typing import Any, Self

from workbench.experiments.method_rows import join_classes
from workbench.learning.solvers.fit import Step
from workbench.learning.solvers.time_left import TimeLeftEstimator, describe_progress
from workbench.views import private

_PATIENCE = 0.3  # seconds before a line appears: what is quicker needs none
_PAUSE = 0.1  # seconds between two lines


class _Busy:
    """A place with a line, emptied when the block of ``with`` ends, however it ends."""

    def __init__(self, place):
        self._place, self._is_shown = place, False
        self._estimator = TimeLeftEstimator()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        is_ended = kind is None or issubclass(kind, Exception)  # else Streamlit ends the run
        if is_ended and self._is_shown:
            self._place.empty()
            self._is_shown = False

    def _draw(self, text, bar=""):
        self._place.html(f'<p class="wb wb-busy" role="status">{bar}{escape(text)}</p>')
        self._is_shown = True

    def _describe(self, step):
        return describe_progress(step.iteration, self._estimator.add(step))


class Progress(_Busy):
    """A line of status in a placeholder, such as ``st.empty`` returns."""

    def __init__(self, place: Any):
        super().__init__(place)
        self._task, self._due = "", 0.0

    def begin(self, task: str, at_once: bool = False) -> None:
        """Start a task; its name is shown ``at_once``, or if it takes a while."""
        self._task, self._due = task, time.monotonic() + _PATIENCE
        if self._is_shown or at_once:
            self._draw(f"{task} …")

    def on_step(self, step: Step) -> None:
        """Show a step of training, and an estimate of what is left; for ``on_step``."""
        self._show(f"{self._task}: {self._describe(step)}")

    def on_build(self, done: int, total: int, text: str) -> None:
        """Show how much of a data set is built; for ``on_build``."""
        files = f"{done:,} of {total:,} files"
        self._show(f"preparing text, {files}: {text}", _bar(done, total, files))

    def on_wait(self) -> None:
        """Show that another run is busy with the same task; for ``on_wait``."""
        self._show(f"waiting: another visitor is {self._task}")

    def _show(self, text, bar=""):
        private.yield_run()
        if (now := time.monotonic()) > self._due:
            self._due = now + _PAUSE
            self._draw(f"{text} …", bar)


class ProgressBar(_Busy):
    """A bar of how many tasks are done; ``unit`` names what is counted."""

    def __init__(self, place: Any, total: int, unit: str, done: int = 0):
        super().__init__(place)
        self._total, self._unit = total, unit
        self.n_done, self._name, self._n_tried = done, "", 0

    def on_name(self, name: str) -> None:
        """Show which task begins."""
        self._name, self._n_tried = name, 0
        self._show("")

    def on_try(self, values: Mapping[str, float]) -> None:
        """Show the hyper-parameters that are tried."""
        self._n_tried += 1
        tried = ", ".join(f"{name} {value:g}" for name, value in join_classes(values).items())
        self._show(f", try {self._n_tried}: {tried}" if tried else "")

    def on_step(self, step: Step) -> None:
        """Show a step of training, and an estimate of what is left."""
        self._show(f": training, {self._describe(step)}")

    def on_wait(self) -> None:
        """Show that another visitor's run has its turn."""
        self._show(": waiting, another visitor is measuring on the same texts")

    def _show(self, text):
        private.yield_run()
        label = f"{self.n_done} of {self._total} {self._unit} done"
        bar = _bar(self.n_done, self._total, label)
        self._draw(f"{label} · {self._name}{text} …", bar)


def _bar(done, total, label):
    return f'<progress value="{done}" max="{total}" aria-label="{label}"></progress>'
