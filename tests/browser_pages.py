"""The page in a real browser: a server, pages that may say and fetch nothing wrong, and reading."""

import os
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from chromium import started
from playwright.sync_api import TimeoutError
from tiny_data import QUERY, write_data_sets

from benchmarks.browser.server import ROOT, serve

WITHOUT_IDLE = ROOT / "tests" / "page" / "without_idle.py"
SERIOUS = {"serious", "critical"}  # of what axe finds
LOUD = ("error", "warning")  # on the console
SIZE = {"width": 1440, "height": 900}
MEDIA = {"color_scheme": "light", "forced_colors": "none", "reduced_motion": "no-preference"}
EMPTY = "about:blank"
SLIDER, CUTOFF = ".scrub .sigma2 input", ".scrub .cut input"
START = "12"  # place of the first sigma^2 on the slider
ADAPTED = ".scrub .card.adapted .error"


def part(name):
    """Return the selector of one of Streamlit's elements, such as ``Sidebar``."""
    return f'[data-testid="st{name}"]'


ALERTS = f"{part('Alert')}, {part('Exception')}"
# What a script of a page may call: the scrubber's own tree, and whether all has come to rest.
HELPERS = (
    """
window.scrub = () =>
  [...document.querySelectorAll('"""
    + part("BidiComponentIsolated")
    + """')]
    .map((component) => component.shadowRoot).find((root) => root.querySelector(".scrub"));
window.isBusy = () =>
  document.querySelector('"""
    + part("App")
    + """')?.dataset.testScriptState !== "notRunning"
  || Boolean(scrub()?.querySelector(".status")?.textContent);
window.focused = () => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at;
};
new PerformanceObserver((list) => {
  for (const shift of list.getEntries()) {
    if (!shift.hadRecentInput) window.shifted = (window.shifted ?? 0) + shift.value;
  }
}).observe({ type: "layout-shift", buffered: true });
"""
)
POLL = 50  # milliseconds between two looks at a page
# Looks are counted, not time: a page that is too busy to be looked at does not rest.
_RESTS = """(looks) => {
  const isStill = !isBusy() && !scrub()?.querySelector("[data-unheard]");
  window.still = isStill ? window.still + 1 : 0;
  return window.still > looks;
}"""
# Back and Forward go to a link so; it takes half of the time of opening it.
_GO = """([link, main]) => {
  history.replaceState(history.state, "", link);
  dispatchEvent(new PopStateEvent("popstate", { state: history.state }));
  document.querySelector(main).scrollTop = 0;
}"""
# The words of the sentences that are shown, each in the form that is shown.
_TEXT = """() => [...scrub().querySelectorAll(".text > li:not([hidden])")].map((line) =>
  [...line.querySelectorAll("p > .w, p > .run > .w")].map((word) => {
    const form = (word.querySelector(".shown") ?? word).textContent;
    return `${form}[${[...word.classList].sort().join(" ")}]`;
  }).join(" "))"""


@contextmanager
def _served(folder, environment, script=WITHOUT_IDLE):
    """Run the app; gives its address, and nothing may go wrong on the server meanwhile."""
    log = folder / "server.log"
    with serve(script, environment, log) as address:
        yield address
    assert "Traceback" not in log.read_text("utf-8", "replace")


@pytest.fixture(scope="session")
def places(tmp_path_factory):
    """The environment of a page where the tiny data sets are."""
    data, kept = tmp_path_factory.mktemp("data"), tmp_path_factory.mktemp("cache")
    write_data_sets(data)
    return {"WORKBENCH_DATA": str(data), "WORKBENCH_CACHE": str(kept)}


@pytest.fixture(scope="session")
def server(tmp_path_factory, places):
    """Address of the page, without parameters, on the tiny data sets; it fills no map."""
    with _served(tmp_path_factory.mktemp("log"), places) as address:
        yield address


@pytest.fixture(scope="module")
def address(server):
    """Address of the page on the tiny data sets, which fills no map."""
    return f"{server}?{urlencode(QUERY)}"


@pytest.fixture(scope="module")
def whole_address(tmp_path_factory, places):
    """Address of the page on the tiny data sets, as it is."""
    with _served(tmp_path_factory.mktemp("log"), places, ROOT / "app.py") as address:
        yield f"{address}?{urlencode(QUERY)}"


@pytest.fixture(scope="module")
def large_address(tmp_path_factory):
    """Address of the page on a large text: 36k words are shown; else the embedded default.

    What a browser has to do depends on the text and its curve, not on the background's size.
    """
    given = Path(os.environ.get("WORKBENCH_DATA", "nowhere"))
    query = {"domain": "bn-cnn"} if (given / "bn-cnn").is_dir() else {"part": "dev"}
    with _served(tmp_path_factory.mktemp("log"), {}) as server:
        yield f"{server}?{urlencode(query)}"


@pytest.fixture(scope="module")
def browser():
    """Chromium; of a module, because its event loop is in the way of other tests'."""
    with started() as opened:
        yield opened


@pytest.fixture(scope="module")
def context(browser):
    """A profile of the browser, of a module: the page's own files come from its cache."""
    made = browser.new_context()
    made.set_default_timeout(60_000)  # on two cores, three processes of tests are slow
    made.add_init_script(HELPERS)
    yield made
    made.close()


@contextmanager
def _pages(context, address):
    """Give a way to open the page with more parameters, of a size, in a theme or another medium.

    Nothing may be wrong on its console, and nothing be fetched from elsewhere. An emptied page is
    opened again: a new one would start a process and compile Streamlit's scripts once more.
    """
    pages, wrong = [], []
    here = urlsplit(address).netloc

    def note_request(request):
        at = urlsplit(request.url)
        if at.scheme not in ("data", "blob") and at.netloc != here:
            wrong.append(request.url)

    heard = {
        "console": lambda m: m.type in LOUD and wrong.append(f"{m.page.url}: {m.text}"),
        "pageerror": lambda error: wrong.append(str(error)),
        "request": note_request,
    }

    def open_(more="", wait=True, viewport=SIZE, **media):
        page = next((page for page in context.pages if page.url == EMPTY), None)
        page = page or context.new_page()
        pages.append(page)
        page.set_viewport_size(viewport)
        page.emulate_media(**MEDIA | media)
        for event, note in heard.items():
            page.on(event, note)
        page.goto(address + more)
        if wait:
            _wait_for_figures(page)
        return page

    yield open_
    for page in pages:
        assert "Traceback" not in page.inner_text("body")
        page.goto(EMPTY)
        context.new_cdp_session(page).send("Page.resetNavigationHistory")  # holds 50 at most
        for event, note in heard.items():
            page.remove_listener(event, note)
    assert wrong == []


def _wait_for_figures(page):
    """Wait until a page that was just opened rests; loops that are not kept are compiled first."""
    try:
        page.wait_for_selector(ADAPTED, timeout=300_000)
    except TimeoutError as error:
        raise AssertionError(f"the page only says: {page.inner_text('body')}") from error
    rest(page)


@pytest.fixture
def open_page(context, address):
    """A way to open the page on the tiny data sets."""
    with _pages(context, address) as open_:
        yield open_


@pytest.fixture
def page(open_page):
    """The page on the tiny data sets."""
    return open_page()


@pytest.fixture(scope="module")
def kept_page(context, address):
    """One page for the tests of a module that leave it as they found it."""
    with _pages(context, address) as open_:
        yield open_()


@pytest.fixture
def go(context, kept_page, address):
    """A way to another link on a page that is open, in a size; what was before is forgotten."""

    def go_(more="", size=(1440, 900)):
        kept_page.set_viewport_size(dict(zip(SIZE, size, strict=True)))
        kept_page.evaluate(_GO, [address + more, part("Main")])
        context.new_cdp_session(kept_page).send("Page.resetNavigationHistory")
        rest(kept_page)
        return kept_page

    return go_


@pytest.fixture
def open_whole_page(context, whole_address):
    """A way to open the page on the tiny data sets, which fills its map."""
    with _pages(context, whole_address) as open_:
        yield open_


@pytest.fixture
def open_large_page(context, large_address):
    """A way to open the page on large data."""
    with _pages(context, large_address) as open_:
        yield open_


def rest(page, quiet=300):
    """Wait until all that was done is heard, and the script has not run for some milliseconds."""
    page.evaluate("window.still = 0")
    page.wait_for_function(_RESTS, arg=quiet // POLL, timeout=180_000, polling=POLL)


def adapted_error(page):
    """The adapted model's error as its card shows it."""
    return page.locator(ADAPTED).inner_text()


def shown_text(page):
    """The sentences that are shown, every word with its form and its classes."""
    return page.evaluate(_TEXT)


def shown(page):
    """All that moves with sigma^2: cards, words, the marker and what the slider says aloud."""
    marker = page.locator(".curve .marker").get_attribute("transform")
    value = page.locator(SLIDER).get_attribute("aria-valuetext")
    return page.locator(".cards").inner_text(), shown_text(page), marker, value


def press(page, selector, *keys):
    """Press keys on an element."""
    for key in keys:
        page.locator(selector).press(key)


def parameter(page, name):
    """A parameter of the page's link."""
    return page.evaluate("(name) => new URL(location).searchParams.get(name)", name)


def wait_for_link(page, **parameters):
    """Wait until the link has these parameters, None for one that it has not, then for rest."""
    page.wait_for_function(
        """(wanted) => Object.entries(wanted).every(([name, value]) =>
             new URL(location).searchParams.get(name) === value)""",
        arg=parameters,
    )
    rest(page)


def set_back(page, address):
    """Set a page that was opened at an address back: no word, and the first sigma^2 and cut-off."""
    page.keyboard.press("Escape")
    if parameter(page, "sigma2"):
        page.locator(SLIDER).fill(START)
    if parameter(page, "cutoff"):
        press(page, CUTOFF, "Home")
    rest(page)
    if page.url != address:
        page.evaluate(_GO, [address, part("Main")])
        page.wait_for_selector(ADAPTED)
        rest(page)


# The first sentences stand for all of a long text, up to the one that is open: of thousands of
# words axe takes many times as long.
_SHORTEN = """() => {
  const lines = [...(window.scrub?.()?.querySelectorAll(".text > li") ?? [])];
  const open = lines.findIndex((line) => line.querySelector(".why"));
  window.away = lines.slice(Math.max(30, open + 1));
  for (const line of away) line.remove();
}"""
_LENGTHEN = "() => away.length && scrub().querySelector('.text').append(...away)"

_FIND = """async (within) =>
  (await axe.run(within ?? document, { resultTypes: ["violations"] })).violations"""


def violations(page, within=None):
    """Serious violations of a page, or of an element, each as rule, selector and message."""
    if not page.evaluate("'axe' in window"):  # once in a document
        page.evaluate(AXE_SCRIPT)
    page.evaluate(_SHORTEN)
    found = page.evaluate(_FIND, within)
    page.evaluate(_LENGTHEN)
    return [
        (rule["id"], str(node["target"]), node["failureSummary"])
        for rule in found
        if rule["impact"] in SERIOUS
        for node in rule["nodes"]
    ]
