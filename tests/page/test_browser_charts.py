"""A line of progress in a real browser; a warning on the console fails this."""

from browser_pages import part, rest


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
