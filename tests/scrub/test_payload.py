"""What the browser is sent: every sigma^2 of a path, and what is said of it."""

import json
import re

import numpy as np
import pytest

from workbench.experiments.surface import Point, grid_points
from workbench.scrub import bundle
from workbench.scrub.slider import UNKNOWN, make_payload
from workbench.scrub.view import find_word, make_view, parse_pins
from workbench.settings import (
    BROKEN,
    FIXED,
    ROLE_COLORS,
    SETTINGS,
    SIGMA2_GRID,
    STILL_WRONG,
    Settings,
)
from workbench.text.errors import InputError


@pytest.fixture(scope="module")
def payload(tiny_session):
    return make_payload(tiny_session, 0)


def status(word, i):
    """Status of a word at a place of the grid, from its characters alone."""
    tag, right_before = ord(word["path"][i]) - ord("0"), word["background"] == word["gold"]
    if tag == word["gold"]:
        return None if right_before else FIXED
    return BROKEN if right_before else STILL_WRONG


# --- the path -----------------------------------------------------------------------------


@pytest.mark.parametrize("i", range(len(SIGMA2_GRID)))
def test_every_place_has_the_words_of_the_diff(payload, tiny_session, i):
    diff = tiny_session.at(SIGMA2_GRID[i]).diff
    found = {word["position"]: status(word, i) for word in payload["words"]}
    found = {position: name for position, name in found.items() if name}
    assert found == dict(zip(diff["position"], diff["status"], strict=True))


def test_the_payload_is_the_session_s(payload, tiny_session):
    diff = tiny_session.at(1.0).diff.set_index("position")
    place = SIGMA2_GRID.index(1.0)
    assert len(diff)
    for word in payload["words"]:
        if word["position"] in diff.index:
            row, tag = diff.loc[word["position"]], ord(word["path"][place]) - ord("0")
            assert (word["word"], word["before"]) == (row["gold"], row["before"])
            assert word["forms"][tag] == row["after"]
    for sigma2, point in zip(SIGMA2_GRID, payload["points"], strict=True):
        row = tiny_session.at(sigma2).models[-1]
        assert (point["error"], point["wrong"]) == (row["error_rate"], row["wrong"])
        assert point["change"] == row["versus"]["relative_change"]
        tags = tiny_session.at(sigma2).tuned.tags["dev"]
        assert point["spread"] == 1.96 * tiny_session.difference_error("dev", tags) > 0
        assert point["wrong"] == (tags != tiny_session.corpora["dev"].tags).sum()
    near = grid_points(tiny_session, [0])["near_best"].tolist()
    assert [point["near"] for point in payload["points"]] == near
    dev = tiny_session.corpora["dev"]
    assert {word["sentence"] for word in payload["words"]} == {
        sentence["number"] for sentence in payload["sentences"]
    }
    for sentence in payload["sentences"]:
        bare = [word.strip() for word in sentence["words"]]
        assert bare == dev.sentence(sentence["number"])
        assert dev.starts[sentence["number"]] == sentence["start"]
    for word in payload["words"]:
        assert dev.starts[word["sentence"]] + word["place"] == word["position"]
    tags = tiny_session.corpora["dev"].tags.tolist()
    assert payload["support"] == [tags.count(tag) for tag in range(len(payload["tags"]))]


def test_a_view_is_json_of_the_settings_with_a_pinned_states_wrong_words(tiny_session):
    view = make_view(tiny_session, Settings(pin="0.1, 0", pair="CAP>LOC", show="all"))
    assert json.loads(json.dumps(view, allow_nan=False))["at"]["pair"] == ["CAP", "LOC"]
    assert view["at"]["sigma2"] in view["payload"]["sigma2s"]
    assert view["at"]["cutoff"] in view["cutoffs"]
    view = make_view(tiny_session, Settings(pin="10,0; 0.1,none"))
    assert view["at"]["pin"] == "10, 0; 0.1, none"
    pinned = view["pinned"]
    tags, gold = tiny_session.at(0.1, None).tuned.tags["dev"], tiny_session.corpora["dev"].tags
    assert (pinned["sigma2"], pinned["cutoff"]) == ("0.1", "none")
    assert pinned["tags"] == {i: tags[i] for i in range(len(gold)) if tags[i] != gold[i]}
    assert pinned["wrong"] == len(pinned["tags"]) > 0
    view = make_view(tiny_session, Settings())
    texts = [SETTINGS["cutoff"].text(value) for value in SETTINGS["cutoff"].allowed]
    assert view["cutoffs"] == texts
    stops = set(view["payload"]["sigma2s"])
    assert all(preset["sigma2"] is None or preset["sigma2"] in stops for preset in view["presets"])


def test_a_view_has_the_cells_of_the_grid_that_are_known(fresh_session):
    nothing = make_view(fresh_session, Settings())["grid"]
    assert nothing == {"says": "No point of the grid is fitted yet.", "cells": []}
    error = fresh_session.at(1.0, None).point["dev_error_rate"]
    cell = {"cutoff": "none", "i": SIGMA2_GRID.index(1.0), "error": error, "p": 1.0,
            "near": True, "best": True, "simplest": False}  # fmt: skip
    grid = make_view(fresh_session, Settings())["grid"]
    assert grid["cells"] == [cell]
    assert f"{100 * error:.2f} % at σ² = 1, cut-off none" in grid["says"]


def test_the_introduction_has_the_sizes(tiny_session):
    said = tiny_session.introduction
    assert f"{len(tiny_session.corpora['train']):,} words" in said
    assert f"{tiny_session.background.info['words']:,} words of newswire" in said


def test_where_nothing_is_fitted_nothing_is_said(fresh_session):
    payload = make_payload(fresh_session, 0)
    assert payload["points"] == [None] * len(SIGMA2_GRID)
    assert {word["path"] for word in payload["words"]} == {UNKNOWN * len(SIGMA2_GRID)}
    wrong = np.flatnonzero(
        fresh_session.background_tags("dev") != fresh_session.corpora["dev"].tags
    )
    assert [word["position"] for word in payload["words"]] == wrong.tolist()


def test_the_payloads_name_is_another_when_a_fit_arrives(fresh_session):
    before = make_payload(fresh_session, 0)["id"]
    assert make_payload(fresh_session, 0)["id"] == before
    fresh_session.at(1.0)
    assert make_payload(fresh_session, 0)["id"] != before


# --- the view -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "places"),
    [("", []), ("1,none", [Point(None, 1.0)]), ("0.1, 0; 10,5", [Point(0, 0.1), Point(5, 10.0)])],
)
def test_pins_are_read(text, places):
    assert parse_pins(text) == places


@pytest.mark.parametrize("text", ["7, 0", "0.1", "0.1, 4", "x", "nan, 0", ", ,", "0.1, 0;"])
def test_a_bad_pin_is_refused(text):
    with pytest.raises(InputError, match="allowed are"):
        parse_pins(text)


def test_a_word_is_found_by_its_form_and_place(tiny_session):
    dev = tiny_session.corpora["dev"]
    position = len(dev) - 2
    form, word = dev.forms[dev.form_ids[position]], dev.words[dev.word_ids[position]]
    for written in (form, word):
        assert find_word(tiny_session, Settings(word=f"{written} · {position}")) == position
    for bad in (
        "",
        form,
        f"other · {position}",
        f"{form} · 99999",
        f"{form} · -1",
        "a · ²",
        "9" * 5000,
    ):
        assert find_word(tiny_session, Settings(word=bad)) is None


# --- the script and the sheet -------------------------------------------------------------

MOUNTS = ("streamlit", "widget", "report")


@pytest.mark.parametrize("mount", MOUNTS)
def test_nothing_is_left_to_import(mount):
    code = bundle.script(mount)
    assert not re.search(r"^\s*import\s", code, re.MULTILINE)
    exported = re.findall(r"^export .*$", code, re.MULTILINE)
    assert all(line.startswith("export default") for line in exported)
    assert len(exported) == (mount != "report")
    assert "</script" not in code


@pytest.mark.parametrize("name", [*bundle.MODULES, *MOUNTS])
def test_what_a_module_imports_is_exported_by_one_before_it(name):
    places = {module: place for place, module in enumerate(bundle.MODULES)}
    code = bundle._read(f"{name}.js")
    for names, module in re.findall(r'^import \{([^}]*)\} from "\./(\w+)\.js";', code, re.M):
        exported = bundle._EXPORT.findall(bundle._read(f"{module}.js"))
        wanted = [word.strip() for word in names.split(",") if word.strip()]
        assert set(wanted) <= set(exported)
        assert places[module] < places.get(name, len(places))
    assert code.count("import ") == len(re.findall(bundle._IMPORT, code))


def test_every_colour_of_a_role_is_defined():
    sheet = bundle.sheet()
    for role, color in ROLE_COLORS.items():
        assert f"--{role.replace(' ', '-')}: {color};" in sheet
    used = set(re.findall(r"var\(--([\w-]+)\)", sheet))
    defined = set(re.findall(r"--([\w-]+):", sheet))
    assert used <= defined
