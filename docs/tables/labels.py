"""Tables of parts of speech and chunks."""

from tables.shared import chance, print_table, rate
from workbench.adaptation.adaptation import adapt
from workbench.evaluation.report import report
from workbench.experiments.backgrounds import background_of
from workbench.experiments.search import choose_sigma2
from workbench.models.crf import CRF
from workbench.text.corpus import join
from workbench.text.sets.registry import load


def print_parts_of_speech() -> None:
    """Print accuracies of parts of speech, adapted from one genre to six others."""
    options = {"templates": "pos", "cutoff": 0, "sigma2": 1.0}
    model = background_of(load("pos-ewt/answers"), options, kind=CRF)
    domains = [f"pos-ewt/{g}" for g in ("newsgroup", "weblog", "reviews")]
    domains += [f"pos-gum/{g}" for g in ("news", "fiction", "academic")]
    headings = ("pos-ewt/answers →", "words to adapt to", "accuracy, background", "adapted",
                "of unknown words", "adapted", "change in errors", "p (McNemar)")  # fmt: skip
    print_table(headings, (_speech_row(model, domain) for domain in domains))


def _speech_row(model, domain):
    train, dev, test = (load(domain, part) for part in ("train", "dev", "test"))
    sigma2, _ = choose_sigma2(model, train, dev)
    named = ("background", model), ("adapted", adapt(model, train, sigma2))
    found = report(test, named)
    keys = "error_rate", "error_rate_unknown"
    shares = [rate(1 - row[key]) for key in keys for row in found["models"]]
    pair = found["paired"][0]
    change = f"{100 * pair['relative_change']:+.0f} %"
    return domain, f"{len(train):,}", *shares, change, chance(pair)


def print_chunks() -> None:
    """Print a chunker adapted to abstracts, and two sets of templates on the CoNLL-2000 test."""
    options = {"templates": "chunk", "cutoff": 0, "sigma2": 2.0}
    train, dev, test = (load("chunk-genia", part) for part in ("train", "dev", "test"))
    model = background_of(load("chunk-wsj"), options, kind=CRF)
    sigma2, _ = choose_sigma2(model, train, dev)
    models = {"background (σ² 2)": model, f"adapted, σ² {sigma2:.2g}": adapt(model, train, sigma2)}
    print_table(("chunk-wsj → chunk-genia, test", "accuracy", "F1"), (
        (name, *_chunk_scores(each, test)) for name, each in models.items()
    ))  # fmt: skip
    print("\nOn the CoNLL-2000 test text, without adaptation; trained on train and dev of "
          "chunk-wsj:\n")  # fmt: skip
    both = join(load("chunk-wsj"), load("chunk-wsj", "dev"))
    print_table(("templates", "accuracy", "F1, chunk-wsj test"), (
        (f"`{name}`", *_wsj_scores(both, options | {"templates": name}))
        for name in ("chunk", "chunk +suffix2 +suffix3")
    ))  # fmt: skip


def _wsj_scores(text, options):
    return _chunk_scores(background_of(text, options, kind=CRF), load("chunk-wsj", "test"))


def _chunk_scores(model, test):
    (row,) = report(test, [("chunker", model)])["models"]
    return rate(1 - row["error_rate"]), f"{100 * row['chunks']['f1']:.2f}"
