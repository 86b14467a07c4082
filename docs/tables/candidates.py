"""Tables of candidate sets: parses and the best recasings."""

from collections.abc import Sequence

from tables.shared import chance, print_table, rate, split_of
from workbench.adaptation.method import Split
from workbench.candidates.inputs import read_sets
from workbench.experiments.backgrounds import background_of
from workbench.experiments.candidate_comparison import compare_on_candidates
from workbench.experiments.reranking import measure_reranker, train_reranker
from workbench.models.candidates.candidate_model import CandidateModel
from workbench.settings import CANDIDATES
from workbench.text.sets.registry import load

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
        split = Split(background, train, dev, dict(CANDIDATES), CandidateModel)
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


def print_reranking() -> None:
    """Print what reranking the ten best recasings gains."""
    headings = ("domain, templates", "tagger", "reranked", "best of the 10", "fixed / broken",
                "p (McNemar)")  # fmt: skip
    rows = (_reranking_row(domain, templates) for templates in ("ca04", "extended")
            for domain in ("bn-cnn", "bn-abc", "bio"))  # fmt: skip
    print_table(headings, rows)


def _reranking_row(domain, templates):
    split = split_of("reuters1987", domain, templates=templates)
    background = background_of(split.background, split.options)
    reranker = train_reranker(background, split.adaptation, split.dev)
    row = measure_reranker(reranker, load(domain, "test"))
    rates = (rate(row[key], 3) for key in ("before", "after", "oracle"))
    return f"{domain}, `{templates}`", *rates, f"{row['fixed']} / {row['broken']}", chance(row)
