"""The registry: names, folders and paths become corpora; nothing is half-written."""

import os
import re

import pytest

from workbench.text.errors import InputError
from workbench.text.sets import docstrings, registry, storage

TEXT = "The cat of Rome sleeps .\nA dog , in Paris , barks .\n"


def write_set(folder, **parts):
    folder.mkdir(parents=True)
    for part, text in parts.items():
        (folder / f"{part}.txt").write_text(text)


@pytest.fixture
def places(tmp_path, monkeypatch):
    """Empty folders in place of the project's data, the user's cache and WORKBENCH_DATA."""
    for name in ("data", "given", "cache", "work"):
        (tmp_path / name).mkdir()
    monkeypatch.setattr(storage, "DATA", tmp_path / "data")
    monkeypatch.delenv("WORKBENCH_CACHE", raising=False)
    monkeypatch.setenv("WORKBENCH_DATA", str(tmp_path / "given"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path


def folders():
    return {d.name: d for d in registry.known_data_sets() if d.kind == "folder"}


def test_folders_with_text_are_data_sets(places):
    write_set(places / "data" / "letters", train=TEXT, dev=TEXT)
    write_set(places / "given" / "news", train=TEXT, test=TEXT)
    found = folders()
    assert set(found) == {"letters", "news"}
    assert found["letters"].parts == ("train", "dev")
    assert found["news"].is_here
    assert found["news"].n_bytes == 2 * len(TEXT)


def test_a_set_that_cannot_be_chosen_says_why(places):
    write_set(places / "given" / "all", train=TEXT, dev=TEXT, test=TEXT)
    write_set(places / "given" / "some", train=TEXT, dev=TEXT)
    write_set(places / "given" / "one", train=TEXT)
    obstacles = {name: found.obstacle for name, found in folders().items()}
    assert obstacles == {
        "all": "",
        "some": "only a background: it has no test text",
        "one": "only a background: it has no dev text and no test text",
    }
    absent = registry.DataSet("nltk-abc", "nltk", None, (), None, False, "radio news")
    assert absent.obstacle == "not downloaded; python -m nltk.downloader abc"


def test_numbered_parts_are_a_training_text(places):
    (places / "given" / "wire").mkdir()
    (places / "given" / "wire" / "part-000.txt").write_text(TEXT)
    assert folders()["wire"].parts == ("train",)
    assert len(registry.load("wire")) == 14


def test_folders_of_labelled_words_say_what_is_labelled(places):
    for name in ("chunk-wsj/train.iob", "pos/us/train.tag"):
        (places / "given" / name).parent.mkdir(parents=True)
        (places / "given" / name).write_text("The DT B-NP\n")
    labels = {name: data_set.task for name, data_set in folders().items()}
    assert labels == {"chunk-wsj": "chunks", "pos/us": "parts of speech"}


def test_folders_the_registry_fills_are_no_sets(places):
    write_set(places / "data" / "embedded", train=TEXT)
    assert folders() == {}


def test_the_project_s_folder_wins_over_the_given_one(places):
    for root in ("data", "given"):
        write_set(places / root / "news", train=TEXT)
    assert folders()["news"].location == places / "data" / "news"


def test_a_name_is_loaded_part_by_part(places):
    write_set(places / "given" / "news", train=TEXT, dev="One day in May .\n")
    assert len(registry.load("news")) == 14
    corpus = registry.load("news", "dev")
    assert corpus.name == "news"
    assert corpus.sentence(0) == ["One", "day", "in", "May", "."]


def test_a_part_that_is_missing_is_named(places):
    write_set(places / "given" / "news", train=TEXT)
    with pytest.raises(InputError, match=r"test\.txt"):
        registry.load("news", "test")


def test_a_path_that_exists_wins_over_a_name(places):
    write_set(places / "given" / "news", train=TEXT)
    (places / "work" / "news").write_text("My own words here .\n")
    assert len(registry.load("news")) == 5


def test_an_unknown_name_lists_the_allowed_ones_and_an_empty_one_is_no_folder(places):
    write_set(places / "given" / "news", train=TEXT)
    with pytest.raises(InputError, match=r"nwes.*scientific-docs.*news") as caught:
        registry.load("nwes")
    assert "\n" not in str(caught.value)
    (places / "work" / "a.txt").write_text(TEXT)
    with pytest.raises(InputError, match="no file, folder or data set"):
        registry.load("")


def test_a_given_folder_that_is_not_there_is_said(places, monkeypatch):
    monkeypatch.setenv("WORKBENCH_DATA", str(places / "nowhere"))
    with pytest.raises(InputError, match=r"WORKBENCH_DATA=.*nowhere: no such folder"):
        registry.known_data_sets()


def test_embedded_sets_are_known_without_the_variable_each_with_a_name_and_a_note(
    places, monkeypatch
):
    monkeypatch.delenv("WORKBENCH_DATA")
    embedded = registry.find_data_set("streamlit-docs")
    assert embedded.is_here
    assert embedded.location is None
    assert embedded.n_bytes is None
    assert embedded.note.endswith("built on first use")
    known = registry.known_data_sets()
    assert len({d.name for d in known}) == len(known)
    assert all(d.note for d in known)


def test_a_set_of_a_package_that_is_missing_says_so(places, monkeypatch):
    absent = docstrings.EmbeddedSet(("no_such_package",), "docstrings of nothing")
    monkeypatch.setitem(docstrings.EMBEDDED_SETS, "absent-docs", absent)
    known = registry.find_data_set("absent-docs")
    assert (known.is_here, known.location) == (False, None)
    with pytest.raises(InputError, match=r"absent-docs: not here; .*needs no_such_package"):
        registry.load("absent-docs")


def fake_embedded(name, on_step=None):
    parts = dict.fromkeys(("train", "dev", "test"), TEXT.splitlines())
    return {"altair-docs": parts, name: parts}


def test_embedded_text_is_built_once_on_first_use(places, monkeypatch):
    built = []
    monkeypatch.setattr(
        docstrings, "read_embedded", lambda n, step: built.append(n) or fake_embedded(n)
    )
    for name in ("streamlit-docs", "streamlit-docs", "altair-docs"):
        assert len(registry.load(name, "test")) == 14
    assert built == ["streamlit-docs"]
    assert registry.find_data_set("streamlit-docs").location.is_relative_to(places / "data")


def test_a_new_build_removes_older_ones_and_nothing_else(places, monkeypatch):
    monkeypatch.setattr(docstrings, "read_embedded", fake_embedded)
    homes = [places / "data" / "embedded", places / "cache" / "embedded"]
    for home in homes:
        for old in ("numpy1.0-0123abcd", "my-own"):
            write_set(home / old / "streamlit-docs", train=TEXT)
        write_set(home / "numpy2.0-0123abcd" / "mine", train=TEXT)
    (homes[0] / "numpy3.0-0123abcd").symlink_to(homes[1] / "numpy1.0-0123abcd")
    registry.load("streamlit-docs")
    kept = {"my-own", "numpy2.0-0123abcd", "numpy3.0-0123abcd"}
    assert {f.name for f in homes[0].iterdir()} == {*kept, docstrings.embedded_key()}
    assert len(list(homes[1].rglob("train.txt"))) == 3


def test_steps_of_building_and_reading_are_told(places):
    write_set(places / "given" / "news", train=TEXT)
    steps = []
    registry.load("news", on_step=lambda *step: steps.append(step))
    assert steps == [(0, 1, "0 words read")]


def test_a_build_that_fails_leaves_nothing_and_the_first_of_two_wins(places):
    def fail(folder):
        (folder / "half.txt").write_text("half")
        raise InputError("stopped")

    with pytest.raises(InputError, match="stopped"):
        storage.build_once("embedded/key", fail)
    assert list((places / "data" / "embedded").iterdir()) == []

    def write(folder):
        (folder / "who.txt").write_text("second")
        write_set(places / "data" / "embedded" / "key", who="first")

    folder = storage.build_once("embedded/key", write)
    assert (folder / "who.txt").read_text() == "first"
    assert [f.name for f in (places / "data" / "embedded").iterdir()] == ["key"]


def test_text_goes_to_the_user_s_cache_where_data_cannot_be_written(places):
    (places / "data" / "embedded").write_text("a file where the folder should be")
    folder = storage.build_once("embedded/key", lambda f: (f / "a.txt").write_text("a"))
    assert folder == places / "cache" / "capitalization-workbench" / "embedded" / "key"
    assert storage.build_once("embedded/key", pytest.fail) == folder


def test_no_writable_place_is_one_clear_line(places):
    def full_disk(folder):
        raise OSError(28, "No space left on device")

    with pytest.raises(InputError, match=r"No space left.*writable folder") as caught:
        storage.build_once("embedded/key", full_disk)
    assert "\n" not in str(caught.value)


def test_a_fingerprint_is_of_the_content_of_files_of_a_known_name(places):
    news, copy = places / "given" / "news", places / "given" / "copy"
    for folder in (news, copy):
        write_set(folder, train=TEXT, dev=TEXT)
    before = registry.fingerprint("news")
    assert re.fullmatch("[0-9a-f]{12}", before)
    assert registry.fingerprint("copy") == before
    os.utime(news / "dev.txt", ns=(1, 1))  # another time, the same text
    assert registry.fingerprint("news") == before
    (news / "dev.txt").write_text(TEXT.replace("cat", "dog"))
    assert registry.fingerprint("news") != before
    (copy / "test.txt").write_text(TEXT)
    assert registry.fingerprint("copy") != before
    with pytest.raises(InputError, match="data sets here"):
        registry.fingerprint("absent")
