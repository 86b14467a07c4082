"""Lines and bars of progress on the page."""

import pytest
from streamlit.runtime.scriptrunner import StopException

from workbench.learning.solvers.fit import Step
from workbench.views import progress


def test_a_slow_fit_says_what_it_is_busy_with(monkeypatch):
    clock, lines, yields = [0.0], [], []
    monkeypatch.setattr(progress.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr("workbench.views.private.yield_run", lambda: yields.append(1))
    line = progress.Progress(_Place(lines))
    line.begin("training σ² = 3, cut-off 5")
    for iteration in range(10):
        clock[0] = iteration / 20
        line.on_step(Step(iteration, -1.0, 0.0, 0.0, clock[0]))
    assert len(yields) == 10  # each step lets a newer run take over
    assert [text.split(": ")[-1] for text in lines] == ["step 7 …</p>", "step 9 …</p>"]
    assert "training σ² = 3, cut-off 5" in lines[0]


@pytest.fixture
def line(monkeypatch):
    """A line of progress without patience, and what its place was given."""
    for name in ("_PATIENCE", "_PAUSE"):
        monkeypatch.setattr(progress, name, -1.0)
    monkeypatch.setattr("workbench.views.private.yield_run", lambda: None)
    lines = []
    return progress.Progress(_Place(lines)), lines


def test_a_line_goes_with_its_work_or_for_the_next(line):
    with line[0] as shown:
        shown.begin("reading")
        shown.on_build(0, 1, "0 words read")
    assert '<progress value="0" max="1" aria-label="0 of 1 files"></progress>' in line[1][0]
    assert "preparing text, 0 of 1 files" in line[1][0]
    assert line[1][1:] == [""]
    line[0].on_build(0, 1, "")
    with pytest.raises(ValueError, match="on purpose"), line[0]:
        raise ValueError("on purpose")
    assert line[1][-1] == ""
    shown, lines = line
    shown.begin("reading")
    shown.on_build(0, 1, "")
    shown.begin("training")
    assert "training …" in lines[-1]


def test_a_line_stays_when_streamlit_halts_the_run(line):
    """It could not be sent anyway; the style sheet says of what is left that it was stopped."""
    line[0].on_build(0, 1, "")
    with pytest.raises(StopException), line[0]:
        raise StopException
    assert len(line[1]) == 1


def test_who_waits_for_another_visitor_reads_so(line):
    shown, lines = line
    shown.begin("training the background model on <b>news</b>")
    shown.on_wait()
    expected = (
        "waiting: another visitor is training the background model on &lt;b&gt;news&lt;/b&gt; …"
    )
    assert expected in lines[-1]


def test_a_bar_counts_what_is_done_and_is_emptied(monkeypatch):
    monkeypatch.setattr("workbench.views.private.yield_run", lambda: None)
    lines = []
    with progress.ProgressBar(_Place(lines), 5, "methods", 2) as bar:
        bar.on_name("map")
        bar.on_try({"sigma2": 0.3})
    assert "2 of 5 methods done · map …" in lines[0]
    assert 'value="2" max="5"' in lines[0]
    assert "map, try 1: sigma2 0.3 …" in lines[1]
    assert lines[2:] == [""]


class _Place:
    def __init__(self, lines):
        self.lines = lines

    def html(self, text):
        self.lines.append(text)

    def empty(self):
        self.lines.append("")
