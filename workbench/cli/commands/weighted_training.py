"""``train --weights``: one model of several texts, each with a weight given or searched on dev."""

from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from workbench.adaptation.weighted_texts import WeightedTexts
from workbench.cli import inputs, option_checks
from workbench.cli.console import Progress, say
from workbench.experiments.searches.training_search import (
    choose_text_weights,
    choose_training_sigma2,
)
from workbench.learning.prior import GaussianPrior, zero_mean_prior
from workbench.learning.solvers.fit import TOLERANCE
from workbench.models.log_linear import LogLinear
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError


def fit_weighted(
    corpus: Corpus, begins: Sequence[int], kind: type[LogLinear], fitting: dict[str, Any],
    options: Namespace,
) -> LogLinear:  # fmt: skip
    """Return the model of several texts; ``fitting`` as ``train`` reads it from the options."""
    dev: Any = None
    if options.dev is not None:
        dev = inputs.read_texts([options.dev], "dev", options).require_cased()
    how = {key: fitting[key] for key in ("templates", "cutoff", "drop_boundaries")}
    training, sigma2 = kind.training_problem(corpus, **how), fitting["sigma2"]
    if not len(training.mean):
        raise InputError(f"{corpus.name}: nothing is seen {fitting['cutoff']} times; lower it")
    texts = WeightedTexts(training, begins)
    weights = option_checks.check_text_weights(options)
    if weights is None:
        weights = _search_weights(texts, [*begins, corpus.n_sentences], dev, sigma2)
    problem = texts.at(weights)
    if options.sigma2 == "auto":
        with Progress("searching sigma2", "tried") as progress:
            sigma2, tried = choose_training_sigma2(problem, dev, on_try=progress.tried)
        say(f"sigma2 {sigma2:g} ({tried[sigma2]:,} errors in {len(dev):,} words of dev)")
    prior = zero_mean_prior(len(problem.mean), GaussianPrior.name, sigma2=sigma2)
    with Progress("training") as progress:
        found = problem.maximise(prior, None, "lbfgs", tolerance=TOLERANCE, on_step=progress.step)
    share = fitting["drop_boundaries"]
    twice = {"drop_boundaries": share} if share else {}
    record = {"prior": GaussianPrior.name, "sigma2": sigma2, "solver": "lbfgs"}
    return problem.model(found.weights, found, **record, **twice)


def _search_weights(texts, ends, dev, sigma2):
    sizes = [end - begin for begin, end in zip([0, *ends], ends, strict=False)]
    with Progress("searching weights") as progress:

        def on_try(weights):
            progress.began(f"trying weights {_list(weights.values())}")

        weights, wrong = choose_text_weights(texts, sizes, dev, sigma2, on_try)
    say(f"weights {_list(weights)} ({wrong:,} errors in {len(dev):,} words of dev)")
    return weights


def _list(weights):
    return ",".join(f"{weight:g}" for weight in weights)
