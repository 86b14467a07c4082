"""One table of settings: widgets, links and messages agree."""

from dataclasses import fields, replace

import pytest

from workbench.adaptation.method import MODELS
from workbench.settings import (
    MODEL_KINDS,
    PRESETS,
    SETTINGS,
    SIGMA2_GRID,
    STATUSES_SHOWN,
    TRAINING,
    Settings,
)

HERE = {"background": ("news", "docs"), "domain": ("mail",)}


@pytest.mark.parametrize("setting", [*SETTINGS.values(), *TRAINING.values()], ids=lambda s: s.name)
def test_every_setting_says_what_it_is(setting):
    assert setting.label
    assert setting.unit
    assert setting.allowed or setting.is_free or setting.bounds or setting.unit == "data set"
    assert setting.help.endswith(".")
    if setting.allowed:
        assert setting.default in setting.allowed


@pytest.mark.parametrize("setting", SETTINGS.values(), ids=list(SETTINGS))
def test_texts_of_values_lead_back_to_them(setting):
    texts = [setting.text(value) for value in setting.allowed]
    assert len(set(texts)) == len(texts)
    assert [setting.parse(text) for text in texts] == list(setting.allowed)


@pytest.mark.parametrize(
    "settings",
    [
        Settings(),
        Settings("news", "mail", "crf", 0.01, 5, "test", "broken", "CAP>LOC", "gene · 3", "1, 0"),
        Settings(sigma2=100.0, cutoff=None, show="still wrong"),
    ],
)
def test_a_link_leads_back_to_its_settings(settings):
    allowed = {"background": ("scientific-docs", "news"), "domain": ("streamlit-docs", "mail")}
    assert Settings.from_query(settings.to_query(), allowed) == (settings, [])


def test_defaults_stay_out_of_the_link_and_are_those_of_the_settings():
    assert Settings().to_query() == {}
    assert replace(Settings(), cutoff=None).to_query() == {"cutoff": "none"}
    assert [field.name for field in fields(Settings)] == list(SETTINGS)
    assert Settings() == Settings(*(setting.default for setting in SETTINGS.values()))


def test_one_bad_value_leaves_the_others():
    settings, messages = Settings.from_query({"sigma2": "3.2", "part": "x", "utm": "y"}, HERE)
    assert settings == Settings(sigma2=3.2)
    assert len(messages) == 1


def test_kinds_of_models_presets_and_words_shown_are_all_there():
    assert [model.kind for model in MODELS] == list(MODEL_KINDS)
    assert all(preset.sigma2 is None or preset.sigma2 in SIGMA2_GRID for preset in PRESETS)
    assert all(preset.reason.endswith(".") for preset in PRESETS)
    assert set(STATUSES_SHOWN["all"]) == {s for shown in STATUSES_SHOWN.values() for s in shown}


def test_an_old_link_to_cut_off_1_means_0_the_same_model():
    assert Settings.from_query({"cutoff": "1"}) == (Settings(cutoff=0), [])


def test_capital_letters_of_a_value_do_not_matter_where_it_has_one_meaning():
    assert Settings.from_query({"view": "compare", "show": "ALL"}) == (
        Settings(view="Compare", show="all"), []
    )  # fmt: skip
    settings, (message,) = Settings.from_query({"domain": "MAIL"}, {"domain": ["Mail", "mail"]})
    assert settings == Settings()
    assert message.startswith("domain=MAIL: allowed are Mail, mail; ")


@pytest.mark.parametrize("text", ["1", "1.0", "1e0"])
def test_a_number_may_be_written_in_any_way(text):
    assert Settings.from_query({"sigma2": text}) == (Settings(sigma2=1.0), [])


@pytest.mark.parametrize(("text", "nearest"), [("2", 2.2), ("1.8", 1.5), ("0.011", 0.01)])
def test_a_number_between_two_steps_becomes_the_nearer_one(text, nearest):
    settings, messages = Settings.from_query({"sigma2": text})
    assert settings == Settings(sigma2=nearest)
    assert messages == [
        f"sigma2={text}: allowed are 0.01 to 100, 25 steps of a logarithmic scale; "
        f"{nearest:g} is used instead"
    ]


@pytest.mark.parametrize(
    ("query", "part_of_message"),
    [
        ({"sigma2": "abc"}, "sigma2=abc: allowed are 0.01 to 100, 25 steps"),
        ({"sigma2": "-1"}, "sigma2=-1"),
        ({"sigma2": "nan"}, "sigma2=nan"),
        ({"sigma2": "101"}, "sigma2=101"),
        ({"cutoff": "7"}, "cutoff=7: allowed are 0, 2, 3, 5, 8, 13, none; 0 is used instead"),
        ({"part": "train"}, "part=train: allowed are dev, test; dev is used instead"),
        ({"domain": "nowhere"}, "domain=nowhere: allowed are mail"),
        ({"part": "a\nb\x1b[2J"}, "part=a\ufffdb\ufffd[2J: allowed are dev, test"),
        ({"show": "x" * 500}, f"show={'x' * 40}: allowed are changed"),
    ],
)
def test_a_bad_value_falls_back_and_says_so(query, part_of_message):
    settings, messages = Settings.from_query(query, HERE)
    assert settings == Settings()
    assert len(messages) == 1
    assert part_of_message in messages[0]
