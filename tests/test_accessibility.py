"""What axe-core finds in every view, section and theme, and how near the slider is by keyboard."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser_pages import rest

from workbench.settings import SECTIONS

SERIOUS = {"serious", "critical"}
VIEWS = [f"&section={name}" for name in SECTIONS] + ["&view=Compare", "&view=Papers"]
# Streamlit's own elements, which the page cannot change: rule, a part of the selector, reason.
STREAMLITS: list[tuple[str, str, str]] = []


def violations(page):
    """Serious violations of a page, each as rule, selector and message."""
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        (rule["id"], str(node["target"]), node["failureSummary"])
        for rule in found
        if rule["impact"] in SERIOUS
        for node in rule["nodes"]
    ]


def is_streamlits(rule, selector):
    return any(rule == known and part in selector for known, part, _ in STREAMLITS)


def check(page):
    rest(page)
    assert [found for found in violations(page) if not is_streamlits(*found[:2])] == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious(open_page, address, theme):
    page = open_page(color_scheme=theme)
    page.locator(".w.chosen").first.click()
    page.wait_for_selector(".why .said")
    page.locator(".confusion summary").click()
    check(page)
    page.keyboard.press("?")
    check(page)
    for more in VIEWS:
        page.goto(address + more)
        page.wait_for_selector("h1")
        check(page)


def test_axe_would_find_something(page):
    page.evaluate("scrub().querySelector('.pane').style.color = '#ddd'")
    assert any(rule == "color-contrast" for rule, *_ in violations(page))


@pytest.mark.parametrize("more", ["", "&lecture=on"])
def test_the_slider_is_within_three_stops(open_page, more):
    page = open_page(more)
    page.keyboard.press("Tab")
    assert page.evaluate("focused().textContent") == "Skip to main content"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("focused().closest('label')?.className") == "sigma2"


def test_s_goes_to_the_slider_and_all_words_can_be_reached(page):
    page.keyboard.press("s")
    assert page.evaluate("focused().closest('label')?.className") == "sigma2"
    unnamed = page.evaluate("""() => [...scrub().querySelectorAll("button, input, summary")]
      .filter((one) => !(one.ariaLabel || one.textContent).trim()).length""")
    assert unnamed == 0
