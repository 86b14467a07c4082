"""The scrubber of notebooks on the side of Python: settings in, views out."""

import json
import subprocess
import sys

import pytest
import traitlets

from workbench.scrub.slider import make_payload
from workbench.scrub.view import make_view
from workbench.scrub.widget import scrub
from workbench.settings import SIGMA2_GRID, Settings
from workbench.text.errors import InputError


@pytest.fixture
def widget(tiny_session):
    return scrub(tiny_session)


def as_json(value):
    return json.loads(json.dumps(value))


def test_it_holds_and_says_the_whole_path_at_once_and_another_for_another_cut_off(
    widget, tiny_session
):
    assert widget.payload == as_json(make_payload(tiny_session, 0))
    assert None not in widget.payload["points"]
    assert (widget.sigma2, widget.cutoff, widget.word) == (1.0, 0, "")
    expected = make_view(tiny_session, Settings())
    payload = expected.pop("payload")
    assert as_json(widget.said) == as_json({**expected, "id": payload["id"]})
    widget.cutoff = None
    assert (widget.payload["cutoff"], widget.said["at"]["cutoff"]) == (None, "none")
    errors = [point["error"] for point in widget.payload["points"]]
    assert errors == [tiny_session.at(s, None).models[-1]["error_rate"] for s in SIGMA2_GRID]


def test_a_move_changes_the_place_and_not_the_path(widget):
    before = widget.path
    widget.sigma2 = 0.1
    assert widget.said["at"]["sigma2"] == "0.1"
    assert widget.path == before


def test_a_word_is_explained_and_a_sentence_can_be_dropped(widget, tiny_session):
    word = next(word for word in widget.payload["words"] if len(set(word["path"])) > 1)
    widget.word = f"{word['word']} · {word['position']}"
    found = widget.said["explained"]
    assert found["why"]["position"] == word["position"] == widget.said["at"]["word"]
    sentence = found["because"]["pushed"][0]["sentence"]
    before = widget.payload["points"][12]["log_likelihood"]
    widget.dropped = [sentence]
    fewer = tiny_session.without({sentence})
    assert widget.payload["points"][12]["log_likelihood"] == pytest.approx(
        fewer.at(SIGMA2_GRID[12]).point["log_likelihood"], rel=1e-3
    )
    assert widget.payload["points"][12]["log_likelihood"] > before
    assert widget.said["explained"]["why"]["gap"]["adapted"] != found["why"]["gap"]["adapted"]
    widget.dropped = []
    assert widget.payload["points"][12]["log_likelihood"] == before
    widget.word = ""
    assert widget.said["explained"] is None


def test_a_pin_is_kept(widget, tiny_session):
    widget.pin = "0.1, 0"
    wrong = tiny_session.at(0.1).models[-1]["wrong"]
    assert widget.said["pinned"]["wrong"] == wrong


def test_where_no_script_runs_a_line_says_what_it_shows(widget, tiny_session):
    wrong = [row["wrong"] for row in tiny_session.at(1.0).models]
    n = len(tiny_session.corpora["dev"])
    assert repr(widget) == (
        f"σ² 1, cut-off 0: wrong of {n} dev words: "
        f"1-gram {wrong[0]}, background {wrong[1]}, adapted {wrong[2]}"
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [("sigma2", 7.0), ("cutoff", 4), ("show", "none"), ("pin", "7, 0"), ("lecture", "yes")],
)
def test_a_bad_value_is_refused_and_nothing_changes(widget, tiny_session, name, value):
    before = getattr(widget, name)
    with pytest.raises(traitlets.TraitError, match="allowed are"):
        setattr(widget, name, value)
    assert getattr(widget, name) == before
    with pytest.raises(InputError, match="allowed are"):
        scrub(tiny_session, **{name: value})


def test_an_unknown_setting_is_refused(tiny_session):
    with pytest.raises(InputError, match="sigma: allowed are background, domain"):
        scrub(tiny_session, sigma=1.0)


@pytest.mark.slow
def test_only_the_widget_needs_its_library():
    code = "import workbench.scrub.widget, sys; print({'anywidget', 'ipywidgets'} & {*sys.modules})"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "set()"
