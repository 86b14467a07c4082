"""The table of models that read sentences in one direction or in both."""

from tables.shared import chance, print_table, rate, split_of
from workbench.adaptation.methods.map import adapt
from workbench.evaluation.report import paired_row
from workbench.experiments.backgrounds import background_of
from workbench.experiments.hyperparameters import choose_sigma2
from workbench.models.directions.bidirectional import BidirectionalMEMM
from workbench.models.memm import MEMM
from workbench.text.sets.registry import load

PAIRS = [
    *(("reuters1987", domain) for domain in ("bn-cnn", "bn-abc", "ap1988", "techdocs", "bio")),
    ("reuters-fin", "bn-cnn"), ("reuters-fin", "bn-abc"),  # 4.3 GB, half an hour
]  # fmt: skip


def print_directions() -> None:
    """Print errors on test of `best` as a MEMM and as a bidirectional model; sigma2 by dev."""
    columns = "`memm`", "`bidirectional`", "fixed / broken, p"
    headings = "background → domain", *columns, *(f"adapted: {name}" for name in columns)
    print_table(headings, (_directions_row(*pair) for pair in PAIRS))


def _directions_row(background, domain):
    test, wrong = load(domain, "test"), []
    for kind in (MEMM, BidirectionalMEMM):
        split = split_of(background, domain, kind, "best")
        model = background_of(split.background, split.options, kind=kind)
        sigma2, _ = choose_sigma2(model, split.adaptation, split.dev)
        models = model, adapt(model, split.adaptation, sigma2)
        wrong.append([each.tag(test) != test.tags for each in models])
    cells = (_cells(test, *pair) for pair in zip(*wrong, strict=True))
    return f"{background} → {domain}", *(cell for pair in cells for cell in pair)


def _cells(test, one, both):
    pair = paired_row(test, "memm", one, "bidirectional", both)
    counts = f"{pair['fixed']:,} / {pair['broken']:,}, {chance(pair)}"
    return rate(one.mean()), rate(both.mean()), counts
