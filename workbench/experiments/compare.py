"""Methods side by side on one split, each tuned on development data only."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from workbench.adaptation.map import adapt
from workbench.evaluation.report import report
from workbench.experiments.line_search import choose_sigma2
from workbench.models.memm import MEMM
from workbench.models.unigram import Unigram
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError


@dataclass(frozen=True, eq=False)
class Split:
    """What a method may learn from.

    Attributes
    ----------
    background : Corpus
    adaptation : Corpus
    dev : Corpus
        To choose hyper-parameters on.
    options : dict
        Of the background: ``templates``, ``cutoff``, ``sigma2``.
    """

    background: Corpus
    adaptation: Corpus
    dev: Corpus
    options: dict


@dataclass(frozen=True, eq=False)
class Method:
    """A way to a capitalizer for a new domain.

    Attributes
    ----------
    name : str
    note : str
        What it is, in a few words.
    learn : callable
        From a ``Split`` and the background MEMM to (capitalizer, hyper-parameters).
    """

    name: str
    note: str
    learn: Callable


def _learn_unigram(split, _):
    return Unigram.fit(split.background), {}


def _keep_background(split, background):
    return background, dict(split.options)


def _learn_map(split, background):
    sigma2, _ = choose_sigma2(background, split.adaptation, split.dev)
    return adapt(background, split.adaptation, sigma2), {"sigma2": sigma2, "cutoff": 0}


METHODS = {
    method.name: method
    for method in (
        Method("1-gram", "each word its most frequent tag in the background", _learn_unigram),
        Method("background", "the MEMM of the background, not adapted", _keep_background),
        Method("map", "MAP adaptation, sigma2 chosen on dev", _learn_map),
    )
}


def find_methods(names):
    """Return the methods with the given names, "all" for every one; InputError if unknown."""
    if unknown := [name for name in names if name not in {*METHODS, "all"}]:
        raise InputError(f"method {unknown[0]!r}: known are {', '.join(METHODS)}, all")
    return [METHODS[name] for name in (METHODS if "all" in names else dict.fromkeys(names))]


def compare(split, test, names=("all",), on_method=None, on_step=None):
    """Learn every method on a split and score it on test data.

    Parameters
    ----------
    split : Split
    test : Corpus
    names : sequence of str
    on_method : callable, optional
        Called with the name of each method when its turn comes.
    on_step : callable, optional
        Called with each ``Step`` of the background's training.

    Returns
    -------
    comparison : dict
        ``evaluation.report.report`` with, for each model, its ``hyper_parameters`` and
        ``fit_seconds`` (beyond the training of the background, which the methods share).
    """
    methods = find_methods(names)
    test.require_cased()
    began = time.perf_counter()
    background = MEMM.fit(split.background, **split.options, on_step=on_step)
    background_seconds = time.perf_counter() - began
    models, extras = [], []
    for method in methods:
        if on_method:
            on_method(method.name)
        began = time.perf_counter()
        model, parameters = method.learn(split, background)
        seconds = time.perf_counter() - began
        seconds += background_seconds if model is background else 0
        models.append((method.name, model))
        extras.append({"hyper_parameters": parameters, "fit_seconds": seconds})
    comparison = report(test, models)
    for row, extra in zip(comparison["models"], extras, strict=True):
        row |= extra
    return comparison
