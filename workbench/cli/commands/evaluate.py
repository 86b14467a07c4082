"""``data``, ``evaluate`` and ``inspect``: which texts are here, and what models are worth."""

from argparse import ArgumentParser, Namespace
from itertools import chain
from pathlib import Path
from typing import Any

from workbench.cli import inputs
from workbench.cli.console import Progress, print_result
from workbench.cli.options import add_json, add_places, add_repair, add_threads
from workbench.cli.result_text import describe_data_sets, describe_file, describe_report
from workbench.evaluation.report import report
from workbench.features.unpunctuated import split_unpunctuated
from workbench.models.description import describe_model, find_models
from workbench.models.kinds import load_model
from workbench.models.shipped import model_file
from workbench.settings import SPAN_RULES
from workbench.text.sets.registry import known_data_sets

# fmt: off


def add_data(parser: ArgumentParser) -> None:
    """Add the options of ``data``."""
    add_json(parser)


def add_evaluate(parser: ArgumentParser) -> None:
    """Add the options of ``evaluate``."""
    parser.add_argument("model", nargs="+", metavar="MODEL",
        help="model files; each is compared with later ones")
    add_places(parser)
    parser.add_argument("--test", required=True, metavar="TEXT", help="test text")
    parser.add_argument("--unpunctuated", type=int, metavar="N",
        help="measure on the text without its punctuation, in lines of N words that end anywhere "
        "(0: a sentence a line); which words are initial goes by the sentences as written")
    parser.add_argument("--spans", choices=SPAN_RULES, default=SPAN_RULES[0],
        help="wipe (default): all words lose their case, as in the paper; keep: but for those of "
        "addresses, handles, hashtags, paths, markup and code, which `recase` leaves as they are "
        "and which count as right")
    add_json(parser)
    add_repair(parser)
    add_threads(parser)


def add_inspect(parser: ArgumentParser) -> None:
    """Add the options of ``inspect``."""
    parser.add_argument("model", nargs="+", metavar="MODEL",
        help="model files, or folders whose model files are listed")
    parser.add_argument("--word", metavar="WORD",
        help="also list the mixed-case forms of a word, such as iphone, that each model has "
        "seen, and how often background and domain write them")
    add_places(parser)
    add_json(parser)
# fmt: on


def data(options: Namespace) -> None:
    """List the data sets, and why some cannot be chosen."""
    known = known_data_sets()
    rows = [
        {
            "name": data_set.name, "kind": data_set.kind, "here": data_set.is_here,
            "parts": data_set.parts, "bytes": data_set.n_bytes, "note": data_set.note,
        }
        for data_set in known
    ]  # fmt: skip
    obstacles = {data_set.name: data_set.obstacle for data_set in known}
    print_result({"data_sets": rows}, describe_data_sets(rows, obstacles), options.json)


def evaluate(options: Namespace) -> None:
    """Measure models on a text."""
    models = load_named(options)
    is_kept = options.spans == "keep"
    corpus = inputs.read_texts([options.test], "test", options, as_recased=is_kept).require_cased()
    if options.unpunctuated is not None:
        corpus = split_unpunctuated(corpus, options.unpunctuated)
    with Progress("tagging", "models") as progress:
        result = report(corpus, progress.over(models), options.spans)
    print_result(result, describe_report(result), options.json)


def load_named(options: Namespace) -> list[tuple[str, Any]]:
    """Return the models to measure, each with the name of its file, or with its path."""
    names = [Path(path).name for path in options.model]
    if len(set(names)) < len(names):
        names = options.model
    return [
        (name, load_model(path, options.background))
        for name, path in zip(names, options.model, strict=True)
    ]


def inspect(options: Namespace) -> None:
    """Say what model files are and where they come from."""
    files = chain.from_iterable(find_models(model_file(place)) for place in options.model)
    found = [describe_model(file, options.background, options.word) for file in files]
    print_result({"models": found}, chain.from_iterable(map(describe_file, found)), options.json)
