"""The line that says what the page is busy with; each update lets an outdated run stop."""

import time

from workbench.learning.solvers.fit import Step
from workbench.views.cache import yield_run
from workbench.views.problems import plain

_PATIENCE = 0.3  # seconds before a line appears: what is quicker needs none
_PAUSE = 0.1  # seconds between two lines


class Progress:
    """A line of status in a placeholder.

    Parameters
    ----------
    place : placeholder
        What ``st.empty`` returns.
    """

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
