"""A real Chromium for tests of what a browser does with the page's modules and files."""

import shutil
from contextlib import contextmanager

from playwright import sync_api as playwright

# The first has no window, so a page takes less time; the engine is the same.
NAMES = "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
ARGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
# A test ends before its scripts would run faster: optimizing them takes a quarter of a page's time.
ARGS.append("--js-flags=--no-opt --no-maglev")


@contextmanager
def started():
    """A browser, closed afterwards."""
    assert CHROMIUM, "the tests need Chromium: apt-get install chromium-headless-shell"
    with playwright.sync_playwright() as running:
        opened = running.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        yield opened
        opened.close()


@contextmanager
def opened(browser, **options):
    """A page in a context of its own; nothing may be said on its console, not even a warning."""
    context, said = browser.new_context(**options), []
    page = context.new_page()
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    yield page
    context.close()
    assert said == []


def percent(fraction):
    """A fraction as the cards show it."""
    return f"{100 * fraction:.2f}\u00a0%"
