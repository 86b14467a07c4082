"""Tables of candidate sets: parses."""

from collections.abc import Sequence

from tables.shared import print_table
from workbench.adaptation.method import Split
from workbench.candidates.comparison import compare_on_candidates
from workbench.candidates.inputs import read_sets
from workbench.candidates.learning import DEFAULTS
from workbench.candidates.model import CandidateModel

NEWS = "parses-gum/background@GUM_news_*"
FEW_METHODS = "background", "target", "all", "auxiliary", "equal-weights", "map"


def print_parses(source: str = "parses-gum/background", methods: Sequence[str] = ("all",)) -> None:
    """Print methods, by default all, on five domains of parses, one division of the text."""
    domains = "conversation", "fiction", "podcast", "speech", "vlog"
    parts = ("train", "dev", "test")
    texts = {d: [read_sets([f"parses-gum/{d}"], part) for part in parts] for d in domains}
    background = read_sets([source], "train")
    results = []
    for train, dev, test in texts.values():
        split = Split(background, train, dev, dict(DEFAULTS), CandidateModel)
        results.append(compare_on_candidates(split, test, methods))
    cells = [_parse_cells(result) for result in results]
    print_table(("method", *domains), ((n, *(own[n] for own in cells)) for n in cells[0]))


def _parse_cells(result):
    """Return quality and dependency accuracy by method, a mark where above the background."""

    def both(quality, dependencies):
        return f"{100 * quality:.2f} / {100 * dependencies:.2f}"

    better = {p["b"] for p in result["paired"]
              if p["a"] == "background" and p["verdict"] == "gain is significant"}  # fmt: skip
    cells = {"first candidate": both(result["first"], result["dependencies"]["first"])}
    for row in result["models"]:
        mark = " ▲" if row["name"] in better else ""
        cells[row["name"]] = both(row["quality"], row["dependency_accuracy"]) + mark
    return cells | {"oracle": both(result["oracle"], result["dependencies"]["oracle"])}
