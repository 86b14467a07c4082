"""The command ``train`` on a cluster."""

from argparse import Namespace
from pathlib import Path
from typing import Any

from workbench.adaptation.unknown_words import average_bags
from workbench.cli import inputs
from workbench.cli.commands.train import check_training, search_sigma2
from workbench.cli.console import Progress, check_output, say, write_to
from workbench.cli.options import refuse
from workbench.cluster.connection import check_address, connect
from workbench.cluster.text import DistributedText
from workbench.cluster.training import DistributedTraining, check_templates
from workbench.cluster.workers import ClusterLost
from workbench.experiments.backgrounds import require_features
from workbench.learning.prior import check_strength
from workbench.learning.solvers import find_solver
from workbench.models.kinds import KINDS, load_model
from workbench.models.log_linear import LogLinear
from workbench.models.memm import MEMM
from workbench.settings import LEARNED
from workbench.text.errors import InputError
from workbench.text.lint import doubt_size

_SOLVERS = ("lbfgs",)


def train(options: Namespace) -> None:
    """Train and save a model."""
    strength, is_searched = _check(options)
    places = inputs.find_places(options.text)
    with connect(options.cluster) as client:
        with Progress("reading"):
            text = DistributedText(client, places)
        for note in text.notes:
            say(note)
        problem = _pack(text, options.templates, options)
        if is_searched:
            dev = inputs.read_texts([options.dev], "dev", options).require_cased()
            strength = {"sigma2": search_sigma2(problem, text, dev)}
        strength = check_strength(**strength)
        model = _fit(problem, strength, options.output)
        require_features(model, text, problem.cutoff)
        if isinstance(model, MEMM) and options.unknown_words == LEARNED:

            def fit_bag(templates):
                bag = _pack(text, templates, options)
                return bag.learn_unknown_words(_fit(bag, strength, options.output, model))

            model = average_bags(problem.learn_unknown_words(model), fit_bag)
    model.info |= inputs.describe_held_out(options)
    for doubt in doubt_size(text):
        say(f"workbench: warning: {doubt}")
    write_to(options.output, model.save)
    _unfinished(options.output).unlink(missing_ok=True)
    size = f"{len(text):,} words, {model.info['features']:,} features"
    say(f"{options.output}: {options.model} of {size}")


def _pack(text, templates, options):
    with Progress("packing"):
        return DistributedTraining(KINDS[options.model], text, templates, options.cutoff)


def _check(options):
    """Return the strength of the prior, and whether it is searched; refuse what is learnt here."""
    check_address(options.cluster)
    if options.adapt is not None:
        refuse(options, ["cluster"], "does not go with --adapt")
    options.solver = options.solver or "lbfgs"
    check_output(options.output, options.text)
    refuse(options, ["memory"], "is of training in one process, no --cluster")
    kind, fitting, is_searched = check_training(options)
    if options.weights is not None:
        raise InputError(f"weights {options.weights}: texts are weighted in one process")
    find_solver(options.solver, options.prior, _SOLVERS)
    if not issubclass(kind, LogLinear):
        what = f"a model of kind {options.model}"
        raise InputError(f"cluster {options.cluster}: {what} is trained in one process")
    if is_searched and options.dev is None:
        raise InputError("sigma2 auto: on a cluster --dev is needed, folds are for one process")
    check_templates(kind, options.templates)
    refuse(options, ["drop_boundaries"], "is learnt in one process, no --cluster")
    return {key: fitting[key] for key in ("sigma2", "alpha") if key in fitting}, is_searched


def _fit(problem, strength, output, finished=None):
    """Return the trained model; what is learnt when the cluster is lost goes to a file.

    That is the model already finished, if there is one, to begin with the next time.
    """
    unfinished, text = _unfinished(output), problem.corpus.fingerprint
    start = None if finished else _read_start(unfinished, problem, text)
    try:
        with Progress("training") as progress:
            return problem.train(strength, *_SOLVERS, start=start, on_step=progress.step)
    except ClusterLost as error:
        learnt = finished or problem.model(problem.log_likelihood.last_weights, **strength)
        learnt.save(unfinished)
        raise InputError(
            f"{error}; what was learnt so far is in {unfinished}: the same command goes on there"
        ) from None


def _unfinished(output):
    return Path(f"{output}.unfinished")


def _read_start(path: Path, problem: DistributedTraining, text: str) -> Any:
    """Return the weights that an unfinished training of the same model left; None without one."""
    if not path.is_file():
        return None
    model: Any = load_model(path)
    if model.info.get("text") != text or model.features.names() != problem.features.names():
        return None
    say(f"{path}: training goes on from there")
    return model.weights[model.features.exists]
