"""Charts and lines of progress in a real browser; a warning on the console fails any of these."""

from browser_pages import part, rest

INK = {
    "light": {"rgb(86, 92, 102)", "rgb(32, 36, 44)"},
    "dark": {"rgb(185, 188, 195)", "rgb(232, 228, 220)"},
}

OUTSIDE = "svg.marks :not([class*=inside_]) > text"  # of a bar or a cell


def test_what_was_stopped_says_so(open_page, address):
    """Stop halts a run before it could empty its line; the style sheet marks what is left."""
    page = open_page("&view=Compare&templates=extended&methods=map&methods=all", wait=False)
    page.wait_for_selector(".wb-busy", timeout=60_000)
    page.get_by_role("button", name="Stop").first.click()
    rest(page)
    before = "e => getComputedStyle(e, '::before').content"
    assert page.locator(".wb-busy").evaluate(before) == '"Stopped: "'
    page.goto(f"{address}&view=Compare")  # of which no run was stopped
    page.wait_for_selector(part("DataFrame"), timeout=60_000)
    rest(page)
    assert page.locator(".wb-busy").count() == 0


def test_charts_fit_any_width_and_their_text_is_read_in_both_themes(page):
    fills = "es => [...new Set(es.map(e => getComputedStyle(e).fill))]"
    sizes = "es => Math.min(...es.map(e => parseFloat(getComputedStyle(e).fontSize)))"
    main = page.locator(part("Main"))
    for place in ("try a text", "Compare", "Papers"):
        page.get_by_role("radio", name=place).click()
        rest(page)
        page.wait_for_selector("svg.marks text")
        for theme, ink in INK.items():
            page.emulate_media(color_scheme=theme)
            rest(page)
            assert set(page.locator(OUTSIDE).evaluate_all(fills)) <= ink, place
            assert page.locator("svg.marks text").evaluate_all(sizes) >= 13, place
        for width in (400, 1024, 1440):
            page.set_viewport_size({"width": width, "height": 900})
            rest(page)
            assert main.evaluate("(main) => main.scrollWidth <= main.clientWidth"), (place, width)
