"""The view Papers: every table of the papers can be made, seen and taken away."""

import pytest
from pages import html_of, make_page
from streamlit.runtime.scriptrunner import StopException

from workbench.experiments.papers.tables import all_specs, find_specs_of
from workbench.text.tasks import TaskName
from workbench.views import cache
from workbench.views.typography import typeset

TABLE_SPECS = all_specs()


@pytest.fixture(scope="module")
def data(data):
    """A second domain among the data sets."""
    (data / "tiny-talk").mkdir()
    for part in ("train", "dev", "test"):
        text = (data / "tiny-broadcast" / f"{part}.txt").read_text()
        (data / "tiny-talk" / f"{part}.txt").write_text(text + "Now , to London .\n")
    return data


def open_page(table, **query):
    return make_page(view="Papers", table=TABLE_SPECS[table].label, **query).run()


def test_every_table_is_made(data):
    page = make_page(view="Papers", domain="tiny-talk").run()  # of the one domain alone
    for spec in find_specs_of(TaskName.CASE):
        page.pills(key="table").set_value(spec.label).run()
        assert not page.exception
        assert not page.error
        assert [head.value for head in page.subheader] == [typeset(f"{spec.source}: {spec.title}")]
        assert "wb-summary" in html_of(page)
        assert len(page.dataframe) == 1
        assert len(page.get("download_button")) == 1


def test_the_matrix_has_the_domains_that_are_chosen_even_one_and_a_chart(data):
    page = open_page("6")
    assert page.pills(key="table").value == TABLE_SPECS["6"].label
    rows = page.dataframe[0].value
    assert set(rows["tested_on"]) == {"tiny-broadcast", "tiny-talk"}
    assert set(rows["trained_on"]) == {"1-gram", "background", "tiny-broadcast", "tiny-talk"}
    assert len(page.get("vega_lite_chart")) == 1
    assert "<em>tiny-broadcast and tiny-talk</em>" in html_of(page)
    key = next(control.key for control in page.multiselect if control.key.startswith("domains"))
    page.multiselect(key=key).set_value([]).run()
    assert set(page.dataframe[0].value["tested_on"]) == {"tiny-broadcast"}


def test_a_table_says_what_it_was_made_on_and_of(data):
    page = open_page("1")
    assert "background 3,000 words · tiny-broadcast " in html_of(page)
    page = open_page("2", templates="currentword t-1")
    assert "templates currentword t-1" in html_of(page)


def test_numbers_and_sentences_are_set_with_the_signs_of_print(data):
    shown = open_page("5").dataframe[0].value["log_likelihood"]
    assert shown.str.fullmatch(r"−[\d,]+\.\d").all()
    assert typeset("the best sigma2_m is 10") == "the best σ²m is 10"
    shown = typeset("-44% at sigma2 1 on bn-2, pn08-1; -4258.58")
    assert shown == "−44\u00a0% at σ² 1 on bn-2, pn08-1; −4258.58"


def test_a_text_that_changes_on_disk_makes_a_new_table(data, monkeypatch):
    def words():
        rows = open_page("1").dataframe[0].value
        return rows.loc[rows["text"] == "tiny-broadcast", "test"].item()

    monkeypatch.setattr(cache, "_FRESH", -1.0)  # look at the files each time
    test = data / "tiny-broadcast" / "test.txt"
    before, text = words(), test.read_text()
    try:
        test.write_text(text + "Now , to London .\n")
        assert words() == before + 5
    finally:
        test.write_text(text)


def test_a_table_that_nobody_looks_at_any_more_is_stopped_within_a_fit(data, monkeypatch):
    steps = []

    def end_soon(step=None):  # as Streamlit does when the user has chosen another table
        steps.extend([step] if step else [])
        if len(steps) > 20:
            raise StopException

    monkeypatch.setattr("workbench.views.private.yield_run", end_soon)
    page = open_page("5", templates="currentword")
    assert len(steps) == 21
    assert not page.exception
    assert not page.error
    assert not page.dataframe
    monkeypatch.undo()
    assert len(page.run().dataframe) == 1  # what the stopped run held is free
