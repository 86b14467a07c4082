"""The report opened from disk in a real browser with the network off."""

import re
from operator import itemgetter

import numpy as np
import pytest
from chromium import opened, percent
from hostile_texts import hostile_session
from playwright.sync_api import expect

from workbench.evaluation.number_words import with_minus
from workbench.evaluation.task import find_task
from workbench.experiments.lessons.figures import LessonFigures
from workbench.experiments.lessons.steps import all_lessons
from workbench.scrub.report import report_html, write_report
from workbench.settings import SIGMA2_GRID, Settings

MEDIA = {"media": "screen", "color_scheme": "light", "forced_colors": "none"}
SIGMA2 = "input[aria-label^='Prior']"


@pytest.fixture(scope="module")
def path(tiny_session, tmp_path_factory):
    """A report of two cut-offs that explains one word."""
    place = tmp_path_factory.mktemp("report") / "lesson.html"
    page = report_html(tiny_session, Settings(), cutoffs=[None], n_explained=1)
    write_report(place, page)
    return place


@pytest.fixture(scope="module")
def kept_page(browser):
    """A page in which one report after the other is opened."""
    with opened(browser) as page:
        page.context.set_offline(True)
        yield page


@pytest.fixture
def open_report(kept_page, path):
    """Open a report; the network is off, and nothing may be said on the console."""

    def _open(hash_="", place=path, size=(1280, 800), **media):
        page, (width, height) = kept_page, size
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(**MEDIA | media)
        page.mouse.move(0, 0)
        page.goto("about:blank")  # another hash alone would not load it again
        page.goto(f"{place.as_uri()}{hash_}")
        page.wait_for_selector(".card h2", state="attached")
        return page

    return _open


@pytest.fixture(scope="module")
def cutoff_lesson(tiny_session, tmp_path_factory):
    """A report with the lesson of the cut-off."""
    place = tmp_path_factory.mktemp("report") / "cutoff.html"
    write_report(place, report_html(tiny_session, Settings(lesson="cutoff"), n_explained=0))
    return place


def adapted(page):
    return page.inner_text(".card.adapted .error")


def written_wrong(corpus, fit):
    """How many words are not written as in the text, and what share they are."""
    tags, forms = fit.tags["dev"], fit.model.mixed_forms
    words = find_task(corpus).words_at(corpus, np.arange(len(corpus)), tags, forms)
    n = sum(word != corpus.form_at(i) for i, word in enumerate(words))
    return n, n / len(corpus)


def test_arrow_keys_move_errors_words_and_address(open_report, tiny_session):
    page = open_report()
    seen, n_told = {}, 0
    slider = page.locator(SIGMA2)
    slider.focus()
    for key, sigma2 in (("Home", 0.01), ("ArrowRight", 0.015), ("End", 100.0)):
        slider.press(key)
        page.wait_for_url(re.compile(rf"sigma2={sigma2:g}$"))
        seen[sigma2] = adapted(page), page.inner_text(".chip.fixed b")
        snapshot = tiny_session.at(sigma2)
        fixed = (snapshot.diff["status"] == "fixed").sum()
        assert seen[sigma2] == (percent(snapshot.models[-1]["error_rate"]), str(fixed))
        told = page.locator(".card.adapted p[title]").nth(0).get_attribute("title") or ""
        n, share = written_wrong(tiny_session.corpora["dev"], snapshot.tuned)
        says = f"Of the words {percent(share)} are written wrong."
        assert told.startswith(says) or n == snapshot.models[-1]["wrong"]
        n_told += bool(told)
    assert seen[0.01] != seen[100.0]
    assert n_told
    assert "flipped" in page.inner_text(".flipped")


def test_the_cut_off_moves_too_and_hides_where_there_is_one(open_report, tiny_session, tmp_path):
    page = open_report()
    cutoff = page.locator("input[aria-label^='Cut-off']")
    assert cutoff.is_visible()
    cutoff.press("End")
    page.wait_for_url("**cutoff=none*")
    assert adapted(page) == percent(tiny_session.at(1.0, None).models[-1]["error_rate"])
    alone = tmp_path / "alone.html"
    write_report(alone, report_html(tiny_session, Settings(), n_explained=0))
    page = open_report(place=alone)
    assert not page.locator("input[aria-label^='Cut-off']").is_visible()


_NAMES = """() => [...document.querySelectorAll("svg.curve text")]
  .filter((text) => text.textContent).map((text) => {
    const { left, top, right, bottom } = text.getBoundingClientRect();
    return [text.textContent, left, top + 3, right, bottom - 3];  // but for what has no letters
  })"""


def overlaps(page):
    """Pairs of the curve's texts that lie on one another."""
    names = page.evaluate(_NAMES)
    return [
        (a[0], b[0])
        for k, a in enumerate(names)
        for b in names[:k]
        if a[1] < b[3] and b[1] < a[3] and a[2] < b[4] and b[2] < a[4]
    ]


@pytest.mark.parametrize("width", [400, 1280])
def test_the_former_curve_stays_no_name_covers_another_and_nothing_sticks_out(open_report, width):
    page = open_report(size=(width, 900))
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    names = page.locator("svg.curve .name")
    expect(names.filter(has_text="background")).to_have_count(1)
    assert page.text_content("svg.curve .title").startswith("% of words wrong, dev text")
    assert page.locator(".line.former").get_attribute("d") == ""
    line = page.locator(".line.dev").get_attribute("d")
    assert overlaps(page) == []
    page.locator("input[aria-label^='Cut-off']").press("End")
    expect(page.locator(".name.former")).to_have_text("cut-off 0")
    said = "1 word just flipped: only tags changed, no letters"
    assert page.inner_text(".flipped") == said
    assert page.locator(".line.former").get_attribute("d").count("L") == line.count("L") > 0
    assert overlaps(page) == []


def test_the_errors_on_dev_have_a_scale_of_their_own(open_report, tiny_session):
    """So that their least is seen, while those on the adaptation text fall to nothing."""
    page = open_report()
    paths = [page.get_attribute(line, "d") for line in (".line.dev", ".line.train")]
    lines = [[float(at.split()[1]) for at in re.split("[ML]", path)[1:]] for path in paths]
    height = page.locator("svg.curve").evaluate("(svg) => svg.viewBox.baseVal.height")
    dev, train = lines
    errors = tiny_session.curve(0)["dev_error_rate"]
    assert max(dev) < min(train)
    from_zero = height * (errors.max() - errors.min()) / errors.max()
    assert max(dev) - min(dev) > 0.4 * from_zero


def test_the_pinned_states_curve_stays_while_cut_offs_change(open_report):
    page = open_report()
    page.keyboard.press("p")
    page.locator("input[aria-label^='Cut-off']").press("End")
    expect(page.locator(".name.former")).to_have_text("curve of the pin, cut-off 0")
    page.keyboard.press("p")
    expect(page.locator(".name.former")).to_have_text("cut-off 0")


def fixed_and_broken(session, sigma2, cutoff=0):
    statuses = session.at(sigma2, cutoff).diff["status"].tolist()
    return f"{statuses.count('fixed')} fixed, {statuses.count('broken')} broken"


def test_the_crosshair_reads_the_curve_and_leaves_the_slider(open_report, tiny_session):
    page = open_report()
    box = page.locator("svg.curve").bounding_box()
    page.mouse.move(box["x"] + box["width"] - 14, box["y"] + box["height"] / 2)
    point = tiny_session.at(100.0).point
    dev, train = (percent(point[f"{text}_error_rate"]) for text in ("dev", "train"))
    told = f"σ² 100 · dev {dev} · adaptation {train} · {fixed_and_broken(tiny_session, 100.0)}"
    assert page.text_content(".reading") == told
    assert page.locator(SIGMA2).get_attribute("aria-valuetext") == "1"
    page.mouse.move(1, 1)
    assert page.text_content(".reading") == ""
    assert page.locator(".cross").get_attribute("visibility") == "hidden"


def test_the_overview_shows_words_and_filters_by_one(open_report):
    page = open_report()
    page.locator(".opener").click()
    first = page.locator(".types button").first
    assert first.locator("i").first.bounding_box()["width"] > 0
    n = int(first.locator("b").inner_text())
    first.click()
    assert page.locator(".w.chosen").count() == n
    page.locator(".part").click()
    assert page.locator(".w.chosen").count() > n


def test_the_small_map_is_read_and_a_click_moves_both_sliders(open_report, tiny_session):
    page = open_report()
    cells = page.locator(".grid-map .cell")
    assert cells.count() == 2 * 25
    page.locator(".grid-map .cell[data-cutoff=none][data-i='20']").hover()
    told = page.inner_text(".grid-map figcaption")
    here, there = (tiny_session.at(*at).tuned.tags["dev"] for at in ((1.0, 0), (22.0, None)))
    n_other = int((here != there).sum())
    counts = fixed_and_broken(tiny_session, 22.0, None)
    assert told.endswith(f"; {counts}; {n_other} words other than now")
    page.locator(".grid-map .cell[data-cutoff=none][data-i='24']").click()
    page.wait_for_url(re.compile("sigma2=100"))
    assert "cutoff=none" in page.url
    assert page.locator(SIGMA2).get_attribute("aria-valuetext") == "100"


def test_a_word_that_changed_is_explained_and_another_refers_to_what_can(open_report):
    page = open_report()
    words = page.locator(".w.chosen")
    answers = []
    for i in range(words.count()):
        words.nth(i).click()
        assert not page.locator(".tip").is_visible()
        answers.append(page.inner_text(".why"))
        page.keyboard.press("Escape")
        page.wait_for_selector(".why", state="detached")
    explained = [text for text in answers if "At σ² = 1: " in text]
    assert len(explained) == 1
    assert "Score of" in explained[0]
    assert "drop" not in explained[0]
    referred = [text for text in answers if text not in explained]
    assert referred
    assert all("This file explains 1 of the words" in text for text in referred)
    assert "word" not in page.url


def test_an_answer_is_opened_by_keys_alone(open_report):
    page = open_report()
    page.keyboard.press("]")
    page.wait_for_selector(".why")
    assert page.inner_text(".counter").startswith("1 of ")
    page.keyboard.press("?")
    page.get_by_role("button", name="Close").last.click()
    assert not page.locator("dialog").is_visible()


def test_filters_pins_and_lecture_stand_in_the_address(open_report, tiny_session):
    page = open_report()
    page.locator("button.chip.broken").click()
    page.get_by_role("button", name="Pin").click()
    page.get_by_role("button", name="Lecture").click()
    page.locator(SIGMA2).press("Home")
    page.wait_for_url("**sigma2=0.01*")
    wrong = int((tiny_session.at(1.0).tuned.tags["dev"] != tiny_session.corpora["dev"].tags).sum())
    pinned = page.inner_text(".says .pinned")
    assert re.match(rf"pinned σ² 1, cut-off 0: {wrong} wrong", pinned)
    assert page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)") > 20
    address = page.url
    page = open_report(address[address.index("#") :])
    assert page.locator("button.chip.broken").get_attribute("aria-pressed") == "true"
    assert page.inner_text(".says .pinned") == pinned
    assert page.locator(SIGMA2).get_attribute("aria-valuetext") == "0.01"
    page.evaluate("location.hash = 'sigma2=100'")
    expect(page.locator(".value").first).to_have_text("100")
    assert adapted(page) == percent(tiny_session.at(100.0).models[-1]["error_rate"])
    shown = page.inner_text(".chip.fixed b")
    assert shown == str((tiny_session.at(100.0).diff["status"] == "fixed").sum())


FRAMES = {  # ways in which pages and notebooks show another page
    "srcdoc": "frame.srcdoc = html",
    "sandboxed": "frame.sandbox = 'allow-scripts'; frame.srcdoc = html",
    "blob": "frame.src = URL.createObjectURL(new Blob([html], { type: 'text/html' }))",
    "data": "frame.src = 'data:text/html;charset=utf-8,' + encodeURIComponent(html)",
}


@pytest.mark.parametrize("made", FRAMES.values(), ids=FRAMES)
def test_it_moves_within_a_frame_of_another_page(kept_page, path, tiny_session, made):
    page = kept_page
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto("about:blank")
    page.set_content("<iframe style='width: 1200px; height: 700px'></iframe>")
    make = f"html => {{ const frame = document.querySelector('iframe'); {made}; }}"
    page.evaluate(make, path.read_text("utf-8"))
    frame = page.frame_locator("iframe")
    frame.locator("input[aria-label^='Cut-off']").press("End")
    error = percent(tiny_session.at(1.0, None).models[-1]["error_rate"])
    expect(frame.locator(".card.adapted .error")).to_have_text(error)
    frame.get_by_role("button", name="Lecture").click()
    expect(frame.locator("html")).to_have_class(re.compile("lecture"))
    frame.locator(".w.chosen").first.click()
    expect(frame.locator(".tip")).to_be_hidden()
    expect(frame.locator("body")).not_to_contain_text("Working it out")


def test_a_lesson_asks_answers_and_goes_on(open_report, tiny_session, tmp_path):
    place, says = tmp_path / "leash.html", lambda page: page.inner_text(".strip")
    write_report(place, report_html(tiny_session, Settings(lesson="leash"), n_explained=0))
    page = open_report(place=place)
    assert "step 1 of 8" in says(page)
    assert "too few to tell settings apart" in says(page)
    assert page.locator(".sigma2.ringed").count() == 1
    page.get_by_role("button", name="Next", exact=True).click()
    assert "Chelba & Acero (2004), eq. 3" in says(page)
    page.keyboard.press("n")
    page.keyboard.press("2")
    assert "That is right." in says(page)
    page.keyboard.press("n")
    curve = page.locator("svg.curve")
    assert not curve.locator(".line, .dot, .band, .name.dev").filter(visible=True).count()
    assert curve.locator(".force").filter(visible=True).count()  # one weight in its place
    assert page.locator(".chip b").filter(visible=True).count()
    sliders = page.locator("input[type=range]").filter(visible=True)
    assert {slider.is_disabled() for slider in sliders.all()} == {True}  # they would tell it
    page.get_by_role("button", name="under a quarter").click()
    page.wait_for_url("**sigma2=0.01&step=4")
    assert {slider.is_disabled() for slider in sliders.all()} == {False}
    assert not page.locator("svg.curve .line.dev").is_visible()  # step 5 asks about it
    assert not page.locator(".card.adapted p, .chip b").filter(visible=True).count()
    step, figures = all_lessons()["leash"].steps[3], LessonFigures(tiny_session)
    answer = "That is right." if step.is_right(figures, 0) else step.would[0]
    assert answer in says(page)
    assert f"The error is {figures['error_tight']} now" in says(page)
    page.keyboard.press("n")
    page.wait_for_url("**#step=5")
    assert page.locator(SIGMA2).get_attribute("aria-valuetext") == "1"
    page.keyboard.press("n")
    assert "step 5 of 8" in says(page)
    assert not page.locator("svg.curve .line.dev").is_visible()  # a task is about it
    assert "The right answer is: " in says(page)
    assert answer not in says(page)
    page.keyboard.press("b")
    assert answer in says(page)
    page.keyboard.press("n")
    assert "The right answer is: " in says(page)
    page.keyboard.press("n")
    assert "step 6 of 8" in says(page)
    page = open_report("#step=8", place=place)
    assert "step 8 of 8" in says(page)
    assert page.locator("svg.curve .line.dev").is_visible()
    assert page.get_by_role("button", name="Next", exact=True).is_disabled()
    assert page.locator(SIGMA2).get_attribute("aria-valuetext") == figures["best_sigma2"]


def test_a_lesson_draws_how_far_both_texts_are_apart(open_report, tiny_session, tmp_path):
    place, figures = tmp_path / "overfitting.html", LessonFigures(tiny_session)
    write_report(place, report_html(tiny_session, Settings(lesson="overfitting"), n_explained=0))
    page = open_report("#step=4", place=place)
    gap = page.locator("svg.curve .gap text")
    expect(gap).to_have_text(f"gap {figures['gap_loose']} points")
    page.locator(SIGMA2).press("Home")
    expect(gap).to_have_text(f"gap {figures['gap_tight']} points")
    page = open_report("#step=3", place=place)
    expect(page.locator("svg.curve .gap")).to_be_hidden()  # it is asked for


def test_a_task_is_solved_by_the_slider(open_report, tiny_session, tmp_path, monkeypatch):
    place, figures = tmp_path / "leash.html", LessonFigures.of(tiny_session)
    task = {"goal_best": "0.022, 0.032", "goal_best_start": "0.01"}  # a text too small for one
    goals = figures.groups["goal"]
    monkeypatch.setattr(goals, "figures", goals.figures | task)
    write_report(place, report_html(tiny_session, Settings(lesson="leash"), n_explained=0))
    (number,) = (n for n, step in enumerate(all_lessons()["leash"].fit_to(figures), 1) if step.goal)
    page = open_report(f"#step={number}", place=place)
    strip, solved = page.locator(".strip"), SIGMA2_GRID[2]
    choose = page.get_by_role("button", name="I choose this σ²")
    choose.click()
    expect(strip).to_contain_text(figures["goal_best_at_0.01"])
    page.locator(SIGMA2).press("ArrowRight")
    page.wait_for_url(f"**sigma2={SIGMA2_GRID[1]:g}&**")
    expect(strip).not_to_contain_text(figures["goal_best_at_0.01"])
    page.keyboard.press("1")
    expect(strip).to_contain_text(figures[f"goal_best_at_{SIGMA2_GRID[1]:g}"])
    page.locator(SIGMA2).press("ArrowRight")
    page.wait_for_url(f"**sigma2={solved:g}&**")
    expect(strip).not_to_contain_text("Found")
    choose.click()
    expect(strip).to_contain_text("✓ Found.")
    assert page.locator(SIGMA2).get_attribute("aria-valuetext") == f"{solved:g}"
    expect(strip).to_contain_text(figures["goal_best_wrong"])


def test_a_lesson_draws_the_objective_without_a_sentence(open_report, tiny_session, tmp_path):
    place, figures = tmp_path / "sentence.html", LessonFigures(tiny_session)
    write_report(place, report_html(tiny_session, Settings(lesson="sentence"), n_explained=0))
    (drawn,) = figures.beside("sentence")["pulls"]
    page = open_report("#step=3", place=place)
    seen = page.locator("svg.curve.pulled")
    assert seen.locator(".ring").count() == 0  # until the question is answered
    page.get_by_role("button", name="curvatures change").click()
    for text, move in (("with it", 0), ("without it", drawn["best"][0])):
        gap = with_minus(f"{drawn['mean'] + move:.2f}")
        expect(seen).to_contain_text(f"{text} {gap}")
    ghost, marker = (
        float(re.search(r"[\d.]+", seen.locator(name).get_attribute("transform"))[0])
        for name in (".ghost >> nth=0", ".marker")
    )
    points = seen.locator("polyline.parabola").get_attribute("points").split()
    highest, _ = min((tuple(map(float, at.split(","))) for at in points), key=itemgetter(1))
    top = drawn["moves"][np.argmax(drawn["parabola"])]
    assert (highest - ghost) / (marker - ghost) == pytest.approx(top / drawn["best"][0], abs=0.03)


def test_the_summary_in_a_file_has_a_line_for_each_claim(open_report, tiny_session, tmp_path):
    place, figures = tmp_path / "summary.html", LessonFigures(tiny_session)
    write_report(place, report_html(tiny_session, Settings(lesson="summary"), n_explained=0))
    steps = all_lessons()["summary"].fit_to(figures)
    number, step = next((n, step) for n, step in enumerate(steps, 1) if step.points)
    page = open_report(f"#step={number}", place=place)
    lines = page.locator(".strip li").all_inner_texts()
    told = step.say_points(figures)
    assert lines == [f"{claim} {text}" for claim, text in told.items()]


@pytest.mark.parametrize(("hash_", "height"), [("", 800), ("", 600), ("&lecture=on", 720)])
def test_a_lesson_leaves_the_curve_the_height_that_its_names_need(
    open_report, cutoff_lesson, hash_, height
):
    page = open_report(f"#step=3{hash_}", cutoff_lesson, size=(1280, height))
    n_names = 4 if "lecture" in hash_ else 5  # there is no room for the adaptation text's panel
    expect(page.locator(".curve .name")).to_have_count(n_names)
    assert page.locator("svg.curve").bounding_box()["height"] >= 200
    assert overlaps(page) == []


def test_a_lesson_in_a_lecture_is_a_stage_that_esc_leaves(open_report, cutoff_lesson):
    page = open_report("#lecture=on&step=3", cutoff_lesson, size=(1280, 720))
    assert not page.locator(".cards").is_visible()  # the cut-off needs their room
    for seen in (".strip .answers", "svg.curve", SIGMA2, ".cut input"):
        box = page.locator(seen).bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 720, seen
    assert not page.locator("header, .sections, .presets").filter(visible=True).count()
    page.keyboard.press("Escape")
    page.wait_for_url("**#step=3")
    assert page.locator("header").is_visible()


def test_what_the_address_names_in_vain_is_said(open_report):
    page = open_report("#sigma2=7&cutoff=__proto__&show=<b>&pin=1, 8&other=1")
    said = page.inner_text(".status")
    assert said == "Not in this file: sigma2=7, cutoff=__proto__, show=<b>, pin=1, 8"
    assert page.locator(SIGMA2).get_attribute("aria-valuetext") == "1"


def brightness(page, what):
    color = page.evaluate(f"getComputedStyle(document.body).{what}")
    return sum(map(float, re.findall(r"[\d.]+", color)[:3])) / 3


def test_it_is_dark_where_the_system_is(open_report):
    page, seen = open_report(), []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        hue = page.evaluate("getComputedStyle(document.querySelector('.chip.fixed b')).color")
        seen.append((brightness(page, "backgroundColor"), brightness(page, "color"), hue))
    light, dark = seen
    assert light[0] > 200 > 100 > light[1]
    assert dark[0] < 50 < 180 < dark[1]
    assert light[2] != dark[2]


def test_its_print_is_dark_on_white_with_curve_and_words_and_no_control(open_report):
    page = open_report(color_scheme="dark")
    lines = page.locator(".text > li:visible").count()
    page.emulate_media(media="print")
    assert brightness(page, "color") < 80
    assert page.locator(".text > li:visible").count() == lines > 1
    pane = page.evaluate("(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)"
                         "(document.querySelector('.pane'))")  # fmt: skip
    assert pane == 0
    assert page.locator("svg.curve .line.dev").is_visible()
    assert not page.locator("input:visible, .tools:visible, .presets:visible").count()


def test_what_is_chosen_is_seen_in_the_users_own_colours(open_report):
    page = open_report("#lecture=on", forced_colors="active")
    for chosen, other in (("changed", "fixed"), ("Leave \\(Esc\\)", "Let go")):
        colors = [
            page.get_by_role("button", name=re.compile(f"^{name}")).evaluate(
                "(button) => getComputedStyle(button).backgroundColor"
            )
            for name in (chosen, other)
        ]
        assert colors[0] != colors[1]


def test_without_scripts_it_has_its_tables(open_report, browser, path):
    with opened(browser, java_script_enabled=False) as page:
        page.goto(path.as_uri())
        assert "needs scripts, which are off" in page.inner_text("noscript")
        assert page.locator("h2").all_inner_texts() == ["Errors", "Settings", "Texts", "Repeat it"]


def test_hostile_text_is_shown_and_does_nothing(
    open_report, background, unigram, adaptation_corpus, tmp_path
):
    session = hostile_session(background, unigram, adaptation_corpus)
    write_report(tmp_path / "hostile.html", report_html(session, Settings(sigma2=100.0)))
    page = open_report("#show=all", tmp_path / "hostile.html")
    dialogs = []

    def note(dialog):
        dialogs.append(dialog.dismiss())

    page.on("dialog", note)
    words = page.locator(".w.chosen")
    for i in range(min(words.count(), 12)):
        words.nth(i).click()
    assert "onerror=alert(1)" in page.inner_text(".pane")
    assert page.locator("img, b b, main script").count() == 0
    page.remove_listener("dialog", note)
    assert dialogs == []
