"""What candidate sets add to commands: options, and who runs a command on such texts."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable

from workbench.cli.options import refuse
from workbench.features.candidates.targets import QUALITIES, TARGETS

_TEXTS = {  # the option whose texts decide what a command is about
    "train": "text", "adapt": "text", "evaluate": "test", "compare": "background",
    "report": "background", "tables": "background",
}  # fmt: skip


def add_options(command: str, parser: ArgumentParser) -> None:
    """Add what is learnt of candidate sets to a command that trains."""
    if command in ("adapt", "evaluate"):
        return
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


def take(options: Namespace) -> Callable[[Namespace], None] | None:
    """Return what runs a command on candidate sets; None where its texts are of words."""
    from workbench.cli.candidates import candidate_commands, candidate_experiments
    from workbench.cli.candidates.candidate_inputs import are_candidates

    texts = getattr(options, _TEXTS[options.command])
    if are_candidates([texts] if isinstance(texts, str) else texts):
        known = vars(candidate_commands) | vars(candidate_experiments)
        return known[options.command]
    names = "target", "quality", "candidates", "reference"
    refuse(options, names, "is of candidate sets alone")
    return None
