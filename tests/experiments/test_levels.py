"""Texts between background and domain: a chain of adaptations, in Python and in the report."""

import re

import pytest
from pages import make_page

from workbench.adaptation.adaptation import adapt
from workbench.cli.main import main
from workbench.experiments.backgrounds import Level, read_levels, words_learnt
from workbench.experiments.session import open_session
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


def test_levels_are_read():
    assert read_levels(" wsj:1, a:b:0.3,") == (Level("wsj", 1.0), Level("a:b", 0.3))
    assert read_levels("") == ()
    for wrong in ("wsj", "wsj:0", "wsj:x", ":1", "wsj:1,wsj:2"):
        with pytest.raises(InputError):
            read_levels(wrong)


def test_a_session_is_adapted_to_its_levels_first(data):
    """By hand: the background, adapted twice."""
    session = open_session("tiny-news", "tiny-broadcast", levels=[("tiny-talk", 0.5)])
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


def test_an_old_link_with_levels_is_told_so(data):
    page = make_page(levels=LEVELS).run()
    assert not page.exception
    assert "the page adapts in one step" in page.warning[0].value


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
