"""Rows: from a key press on the sigma^2 slider to the last card, chart and word, in a browser."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlencode

from benchmarks.browser.server import ROOT, serve
from benchmarks.measure import Row, Target, find_rival, percentile
from benchmarks.texts import Bench
from workbench.text.sets.registry import VARIABLE

_PAGES = {"ours": ROOT / "app.py", "constant": Path(__file__).with_name("constant_page.py")}
_TARGETS = {50: Target("<=", 1.8, "×"), 95: Target("<=", 2.5, "×")}
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chromium-headless-shell")
_ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
_SLIDER = ".scrub .sigma2 input"
_LOOKS = 50  # ms from one look whether it has to the next; at each frame it would draw for the look

# When the key went down, and when the scrubber had changed what belongs to it: cards, marker and
# words change in one go, in the next frame. What comes when the slider is let go is not waited for.
_WATCH = """() => {
  const roots = [...document.querySelectorAll('[data-testid="stBidiComponentIsolated"]')];
  const root = roots.map(each => each.shadowRoot).find(each => each.querySelector(".scrub"));
  window.scrubber = root.querySelector(".scrub");
  window.watched = {pressed: 0, changed: 0};
  addEventListener("keydown", () => {
    watched.pressed = performance.now();
    watched.changed = 0;
  }, true);
  const moving = ".cards, .curve .marker, .text";
  new MutationObserver(changes => {
    if (watched.changed) return;
    const elements = changes.map(c => c.target.closest ? c.target : c.target.parentElement);
    if (elements.some(element => element?.closest(moving))) watched.changed = performance.now();
  }).observe(root, {subtree: true, childList: true, attributes: true, characterData: true});
}"""
_RESTS = """quiet => {
  const app = document.querySelector('[data-testid="stApp"]');
  const isBusy = app?.dataset.testScriptState !== "notRunning"
    || scrubber.querySelector(".status").textContent;
  if (isBusy) window.ranAt = performance.now();
  return (watched.changed || !watched.pressed)
    && performance.now() - Math.max(watched.changed, window.ranAt ?? 0) > quiet;
}"""


def key_press(bench: Bench) -> Iterator[Row]:
    """Yield two rows, median and 95th percentile, after the curve is complete on both pages."""
    playwright, _ = find_rival("playwright.sync_api", "playwright")
    browser = next(filter(None, map(shutil.which, _BROWSERS)), None)
    laps, note = {name: () for name in _PAGES}, "neither Chromium nor Playwright, left out"
    if playwright and browser:
        laps = _time_presses(bench, playwright, browser)
        note = f"{bench.sizes.presses} presses on either page in turns, the curve complete"
    for percent, target in _TARGETS.items():
        ours, theirs = laps.values()
        figure = percentile(ours, percent) / percentile(theirs, percent) if ours else float("nan")
        name = f"key press to last chart, p{percent}"
        yield Row(name, ours, theirs, "ms", "the page on a constant", figure, target, note)


def first_sight(bench: Bench) -> Iterator[Row]:
    """Yield a row: from an address to the head of the page, beside an app of one line."""
    playwright, _ = find_rival("playwright.sync_api", "playwright")
    browser = next(filter(None, map(shutil.which, _BROWSERS)), None)
    ours, theirs, figure = (), (), float("nan")
    note = "neither Chromium nor Playwright, left out"
    if playwright and browser:
        ours, theirs = _time_openings(bench, playwright, browser)
        figure = percentile(ours, 50) / percentile(theirs, 50)
        note = f"{len(ours)} openings of either in turns, files of Streamlit's in the cache"
    yield Row("address to title", ours, theirs, "ms", "an app of one line", figure,
              Target("<=", 2.0, "×"), note)  # fmt: skip


def _time_openings(bench, playwright, browser):
    """Return the milliseconds of every opening, ours and theirs."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        line = folder / "line.py"
        line.write_text('import streamlit as st; st.title("A title")\n', "utf-8")
        their = stack.enter_context(serve(line, {}, folder / "line.log"))
        addresses = stack.enter_context(_serve(_PAGES["ours"], bench)), their
        running = stack.enter_context(playwright.sync_playwright())
        opened = running.chromium.launch(executable_path=browser, args=list(_ARGUMENTS))
        stack.callback(opened.close)
        context, laps = opened.new_context(), ([], [])
        for turn in range(bench.sizes.rounds + 1):
            for address, shown, own in zip(
                addresses, (".st-key-sentence", "h1"), laps, strict=True
            ):
                page = context.new_page()
                page.set_default_timeout(1000 * bench.sizes.patience)
                page.goto(address, wait_until="commit")
                page.wait_for_selector(shown)
                if turn:  # the first fills the browser's cache
                    own.append(page.evaluate("performance.now()"))
                page.close()
    return tuple(map(tuple, laps))


def _time_presses(bench, playwright, browser):
    """Return the milliseconds of every press by page."""
    with ExitStack() as stack:
        addresses = {n: stack.enter_context(_serve(script, bench)) for n, script in _PAGES.items()}
        running = stack.enter_context(playwright.sync_playwright())
        opened = running.chromium.launch(executable_path=browser, args=list(_ARGUMENTS))
        stack.callback(opened.close)
        patience = 1000 * bench.sizes.patience
        pages = {name: _open(opened, url, patience) for name, url in addresses.items()}
        for page in pages.values():
            _watch(page, bench.sizes.quiet)
            _press(page, bench.sizes.quiet, "ArrowLeft")  # warm
        laps = {name: [] for name in pages}
        for turn in range(bench.sizes.presses):
            for name, page in pages.items():
                key = "ArrowLeft" if turn // 10 % 2 else "ArrowRight"
                laps[name].append(_press(page, bench.sizes.quiet, key))
    return {name: tuple(values) for name, values in laps.items()}


def _open(browser, address, patience):
    page = browser.new_page(viewport={"width": 1440, "height": 1000})
    page.set_default_timeout(patience)
    page.goto(address)
    return page


def _watch(page, quiet):
    """Wait until a page is there and has come to rest, and watch it."""
    page.wait_for_selector(".scrub .card.adapted")
    page.evaluate(_WATCH)
    page.wait_for_function(_RESTS, arg=quiet, polling=_LOOKS)


def _press(page, quiet, key):
    """Press a key on the slider; return milliseconds until cards, marker and words have changed."""
    page.locator(_SLIDER).press(key)
    page.wait_for_function(_RESTS, arg=quiet, polling=_LOOKS)
    return page.evaluate("watched.changed - watched.pressed")


@contextmanager
def _serve(script, bench):
    """Serve a page on the bench's texts; yield its address."""
    with (
        tempfile.TemporaryDirectory() as folder,
        serve(script, _environment(bench), Path(folder) / "server.log") as address,
    ):
        query = {n: Path(getattr(bench.texts, n)).name for n in ("background", "domain")}
        yield f"{address}?{urlencode(query)}"


def _environment(bench):
    """Return the variables of the page: where the sources and the quick texts are found."""
    place = Path(bench.texts.background)
    data = {VARIABLE: str(place.parent)} if place.is_dir() else {}
    return data | {"PYTHONPATH": str(ROOT)}
