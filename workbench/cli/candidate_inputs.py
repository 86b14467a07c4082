"""Options and files of the commands where texts are candidate sets."""

import os
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from workbench.cli.console import Progress
from workbench.features.candidates.candidate_files import is_candidate_source, read_candidates
from workbench.features.candidates.candidate_sets import CandidateSets
from workbench.features.selection import check_cutoff
from workbench.learning.prior import check_positive
from workbench.settings import CANDIDATES, SETTINGS, SPAN_RULES, TRAINING, UNKNOWN_WORDS
from workbench.text.errors import InputError
from workbench.text.sets.registry import VARIABLE

# Options that only words have, with their defaults.
_OF_WORDS = {
    "model": SETTINGS["model"].default, "templates": TRAINING["templates"].default,
    "unseen": "loc", "unknown_words": UNKNOWN_WORDS[0], "drop_boundaries": "0", "weights": None,
    "unpunctuated": None, "spans": SPAN_RULES[0], "lint": "keep", "repair": False,
    "memory": None,
}  # fmt: skip


def locate(text: str) -> str:
    """Return a path as it is, or that in the folder of data sets if candidate sets are there."""
    home = os.environ.get(VARIABLE)
    if home and text and not os.path.exists(text) and is_candidate_source(Path(home, text)):
        return str(Path(home, text))
    return text


def are_candidates(texts: Sequence[str]) -> bool:
    """Return whether the texts of a command are candidate sets."""
    return all(is_candidate_source(locate(text)) for text in texts)


def read_sets(texts: Sequence[str], part: str) -> CandidateSets:
    """Return a part of files and folders as one."""
    with Progress("reading", "files") as progress:
        return read_candidates(list(map(locate, texts)), part, on_file=progress.read)


def refuse_options_of_words(options: Namespace, *own: str) -> None:
    """Raise InputError for an option that candidate sets have no use for; ``own`` are others'."""
    for name, default in _OF_WORDS.items():
        value = getattr(options, name, default)
        if name not in own and value != default:
            option = "--" + name.replace("_", "-")
            raise InputError(
                f"{option} {value}: of words; candidate sets have features of their own"
            )


def given_or(value: Any, default: Any) -> Any:
    """Return what the user gave, a text, or the default for candidates in a number's place."""
    return value if isinstance(value, str) else default


def check_background(options: Namespace) -> dict[str, Any]:
    """Return how the background of an experiment is trained, as arguments of ``fit``."""
    return {
        "cutoff": check_cutoff(given_or(options.background_cutoff, CANDIDATES["cutoff"])),
        "sigma2": check_positive(given_or(options.background_sigma2, CANDIDATES["sigma2"])),
    }
