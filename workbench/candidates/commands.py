"""The commands ``train``, ``adapt`` and ``evaluate`` where texts are candidate sets.

Options that only text with words has are refused.
"""

from argparse import Namespace
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from workbench.adaptation.adaptation import Adaptation
from workbench.adaptation.method import N_FOLDS
from workbench.candidates.comparison import measure_selection_change, select_by_folds
from workbench.candidates.inputs import given_or, learning_of, read_sets, refuse_options_of_words
from workbench.candidates.learning import DEFAULTS
from workbench.candidates.methods import SIGMA2
from workbench.candidates.model import CandidateModel
from workbench.candidates.problems import CandidateTraining
from workbench.candidates.report import is_gain, report_selections
from workbench.candidates.result_text import describe_selection_changes, describe_selections
from workbench.candidates.sets import CandidateSets
from workbench.cli.commands.adapt import BY_TEMPLATE, check_new_strengths, save_adapted
from workbench.cli.commands.evaluate import load_named
from workbench.cli.commands.train import is_searched
from workbench.cli.console import Progress, check_output, print_json, print_result, say, write_to
from workbench.cli.options import check_new_cutoff, refuse, strength_of
from workbench.experiments.search import (
    choose_alpha,
    choose_sigma2,
    choose_training_by_folds,
    choose_training_sigma2,
    choose_variances,
)
from workbench.features.selection import check_cutoff
from workbench.learning.prior import check_strength
from workbench.learning.solvers import find_solver
from workbench.models.kinds import load_model
from workbench.settings import TRAINING
from workbench.text.errors import InputError

_DOMAIN, _BACKGROUND = "new domain", "background"  # of which candidate sets are measured


def train(options: Namespace) -> None:
    """Train and save a model of candidate sets."""
    refuse(options, ["cluster"], "candidate sets are learnt in one process")
    refuse(options, ["adapt"], "candidate sets have no hierarchy of texts")
    check_output(options.output, options.text)
    refuse_options_of_words(options)
    name, given = strength_of(options)
    cutoff = check_cutoff(given_or(options.cutoff, DEFAULTS["cutoff"]))
    solver = options.solver or "lbfgs"
    find_solver(solver, options.prior, CandidateTraining.solver_names)
    default = TRAINING["alpha"].default if name == "alpha" else DEFAULTS["sigma2"]
    searched = is_searched(options, name, given)
    strength = {} if searched else check_strength(**{name: given or default})
    sets, found = read_sets(options.text, "train"), ""
    problem = CandidateModel.training_problem(sets, cutoff, learning_of(options))
    if searched:
        sigma2, found = _search_training(problem, sets, options, cutoff)
        strength = check_strength(sigma2=sigma2)
    with Progress("training") as progress:
        model = problem.learn(solver, **strength, on_step=progress.step)
    write_to(options.output, model.save)
    info = model.info
    say(f"{options.output}: {info['sentences']:,} sentences, {info['candidates']:,} candidates, "
        f"{info['features']:,} features, {name} {info[name]:g}{found}")  # fmt: skip


def _search_training(problem, sets, options, cutoff):
    """Return the best sigma2, on dev or by folds, and in words the quality with it."""
    held = sets if options.dev is None else read_sets([options.dev], "dev")
    sets, held = map(problem.learning.judge, (sets, held))
    where = f"{N_FOLDS} folds" if options.dev is None else "dev"
    with Progress("searching sigma2", "tried") as progress:
        search = SIGMA2, progress.tried
        if options.dev is None:
            make = partial(
                CandidateModel.training_problem, cutoff=cutoff, learning=problem.learning
            )
            best, tried = choose_training_by_folds(make, sets, *search)
        else:
            best, tried = choose_training_sigma2(problem, held, *search)
    return best, f" ({1 - tried[best] / held.n_sentences:.2%} on {held.name}, {where})"


def evaluate(options: Namespace) -> None:
    """Measure models on candidate sets."""
    refuse_options_of_words(options, "model")
    models, sets = load_named(options), read_sets([options.test], "test")
    with Progress("ranking", "models") as progress:
        result = report_selections(sets, progress.over(models))
    print_result(result, describe_selections(result), options.json)


def adapt(options: Namespace) -> None:
    """Adapt a model of candidate sets; where a search gains nothing, save the background."""
    own = [options.model] if options.adapter else []
    check_output(options.output, [*options.text, *own], prints=options.json)
    refuse_options_of_words(options, "model")
    cutoff, strengths = check_new_cutoff(options.cutoff), check_new_strengths(options)
    if BY_TEMPLATE in strengths:
        raise InputError(f"sigma2 {options.sigma2}: candidate sets take a number or auto")
    background = _load_background(options.model)
    texts = _read_adaptation(options, background.learning)
    known = _search(strengths, background, texts, cutoff)
    adaptation = Adaptation(background, texts.sets, cutoff)
    with Progress("adapting") as progress:
        fit = adaptation.fit(known, solver=options.solver, on_step=progress.step)
    adapted = adaptation.model(fit, known, options.solver)
    rows = _judge(background, adapted, adaptation, known, texts)
    is_searched = None in strengths.values()
    is_declined = is_searched and not options.force and not is_gain(rows[_DOMAIN])
    model = background if is_declined else adapted
    save_adapted(replace(model, info=model.info | {"measured": rows[_DOMAIN]}), background, options)
    _tell(options, adapted, known, rows, is_declined)


class _Texts(NamedTuple):
    """What an adaptation reads; None where candidate sets are not given."""

    sets: CandidateSets
    dev: CandidateSets | None
    retained: CandidateSets | None  # like the background's


def _load_background(path):
    background = load_model(path)
    if isinstance(background, CandidateModel):
        return background
    raise InputError(
        f"{path}: a {background.kind} model; candidate sets need one of kind {CandidateModel.kind}"
    )


def _read_adaptation(options, learning):
    held_out = (
        None if text is None else learning.judge(read_sets([text], "dev"))
        for text in (options.dev, options.retain)
    )
    return _Texts(learning.judge(read_sets(options.text, "train")), *held_out)


def _search(strengths, background, texts, cutoff):
    """Return the strengths of the prior by name; those that are None are searched."""
    if None not in strengths.values():
        return dict(strengths)
    problem = background, texts.sets, texts.dev, cutoff
    with Progress(f"searching {' and '.join(strengths)}", "tried") as progress:
        if len(strengths) > 1:
            return choose_variances(*problem, progress.tried, **strengths)[0]
        (name,) = strengths
        choose = choose_sigma2 if name == "sigma2" else choose_alpha
        return {name: choose(*problem, progress.tried)[0]}


def _judge(background, adapted, adaptation, strengths, texts):
    """Return what the adaptation changed on the new domain and on text like the background's."""
    with Progress("measuring"):
        own = select_by_folds(background, adaptation, strengths) if texts.dev is None else adapted
        domain = texts.sets if texts.dev is None else texts.dev
        rows = {_DOMAIN: measure_selection_change(background, own, domain)}
        if texts.retained is not None:
            rows[_BACKGROUND] = measure_selection_change(background, adapted, texts.retained)
    return rows


def _tell(options, adapted, strengths, rows, is_declined):
    """Say, or print for a program, what came of an adaptation."""
    info, measured_on = adapted.info, "dev" if options.dev else f"{N_FOLDS}-fold cross-validation"
    shown = ", ".join(f"{name} {value:g}" for name, value in strengths.items())
    trial = f"adapted to {info['sentences']:,} sentences, {shown}"
    outcome = f"{trial}, {info['new_features']:,} new features"
    if is_declined:
        outcome = f"no significant gain, keeping the background ({trial}; --force writes that)"
    named = {
        f"{what}, {measured_on}" if what == _DOMAIN else what: row for what, row in rows.items()
    }
    for line in [*describe_selection_changes(named), f"{options.output}: {outcome}"]:
        say(line)
    if options.json:
        result = {
            "output": options.output, "written": "background" if is_declined else "adapted",
            "sentences": info["sentences"], "hyper_parameters": strengths,
            "new_features": info["new_features"], "measured_on": measured_on,
            "new_domain": rows[_DOMAIN], "background": rows.get(_BACKGROUND),
        }  # fmt: skip
        print_json(result)
