"""A variance for each template: the gradient beside refits, the search, and ``adapt``."""

import numpy as np
import pytest
from command_texts import write_halves
from hypergradients import check_hypergradient

from workbench.adaptation import tied_variances
from workbench.adaptation.adaptation import adapt
from workbench.adaptation.method import fold
from workbench.adaptation.methods import template_variances
from workbench.adaptation.methods.template_variances import TemplateVariances
from workbench.cli.main import main
from workbench.experiments.gradient_search import choose_template_variances
from workbench.models.crf import CRF
from workbench.models.ensemble import Ensemble
from workbench.models.kinds import load_model
from workbench.models.memm import MEMM
from workbench.text.errors import InputError
from workbench.text.readers import read_corpus
from workbench.text.sets import storage

KINDS = {"memm": MEMM, "crf": CRF}
OPTIONS = {"templates": "currentword prefix1 t-1 suffix2", "cutoff": 0, "sigma2": 5.0}
NAMES = {"sigma2_m.currentword", "sigma2_m.t-1", "sigma2_a.currentword", "sigma2_a.suffix2"}
FAR = 1e-13


@pytest.fixture(scope="module", params=KINDS)
def kind(request):
    return request.param


@pytest.fixture(scope="module")
def background(kind, background_corpus):
    return KINDS[kind].fit(background_corpus, **OPTIONS)


@pytest.fixture
def texts(adaptation_parts):
    return adaptation_parts["train"], adaptation_parts["dev"]


# --- the model ----------------------------------------------------------------------------


def test_one_variance_for_all_templates_is_map_and_each_holds_its_template_alone(background, texts):
    equal = TemplateVariances(background, texts[0]).learn(sigma2_m=0.7, sigma2_a=0.7)
    tied = adapt(background, texts[0], sigma2=0.7)
    np.testing.assert_allclose(equal.weights, tied.weights, atol=2e-3)
    assert equal.info["log_likelihood"] == pytest.approx(tied.info["log_likelihood"], abs=1e-2)
    assert equal.info["method"] == "map-by-template"
    problem = TemplateVariances(background, texts[0])
    assert problem.start.keys() > NAMES
    moved = problem.refit(**{"sigma2_m.suffix2": 1e-9, "sigma2_a.suffix2": 1e-9})
    change = np.abs(problem.domain_weights(moved) - problem.problem.background_weights)
    places = problem.problem.templates()
    assert change[places["suffix2"]].max() < 1e-6
    for name in ("currentword", "prefix1", "t-1"):
        assert change[places[name]].max() > 0.05, name


def test_the_hypergradient_is_how_the_held_out_likelihood_moves(background, texts, monkeypatch):
    """Foo, Do & Ng (2007): derivatives without a fit, beside differences of two fits each."""
    monkeypatch.setattr(template_variances, "LEFT_OUT", 0.0)
    monkeypatch.setattr(template_variances, "_TOLERANCE", FAR)
    monkeypatch.setattr(tied_variances, "_TOLERANCE", 1e-9)
    problem = TemplateVariances(background, texts[0])
    assert problem.start.keys() > NAMES
    check_hypergradient(problem, texts[1], problem.refit, NAMES)


@pytest.mark.parametrize("bad", [0, -1.0, np.nan, np.inf, "wide"])
def test_a_variance_that_is_none_is_refused(background, texts, bad):
    problem = TemplateVariances(background, texts[0])
    with pytest.raises(InputError, match=r"sigma2_a.suffix2 \S+: a finite number greater than 0"):
        problem.refit(**{"sigma2_a.suffix2": bad})


# --- the search ---------------------------------------------------------------------------


def test_errors_are_those_of_the_model_with_the_variances_on_dev_or_each_fold(background, texts):
    train, dev = texts
    values, wrong = choose_template_variances(background, train, dev, cutoff=1)
    model = TemplateVariances(background, train, cutoff=1).learn(**values)
    assert abs(dev.count_wrong(model.tag(dev)) - wrong) <= 1  # another start of the fit
    assert model.info["cutoff"] == 1
    assert values.keys() > NAMES
    assert len(set(values.values())) > len(values) / 2
    asked, train = [], texts[0]
    values, wrong = choose_template_variances(background, train, on_try=asked.append)
    assert values in asked
    assert all(set(each) == set(values) for each in asked)
    by_fold = (
        held.count_wrong(TemplateVariances(background, rest).learn(**values).tag(held))
        for rest, held in fold(train)
    )
    assert abs(wrong - sum(by_fold)) <= 2


# --- the command --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def place(tmp_path_factory, kind, background, adaptation_corpus):
    """A folder with a background's file and a domain, train.txt and dev.txt."""
    folder = tmp_path_factory.mktemp("templates")
    background.save(folder / kind)
    write_halves(folder / "talk", adaptation_corpus)
    return folder


@pytest.fixture
def run(tmp_path, place, kind, monkeypatch, capfd):
    """Run ``adapt``; returns exit status, standard error and where it writes."""
    monkeypatch.setattr(storage, "DATA", tmp_path / "absent")
    monkeypatch.delenv("WORKBENCH_DATA", raising=False)
    output = tmp_path / "new.model"

    def _run(*options, background=None):
        texts = background or place / kind, place / "talk", "-o", output
        status = main(["adapt", *map(str, [*texts, *options])])
        printed, message = capfd.readouterr()
        assert printed == ""
        return status, message, output

    return _run


@pytest.mark.slow
@pytest.mark.parametrize("has_dev", [True, False])
def test_adapt_finds_a_variance_for_each_template(run, place, background, has_dev):
    train, dev = (read_corpus([place / "talk"], part) for part in ("train", "dev"))
    held = ("--dev", place / "talk") if has_dev else ()
    status, message, output = run("--sigma2", "by-template", "--force", *held)
    assert status == 0
    values, wrong = choose_template_variances(background, train, dev if has_dev else None)
    n_words, what = (len(dev), "dev") if has_dev else (len(train), "5-fold cross-validation")
    assert f"in the geometric mean over templates ({wrong} errors in {n_words} words" in message
    assert f"words of {what})" in message
    model = load_model(output)
    assert values.items() <= model.info.items()
    assert model.info["method"] == "map-by-template"
    by_python = TemplateVariances(background, train).learn(**values)
    np.testing.assert_array_equal(model.weights, by_python.weights)
    assert ("measured" in model.info) == (model.info.get("declined") is None)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--sigma2", "by-templates"), "sigma2 by-templates: a finite number greater than 0 is "
         "allowed, or auto or by-template"),
        (("--sigma2", "by-template", "--sigma2-a", "3"), "sigma2_a 3: sigma2 by-template has one "
         "for each template"),
        (("--sigma2", "by-template", "--solver", "newton"), "solver newton: with --sigma2 "
         "by-template, lbfgs is allowed"),
        (("--sigma2", "by-template", "--prior", "exponential"), "sigma2 by-template: the "
         "exponential prior takes alpha"),
    ],
)  # fmt: skip
def test_what_cannot_be_by_template_is_refused(run, options, why):
    status, message, output = run(*options)
    assert (status, message) == (1, f"workbench: {why}\n")
    assert not output.exists()


def test_an_ensemble_has_no_variances_by_template(run, tmp_path, background_corpus):
    members = tmp_path / "several.model"
    Ensemble.fit(background_corpus, **OPTIONS).save(members)
    status, message, output = run("--sigma2", "by-template", background=members)
    assert status == 1
    assert "sigma2 by-template: needs a memm or crf background, not ensemble" in message
    assert not output.exists()
