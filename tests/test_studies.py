"""The studies beside the papers' tables, on tiny texts, and their sentences."""

import pytest
from table_rows import OPTIONS, rows_of

from workbench.experiments import backgrounds
from workbench.experiments.papers.study import Study
from workbench.experiments.papers.tables import STUDY_SPECS, make_tables
from workbench.experiments.studies import background_sizes, iis_sweeps, unknown_word_errors

NAMES = ["iis", "unknown", "exchange", "new-features"]  # the others are in test_evidence


@pytest.fixture(scope="module")
def made(background_corpus, domains, in_domain):
    """The tables by name, and their study."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(backgrounds, "model_folder", lambda: None)
        patch.setattr(iis_sweeps, "SWEEPS", (1, 4))
        patch.setattr(background_sizes, "AMOUNTS", (30, 9999))
        study = Study(background_corpus, domains, in_domain, [200], OPTIONS)
        return {t.spec.name: t for t in make_tables(study, NAMES)}, study


@pytest.fixture
def tables(made):
    return made[0]


def test_every_study_is_tested():
    assert set(STUDY_SPECS) == {*NAMES, "sigma2", "transfer"}


def test_more_sweeps_come_nearer_to_the_optimum(tables):
    for sigma2 in iis_sweeps.SIGMA2S:
        rows = rows_of(tables, "iis", sigma2=sigma2)
        assert [row["sweeps"] for row in rows] == ["1", "4", "optimum"]
        assert "p" not in rows[-1]
    loose = [row["log_likelihood"] for row in rows]  # at the largest sigma2
    assert loose == sorted(loose)


def test_unknown_words_are_those_that_the_background_does_not_have(tables, made):
    study, name = made[1], "talk"
    known = {word.lower() for word in study.text.forms}
    test = study.domains[name]["test"]
    n = sum(test.forms[form].lower() not in known for form in test.form_ids)
    rows = rows_of(tables, "unknown", tested_on=name, group="unknown")
    assert [row["words"] for row in rows] == [n] * 3
    full = rows_of(tables, "unknown", tested_on=name, system="words and sub-words")
    assert sum(r["error"] * r["words"] for r in full) / len(test) == pytest.approx(
        (study.memm().tag(test) != test.tags).mean()
    )
    assert unknown_word_errors.WITHOUT.startswith("ca04 -prefix1 ")


def test_the_grid_has_every_background_with_every_amount(tables):
    rows = tables["exchange"].rows
    assert len(rows) == 2 * 3
    assert [row["words"] > 0 for row in rows[:3]] == [False, True, True]
    assert [row.get("stretches") for row in rows[:3]] == [None, 10, 1]
    assert [row["low"] <= row["error"] <= row["high"] for row in rows if "low" in row] == [True] * 2
    assert tables["exchange"].sentence.endswith(".")


def test_the_rate_of_exchange_is_read_off_between_two_backgrounds(made):
    study = made[1]
    sizes = [len(part) for part in study.parts]
    assert background_sizes._worth(study, [0.1, 0.05], 0, 0.05) == sizes[1] - sizes[0]
    assert background_sizes._worth(study, [0.1, 0.05], 0, 0.1) is None  # no better than its own
    assert background_sizes._worth(study, [0.1, 0.05], 0, 0.04) is None  # better than any here
    middle = background_sizes._worth(study, [0.1, 0.05], 0, 0.075)
    assert middle == round((sizes[0] * sizes[1]) ** 0.5 - sizes[0])


def test_gains_of_new_features_are_by_background(tables):
    rows = rows_of(tables, "new-features", tested_on="talk")
    assert [row["background"] for row in rows] == sorted(row["background"] for row in rows)
    assert rows[0]["new"] > rows[-1]["new"]
    assert rows[0]["points"] == pytest.approx(100 * (rows[0]["none"] - rows[0]["every"]))
