"""What candidate sets add to the house: options of commands, and who runs these on such texts."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable

from workbench.annexes import load

_TEXTS = {  # the option whose texts decide what a command is about
    "train": "text", "adapt": "text", "evaluate": "test", "compare": "background",
    "report": "background", "tables": "background",
}  # fmt: skip
_RUN = {
    command: f"workbench.candidates.{module}:{command}"
    for module, commands in (
        ("commands", ("train", "adapt", "evaluate")),
        ("experiment_commands", ("compare", "report", "tables")),
    )
    for command in commands
}


def _add_learning(parser: ArgumentParser) -> None:
    """Add what is learnt of candidate sets to a command that trains."""
    from workbench.features.candidates.targets import QUALITIES, TARGETS

    # fmt: off
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
    # fmt: on


def _add_nothing(parser: ArgumentParser) -> None:
    pass


def _take(options: Namespace) -> Callable[[Namespace], None] | None:
    """Return what runs a command on candidate sets; None where its texts are of words."""
    texts = getattr(options, _TEXTS[options.command])
    texts = [texts] if isinstance(texts, str) else texts
    if load("workbench.candidates.inputs:are_candidates")(texts):
        return load(_RUN[options.command])
    names = "target", "quality", "candidates", "reference"
    load("workbench.cli.options:refuse")(options, names, "is of candidate sets alone")
    return None


OPTIONS = {
    command: (_add_nothing if command in ("adapt", "evaluate") else _add_learning, _take)
    for command in _TEXTS
}
