"""The models that come with the package: small, licensed, private to nobody, and right."""

import re
from dataclasses import replace

import numpy as np
import pytest

from workbench import Corpus, adapt, load_model
from workbench.cli.main import main
from workbench.models.adapter import save_adapter
from workbench.models.files import read_description, read_parts, write_parts
from workbench.models.shipped import NAMES, SHIPPED, model_file
from workbench.text.errors import InputError

LINE = "anna smith flew from new york to rome on monday.\n"
CASED = "Anna Smith flew from New York to Rome on Monday.\n"


@pytest.fixture(scope="module")
def english():
    return load_model("en")


def test_recases_everyday_english_without_training(tmp_path, capfd):
    (tmp_path / "text.txt").write_text(LINE)
    main(["recase", "en", str(tmp_path / "text.txt")])
    assert capfd.readouterr().out == CASED


def test_the_best_and_its_baseline_take_a_megabyte_at_most():
    assert sum((SHIPPED / f"{name}.model").stat().st_size for name in ("en", "en-1gram")) <= 1e6
    assert {file.stem for file in SHIPPED.glob("*.model")} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_the_card_says_what_a_model_is(name, capfd):
    main(["inspect", name])
    shown = capfd.readouterr().out
    for says in ("CC-BY-SA-4.0", "State of the Union", "words wrong in test text", "bad at"):
        assert says in shown
    assert (SHIPPED / "LICENSE").exists()


def test_the_page_about_them_has_the_figures_of_the_cards():
    page = (SHIPPED.parents[2] / "docs/howto/english.md").read_text()
    for name in NAMES:
        errors = read_description(model_file(name))["info"]["card"]["words wrong in test text, %"]
        n_bytes = model_file(name).stat().st_size
        assert f"| {name} | {n_bytes:,} | {' | '.join(errors.values())} |" in page


@pytest.mark.parametrize("name", NAMES)
def test_no_handle_address_or_number_of_a_person_is_in_a_file(name):
    lists = read_parts(model_file(name))[2]
    private = re.compile(r"@\w|https?:|www\.|\d{3}[-. ]\d{4}|\d{5}")
    assert not [text for texts in lists.values() for text in texts if private.search(text)]


def test_a_name_is_a_model_and_a_path_is_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "en").write_text("no model")
    assert load_model("en").kind == "memm"
    with pytest.raises(InputError, match="not a model"):
        load_model("./en")


def test_an_adapter_finds_it_from_any_folder(english, tmp_path):
    text = Corpus.from_sentences([["The", "NLTK", "Tokenizer", "reads", "text", "."]] * 9)
    adapted = adapt(english, text, 1.0)
    save_adapter(adapted, english, "en", tmp_path / "a.adapter")
    loaded = load_model(tmp_path / "a.adapter")
    assert np.array_equal(loaded.weights, adapted.weights)


def test_only_a_table_of_sixteenths_is_packed_and_comes_back_the_same(english, tmp_path):
    english.save(tmp_path / "same.model")
    assert (tmp_path / "same.model").read_bytes() == model_file("en").read_bytes()
    for change in (1 / 32, 8.0):
        weights = english.weights.copy()
        weights[english.features.exists] += change
        replace(english, weights=weights).save(tmp_path / "other.model")
        assert np.array_equal(load_model(tmp_path / "other.model").weights, weights)


@pytest.mark.parametrize("broken", [
    {"features": lambda a: a[:-1]}, {"features": lambda a: a.astype(np.int32)},
    {"features": lambda a: np.zeros_like(a)}, {"weights": lambda a: a[1:]},
])  # fmt: skip
def test_a_damaged_packed_table_is_refused(tmp_path, broken):
    header, arrays, lists = read_parts(model_file("en-ca04"))
    arrays = {name: broken.get(name, lambda a: a)(array) for name, array in arrays.items()}
    kind = header.pop("kind")
    write_parts(tmp_path / "a.model", kind, header, arrays, lists)
    with pytest.raises(InputError, match="damaged or edited"):
        load_model(tmp_path / "a.model")
