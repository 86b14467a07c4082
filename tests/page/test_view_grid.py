"""The tab of the grid as Streamlit's own tester sees it."""

import pytest
from streamlit.testing.v1 import AppTest

from workbench.views.sections.surface import read_pick


def page():
    import streamlit as st

    from workbench.experiments.session import open_session
    from workbench.views.sections import surface

    if "session" not in st.session_state:
        st.session_state["session"] = open_session("tiny-news", "tiny-broadcast")
    session = st.session_state["session"]
    surface.draw_grid(session, session.at(1.0, 0), (0, None), print)


@pytest.fixture
def app(data):
    return AppTest.from_function(page, default_timeout=600).run()


def captions(app):
    return " ".join(
        caption.value.replace("\\", "").replace("\u200b", "") for caption in app.caption
    )


def test_what_is_known_is_drawn_without_a_fit(app):
    assert not app.exception
    assert len(app.get("vega_lite_chart")) == 1
    assert "1 of 50 points fitted" in captions(app)
    assert app.button[0].label == "Compute the whole grid"


def test_the_button_fits_the_rest_and_goes(app):
    app.button[0].click().run()
    assert not app.exception
    assert "50 of 50 points fitted" in captions(app)
    assert not app.button
    assert len(app.get("vega_lite_chart")) == 1


@pytest.mark.parametrize(
    ("picked", "point"),
    [({"sigma2": 1, "cutoff": "none", "gen": 0}, (1.0, None)),
     ({"sigma2": 0.46, "cutoff": "13", "gen": 2}, (0.46, 13))],
)  # fmt: skip
def test_a_click_is_read_as_a_point_of_the_grid(picked, point):
    assert read_pick(picked) == point
