"""Several training texts, each with a weight: by repetition, on dev text, and as a command."""

import numpy as np
import pytest

from workbench.adaptation.weighted_texts import WeightedTexts
from workbench.experiments.search import TEXT_WEIGHT, choose_text_weights
from workbench.learning.prior import zero_mean_prior
from workbench.models.kinds import load_model
from workbench.models.memm import MEMM
from workbench.text.corpus import join

TEMPLATES = "ca04 +casing-1"


@pytest.fixture(scope="module")
def both(background_corpus, adaptation_corpus):
    return join(background_corpus, adaptation_corpus)


@pytest.fixture(scope="module")
def texts(both, background_corpus):
    training = MEMM.training_problem(both, "ca04", 0)
    return WeightedTexts(training, [background_corpus.n_sentences])


def learn(texts, *weights):
    problem = texts.at(weights)
    prior = zero_mean_prior(len(problem.mean), "gaussian", sigma2=2.0)
    return problem.model((fit := problem.maximise(prior, None, tolerance=1e-9)).weights, fit)


def test_texts_weigh_as_if_they_stood_so_often_in_one_text(texts, both, adaptation_corpus):
    expected = MEMM.fit(both, "ca04", 0, 2.0, tolerance=1e-9)
    np.testing.assert_allclose(learn(texts, 1, 1).weights, expected.weights, atol=1e-3)
    expected = MEMM.fit(join(both, adaptation_corpus), "ca04", 0, 2.0, tolerance=1e-9)
    model = learn(texts, 1, 2)
    np.testing.assert_allclose(model.weights, expected.weights, atol=1e-3)
    assert model.info["text_weights"] == [1.0, 2.0]


def test_words_are_described_as_in_training_on_all_texts(both, background_corpus):
    training = MEMM.training_problem(both, TEMPLATES, 0)
    problem = WeightedTexts(training, [background_corpus.n_sentences]).at([1.0, 1.0])
    weights = np.random.default_rng(0).normal(size=len(problem.mean))
    assert problem.log_likelihood(weights)[0] == pytest.approx(training.log_likelihood(weights)[0])


def test_the_weights_are_those_with_the_fewest_errors(texts, background_corpus, adaptation_parts):
    dev = adaptation_parts["dev"]
    weights, wrong = choose_text_weights(texts, [background_corpus.n_sentences, 1], dev, 2.0)
    counts = {w: dev.count_wrong(learn(texts, 1.0, w).tag(dev)) for w in TEXT_WEIGHT.values}
    assert wrong == min(counts.values())
    assert weights == [1.0, min(counts, key=lambda w: (counts[w], w))]


@pytest.mark.parametrize("options", [("1,0.5",), ("auto", "--dev")])
def test_train_takes_weights(run, place, output, options):
    given = ("--weights", *options, *([place / "talk"] if "--dev" in options else []))
    names = place / "news.txt", place / "talk"
    status, _, message = run("train", *names, "-o", output, *given, "--cutoff", "1")
    assert status == 0, message
    weights = load_model(output).info["text_weights"]
    assert weights == [1.0, 0.5] if "--dev" not in options else weights[0] == 1.0


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--weights", "1,2,3"), "weights 1,2,3: auto, or 2 numbers with commas between"),
        (("--weights", "1,-2"), "weights 1,-2: auto, or 2 numbers"),
        (("--weights", "0,0"), "weights 0,0: auto, or 2 numbers"),
        (("--weights", "1,x"), "weights 1,x: auto, or 2 numbers"),
        (("--weights", "auto"), "weights auto: --dev TEXT is needed"),
        (("--weights", "1,2", "--model", "1gram"), "weights 1,2: a memm or crf"),
        (("--weights", "1,2", "--cluster", "local"), "weights 1,2: texts are weighted in one"),
        (("--weights", "1,2", "--sigma2", "auto"), "sigma2 auto: with --weights, --dev TEXT is"),
    ],
)
def test_weights_that_cannot_be_are_refused(refuse, place, output, options, why):
    assert why in refuse("train", place / "news.txt", place / "talk", "-o", output, *options)


def test_one_text_has_no_weight(refuse, place, output):
    assert "are of two or more texts" in refuse(
        "train", place / "news.txt", "-o", output, "--weights", "2"
    )
