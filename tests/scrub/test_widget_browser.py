"""The scrubber of notebooks in a real browser, with a model that stands for the front end's."""

import json

import pytest
from chromium import opened, percent
from playwright.sync_api import expect

from workbench.evaluation.number_words import signed
from workbench.scrub.widget import scrub

ADDRESS = "http://notebook.test/"
SIGMA2 = "input[aria-label^='Prior']"
# What anywidget gives a module: get, set, on, off, save_changes.
MOUNT = """async (state) => {
  const listeners = {}, saved = [];
  const model = {
    get: (name) => state[name],
    set: (name, value) => { state[name] = value; },
    save_changes: () => saved.push({ ...state, dropped: [...state.dropped] }),
    on: (event, act) => (listeners[event] ??= new Set()).add(act),
    off: (event, act) => listeners[event].delete(act),
  };
  const { default: widget } = await import("/widget.js");
  const leave = widget.render({ model, el: document.getElementById("cell") });
  window.front = {
    saved, leave, listeners: () => Object.values(listeners).reduce((n, own) => n + own.size, 0),
    arrive: (news) => {
      Object.assign(state, news);
      const heard = Object.keys(news).map((name) => listeners[`change:${name}`] ?? []);
      for (const acts of heard) for (const act of acts) act();
    },
  };
}"""


@pytest.fixture
def widget(tiny_session):
    return scrub(tiny_session)


def state_of(widget):
    """What the browser is sent of a widget."""
    own = widget.get_state()
    return {name: value for name, value in own.items() if not name.startswith("_")}


@pytest.fixture(scope="module")
def kept_page(browser, tiny_session):
    """A page in which one notebook after the other is opened."""
    own = scrub(tiny_session).get_state(["_esm", "_css"])
    head = f"<!DOCTYPE html><title>notebook</title><style>{own['_css']}</style>"
    body = '<body data-jp-theme-light="false"><div id="cell"></div>'

    def serve(route):
        is_script = route.request.url.endswith("widget.js")
        kind = "text/javascript" if is_script else "text/html"
        route.fulfill(
            body=own["_esm"] if is_script else head + body, content_type=f"{kind}; charset=utf-8"
        )

    with opened(browser, viewport={"width": 1000, "height": 800}) as page:
        page.route(f"{ADDRESS}**", serve)
        yield page


@pytest.fixture
def page(kept_page, widget):
    """A notebook with a widget."""
    kept_page.mouse.move(0, 0)
    kept_page.goto(ADDRESS)
    kept_page.evaluate(MOUNT, json.loads(json.dumps({**state_of(widget), "layout": None})))
    kept_page.wait_for_selector(".card .error")
    return kept_page


def saved(page):
    return page.evaluate("front.saved.map(({ path, said, ...settings }) => settings)")


def test_a_key_moves_the_errors_at_once_and_is_sent_when_it_rests(page, tiny_session):
    page.locator(SIGMA2).press("Home")
    expected = percent(tiny_session.at(0.01).models[-1]["error_rate"])
    expect(page.locator(".card.adapted .error")).to_have_text(expected)
    page.wait_for_function("front.saved.length")
    assert saved(page)[-1]["sigma2"] == 0.01


# What JupyterLab does with keys that it has a use for, as the arrows: capture phase, and for each
# element from the one with the focus upwards whether its keys are to be left alone, then whether
# it is one of a cell.
JUPYTERLAB = """document.addEventListener("keydown", (event) => {
  for (let at = event.target; at; at = at.parentElement) {
    if (at.hasAttribute("data-lm-suppress-shortcuts")) return;
    if (at.matches(":focus:not(:read-write)")) return event.preventDefault();
  }
}, true)"""


def test_jupyterlab_does_not_take_the_keys_of_a_slider(page):
    page.evaluate(JUPYTERLAB)
    for selector in (SIGMA2, "input[aria-label^='Cut-off']"):
        slider = page.locator(selector)
        before = slider.input_value()
        slider.press("ArrowRight")
        assert int(slider.input_value()) == int(before) + 1, selector


def test_what_is_set_in_python_moves_the_browser(page, widget, tiny_session):
    widget.sigma2 = 100.0
    page.evaluate("news => front.arrive(news)", {"said": json.loads(json.dumps(widget.said))})
    expect(page.locator(".value").first).to_have_text("100")
    fixed = (tiny_session.at(100.0).diff["status"] == "fixed").sum()
    expect(page.locator(".chip.fixed b")).to_have_text(str(fixed))
    assert page.locator(".w.fixed").count() == fixed
    assert saved(page) == []


def test_another_path_is_taken_when_both_parts_of_it_are_here(page, widget, tiny_session):
    page.locator("input[aria-label^='Cut-off']").press("End")
    page.wait_for_function("front.saved.length")
    assert saved(page)[-1]["cutoff"] is None
    widget.cutoff = None
    news = {"path": widget.path, "said": json.loads(json.dumps(widget.said))}
    page.evaluate("news => front.arrive(news)", news)
    error = tiny_session.at(1.0, None).models[-1]["error_rate"]
    expect(page.locator(".card.adapted .error")).to_have_text(percent(error))


def test_a_click_asks_and_the_answer_can_drop_a_sentence(page, widget):
    page.locator(".w.chosen").first.click()
    word = saved(page)[-1]["word"]
    assert page.inner_text(".why .quiet").startswith("Working it out")
    widget.word = word
    page.evaluate("news => front.arrive(news)", {"said": json.loads(json.dumps(widget.said))})
    found = widget.said["explained"]
    taught = found["because"]["says"]
    assert taught.startswith("Learnt above all from")
    expect(page.locator(".why .said")).to_have_text(f"{taught} {found['why']['sentence']}")
    page.get_by_role("button", name="drop", exact=True).first.click()
    pushed = (found["because"]["pushed"] + found["because"]["resisted"])[0]
    assert saved(page)[-1]["dropped"] == [pushed["sentence"]]
    widget.dropped = [pushed["sentence"]]
    news = {"path": widget.path, "said": json.loads(json.dumps(widget.said))}
    page.evaluate("news => front.arrive(news)", news)
    told = widget.said["explained"]["leftOut"]
    assert f"forecast {signed(told['forecast'])}, true {signed(told['true'])}" in page.inner_text(
        ".left-out p >> nth=0"
    )
    assert page.inner_text(".left-out li p") == "".join(pushed["words"])
    page.get_by_role("button", name="take it back").click()
    assert saved(page)[-1]["dropped"] == []


def test_the_open_answer_stays_where_it_is_when_nothing_is_told_of_its_sentence_any_more(
    page, widget
):
    page.locator(".w.chosen").last.click()
    position = int(saved(page)[-1]["word"].rpartition(" ")[2])
    payload = json.loads(widget.path)
    number = next(w["sentence"] for w in payload["words"] if w["position"] == position)
    gone = next(each for each in payload["sentences"] if each["number"] == number)
    payload["words"] = [word for word in payload["words"] if word["sentence"] != number]
    payload["sentences"].remove(gone)
    payload["id"] = "another"
    said = json.loads(json.dumps(widget.said)) | {"id": "another"}
    said["at"]["word"] = position
    page.evaluate("document.querySelector('.pane').scrollTop = 1e6")
    top = page.locator(".why").bounding_box()["y"]
    news = {"path": json.dumps(payload), "said": said}
    page.evaluate("news => front.arrive(news)", news)
    assert page.locator(".why").bounding_box()["y"] == pytest.approx(top, abs=1)
    line = page.locator(f'li[data-sentence="{number}"]:has(.why)')
    line.scroll_into_view_if_needed()  # out of sight it is not laid out
    assert line.locator("p").first.inner_text() == "".join(gone["words"])
    assert page.locator(".w.current").get_attribute("data-position") == str(position)
    numbers = page.locator(".text > li").evaluate_all("all => all.map((l) => +l.dataset.sentence)")
    assert numbers == sorted(numbers)


def test_a_dark_notebook_has_a_dark_scrubber(page):
    style = "getComputedStyle(document.querySelector('.scrub'))"
    assert page.evaluate(f"{style}.colorScheme") == "dark"
    light = page.evaluate(f"{style}.color")
    page.evaluate("document.body.dataset.jpThemeLight = 'true'")
    assert page.evaluate(f"{style}.color") != light


def test_a_cell_that_goes_leaves_nothing(page):
    assert page.evaluate("front.listeners()") == 2
    page.evaluate("front.leave()")
    assert page.locator(".scrub").count() == 0
    assert page.evaluate("front.listeners()") == 0
