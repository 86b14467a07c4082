"""``train --weights``: one model of several texts, each with a weight given or searched on dev."""

from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from workbench.adaptation.weighted_texts import WeightedTexts
from workbench.cli import inputs, option_checks
from workbench.cli.console import Progress, say
from workbench.experiments.search import choose_text_weights, choose_training_sigma2
from workbench.learning.prior import GaussianPrior, zero_mean_prior
from workbench.learning.problem import Problem
from workbench.learning.solvers.fit import TOLERANCE
from workbench.models.log_linear import LogLinear
from workbench.settings import TRAINING
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError
from workbench.text.sets.overlap import find_shared, why_no_verdict


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
        ends = [*begins, corpus.n_sentences]
        is_new = _tell_shared(dev, corpus)
        weights = _search_weights(texts, ends, dev, sigma2) if is_new else [1.0] * len(ends)
    problem = texts.at(weights)
    if options.sigma2 == "auto":
        sigma2 = search_sigma2(problem, corpus, dev)
    prior = zero_mean_prior(len(problem.mean), GaussianPrior.name, sigma2=sigma2)
    with Progress("training") as progress:
        found = problem.maximise(prior, None, "lbfgs", tolerance=TOLERANCE, on_step=progress.step)
    share = fitting["drop_boundaries"]
    twice = {"drop_boundaries": share} if share else {}
    record = {"prior": GaussianPrior.name, "sigma2": sigma2, "solver": "lbfgs"}
    return problem.model(found.weights, found, **record, **twice)


def search_sigma2(problem: Problem, learnt: Any, dev: Corpus) -> float:
    """Return the best variance on dev, and say so; the default where dev is text learnt from."""
    if not _tell_shared(dev, learnt):
        return TRAINING["sigma2"].default
    with Progress("searching sigma2", "tried") as progress:
        best, tried = choose_training_sigma2(problem, dev, on_try=progress.tried)
    say(f"sigma2 {best:g} ({tried[best]:,} errors in {len(dev):,} words of dev)")
    return best


def _tell_shared(dev, learnt):
    """Say what dev shares with text learnt from; return whether it is new enough to search on."""
    by_hash = find_shared([dev], {"text": learnt.fingerprint})
    shared = by_hash or find_shared([dev], {}, [learnt])
    for each in shared:
        say(each.line + "; nothing is searched" * each.forbids)
    return not why_no_verdict(shared)


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
