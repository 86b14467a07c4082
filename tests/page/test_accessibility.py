"""What axe-core finds in every view and section, what charts say, and where Tab goes."""

from browser_pages import ADAPTED, CUTOFF, SLIDER, part, rest, violations, wait_for_link

from workbench.text.tasks import TaskName
from workbench.views.sections import sections_of

SECTIONS = list(sections_of(TaskName.CASE))
SCRUBBER = part("BidiComponentIsolated")


# Either theme, which the page takes from the system, and what it makes of the brightest colour.
# Checks take turns: test_newcomer.py walks through both, and charts are read in both.
LIGHT, DARK = ("light", "> 200"), ("dark", "< 50")
INK = {
    DARK: {"rgb(185, 188, 195)", "rgb(232, 228, 220)"},
    LIGHT: {"rgb(86, 92, 102)", "rgb(32, 36, 44)"},
}

OUTSIDE = "svg.marks :not([class*=inside_]) > text"  # of a bar or a cell
_BRIGHTNESS = (
    """Math.max(...getComputedStyle(document.querySelector('"""
    + part("App")
    + """'))
  .backgroundColor.match(/[0-9]+/g).slice(0, 3))"""
)


def wear(page, theme):
    """Give a page a theme."""
    name, brightness = theme
    page.emulate_media(color_scheme=name)
    page.wait_for_function(f"{_BRIGHTNESS} {brightness}")
    rest(page)


def check(page, theme, within=None):
    """Nothing serious is found in a theme."""
    wear(page, theme)
    assert violations(page, within) == []


def test_axe_finds_nothing_serious_in_tune(kept_page):
    kept_page.locator(".w.chosen").first.click()
    kept_page.wait_for_selector(".why .said")
    kept_page.locator(".opener").click()
    check(kept_page, LIGHT)
    kept_page.keyboard.press("?")
    check(kept_page, DARK, SCRUBBER)
    for _ in ("keys", "word"):
        kept_page.keyboard.press("Escape")
    kept_page.locator(".opener").click()
    wait_for_link(kept_page, word=None)


def test_axe_would_find_something(kept_page):
    wear(kept_page, LIGHT)
    kept_page.evaluate("scrub().querySelector('.pane').style.color = '#ddd'")
    assert any(rule == "color-contrast" for rule, *_ in violations(kept_page, SCRUBBER))
    kept_page.evaluate("scrub().querySelector('.pane').style.color = ''")


def test_axe_finds_nothing_serious_in_the_sections(kept_page):
    for n, name in enumerate((*SECTIONS[1:], SECTIONS[0])):  # the first is open
        kept_page.locator(".st-key-section button", has_text=name).click()
        wait_for_link(kept_page, section=None if name == SECTIONS[0] else name)
        if name == "try a text":
            check_charts(kept_page)
        check(kept_page, DARK if n < len(SECTIONS) / 2 else LIGHT, ".st-key-below")


def test_axe_finds_nothing_serious_in_views_and_a_lesson(kept_page, go):
    for view, theme in (("Compare", DARK), ("Papers", LIGHT)):
        kept_page.get_by_role("radio", name=view).click()
        wait_for_link(kept_page, view=view)
        check_charts(kept_page)
        check(kept_page, theme)
    go("&lesson=leash&step=3")
    kept_page.wait_for_selector(".st-key-strip")
    check(kept_page, DARK)
    go()
    kept_page.wait_for_selector(ADAPTED)


def check_charts(page):
    """The text of charts is read in both themes, and they fit any width."""
    fills = "es => [...new Set(es.map(e => getComputedStyle(e).fill))]"
    sizes = "es => Math.min(...es.map(e => parseFloat(getComputedStyle(e).fontSize)))"
    main = page.locator(part("Main"))
    page.wait_for_selector("svg.marks text")
    for theme, ink in INK.items():
        wear(page, theme)
        assert set(page.locator(OUTSIDE).evaluate_all(fills)) <= ink
        assert page.locator("svg.marks text").evaluate_all(sizes) >= 13
    for width in (400, 1024, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        rest(page)
        assert main.evaluate("(main) => main.scrollWidth <= main.clientWidth"), width


def test_only_the_choices_of_the_head_come_before_the_slider_and_none_in_a_lecture(kept_page):
    check_tabs_to_slider(kept_page, n_choices=6)
    kept_page.get_by_role("button", name="Lecture").click()
    wait_for_link(kept_page, lecture="on")
    check_tabs_to_slider(kept_page, n_choices=0)
    kept_page.keyboard.press("Escape")
    wait_for_link(kept_page, lecture=None)


def check_tabs_to_slider(page, n_choices):
    """From the top of the page it is so many steps by Tab to the slider."""
    page.evaluate("""() => {
      document.body.tabIndex = -1;
      document.body.focus();
      document.body.removeAttribute("tabindex");
    }""")
    page.keyboard.press("Tab")
    assert page.evaluate("focused().textContent") == "Skip to main content"
    page.keyboard.press("Enter")
    for _ in range(n_choices + 1):
        page.keyboard.press("Tab")
    assert page.evaluate("focused().closest('label')?.className") == "sigma2"


def test_tab_goes_down_the_page(kept_page):
    """What Tab comes to one after the other stands so: slider, presets and pin, words, the rest."""
    kept_page.locator(".st-key-top").scroll_into_view_if_needed()
    kept_page.wait_for_function("!scrub().querySelector('.passed')")
    order = (SLIDER, ".presets button", ".presets button:last-child", CUTOFF)
    for places in (order, (".right .chip", ".pane", ".tools button")):
        tops = [kept_page.locator(one).first.bounding_box()["y"] for one in places]
        assert tops == sorted(tops)
    names = kept_page.evaluate(
        """() => [...scrub().querySelectorAll("input, .presets, .pane, .tools")]
          .map((one) => one.className || one.parentNode.className)"""
    )
    assert names == ["afloat", "presets", "row cut", "pane", "tools"]


def test_s_goes_to_the_slider_and_all_words_can_be_reached(kept_page):
    kept_page.keyboard.press("s")
    assert kept_page.evaluate("focused().closest('label')?.className") == "sigma2"
    unnamed = kept_page.evaluate("""() => [...scrub().querySelectorAll("button, input, summary")]
      .filter((one) => !(one.ariaLabel || one.textContent || one.title).trim()).length""")
    assert unnamed == 0
