"""How Streamlit's calls of the component, in the orders that its page makes them, end."""

import pytest
from chromium import opened
from test_scrub_state import ADDRESS, serve

# Calls of the component: 1, 2, ... give it these data, -1, -2, ... take it away as the call with
# these data said, 0 takes its place off the page. The scrubber says what it shows.
RUN = """async (tasks) => {
  const shown = { text: "" };
  const mount = () => ({
    take: (view) => { shown.text = `${view.number} with ${view.payload.words}`; },
    destroy: () => { shown.text = ""; },
  });
  const shelf = { mount, payloads: new Map([["p", { words: "words" }]]), waiting: new Set() };
  globalThis.workbenchShelf = shelf;
  const { default: draw } = await import(`/streamlit.js?${Math.random()}`);
  const parentElement = document.createElement("div"), takeAway = {};
  parentElement.innerHTML = '<div class="place"></div>'; // the component's own
  document.body.append(parentElement);
  for (const calls of tasks) {
    for (const call of calls) {
      const data = { number: call, payload: { id: "p" } };
      if (call > 0) takeAway[call] = draw({ data, parentElement, setTriggerValue: () => {} });
      else if (call < 0) takeAway[-call]();
      else parentElement.remove();
    }
    await new Promise((done) => setTimeout(done, 10));
  }
  return [shown.text, shelf.waiting.size];
}"""


@pytest.fixture(scope="module")
def run(browser):
    """Make calls in tasks; returns what is shown, and how many places wait for payloads."""
    with opened(browser) as page:
        page.route(f"{ADDRESS}**", serve)
        page.goto(ADDRESS)
        yield lambda *tasks: page.evaluate(RUN, tasks)


@pytest.mark.parametrize(
    ("tasks", "last"),
    [
        ([[1]], 1),
        ([[1], [2], [3]], 3),
        ([[1, -1, 2]], 2),  # 1 was overtaken by 2 while the module was being loaded
        ([[1, 2, -1]], 2),
        ([[2, 1, -1]], 2),  # and its call came after that of 2
        ([[1], [3, 2, -2]], 3),
        ([[3, 1, 2, -1, -2]], 3),
    ],
)
def test_the_data_that_came_last_are_shown(run, tasks, last):
    assert run(*tasks) == [f"{last} with words", 1]


@pytest.mark.parametrize("tasks", [[[1], [0, -1]], [[1], [2], [0, -2]], [[1], [0, -1], [2, -2]]])
def test_what_is_off_the_page_is_gone(run, tasks):
    assert run(*tasks) == ["", 0]


# A move is sent while a run is going on that began before it; then another.
MOVES = """async () => {
  const shown = [], sent = [], task = () => new Promise((done) => setTimeout(done, 10));
  let move;
  const mount = (_, send) => {
    move = send;
    return { take: (view) => shown.push(view.number), destroy: () => {} };
  };
  globalThis.workbenchShelf = { mount, payloads: new Map([["p", {}]]), waiting: new Set() };
  const { default: draw } = await import(`/streamlit.js?${Math.random()}`);
  const parentElement = document.createElement("div");
  parentElement.innerHTML = '<div class="place"></div>';
  document.body.append(parentElement);
  const setTriggerValue = (_, message) => sent.push(message);
  const give = async (number, heard) => {
    draw({ data: { number, heard, payload: { id: "p" } }, parentElement, setTriggerValue });
    await task();
  };
  await give(1, 0);
  move({ sigma2: "2" });
  await give(2, 0);
  await task();
  move({ word: "a" });
  await give(3, sent[0].sent);
  const before = [...shown];
  await give(4, sent[1].sent);
  move({ pin: "b" });
  const isMarked = parentElement.querySelector("[data-unheard]") !== null;
  return { before, after: shown, sent: sent.map(({ sent, ...what }) => what), isMarked };
}"""


def test_a_view_of_before_a_move_is_not_drawn_and_no_move_is_lost(browser):
    with opened(browser) as page:
        page.route(f"{ADDRESS}**", serve)
        page.goto(ADDRESS)
        found = page.evaluate(MOVES)
    assert found["before"] == [1]
    assert found["after"] == [1, 4]
    assert found["sent"] == [{"sigma2": "2"}, {"sigma2": "2", "word": "a"}, {"pin": "b"}]
    assert found["isMarked"]


# Two cut-offs of session "s" were sent ahead; then come a view of it and one of another.
AHEAD = """async () => {
  let find;
  const scrubber = { take: () => {}, destroy: () => {} };
  const mount = (_box, _send, given) => { find = given; return scrubber; };
  const payloads = new Map(["p", "q"].map((id, cutoff) => [id, { id, cutoff }]));
  const ahead = { session: "s", payloads: new Map([["0", "old"], ["none", "of none"]]) };
  globalThis.workbenchShelf = { mount, payloads, waiting: new Set(), ahead };
  const { default: draw } = await import(`/streamlit.js?${Math.random()}`);
  const parentElement = document.createElement("div");
  parentElement.innerHTML = '<div class="place"></div>';
  document.body.append(parentElement);
  const found = [];
  for (const [id, session] of [["p", "s"], ["q", "t"]]) {
    draw({ data: { session, payload: { id } }, parentElement, setTriggerValue: () => {} });
    await new Promise((done) => setTimeout(done, 10));
    found.push(["0", "none"].map((cutoff) => find(cutoff)?.id ?? find(cutoff) ?? null));
  }
  return found;
}"""


def test_what_was_sent_ahead_is_found_by_views_of_its_session_alone(browser):
    with opened(browser) as page:
        page.route(f"{ADDRESS}**", serve)
        page.goto(ADDRESS)
        of_session, of_another = page.evaluate(AHEAD)
    assert of_session == ["p", "of none"]  # the payload that a view came with knows more
    assert of_another == [None, None]
