"""Options that several commands share, made from ``SETTINGS``, and the checks of their values.

``add_`` functions declare options on a parser; the others are given the options of a command and
raise InputError where it cannot do what they ask for, before any text is read.
"""

import math
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable
from typing import Any

from workbench.features.selection import check_cutoff
from workbench.features.templates import TEMPLATE_SETS, TEMPLATES, find_templates
from workbench.learning.prior import PRIORS, check_positive
from workbench.learning.solvers import SOLVERS
from workbench.models.shipped import BACKGROUNDS
from workbench.numerics.threads import thread_count
from workbench.settings import MODEL_KINDS, SETTINGS, TRAINING
from workbench.text.errors import InputError

MOST_AT_ONCE = 256  # processes, or threads

# Options that change nothing where others are as said, and why not: a default of a parser.
WithoutEffect = tuple[tuple[tuple[str, ...], Callable[[Namespace], bool], str], ...]

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
        "improved iterative scaling, is much slower; all but lbfgs take a gaussian "
        "prior alone "
        f"(default {default}; lbfgs for the exponential prior)")


def add_training(
    parser: ArgumentParser, prefix: str = "", templates: str = TRAINING["templates"].default
) -> None:
    """Add how a model is trained; with a prefix, how the background of an experiment is."""
    text = f"of the {prefix}; " if prefix else ""
    name = f"--{prefix}-" if prefix else "--"
    cutoff, sigma2 = TRAINING["cutoff"], TRAINING["sigma2"]
    parser.add_argument(f"{name}cutoff", default=cutoff.default, metavar="N",
        help=f"{text}drop features seen fewer than N times; 0 keeps all (default %(default)s)")
    parser.add_argument(f"{name}sigma2", default=sigma2.default if prefix else None, metavar="X",
        help=f"{text}variance of the Gaussian prior, {sigma2.bounds}"
        f"{'' if prefix else ', or auto'} (default {sigma2.default:g})")
    parser.add_argument("--templates", default=templates, metavar="'SET +A -B'",
        help=f"{text}feature templates: a set ({', '.join(TEMPLATE_SETS)}), to which +NAME adds "
        "one template and from which -NAME takes one, in quotes and separated by blanks, as in "
        f"'ca04 +shape -nextword' (default %(default)s); known are {' '.join(TEMPLATES)}")


def add_split(
    parser: ArgumentParser, with_test: bool = True, takes_model: bool = False
) -> None:
    """Add the texts of an experiment and the kind of model."""
    needed: dict[str, Any] = {"required": True, "metavar": "TEXT"}
    model = f"; or a model: {', '.join(BACKGROUNDS)}, or a .model file" if takes_model else ""
    parser.add_argument("--background", nargs="+", **needed, help=f"background text{model}")
    parser.add_argument("--adapt", nargs="+", **needed, help="adaptation text")
    parser.add_argument("--dev", **needed, help="development text, to choose on")
    if with_test:
        parser.add_argument("--test", **needed, help="test text, to report on")
    parser.add_argument("--model", choices=MODEL_KINDS, default=SETTINGS["model"].default,
        help="what is trained and adapted (default %(default)s); not all methods can adapt a crf")


def add_experiment(
    parser: ArgumentParser, templates: str = TRAINING["templates"].default
) -> None:
    """Add how the background of an experiment is trained, and how the result is printed."""
    add_training(parser, "background", templates)
    add_json(parser)
    add_repair(parser)
    add_threads(parser)
# fmt: on


def refuse(options: Namespace, names: Iterable[str], why: str) -> None:
    """Raise InputError for the first of some options that has another value than its default."""
    for name in names:
        if (value := getattr(options, name, None)) != options.default_of(name):
            shown = "" if value is True else f" {value}"
            raise InputError(f"--{name.replace('_', '-')}{shown}: {why}")


def refuse_without_effect(options: Namespace) -> None:
    """Raise InputError for an option that would change nothing beside others, or without them.

    ``options.without_effect``, if the command has it, says where.
    """
    for names, has_none, why in getattr(options, "without_effect", ()):
        if has_none(options):
            refuse(options, names, why)


def check_count(name: str, number: int, least: int = 0, most: float = math.inf) -> int:
    """Return a number of things; InputError if it is out of bounds."""
    if not least <= number <= most:
        allowed = f"{least} or more is" if most == math.inf else f"{least} to {most} are"
        raise InputError(f"{name} {number}: {allowed} allowed")
    return number


def check_templates(options: Namespace) -> str:
    """Return the expression of the templates; InputError if it is none."""
    find_templates(options.templates)
    return options.templates


def check_background(options: Namespace) -> dict[str, Any]:
    """Return how the background is trained, as arguments of ``LogLinear.fit``."""
    return {
        "templates": check_templates(options),
        "cutoff": check_cutoff(options.background_cutoff),
        "sigma2": check_positive(options.background_sigma2),
    }


def check_new_cutoff(text: str | int) -> int | None:
    """Return the cut-off of new features; None, from "none", adds no feature."""
    try:
        return None if text == "none" else check_cutoff(text)
    except InputError as error:
        raise InputError(f"{error}, or none") from None


def strength_of(options: Namespace) -> tuple[str, str | None]:
    """Return name and text of the chosen prior's strength; InputError if the other's is given."""
    own, other = ("sigma2", "alpha") if options.prior == "gaussian" else ("alpha", "sigma2")
    if (given := getattr(options, other)) is not None:
        raise InputError(f"{other} {given}: the {options.prior} prior takes {own}")
    return own, getattr(options, own)


def check_new_strength(name: str, text: str | None, allowed: str = "auto") -> float | None:
    """Return one strength of the prior around the background; None, from "auto", is searched.

    An InputError names the words that are ``allowed`` instead of a number.
    """
    try:
        return None if text in (None, "auto") else check_positive(text, name)
    except InputError as error:
        raise InputError(f"{error}, or {allowed}") from None
