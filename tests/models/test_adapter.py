"""Adapters: small, exact, and of one background, wherever the user keeps it."""

import shutil

import numpy as np
import pytest
from model_files import rewrite

from workbench.adaptation.adaptation import adapt
from workbench.models.adapter import save_adapter
from workbench.models.files import read_parts, write_parts
from workbench.models.kinds import load_model
from workbench.text.errors import InputError


@pytest.fixture(scope="module")
def adapted(background, adaptation_corpus):
    return adapt(background, adaptation_corpus, 1.0)


@pytest.fixture
def places(background, adapted, tmp_path, monkeypatch):
    """A background and an adapter of it beside it, in files; and an empty cache."""
    monkeypatch.setenv("WORKBENCH_CACHE", str(tmp_path / "cache"))
    (tmp_path / "own").mkdir()
    files = tmp_path / "own" / "background.model", tmp_path / "own" / "a.adapter"
    background.save(files[0])
    save_adapter(adapted, background, *files)
    return files


def refuse(path, *backgrounds):
    """Load an adapter that cannot be; the one line that says why."""
    with pytest.raises(InputError) as caught:
        load_model(path, backgrounds)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_an_adapter_is_the_adapted_model_but_small_and_may_move_with_its_background(
    places, adapted, adaptation_corpus, background, tmp_path
):
    loaded = load_model(places[1])
    np.testing.assert_array_equal(loaded.weights, adapted.weights)
    np.testing.assert_array_equal(loaded.features.exists, adapted.features.exists)
    assert loaded.features.names() == adapted.features.names()
    assert loaded.mixed_forms == adapted.mixed_forms
    assert loaded.info == adapted.info
    np.testing.assert_array_equal(loaded.tag(adaptation_corpus), adapted.tag(adaptation_corpus))
    assert background.content_hash() == load_model(places[0]).content_hash()
    assert background.content_hash() != adapted.content_hash()
    assert read_parts(places[1])[0]["background"]["file"] == "background.model"
    save_adapter(background, background, places[0], tmp_path / "same.adapter")
    assert (tmp_path / "same.adapter").stat().st_size < places[0].stat().st_size / 2
    places[0].parent.rename(tmp_path / "elsewhere")
    loaded = load_model(tmp_path / "elsewhere" / "a.adapter")
    np.testing.assert_array_equal(loaded.weights, adapted.weights)


def test_without_its_background_an_adapter_says_what_it_needs(places, background):
    places[0].unlink()
    said = refuse(places[1])
    assert (
        f"its background 'background.model', {background.content_hash()[:12]}, is not there" in said
    )
    assert f"looked for in {places[1].parent}, in the cache" in said


@pytest.mark.parametrize("is_given", [False, True])
def test_another_background_is_refused(places, adapted, is_given):
    adapted.save(places[0])
    given = [places[0]] if is_given else []
    assert f"an adapter of another model than {places[0]}" in refuse(places[1], *given)


def test_a_background_of_any_name_is_found_by_its_hash_be_it_an_adapter(
    places, adapted, background_corpus
):
    places[0].rename(places[0].with_name("renamed"))
    np.testing.assert_array_equal(load_model(places[1]).weights, adapted.weights)
    again = adapt(adapted, background_corpus, 1.0)
    file = places[1].with_name("again.adapter")
    save_adapter(again, adapted, places[1], file)
    np.testing.assert_array_equal(load_model(file).weights, again.weights)


@pytest.mark.parametrize("named", ["file", "folder"])
def test_a_background_is_found_where_the_user_says(places, adapted, tmp_path, named):
    (tmp_path / "mine").mkdir()
    moved = places[0].rename(tmp_path / "mine" / "b")
    given = moved if named == "file" else moved.parent
    np.testing.assert_array_equal(load_model(places[1], [given]).weights, adapted.weights)
    refuse(places[1], tmp_path / "absent")


def test_a_background_is_found_in_the_cache(places, adapted, tmp_path):
    (tmp_path / "cache" / "models").mkdir(parents=True)
    places[0].rename(tmp_path / "cache" / "models" / "0123.model")
    np.testing.assert_array_equal(load_model(places[1]).weights, adapted.weights)


def as_older_versions(places, file):
    """Make both files as older versions wrote them: no hash in the headers but a fingerprint."""

    def age(header):
        header.pop("sha256")
        if "background" in header:
            header["background"].pop("sha256")
            header["background"]["file"] = file

    for place in places:
        rewrite(place, header=age)


@pytest.mark.parametrize("file", ["../background.model", "background.model", "x\\background.model"])
def test_an_adapter_of_an_older_version_is_read(places, adapted, file):
    as_older_versions(places, file)
    np.testing.assert_array_equal(load_model(places[1]).weights, adapted.weights)


def test_an_older_background_beside_its_adapter_is_found_under_any_name(places, adapted):
    as_older_versions(places, "gone.model")
    np.testing.assert_array_equal(load_model(places[1]).weights, adapted.weights)


@pytest.mark.parametrize("absolute", [True, False])
def test_no_path_in_the_file_is_followed(places, tmp_path, absolute):
    (tmp_path / "secret").mkdir()
    moved = places[0].rename(tmp_path / "secret" / "background.model")
    named = str(moved) if absolute else "../secret/background.model"
    rewrite(places[1], header=lambda header: header["background"].update(file=named))
    assert "is not there" in refuse(places[1])


@pytest.mark.parametrize("name", ["", ".", "..", "/", "a/..", "\0", "x" * 5000])
def test_a_name_that_is_no_file_is_refused(places, name):
    places[0].unlink()
    rewrite(places[1], header=lambda header: header["background"].update(file=name))
    refuse(places[1])


@pytest.mark.parametrize(
    "named", [None, [], "background.model", {}, {"file": 3}, {"file": "a", "sha256": 3},
              {"file": "background.model", "sha256": ""},
              {"file": "background.model", "fingerprint": "6"}],
)  # fmt: skip
def test_a_background_without_name_or_hash_is_refused(places, named):
    rewrite(places[1], header=lambda header: header.update(background=named))
    refuse(places[1])


def test_an_adapter_is_not_its_own_background(places):
    own = read_parts(places[1])[0]["sha256"]
    named = {"file": places[1].name, "sha256": own}
    rewrite(places[1], header=lambda header: header.update(background=named))
    places[0].unlink()
    assert "is not there" in refuse(places[1])
    assert "is not there" in refuse(places[1], places[1])


def test_a_loop_of_adapters_is_refused(places):
    first, second = places[1], places[1].with_name("b.adapter")
    places[0].unlink()
    shutil.copy(first, second)
    for file, other, digest in ((first, second, "0" * 64), (second, first, "1" * 64)):
        named = {"file": other.name, "sha256": digest.translate({48: 49, 49: 48})}
        rewrite(
            file, header=lambda header, n=named, d=digest: header.update(background=n, sha256=d)
        )
    assert "a loop of adapters" in refuse(first)


def test_many_adapters_of_one_another_are_refused_soon(places):
    places[0].unlink()
    named = {"file": "any", "sha256": "0" * 64}
    rewrite(places[1], header=lambda header: header.update(background=named, sha256="0" * 64))
    for number in range(12):
        shutil.copy(places[1], places[1].with_name(f"{number}.adapter"))
    refuse(places[1])


def test_a_folder_of_other_files_does_no_harm(places, adapted):
    for name in ("a", "zz"):
        places[0].with_name(name).write_bytes(b"PK\5\6 no model at all, but some bytes of it")
    places[0].rename(places[0].with_name("m"))
    np.testing.assert_array_equal(load_model(places[1]).weights, adapted.weights)


CHANGES = {
    "cells": [lambda a: -a[::-1] - 1, lambda a: a[::-1], lambda a: a + 10**8, lambda a: a[:-1],
              lambda a: a * 1.0, lambda a: a[:, None], lambda a: a * 0],
    "weights": [lambda a: a * np.nan, lambda a: a + np.inf, lambda a: a[:-1], lambda a: a + 1e300,
                lambda a: (a * 0).astype(int)],
    "new_features": [lambda a: -a[::-1] - 1, lambda a: a[::-1], lambda a: a + 10**8,
                     lambda a: a[:0], lambda a: a * 1.0],
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "change"), [(name, change) for name in CHANGES for change in CHANGES[name]]
)
def test_arrays_that_do_not_fit_are_refused(places, name, change):
    header, arrays, lists = read_parts(places[1])
    arrays[name] = change(arrays[name])
    write_parts(places[1], header["kind"], header, arrays, lists)
    refuse(places[1])
