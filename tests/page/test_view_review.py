"""The section of the review on the page, as Streamlit's own tester sees it."""

import pytest
from pages import ask, html_of, make_page, said, view_of

from workbench.views.sections.review import _sentence_html

PLACE = "word"


@pytest.fixture
def page(data):
    return make_page(section="review", sigma2="0.1").run()


def button(app, label):
    return next(button for button in app.button if button.label == label)


def counter(app):
    (found,) = [m.value for m in app.markdown if " of " in m.value and m.value.startswith("**")]
    return tuple(map(int, found.strip("*").split(" of ")))


def current(app):
    return int(app.text_input(key=PLACE).value.rpartition(" · ")[2])


def diff_of(app):
    return app.session_state["last good result"][2].diff


def choose(app, status):
    """The page with the first word of a status as the current one."""
    row = diff_of(app)[diff_of(app)["status"] == status].iloc[0]
    return ask(app, row.position), row


def right_form(app):
    return next(field for field in app.text_input if field.label == "Right form")


def test_next_has_every_word_shows_it_in_the_text_and_accept_goes_on(page):
    assert not page.exception
    first, n = counter(page)
    assert (first, n) == (1, len(diff_of(page)))
    button(page, "Next ›").click().run()
    assert counter(page) == (2, n)
    assert view_of(page)["at"]["word"] == current(page)
    button(page, "‹ Previous").click().run()
    button(page, "‹ Previous").click().run()
    assert counter(page) == (n, n)
    page, row = choose(page, "still wrong")
    assert f"<mark>{row.gold}</mark>" in html_of(page)
    assert right_form(page).value == row.gold
    page, row = choose(page, "fixed")
    n = len(diff_of(page))
    button(page, "Leave as it is").click().run()
    assert not page.exception
    assert len(diff_of(page)) == n
    assert current(page) != row.position
    page, _ = choose(page, "fixed")
    assert "Decided: accepted" in said(*page.caption)


def test_a_correction_is_trained_on_and_can_be_taken_back(page):
    session = page.session_state["last good result"][1]
    page, row = choose(page, "still wrong")
    button(page, "Correct").click().run()
    assert not page.exception
    assert not page.error
    after = page.session_state["last good result"][1]
    dev = session.corpora["dev"]
    left = len(dev) - len(dev.sentence(row.sentence))
    assert len(after.corpora["dev"]) == left
    assert after.corpora["train"].n_sentences == session.corpora["train"].n_sentences + 1
    assert f"of the {left} of {len(dev)} words that are left" in said(*page.caption)
    labels = [b.proto.label for b in page.get("download_button")]
    assert "Corrected sentences" in labels
    assert not page.warning  # the next word is one of the shorter text
    assert view_of(page)["at"]["word"] == current(page)
    button(page, "Undo all decisions").click().run()
    assert len(page.session_state["last good result"][1].corpora["dev"]) == len(dev)


def test_other_letters_are_refused_in_one_line(page):
    page, row = choose(page, "still wrong")
    right_form(page).set_value(row.gold + "x").run()
    button(page, "Correct").click().run()
    assert len(page.error) == 1
    assert "any case of the letters of" in page.error[0].value
    assert current(page) == row.position
    assert not page.get("download_button")


def test_a_wrong_reference_is_one_error_less(page):
    page, _ = choose(page, "still wrong")
    wrong = page.session_state["last good result"][2].models[-1]["wrong"]
    button(page, "Reference is wrong").click().run()
    assert not page.error
    assert page.session_state["last good result"][2].models[-1]["wrong"] == wrong - 1
    assert "The reference is changed at 1 word" in said(*page.caption)


def test_dropped_sentences_stay_dropped_after_a_correction(page):
    page, _ = choose(page, "still wrong")
    n = page.session_state["last good result"][1].corpora["train"].n_sentences
    page.text_input(key="without").set_value("0, 2").run()
    button(page, "Correct").click().run()
    assert f"Adapted without 2 of {n + 1} sentences" in said(*page.caption)


def test_the_review_is_of_dev(data):
    app = make_page(section="review", part="test").run()
    app.button(key="Open the envelope").click().run()
    assert not app.exception
    assert "choose dev under “Report on”" in said(*app.caption)


def test_no_word_of_the_text_is_markup():
    class Text:
        def sentence(self, _):
            return ["<b>x</b>", "<img>"]

    row = {"sentence": 0, "place": 1, "before": "<i>", "after": "<u>", "gold": "&", "status": "x"}
    shown = _sentence_html(Text(), row)
    assert "&lt;b&gt;x&lt;/b&gt; <b><mark>&lt;img&gt;</mark></b>" in shown
    assert "<img>" not in shown
    assert "<i>" not in shown


def test_a_form_says_by_mark_and_colour_whether_it_is_right_and_the_reference_is_plain(page):
    app, row = choose(page, "fixed")
    shown = html_of(app)
    wrong, right = (f'<b style="--hue: var(--{name})">' for name in ("broken", "fixed"))
    assert f"background {wrong}{row.before} \u2717</b>" in shown
    assert f"adapted {right}{row.after} \u2713</b>" in shown
    assert f"reference <b>{row.gold}</b>" in shown
