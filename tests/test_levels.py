"""Texts between background and domain: a chain of adaptations, on the page and in the report."""

import re

import pytest
from pages import html_of, make_page

from workbench.adaptation.adaptation import adapt
from workbench.adaptation.method import Split
from workbench.cli.main import main
from workbench.experiments.backgrounds import Level, read_levels, words_learnt
from workbench.experiments.compare import compare
from workbench.experiments.exports import command_line, python_lines
from workbench.experiments.session import open_session
from workbench.settings import BACKGROUND, Settings
from workbench.text.corpus import join_each
from workbench.text.errors import InputError
from workbench.text.sets.registry import load


@pytest.fixture(scope="module")
def data(data):
    """A text between the two tiny ones."""
    (data / "tiny-talk").mkdir()
    text = (data / "tiny-broadcast" / "train.txt").read_text()
    lines = [line.replace("London", "LONDON") for line in text.splitlines()[::3]]
    (data / "tiny-talk" / "train.txt").write_text("\n".join(lines) + "\n")
    return data


LEVELS = "tiny-talk:0.5"


@pytest.fixture(scope="module")
def page(data):
    return make_page(levels=LEVELS).run()


def test_levels_are_read():
    assert read_levels(" wsj:1, a:b:0.3,") == (Level("wsj", 1.0), Level("a:b", 0.3))
    assert read_levels("") == ()
    for wrong in ("wsj", "wsj:0", "wsj:x", ":1", "wsj:1,wsj:2"):
        with pytest.raises(InputError):
            read_levels(wrong)


def test_a_session_is_adapted_to_its_levels_first(data, page):
    """By hand: the background, adapted twice."""
    session = page.session_state["last good result"][1]
    plain = open_session("tiny-news", "tiny-broadcast")
    between = adapt(plain.background, load("tiny-talk"), 0.5)
    dev = session.corpora["dev"]
    assert session.background.content_hash() == between.content_hash()
    assert session.background.content_hash() != plain.background.content_hash()
    assert (session.background_tags("dev") == between.tag(dev)).all()
    assert words_learnt(session.background.info) == 3_000 + len(load("tiny-talk"))
    n_words = sum(plain.word_counts.values()) + len(load("tiny-talk"))
    assert sum(session.word_counts.values()) == n_words
    assert session.unigram.tag(dev).tolist() == plain.unigram.tag(dev).tolist()


def test_the_page_shows_the_way_and_moves_each_step(page):
    assert not page.exception
    assert "adapted to <em>tiny-talk</em>, then to <em>tiny-broadcast</em>" in html_of(page)
    before = page.session_state["last good result"][1]
    page.select_slider(key="level 0").set_value("10").run()
    assert page.session_state["levels"] == "tiny-talk:10"
    session = page.session_state["last good result"][1]
    assert session.background.content_hash() != before.background.content_hash()
    page.multiselect(key="texts between").set_value([]).run()
    assert page.session_state["levels"] == ""
    assert not [slider for slider in page.select_slider if slider.key == "level 0"]
    page.multiselect(key="texts between").set_value(["tiny-talk"]).run()
    assert page.session_state["levels"] == "tiny-talk:1"


@pytest.mark.parametrize("levels", ["tiny-news:1", "nowhere:1", "tiny-talk:-1", "a:1,b:1,c:1"])
def test_a_level_that_cannot_be_is_refused_in_a_line(data, levels):
    page = make_page(levels=levels).run()
    assert not page.exception
    assert page.error


def test_python_and_commands_repeat_it(data, tmp_path, monkeypatch, capsys):
    settings = Settings("tiny-news", "tiny-broadcast", levels=LEVELS)
    exec(python_lines(settings), {})
    session = open_session("tiny-news", "tiny-broadcast", levels=[("tiny-talk", 0.5)])
    assert capsys.readouterr().out.strip() == session.at(1.0).summary
    monkeypatch.chdir(tmp_path)
    for line in command_line(settings).splitlines():
        assert main(line.split()[3:]) == 0
    error = 100 * session.at(1.0, part="test").models[-1]["error_rate"]
    assert f"{error:.2f}" in capsys.readouterr().out


def test_a_report_has_levels(data, tmp_path, capsys):
    file = tmp_path / "a.html"
    domain = ("--adapt", "tiny-broadcast", "--dev", "tiny-broadcast")
    own = ("report", "--background", "tiny-news", *domain, "--levels", LEVELS, "--sigma2", "1")
    assert main([*own, "--explained", "0", "-o", str(file)]) == 0
    session = open_session("tiny-news", "tiny-broadcast", levels=[("tiny-talk", 0.5)])
    error = 100 * session.at(1.0).models[-1]["error_rate"]
    assert f"adapted {error:.2f} %" in capsys.readouterr().err
    assert "<td>tiny-talk:0.5</td>" in re.sub(r"<td[^>]*>", "<td>", file.read_text())
    assert re.search(r"levels=\[\(.{1,9}tiny-talk.{1,9}, 0.5\)\]", file.read_text())


def test_compare_has_the_levels_as_texts_of_the_background(data):
    page = make_page(view="Compare", levels=LEVELS).run()
    assert not page.exception
    assert "<em>tiny-news + tiny-talk</em> adapted to <em>tiny-broadcast</em>" in html_of(page)
    assert {"chain", "hierarchy"} <= set(page.button_group(key="methods").options)
    page.button_group(key="methods").set_value(["map", "chain"]).run()
    rows = {row["name"]: row for row in page.session_state["last comparison"]["models"]}
    text, begins = join_each("tiny-news", [load("tiny-news"), load("tiny-talk")])
    domain = (load("tiny-broadcast", part) for part in ("train", "dev"))
    split = Split(text, *domain, BACKGROUND, begins=tuple(begins))
    made = compare(split, load("tiny-broadcast", "test"), ["map", "chain"])
    assert [rows[row["name"]]["error_rate"] for row in made["models"]] == [
        row["error_rate"] for row in made["models"]
    ]
