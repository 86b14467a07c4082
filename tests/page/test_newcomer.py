"""A newcomer's first minutes, from the bare address, at three widths and in both themes.

Pictures of every stop are written to the folder that WORKBENCH_PICTURES names, if it names one.
"""

import os
import re
from itertools import product
from pathlib import Path

import pytest
from browser_pages import (
    ADAPTED,
    ALERTS,
    HELPERS,
    SLIDER,
    part,
    press,
    rest,
    violations,
    wait_for_link,
)
from chromium import opened
from tiny_data import write_data_sets

from workbench.models.memm import MEMM
from workbench.text.readers import read_corpus

WIDTHS = {400: 900, 1024: 768, 1440: 900}
THEMES = ("dark", "light")
MOST_CONTROLS = 30
# Of a chooser the arrow is part of it; radio buttons and words count one by one, as they are seen.
COUNT = """() => {
  const found = [], roots = [document];
  const kinds = "button, input, textarea, summary, a[href], [role=combobox]";
  while (roots.length) {
    for (const each of roots.pop().querySelectorAll("*")) {
      if (each.shadowRoot) roots.push(each.shadowRoot);
      const box = each.getBoundingClientRect();
      if (each.matches(kinds) && !each.closest("[role=combobox] button, .w") && box.width > 1
          && box.top < innerHeight && box.bottom > 0 && each.ariaLabel !== "Open"
          && each.checkVisibility({ visibilityProperty: true })) found.push(each);
    }
  }
  return found.length;
}"""


class Walk:
    """A page on which somebody walks, who is looked after at each stop."""

    def __init__(self, page):
        self.page, self.n_stops, self.n_new = page, 0, 0

    def stop(self, what, most_controls=None, is_new=True):
        """Wait for rest: nothing failed or sticks out, axe finds nothing serious.

        What is new is seen at each width; axe looks at one in one theme, others from one such stop
        to the next, so that it sees each width in both. Other stops have one width, too. Pictures
        are of each width in both themes.
        """
        page, folder = self.page, os.environ.get("WORKBENCH_PICTURES")
        page.wait_for_selector(ADAPTED, timeout=120_000, state="attached")  # a lesson may hide it
        looks = list(product(THEMES, WIDTHS))
        here = self.n_new % len(looks)
        self.n_stops, self.n_new = self.n_stops + 1, self.n_new + is_new
        for scheme, width in (*looks[here + 1 :], *looks[: here + 1]):  # axe's last
            if not folder and (
                scheme != looks[here][0] if is_new else (scheme, width) != looks[here]
            ):
                continue
            page.emulate_media(color_scheme=scheme)
            page.set_viewport_size({"width": width, "height": WIDTHS[width]})
            rest(page)
            if folder:
                page.screenshot(path=Path(folder, f"{width}-{scheme}-{self.n_stops}-{what}.png"))
            main = page.locator(part("Main"))
            assert main.evaluate("(main) => main.scrollWidth <= main.clientWidth"), (what, width)
            assert most_controls is None or page.evaluate(COUNT) <= most_controls
        if is_new:
            assert violations(page) == [], (what, scheme, width)
        assert page.locator(ALERTS).count() == 0, page.inner_text(ALERTS)

    def click(self, name, **options):
        self.page.get_by_role("button", name=name, **options).first.click()


@pytest.fixture(scope="module")
def brought(tmp_path_factory):
    """Files of a newcomer: a background, a domain and a model."""
    folder = tmp_path_factory.mktemp("brought")
    write_data_sets(folder)
    news = folder / "tiny-news" / "train.txt"
    MEMM.fit(read_corpus(news), cutoff=0, sigma2=5.0).save(folder / "own.model")
    talk = "".join((folder / "tiny-broadcast" / f"{name}.txt").read_text("utf-8")
                   for name in ("train", "dev", "test"))  # fmt: skip
    (folder / "talk.md").write_text(talk, "utf-8")
    lines = news.read_text("utf-8")
    (folder / "news.txt").write_text(lines * (1 + 2_500 // len(lines.split())), "utf-8")
    return folder


def test_a_newcomer_gets_from_the_bare_address_to_a_report(browser, server, brought):
    with opened(browser, accept_downloads=True) as page:
        page.add_init_script(HELPERS)
        page.set_default_timeout(60_000)
        walk = Walk(page)
        page.goto(server)
        walk.stop("open", MOST_CONTROLS)
        _move(page)
        _tour(walk)
        _bring(walk, brought)
        _ask_and_drop(walk)
        _take_away(walk)
        _come_again(page, server)


def _move(page):
    """The start does not flicker while a slider moves."""
    page.evaluate("""() => new MutationObserver(() => {
      if (!document.querySelector(".st-key-start button")) window.wasGone = true;
    }).observe(document.body, { subtree: true, childList: true })""")
    press(page, SLIDER, "ArrowRight")
    wait_for_link(page, sigma2="1.5")
    assert page.evaluate("window.wasGone ?? false") is False


def _tour(walk):
    page = walk.page
    walk.click("Take the two-minute tour")
    page.wait_for_selector(".st-key-strip .wb-step")
    assert page.locator(".st-key-start").count() == 0
    walk.stop("tour")
    lower, written = re.findall("“(.*?)”", page.inner_text(".wb-step"))
    assert lower == written.lower() != written
    walk.click("under 70 %")
    page.wait_for_selector(".wb-reveal")
    walk.stop("answer")
    walk.click("End lesson")
    page.locator(".st-key-strip").wait_for(state="detached")


def _bring(walk, brought):
    page = walk.page
    walk.click("Your own text")
    slots = page.locator(".st-key-own-texts input[type=file]")
    slots.nth(1).set_input_files(brought / "talk.md")
    page.wait_for_selector(".st-key-own-texts small >> text=talk.md (yours)")
    walk.stop("own domain")
    slots.nth(0).set_input_files(brought / "news.txt")
    page.locator(".st-key-own-texts").wait_for(state="detached")  # both are there
    page.locator("h1", has_text="news.txt (yours) adapted to talk.md (yours)").wait_for()
    walk.stop("own texts", is_new=False)
    walk.click("Your own text")
    slots.nth(0).set_input_files(brought / "own.model")
    page.locator(".st-key-own-texts").wait_for(state="detached")
    page.locator("h1", has_text="own.model (yours) adapted to talk.md (yours)").wait_for()
    walk.stop("own model", is_new=False)


def _ask_and_drop(walk):
    page = walk.page
    rest(page)
    page.locator(".w.fixed, .w.broken").first.click()
    page.wait_for_selector(".why .said")
    walk.stop("why")
    walk.click("drop", exact=True)
    page.wait_for_selector(".why >> text=forecast")
    walk.stop("dropped", is_new=False)


def _take_away(walk):
    page = walk.page
    page.locator(".st-key-section").get_by_role("radio", name="take away").click()
    walk.stop("take away")
    with page.expect_download() as download:
        walk.click("Report, HTML")
    made = Path(download.value.path()).read_text("utf-8")
    assert '<div id="scrubber"' in made
    assert "talk.md" in made


def _come_again(page, server):
    """Once it was used, the start stays away."""
    page.goto(server)
    page.wait_for_selector(ADAPTED)
    rest(page)
    assert page.locator(".st-key-start").count() == 0
