"""Two variances in ``adapt``, of the command line and of Python: a CRF's and an MEMM's."""

import re

import numpy as np
import pytest
from command_texts import write_halves

from workbench.adaptation.adaptation import Adaptation, adapt
from workbench.adaptation.method import Sources, Split, fold
from workbench.adaptation.methods import METHODS
from workbench.cli.main import main
from workbench.experiments.method_rows import learn
from workbench.experiments.search import ErrorCounter, choose_variances
from workbench.models.crf import CRF
from workbench.models.kinds import load_model
from workbench.models.memm import MEMM
from workbench.text.errors import InputError
from workbench.text.readers import read_corpus
from workbench.text.sets import storage

KINDS = {"memm": MEMM, "crf": CRF}
OPTIONS = {"templates": "currentword prefix1 t-1", "cutoff": 0, "sigma2": 5.0}


@pytest.fixture(scope="module")
def backgrounds(background_corpus):
    return {name: kind.fit(background_corpus, **OPTIONS) for name, kind in KINDS.items()}


@pytest.fixture(scope="module")
def place(tmp_path_factory, backgrounds, adaptation_corpus):
    """A folder with both backgrounds and a domain, train.txt and dev.txt."""
    folder = tmp_path_factory.mktemp("variances")
    for name, model in backgrounds.items():
        model.save(folder / name)
    write_halves(folder / "talk", adaptation_corpus)
    return folder


@pytest.fixture
def run(tmp_path, place, monkeypatch, capfd):
    """Run ``adapt`` of a background; returns exit status, standard error and where it writes."""
    monkeypatch.setattr(storage, "DATA", tmp_path / "absent")
    monkeypatch.delenv("WORKBENCH_DATA", raising=False)
    (tmp_path / "out").mkdir()
    output = tmp_path / "out" / "new.model"

    def _run(kind, *options):
        texts = place / kind, place / "talk", "-o", output
        status = main(["adapt", *map(str, [*texts, *options])])
        printed, message = capfd.readouterr()
        assert printed == ""
        return status, message, output

    return _run


def parts(place):
    return [read_corpus([place / "talk"], part) for part in ("train", "dev")]


# --- given --------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_adapt_takes_two_variances_and_an_adapter_is_the_model(run, place, backgrounds, kind):
    status, message, output = run(kind, "--sigma2-m", "0.3", "--sigma2-a", "5.5")
    assert status == 0
    assert ", sigma2_m 0.3, sigma2_a 5.5, " in message
    model, (train, _) = load_model(output), parts(place)
    assert {"method": "map-two-variances", "sigma2_m": 0.3, "sigma2_a": 5.5}.items() <= (
        model.info.items()
    )
    by_method = Adaptation(backgrounds[kind], train).learn(sigma2_m=0.3, sigma2_a=5.5)
    np.testing.assert_array_equal(model.weights, by_method.weights)
    assert model.info == by_method.info | {"measured": model.info["measured"]}
    variances = "--sigma2-m", "0.3", "--sigma2-a", "5.5"
    whole = load_model(run(kind, *variances)[2])
    adapter = load_model(run(kind, *variances, "--adapter")[2], [place])
    np.testing.assert_array_equal(adapter.weights, whole.weights)
    assert adapter.info == whole.info
    text = parts(place)[1]
    np.testing.assert_array_equal(adapter.tag(text), whole.tag(text))


@pytest.mark.parametrize("kind", KINDS)
def test_two_equal_variances_are_the_tied_one(backgrounds, adaptation_corpus, kind):
    tied = adapt(backgrounds[kind], adaptation_corpus, sigma2=0.7)
    two = adapt(backgrounds[kind], adaptation_corpus, sigma2_m=0.7, sigma2_a=0.7)
    np.testing.assert_allclose(two.weights, tied.weights, atol=1e-9)
    assert two.info["log_likelihood"] == pytest.approx(tied.info["log_likelihood"])


@pytest.mark.parametrize("kind", KINDS)
def test_each_variance_holds_its_own_features(backgrounds, adaptation_corpus, kind):
    background = backgrounds[kind]
    n, inherited = len(background.weights), background.features.exists
    model = adapt(background, adaptation_corpus, sigma2_m=1e-9, sigma2_a=1.0)
    np.testing.assert_allclose(
        model.weights[:n][inherited], background.weights[inherited], atol=1e-6
    )
    assert np.abs(model.weights[n:]).max() > 0.1
    model = adapt(background, adaptation_corpus, sigma2_m=1.0, sigma2_a=1e-9)
    assert np.abs(model.weights[n:]).max() < 1e-6
    assert np.abs(model.weights[:n] - background.weights)[inherited].max() > 0.1


def test_the_paper_s_scaling_takes_two_variances(run, backgrounds, adaptation_corpus):
    assert run("memm", "--sigma2-m", "0.3", "--sigma2-a", "1", "--solver", "iis")[0] == 0
    variances = {"sigma2_m": 0.3, "sigma2_a": 1.0}
    models = [
        adapt(backgrounds["memm"], adaptation_corpus, **variances, solver=solver, tolerance=1e-10)
        for solver in ("iis", "newton", "lbfgs")
    ]
    assert [model.info["solver"] for model in models] == ["iis", "newton", "lbfgs"]
    for other in models[1:]:
        np.testing.assert_allclose(models[0].weights, other.weights, atol=1e-3)


# --- searched -----------------------------------------------------------------------------


@pytest.mark.parametrize("options", [("--sigma2-m", "auto"), ("--sigma2-a", "auto")])
def test_auto_searches_both_as_a_comparison_does(run, place, backgrounds, options):
    train, dev = parts(place)
    status, message, output = run("memm", *options, "--dev", place / "talk", "--force")
    assert status == 0
    assert re.search(
        r", sigma2_m [\d.]+, sigma2_a [\d.]+ \(\d+ errors in \d+ words of dev\)", message
    )
    sources = Sources(Split(train, train, dev, OPTIONS))
    sources.background = backgrounds["memm"]
    learned = learn(METHODS["map-two-variances"], sources, dev)
    assert learned.hyper_parameters.items() <= load_model(output).info.items()
    assert f"({learned.dev_wrong} errors" in message


def test_a_given_variance_is_not_searched(run, place):
    message, output = run("crf", "--sigma2-a", "3", "--dev", place / "talk", "--force")[1:]
    assert re.search(r", sigma2_m [\d.]+, sigma2_a 3 \(\d+ errors in", message)
    assert load_model(output).info["sigma2_a"] == 3.0


def test_the_best_pair_is_the_best_of_all_that_were_tried(backgrounds, place):
    asked, (train, dev) = [], parts(place)
    best, tried = choose_variances(
        backgrounds["memm"], train, dev, 2, lambda *each: asked.append(each)
    )
    assert tried[tuple(best.values())] == min(tried.values())
    assert {(m, a): wrong for m, a, wrong in asked} == tried
    assert len(asked) == len(tried) >= 30
    model = adapt(backgrounds["memm"], train, **best, cutoff=2)
    assert (model.tag(dev) != dev.tags).sum() == min(tried.values())


def test_cross_validation_adds_the_errors_of_the_folds(run, backgrounds, place):
    train = parts(place)[0]
    message = run("memm", "--sigma2-m", "0.3")[1]
    best, tried = choose_variances(backgrounds["memm"], train, sigma2_m=0.3)
    sigma2_m, sigma2_a = best.values()
    wrong = tried[sigma2_m, sigma2_a]
    words = f"{wrong} errors in {len(train)} words of 5-fold cross-validation"
    assert f"sigma2_m {sigma2_m:g}, sigma2_a {sigma2_a:g} ({words})" in message
    assert {m for m, _ in tried} == {0.3}
    assert wrong == sum(
        ErrorCounter(Adaptation(backgrounds["memm"], rest), held)(**best)
        for rest, held in fold(train)
    )


# --- refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--sigma2-m", "0"), "sigma2_m 0: a finite number greater than 0 is allowed, or auto"),
        (("--sigma2-a", "-1e-3"), "sigma2_a -1e-3: a finite number greater than 0 is allowed"),
        (("--sigma2-a", "nan", "--sigma2-m", "1"), "sigma2_a nan: a finite number greater than 0"),
        (("--sigma2-a", "wide"), "sigma2_a wide: a finite number greater than 0 is allowed"),
        (("--sigma2-m", ""), "sigma2_m : a finite number greater than 0 is allowed"),
        (("--sigma2-m", "1", "--sigma2", "2"), "sigma2_m 1: sigma2 2 is one variance for all"),
        (("--sigma2-a", "1", "--sigma2", "auto"), "sigma2_a 1: sigma2 auto is one variance for"),
        (("--sigma2-a", "1", "--alpha", "2"), "alpha 2: the gaussian prior takes sigma2"),
        (
            ("--prior", "exponential", "--sigma2-a", "auto"),
            "sigma2_a auto: the exponential prior takes alpha",
        ),
        (("--cutoff", "none", "--sigma2-a", "1"), "sigma2_a 1: cutoff none adds no feature"),
    ],
)
def test_what_makes_no_prior_is_refused_before_anything_is_read(
    run, monkeypatch, place, options, why
):
    monkeypatch.setattr("workbench.cli.commands.evaluate.load_model", None)
    status, message, output = run("crf", *options)
    assert (status, list(output.parent.iterdir())) == (1, [])
    assert message.startswith("workbench: ")
    assert message.count("\n") == 1
    assert why in message


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({}, "no strength of the prior: sigma2, alpha, or sigma2_m and sigma2_a is to be given"),
        ({"sigma2_m": 1.0}, "sigma2_m: sigma2, alpha, or"),
        ({"sigma2": 1.0, "sigma2_m": 1.0, "sigma2_a": 1.0}, "sigma2 and sigma2_m and sigma2_a: "),
        ({"alpha": 1.0, "sigma2_m": 1.0, "sigma2_a": 1.0}, "alpha and sigma2_m and sigma2_a: "),
        ({"sigma2_m": 0, "sigma2_a": 1.0}, "sigma2_m 0: a finite number greater than 0"),
        ({"sigma2_m": 1.0, "sigma2_a": "wide"}, "sigma2_a wide: a finite number greater than 0"),
    ],
)
def test_adapt_refuses_what_makes_no_prior(backgrounds, adaptation_corpus, given, why):
    with pytest.raises(InputError, match=why):
        adapt(backgrounds["memm"], adaptation_corpus, **given)
