"""The scrubber in a real browser: errors, words, marker and link follow keys and pointer."""

import re
import time

import pytest
from browser_pages import (
    ALERTS,
    CUTOFF,
    SLIDER,
    START,
    parameter,
    part,
    press,
    rest,
    set_back,
    shown,
    wait_for_link,
)

from workbench.settings import CUTOFFS, SIGMA2_GRID

FRAME = 1000 / 60  # milliseconds
MOVED = 20  # frames of a trial, at least, in which something moved


@pytest.fixture
def page(kept_page, address):
    """The one page of these tests, set back after each."""
    yield kept_page
    set_back(kept_page, address)


def test_arrow_keys_move_errors_words_marker_and_link(page):
    before = shown(page)
    press(page, SLIDER, *["ArrowLeft"] * 12)
    wait_for_link(page, sigma2="0.01")
    after = shown(page)
    assert all(old != new for old, new in zip(before, after, strict=True))
    assert after[3] == "0.01"


@pytest.mark.parametrize("on", ["slider", "curve"])
def test_all_moves_while_the_pointer_is_down_and_the_link_after(page, on):
    box = page.locator({"slider": SLIDER, "curve": "svg.curve"}[on]).bounding_box()
    before, middle = shown(page), box["y"] + box["height"] / 2
    begin = {"slider": box["width"] / 2, "curve": 0.55 * box["width"]}[on]
    page.mouse.move(box["x"] + begin, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.99 * box["width"], middle, steps=8)
    page.wait_for_function(f"scrub().querySelector('{SLIDER}').ariaValueText === '100'")
    during = shown(page)
    assert all(old != new for old, new in zip(before, during, strict=True))
    page.mouse.up()
    wait_for_link(page, sigma2="100")
    after = shown(page)
    assert [after[k] for k in (0, 2, 3)] == [during[k] for k in (0, 2, 3)]


def open_envelope(page):
    page.get_by_role("button", name="Open the envelope").click()
    page.wait_for_selector("text=held back (test)")
    rest(page)


def test_a_click_on_the_curve_moves_the_slider_also_twice(page):
    box = page.locator("svg.curve").bounding_box()
    spot = box["x"] + 0.9 * box["width"], box["y"] + 0.6 * box["height"]
    page.mouse.click(*spot)
    page.wait_for_url("**sigma2=*")
    rest(page)
    picked = page.url
    page.locator(SLIDER).fill(START)
    wait_for_link(page, sigma2=None)
    page.mouse.click(*spot)
    page.wait_for_url(picked)


def test_a_deep_link_shows_what_it_says_and_survives_a_reload(page, go):
    go("&sigma2=3.2&cutoff=none&part=test&show=all&pin=0.1, 0&section=slices")
    open_envelope(page)
    before = shown(page)
    page.reload()
    page.wait_for_selector(".scrub .card")
    assert "test text" not in page.inner_text(".cards")
    open_envelope(page)
    told = page.locator(".card h2 small").all_inner_texts()
    assert [text.strip() for text in told] == ["test text"] * 3
    assert page.locator(SLIDER).get_attribute("aria-valuetext") == "3.2"
    assert page.locator(".cut .value").inner_text() == "none: no new feature"
    assert page.locator(".chip.all").get_attribute("aria-pressed") == "true"
    assert "pinned σ² 0.1, cut-off 0:" in page.inner_text(".says .pinned")
    assert "held back (test)" in page.inner_text(".st-key-facts")
    assert page.locator(part("DataFrame")).count() == 1
    assert shown(page) == before
    # Nothing is chosen on the test text.
    assert page.locator(SLIDER).is_disabled()
    assert page.locator(CUTOFF).is_disabled()
    page.locator("svg.curve").click()
    page.locator(".grid-map .cell").first.click()
    rest(page)
    assert page.locator(SLIDER).get_attribute("aria-valuetext") == "3.2"
    page.get_by_role("button", name="Back to dev").click()
    page.wait_for_selector("text=held back (dev)")
    rest(page)
    press(page, SLIDER, "Home")
    wait_for_link(page, sigma2="0.01")


def test_another_cut_off_shows_at_once_and_idle_time_fills_the_small_map(open_whole_page):
    page = open_whole_page(wait=False)
    page.wait_for_function("globalThis.workbenchShelf?.ahead", timeout=180_000)
    ahead = "workbenchShelf.ahead.payloads.get('8')"
    assert page.evaluate(f"{ahead}.points.filter(Boolean).length") == 1, "the others come later"
    error = page.evaluate(f"{ahead.replace('8', 'none')}.points.find(Boolean).headline")
    page.locator(CUTOFF).press("End")
    page.wait_for_function("scrub().querySelector('.place').matches('[data-unheard]')")
    assert page.inner_text(".cut .value") == "none: no new feature"
    page.wait_for_function(  # in the next frame
        "(error) => scrub().querySelector('.card.adapted .error').textContent.startsWith(error)",
        arg=f"{100 * error:.2f}",
    )
    rest(page)
    press(page, CUTOFF, "Home")
    wait_for_link(page, cutoff=None)
    check_map(page)


# Drags the slider along, and reads what is said of each place in the frame after the move.
VERDICTS = """async () => {
  const slider = scrub().querySelector(".sigma2 input"), said = [];
  for (let i = 0; i <= Number(slider.max); i += 1) {
    slider.value = i;
    slider.dispatchEvent(new Event("input"));
    for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
    said.push(scrub().querySelector(".example").textContent);
  }
  return said;
}"""


def check_map(page):
    """Each point of the small map is fitted, curve and map agree, a click moves both sliders."""
    assert page.locator(".grid-map .cell").count() == len(SIGMA2_GRID) * len(CUTOFFS)
    says = page.get_attribute(".grid-map svg", "aria-label")
    assert says.startswith("175 of 175 points fitted. Fewest errors on dev: ")
    assert page.locator(".grid-map .cell[data-says*=', ★']").count() == 1
    assert page.locator(".grid-map .cell[data-says*='as low as ★']").count() > 0
    bars = page.locator("svg.curve line.good").evaluate_all(
        "(all) => all.map((each) => [1, 2].map((k) => Number(each.getAttribute(`x${k}`))))"
    )
    points = page.locator("svg.curve circle.dot.dev").evaluate_all(
        "(all) => all.map((each) => Number(each.getAttribute('cx')))"
    )
    assert "no clear difference from ★" in page.text_content("svg.curve")
    alike, others = r"★|\d+ above ★ \(p: .+\)", r"clearly worse than ★|\d+ above ★ \(p: .+\)"
    for x, verdict in zip(points[:-1], page.evaluate(VERDICTS), strict=True):  # the lowest is last
        is_over = any(first < x < last for first, last in bars)
        assert re.fullmatch(alike if is_over else others, verdict), x
    assert all(any(first < x < last for x in points) for first, last in bars)
    cell = page.locator(".grid-map .cell[data-cutoff='8'][data-i='16']")
    cell.hover()
    page.locator(
        ".grid-map figcaption",
        has_text=re.compile(r"σ² 4\.6, cut-off 8: .+ wrong, \d\.\d\d\spoints from\s★ \(p:\s.+\)"),
    ).wait_for()
    cell.click()
    wait_for_link(page, sigma2="4.6", cutoff="8")
    assert page.locator(SLIDER).get_attribute("aria-valuetext") == "4.6"
    rest(page)
    page.evaluate("""() => {
      const cards = scrub().querySelector(".cards"), place = scrub().querySelector(".place");
      const note = () => { window.wasUnheard = place.hasAttribute("data-unheard"); };
      const all = { subtree: true, childList: true, characterData: true };
      new MutationObserver(note).observe(cards, all);
    }""")
    page.locator(CUTOFF).press("Home")
    wait_for_link(page, cutoff=None)
    assert page.evaluate("wasUnheard"), "another cut-off is shown before the server has heard of it"
    assert page.get_by_role("button", name="Best at this cut-off").count() == 0, "★ is the one best"
    page.get_by_role("button", name="☆ simplest").click()
    rest(page)
    at_edge = page.locator(".afloat").get_attribute("data-flips")
    assert at_edge == page.text_content(".flipped") != ""
    simplest = page.get_attribute(".grid-map svg", "aria-label").rpartition(": ")[2].rstrip(".")
    value, cutoff = (page.inner_text(f"{row} .value").split(":")[0] for row in (".label", ".cut"))
    assert simplest == f"σ² = {value}, cut-off {cutoff}"


def test_no_move_is_undone_by_a_run_that_began_before_it(page):
    """Whatever the pace, each step of the slider and from word to word is one step on."""
    page.evaluate("""() => {
      const slider = scrub().querySelector("[aria-label='Prior variance σ²']");
      window.places = [];
      const note = () => {
        if (window.places === null) return;
        if (places.at(-1) !== Number(slider.value)) places.push(Number(slider.value));
        requestAnimationFrame(note);
      };
      note();
    }""")
    page.locator(SLIDER).focus()
    for key, n in (("ArrowRight", 2), ("]", 2)):
        for pause in (90, 240, 400):
            for _ in range(n):
                page.keyboard.press(key)
                page.wait_for_timeout(pause)
    rest(page)
    places = page.evaluate("places")  # of each frame: a busy machine may leave one out
    assert places == sorted(places)
    assert (places[0], places[-1]) == (int(START), int(START) + 6)
    page.evaluate("window.places = null")
    assert page.inner_text(".counter").startswith("6 of")


def test_a_frame_that_comes_after_its_commit_changes_nothing(page):
    page.evaluate("""() => {
      window.soon = requestAnimationFrame;
      window.requestAnimationFrame = (act) => setTimeout(() => soon(act), 150);
    }""")
    page.get_by_role("button", name="Let go").click()
    wait_for_link(page, sigma2="100")
    page.wait_for_timeout(200)
    assert page.locator(SLIDER).get_attribute("aria-valuetext") == "100"
    assert "NaN" not in page.locator(".curve .marker").get_attribute("transform")
    page.evaluate("() => { window.requestAnimationFrame = soon; }")


# --- large data ---------------------------------------------------------------------------

_FRAMES = """() => {
  window.frames_ = [];
  performance.clearMeasures();
  let last;
  const tick = (now) => {
    if (last !== undefined) frames_.push(now - last);
    last = now;
    window.ticking = requestAnimationFrame(tick);
  };
  window.ticking = requestAnimationFrame(tick);
}"""
_COUNTED = """() => {
  cancelAnimationFrame(ticking);
  return [frames_, performance.getEntriesByName("scrub").map((entry) => entry.duration)];
}"""


def p95(values):
    return sorted(values)[int(0.95 * (len(values) - 1))]


def frames_of(page, act):
    """Milliseconds between frames while something is done, and of our work in each that moved."""
    page.evaluate(_FRAMES)
    act()
    return page.evaluate(_COUNTED)


def drag(page, seconds):
    """Drag the thumb to and fro."""
    box = page.locator(SLIDER).bounding_box()
    y, end, right = box["y"] + box["height"] / 2, time.monotonic() + seconds, True
    page.mouse.move(box["x"] + box["width"] / 2, y)
    page.mouse.down()
    while time.monotonic() < end:
        page.mouse.move(box["x"] + (0.98 if right else 0.02) * box["width"], y, steps=40)
        right = not right
    page.mouse.up()


def hold_keys(page, seconds):
    """Repeat arrow keys as a keyboard does, to and fro."""
    page.locator(SLIDER).focus()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for key in ["ArrowRight"] * 10 + ["ArrowLeft"] * 12:
            page.keyboard.down(key)
            page.wait_for_timeout(33)


@pytest.mark.alone
def test_frames_keep_pace_with_pointer_and_keys_on_large_data(open_large_page):
    page = open_large_page()
    idle, _ = frames_of(page, lambda: page.wait_for_timeout(1000))
    bound = 2 * max(p95(idle), FRAME)
    for scrub in (drag, hold_keys):
        frames, own = smoothest(page, scrub, bound)
        assert len(own) > MOVED, scrub
        assert p95(own) < FRAME, scrub
        assert p95(frames) <= bound, scrub


def smoothest(page, scrub, bound):
    """Frames and work of the first trial that moved within a bound, else of the best of three.

    Others may have had the machine to share.
    """
    trials = []
    while len(trials) < 3:
        trials.append(frames_of(page, lambda: scrub(page, 3)))
        rest(page)
        if standing(trials[-1]) <= (False, bound):
            break
    return min(trials, key=standing)


def standing(trial):
    """What orders trials, the best first: whether too little moved, then how smoothly."""
    frames, own = trial
    return len(own) <= MOVED, p95(frames)


@pytest.mark.alone
def test_a_held_key_on_large_data_leaves_no_stale_figure(open_large_page):
    page = open_large_page()
    hold_keys(page, 3)
    press(page, SLIDER, "End", "ArrowLeft")
    wait_for_link(page, sigma2="68")
    held = shown(page)
    assert page.locator(ALERTS).count() == 0
    assert held == shown(open_large_page("&sigma2=68"))
    press(page, SLIDER, "End")
    wait_for_link(page, sigma2="100")  # the connection is alive
    assert parameter(page, "sigma2") == "100"
