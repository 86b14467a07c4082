"""The options that several commands share, with their defaults and help."""

from argparse import ArgumentParser

from workbench.features.candidates.targets import QUALITIES, TARGETS
from workbench.features.templates import TEMPLATE_SETS, TEMPLATES
from workbench.learning.prior import PRIORS
from workbench.learning.solvers import SOLVERS
from workbench.numerics.threads import thread_count
from workbench.settings import CANDIDATES, TRAINING

# One option a paragraph, its help indented below it.
# fmt: off


def add_json(parser: ArgumentParser) -> None:
    """Add the option that prints the result for a program."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def add_threads(parser: ArgumentParser) -> None:
    """Add how many cores a command may use."""
    parser.add_argument("--threads", type=int, metavar="N",
        help="threads that share the computation (default: the cores that this process may use, "
        f"by its affinity and control groups, here {thread_count()})")


def add_places(parser: ArgumentParser) -> None:
    """Add where the background of an adapter is looked for."""
    parser.add_argument("--background", action="append", default=[], metavar="PLACE",
        help="of an adapter: a file or folder in which its background is looked for, besides its "
        "own folder and the cache; can be given several times")


def add_repair(parser: ArgumentParser) -> None:
    """Add the option that reads broken chunk labels."""
    parser.add_argument("--repair", action="store_true",
        help="in files of chunks, read an I- label that continues no chunk as the beginning of "
        "one, as conlleval does, and say how many; without it such a label is an error")


def add_tree(parser: ArgumentParser, use: str, texts: str) -> None:
    """Add the file of genres; ``use`` says what for, ``texts`` which option names the texts."""
    parser.add_argument("--tree", metavar="FILE.toml",
        help=f"{use}the genres of the texts, a level between the general weights and those of "
        f'each text: lines such as speech = ["ted", "domain"]; each {texts} once, and domain, the '
        "adaptation text")


def add_cluster(parser: ArgumentParser) -> None:
    """Add where the work is done besides this process."""
    parser.add_argument("--cluster", metavar="ADDRESS",
        help="share the work among processes with Dask: local, one for each core of this machine, "
        "or the address of a Dask scheduler, such as tcp://localhost:8786; to train so, take "
        "templates without casing, such as ca04 or extended")


def add_output(parser: ArgumentParser) -> None:
    """Add where a model is written."""
    parser.add_argument("-o", "--output", required=True, metavar="MODEL",
        help="model file to write; - is standard output")


def add_solver(parser: ArgumentParser, exponential: str, default: str) -> None:
    """Add the kind of prior and the solver that finds its optimum; its default in words."""
    parser.add_argument("--prior", choices=list(PRIORS), default="gaussian",
        help=f"gaussian (default) or {exponential}")
    parser.add_argument("--solver", choices=list(SOLVERS),
        help="lbfgs, L-BFGS, stops near the optimum; newton goes on to it; iis, the paper's "
        "improved iterative scaling, is much slower; sdca, stochastic dual coordinate ascent, is "
        "for candidate sets; all but lbfgs take a gaussian prior alone "
        f"(default {default}; lbfgs for the exponential prior)")


def add_training(
    parser: ArgumentParser, prefix: str = "", templates: str = TRAINING["templates"].default
) -> None:
    """Add how a model is trained; with a prefix, how the background of an experiment is."""
    text = f"of the {prefix}; " if prefix else ""
    name = f"--{prefix}-" if prefix else "--"
    cutoff, sigma2 = TRAINING["cutoff"], TRAINING["sigma2"]
    parser.add_argument(f"{name}cutoff", default=cutoff.default, metavar="N",
        help=f"{text}drop features seen fewer than N times, of candidate sets those that divide "
        "fewer than N sentences; 0 keeps all (default %(default)s, of candidate sets "
        f"{CANDIDATES['cutoff']})")
    parser.add_argument(f"{name}sigma2", default=sigma2.default if prefix else None, metavar="X",
        help=f"{text}variance of the Gaussian prior, {sigma2.bounds}"
        f"{'' if prefix else ', or auto'} (default {sigma2.default:g}, of candidate sets "
        f"{CANDIDATES['sigma2']:g})")
    parser.add_argument("--templates", default=templates, metavar="'SET +A -B'",
        help=f"{text}feature templates: a set ({', '.join(TEMPLATE_SETS)}), to which +NAME adds "
        "one template and from which -NAME takes one, in quotes and separated by blanks, as in "
        f"'ca04 +shape -nextword' (default %(default)s); known are {' '.join(TEMPLATES)}")


def add_candidates(parser: ArgumentParser) -> None:
    """Add what is learnt of candidate sets."""
    parser.add_argument("--target", choices=TARGETS, default=TARGETS[0],
        help="of candidate sets: learn the best candidates of a sentence, alike (uniform, "
        "default), the first of them (gold), or all by their quality (proportional)")
    parser.add_argument("--quality", choices=QUALITIES, default=QUALITIES[0],
        help="of candidate sets: the best are those of the highest given quality, the first column "
        "(default), or those with the most words right in head and relation (dependency); what is "
        "searched and compared is judged by it, too")
    parser.add_argument("--candidates", type=int, metavar="N",
        help="of candidate sets: learn from at most N candidates a sentence, of all qualities")
    parser.add_argument("--reference", metavar="FEATURE",
        help="of candidate sets: the feature of this name is the logarithm of the reference "
        "distribution, and has the weight 1")
