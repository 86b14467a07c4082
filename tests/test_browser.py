"""The page in a real browser: what AppTest cannot see."""

import os
import shutil
import time
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright import sync_api as playwright
from tiny_data import QUERY, write_data_sets

from benchmarks.browser.server import ROOT, serve

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
ARGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
RESTS = '[data-testid="stApp"][data-test-script-state="notRunning"]'
SLIDER = '[data-testid="stSlider"] input[type=range]'


@contextmanager
def _served(folder, environment):
    """Run the app; gives its address, and nothing may go wrong on the server meanwhile."""
    log = folder / "server.log"
    with serve(ROOT / "app.py", environment, log) as address:
        yield address
    assert "Traceback" not in log.read_text("utf-8", "replace")


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """Address of the page on the tiny data sets."""
    data, kept = tmp_path_factory.mktemp("data"), tmp_path_factory.mktemp("cache")
    write_data_sets(data)
    places = {"WORKBENCH_DATA": str(data), "WORKBENCH_CACHE": str(kept)}
    with _served(tmp_path_factory.mktemp("log"), places) as server:
        yield f"{server}?{urlencode(QUERY)}"


@pytest.fixture(scope="module")
def large_address(tmp_path_factory):
    """Address of the page on the largest data there are: 21M words, or the embedded default."""
    given = Path(os.environ.get("WORKBENCH_DATA", "nowhere"))
    is_here = (given / "reuters-fin").is_dir() and (given / "bn-cnn").is_dir()
    query = {"background": "reuters-fin", "domain": "bn-cnn"} if is_here else {"part": "dev"}
    with _served(tmp_path_factory.mktemp("log"), {}) as server:
        yield f"{server}?{urlencode(query)}"


@pytest.fixture(scope="module")
def browser():
    assert CHROMIUM, "the tests need Chromium: apt-get install chromium"
    with playwright.sync_playwright() as running:
        opened = running.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        yield opened
        opened.close()


@contextmanager
def _pages(browser, address):
    """Give a way to open the page with more parameters; no error may be on its console."""
    contexts, errors = [], []

    def open_(more="", **options):
        context = browser.new_context(viewport={"width": 1440, "height": 1000}, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda m: errors.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(address + more)
        page.wait_for_selector(".wb-cards", timeout=300_000)
        rest(page)
        return page

    yield open_
    for context in contexts:
        for page in context.pages:
            assert "Traceback" not in page.inner_text("body")
        context.close()
    assert errors == []


@pytest.fixture
def open_page(browser, address):
    with _pages(browser, address) as open_:
        yield open_


@pytest.fixture
def open_large_page(browser, large_address):
    with _pages(browser, large_address) as open_:
        yield open_


def rest(page):
    """Wait until the script has run to its end, and a moment later still has."""
    for _ in range(2):
        page.wait_for_timeout(300)
        page.wait_for_selector(RESTS, timeout=60_000)


def adapted_error(page):
    return page.locator(".wb-card .error").nth(2).inner_text()


def wait_for_sigma2(page, text):
    page.wait_for_function(f"new URL(location).searchParams.get('sigma2') === '{text}'")
    rest(page)


def present_sigma2(page):
    """Where the mark of the present sigma^2 stands on figure 1, as the browser says it aloud."""
    marks = page.locator('[data-testid="stVegaLiteChart"]').first.locator(
        ".present_marks path, .present_marks line"
    )
    return marks.first.get_attribute("aria-label")


def test_arrow_keys_move_error_words_figure_and_link(open_page):
    page = open_page()
    before = adapted_error(page), page.inner_text(".wb-text"), present_sigma2(page)
    slider = page.locator(SLIDER).first
    slider.focus()
    for _ in range(12):
        slider.press("ArrowLeft")
    wait_for_sigma2(page, "0.01")
    after = adapted_error(page), page.inner_text(".wb-text"), present_sigma2(page)
    assert all(old != new for old, new in zip(before, after, strict=True))
    assert "σ² (log scale): 0.01" in after[2] or "0.01" in after[2]


def test_a_deep_link_shows_what_it_says_and_survives_a_reload(open_page):
    page = open_page("&sigma2=3.2&cutoff=none&part=test&show=all")
    assert page.locator(SLIDER).first.get_attribute("aria-valuetext") == "3.2"
    assert "(test)" in page.inner_text(".wb-title")
    assert "0 new features" in page.inner_text(".wb-title")
    shown = adapted_error(page)
    page.reload()
    page.wait_for_selector(".wb-cards")
    rest(page)
    assert adapted_error(page) == shown


def test_a_bad_link_says_so(open_page):
    page = open_page("&sigma2=nan")
    assert "sigma2=nan" in page.inner_text('[data-testid="stAlert"]')


def test_a_click_on_figure_1_moves_the_slider_also_twice(open_page):
    page = open_page()
    svg = page.locator('[data-testid="stVegaLiteChart"] svg').first
    box = svg.bounding_box()
    spot = box["x"] + 0.93 * box["width"], box["y"] + 0.6 * box["height"]
    page.mouse.click(*spot)
    page.wait_for_url("**sigma2=*")
    rest(page)
    picked = page.url
    page.get_by_role("button", name="Reset").click()
    page.wait_for_url(lambda url: "sigma2" not in url)
    rest(page)
    page.mouse.move(0, 0)
    page.mouse.click(*spot)
    page.wait_for_url(picked)


def hold_keys(page, seconds):
    """Repeat arrow keys as a keyboard does, to and fro."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for key in ["ArrowRight"] * 10 + ["ArrowLeft"] * 12:
            page.keyboard.down(key)
            page.wait_for_timeout(33)


def test_a_held_key_ends_where_the_slider_stands(open_page):
    page = open_page()
    slider = page.locator(SLIDER).first
    slider.focus()
    hold_keys(page, 4)
    page.keyboard.press("Home")
    wait_for_sigma2(page, "0.01")
    assert slider.get_attribute("aria-valuetext") == "0.01"
    assert "0.01" in present_sigma2(page)
    assert page.locator('[data-testid="stAlert"], [data-testid="stException"]').count() == 0
    slider.press("End")
    wait_for_sigma2(page, "100")  # the connection is alive


def test_a_key_held_for_ten_seconds_on_large_data_leaves_no_stale_figure(open_large_page):
    page = open_large_page()
    page.locator(SLIDER).first.focus()
    hold_keys(page, 10)
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    wait_for_sigma2(page, "68")
    held = page.inner_text(".wb-cards"), page.inner_text(".wb-text")
    assert "68" in present_sigma2(page)
    assert page.locator('[data-testid="stAlert"], [data-testid="stException"]').count() == 0
    fresh = open_large_page("&sigma2=68")
    assert held == (fresh.inner_text(".wb-cards"), fresh.inner_text(".wb-text"))


def test_dark_follows_the_system(open_page):
    light = open_page(color_scheme="light")
    dark = open_page(color_scheme="dark")
    assert brightness(light, "backgroundColor") > 200 > brightness(light, "color") + 100
    assert brightness(dark, "backgroundColor") < 50 < brightness(dark, "color") - 100


def brightness(page, what):
    color = page.evaluate(f"getComputedStyle(document.querySelector('[data-testid=stApp]')).{what}")
    return sum(map(float, color.strip("rgba()").split(",")[:3])) / 3


def test_nothing_sticks_out_of_a_narrow_page(open_page):
    page = open_page()
    page.set_viewport_size({"width": 420, "height": 900})
    rest(page)
    widths = page.evaluate(
        "[document.querySelector('[data-testid=stMain]')].map(e => [e.scrollWidth, e.clientWidth])"
    )[0]
    assert widths[0] <= widths[1]


def test_text_of_the_user_cannot_reach_the_network_or_the_style(open_page):
    page = open_page("&" + urlencode({"try": '<img src="http://example.org/x.png"> said hello'}))
    assert page.locator(".wb-forms img").count() == 0
    assert "<img" in page.inner_text(".wb-forms").lower()


def test_what_was_stopped_says_so(browser, address):
    """Stop halts a run before it could empty its line; the style sheet marks what is left."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    every = "&".join(f"methods={name}" for name in ("map", "weighted", "all", "auxiliary"))
    page.goto(f"{address}&view=Compare&templates=extended&{every}")
    page.wait_for_selector(".wb-busy", timeout=60_000)
    page.get_by_role("button", name="Stop").first.click()
    rest(page)
    before = "e => getComputedStyle(e, '::before').content"
    assert page.locator(".wb-busy").evaluate(before) == '"Stopped: "'
    page.reload()
    page.wait_for_selector('[data-testid="stDataFrame"]', timeout=60_000)
    rest(page)
    assert page.locator(".wb-busy").count() == 0
    context.close()


def test_charts_leave_no_warning_on_the_console(browser, address):
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page, warnings = context.new_page(), []
    page.on("console", lambda m: warnings.append(m.text) if "WARN" in m.text else None)
    for view in ("Tune", "Compare", "Papers"):
        page.goto(f"{address}&view={view}&part=test")
        page.wait_for_selector("svg.marks", timeout=120_000)
        rest(page)
    context.close()
    assert warnings == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_in_charts_is_read_in_both_themes(browser, address, theme):
    ink = {"light": ["rgb(86, 92, 102)", "rgb(32, 36, 44)"],
           "dark": ["rgb(185, 188, 195)", "rgb(232, 228, 220)"]}  # fmt: skip
    context = browser.new_context(color_scheme=theme)
    page = context.new_page()
    page.goto(f"{address}&view=Compare")
    page.wait_for_selector("svg.marks text", timeout=120_000)
    rest(page)
    fills = "es => [...new Set(es.map(e => getComputedStyle(e).fill))]"
    assert set(page.locator("svg.marks text").evaluate_all(fills)) == set(ink[theme])
    sizes = "es => Math.min(...es.map(e => parseFloat(getComputedStyle(e).fontSize)))"
    assert page.locator("svg.marks text").evaluate_all(sizes) >= 13
    context.close()


def test_a_bad_file_leaves_the_good_one_in_use(open_page):
    page = open_page()
    chooser = page.locator('[data-testid="stFileUploader"] input[type=file]')

    def upload(name, data):
        chooser.set_input_files({"name": name, "mimeType": "text/plain", "buffer": data})
        rest(page)

    alerts = page.locator('[data-testid="stSidebar"] [data-testid="stAlert"]')
    upload("holmes.txt", b"Doctor Watson met Holmes in New York .\n" * 40)
    upload("bad.txt", b"")
    assert "holmes.txt" in page.locator(".wb-title").inner_text()
    assert "bad.txt" in alerts.inner_text()
    upload("large.txt", b"A" * (21 << 20))  # the widget refuses it, and says so itself
    assert not alerts.is_visible()
    assert "holmes.txt" in page.locator(".wb-title").inner_text()
