"""The evidence for sigma^2 and its determinant, against dense matrices; studies made of them."""

import numpy as np
import pytest
from table_rows import OPTIONS

from workbench.experiments import backgrounds
from workbench.experiments.papers.study import Study
from workbench.experiments.papers.tables import make_tables
from workbench.experiments.studies import variance_choice
from workbench.experiments.studies.evidence import choose_by_evidence, log_evidence
from workbench.experiments.tuning import Tuning
from workbench.numerics.log_determinant import estimate_log_determinant


def test_a_log_determinant_is_estimated_within_its_error():
    rng = np.random.default_rng(0)
    root = rng.normal(size=(300, 60)) * np.exp(rng.normal(size=60))
    matrix = np.eye(300) + 5 * root @ root.T
    found = estimate_log_determinant(matrix.__matmul__, matrix.diagonal(), 30, 80, seed=1)
    exact = np.linalg.slogdet(matrix)[1]
    assert abs(found.value - exact) < 3 * found.error < 0.15 * exact


def test_one_probe_is_exact_for_a_diagonal():
    diagonal = np.geomspace(1, 1e6, 50)
    found = estimate_log_determinant(lambda v: diagonal * v, diagonal, 2, 5, seed=0)
    assert found.value == pytest.approx(np.log(diagonal).sum())


@pytest.fixture(scope="module")
def tuning(background, adaptation_corpus):
    return Tuning(background, adaptation_corpus, {"dev": adaptation_corpus})


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


@pytest.fixture(scope="module")
def studies(background_corpus, domains):
    """Tables of the studies beside the papers' tables, by name."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(backgrounds, "model_folder", lambda: None)
        patch.setattr(variance_choice, "SHARES", (0.01, 1.0))
        patch.setattr(variance_choice, "_FEWEST", 5)
        patch.setattr(variance_choice, "choose_sigma2", lambda *_: (1.0, {}))  # has its own tests
        study = Study(background_corpus, domains, amounts=[200], options=OPTIONS)
        return {t.spec.name: t for t in make_tables(study, ["sigma2", "transfer"])}


def test_each_way_to_sigma2_is_measured_beside_dev(studies):
    rows = [row for row in studies["sigma2"].rows if row["tested_on"] == "talk"]
    assert [row["way"] for row in rows] == list(variance_choice.WAYS)  # of 1 % nothing is learnt
    assert "p" not in rows[0]
    assert all(0 <= row["p"] <= 1 for row in rows[1:])
    assert "by evidence the error on test is" in studies["sigma2"].sentence


def test_transfer_has_every_pair_of_domains(studies):
    rows = studies["transfer"].rows
    assert len({(row["trained_on"], row["tested_on"]) for row in rows}) == len(rows) == 4
    assert studies["transfer"].sentence.startswith("Of 2 pairs of different domains")
