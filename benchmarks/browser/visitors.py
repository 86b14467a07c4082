"""``python -m benchmarks.browser.visitors``: six visitors of one page, each with own settings.

First each visits all cut-offs, so that all fits are made. Then all move their sliders at once,
again and again: the variance, and now and then the cut-off. Each time every page must show the
errors that its own settings have, as a session of this process has counted them. Cross-talk is
the right figure of another visitor.
"""

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlencode

from benchmarks.browser.server import ROOT, serve
from benchmarks.load import CROSS_TALK, ERROR, RIGHT, WRONG, Outcome, describe_memory
from benchmarks.measure import percentile
from workbench.experiments.session import BACKGROUND, Session, open_session
from workbench.models.crf import CRF
from workbench.models.memm import MEMM
from workbench.settings import CUTOFFS, SIGMA2_GRID

_SETTINGS = (
    {"background": "scientific-docs", "domain": "streamlit-docs"},
    {"background": "scientific-docs", "domain": "altair-docs"},
    {"background": "streamlit-docs", "domain": "altair-docs"},
    {"background": "altair-docs", "domain": "streamlit-docs"},
    {"background": "scientific-docs", "domain": "altair-docs", "model": "CRF"},
    {"background": "scientific-docs", "domain": "streamlit-docs", "templates": "extended"},
)
# Percent: three words of these texts. Fits end within 1e-5 of the optimum, from other sides.
_ROUNDING = 0.04
_CUTOFFS = CUTOFFS[:4]
_PATIENCE = 300_000  # ms
_SCRUBBER = """() => [...document.querySelectorAll('[data-testid="stBidiComponentIsolated"]')]
  .map((component) => component.shadowRoot).find((root) => root?.querySelector(".scrub"))"""
_RESTS = f"""() => {{
  const app = document.querySelector('[data-testid="stApp"]'), root = ({_SCRUBBER})();
  const busy = !root || root.querySelector(".status").textContent
    || app.dataset.testScriptState !== "notRunning";
  if (busy) window.busyAt = performance.now();
  return performance.now() - (window.busyAt ?? 0) > 500;
}}"""
_MOVE = f"""([name, index]) => {{
  window.busyAt = performance.now();
  const input = ({_SCRUBBER})().querySelector(`.${{name}} input`);
  input.value = index;
  for (const kind of ["input", "change"]) input.dispatchEvent(new Event(kind, {{bubbles: true}}));
}}"""
# Whether the page has got a move: settings at their defaults are not in its address.
_GOT = """([sigma2, cutoff]) => {
  const settings = new URLSearchParams(location.search);
  return Number(settings.get("sigma2") ?? 1) === sigma2
    && Number(settings.get("cutoff") ?? 0) === cutoff;
}"""
_SHOWN = f'() => ({_SCRUBBER})().querySelector(".card.adapted .error").textContent'
_ALERT = '[data-testid="stException"]'


class Visitor:
    """A page with settings of its own, and the session that says what it must show."""

    def __init__(self, page, address: str, settings: dict[str, str]) -> None:
        page.set_default_timeout(_PATIENCE)
        page.goto(f"{address}?{urlencode(settings | {'part': 'dev'})}")
        self._page, self.session = page, _open_session(settings)
        self._place, self._cutoff = len(SIGMA2_GRID) // 2, 0
        page.wait_for_function(_RESTS)

    def fill(self) -> None:
        """Have all fits made that any move asks for: from then on memory should not grow."""
        for self._cutoff in reversed(_CUTOFFS):
            self._page.evaluate(_MOVE, ["cut", CUTOFFS.index(self._cutoff)])
            self.read()

    def move(self, chance: random.Random) -> None:
        """Move a slider, and wait for nothing."""
        if chance.random() < 0.1:
            self._cutoff = chance.choice(_CUTOFFS)
            self._page.evaluate(_MOVE, ["cut", CUTOFFS.index(self._cutoff)])
        self._place = chance.randrange(len(SIGMA2_GRID))
        self._page.evaluate(_MOVE, ["sigma2", self._place])

    def read(self) -> str:
        """Return the error rate that the page shows once it rests; empty after an exception."""
        self._page.wait_for_function(_GOT, arg=[SIGMA2_GRID[self._place], self._cutoff])
        self._page.wait_for_function(_RESTS)
        return "" if self._page.query_selector(_ALERT) else self._page.evaluate(_SHOWN)

    def __str__(self) -> str:
        return f"sigma2 {SIGMA2_GRID[self._place]}, cut-off {self._cutoff}, {self._page.url}"

    def right(self) -> str:
        """Return the error rate that the page has to show."""
        snapshot = self.session.at(SIGMA2_GRID[self._place], self._cutoff, "dev")
        (row,) = (row for row in snapshot.models if row["name"] == "adapted")
        return f"{100 * row['error_rate']:.2f}\u00a0%"


def _open_session(settings: dict[str, str]) -> Session:
    kind = CRF if settings.get("model") == "CRF" else MEMM
    options = BACKGROUND | {"templates": settings.get("templates", BACKGROUND["templates"])}
    return open_session(settings["background"], settings["domain"], options=options, kind=kind)


def main(arguments: Sequence[str] | None = None) -> int:
    """Let six visitors use one server, print what came of it; returns 1 if anything was wrong."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.browser.visitors", description=__doc__
    )
    parser.add_argument("--seconds", type=float, default=600, metavar="S", help="default 600")
    parser.add_argument("--browser", default="/usr/bin/chromium", help="default %(default)s")
    options = parser.parse_args(arguments)
    outcome, memory = _visit(options.seconds, options.browser)
    print("\n".join(describe(outcome, memory)))
    return int(set(outcome.counts) != {RIGHT})


def _visit(seconds, browser):
    """Return what came of all moves, and the server's memory after each round, in MB."""
    from playwright.sync_api import sync_playwright

    counts, laps, notes, memory, chance = Counter(), [], [], [], random.Random(1)
    with ExitStack() as stack:
        log = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "server.log"
        address = stack.enter_context(serve(ROOT / "app.py", {"PYTHONPATH": str(ROOT)}, log))
        running = stack.enter_context(sync_playwright())
        opened = running.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        stack.callback(opened.close)
        visitors = [Visitor(opened.new_page(), address, settings) for settings in _SETTINGS]
        for visitor in visitors:
            visitor.fill()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            began = time.perf_counter()
            for visitor in visitors:
                visitor.move(chance)
            shown = [visitor.read() for visitor in visitors]
            laps.append(time.perf_counter() - began)
            right = [visitor.right() for visitor in visitors]
            found = [_judge(*pair, right) for pair in zip(shown, right, strict=True)]
            counts.update(found)
            notes += [
                f"{what}: {shown[i]} shown, {right[i]} right, {visitors[i]}"
                for i, what in enumerate(found) if what != RIGHT
            ]  # fmt: skip
            memory.append(_memory_of(address))
    return Outcome(counts, laps, notes), memory


def _judge(shown, right, known):
    if not shown:
        return ERROR
    if abs(_number(shown) - _number(right)) < _ROUNDING:
        return RIGHT
    return CROSS_TALK if shown in known else WRONG


def _number(rate):
    return float(rate.removesuffix("%"))


def _memory_of(address):
    """Return the resident memory in MB of the process that serves an address."""
    import psutil

    port = int(address.rstrip("/").split(":")[-1])
    for each in psutil.process_iter(["cmdline"]):
        if f"{port}" in (each.info["cmdline"] or []):
            return each.memory_info().rss / 1e6
    return float("nan")


def describe(outcome: Outcome, memory: Sequence[float]) -> Iterator[str]:
    """Yield lines with the figures."""
    counts, laps = outcome.counts, outcome.seconds
    yield f"{counts.total():,} answers in {len(laps):,} rounds of {len(_SETTINGS)} visitors"
    yield ", ".join(f"{what} {counts[what]:,}" for what in (ERROR, WRONG, CROSS_TALK))
    yield (
        f"a round, moves of all to answers of all at rest: p50 {percentile(laps, 50):.1f} s, "
        f"p95 {percentile(laps, 95):.1f} s"
    )
    yield describe_memory(memory)
    yield from outcome.notes[:10]


if __name__ == "__main__":
    sys.exit(main())
