"""The studies beside the papers' tables, on tiny texts, and what they are computed by."""

import json

import numpy as np
import pytest
from table_rows import OPTIONS, rows_of

from benchmarks.studies import background_sizes, iis_sweeps, transfer, variance_choice
from benchmarks.studies.__main__ import STUDIES, main
from benchmarks.studies.evidence import choose_by_evidence, log_evidence
from benchmarks.studies.log_determinant import estimate_log_determinant
from benchmarks.studies.unknown_word_errors import WITHOUT
from workbench.adaptation.adaptation import Adaptation
from workbench.experiments import backgrounds
from workbench.experiments.papers.study import Study
from workbench.experiments.papers.tables import make_table


@pytest.fixture(scope="module")
def made(background_corpus, domains, in_domain):
    """The tables of all studies by name, and what they were made from."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(backgrounds, "model_folder", lambda: None)
        patch.setattr(iis_sweeps, "SWEEPS", (1, 4))
        patch.setattr(background_sizes, "AMOUNTS", (30, 9999))
        patch.setattr(variance_choice, "SHARES", (0.01, 1.0))
        patch.setattr(variance_choice, "_FEWEST", 5)
        patch.setattr(variance_choice, "choose_sigma2", lambda *_: (1.0, {}))  # has its own tests
        study = Study(background_corpus, domains, in_domain, [200], OPTIONS)
        return {name: make_table(spec, study) for name, spec in STUDIES.items()}, study


@pytest.fixture
def tables(made):
    return made[0]


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
    assert WITHOUT.startswith("ca04 -prefix1 ")


def test_the_grid_has_every_background_with_every_amount(tables):
    rows = tables["exchange"].rows
    assert len(rows) == 2 * 3
    assert [row["words"] > 0 for row in rows[:3]] == [False, True, True]
    assert [row.get("stretches") for row in rows[:3]] == [None, 10, 1]
    assert [row["low"] <= row["error"] <= row["high"] for row in rows if "low" in row] == [True] * 2


def test_gains_of_new_features_are_by_background(tables):
    rows = rows_of(tables, "new-features", tested_on="talk")
    assert [row["background"] for row in rows] == sorted(row["background"] for row in rows)
    assert rows[0]["new"] > rows[-1]["new"]
    assert rows[0]["points"] == pytest.approx(100 * (rows[0]["none"] - rows[0]["every"]))


def test_each_way_to_sigma2_is_measured_beside_dev(tables):
    rows = rows_of(tables, "sigma2", tested_on="talk")
    assert [row["way"] for row in rows] == list(variance_choice.WAYS)  # of 1 % nothing is learnt
    assert "p" not in rows[0]
    assert all(0 <= row["p"] <= 1 for row in rows[1:])


def test_transfer_has_every_pair_of_domains(tables):
    rows = tables["transfer"].rows
    assert len({(row["trained_on"], row["tested_on"]) for row in rows}) == len(rows) == 4
    assert tables["transfer"].sentence.startswith("Significant gain in 0 of 4 tests")


def test_the_rate_of_exchange_is_read_off_between_two_backgrounds(made):
    sizes = [len(part) for part in made[1].parts]
    middle = round((sizes[0] * sizes[1]) ** 0.5 - sizes[0])
    # An error of neither is worth nothing: no better than its own, or better than any here.
    expected = {0.05: sizes[1] - sizes[0], 0.1: None, 0.04: None, 0.075: middle}
    found = {error: background_sizes._worth(made[1], [0.1, 0.05], 0, error) for error in expected}
    assert found == expected


def test_one_word_more_is_no_transfer_in_the_picture():
    row = {"background": 0.03, "error": 0.02, "trained_on": "a", "change": 0.0, "p": 1.0}
    says = {"no change": "no clear difference", "loss is significant": "▲ significantly worse"}
    chart = transfer.draw_transfer([row | {"tested_on": name, "says": name} for name in says])
    data = next(iter(chart.to_dict()["datasets"].values()))
    assert {cell["says"]: cell["effect"] for cell in data} == says


def test_studies_are_made_by_a_command(place, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(place)
    texts = ["--background", "news.txt", "--adapt", "talk", "--background-cutoff", "1"]
    main(["transfer", *texts, "--json", "--pictures", str(tmp_path)])
    (table,) = json.loads(capsys.readouterr().out)["tables"]
    assert [(row["trained_on"], row["tested_on"]) for row in table["rows"]] == [("talk", "talk")]
    assert (tmp_path / "transfer.svg").read_text().startswith("<svg")
    with pytest.raises(SystemExit):
        main(["iis", "--background", "absent.txt", "--adapt", "talk"])
    assert "studies: absent.txt: no file, folder or data set" in capsys.readouterr().err


# --- the evidence for sigma^2 -------------------------------------------------------------


def test_a_log_determinant_is_estimated_within_its_error_and_exactly_for_a_diagonal():
    rng = np.random.default_rng(0)
    root = rng.normal(size=(300, 60)) * np.exp(rng.normal(size=60))
    matrix = np.eye(300) + 5 * root @ root.T
    found = estimate_log_determinant(matrix.__matmul__, matrix.diagonal(), 30, 80, seed=1)
    exact = np.linalg.slogdet(matrix)[1]
    assert abs(found.value - exact) < 3 * found.error < 0.15 * exact
    diagonal = np.geomspace(1, 1e6, 50)
    found = estimate_log_determinant(lambda v: diagonal * v, diagonal, 2, 5, seed=0)
    assert found.value == pytest.approx(np.log(diagonal).sum())


@pytest.fixture(scope="module")
def tuning(background, adaptation_corpus):
    return Adaptation(background, adaptation_corpus, texts={"dev": adaptation_corpus})


@pytest.mark.parametrize("sigma2", [0.03, 1.0, 30.0])
def test_the_evidence_is_laplaces_approximation(tuning, sigma2):
    fit, n = tuning.at(sigma2).fit, tuning.problem.n_active
    _, _, hessian = tuning.problem.log_likelihood.expand(fit.weights)
    dense = np.stack([hessian @ unit for unit in np.eye(n)])
    exact = fit.log_likelihood - np.sum((fit.weights - tuning.problem.mean) ** 2) / (2 * sigma2)
    exact -= np.linalg.slogdet(np.eye(n) + sigma2 * dense)[1] / 2
    found = log_evidence(tuning, sigma2)
    assert abs(found.value - exact) < max(4 * found.error, 1e-6)


def test_the_chosen_sigma2_has_the_highest_evidence(tuning):
    best, tried = choose_by_evidence(tuning)
    assert tried[best] == min(tried.values())
    assert -tried[best] == log_evidence(tuning, best).value
    assert 0.01 < best < 100
