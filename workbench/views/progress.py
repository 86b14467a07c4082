"""The line that says what the page is busy with; each update lets an outdated run stop."""

import time
from collections.abc import Mapping
from typing import Any

from workbench.learning.solvers.fit import Step
from workbench.views.cache import yield_run
from workbench.views.error_messages import plain

_PATIENCE = 0.3  # seconds before a line appears: what is quicker needs none
_PAUSE = 0.1  # seconds between two lines


class Progress:
    """A line of status in a placeholder, such as ``st.empty`` returns."""

    def __init__(self, place):
        self._place = place
        self._task, self._due = "", 0.0

    def begin(self, task: str) -> None:
        """Start a task with a name."""
        self._task, self._due = task, time.monotonic() + _PATIENCE

    def on_step(self, step: Step) -> None:
        """Show a step of training; for ``on_step``."""
        self._show(f"{self._task}: step {step.iteration}")

    def on_build(self, done: int, total: int, text: str) -> None:
        """Show how much of a data set is built; for ``on_build``."""
        self._show(f"preparing text, {done:,} of {total:,} files: {text}")

    def _show(self, text):
        yield_run()
        if (now := time.monotonic()) > self._due:
            self._due = now + _PAUSE
            self._place.caption(f":material/hourglass_top: {plain(text)} …")

    def say(self, text: str) -> None:
        """Show a line that stays."""
        self._place.caption(plain(text))


class ProgressBar:
    """A bar of how many tasks are done; ``unit`` names what is counted."""

    def __init__(self, place: Any, total: int, unit: str, done: int = 0):
        self._place, self._total, self._unit = place, total, unit
        self.done, self._name, self._n_tried = done, "", 0

    def on_name(self, name: str) -> None:
        """Show which task begins."""
        self._name, self._n_tried = name, 0
        self._show("")

    def on_try(self, values: Mapping[str, float]) -> None:
        """Show the hyper-parameters that are tried."""
        self._n_tried += 1
        tried = ", ".join(f"{name} {value:g}" for name, value in values.items())
        self._show(f", try {self._n_tried}: {tried}" if tried else "")

    def on_step(self, step: Step) -> None:
        """Show a step of training."""
        self._show(f": training, step {step.iteration}")

    def _show(self, text):
        yield_run()
        line = f"{self._name}{text} · {self.done} of {self._total} {self._unit}"
        self._place.progress(self.done / self._total, plain(line))
