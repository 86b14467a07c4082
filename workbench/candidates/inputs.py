"""Options and files of the commands where texts are candidate sets."""

import os
from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from workbench.candidates.files import is_candidate_source, read_candidates
from workbench.candidates.learning import DEFAULTS, Learning
from workbench.candidates.packing import join_sets
from workbench.candidates.sets import TASK, CandidateSets
from workbench.cli.console import Progress
from workbench.cli.options import refuse
from workbench.features.selection import check_cutoff
from workbench.learning.prior import check_positive
from workbench.text.sets.registry import find_without_nltk

_OF_WORDS = (  # options that only words have
    "model", "templates", "unseen", "unknown_words", "drop_boundaries", "weights", "unpunctuated",
    "spans", "lint", "repair", "memory", "levels", "tree", "in_domain", "amounts",
)  # fmt: skip
_OF_DOCUMENTS = "@"  # between a name and a pattern of names of documents


def locate(text: str) -> str:
    """Return a path as it is, or the folder of the candidate sets of that name."""
    if text and not os.path.exists(text):
        found = find_without_nltk(text)
        if found and found.task == TASK:
            return str(found.location)
    return text


def are_candidates(texts: Sequence[str]) -> bool:
    """Return whether the texts of a command are candidate sets."""
    return all(is_candidate_source(_divide(text)[0]) for text in texts)


def _divide(text):
    """Return the place of a text, and the pattern of documents that its name ends with, or ""."""
    if os.path.exists(text):
        return text, ""
    name, _, pattern = text.partition(_OF_DOCUMENTS)
    return locate(name), pattern


def read_sets(texts: Sequence[str], part: str) -> CandidateSets:
    """Return a part of files and folders as one; of NAME@PATTERN some documents alone."""
    places = [_divide(text) for text in texts]
    with Progress("reading", "files") as progress:
        if not any(pattern for _, pattern in places):
            return read_candidates([place for place, _ in places], part, on_file=progress.read)
        sets = [read_candidates(place, part, on_file=progress.read) for place, _ in places]
    cut = [
        own.of_documents(pattern) if pattern else own
        for own, (_, pattern) in zip(sets, places, strict=True)
    ]
    return join_sets("+".join(own.name for own in cut), cut)


def refuse_options_of_words(options: Namespace, *own: str) -> None:
    """Raise InputError for an option that candidate sets have no use for; ``own`` are others'."""
    names = (name for name in _OF_WORDS if name not in own)
    refuse(options, names, "of words; candidate sets have features of their own")


def given_or(value: Any, default: Any) -> Any:
    """Return what the user gave, a text, or the default for candidates in a number's place."""
    return value if isinstance(value, str) else default


def learning_of(options: Namespace) -> Learning:
    """Return what is to be learnt of each sentence, by the options of ``joins``."""
    return Learning(options.target, options.reference, options.candidates, options.quality)


def check_background(options: Namespace) -> dict[str, Any]:
    """Return how the background of an experiment is trained, as arguments of ``fit``."""
    return {
        "cutoff": check_cutoff(given_or(options.background_cutoff, DEFAULTS["cutoff"])),
        "sigma2": check_positive(given_or(options.background_sigma2, DEFAULTS["sigma2"])),
        "learning": learning_of(options),
    }
