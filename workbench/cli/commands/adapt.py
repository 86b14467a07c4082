"""The command that adapts a model: it looks at the text first, and judges what came of it."""

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from workbench.adaptation.adaptation import Adaptation
from workbench.adaptation.method import MODELS, N_FOLDS
from workbench.adaptation.methods.template_variances import TemplateVariances
from workbench.cli import inputs
from workbench.cli.console import Progress, check_output, print_json, say, write_to
from workbench.cli.inputs import Linter
from workbench.cli.options import (
    add_json,
    add_output,
    add_repair,
    add_solver,
    add_threads,
    check_new_cutoff,
    check_new_strength,
    refuse,
    strength_of,
)
from workbench.cli.result_text import describe_changes
from workbench.evaluation.significance import NO_VERDICT
from workbench.experiments.gradient_search import choose_template_variances
from workbench.experiments.judgement import is_gain, measure_by_folds, measure_change
from workbench.experiments.method_rows import join_classes
from workbench.experiments.search import choose_alpha, choose_sigma2, choose_variances
from workbench.learning.solvers import find_solver
from workbench.models.adapter import save_adapter
from workbench.models.ensemble import BidirectionalMEMM, Ensemble
from workbench.models.kinds import load_model
from workbench.models.log_linear import LogLinear
from workbench.models.shipped import NAMES
from workbench.settings import SETTINGS
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError
from workbench.text.sets.overlap import find_shared
from workbench.text.tasks import TaskName

BY_TEMPLATE = "by-template"  # as sigma2: a variance for each template
_LINT_CHOICES = ("keep", "drop", "refuse")
_ADAPTED = (*MODELS, BidirectionalMEMM, Ensemble)
_DOMAIN, _BACKGROUND = "new domain", "background"  # of which texts are measured
_MISSING = {
    _DOMAIN: f"not measured: too little text for {N_FOLDS} folds, and no --dev TEXT",
    _BACKGROUND: "not measured: --retain TEXT does, with text like the background's",
}
_WITHIN = (
    "The new domain is measured on the text that was learnt from, each fold by what the others "
    "teach: expect less on other texts of the domain."
)
_RECORDED = ("text", "words", "before", "after", "p_value")


# fmt: off
def add_adapt(parser: ArgumentParser) -> None:
    """Add the options of ``adapt``."""
    parser.add_argument("model", metavar="BACKGROUND",
        help="model file that `train` wrote, other than a 1gram")
    parser.add_argument("text", nargs="+", metavar="TEXT", help="adaptation text")
    add_output(parser)
    parser.add_argument("--sigma2", metavar="X",
        help="variance of the Gaussian prior around the background, greater than 0: small stays "
        "near it, large follows the new text; auto (default) searches the best; "
        f"{BY_TEMPLATE} gives each template of a memm or crf two of its own, of inherited and of "
        "new features, searched all at once by the gradient of held-out text's log-likelihood: "
        "worth it where TEXT is short")
    for name, of in (("--sigma2-m", "inherited from the background"), ("--sigma2-a", "new")):
        parser.add_argument(name, metavar="X",
            help=f"instead of --sigma2: variance of the features that are {of}; auto "
            "(default where the other is given) searches the best")
    parser.add_argument("--alpha", metavar="X",
        help="rate of the exponential prior around the background, greater than 0: large stays "
        "near it; auto (default) searches the best")
    add_solver(parser, "an exponential one, which leaves many weights as they are", "newton")
    parser.add_argument("--cutoff", default=SETTINGS["cutoff"].default, metavar="N",
        help="add features seen N times or more in TEXT; 0 adds all (default), none adds none")
    parser.add_argument("--dev", metavar="TEXT",
        help="development text that auto counts errors on and the gain is measured on; "
        "5-fold cross-validation on the adaptation text without it")
    parser.add_argument("--retain", metavar="TEXT",
        help="text like the background's, on which is measured what adaptation forgets; by "
        "default the dev text of the background's data set, if that is here")
    parser.add_argument("--force", action="store_true",
        help="write the adapted model where auto finds no significant gain, too; without it the "
        "file holds the background as it was")
    parser.add_argument("--lint", choices=_LINT_CHOICES, default=_LINT_CHOICES[0],
        help="lines of TEXT that mislead about case (ALL CAPS, headlines, signatures, quoted "
        "mail, mark-up, repeats): keep (default) counts them, drop leaves them out, refuse ends "
        "with an error")
    parser.add_argument("--adapter", action="store_true",
        help="write only what changed, a small file that is read with BACKGROUND beside it")
    add_json(parser)
    add_repair(parser)
    add_threads(parser)
# fmt: on


class _Texts(NamedTuple):
    """What an adaptation reads; None where a text is not given, or not here."""

    corpus: Corpus
    dev: Corpus | None
    retained: Corpus | None  # like the background's

    @property
    def measured_on(self) -> str:
        """What stands for the new domain, in words."""
        return "dev" if self.dev is not None else f"{N_FOLDS}-fold cross-validation"


def adapt(options: Namespace) -> None:
    """Adapt a model, judge it and save it; where a search gains nothing, save the background."""
    own = [options.model] if options.adapter else []  # what an adapter builds on must stay
    check_output(options.output, [*options.text, *own], prints=options.json)
    cutoff, strengths = check_new_cutoff(options.cutoff), check_new_strengths(options)
    if options.solver:
        _check_solver(options)
    background, linter = _load_background(options.model), Linter(options.lint)
    _check_table(options, background)
    texts, found = _read(options, background, linter), ""
    kind: Any = TemplateVariances if BY_TEMPLATE in strengths else Adaptation
    if searched := None in strengths.values():
        strengths, found = _search_strengths(strengths, background, texts, cutoff)
    adaptation = kind(background, texts.corpus, cutoff)
    adapted: Any = _fit(adaptation, strengths, options.solver)
    rows = _judge(background, adapted, adaptation, strengths, texts)
    declined = searched and not options.force and not is_gain(rows[_DOMAIN])
    written = (background, "declined") if declined else (adapted, "measured")
    save_adapted(_record(*written, rows), background, options)
    trial = f"adapted to {len(texts.corpus):,} words, {_describe(strengths)}{found}"
    size = f"{adapted.info['new_features']:,} new features"
    if declined:
        is_judged = NO_VERDICT not in (rows[_DOMAIN] or {}).values()
        why = "no significant gain" if is_judged else NO_VERDICT
        outcome = f"{why}, keeping the background ({trial}; --force writes that)"
    else:
        outcome = f"{trial}, {size}"
    _say_all(rows, texts, f"{options.output}: {outcome}")
    is_found = options.model in NAMES or _are_neighbours(options.model, options.output)
    if options.adapter and not is_found:
        say(f"{options.output}: is read with {options.model} beside it, or named by --background")
    if options.json:
        result = {
            "output": options.output, "written": "background" if declined else "adapted",
            "words": len(texts.corpus), "hyper_parameters": strengths,
            "new_features": adapted.info["new_features"], "lint": linter.to_json(),
            "measured_on": texts.measured_on, "new_domain": rows[_DOMAIN],
            "background": rows[_BACKGROUND],
        }  # fmt: skip
        print_json(result)


def check_new_strengths(options: Namespace) -> Mapping[str, float | None]:
    """Return the strengths of the prior around the background by name; None is to be searched.

    ``BY_TEMPLATE`` stands for the variances of all templates.
    """
    name, text = strength_of(options)
    two = {key: getattr(options, key) for key in ("sigma2_m", "sigma2_a")}
    if not (given := [f"{key} {value}" for key, value in two.items() if value is not None]):
        if text == BY_TEMPLATE and name == "sigma2":
            return {BY_TEMPLATE: None}
        allowed = f"auto or {BY_TEMPLATE}" if name == "sigma2" else "auto"
        return {name: check_new_strength(name, text, allowed)}
    if name == "alpha":
        raise InputError(f"{given[0]}: the exponential prior takes alpha")
    if text is not None:
        what = "has one for each template" if text == BY_TEMPLATE else "is one variance for all"
        raise InputError(f"{given[0]}: sigma2 {text} {what}")
    if options.cutoff == "none":
        raise InputError(f"{given[0]}: cutoff none adds no feature to have a variance of its own")
    return {key: check_new_strength(key, value) for key, value in two.items()}


def _load_background(path):
    background = load_model(path)
    if type(background) not in _ADAPTED:
        *most, last = (model.kind for model in _ADAPTED)
        known = f"{', '.join(most)} or {last}"
        raise InputError(f"{path}: a {background.kind} model; adapt needs a {known} model")
    return background


def _check_solver(options):
    """Raise InputError for a solver that cannot do what is asked for."""
    find_solver(options.solver, options.prior)
    if options.sigma2 == BY_TEMPLATE and options.solver != "lbfgs":
        raise InputError(f"solver {options.solver}: with --sigma2 {BY_TEMPLATE}, lbfgs is allowed")


def _check_table(options, background):
    """Raise InputError for an option that only a background of one table of weights has."""
    if isinstance(background, LogLinear):
        return
    asked = ["adapter"] if options.adapter else []
    if options.sigma2 == BY_TEMPLATE:
        asked.append(f"sigma2 {BY_TEMPLATE}")
    for option in asked:
        known = " or ".join(model.kind for model in MODELS)
        raise InputError(f"{option}: needs a {known} background, not {background.kind}")


def _read(options, background, linter):
    corpus = inputs.read_texts(options.text, "train", options, linter.sift).require_cased()
    if corpus.task is not TaskName.CASE:
        refuse(options, ["lint"], f"is of text with case, not of {corpus.task}")
    linter.check_size(corpus)
    dev, retained = (
        None if text is None else inputs.read_texts([text], "dev", options).require_cased()
        for text in (options.dev, options.retain)
    )
    retained = inputs.find_held_out(background.info, options) if retained is None else retained
    linter.say_all()
    return _Texts(corpus, dev, retained)


def _search_strengths(strengths, background, texts, cutoff):
    """Return the best strengths of the prior by name and, in words, the errors with them."""
    problem = background, texts.corpus, texts.dev, cutoff
    best: Mapping[str, float]
    wrong: float
    with Progress(f"searching {' and '.join(strengths)}", "tried") as progress:
        if BY_TEMPLATE in strengths:
            best, wrong = choose_template_variances(*problem, progress.trying)
        elif len(strengths) > 1:
            best, by_pair = choose_variances(*problem, progress.tried, **strengths)
            wrong = by_pair[tuple(best.values())]
        else:
            (name,) = strengths
            choose = choose_sigma2 if name == "sigma2" else choose_alpha
            value, by_value = choose(*problem, progress.tried)
            best, wrong = {name: value}, by_value[value]
    n_words = len(texts.corpus if texts.dev is None else texts.dev)
    return best, f" ({wrong:,} errors in {n_words:,} words of {texts.measured_on})"


def _fit(adaptation, strengths, solver):
    if isinstance(adaptation, TemplateVariances):
        return adaptation.learn(**strengths)
    with Progress("adapting") as progress:
        fit = adaptation.fit(strengths, solver=solver, on_step=progress.step)
    return adaptation.model(fit, strengths, solver)


def _describe(strengths):
    """Return strengths of the prior in words; of many variances the geometric means."""
    means = join_classes(strengths)
    if len(means) == len(strengths):
        return ", ".join(f"{name} {value:g}" for name, value in strengths.items())
    shown = ", ".join(f"{name} {value:.3g}" for name, value in means.items())
    return f"{shown} in the geometric mean over templates"


def _judge(background, adapted, adaptation, strengths, texts):
    """Return the ``change_row`` of the new domain and of text like the background's."""
    with Progress("measuring"):

        def measure(text):
            shared = find_shared([text], background.info, [texts.corpus])
            return measure_change(background, adapted, text, shared)

        own, kept = (text and measure(text) for text in (texts.dev, texts.retained))
        if texts.dev is None:
            own = measure_by_folds(background, adaptation, strengths)
    return {_DOMAIN: own, _BACKGROUND: kept}


def _record(model, key, rows):
    """Return a model whose info holds, under a key, what was measured."""
    measured = {
        what: {key: row[key] for key in _RECORDED} for what, row in rows.items() if row is not None
    }
    return replace(model, info=model.info | {key: measured})


def save_adapted(model: Any, background: Any, options: Namespace) -> None:
    """Save an adapted model, or its adapter."""
    as_adapter = partial(save_adapter, model, background, options.model)
    write_to(options.output, as_adapter if options.adapter else model.save)


def _are_neighbours(*files):
    """Return whether files are in one folder."""
    return len({Path(file).absolute().parent.resolve() for file in files}) == 1


def _say_all(rows, texts, outcome):
    shown = {f"{_DOMAIN}, {texts.measured_on}": rows[_DOMAIN], _BACKGROUND: rows[_BACKGROUND]}
    for line in describe_changes(shown, dict(zip(shown, _MISSING.values(), strict=True))):
        say(line)
    if texts.dev is None and rows[_DOMAIN] is not None:
        say(_WITHIN)
    say(outcome)
