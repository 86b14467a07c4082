"""The whole page in a real browser: sizes, themes, jolts, uploads, and two visitors at once."""

from html import escape
from urllib.parse import urlencode, urlsplit

import pytest
from browser_pages import (
    ADAPTED,
    ALERTS,
    CUTOFF,
    SLIDER,
    WITHOUT_IDLE,
    adapted_error,
    parameter,
    part,
    press,
    rest,
    shown_text,
    wait_for_link,
)
from tiny_data import QUERY

from benchmarks.browser.server import ROOT, serve
from workbench.settings import SIGMA2_GRID

SIZES = WIDE, SMALL, NARROW = (1440, 900), (1024, 768), (400, 900)
PROJECTOR = (1280, 720)
EVIL = '<img src="http://example.org/x.png" onerror="document.title=\'evil\'">'


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size[0]))
def test_nothing_sticks_out_of_tune(go, size):
    page = go(size=size)
    widths = page.evaluate(
        """(main) => [document.querySelector(main), scrub().firstElementChild]
          .map((box) => [box.scrollWidth, box.clientWidth])""",
        part("Main"),
    )
    assert all(content <= box for content, box in widths)
    outside = page.evaluate("""() =>
      [...scrub().querySelectorAll("button, input, .card, svg, p")]
      .filter((one) => one.checkVisibility() && one.getClientRects().length
        && (one.getBoundingClientRect().right > innerWidth + 1
          || one.getBoundingClientRect().left < 0)).map((one) => one.outerHTML)""")
    assert outside == []


@pytest.mark.parametrize("size", [SMALL, WIDE], ids=lambda size: str(size[0]))
def test_sliders_errors_curve_and_text_are_above_the_fold(go, size):
    page = go(size=size)
    for one in [SLIDER, CUTOFF, "svg.curve", *(f".card >> nth={i}" for i in range(3))]:
        box = page.locator(one).bounding_box()
        assert box["y"] >= 0, one
        assert box["y"] + box["height"] <= size[1], one
    pane, tags = (page.locator(one).bounding_box() for one in (".pane", ".tags"))
    assert tags["x"] == pytest.approx(pane["x"], abs=1)
    assert tags["y"] >= pane["y"] + pane["height"]
    lines = page.evaluate("""() => {
      const pane = scrub().querySelector(".pane").getBoundingClientRect(), tops = new Set();
      for (const word of scrub().querySelectorAll(".pane .w")) {
        const box = word.getBoundingClientRect();
        if (box.top >= pane.top && box.bottom <= Math.min(pane.bottom, innerHeight)) {
          tops.add(Math.round(box.bottom / 8));
        }
      }
      return tops.size;
    }""")
    assert lines >= 3


def fixed_places(page):
    """Where all stands that must not move."""
    selectors = ("h1", ".cards", SLIDER, CUTOFF, "svg.curve", ".pane", ".st-key-section")
    return [page.locator(selector).first.bounding_box() for selector in selectors]


# What may shift, as a share of the page, where an answer comes too late for the browser to see it
# as that of the key: words of the text and the numbers of its filters. In time it is 0.
LATE = 0.02


def test_nothing_jolts_at_a_load_or_a_key(go):
    page = go()
    # With the page's files in the browser's cache: how fast they come is not ours.
    page.reload()
    page.wait_for_selector(ADAPTED)
    rest(page, 1_000)
    assert page.evaluate("window.shifted ?? 0") <= 0.1
    before = fixed_places(page)
    page.evaluate("window.shifted = 0")
    for key in ("ArrowLeft", "ArrowLeft", "End", "ArrowLeft"):
        press(page, SLIDER, key)
        page.wait_for_timeout(50)
        assert fixed_places(page) == before
    rest(page)
    assert fixed_places(page) == before
    assert page.evaluate("window.shifted") < LATE
    press(page, CUTOFF, "ArrowRight")
    wait_for_link(page, cutoff="2")
    assert fixed_places(page) == before
    assert page.evaluate("window.shifted") < LATE


def test_dark_follows_the_system(go):
    page = go()
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        rest(page)
        is_dark = scheme == "dark"
        for root in ("document.querySelector('[data-testid=stApp]')", "scrub().firstElementChild"):
            assert (brightness(page, root, "color") > 180) is is_dark
            assert (brightness(page, root, "color") < 80) is not is_dark
        assert (brightness(page) < 50) is is_dark
        assert (brightness(page) > 200) is not is_dark


def brightness(page, root="document.querySelector('[data-testid=stApp]')", what="backgroundColor"):
    color = page.evaluate(f"getComputedStyle({root}).{what}")
    return sum(map(float, color.strip("rgba()").split(",")[:3])) / 3


# The size of the type in which a table was drawn last, but for that of small marks.
_NOTE_TABLE_TYPE = """() => {
  const canvas = CanvasRenderingContext2D.prototype;
  const { get, set } = Object.getOwnPropertyDescriptor(canvas, "font");
  Object.defineProperty(canvas, "font", { get, set(font) {
    const size = parseFloat(/[\\d.]+px/.exec(font));
    if (size > 10) window.tableType = size;
    set.call(this, font);
  } });
}"""


def test_lecture_hides_the_choices_and_enlarges_the_type(go):
    page = go()

    def size():
        return page.evaluate(
            "parseFloat(getComputedStyle(scrub().querySelector('.text')).fontSize)"
        )

    before = size()
    page.evaluate(_NOTE_TABLE_TYPE)
    page.get_by_role("button", name="Lecture").click()
    wait_for_link(page, lecture="on")
    page.wait_for_function("tableType > 17")
    assert not page.locator(".st-key-sentence").is_visible()
    assert page.locator("h1").bounding_box()["height"] > 20
    assert size() == pytest.approx(1.4 * before, rel=0.01)
    assert page.inner_text(".card.unigram p:nth-of-type(2)").endswith(" wrong")
    assert page.locator(".card.unigram .change").is_visible()  # how it compares, with an interval
    page.get_by_role("button", name="Leave (Esc)").click()
    wait_for_link(page, lecture=None)
    assert page.locator(".st-key-sentence").is_visible()
    assert size() == before
    page.wait_for_function("tableType < 15")


def test_on_a_narrow_page_no_text_passes_above_the_slider_or_under_the_menu(go):
    page = go(size=NARROW)
    page.locator(".pane").evaluate("(pane) => pane.scrollIntoView()")
    parts = (".sigma2 + .row .label", ".sigma2", part("MainMenu"))
    value, slider, menu = (page.locator(one).bounding_box() for one in parts)
    assert value["y"] == 0
    assert menu["y"] + menu["height"] <= slider["y"] <= value["height"]


def test_a_path_that_opens_by_itself_stands_below_its_slider_on_the_stage(open_page):
    viewport = dict(zip(("width", "height"), PROJECTOR, strict=True))
    page = open_page("&lesson=tags&step=3&lecture=on", wait=False, viewport=viewport)
    page.locator(".st-key-lesson-next button").click()
    wait_for_link(page, sigma2="0.01")
    rest(page)
    picture = page.locator(".flow svg")
    for one in (page.locator(SLIDER), picture):
        box = one.bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= PROJECTOR[1]
    says, tags = picture.get_attribute("aria-label"), page.locator(".flow text.at3.tag")
    shown = page.locator(".w.current .shown").inner_text()
    before = tags.all_text_contents()
    press(page, SLIDER, "End")
    wait_for_link(page, sigma2="100")
    assert picture.get_attribute("aria-label") != says
    assert page.locator(".w.current .shown").inner_text() != shown  # another tag wins here
    assert tags.all_text_contents() == before  # and the weights still count for the same one


def foot(page, selector):
    """Where the lower edge of an element is, in pixels of the window."""
    box = page.locator(selector).first.bounding_box()
    return box["y"] + box["height"]


def test_a_lesson_in_a_lecture_is_a_stage_for_a_projector(go):
    page = go("&lesson=cutoff&step=2", PROJECTOR)
    assert page.locator(".presets").inner_text() == "Pin"  # one of the others goes to the answer
    page.locator(".st-key-strip").get_by_role("button", name="Lecture").click()
    wait_for_link(page, lecture="on")
    leave = page.get_by_role("button", name="Leave (Esc)")
    leave.wait_for()
    assert leave.bounding_box()["y"] < page.locator(".wb-step").bounding_box()["y"]
    for other in ("End lesson", "Lecture"):  # one way out
        assert not page.get_by_role("button", name=other, exact=True).is_visible()
    assert page.evaluate("scrub().querySelector('.sigma2').offsetParent.className") == "left"
    assert not page.locator(".cards").is_visible()  # the cut-off needs their room
    for one in (".wb-step", ".wb-ask", "svg.curve", SLIDER, CUTOFF):
        assert page.locator(one).bounding_box()["y"] >= 0, one
        assert foot(page, one) <= PROJECTOR[1], one
    drawn = page.locator("svg.curve").evaluate(
        "(svg) => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width"
    )
    assert drawn == pytest.approx(1.4, abs=0.01)  # its type grows with the page's
    page.locator(".st-key-strip button", has_text="under a tenth").click()
    page.wait_for_selector(".wb-reveal")
    rest(page)
    assert foot(page, CUTOFF) <= PROJECTOR[1]
    page.locator(".w.chosen").first.click()
    assert foot(page, ".why .said") <= PROJECTOR[1]
    width = page.locator(".why .said").bounding_box()["width"]
    assert width > PROJECTOR[0] / 2  # the curve gives way to it


def test_a_presenters_keys_lead_through_a_lesson_in_a_lecture(go):
    page = go("&lesson=transfer&step=6&lecture=on", PROJECTOR)
    page.keyboard.press("PageUp")
    wait_for_link(page, step="5")
    assert page.locator("svg.curve").is_visible()  # the slider waits for the answer, without a ring
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".wb-reveal")
    rest(page)
    title = page.locator("svg.curve .title")
    assert "-docs" in title.text_content()  # the curve of another domain, of this step alone
    main = page.locator(part("Main"))
    main.evaluate("(main) => { main.scrollTop = 1000; }")
    assert main.evaluate("(main) => main.scrollTop") > 0
    page.keyboard.press("PageDown")
    wait_for_link(page, step="6", lecture="on")
    assert main.evaluate("(main) => main.scrollTop") == 0  # where the strip is
    assert "dev text" in title.text_content()
    page.evaluate("focused().blur()")
    page.keyboard.press(" ")
    page.wait_for_selector(".wb-reveal")
    rest(page)
    then, now = (page.locator(f"svg.curve line.{kind}").bounding_box()["x"]
                 for kind in ("ghost", "marker"))  # fmt: skip
    assert now < then  # where the slider stood when it was asked
    page.keyboard.press("PageDown")
    wait_for_link(page, step="7")
    page.wait_for_selector(".wb-reveal", state="detached")
    page.keyboard.press("PageDown")
    page.wait_for_selector(".wb-reveal")
    rest(page)
    assert page.locator("svg.curve .line").count() == 2  # counts come in the curve's place
    assert page.locator("svg.curve .name").all_text_contents() == ["fixed", "broken"]


def test_escape_leaves_the_lecture_first_and_a_lesson_ends_without_a_trace(go):
    page = go("&lesson=transfer&step=1&lecture=on", PROJECTOR)
    page.locator(".w.chosen").first.click()
    page.wait_for_selector(".why .said")
    page.keyboard.press("Escape")
    wait_for_link(page, lecture=None)
    page.go_back()  # to the stage
    wait_for_link(page, lecture="on")
    page.go_forward()
    wait_for_link(page, lecture=None)
    page.keyboard.press("Escape")
    page.wait_for_selector(".why", state="detached")
    press(page, SLIDER, "Home")
    rest(page)  # else the first chosen word is another by the time of the click
    page.locator(".w.chosen").first.click()
    page.locator(".pane").evaluate("(pane) => { pane.scrollTop = 100; }")
    rest(page)
    assert page.inner_text(".flipped")
    page.get_by_role("button", name="End lesson").click()
    wait_for_link(page, lesson=None)
    assert (page.inner_text(".flipped"), page.locator(".w.current").count()) == ("", 0)
    assert page.locator(".pane").evaluate("(pane) => pane.scrollTop") == 0


def test_on_the_stage_a_step_about_the_map_shows_curve_map_and_text(go):
    page = go("&lesson=cutoff&step=5&lecture=on", PROJECTOR)
    page.wait_for_selector(".grid-map .cell", state="attached")
    assert not page.locator(".grid-map").is_visible()  # it has the answer
    page.keyboard.press("n")
    page.wait_for_selector(".grid-map .cell")
    assert not page.locator(".cards").is_visible()  # the map needs their room
    for one in ("svg.curve", ".value", ".grid-map", "figcaption", ".pane"):
        assert foot(page, one) <= PROJECTOR[1]
    assert page.locator("svg.curve").bounding_box()["height"] > 150  # of all rows of the map
    assert foot(page, ".pane") <= page.locator(".grid-map").bounding_box()["y"]


def test_after_its_question_a_lesson_shows_how_often_each_value_was_chosen(go):
    page = go("&lesson=choice&step=2", PROJECTOR)
    assert page.locator("svg.curve .line.dev").is_visible()
    page.keyboard.press("n")
    page.wait_for_selector("svg.curve .times", state="attached")
    assert page.locator("svg.curve .times").count() == len(SIGMA2_GRID)
    assert page.locator("svg.curve .line").count() == 0
    assert "how often each σ² was chosen, of 400 times" in page.text_content("svg.curve")


def test_on_a_low_screen_a_lesson_leaves_its_sliders_in_sight(go):
    for step in ("tags&step=2", "leash&step=3", "leash&step=6"):
        page = go(f"&lesson={step}", PROJECTOR)
        assert foot(page, SLIDER) <= PROJECTOR[1]
        assert not page.locator(".st-key-facts").inner_text()


# --- the user's own text ------------------------------------------------------------------


def upload(page, file, until):
    if not page.locator(".st-key-own-texts").count():
        page.get_by_role("button", name="Your own text").click()
        rest(page)  # a file that comes while the panel is made may be lost
    page.locator(".st-key-own-texts input[type=file]").nth(1).set_input_files(file)
    page.wait_for_selector(until)
    rest(page)


def file_of(name, content):
    return {"name": name, "mimeType": "text/plain", "buffer": content}


@pytest.fixture
def new_page(context, open_page):
    """A page of a visitor who brought no text so far."""
    context.clear_cookies()
    return open_page()


def test_a_good_file_becomes_the_domain_a_bad_one_leaves_it_a_hostile_one_is_text(
    new_page, tmp_path
):
    page, holmes = new_page, "h1 >> text=holmes.txt"
    lines = b"Doctor Watson met Holmes in New York on Monday .\n" * 40
    upload(page, file_of("holmes.txt", lines), holmes)
    assert {"Watson", "watson"} & set(" ".join(shown_text(page)).replace("[", " ").split())
    assert not any("PrimeTime" in sentence for sentence in shown_text(page))
    upload(page, file_of("nothing.txt", b"\0\1\2"), f"{part('Alert')} >> text=binary file")
    long = tmp_path / "long.txt"
    long.write_bytes(b"Words and words .\n" * 1_200_000)
    upload(page, long, "text=be 20.0MB or smaller")
    assert page.get_by_text("File must be 20.0MB or smaller").bounding_box()["width"] > 100
    assert page.locator(holmes).count() == 1
    page.get_by_role("button", name="Remove", exact=True).click()
    page.wait_for_selector("h1 >> text=tiny-broadcast")
    rest(page)
    assert any("PrimeTime" in sentence for sentence in shown_text(page))
    evil = f"{EVIL} <b>Bold</b> met ![x](http://example.org/y.png)"
    line = f"Mister {escape(evil)} in Paris {{}} ."
    content = "\n".join([line, "New York is in Ohio ."] * 40).encode()
    upload(page, file_of("<b>evil.txt", content), "h1 >> text=evil.txt")
    assert "holmes" not in page.inner_text(".st-key-own-texts")  # what was removed stays away
    page.locator(".chip.all").click()
    wait_for_link(page, show="all")
    text = " ".join(shown_text(page)).lower()
    assert "<b>bold</b>" in text
    page.locator(".w.chosen").first.click()
    page.wait_for_selector(".why .said")
    rest(page)
    made = "[...document.images, ...scrub().querySelectorAll('img, .text b')].length"
    assert page.evaluate(made) == 0
    assert page.title() == "Capitalization workbench"
    assert page.locator(part("Exception")).count() == 0


# --- two visitors -------------------------------------------------------------------------


def test_a_visitor_who_trains_keeps_no_other_waiting(go, context, server):
    page = go()
    query = {
        "background": "scientific-docs",
        "domain": "streamlit-docs",
        "templates": "ca04 +shape",
    }
    busy = context.new_page()
    busy.goto(f"{server}?{urlencode(query)}")
    busy.wait_for_selector(".wb-busy", timeout=60_000)
    before = adapted_error(page)
    press(page, SLIDER, "Home")
    wait_for_link(page, sigma2="0.01")
    page.locator(".w.chosen").first.click()
    page.wait_for_selector(".why .said")
    assert adapted_error(page) != before
    assert busy.locator(".wb-busy").count() == 1
    assert busy.locator(".scrub .card").count() == 0
    busy.close()


def check_what_the_terminal_says(text, address):
    """Check that the terminal says where the page is, and nothing of files."""
    lines = [line.strip() for line in text.splitlines()]
    said = [line for line in lines if line and not line.startswith("20")]  # the others: debugging
    url = f"URL: {address.rstrip('/')}"
    assert said == ["You can now view your Streamlit app in your browser.", url, "Stopping..."]
    assert not any("Registering watch folder" in line for line in lines)


def check_what_is_seen_before_streamlit_is_there(page, address):
    """Check that the title and empty places are there first, and go when the page is drawn."""
    page.route("**/static/js/*", lambda route: route.abort())
    page.goto(address)
    assert page.get_by_text("Capitalization workbench").is_visible()
    assert page.locator("#first-paint i").count() == 5
    page.unroute_all()
    page.emulate_media(color_scheme="dark")
    for more, there in (("", ADAPTED), ("&view=Compare", ".st-key-methods")):
        page.goto(address + more)
        page.wait_for_selector(there)
        page.wait_for_selector("#first-paint", state="detached")
        assert brightness(page) < 50


def test_the_first_move_after_a_restart_holds_and_a_page_is_seen_before_it_is_there(
    context, places, tmp_path
):
    log, page = tmp_path / "server.log", context.new_page()
    connected = '[data-test-connection-state="CONNECTED"]'
    with serve(WITHOUT_IDLE, places, log, "--logger.level", "debug") as address:
        page.goto(f"{address}?{urlencode(QUERY | {'sigma2': '15'})}")
        page.wait_for_selector(ADAPTED, timeout=60_000)
        rest(page)
    check_what_the_terminal_says(log.read_text("utf-8", "replace"), address)
    page.wait_for_selector(connected, state="detached")
    said = "(app) => getComputedStyle(app, '::after').content"
    assert "No connection to the server" in page.locator(part("App")).evaluate(said)
    with serve(ROOT / "app.py", places, log, port=urlsplit(address).port):
        page.wait_for_selector(connected)
        assert page.locator(part("App")).evaluate(said) == "none"
        page.evaluate("""(slider) => {
          const at = scrub().querySelector(slider);
          new MutationObserver(() => (window.told ??= []).push(at.getAttribute("aria-valuetext")))
            .observe(at, { attributeFilter: ["aria-valuetext"] });
        }""", SLIDER)  # fmt: skip
        press(page, SLIDER, "ArrowLeft")
        wait_for_link(page, sigma2="10")
        assert set(page.evaluate("told")) == {"10"}
        check_what_is_seen_before_streamlit_is_there(page, page.url)
        page.close()
    assert "Traceback" not in log.read_text("utf-8", "replace")


def test_what_an_earlier_step_showed_goes_though_idle_time_has_no_end(open_page):
    page = open_page("&lesson=tags&step=3&endless=", wait=False)
    page.wait_for_selector(".wb-idle", timeout=120_000, state="attached")
    page.get_by_role("button", name="Show answer").click()
    page.wait_for_selector(".st-key-strip .wb-reveal")
    page.locator(".st-key-lesson-next button", has_text="Next").click()
    page.wait_for_selector(".wb-lesson-title >> text=step 4 of")
    page.locator(".wb-reveal").wait_for(state="detached")
    assert page.locator(".st-key-strip .wb-ask").count() == 0
    assert "endless=" in page.url  # so it is still drawn again and again


# --- history and the first minute ---------------------------------------------------------


def choose(page, slot, name):
    page.get_by_role("combobox", name=slot).click()
    page.get_by_role("option").filter(has_text=name).click()


def test_back_goes_from_place_to_place_and_not_along_the_slider(go):
    page = go()
    page.get_by_role("radio", name="Compare").click()
    wait_for_link(page, view="Compare")
    page.go_back()
    wait_for_link(page, view=None)
    page.wait_for_selector(ADAPTED)
    rest(page)
    before = page.evaluate("history.length") - 1  # Compare, ahead, gives way
    for key, sigma2 in (("End", "100"), ("Home", "0.01")):
        press(page, SLIDER, key)
        wait_for_link(page, sigma2=sigma2)
        assert page.evaluate("history.length") == before + 1  # all moves are one
    press(page, CUTOFF, "End")
    wait_for_link(page, cutoff="none")
    assert page.evaluate("history.length") == before + 2  # of another slider, another
    page.go_back()
    wait_for_link(page, cutoff=None, sigma2="0.01")
    rest(page)
    page.get_by_role("button", name="Let go").click()
    wait_for_link(page, sigma2="100")
    page.go_back()  # from what a button did
    wait_for_link(page, sigma2="0.01")
    rest(page)
    page.evaluate("""() => new MutationObserver(() => {
      const shown = document.querySelector(".st-key-scrubber-place");
      if (document.querySelector(".wb-pending")) window.paled = getComputedStyle(shown).opacity;
    }).observe(document.body, { subtree: true, childList: true })""")
    choose(page, "Domain", "altair-docs")
    page.wait_for_selector("h1 >> text=altair-docs")  # its curve is nobody's question
    page.wait_for_selector(".wb-pending", state="detached")
    assert page.evaluate("paled") == "0.35"  # what was shown of the other domain
    assert parameter(page, "domain") == "altair-docs"
    assert parameter(page, "sigma2") == "0.01"
    page.go_back()
    wait_for_link(page, domain="tiny-broadcast", sigma2="0.01")
    assert "tiny-broadcast" in page.inner_text("h1")
    page.go_back()
    wait_for_link(page, domain="tiny-broadcast", sigma2=None)
    page.wait_for_selector(f"{SLIDER}[aria-valuetext='1']")


def test_back_closes_a_word_and_a_section_and_a_wrong_link_is_no_place(open_page):
    page = open_page("&section=nowhere")
    wait_for_link(page, section=None)
    before = page.evaluate("history.length")
    page.get_by_role("radio", name="weights").click()
    wait_for_link(page, section="weights")
    rest(page)
    page.locator(".w.fixed, .w.broken").first.click()
    page.wait_for_selector(".why .said")
    page.keyboard.press("]")
    page.wait_for_selector(".why .said")
    rest(page)
    page.go_back()
    wait_for_link(page, word=None, section="weights")
    page.locator(".why").wait_for(state="hidden")
    page.go_back()
    wait_for_link(page, section=None)
    assert page.evaluate("history.length") == before + 2  # weights, and a word
    page.go_back()
    if page.url != "about:blank":  # a link put right before the page is whole is one place more
        wait_for_link(page, section=None)
        page.go_back()
    page.wait_for_url("about:blank")


def test_a_step_of_a_lesson_that_sets_much_is_one_place(go):
    page = go("&lesson=tags&step=4")
    before = page.evaluate("history.length")
    page.locator(".st-key-lesson-back button").click()
    wait_for_link(page, step="3", show="fixed")
    page.locator(".st-key-lesson-next button").click()  # which shows the answer
    wait_for_link(page, step="3", show="all", sigma2="0.01")
    page.locator(".st-key-lesson-next button").click()
    wait_for_link(page, step="4", word=None, sigma2=None)  # the word of the third has gone
    page.locator(".st-key-lesson-next button").click()
    wait_for_link(page, lesson="leash", step=None)
    assert page.evaluate("history.length") == before + 4
    page.go_back()
    wait_for_link(page, lesson="tags", step="4", word=None)
    assert page.locator(".st-key-lesson-back button").is_enabled()


def test_back_takes_back_one_text_of_ones_own_after_the_other(new_page):
    page = new_page
    page.get_by_role("button", name="Your own text").click()
    rest(page)  # a file that comes while the panel is made may be lost
    lines = b"Doctor Watson met Holmes in New York on Monday .\n" * 40
    for slot, place in (("background", 0), ("domain", 1)):  # as by dropping a file: without a click
        file = {"name": f"{slot}.txt", "mimeType": "text/plain", "buffer": lines}
        page.locator(".st-key-own-texts input[type=file]").nth(place).set_input_files(file)
        wait_for_link(page, **{slot: f"{slot}.txt (yours)"})
        rest(page)
    page.go_back()
    wait_for_link(page, background="background.txt (yours)", domain="tiny-broadcast")


def test_a_slice_chosen_below_brings_its_words_into_sight(go):
    page = go(size=(1024, 700))
    page.get_by_role("radio", name="slices").click()
    rest(page)
    is_there = "document.querySelector('.st-key-scrubber').getBoundingClientRect().top > -9"
    assert not page.evaluate(is_there)
    page.get_by_role("textbox", name="Only words like").fill("a*")
    page.keyboard.press("Enter")
    wait_for_link(page, slice="words like: a*")
    page.wait_for_function(is_there)


def test_where_there_is_room_the_words_stand_beside_a_section(go):
    page = go(size=PROJECTOR)
    page.get_by_role("radio", name="slices").click()
    rest(page)
    below = "document.querySelector('.st-key-section').getBoundingClientRect().top"
    before = page.evaluate(below)
    section, words = (
        page.locator(one).first.bounding_box() for one in (part("DataFrame"), ".right")
    )
    assert 0 <= section["x"] < section["x"] + section["width"] < words["x"]
    assert words["x"] + words["width"] < PROJECTOR[0]
    assert 0 <= words["y"] < words["y"] + words["height"] < page.locator(SLIDER).bounding_box()["y"]
    page.get_by_role("textbox", name="Only words like").fill("*")
    page.keyboard.press("Enter")
    wait_for_link(page, slice="words like: *")
    rest(page)
    page.locator(".w.chosen").first.click()
    page.wait_for_selector(".why .said")
    assert page.evaluate(below) == pytest.approx(before, abs=1)  # nothing was scrolled to
    page.locator(".st-key-top").scroll_into_view_if_needed()
    page.wait_for_function("!scrub().querySelector('.passed')")
    assert page.locator(".right").bounding_box()["y"] > 0
    page.get_by_role("radio", name="slices").click()
    page.wait_for_function("scrub().querySelector('.passed')")
    page.locator(part("Main")).evaluate("(main) => { main.scrollTop -= 12; }")
    rest(page)
    # Where a hair of the figure is left in sight, too, as rounding may leave it.
    assert page.locator(".main").evaluate("(main) => main.getBoundingClientRect().bottom") > 0
    assert page.locator(".passed").count()


def test_a_click_on_a_row_shows_its_words_and_one_on_a_number_these(go):
    page = go()
    first, second = ({"slice": f"reference tag: {tag}"} for tag in ("LOC", "CAP"))
    for x, y, query in ((0.05, 1.5, first), (0.93, 2.5, second | {"show": "broken"})):
        table = page.locator(part("DataFrame")).first
        table.scroll_into_view_if_needed()
        rest(page)
        box = table.bounding_box()
        page.mouse.click(box["x"] + x * box["width"], box["y"] + 35 * y)
        wait_for_link(page, **query)


def test_what_is_wrong_in_a_link_is_told_as_text_and_the_nearer_variance_is_shown(open_page):
    evil = dict.fromkeys(("word", "pair", "slice"), EVIL)
    page = open_page("&" + urlencode(evil | {"sigma2": "7", "lesson": "latin"}))
    assert page.evaluate("document.images.length") == 0
    assert page.title() == "Capitalization workbench"
    assert page.locator(SLIDER).get_attribute("aria-valuetext") == "6.8"
    said = "".join(page.locator(ALERTS).all_inner_texts())
    assert "6.8 is used instead" in said
    assert "lesson=latin" in said.replace("\u200b", "")
    assert EVIL[:10] in said.replace("\u200b", "")
    assert parameter(page, "sigma2") == "6.8"
    press(page, SLIDER, "ArrowRight")
    wait_for_link(page, sigma2="10")


def test_what_a_link_means_stands_in_the_address_and_lives_through_a_reload(open_page):
    page = open_page("&view=compare&utm=a&utm=b&section=nowhere", wait=False)
    for is_again in (False, True):
        if is_again:
            page.reload()
        page.wait_for_selector(".st-key-methods")
        wait_for_link(page, view="Compare", section=None)
        assert page.url.count("utm=") == 2


def test_a_lesson_draws_one_weight_between_text_and_prior(go):
    page = go("&lesson=leash&step=2&lecture=on", PROJECTOR)
    assert not page.locator(".cards").is_visible()  # the equation needs their room
    assert page.locator("svg.curve.pulled").bounding_box()["height"] > 200
    assert page.locator("svg.curve .tick", has_text="λ⁰").count() == 1
    at, near = [], []
    for key in ("Home", "End"):
        press(page, SLIDER, key)
        rest(page)
        ring = page.locator("svg.curve .ring").bounding_box()
        at.append(ring["x"])
        near.append(page.evaluate("scrub().querySelector('.example b').textContent"))
    assert at[0] + 50 < at[1]  # the longer the leash, the further from the background's
    assert near[0].lower() == near[1].replace("\u00a0✓", "").lower()  # the word flips in its place
    assert near[0] != near[1]
    assert near[1].count("✓") == 1
    for key, step in (("n", "3"), ("b", "2"), ("b", None)):  # with the slider in focus
        press(page, SLIDER, key)
        wait_for_link(page, step=step)
    assert page.locator("svg.curve.pulled").count() == 0


def test_a_section_scrolls_to_itself_and_a_link_to_it_does(open_page):
    page = open_page("&section=weights", viewport={"width": 1024, "height": 600})
    is_there = "document.querySelector('.st-key-section').getBoundingClientRect().top < 300"
    page.wait_for_function(is_there)
    page.wait_for_function("scrub().querySelector('.passed')")  # the slider goes along
    page.locator(".st-key-top").scroll_into_view_if_needed()
    assert not page.evaluate(is_there)
    page.get_by_role("radio", name="slices").click()
    wait_for_link(page, section=None)
    page.wait_for_function(is_there)
    page.locator(".st-key-top").scroll_into_view_if_needed()
    page.get_by_role("radio", name="weights").click()
    wait_for_link(page, section="weights")
    page.wait_for_function(is_there)
    page.locator(".st-key-top").scroll_into_view_if_needed()
    assert not page.evaluate(is_there)
    page.get_by_role("radio", name="weights").click()  # which is shown already
    page.wait_for_function(is_there)
    # The slider goes along, at the lower edge, and what the section shows follows it.
    rest(page)
    before = page.locator(".st-key-section").bounding_box()["y"]
    box = page.locator(SLIDER).bounding_box()
    assert 540 < box["y"] < box["y"] + box["height"] < 600
    press(page, SLIDER, "End")
    wait_for_link(page, sigma2="100")
    assert page.locator(".st-key-section").bounding_box()["y"] == pytest.approx(before, abs=1)
    assert page.locator(".afloat").get_attribute("data-says").startswith("σ² = 100: ")
    assert " flipped" in page.locator(".afloat").get_attribute("data-flips")
    page.locator(".st-key-top").scroll_into_view_if_needed()
    page.wait_for_function("!scrub().querySelector('.passed')")
