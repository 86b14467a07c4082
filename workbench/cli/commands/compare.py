"""``compare``, ``sweep`` and ``ablate``: methods, strengths of the prior, templates on one split.

What can be refused at once is refused before any text is read or model trained.
"""

from argparse import ArgumentParser, Namespace
from dataclasses import replace

from workbench.adaptation.method import find_lacking
from workbench.adaptation.methods.hierarchy import read_genres
from workbench.cli import inputs
from workbench.cli.console import Progress, print_result, say
from workbench.cli.options import (
    WithoutEffect,
    add_experiment,
    add_split,
    add_tree,
    check_background,
    check_new_cutoff,
    check_new_strength,
)
from workbench.cli.result_text import describe_ablation, describe_report, describe_sweep
from workbench.experiments import ablation
from workbench.experiments.backgrounds import split_of_model
from workbench.experiments.compare import METHODS, find_left_out, find_methods
from workbench.experiments.split_tasks import (
    SplitStudy,
    ablate_by_tasks,
    compare_by_tasks,
    sweep_by_tasks,
)
from workbench.experiments.task_runner import open_runner
from workbench.learning.prior import check_positive
from workbench.models.kinds import KINDS
from workbench.models.shipped import names_model
from workbench.settings import SETTINGS, SIGMA2_SWEEP
from workbench.text.sets.overlap import why_no_verdict

# fmt: off
_WITHOUT_EFFECT: WithoutEffect = (
    (("tree",), lambda o: not {"all", "hierarchy"} & set(o.methods.split(",")),
     "is of the method hierarchy"),
    (("tree",), lambda o: any(map(names_model, o.background)), "is of texts, not of a model"),
)


def add_compare(parser: ArgumentParser) -> None:
    """Add the options of ``compare``."""
    add_split(parser, takes_model=True)
    known = "; ".join(f"{method.name}, {method.note}" for method in METHODS.values())
    parser.add_argument("--methods", default="all", metavar="A,B,...",
        help="all (default; with a model those that do without the background's text) or some "
        f"of: {known}")
    add_tree(parser, "for the method hierarchy, ", "--background")
    add_experiment(parser)
    parser.set_defaults(without_effect=_WITHOUT_EFFECT)


def add_sweep(parser: ArgumentParser) -> None:
    """Add the options of ``sweep``."""
    add_split(parser)
    grid = ",".join(f"{x:g}" for x in SIGMA2_SWEEP)
    parser.add_argument("--sigma2", default=grid, metavar="X,Y,...",
        help="variances of the prior around the background (default %(default)s)")
    parser.add_argument("--cutoff", default=str(SETTINGS["cutoff"].default), metavar="N,M,...",
        help="cutoffs of new features (default %(default)s, adds all; none adds none)")
    add_experiment(parser)


def add_ablate(parser: ArgumentParser) -> None:
    """Add the options of ``ablate``."""
    add_split(parser, with_test=False)
    parser.add_argument("--each", choices=ablation.EACH, default="without",
        help="without (default): take each of the templates from all of them; added: add each to "
        "those of ca04")
    parser.add_argument("--sigma2", default="auto", metavar="X",
        help="variance of the prior around the background, the same for all, greater than 0; "
        "auto (default) searches the best for all templates, or ca04")
    add_experiment(parser, "extended")
# fmt: on


def compare(options: Namespace) -> None:
    """Compare methods on a split."""
    names = [name.strip() for name in options.methods.split(",")]
    if found := inputs.find_model(options):
        lacking = find_lacking(found.model, found.unigram)
        find_methods(names, type(found.model), found.model.task, lacking=lacking)
        if names == ["all"]:
            others = ", ".join(find_left_out(type(found.model), found.model.task, lacking))
            say(f"left out, since a model comes without its text: {others}")
        split, (test,) = split_of_model(found, *inputs.read_parts(options, "test"))
    else:
        split, (test,) = _read_split(options, names)
    with Progress("background") as progress:
        study = SplitStudy(split, test.require_cased(), progress.step)
        with open_runner(study, vars(options), progress.began) as runner:
            result = compare_by_tasks(study, names, runner)
    print_result(result, describe_report(result), options.json)


def _read_split(options, names):
    """Return the split of a background that is a text, and the text to test on."""
    find_methods(names, KINDS[options.model])
    genres = () if options.tree is None else read_genres(options.tree, options.background)
    split, tests = inputs.read_split(options, check_background(options), "test")
    return replace(split, genres=genres), tests


def sweep(options: Namespace) -> None:
    """Adapt over a grid of sigma2 and cutoff."""
    sigma2s = [check_positive(text) for text in options.sigma2.split(",")]
    cutoffs = [check_new_cutoff(text) for text in options.cutoff.split(",")]
    background_options = check_background(options)
    split, (test,) = inputs.read_split(options, background_options, "test")
    with Progress("sweeping", "points") as progress:
        study = SplitStudy(split, test)
        with open_runner(study, vars(options), progress.began) as runner:
            rates, table = sweep_by_tasks(study, sigma2s, cutoffs, runner, progress.counted)
    points = table.astype(object).where(table.notna(), None).to_dict("records")
    shared, (*lines, best) = split.find_shared(test), describe_sweep(points, rates)
    said = [each.line for each in shared]
    lines += [*said, *([] if why_no_verdict(shared) else [best])]
    print_result({"background": rates, "points": points, "shared": said}, lines, options.json)


def ablate(options: Namespace) -> None:
    """Measure what each template is worth."""
    sigma2 = check_new_strength("sigma2", options.sigma2)
    background_options = check_background(options)
    ablation.plan(options.templates, options.each)
    split, _ = inputs.read_split(options, background_options)
    with Progress("ablation") as progress:
        study = SplitStudy(split, on_step=progress.step)
        with open_runner(study, vars(options), progress.began) as runner:
            result = ablate_by_tasks(study, options.each, sigma2, runner)
    lines = [*describe_ablation(result), "", *result["shared"]]
    lines.append(ablation.summarize(result["rows"]))
    print_result(result, lines, options.json)
