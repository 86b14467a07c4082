"""What the page is busy with, in a line; and the yield that lets a superseded run stop."""

import time

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

    def begin(self, task):
        """Name what begins now."""
        self._task, self._due = task, time.monotonic() + _PATIENCE

    def on_step(self, step):
        """Tell a step of training; for ``on_step``."""
        self._tell(f"{self._task}: step {step.iteration}")

    def on_build(self, done, total, text):
        """Tell how far a data set is built; for ``on_build``."""
        self._tell(f"preparing text, {done:,} of {total:,} files: {text}")

    def _tell(self, text):
        yield_run()
        if (now := time.monotonic()) > self._due:
            self._due = now + _PAUSE
            self._place.caption(f":material/hourglass_top: {plain(text)} …")

    def say(self, text):
        """Show a line that stays."""
        self._place.caption(plain(text))
