"""How Streamlit's calls, in the orders that its page makes them, put the scrubber on the page."""

import pytest
from chromium import opened
from test_scrub_state import ADDRESS, serve

# Calls of the component: "1", "2", ... give it these data, "-1", "-2", ... take it away as the
# call with these data said. The scrubber that is mounted says what it shows, "" once destroyed.
RUN = """async (calls) => {
  const shown = { text: "" };
  const mount = () => ({
    take: (view) => { shown.text = `${view.number} with ${view.payload.words}`; },
    destroy: () => { shown.text = ""; },
  });
  const shelf = { mount, payloads: new Map([["p", { words: "words" }]]), waiting: new Set() };
  globalThis.workbenchShelf = shelf;
  const { default: draw } = await import(`/streamlit.js?${Math.random()}`);
  const parentElement = document.createElement("div"), takeAway = {};
  for (const call of calls) {
    const data = { number: call, payload: { id: "p" } };
    if (call > 0) takeAway[call] = draw({ data, parentElement, setTriggerValue: () => {} });
    else takeAway[-call]();
  }
  return [shown.text, shelf.waiting.size];
}"""


@pytest.fixture(scope="module")
def run(browser):
    """Make calls of the component; returns what is shown, and how many places wait for payloads."""
    with opened(browser) as page:
        page.route(f"{ADDRESS}**", serve)
        page.goto(ADDRESS)
        yield lambda *calls: page.evaluate(RUN, calls)


@pytest.mark.parametrize("calls", [(1,), (1, 2), (1, 2, -1), (1, -1, 2), (1, 2, 3, -1, -2)])
def test_the_last_data_are_shown(run, calls):
    """Also where an earlier call is taken away after a later one has drawn."""
    assert run(*calls) == [f"{max(calls)} with words", 1]


@pytest.mark.parametrize("calls", [(1, -1), (1, 2, -2), (1, 2, -1, -2)])
def test_what_is_taken_away_is_gone(run, calls):
    assert run(*calls) == ["", 0]
