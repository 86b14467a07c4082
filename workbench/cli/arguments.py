"""The options of each command of the command line, with their defaults and help."""

from argparse import ArgumentParser
from typing import Any

from workbench.experiments.ablation import EACH
from workbench.experiments.compare import METHODS
from workbench.experiments.papers.tables import TABLE_SPECS
from workbench.features.templates import TEMPLATE_SETS, TEMPLATES
from workbench.learning.prior import PRIORS
from workbench.learning.solvers import SOLVERS
from workbench.models.kinds import KINDS
from workbench.models.unigram import UNSEEN_RULES
from workbench.scrub.report_page import N_EXPLAINED
from workbench.settings import MODEL_KINDS, SETTINGS, SIGMA2_GRID, SIGMA2_SWEEP, TRAINING

APP_NOTE = """\
Further words go to Streamlit, such as --server.port 8600. The page answers this computer
alone, at localhost, unless --server.address names another address."""
NOTEBOOKS_NOTE = """\
Further words go to JupyterLab, such as --no-browser. Of an installed package a copy of the
notebooks is opened; a notebook that is in the folder already is left as it is."""

_NEW_CUTOFF = SETTINGS["cutoff"].default
_TEMPLATES = TRAINING["templates"].default


# --- options that several commands share --------------------------------------------------
# One option a paragraph, its help indented below it.
# fmt: off


def add_json(parser: ArgumentParser) -> None:
    """Add the option that prints the result for a program."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _add_repair(parser):
    parser.add_argument("--repair", action="store_true",
        help="in files of chunks, read an I- label that continues no chunk as the beginning of "
        "one, as conlleval does, and say how many; without it such a label is an error")


def _add_output(parser):
    parser.add_argument("-o", "--output", required=True, metavar="MODEL",
        help="model file to write")


def _add_solver(parser, exponential, default):
    """Add the kind of prior and the solver that finds its optimum."""
    parser.add_argument("--prior", choices=list(PRIORS), default="gaussian",
        help=f"gaussian (default) or {exponential}")
    parser.add_argument("--solver", choices=list(SOLVERS), default=default,
        help="lbfgs, L-BFGS, stops near the optimum; newton goes on to it; iis, the paper's "
        "improved iterative scaling, is much slower; the last two take a gaussian prior "
        f"(default {default or 'newton, lbfgs for the exponential prior'})")


def _add_training(parser, prefix="", templates=_TEMPLATES):
    """Add how a model is trained; with a prefix, how the background of an experiment is."""
    text = f"of the {prefix}; " if prefix else ""
    name = f"--{prefix}-" if prefix else "--"
    cutoff, sigma2 = TRAINING["cutoff"], TRAINING["sigma2"]
    parser.add_argument(f"{name}cutoff", default=cutoff.default, metavar="N",
        help=f"{text}drop features seen fewer than N times; 0 keeps all (default %(default)s)")
    parser.add_argument(f"{name}sigma2", default=sigma2.default if prefix else None, metavar="X",
        help=f"{text}variance of the Gaussian prior, {sigma2.bounds} "
        f"(default {sigma2.default:g})")
    parser.add_argument("--templates", default=templates, metavar="'SET +A -B'",
        help=f"{text}feature templates: a set ({', '.join(TEMPLATE_SETS)}), to which +NAME adds "
        "one template and from which -NAME takes one, in quotes and separated by blanks, as in "
        f"'ca04 +shape -nextword' (default %(default)s); known are {' '.join(TEMPLATES)}")


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


def _add_experiment(parser, templates=_TEMPLATES):
    """Add how the background of an experiment is trained, and how the result is printed."""
    _add_training(parser, "background", templates)
    add_json(parser)
    _add_repair(parser)


# --- the options of each command ----------------------------------------------------------


def add_train(parser: ArgumentParser) -> None:
    """Add the options of ``train``."""
    parser.add_argument("text", nargs="+", metavar="TEXT", help="training text")
    _add_output(parser)
    parser.add_argument("--model", choices=list(KINDS), default=SETTINGS["model"].default,
        help="memm, a maximum entropy Markov model (default); crf, a linear-chain conditional "
        "random field; or 1gram, the paper's baseline")
    parser.add_argument("--unseen", choices=UNSEEN_RULES, default="loc",
        help="1gram: a word never seen is lower case (loc, default) or capitalized (cap)")
    _add_training(parser)
    alpha = TRAINING["alpha"]
    parser.add_argument("--alpha", metavar="X",
        help=f"rate of the exponential prior, {alpha.bounds} (default {alpha.default:g})")
    _add_solver(parser, "Goodman's exponential one, no weight below 0", "lbfgs")
    _add_repair(parser)


def add_adapt(parser: ArgumentParser) -> None:
    """Add the options of ``adapt``."""
    parser.add_argument("model", metavar="BACKGROUND",
        help="model file that `train` wrote, memm or crf")
    parser.add_argument("text", nargs="+", metavar="TEXT", help="adaptation text")
    _add_output(parser)
    parser.add_argument("--sigma2", metavar="X",
        help="variance of the Gaussian prior around the background, greater than 0: small stays "
        "near it, large follows the new text; auto (default) searches the best")
    for name, of in (("--sigma2-m", "inherited from the background"), ("--sigma2-a", "new")):
        parser.add_argument(name, metavar="X",
            help=f"in the place of --sigma2: variance of the features that are {of}; auto "
            "(default where the other is given) searches the best")
    parser.add_argument("--alpha", metavar="X",
        help="rate of the exponential prior around the background, greater than 0: large stays "
        "near it; auto (default) searches the best")
    _add_solver(parser, "an exponential one, which leaves many weights as they are", None)
    parser.add_argument("--cutoff", default=_NEW_CUTOFF, metavar="N",
        help="add features seen N times or more in TEXT; 0 adds all (default), none adds none")
    parser.add_argument("--dev", metavar="TEXT",
        help="development text that auto counts errors on; "
        "5-fold cross-validation on the adaptation text without it")
    parser.add_argument("--adapter", action="store_true",
        help="write only what changed, a small file that needs BACKGROUND to stay where it is")
    _add_repair(parser)


def add_evaluate(parser: ArgumentParser) -> None:
    """Add the options of ``evaluate``."""
    parser.add_argument("model", nargs="+", metavar="MODEL",
        help="model files; each is compared with later ones")
    parser.add_argument("--test", required=True, metavar="TEXT", help="test text")
    add_json(parser)
    _add_repair(parser)


def add_recase(parser: ArgumentParser) -> None:
    """Add the options of ``recase``."""
    parser.add_argument("model", metavar="MODEL", help="model file")
    parser.add_argument("text", nargs="?", metavar="TEXT",
        help="file of UTF-8 text in any case, .gz too; standard input if none")


def add_compare(parser: ArgumentParser) -> None:
    """Add the options of ``compare``."""
    _add_split(parser)
    known = "; ".join(f"{method.name}, {method.note}" for method in METHODS.values())
    parser.add_argument("--methods", default="all", metavar="A,B,...",
        help=f"all (default) or some of: {known}")
    _add_experiment(parser)


def add_sweep(parser: ArgumentParser) -> None:
    """Add the options of ``sweep``."""
    _add_split(parser)
    grid = ",".join(f"{x:g}" for x in SIGMA2_SWEEP)
    parser.add_argument("--sigma2", default=grid, metavar="X,Y,...",
        help="variances of the prior around the background (default %(default)s)")
    parser.add_argument("--cutoff", default=str(_NEW_CUTOFF), metavar="N,M,...",
        help="cutoffs of new features (default %(default)s, adds all; none adds none)")
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
    parser.add_argument("--explained", type=int, default=N_EXPLAINED, metavar="N",
        help="how many of the words that changed can be asked why (default %(default)s); "
        "4 kB each")
    parser.add_argument("-o", "--output", required=True, metavar="FILE",
        help="page to write, such as lesson.html")
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
    _add_experiment(parser, "extended")


def add_tables(parser: ArgumentParser) -> None:
    """Add the options of ``tables``."""
    parser.add_argument("--background", nargs="+", metavar="TEXT", required=True,
        help="background text; of several, models are trained on the first, the first two, ...")
    parser.add_argument("--adapt", nargs="+", metavar="TEXT", required=True,
        help="data sets with train, dev and test, each a domain of its own")
    parser.add_argument("--in-domain", metavar="TEXT",
        help="test text of the background's kind (default: that of the background's data set)")
    parser.add_argument("--amounts", metavar="N,M,...",
        help="words of the background to train on, besides all of it (default: as its texts add "
        "up, of one text 10 and 17.5 %%, the paper's shares)")
    known = "; ".join(f"{spec.name}, {spec.title}" for spec in TABLE_SPECS.values())
    parser.add_argument("--only", default="", metavar="A,B,...", help=f"some of: {known}")
    parser.add_argument("-o", "--output", metavar="FILE", help="write there, not to the terminal")
    _add_experiment(parser)


def add_notebooks(parser: ArgumentParser) -> None:
    """Add the options of ``notebooks``."""
    parser.add_argument("--folder", metavar="FOLDER",
        help="copy the notebooks there and open the copies (default: workbench-notebooks in the "
        "present folder if the package is installed; in a checkout its own, without a copy)")
