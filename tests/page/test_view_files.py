"""The section of files: every file says what the page says, and the lines repeat it."""

import contextlib
import html
import io
import json
import subprocess
import sys
from types import SimpleNamespace

import pandas as pd
import pytest
from pages import bring, make_page, point_of, said, view_of

from workbench.experiments.repeat import (
    Source,
    changed_words_csv,
    curve_csv,
    figures_json,
    python_lines,
)
from workbench.experiments.session import Session, open_session
from workbench.experiments.surface import fill_paths
from workbench.settings import BACKGROUND, Settings
from workbench.views import controls
from workbench.views.sections import take_away

SETTINGS = Settings(
    background="tiny-news", domain="tiny-broadcast", sigma2=0.1, section="take away"
)


@pytest.fixture
def page(data):
    return make_page(section="take away", sigma2="0.1").run()


@pytest.fixture(scope="module")
def session(data):
    return open_session("tiny-news", "tiny-broadcast")


@pytest.fixture
def snapshot(session):
    return session.at(0.1)


def refuse(word):
    raise AssertionError(f"{word} is no strict JSON")


def labels(app):
    return [button.proto.label for button in app.get("download_button")]


def uploader(app, label):
    return next(each for each in app.get("file_uploader") if each.label == label)


def test_everything_can_be_taken_away_and_repeated(page, data, session, snapshot):
    assert not page.exception
    assert not page.error
    assert labels(page) == [
        "Adapted model", "Changed words, CSV", "Curve, CSV", "Figures, JSON",
        "Report, HTML", "Teacher's sheet, HTML",
    ]  # fmt: skip
    assert len(page.get("bidi_component")) == 4  # visit, shelf, scrubber, ahead
    assert [code.language for code in page.code] == ["python", "bash"]
    assert "Report, HTML" in labels(page)
    _, session, snapshot = page.session_state["last good result"]
    made = take_away.report_page(SETTINGS, session, Source.of(SETTINGS))
    assert "<title>tiny-news → tiny-broadcast</title>" in made
    assert html.escape(snapshot.summary) in made
    assert '"cutoffs":["0"]' in made
    fill_paths(session, [5])  # as the page does at a cut-off that was looked at
    assert '"cutoffs":["0","5"]' in take_away.report_page(SETTINGS, session, Source.of(SETTINGS))
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(page.code[0].value, {})
    assert printed.getvalue().strip() == page.session_state["last good result"][2].summary
    _, *words = page.code[1].value.split()
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=True)
    (point,) = json.loads(done.stdout)["points"]
    shown = point_of(page)
    assert point["dev_error_rate"] == pytest.approx(shown["dev"], abs=1e-12)
    assert point["sigma2"] == 0.1


def test_a_file_is_recased_as_by_the_command_line(data, snapshot, tmp_path, monkeypatch):
    offered = {}
    monkeypatch.setattr(controls, "offer_file", lambda *a, **_: offered.update([a[:2]]))
    text = b"The NumPy people met in \xff boston , said the fbi .\r\n"
    page = make_page(section="take away", sigma2="0.1").run()
    uploader(page, "Text to recase").upload("mail.txt", text, "text/plain").run()
    snapshot.tuned.model.save(tmp_path / "adapted.model")
    command = [sys.executable, "-m", "workbench", "recase", str(tmp_path / "adapted.model")]
    done = subprocess.run(command, input=text, capture_output=True, check=True)
    assert b"met in \xff " in done.stdout
    assert offered["Recased text"] == done.stdout


def test_from_the_files_one_goes_to_the_best_setting_and_they_say_what_another_costs(data):
    page = make_page(section="take away", sigma2="100").run()
    (choice,) = [each.value for each in page.caption if "The best on dev" in each.value]
    (button,) = [each for each in page.button if each.label == "Take the best instead"]
    button.click().run()
    told = choice.replace("\\", "")  # as a browser shows it
    assert f"σ² = {page.session_state['sigma2']}, cut-off 0. " in told
    assert not [each for each in page.button if each.label == "Take the best instead"]
    assert any("On dev no other σ² " in each.value for each in page.caption)


def test_every_file_says_what_the_page_says_in_four_digits(snapshot, session):
    table = pd.read_csv(io.StringIO(changed_words_csv(snapshot)), keep_default_na=False)
    assert table["position"].tolist() == snapshot.diff["position"].tolist()
    assert table["after"].tolist() == snapshot.diff["after"].tolist()
    table = pd.read_csv(io.StringIO(curve_csv(session, 0)))
    (row,) = table[table["sigma2"] == 0.1].to_dict("records")
    assert row["dev_error_rate"] == pytest.approx(snapshot.point["dev_error_rate"], abs=5.1e-5)
    assert row["new_features"] == snapshot.point["new_features"]
    assert not [name for name in table if "test" in name]  # its envelope is sealed


def test_figures_are_strict_json_that_identifies_the_texts_and_stays_the_same(
    session, snapshot, data
):
    text = figures_json(session, SETTINGS, snapshot)
    figures = json.loads(text, parse_constant=refuse)
    assert "test_error_rate" not in text
    assert "test_error_rate" in figures_json(session, SETTINGS, session.at(0.1, part="test"))
    wrong = {row["name"]: row["wrong"] for row in figures["models"]}
    assert wrong == {row["name"]: row["wrong"] for row in snapshot.models}
    for part, corpus in session.corpora.items():
        assert figures["domain"][part]["fingerprint"] == corpus.fingerprint
        assert figures["domain"][part]["words"] == len(corpus)
    assert Settings(**figures["settings"]) == SETTINGS
    undefined = [row["low"] is None for row in figures["slices"]]
    assert undefined == session.slices(snapshot)["low"].isna().tolist()
    assert any(undefined)
    again = open_session("tiny-news", "tiny-broadcast")
    text = figures_json(again, SETTINGS, again.at(0.1))
    assert text == figures_json(session, SETTINGS, snapshot)


def test_what_is_not_the_default_is_in_the_lines():
    settings = Settings("a b", "c", "crf", 3.2, None, "test", templates="ca04 +shape")
    session = Session.__new__(Session)
    session.is_of_model = False
    session.background = SimpleNamespace(kind="crf", info=BACKGROUND)
    _, command = session.commands(settings)
    assert "'a b'" in command
    for piece in ("--model crf", "--templates 'ca04 +shape'", "--cutoff none", "--sigma2 3.2"):
        assert piece in command
    code = python_lines(session, settings, Source.of(settings))
    assert "kind=CRF" in code
    assert "'templates': 'ca04 +shape'" in code
    assert 'session.at(3.2, cutoff=None, part="test")' in code
    compile(code, "lines", "exec")


def test_what_a_lesson_is_taken_along_in_is_there_while_its_figures_are_hidden(data):
    app = make_page(section="take away", lesson="leash", step="2").run()
    assert view_of(app)["lesson"]["veil"] == "counts"
    assert {"Report with this lesson, HTML", "Teacher's sheet, HTML"} <= set(labels(app))
    assert "Adaptation fixed" not in said(*app.caption)


def test_a_text_of_ones_own_is_read_from_its_file(data, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = "He met Watson in New York .\nThe company said so .\nIBM rose .\n" * 9
    (tmp_path / "my text.txt").write_text(lines)
    offered = {}
    monkeypatch.setattr(controls, "offer_file", lambda *a, **_: offered.update([a[:2]]))
    app = make_page(section="take away").run()
    bring(app, lines.encode(), "my text.txt")
    assert len(app.code) == 1  # a command does not divide a text
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(app.code[0].value, {})
    assert printed.getvalue().strip() == app.session_state["last good result"][2].summary
    report = offered["Report, HTML"]()  # made on a click, when Streamlit knows of no visitor
    assert html.escape(app.code[0].value) in report
    assert "--adapt " not in report
