"""Checks of a command's options, before any text is read."""

import math
import re
from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from workbench.adaptation.weighted_texts import read_weights
from workbench.features.lexicon import reads_lexicon
from workbench.features.selection import check_cutoff
from workbench.features.templates import find_templates
from workbench.learning.prior import check_positive
from workbench.models.unigram import Unigram
from workbench.settings import MODEL_KINDS, SIGMA2_GRID
from workbench.text.errors import InputError
from workbench.text.incoming import STANDARD_STREAM
from workbench.text.scratch import Memory

# Options of a command that change nothing where others are as said; why not.
_WITHOUT_EFFECT: tuple[tuple[str, tuple[str, ...], Callable[[Namespace], bool], str], ...] = (
    ("train", ("unseen",), lambda o: o.model != Unigram.kind, "is of a 1gram"),
    ("train", ("templates", "cutoff", "sigma2", "alpha", "prior", "solver", "unknown_words",
               "drop_boundaries"),
     lambda o: o.model == Unigram.kind, "a 1gram has no variance, features or solver"),
    ("train", ("tree",), lambda o: o.adapt is None, "is of the genres of texts with --adapt"),
    ("train", ("force", "json"), lambda o: not (o.adapt and o.dev),
     "is of --adapt TEXT with --dev TEXT"),
    ("train", ("unknown_words",), lambda o: o.model == "crf", "a crf has no weights of them"),
    ("compare", ("tree",), lambda o: not {"all", "hierarchy"} & set(o.methods.split(",")),
     "is of the method hierarchy"),
    ("recase", ("review_lines",), lambda o: not o.review, "is of --review FILE"),
    ("recase", ("unbuffered",), lambda o: o.jobs > 1 or o.output != STANDARD_STREAM,
     "not with several jobs, which take many lines at a time, or -o, written when all is done"),
)  # fmt: skip
MOST_AT_ONCE = 256  # processes, or threads
BY_TEMPLATE = "by-template"  # as sigma2: a variance for each template


def check_background(options: Namespace) -> dict[str, Any]:
    """Return how the background is trained, as arguments of ``LogLinear.fit``."""
    refuse_candidate_options(options)
    return {
        "templates": check_templates(options),
        "cutoff": check_cutoff(options.background_cutoff),
        "sigma2": check_positive(options.background_sigma2),
    }


def check_templates(options: Namespace) -> str:
    """Return the expression of the templates; InputError if it is none."""
    find_templates(options.templates)
    return options.templates


def check_memory(options: Namespace) -> Memory | None:
    """Return how much memory training may take, None for all there is; InputError if not so."""
    text = options.memory
    if text is None:
        return None
    found = re.fullmatch(r"(\d+(?:\.\d+)?) ?([kmgt]?)b?", text.lower())
    if not found or not (n_bytes := float(found[1]) * 1000 ** " kmgt".index(found[2] or " ")):
        raise InputError(f"memory {text}: a size is needed, such as 2GB or 500MB")
    given = options.model, options.solver, options.drop_boundaries, options.cluster, options.weights
    is_plain = given[0] in ("memm", "crf") and given[1:] == ("lbfgs", "0", None, None)
    if not is_plain or reads_lexicon(find_templates(options.templates)):
        raise InputError(
            f"memory {text}: is for a memm or crf trained by lbfgs, without --drop-boundaries, "
            "--cluster, --weights and best's templates of casing: take ca04 or leave --memory out"
        )
    return Memory(int(n_bytes))


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


def refuse(options: Namespace, names: Iterable[str], why: str) -> None:
    """Raise InputError for the first of some options that has another value than its default."""
    for name in names:
        if (value := getattr(options, name, None)) != options.default_of(name):
            shown = "" if value is True else f" {value}"
            raise InputError(f"--{name.replace('_', '-')}{shown}: {why}")


def refuse_without_effect(options: Namespace) -> None:
    """Raise InputError for an option that would change nothing beside others, or without them."""
    for command, names, has_none, why in _WITHOUT_EFFECT:
        if command == options.command and has_none(options):
            refuse(options, names, why)


def refuse_candidate_options(options: Namespace) -> None:
    """Raise InputError for an option of training that only candidate sets have."""
    names = "target", "quality", "candidates", "reference"
    refuse(options, names, "is of candidate sets alone")


def check_text_weights(options: Namespace) -> list[float] | None:
    """Return the weights of several training texts; None if they are to be searched, or none are.

    InputError if the model that is trained can have none.
    """
    if options.weights is None:
        return None
    if len(options.text) == 1:
        raise InputError(f"weights {options.weights}: are of two or more texts")
    is_table = options.model in MODEL_KINDS
    if not is_table or options.prior != "gaussian" or options.solver != "lbfgs":
        raise InputError(
            f"weights {options.weights}: a memm or crf, trained by lbfgs with the gaussian prior, "
            "takes them"
        )
    if options.cluster is not None:
        raise InputError(f"weights {options.weights}: texts are weighted in one process")
    if options.sigma2 == "auto" and options.dev is None:
        raise InputError("sigma2 auto: with --weights, --dev TEXT is needed to search it on")
    return None if options.weights == "auto" else read_weights(options.weights, len(options.text))


def is_searched(options: Namespace, name: str, strength: str | None) -> bool:
    """Return whether training searches its variance, on dev or by folds.

    InputError if weights are to be searched and there is no text to do so on.
    """
    if options.weights == "auto" and options.dev is None:
        raise InputError("weights auto: --dev TEXT is needed to search them on")
    if strength == "auto" and name == "sigma2":
        return True
    if options.dev is not None and options.weights != "auto":
        raise InputError(f"dev {options.dev}: is for --sigma2 auto and --weights auto alone")
    return False


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


def check_new_strength(name: str, text: str | None, allowed: str = "auto") -> float | None:
    """Return one strength of the prior around the background; None, from "auto", is searched.

    An InputError names the words that are ``allowed`` instead of a number.
    """
    try:
        return None if text in (None, "auto") else check_positive(text, name)
    except InputError as error:
        raise InputError(f"{error}, or {allowed}") from None


def check_stop(text: str) -> float | None:
    """Return a sigma2 that is a stop of the slider; None, from "auto", is to be searched."""
    value = check_new_strength("sigma2", text)
    if value is None or value in SIGMA2_GRID:
        return value
    near = sorted(SIGMA2_GRID, key=lambda stop: abs(math.log(stop / value)))[:2]
    raise InputError(
        f"sigma2 {text}: no stop of the slider; near it are {min(near):g} and {max(near):g}"
    )


def check_count(name: str, number: int, least: int = 0, most: float = math.inf) -> int:
    """Return a number of things; InputError if it is out of bounds."""
    if not least <= number <= most:
        allowed = f"{least} or more is" if most == math.inf else f"{least} to {most} are"
        raise InputError(f"{name} {number}: {allowed} allowed")
    return number


def check_amounts(text: str | None) -> list[int] | None:
    """Return numbers of words of the background to train on; None if the option is not given."""
    try:
        amounts = None if text is None else [int(float(n)) for n in text.split(",")]
    except (ValueError, OverflowError):
        amounts = [0]
    if amounts is not None and min(amounts) < 1:
        raise InputError(f"amounts {text}: whole numbers of words, 1 or more, are allowed")
    return amounts
