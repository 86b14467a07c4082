"""The options of the commands that compare, sweep, ablate, report and make the papers' tables."""

from argparse import ArgumentParser
from typing import Any

from workbench.cli.shared_arguments import (
    add_candidates,
    add_cluster,
    add_json,
    add_repair,
    add_threads,
    add_training,
    add_tree,
)
from workbench.experiments.ablation import EACH
from workbench.experiments.compare import METHODS
from workbench.experiments.papers.tables import all_specs
from workbench.scrub.report import N_EXPLAINED
from workbench.settings import MODEL_KINDS, SETTINGS, SIGMA2_GRID, SIGMA2_SWEEP, TRAINING

_NEW_CUTOFF = SETTINGS["cutoff"].default

# One option a paragraph, its help indented below it.
# fmt: off

def _add_split(parser, with_test=True):
    """Add the texts of an experiment and the kind of model."""
    needed: dict[str, Any] = {"required": True, "metavar": "TEXT"}
    parser.add_argument("--background", nargs="+", **needed, help="background text")
    parser.add_argument("--adapt", nargs="+", **needed, help="adaptation text")
    parser.add_argument("--dev", **needed, help="development text, to choose on")
    if with_test:
        parser.add_argument("--test", **needed, help="test text, to report on")
    parser.add_argument("--model", choices=MODEL_KINDS, default=SETTINGS["model"].default,
        help="what is trained and adapted (default %(default)s); not all methods can adapt a crf")


def _add_experiment(parser, templates=TRAINING["templates"].default):
    """Add how the background of an experiment is trained, and how the result is printed."""
    add_training(parser, "background", templates)
    add_json(parser)
    add_repair(parser)
    add_threads(parser)


def add_compare(parser: ArgumentParser) -> None:
    """Add the options of ``compare``."""
    _add_split(parser)
    known = "; ".join(f"{method.name}, {method.note}" for method in METHODS.values())
    parser.add_argument("--methods", default="all", metavar="A,B,...",
        help=f"all (default) or some of: {known}")
    add_candidates(parser)
    add_tree(parser, "for the method hierarchy, ", "--background")
    add_cluster(parser)
    _add_experiment(parser)


def add_sweep(parser: ArgumentParser) -> None:
    """Add the options of ``sweep``."""
    _add_split(parser)
    grid = ",".join(f"{x:g}" for x in SIGMA2_SWEEP)
    parser.add_argument("--sigma2", default=grid, metavar="X,Y,...",
        help="variances of the prior around the background (default %(default)s)")
    parser.add_argument("--cutoff", default=str(_NEW_CUTOFF), metavar="N,M,...",
        help="cutoffs of new features (default %(default)s, adds all; none adds none)")
    add_cluster(parser)
    _add_experiment(parser)


def add_report(parser: ArgumentParser) -> None:
    """Add the options of ``report``."""
    _add_split(parser, with_test=False)
    parser.add_argument("--test", metavar="TEXT", help="test text, to report the errors on, too")
    parser.add_argument("--sigma2", default="auto", metavar="X",
        help=f"variance that the slider starts at and that is explained, one of its stops from "
        f"{min(SIGMA2_GRID):g} to {max(SIGMA2_GRID):g}; auto (default) takes the one with the "
        "fewest errors on dev")
    parser.add_argument("--cutoff", default=str(_NEW_CUTOFF), metavar="N,M,...",
        help="cutoffs of new features that are in the page, the first of them reported "
        "(default %(default)s, adds all; none adds none)")
    parser.add_argument("--levels", default="", metavar="TEXT:X,...",
        help="texts between background and domain, each with the variance of the step "
        "to it, as in wsj:1,ted:0.3: the background is adapted to them first, in this order")
    parser.add_argument("--explained", type=int, default=N_EXPLAINED, metavar="N",
        help="how many of the words that changed can be asked why (default %(default)s); "
        "4 kB each")
    parser.add_argument("-o", "--output", required=True, metavar="FILE",
        help="page to write, such as lesson.html; - is standard output")
    add_candidates(parser)
    _add_experiment(parser)


def add_ablate(parser: ArgumentParser) -> None:
    """Add the options of ``ablate``."""
    _add_split(parser, with_test=False)
    parser.add_argument("--each", choices=EACH, default="without",
        help="without (default): take each of the templates from all of them; added: add each to "
        "those of ca04")
    parser.add_argument("--sigma2", default="auto", metavar="X",
        help="variance of the prior around the background, the same for all, greater than 0; "
        "auto (default) searches the best for all templates, or ca04")
    add_cluster(parser)
    _add_experiment(parser, "extended")


def add_study(parser: ArgumentParser) -> None:
    """Add the texts that tables are made of, and where these are written."""
    parser.add_argument("--background", nargs="+", metavar="TEXT", required=True,
        help="background text; of several, models are trained on the first, the first two, ...")
    parser.add_argument("--adapt", nargs="+", metavar="TEXT", required=True,
        help="data sets with train, dev and test, each a domain of its own")
    parser.add_argument("--in-domain", metavar="TEXT",
        help="test text of the background's kind (default: that of the background's data set)")
    parser.add_argument("--amounts", metavar="N,M,...",
        help="words of the background to train on, besides all of it (default: as its texts add "
        "up, of one text 10 and 17.5 %%, the paper's shares)")
    parser.add_argument("-o", "--output", default="-", metavar="FILE",
        help="write there, not to standard output")
    parser.add_argument("--pictures", metavar="FOLDER",
        help="draw the tables that have charts, too, as SVG in a folder")
    _add_experiment(parser)


def add_tables(parser: ArgumentParser) -> None:
    """Add the options of ``tables``."""
    known = "; ".join(f"{spec.name}, {spec.title}" for spec in all_specs().values())
    parser.add_argument("--only", default="", metavar="A,B,...", help=f"some of: {known}")
    add_study(parser)
    add_candidates(parser)
    add_cluster(parser)
