"""Words in a real browser: steps, filters, why, a sentence dropped, a state pinned."""

import re
from pathlib import Path

import pytest
from browser_pages import (
    CUTOFF,
    SIZE,
    SLIDER,
    START,
    adapted_error,
    parameter,
    part,
    press,
    rest,
    set_back,
    shown,
    shown_text,
    wait_for_link,
)
from chromium import percent

from workbench.text.readers import read_corpus

ANSWER = ".why .said"


@pytest.fixture
def page(kept_page, address):
    """The one page of these tests, set back after each."""
    yield kept_page
    set_back(kept_page, address)


@pytest.fixture(scope="module")
def dev_forms(places):
    """The words of the text that is shown."""
    dev = read_corpus(Path(places["WORKBENCH_DATA"]) / "tiny-broadcast", "dev")
    return [dev.form_at(position) for position in range(len(dev))]


def step(page, key):
    """Press a key for the next or the former word, and wait for the answer."""
    page.keyboard.press(key)
    page.wait_for_selector(ANSWER)
    rest(page)


def counter(page):
    return page.locator(".counter").inner_text()


def ask(page, nth=0):
    """Click on one of the words that changed; returns its place in the link."""
    page.locator(".w.chosen").nth(nth).click()
    page.wait_for_selector(ANSWER)
    rest(page)
    return parameter(page, "word")


def test_brackets_step_through_the_words_and_say_where_one_is(page):
    n = page.locator(".w.chosen").count()
    assert counter(page) == f"{n} words"
    step(page, "]")
    first = parameter(page, "word")
    step(page, "]")
    assert counter(page) == f"2 of {n}"
    assert parameter(page, "word") != first
    step(page, "[")
    assert counter(page) == f"1 of {n}"
    assert parameter(page, "word") == first
    step(page, "[")
    assert counter(page) == f"{n} of {n}"
    page.keyboard.press("Escape")
    wait_for_link(page, word=None)
    assert page.locator(".why").count() == 0
    assert counter(page) == f"{n} words"


def test_a_click_opens_a_sentence_bars_that_sum_a_curve_and_linked_sentences(page):
    ask(page)
    word = page.locator(".w.current .shown").inner_text()
    assert word in page.locator(ANSWER).inner_text()
    assert page.locator(".why .path polyline").count() >= 2
    assert page.locator(".why .because mark").count() >= 1
    rows = page.locator(".why .bars tbody tr:not(.sum)").all()
    total = page.locator(".why .bars tr.sum td.n").all_inner_texts()
    for column in range(3):
        parts = [nats(row.locator("td.n").all_inner_texts()[column]) for row in rows]
        assert sum(parts) == pytest.approx(nats(total[column]), abs=0.005 * (len(rows) + 1))
    check_sentences(page)


def nats(text):
    return float(text.replace("−", "-"))


def check_sentences(page):
    """Check that each sentence names its linking feature, marks its words, and that effects sum."""
    for more in page.locator(".why summary").all():
        more.click()
    features = page.locator(".why .bars tbody th").all_inner_texts()
    n_shared = 0
    for line in page.locator(".why .because li").all():
        said = line.locator(".link").inner_text()
        effect = nats(line.locator(".effect").inner_text().removesuffix(" nats"))
        parts = line.locator(".link").get_attribute("title")
        own, others = map(nats, re.findall(r"([−+]?[\d.]+)(?: nats)? through", parts))
        assert own + others == pytest.approx(effect, abs=0.016)
        assert own * effect > 0
        is_less = others * effect > own * effect  # than all others
        assert abs(own - others) < 0.02 or said.endswith(", among others") == is_less
        marked = line.locator("mark").all_inner_texts()
        assert bool(
            re.search(" (shares?|(has|have) the same|(is|are) the same word)\\b", said)
        ) == (bool(marked))
        if marked:
            n_shared += 1
            assert said.partition(" nats ")[2].startswith(tuple(marked))
            feature = line.locator(".link i").inner_text()
            shared = {"the same word": "the word itself"}.get(feature, feature)
            assert any(own.removesuffix(" new").removeprefix("the ") == shared.removeprefix("the ")
                       for own in features)  # fmt: skip
    assert n_shared
    lists = page.locator(".why .because > div")
    for n, kind in enumerate(("pushed towards", "resisted")):
        heading = lists.nth(n).locator("h3").inner_text()
        effects = lists.nth(n).locator(".effect").all_inner_texts()
        total = sum(nats(effect.removesuffix(" nats")) for effect in effects)
        assert heading.startswith(f"Sentences that {kind}")
        said = heading.removesuffix("\u00a0nats").rpartition(": ")[2]
        assert nats(said) == pytest.approx(total, abs=0.005 * (len(effects) + 1))
    legend = page.locator(".why .legend .sample").all_inner_texts()
    tags = page.locator(".why .because h3").first.inner_text().split(",")[0].split()[-1]
    assert legend[:2] == ["background", f"adapted, to the right: for {tags}"]


# Moves the slider to a place, and reads the weights in the frame after that of the move.
MOVED = """async (place) => {
  const slider = scrub().querySelector(".sigma2 input");
  slider.value = place;
  slider.dispatchEvent(new Event("input"));
  for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
  const texts = (of) => [...scrub().querySelectorAll(of)].map((cell) => cell.textContent);
  return { rows: texts(".why .bars tbody tr:not(.sum) td:nth-child(3)"),
    total: texts(".why .bars tr.sum td:nth-child(3)")[0],
    at: scrub().querySelector(".why .path .marker").getAttribute("transform"),
    says: scrub().querySelector(".flow svg").getAttribute("aria-label"),
    pale: [".said", ".parts"].map((of) => getComputedStyle(scrub().querySelector(of)).opacity) };
}"""


def test_the_path_is_drawn_step_by_step_or_at_once_and_moves_before_the_server_answers(page):
    ask(page)
    page.get_by_role("button", name="Show the path").click()
    lines = page.locator(".flow .weight:not(.was)")
    told = [text.split(" → ") for text in page.locator(".flow .n").all_text_contents()]
    weights = [nats(after) for _, after in told]
    before, total = page.locator(".why .bars tr.sum td.n").all_inner_texts()[:2]
    assert sum(nats(own) for own, _ in told) == pytest.approx(
        nats(before), abs=0.005 * len(told) + 0.005
    )
    sums = [float(text) for text in page.locator(".flow text.at3").all_text_contents()[2:5:2]]
    for sign, told in zip((1, -1), sums, strict=True):
        own = [sign * weight for weight in weights if sign * weight > 0]
        assert sum(own) == pytest.approx(told, abs=0.005 * (len(own) + 1) + 0.01)
    assert f"{sums[0] - sums[1]:+.2f}".replace("-", "−") == total
    assert sum(weights) == pytest.approx(nats(total), abs=0.005 * (len(weights) + 1))
    assert lines.count() == len(weights) == page.locator(".flow .was").count() > 2
    says = page.locator(".flow svg").get_attribute("aria-label")
    assert says.endswith(f"the gap, {total}; before, {before}")
    running = "(made) => made.getAnimations({ subtree: true }).length"
    assert page.locator(".flow svg").evaluate(running) > len(weights)
    page.emulate_media(reduced_motion="reduce")
    assert page.locator(".flow svg").evaluate(running) == 0
    page.emulate_media(reduced_motion="no-preference")
    found = [page.evaluate(MOVED, place) for place in (3, 20)]
    for made in found:
        n = len(made["rows"])
        assert sum(map(nats, made["rows"])) == pytest.approx(
            nats(made["total"]), abs=0.005 * (n + 1)
        )
        assert f"the gap, {made['total']};" in made["says"]
        assert made["pale"] == ["0.45", "1"]  # what is said is of another σ², the weights are not
    assert all(found[0][name] != found[1][name] for name in ("total", "at"))
    page.evaluate(MOVED, START)
    page.get_by_role("button", name="Hide the path").click()
    assert lines.count() == 0


# By how much the room of each word is wider than what is written in it, in pixels.
SLACK = """(words) => words.filter((word) => word.offsetWidth).map((word) => {
  const text = document.createRange(), form = word.querySelector(".shown");
  text.selectNodeContents(form);
  const [room, own] = [word, text].map((made) => made.getBoundingClientRect().width);
  return [form.textContent, room - own];
})"""


def test_no_word_leaves_a_gap_behind_it(page):
    words = page.locator(".w.word").evaluate_all(SLACK)
    assert len(words) > 10
    assert [word for word, slack in words if len(word) > 1 and slack > 1] == []


def test_a_sentence_can_be_edited_below_and_asked_about_like_any_other(page):
    label = ask(page)
    panel = page.locator(".why").first
    words = panel.locator("xpath=ancestor::li/p").evaluate(
        "(p) => [...p.querySelectorAll('.w')]"
        ".map((word) => (word.querySelector('.shown') ?? word).textContent)"
    )
    page.get_by_role("button", name="Edit this sentence").click()
    field = page.get_by_role("textbox", name="Type or paste a text")
    field.wait_for()
    assert field.input_value().replace(" ", "") == "".join(words)
    wait_for_link(page, section="try a text", word=label)
    assert field.bounding_box()["y"] < SIZE["height"]  # it has come into sight
    page.locator(".why .close").click()
    wait_for_link(page, word=None)
    field.fill("ibm said so .")
    field.press("Control+Enter")
    page.wait_for_function("document.querySelector('[data-word]').textContent === 'IBM'")
    rest(page)
    page.locator("[data-word]").first.click()
    typed = page.locator(part("BidiComponentIsolated")).locator(".why .said")
    typed.wait_for()
    rest(page)
    assert "\u201cIBM\u201d" in typed.inner_text()
    assert page.locator(".why .path .line").count() == 3
    page.get_by_role("button", name="drop", exact=True).first.click()
    page.wait_for_selector(".left-out")
    told = page.locator(".left-out p").first.inner_text()
    assert re.search(r"(\d+|no) other words? of the dev text flipped\.$", told)
    page.locator(".left-out button").click()
    page.wait_for_selector(".left-out", state="detached")
    page.locator(".why .close").click()
    typed.wait_for(state="detached")
    rest(page)
    assert page.locator("[data-word]").first.inner_text() == "IBM"


def test_a_link_opens_its_word_and_tells_beside_one_another_what_its_drops_did(page, go):
    label, many = ask(page), ", ".join(map(str, range(40)))
    go(f"&word={label}&without={many}")
    sides = page.locator(".left-out .side p")
    (text, marked), (without, marked_without) = sides.evaluate_all(
        "(all) => all.map((p) => [p.textContent,"
        " [...p.querySelectorAll('mark')].map((mark) => mark.textContent)])"
    )
    assert text.lower() == without.lower()
    assert all(a != b for a, b in zip(marked, marked_without, strict=True))
    assert label.split()[0] in marked
    said = page.inner_text(ANSWER)
    press(page, SLIDER, "Home")
    wait_for_link(page, sigma2="0.01", word=label)
    assert page.inner_text(ANSWER) != said


CHANGE = re.compile(
    r"Without this sentence: [A-Z]+ (?:over )?\d+\s% → ([A-Z]+ )?(?:over )?\d+\s% "
    r"\(forecast ([−+][\d.]+), true ([−+][\d.]+) nats\); (no|\d+) other words? flipped\."
)


def test_a_sentence_is_dropped_and_taken_back_and_nothing_jumps(page):
    ask(page)
    panel, pane = page.locator(".why"), page.locator(".pane")
    page.get_by_role("button", name="drop", exact=True).first.scroll_into_view_if_needed()
    places = [made.bounding_box()["y"] for made in (pane, panel)]
    before = page.locator(".why .sum").inner_text(), shown(page)
    effect = nats(page.locator(".why .effect").first.inner_text().split()[0])
    page.get_by_role("button", name="drop", exact=True).first.click()
    page.wait_for_selector("text=Adapted without 1 of 42 sentences")
    rest(page)
    assert "Adapted without 1 of" in page.inner_text(".st-key-facts")
    assert page.locator(".why .sum").inner_text() != before[0]
    n_others = re.search(r"(\d+|no) other", page.locator(".left-out p").first.inner_text())[1]
    n_flipped = re.match(r"(\d+|No) word", page.inner_text(".flipped"))[1]
    assert int(n_flipped.replace("No", "0")) - int(n_others.replace("no", "0")) in (0, 1)
    assert [made.bounding_box()["y"] for made in (pane, panel)] == pytest.approx(places, abs=1)
    said = CHANGE.fullmatch(page.locator(".left-out p").first.inner_text())
    assert nats(said[2]) == pytest.approx(-effect)
    assert 2 * nats(said[2]) < nats(said[3]) < nats(said[2]) / 2
    assert page.evaluate("focused().textContent") == "take it back"
    page.wait_for_function("() => /without=\\d/.test(location.search)")
    page.get_by_role("radio", name="weights").click()  # below what came with the sentence
    wait_for_link(page, section="weights")
    page.get_by_role("radio", name="slices").click()
    wait_for_link(page, section=None)
    page.get_by_role("button", name="take it back", exact=True).focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Adapted without", state="detached")
    rest(page)
    assert page.locator(".left-out").count() == 0
    assert (page.locator(".why .sum").inner_text(), shown(page)) == before
    page.get_by_role("button", name="drop", exact=True).last.click()
    page.wait_for_selector(".left-out")
    rest(page)
    box, told = pane.bounding_box(), page.locator(".left-out button").bounding_box()
    assert box["y"] < told["y"] < box["y"] + box["height"] - told["height"]
    page.get_by_role("button", name="Take it back", exact=True).click()
    page.wait_for_selector(".left-out", state="detached")


def test_a_screen_reader_hears_what_became_of_a_word(page):
    nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    buttons = (node for node in nodes if node.get("role", {}).get("value") == "button")
    names = [node.get("name", {}).get("value", "") for node in buttons]
    for status in ("fixed", "broken"):  # of one that looks the same nothing became
        n_marked = page.locator(f".w.{status}:not(.unseen)").count()
        assert len([name for name in names if name.endswith(f", {status}")]) == n_marked > 0


def middle(page, mark):
    """Where in the curve's drawing the middle of a mark is, in pixels."""
    curve, box = (page.locator(f".curve{of}").bounding_box() for of in ("", f" {mark}"))
    return box["x"] + box["width"] / 2 - curve["x"], box["y"] + box["height"] / 2 - curve["y"]


def states(page):
    """The rows of the table of pinned states, without their letters and buttons."""
    rows = page.inner_text(".trail tbody").splitlines()
    return [row[2:].split("\t")[:8] for row in rows if "," in row]


def test_pinned_states_are_compared_in_a_table_and_marked(page):
    page.keyboard.press("p")
    wait_for_link(page, pin="1, 0")
    press(page, SLIDER, "Home")
    wait_for_link(page, sigma2="0.01")
    ((*_, better, worse, p),) = states(page)
    versus = [better, worse, p]
    verdict = f"here {'no clear difference' if float(p.lstrip('< ')) >= 0.05 else 'clearly'}"
    says = page.inner_text(".says .pinned")
    assert verdict in says
    assert says.endswith(f"(p {p if p[0] == '<' else f'= {p}'})")
    assert int(better) + int(worse) > 0
    page.keyboard.press("p")
    wait_for_link(page, pin="1, 0; 0.01, 0")
    here, there = states(page)
    assert (here[0], there[0]) == ("0.01, 0", "1, 0")
    chips = [page.inner_text(f".chip.{kind} b") for kind in ("fixed", "broken")]
    assert here[1:4] == [adapted_error(page), *chips]
    assert here[-3:] == ["–"] * 3
    assert there[-3:] == list(versus)
    for drawing in (".curve", ".grid-map"):
        assert page.locator(f"{drawing} .letter").all_text_contents() == ["A", "B"]
    assert page.inner_text(".says .pinned").endswith("the same here")  # with the last
    name = "Compare text and cards with this state: 1, 0"
    page.get_by_role("button", name=name).press("Enter")
    wait_for_link(page, pin="0.01, 0; 1, 0")
    assert page.locator(".curve .letter").all_text_contents() == ["B", "A"]  # each keeps its own
    assert page.evaluate("focused().ariaLabel") == name  # though each button is made anew
    assert page.inner_text(".says .pinned") == says
    page.get_by_role("button", name="Go to this state: 1, 0").click()
    wait_for_link(page, sigma2=None)
    assert adapted_error(page) == there[1] != here[1]
    page.get_by_role("button", name="Take out: 0.01, 0").click()
    wait_for_link(page, pin="1, 0")
    page.keyboard.press("p")  # takes out the state that is shown
    wait_for_link(page, pin=None)


def test_words_that_just_flipped_are_shown_alone_until_others_flip(page):
    press(page, SLIDER, "Home")
    wait_for_link(page, sigma2="0.01")
    flipped = page.locator(".flipped")
    n = int(flipped.inner_text().split()[0])
    flipped.click()
    assert page.locator(".w.chosen").count() == n > 0
    assert page.inner_text(".counter") == f"{n} words"
    assert page.locator(".chips [aria-pressed=true]").count() == 0
    press(page, SLIDER, "End")
    wait_for_link(page, sigma2="100")
    assert flipped.get_attribute("aria-pressed") == "false"
    assert page.locator(".w.chosen").count() == int(page.inner_text(".chip.changed b"))


def test_a_pinned_state_leaves_ghosts(page):
    ghosts = page.locator(".curve .ghost")  # of σ², and of the error there
    assert {ghost.get_attribute("visibility") for ghost in ghosts.all()} == {"hidden"}
    at = middle(page, ".ring.dev")
    page.keyboard.press("p")
    wait_for_link(page, pin="1, 0")
    error, wrong = adapted_error(page), page.inner_text(".says .pinned")
    assert wrong.endswith("wrong, the same here")
    assert page.locator(".w.unpinned").count() == 0
    press(page, SLIDER, "Home")
    wait_for_link(page, sigma2="0.01")
    assert adapted_error(page) != error
    n = page.locator(".w.unpinned").count()
    assert n > 3
    assert page.inner_text(".differ") == f"{n} differ from the pin"
    told = page.inner_text(".says .pinned")
    assert re.search(r" wrong; here [a-z ]+ \(p [=<] [\d.]+\)", told)
    page.locator(".differ").click()
    assert page.locator(".w.chosen").count() == page.locator(".w.unpinned.chosen").count() == n
    n_told = [int(number) for number in states(page)[0][-3:-1]]
    assert [page.locator(f".w.{kind}").count() for kind in ("better", "worse")] == n_told
    page.locator(".opener").click()
    assert f": {n} words, " in page.inner_text(".overview p")
    page.locator(".opener").click()
    assert page.inner_text(".counter") == f"{n} words"
    word = page.locator(".w.unpinned").first  # what the pin makes of it stands above it
    form, above = word.locator(".shown").inner_text(), word.get_attribute("data-pinned")
    assert (form.lower(), form != above) == (above.lower(), True)
    content = word.evaluate("word => getComputedStyle(word, '::before').content")
    assert content == f'"{above}"'
    word.hover()
    assert page.inner_text(".tip").endswith(f"pinned: {above}")
    wait_for_link(page, show="differ")
    page.locator(".chip.changed").click()
    assert page.locator(".w.unpinned.chosen").count() < n
    assert {ghost.get_attribute("visibility") for ghost in ghosts.all()} == {"visible"}
    assert middle(page, "circle.ghost") == pytest.approx(at, abs=1)
    page.locator(SLIDER).fill(START)
    wait_for_link(page, sigma2=None)
    page.keyboard.press("p")  # takes it out where it stands
    wait_for_link(page, pin=None)
    assert page.inner_text(".says .pinned") == ""
    assert not page.locator(".differ").is_visible()


def test_buttons_and_cells_filter_the_text_and_wrong_words_say_what_they_should_be(page):
    text = shown_text(page)
    page.locator(".chip.still").click()
    word = page.locator(".w.wrong.chosen:visible").first
    told = word.evaluate("e => getComputedStyle(e, '::before').content")
    written, should = word.locator(".shown").inner_text(), word.get_attribute("data-gold")
    assert told == f'"{should}"'
    assert (should.lower(), should != written) == (written.lower(), True)
    page.locator(".chip.broken").click()
    wait_for_link(page, show="broken")
    n = int(page.locator(".chip.broken b").inner_text())
    assert page.locator(".w.chosen").count() == page.locator(".w.broken.chosen").count() == n > 0
    page.locator(".opener").click()
    cell = page.locator(".overview td button").first
    n, pair = int(cell.inner_text()), cell.get_attribute("title")
    cell.click()
    page.wait_for_function("new URL(location).searchParams.get('pair')")
    rest(page)
    gold, given = parameter(page, "pair").split(">")
    assert pair == f"The words that should be {gold} and were given {given}"
    assert page.locator(".w.chosen").count() == n
    assert page.locator(".w.fixed.chosen").count() == 0
    page.keyboard.press("Escape")
    page.locator(".opener").click()
    page.locator(".chip.changed").click()
    wait_for_link(page, pair=None, show=None)
    assert shown_text(page) == text


def test_the_overview_counts_each_word_as_the_slider_moves_and_a_word_of_it_is_a_slice(
    page, dev_forms
):
    page.locator(".opener").click()
    rest(page)

    def told():
        """How many words of the overview there are, and how many are changed."""
        numbers = [int(number) for number in page.locator(".types b").all_inner_texts()]
        return sum(numbers), int(page.locator(".chip.changed b").inner_text())

    there = told()
    assert there[0] == there[1] > 0
    press(page, SLIDER, "End")
    wait_for_link(page, sigma2="100")
    assert told()[0] == told()[1] != there[1]
    page.locator(".chip.broken").click()
    first = page.locator(".types button").first
    name, n = first.locator("span").first.inner_text(), int(first.locator("b").inner_text())
    first.click()
    assert page.locator(".w.chosen").count() == n  # at once, and when the server has answered
    assert page.locator(".types [aria-pressed=true]").count() == 1
    page.wait_for_function("new URL(location).searchParams.get('slice')")
    rest(page)
    slice_ = parameter(page, "slice")
    forms = slice_.removeprefix("words like: ").split(", ")
    assert {form.lower() for form in forms} == {name}
    assert page.locator(".w.chosen").count() == n
    page.locator(".chip.all").click()  # within the slice
    wait_for_link(page, show="all", slice=slice_)
    check_curve_of_part(page, slice_, n_words=sum(form in forms for form in dev_forms))
    page.locator(".part").click()
    page.locator(".chip.changed").click()
    wait_for_link(page, slice=None, show=None)
    assert page.locator(".curve .name.train").text_content().startswith("adaptation text (")
    page.locator(".opener").click()


def check_curve_of_part(page, name, n_words):
    """Of a part of the text the curve shows its errors, at either end of the slider."""
    assert page.locator(".curve .name.train").text_content() == f"{name} (a scale of its own)"
    read = []
    for key in ("Home", "End"):
        press(page, SLIDER, key)
        rest(page)
        n_wrong = sum(int(page.inner_text(f".chip.{kind} b")) for kind in ("broken", "still"))
        page.locator(".curve .ring.dev").hover(force=True)
        assert f"part {percent(n_wrong / n_words)}" in page.text_content(".curve .reading")
        read.append(n_wrong)
    assert read[0] != read[1]


def test_a_click_on_a_feature_shows_the_words_that_have_it_and_leaves_the_reasons_open(page):
    page.locator(".chip.all").click()
    page.locator(".w.chosen").first.click()
    page.wait_for_selector(".why .said")
    rest(page)
    feature = page.locator(".why .seek").first
    name = feature.inner_text()
    feature.click()
    page.wait_for_selector(f'.chip.part:has-text("with {name}")')
    rest(page)
    assert parameter(page, "slice").startswith("feature: ")
    assert page.locator(".w.chosen.current").count() == 1
    assert page.locator(".why .said").is_visible()
    page.locator(".part").click()
    page.locator(".chip.changed").click()
    wait_for_link(page, slice=None, show=None)


def test_the_slider_of_the_cutoff_sets_it_and_what_is_shown_pales_until_it_is_here(page):
    waits = page.locator(CUTOFF).evaluate("""(slider) => {
      slider.value = Number(slider.value) + 1;
      slider.dispatchEvent(new Event("input"));
      return scrub().querySelector(".scrub").classList.contains("waits");
    }""")
    assert waits
    page.locator(CUTOFF).dispatch_event("change")
    wait_for_link(page, cutoff="2")
    assert page.locator(".scrub.waits").count() == 0
    press(page, CUTOFF, "End")
    wait_for_link(page, cutoff="none")
    assert page.locator(".cut .value").inner_text() == "none: no new feature"
    press(page, CUTOFF, "Home")
    wait_for_link(page, cutoff=None)
    assert re.fullmatch(r"0: [1-9]\d* new features", page.locator(".cut .value").inner_text())


def test_from_the_page_to_an_answer_by_keyboard_alone(page):
    page.evaluate("focused().blur()")  # as after a load
    page.keyboard.press("s")
    assert page.evaluate("focused().ariaLabel") == "Prior variance σ²"
    page.keyboard.press("ArrowRight")
    page.wait_for_function("focused().ariaValueText === '1.5'")
    rest(page)
    page.keyboard.press("]")
    page.wait_for_selector(ANSWER)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_function("document.activeElement && focused().matches('.w.current')")
    rest(page)
    assert page.evaluate("focused().textContent") in parameter(page, "word")
    assert page.inner_text(ANSWER)
    page.keyboard.press("?")
    assert page.locator("dialog.keys").is_visible()
    page.keyboard.press("Escape")
    assert not page.locator("dialog.keys").is_visible()
