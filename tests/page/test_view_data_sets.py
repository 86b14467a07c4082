"""The list of data sets that cannot be chosen."""

import pytest
from pages import html_of
from streamlit.testing.v1 import AppTest

from workbench.text.sets.registry import DataSet
from workbench.views import cache

PARTS = ("train", "dev", "test")


def page():
    from workbench.views.header import draw_unavailable

    draw_unavailable()


@pytest.fixture
def known(monkeypatch):
    """A list that stands in for the data sets of this machine."""
    found = []
    monkeypatch.setattr(cache, "all_data_sets", lambda: found)
    return found


def test_each_set_that_cannot_be_chosen_says_why_and_is_no_markup(known):
    known += [
        DataSet("whole", "folder", None, PARTS, 1, True, ""),
        DataSet("<b>half", "folder", None, PARTS[:1], 1, True, ""),
        DataSet("nltk-abc", "nltk", None, (), None, False, ""),
    ]
    app = AppTest.from_function(page).run()
    assert not app.exception
    text = html_of(app)
    assert "<b>&lt;b&gt;half</b>: only a background: it has no dev text and no test text." in text
    assert "<b>nltk-abc</b>: not downloaded; python -m nltk.downloader abc." in text
    assert "whole" not in text
    del known[1:]
    app = AppTest.from_function(page).run()
    assert not app.exception
    assert html_of(app) == ""
