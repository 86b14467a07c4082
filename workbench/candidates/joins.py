"""What candidate sets add to the house: see ``workbench.annexes`` for these tables."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable

from workbench.annexes import load

ENDS = dict.fromkeys((".svm", ".events"), "candidates")  # of files: SVMlight, TADM
TASKS = {"candidates": "workbench.candidates.report:TASK_OF_CANDIDATES"}
KINDS = {
    "candidates": "workbench.candidates.model:CandidateModel",
    "candidate-mixture": "workbench.candidates.model:CandidateMixture",
}
AXES = {"candidates": "workbench.candidates.methods:AXES"}
TABLES = {"candidates": "workbench.candidates.pn08:TABLE_SPECS"}
PAYLOADS = {"candidates": "workbench.candidates.scrub:describe_choices"}
SCRIPTS = {"choices": "../candidates/choices"}
PAGES = {"candidates": "workbench.candidates.page:PAGE"}
SECTIONS = {
    "choices": "workbench.candidates.sections:CHOICES",
    "weights": "workbench.candidates.sections:WEIGHTS",
}
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


_ABOUT = """\
TEXT can be sentences with candidates to rank, such as a parser's: files that end in
.svm (SVMlight with qid) or .events (TADM), or folders with train.svm and so on."""


def _add_about(parser: ArgumentParser) -> None:
    """Say what candidate sets are."""
    parser.add_argument_group("candidate sets", _ABOUT)


def _add_learning(parser: ArgumentParser) -> None:
    """Add what is learnt of candidate sets to a command that trains."""
    from workbench.candidates.learning import DEFAULTS, QUALITIES, TARGETS

    cutoff, sigma2 = DEFAULTS.values()
    group = parser.add_argument_group(
        "candidate sets",
        f"""{_ABOUT}
A cutoff drops features that tell candidates apart in fewer sentences (default {cutoff});
the default of sigma2 is {sigma2:g} for them.""",
    )
    # fmt: off
    group.add_argument("--target", choices=TARGETS, default=TARGETS[0],
        help="learn the best candidates of a sentence, alike (uniform, default), the first of "
        "them (gold), or all by their quality (proportional)")
    group.add_argument("--quality", choices=QUALITIES, default=QUALITIES[0],
        help="the best are those of the highest given quality, the first column (default), or "
        "those with the most words right in head and relation (dependency); what is searched and "
        "compared is judged by it, too")
    group.add_argument("--candidates", type=int, metavar="N",
        help="learn from at most N candidates a sentence, of all qualities")
    group.add_argument("--reference", metavar="FEATURE",
        help="the feature of this name is the logarithm of the reference distribution, and has "
        "the weight 1")
    # fmt: on


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
    command: (_add_about if command in ("adapt", "evaluate") else _add_learning, _take)
    for command in _TEXTS
}
