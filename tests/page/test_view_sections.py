"""The sections of amounts and of a trial as Streamlit's own tester sees them."""

from math import nan

import pytest
from pages import html_of, said
from streamlit.testing.v1 import AppTest

from workbench.experiments.confidence import TriedWord
from workbench.views.sections.trial import trial_html

EVIL = '<img src="http://example.org/x.png" onerror="alert(1)">'


def section_page(name):
    import streamlit as st

    from workbench.experiments.session import open_session
    from workbench.settings import Settings
    from workbench.text.tasks import TaskName
    from workbench.views.sections import sections_of

    if "session" not in st.session_state:
        st.session_state["session"] = open_session("tiny-news", "tiny-broadcast")
    session = st.session_state["session"]
    snapshot = session.at(st.session_state.get("s2", 1.0), 0)
    sections_of(TaskName.CASE)[name].draw(Settings(), session, snapshot)


def opened(name):
    app = AppTest.from_function(section_page, args=(name,), default_timeout=600).run()
    assert not app.exception
    return app


@pytest.fixture
def amounts(data):
    return opened("how little data")


@pytest.fixture
def trial(data):
    return opened("try a text")


def test_curves_are_computed_at_once_then_scrubbed_and_stay_while_sigma2_moves(amounts):
    assert not amounts.exception
    assert len(amounts.get("vega_lite_chart")) == 1
    assert amounts.button[0].disabled
    slider = amounts.select_slider(key="sentences")
    assert slider.options[:4] == ["0", "2", "5", "10"]
    before = said(*amounts.caption, *amounts.markdown)
    slider.set_value(0).run()
    assert "Without adaptation data: background" in said(*amounts.caption, *amounts.markdown)
    assert said(*amounts.caption, *amounts.markdown) != before
    amounts.session_state["s2"] = 10.0
    amounts.run()
    assert len(amounts.get("vega_lite_chart")) == 1
    assert "Fits at σ² = 1." in said(*amounts.caption, *amounts.markdown)
    assert amounts.button[0].label == "Compute the learning curves at σ² = 10"
    assert not amounts.button[0].disabled


def test_sigma2_can_be_chosen_for_every_fit(amounts):
    amounts.toggle(key="tuned").set_value(True).run()
    amounts.button[0].click().run()
    assert "Fits each with the best on dev of σ² = 0.1, 1, 10." in said(
        *amounts.caption, *amounts.markdown
    )


def test_a_trial_recases_a_sentence_or_what_is_typed_without_markup(trial):
    text = trial.text_area(key="try").value
    assert text
    assert text == text.lower()
    rows = html_of(trial)
    for name in ("1-gram", "background", "adapted"):
        assert f"{name}</b>" in rows
    assert "≠" in rows
    trial.text_area(key="try").set_value(f"apple said {EVIL}").run()
    assert not trial.exception
    rows = html_of(trial)
    assert rows.count("Apple said") >= 2  # a word that is not sure stands in a mark
    assert "<img" not in rows


def test_a_trial_tells_what_a_change_of_the_text_moves(trial):
    text = trial.text_area(key="try").value
    words = text.split()
    trial.text_area(key="try").set_value(" ".join([*words[:-2], "numpy", words[-1]])).run()
    assert any(each.value.startswith("Your last change moves") for each in trial.caption)
    trial.text_area(key="try").set_value("Something else.").run()
    assert not any(each.value.startswith("Your last change moves") for each in trial.caption)


def test_a_trial_refuses_long_texts_and_tells_what_the_threshold_costs(trial):
    trial.text_area(key="try").set_value("x" * 3000).run()
    assert len(trial.error) == 1
    assert "a text of more than 2,000 characters" in said(*trial.error)
    assert len(trial.get("vega_lite_chart")) == 1  # the rest of the tab stays
    trial.select_slider(key="sure").set_value(0.0).run()
    assert "sure of 100.0 % of the dev words (p > 0)" in said(*trial.caption, *trial.markdown)


def test_marks_differ_by_line_and_sign_and_every_word_is_escaped():
    forms = {"1-gram": EVIL, "background": EVIL, "adapted": EVIL.upper()}
    shown = trial_html([TriedWord(" ", forms, "AUC", 0.4)], 0.9)
    assert "<img" not in shown.lower()
    assert "≠" in shown
    assert "underline solid" in shown
    assert "dotted" in shown
    assert "p(AUC) = 0.400" in shown
    sure = trial_html([TriedWord(" ", forms | {"adapted": EVIL}, "LOC", 0.95)], 0.9)
    assert "dotted" not in sure
    assert "≠" not in sure
    assert 'data-word="0"' in sure
    assert "data-word" not in trial_html([TriedWord("", forms, "", nan)], 0.9), "nothing to ask"
