"""``inspect``: what model files say of themselves, and where an adapter's background is."""

import json

import pytest
from model_files import rewrite

from workbench.adaptation.adaptation import adapt
from workbench.models.adapter import save_adapter


@pytest.fixture
def models(place, background, adaptation_corpus, tmp_path, monkeypatch):
    """A folder of its own with a background, an adapter and a text; and an empty cache."""
    monkeypatch.setenv("WORKBENCH_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "models"
    folder.mkdir()
    background.save(folder / "news.model")
    adapted = adapt(background, adaptation_corpus, 1.0)
    save_adapter(adapted, background, folder / "news.model", folder / "talk.adapter")
    (folder / "readme.txt").write_text("No model.")
    return folder


@pytest.fixture
def inspect(run):
    def _inspect(*words):
        status, printed, _ = run("inspect", *words, "--json")
        assert status == 0
        return json.loads(printed)["models"]

    return _inspect


def test_a_model_and_each_of_a_folder_say_what_they_are(inspect, models, background):
    (said,) = inspect(models / "news.model")
    assert (said["kind"], said["name"]) == ("memm", background.info["name"])
    assert said["features"] == len(background.features)
    assert said["sha256"] == background.content_hash()
    assert said["templates"].split() == [template.name for template in background.templates]
    assert "background" not in said
    assert [said["kind"] for said in inspect(models)] == ["memm", "adapter"]


def test_an_adapter_says_where_its_background_is(inspect, models, background):
    found = {"name": "news.model", "sha256": background.content_hash()}
    adapter, model = models / "talk.adapter", models / "news.model"
    assert inspect(adapter)[0]["background"] == found | {"file": str(model)}
    moved = model.rename(models.parent / "moved")
    assert inspect(adapter)[0]["background"] == found | {"file": None}
    given = inspect(adapter, "--background", moved)[0]["background"]
    assert given == found | {"file": str(moved)}


def test_lines_for_people_name_the_same_and_escape_what_a_strange_file_says(
    run, models, background
):
    status, printed, _ = run("inspect", models)
    assert status == 0
    assert str(models / "talk.adapter") in printed
    assert f"news.model, {background.content_hash()}: {models / 'news.model'}" in printed

    def change(header):
        header["info"] = {"name": "\x1b[2Jnews\n\n", "words": [1], "cutoff": {}}
        header["background"] = {"file": "\x1b", "fingerprint": "x"}

    rewrite(models / "talk.adapter", header=change)
    status, printed, _ = run("inspect", models / "talk.adapter")
    assert status == 0
    assert "\x1b" not in printed
    assert "not found" in printed


@pytest.mark.parametrize("tags", [5, True, "LOC", {"LOC": 1}])
def test_tag_names_that_are_no_list_are_not_counted(inspect, models, tags):
    """Found by atheris: a number has no length."""
    rewrite(models / "news.model", header=lambda header: header.update(tag_names=tags))
    (said,) = inspect(models / "news.model")
    assert said["tags"] is None


@pytest.mark.parametrize("name", ["absent", "readme.txt", "empty"])
def test_what_is_no_model_is_refused(refuse, models, name):
    (models / "empty").mkdir()
    assert str(models / name) in refuse("inspect", models / name)


@pytest.mark.parametrize("command", ["recase", "evaluate"])
def test_commands_take_the_place_of_a_background(run, models, place, command):
    moved = (models / "news.model").rename(models.parent / "moved")
    text = {"recase": [place / "news.txt"], "evaluate": ["--test", place / "talk"]}[command]
    words = [command, models / "talk.adapter", *text]
    status, printed, message = run(*words)
    assert (status, printed) == (1, "")
    assert "is not there" in message
    assert run(*words, "--background", moved.parent)[0] == 0


def test_adapt_says_what_an_adapter_elsewhere_needs(run, place, models, output):
    text = (models / "news.model", place / "talk", "--adapter", "--sigma2", "1")
    _, _, message = run("adapt", *text, "-o", output)
    assert f"{output}: is read with {models / 'news.model'} beside it, or" in message
    assert "beside it" not in run("adapt", *text, "-o", models / "again.adapter")[2]
