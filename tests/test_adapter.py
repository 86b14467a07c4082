"""Adapters: small, exact, and refused away from their background."""

import shutil

import numpy as np
import pytest

from workbench.adaptation.methods.map import adapt
from workbench.models.adapter import fingerprint, save_adapter
from workbench.models.kinds import load_model
from workbench.text.errors import InputError


@pytest.fixture
def places(background, adaptation_corpus, tmp_path):
    """A background and an adapter of it, in files; and the adapted model."""
    adapted = adapt(background, adaptation_corpus, 1.0)
    (tmp_path / "deep").mkdir()
    files = tmp_path / "background.model", tmp_path / "deep" / "a.adapter"
    background.save(files[0])
    save_adapter(adapted, background, *files)
    return *files, adapted


def test_an_adapter_is_the_adapted_model(places, adaptation_corpus):
    _, file, adapted = places
    loaded = load_model(file)
    np.testing.assert_array_equal(loaded.weights, adapted.weights)
    np.testing.assert_array_equal(loaded.features.exists, adapted.features.exists)
    assert loaded.features.names() == adapted.features.names()
    assert loaded.mixed_forms == adapted.mixed_forms
    assert loaded.info == adapted.info
    np.testing.assert_array_equal(loaded.tag(adaptation_corpus), adapted.tag(adaptation_corpus))


def test_an_adapter_holds_only_what_changed(places, background, tmp_path):
    save_adapter(background, background, places[0], tmp_path / "same.adapter")
    assert (tmp_path / "same.adapter").stat().st_size < places[0].stat().st_size / 2


def test_files_may_move_together(places, adaptation_corpus, tmp_path):
    shutil.copytree(places[0].parent, tmp_path.parent / "elsewhere", dirs_exist_ok=True)
    shutil.rmtree(places[0].parent / "deep")
    places[0].unlink()
    loaded = load_model(tmp_path.parent / "elsewhere" / "deep" / "a.adapter")
    np.testing.assert_array_equal(loaded.weights, places[2].weights)


def test_without_its_background_an_adapter_says_what_it_needs(places):
    places[0].unlink()
    with pytest.raises(InputError, match=r"a.adapter: an adapter; its background .*not there"):
        load_model(places[1])


def test_another_background_is_refused(places):
    places[2].save(places[0])
    with pytest.raises(InputError, match="an adapter of another model"):
        load_model(places[1])


def test_a_fingerprint_follows_the_weights(background, places):
    assert fingerprint(background) == fingerprint(load_model(places[0]))
    assert fingerprint(background) != fingerprint(places[2])
