"""Methods side by side on one split, each tuned on development data only."""

import time
from dataclasses import dataclass

import numpy as np

from workbench.adaptation.method import Sources, Split
from workbench.adaptation.methods import METHODS
from workbench.evaluation.report import model_row, paired_row
from workbench.experiments.hyperparameters import ErrorCounter, search
from workbench.models.capitalizer import Capitalizer
from workbench.models.memm import MEMM
from workbench.text.errors import InputError
from workbench.text.tasks import TaskName

__all__ = ["METHODS", "Learned", "Split", "compare", "find_methods", "learn"]

_BASES = ("background", "map")  # with which every method is paired
_LEVEL = 0.05  # of significance


def find_methods(names, model=MEMM, task=TaskName.CASE):
    """Return the methods with the given names, in their order, each once.

    "all" by itself is every method that can be used for a kind of model and a task; with
    other names it is data combination.

    Raises
    ------
    InputError
        If a name is unknown, or the method cannot do with that.
    """
    allowed = {
        name: method
        for name, method in METHODS.items()
        if model in method.models and task in method.tasks
    }
    if list(names) == ["all"]:
        return list(allowed.values())
    if unknown := [name for name in names if name not in METHODS]:
        raise InputError(f"method {unknown[0]!r}: known are {', '.join(METHODS)}")
    if others := [name for name in names if name not in allowed]:
        what = task if model in METHODS[others[0]].models else f"a {model.kind}"
        raise InputError(
            f"method {others[0]!r} is not for {what}; allowed are {', '.join(allowed)}"
        )
    return [METHODS[name] for name in dict.fromkeys(names)]


@dataclass(frozen=True, eq=False)
class Learned:
    """What a method has learned.

    Attributes
    ----------
    model : Capitalizer
    hyper_parameters : dict
        Given and chosen.
    dev_wrong : int or None
        Errors on the development data; None where nothing was to be chosen.
    n_tried : int
        Hyper-parameters that were tried.
    seconds : float
        Of all fits and tries, without the background's training, which methods share.
    """

    model: Capitalizer
    hyper_parameters: dict
    dev_wrong: int | None
    n_tried: int
    seconds: float


def learn(method, sources, dev):
    """Learn a method from its sources, hyper-parameters tuned on development data alone.

    Parameters
    ----------
    method : Method
    sources : Sources
    dev : Corpus

    Returns
    -------
    learned : Learned
    """
    began, shared = time.perf_counter(), sources.background_seconds
    problem = method.prepare(sources)
    chosen, tried = {}, {}
    if method.axes:
        count_wrong = ErrorCounter(problem, dev)
        chosen, tried = search(count_wrong, method.axes, method.exhaustive)
    model = problem.learn(**chosen)
    seconds = time.perf_counter() - began - (sources.background_seconds - shared)
    values = getattr(problem, "given", {}) | chosen
    dev_wrong = tried.get(tuple(chosen.values()))
    return Learned(model, values, dev_wrong, len(tried), seconds)


def compare(split, test, names=("all",), on_method=None, on_step=None):
    """Learn every method on a split and score it on test data.

    Parameters
    ----------
    split : Split
    test : Corpus
    names : sequence of str
        As for ``find_methods``.
    on_method : callable, optional
        Called with the name of each method when its turn comes.
    on_step : callable, optional
        Called with each ``Step`` of the background's training.

    Returns
    -------
    comparison : dict
        Ready for JSON. ``words``; ``models``, one row a method in the order of the names,
        see ``method_row``; ``paired``, the ``paired_row`` of the background and of map with
        every other method and of every other one with the best.
    """
    methods = find_methods(names, split.model, split.background.task)
    sources = Sources(split, on_step)
    test.require_cased()
    rows, wrong = [], {}
    for method in methods:
        if on_method:
            on_method(method.name)
        row, wrong[method.name] = measure(method, sources, split.dev, test)
        rows.append(row)
    return {"words": len(test), "models": rows, "paired": judge(test, rows, wrong)}


def measure(method, sources, dev, test):
    """Learn a method; return its ``method_row`` and which test words it has wrong, shape (N,)."""
    learned = learn(method, sources, dev)
    tags = learned.model.tag(test)
    return method_row(test, method, learned, tags, sources), tags != test.tags


def method_row(test, method, learned, tags, sources):
    """One method's row.

    Returns
    -------
    row : dict
        ``model_row`` with ``error_interval`` (95 %, fractions); ``hyper_parameters``;
        ``estimated``, weights that the method reports; ``features`` of the model, None for
        the 1-gram; ``tried``, combinations of hyper-parameters; ``dev_error_rate``;
        ``fit_seconds`` (beyond the training of the background, which the methods share);
        ``gain``, filled in by ``compare``.
    """
    model, info = learned.model, learned.model.info
    is_background = model is sources.__dict__.get("background")
    dev_errors = learned.dev_wrong
    return model_row(test, method.name, model, tags) | {
        "error_interval": _error_interval(test, tags != test.tags),
        "hyper_parameters": learned.hyper_parameters,
        "estimated": info.get("estimated", {}),
        "features": info.get("features"),
        "tried": learned.n_tried,
        "dev_wrong": dev_errors,
        "fit_seconds": learned.seconds + (sources.background_seconds if is_background else 0),
        "gain": None,
    }


def _error_interval(corpus, wrong):
    """Normal 95 % interval of an error rate; sentences, not words, are taken for independent."""
    rate = float(wrong.mean())
    lengths = np.diff(corpus.starts)
    errors = np.bincount(corpus.sentence_ids, wrong, corpus.n_sentences)
    half = 1.96 * float(np.sqrt(((errors - rate * lengths) ** 2).sum())) / len(corpus)
    return [max(0.0, rate - half), min(1.0, rate + half)]


def judge(test, rows, wrong):
    """Pair methods with the background, map and the best, and write into the rows what it says."""
    best = min(wrong, key=lambda name: wrong[name].sum())
    bases = [base for base in _BASES if base in wrong]
    pairs = [(base, name) for base in bases for name in wrong if name != "background"]
    pairs += [(name, best) for name in wrong]
    pairs = [pair for pair in dict.fromkeys(pairs) if pair[0] != pair[1]]
    judged = {(a, b): paired_row(test, a, wrong[a], b, wrong[b]) for a, b in pairs}
    for row in rows:
        name = row["name"]
        row["gain"] = {
            "from_background": verdict(judged.get(("background", name))),
            "to_best": verdict(judged.get((name, best))),
        }
    return [pair for (a, b), pair in judged.items() if a in bases or b not in bases]


def verdict(pair):
    """Say in words what a ``paired_row`` shows; None where there is no pair.

    A difference is significant if McNemar's test, word by word, and the bootstrap of
    sentences both say so: at 5 %, and with an interval on one side of 0.
    """
    if pair is None:
        return None
    what = "gain" if pair["fixed"] >= pair["broken"] else "loss"
    low, high = pair["interval"]
    one_sided = low is not None and (low > 0 or high < 0)
    is_real = pair["p_value"] < _LEVEL and one_sided
    return f"{what} is {'' if is_real else 'not '}significant"
