"""Prints a table of docs/results.md that needs several models, by its name.

``make_results.py`` calls it: ``./run python docs/make_tables.py NAME``. Texts are found as the
workbench finds them, through WORKBENCH_DATA.
"""

import sys
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial, reduce
from typing import NamedTuple

import numpy as np

from workbench.adaptation.method import Sources, Split
from workbench.adaptation.methods import METHODS
from workbench.adaptation.methods.map import adapt
from workbench.adaptation.unknown_words import learn_unknown_words
from workbench.cli.candidate_inputs import read_sets
from workbench.evaluation.chunks import score_chunks
from workbench.evaluation.report import paired_row, report
from workbench.evaluation.scores import surface_errors
from workbench.evaluation.significance import mcnemar
from workbench.experiments.backgrounds import background_of, background_of_split, unigram_of
from workbench.experiments.candidate_comparison import compare_on_candidates
from workbench.experiments.compare import compare
from workbench.experiments.hyperparameters import choose_sigma2, choose_training_sigma2
from workbench.experiments.method_rows import LEVEL, measure
from workbench.experiments.reranking import measure_reranker, train_reranker
from workbench.features.unpunctuated import split_unpunctuated
from workbench.models.candidates.candidate_model import CandidateModel
from workbench.models.crf import CRF
from workbench.models.memm import MEMM
from workbench.settings import BACKGROUND, CANDIDATES
from workbench.text.joining import join, unite_labels
from workbench.text.sets.registry import load

DOMAINS = "bn-cnn", "bn-abc", "ap1988", "bio", "techdocs"
PAIRS = [(background, domain) for background in ("wsj", "reuters1987", "reuters-fin")
         for domain in DOMAINS[:2]]  # fmt: skip


def print_table(headings: Sequence[str], rows: Iterable[Sequence], n_texts: int = 1) -> None:
    """Print a table of Markdown, row by row as they come; all but the first columns are numbers."""
    marks = ["---" if i < n_texts else "---:" for i in range(len(headings))]
    print(f"| {' | '.join(headings)} |\n|{'|'.join(marks)}|")
    for row in rows:
        print(f"| {' | '.join(map(str, row))} |", flush=True)


def rate(fraction: float, digits: int = 2) -> str:
    """Return a fraction in per cent."""
    return f"{100 * fraction:.{digits}f} %"


def split_of(background: str, domain: str, model: type = MEMM, templates: str = "ca04") -> Split:
    """Return the texts of an adaptation, with the options of the page's background."""
    options = BACKGROUND | {"templates": templates}
    return Split(load(background), load(domain), load(domain, "dev"), options, model)


# --- adaptation ---------------------------------------------------------------------------

ADAPTED = [
    ("scientific-docs", "nltk-docs"), ("scientific-docs", "streamlit-docs"),
    ("reuters1987", "bn-cnn"), ("reuters1987", "bn-abc"), ("reuters1987", "ap1988"),
    ("reuters-fin", "bn-cnn"), ("reuters-fin", "bn-abc"),  # of best 4.3 GB, minutes
]  # fmt: skip
SIZES = {"reuters1987": " (2.3M words)", "reuters-fin": " (21M words)"}


def print_adapted() -> None:
    """Print errors on test of 1-gram, background and adapted models; sigma2 is chosen on dev."""
    headings = ("background → domain", "1-gram", "`ca04`", "adapted", "change", "`best`", "adapted",
                "change", "adapted `best` for adapted `ca04`: fixed / broken, p")  # fmt: skip
    print_table(headings, (_adapted_row(*each) for each in ADAPTED))


def _adapted_row(background, domain):
    test, cells, tuned = load(domain, "test"), list[str](), list[np.ndarray]()
    for templates in ("ca04", "best"):
        split = split_of(background, domain, templates=templates)
        model = background_of(split.background, split.options)
        sigma2, _ = choose_sigma2(model, split.adaptation, split.dev)
        adapted = adapt(model, split.adaptation, sigma2)
        wrong = [each.tag(test) != test.tags for each in (model, adapted)]
        change = paired_row(test, "background", wrong[0], "adapted", wrong[1])["relative_change"]
        cells += [*(rate(w.mean()) for w in wrong), f"{100 * change:+.0f} %".replace("-", "−")]
        tuned.append(wrong[1])
    pair = paired_row(test, "ca04", tuned[0], "best", tuned[1])
    size = SIZES.get(background, " (embedded)" if background.endswith("-docs") else "")
    plain = rate((unigram_of(split.background).tag(test) != test.tags).mean())
    counts = f"{pair['fixed']:,} / {pair['broken']:,}, {_p(pair)}"
    return f"{background}{size} → {domain}", plain, *cells, counts


def _p(pair):
    return "< 0.001" if pair["p_value"] < 0.001 else f"{pair['p_value']:.3f}"


def print_training_sigma2() -> None:
    """Print the errors on dev by the background's variance, and on test of two of them."""
    text, dev, test = (load("reuters1987", part) for part in ("train", "dev", "test"))
    problem = MEMM.training_problem(text, "ca04", BACKGROUND["cutoff"])
    best, tried = choose_training_sigma2(problem, dev)
    rows = ((f"{s:g}", rate(wrong / len(dev), 3), "best" if s == best else "")
            for s, wrong in tried.items())  # fmt: skip
    print_table(("σ² of training", "dev", "on dev"), rows)
    chosen, usual = (MEMM.fit(text, sigma2=s) for s in (best, BACKGROUND["sigma2"]))
    wrong = [model.tag(test) != test.tags for model in (usual, chosen)]
    pair = paired_row(test, "usual", wrong[0], "chosen", wrong[1])
    print(f"\nOn test σ² {BACKGROUND['sigma2']:g}, the default, has {rate(wrong[0].mean(), 3)} "
          f"and the chosen {best:g} {rate(wrong[1].mean(), 3)} (p = {_p(pair)}).")  # fmt: skip


def print_unpunctuated() -> None:
    """Print errors without punctuation, of models trained plainly and with ends dropped."""
    headings = ("model, text", "`train`", "as written", "a sentence a line", "400 words a line",
                "of these, not initial")  # fmt: skip
    text = load("reuters1987")
    plain = MEMM.fit(text), MEMM.fit(text, drop_boundaries=1.0)
    print_table(headings, _unpunctuated_rows(plain), 2)


def _unpunctuated_rows(backgrounds):
    names = {"bn-cnn": "adapted to bn-cnn", "bn-abc": "adapted to bn-abc",
             "reuters1987": "background, reuters1987"}  # fmt: skip
    for domain, name in names.items():
        test = load(domain, "test")
        for how, model in zip(("plain", "`--drop-boundaries 1`"), backgrounds, strict=True):
            own = model if domain == "reuters1987" else adapt(model, load(domain), 1.0)
            texts = test, *(split_unpunctuated(test, n) for n in (0, 400))
            found = [report(each, [(name, own)])["models"][0] for each in texts]
            rates = *(row["error_rate"] for row in found), found[-1]["error_rate_not_initial"]
            yield name, how, *map(rate, rates)


def print_unknown_words() -> None:
    """Print words written wrongly with and without weights of unknown words."""
    text = load("reuters1987")
    paper = MEMM.fit(text)
    models = unigram_of(text), paper, learn_unknown_words(paper, text)
    rows = (
        (name, *(rate(surface_errors(test, m.tag(test), m.mixed_forms).mean()) for m in models))
        for name, test in ((n, load(n, "test")) for n in
                           ("bn-cnn", "ap1988", "ted", "techdocs", "twitter", "bio"))
    )  # fmt: skip
    print_table(("test text", "1-gram", "paper's model", "as `train` makes it"), rows)


# --- methods ------------------------------------------------------------------------------


def print_methods() -> None:
    """Print the errors of all methods on three backgrounds and two domains, and their seconds."""
    found = [compare(split_of(*pair), load(pair[1], "test")) for pair in PAIRS]
    rows = [{row["name"]: row for row in each["models"]} for each in found]
    headings = ["method", *(f"{a} → {b}" for a, b in PAIRS)]
    means = {name: np.mean([own[name]["error_rate"] for own in rows]) for name in rows[0]}
    names = sorted(means, key=means.__getitem__)
    marks = [_marks(each["paired"]) for each in found]
    print_table(headings, (
        (name, *(f"{100 * own[name]['error_rate']:.2f}{mark.get(name, '')}"
                 for own, mark in zip(rows, marks, strict=True))) for name in names
    ))  # fmt: skip
    print("\nSeconds of all fits of a method, its search on dev included, without the background's "
          "training:\n")  # fmt: skip
    print_table(headings, (
        (name, *(f"{own[name]['fit_seconds']:.1f}" for own in rows)) for name in names
    ))  # fmt: skip


def _marks(paired):
    """Return a sign for each method that is significantly better or worse than map."""
    signs = {}
    for pair in paired:
        low, high = pair["interval"]
        is_real = pair["p_value"] < LEVEL and low is not None and (low > 0 or high < 0)
        if pair["a"] == "map" and is_real:
            signs[pair["b"]] = " +" if pair["relative_change"] < 0 else " −"
    return signs


def print_both_texts() -> None:
    """Print what training on both texts gains over map on five domains."""
    names = "background", "map", "weighted", "all"
    rows = (_both_row(domain, names) for domain in DOMAINS)
    headings = ("domain", *names, "`weighted` against `map`", "`all` against `map`",
                "fit, s: `map`, `weighted`, `all`")  # fmt: skip
    print_table(headings, rows, len(headings))


def _both_row(domain, names):
    result = compare(split_of("reuters1987", domain), load(domain, "test"), names)
    rows = {row["name"]: row for row in result["models"]}
    signs = _marks(result["paired"])
    pairs = {pair["b"]: pair for pair in result["paired"] if pair["a"] == "map"}
    words = {" +": "better", " −": "worse", "": "no difference"}
    says = (f"{words[signs.get(n, '')]} (p {pairs[n]['p_value']:.2g})" for n in names[2:])
    seconds = ", ".join(f"{rows[n]['fit_seconds']:.0f}" for n in names[1:])
    return domain, *(rate(rows[n]["error_rate"]) for n in names), *says, seconds


SOURCES = (
    "reuters1987 reuters9697 wsj ap1988 bn-abc bn-cnn science-abc speeches brown-fiction ted bio "
    "techdocs twitter wiki-truecase"
).split()
SOURCE_WORDS = 60_000  # of each, at most: of large ones every so manieth sentence


def print_sources() -> None:
    """Print methods that learn from thirteen other texts, and what the hierarchy gains."""
    names = "background", "map", "weighted", "chain", "hierarchy"
    headings = ("domain", *names, "`hierarchy` against", "fixed / broken", "p (McNemar)",
                "σ² of `hierarchy`: general, texts, domain")  # fmt: skip
    domains = "bn-cnn", "bn-abc", "ted", "twitter", "techdocs"
    print_table(headings, (_sources_row(domain, names) for domain in domains))


def _sources_row(domain, names):
    texts = [_shortened(load(name)) for name in SOURCES if name != domain]
    begins = tuple(np.cumsum([text.n_sentences for text in texts[:-1]]).tolist())
    dev, test = load(domain, "dev"), load(domain, "test")
    split = Split(reduce(join, texts), load(domain), dev, BACKGROUND, begins=begins)
    sources = Sources(split, background_of_split)
    found = {name: measure(METHODS[name], sources, dev, test) for name in names}
    rival = min(("map", "weighted"), key=lambda name: found[name][1].sum())
    wrong = found["hierarchy"][1]
    pair = paired_row(test, rival, found[rival][1], "hierarchy", wrong)
    chosen = found["hierarchy"][0]["hyper_parameters"]
    sigma2s = ", ".join(f"{chosen[f'sigma2_{level}']:g}" for level in "gst")
    rates = (rate(each.mean()) for _, each in found.values())
    return domain, *rates, f"`{rival}`", f"{pair['fixed']} / {pair['broken']}", _p(pair), sigma2s


def _shortened(text):
    return text.take(np.arange(0, text.n_sentences, -(-len(text) // SOURCE_WORDS)))


def print_models() -> None:
    """Print MEMM and CRF side by side on five domains."""
    headings = ("domain", "MEMM background", "MEMM `map`", "CRF background", "CRF `map`",
                "fit of `map`, s: MEMM, CRF", "train, s: MEMM, CRF")  # fmt: skip
    print_table(headings, map(_models_row, DOMAINS), len(headings))


def _models_row(domain):
    errors, seconds = [], []
    for kind in (MEMM, CRF):
        split = split_of("reuters1987", domain, kind)
        rows = compare(split, load(domain, "test"), ("background", "map"))["models"]
        errors += [rate(row["error_rate"]) for row in rows]
        seconds.append([f"{row['fit_seconds']:.0f}" for row in rows])
    train, fit = (", ".join(own) for own in zip(*seconds, strict=True))
    return domain, *errors, fit, train


# --- templates ----------------------------------------------------------------------------

ABLATED = {
    "strings of 3 and 4 letters": "ngram3 ngram4",
    "affixes of neighbours": "previousprefix1 previousprefix2 previousprefix3 "
                             "previoussuffix1 previoussuffix2 previoussuffix3 "
                             "nextprefix1 nextprefix2 nextprefix3 "
                             "nextsuffix1 nextsuffix2 nextsuffix3",
    "casing of neighbours": "casing-2 casing-1 casing+1 casing+2 casing-1,casing casing,casing+1 "
                            "casing-1,casing,casing+1 casing,t-1 casing+1,t-1 "
                            "currentword,casing-1 currentword,casing+1",
    "words two away, pairs of words": "word-2 word+2 previousword,currentword currentword,nextword",
}  # fmt: skip
ABLATED_DOMAINS, ABLATED_WORDS = ("bn-cnn", "ap1988", "techdocs"), 500_000


class _Ablated(NamedTuple):
    """What a set of templates is worth."""

    features: int  # of the background
    seconds: float  # of processor time, of its training
    wrong: dict[str, tuple[np.ndarray, np.ndarray]]  # by domain, on dev: background, adapted


def print_ablation() -> None:
    """Print errors on dev text without some templates of `best`, and what they cost."""
    text = load("reuters1987")
    text = text.take(np.arange(np.searchsorted(text.starts, ABLATED_WORDS)))
    MEMM.fit(text.take(np.arange(100)), "best")  # compile
    base = _ablated(text, "")
    headings = "`best` without", "features", "time of training", *ABLATED_DOMAINS
    print_table(headings, (
        _ablation_cells(name, base, _ablated(text, taken) if taken else base)
        for name, taken in {"nothing": "", **ABLATED}.items()
    ))  # fmt: skip


def _ablated(text, taken):
    """Train and adapt a model of `best` without the templates that are taken away."""
    templates = " ".join(["best", *(f"-{name}" for name in taken.split())])
    began = time.process_time()
    model = MEMM.fit(text, templates)
    seconds, wrong = time.process_time() - began, {}
    for domain in ABLATED_DOMAINS:
        models, dev = (model, adapt(model, load(domain), 1.0)), load(domain, "dev")
        wrong[domain] = tuple(each.tag(dev) != dev.tags for each in models)
    return _Ablated(model.info["features"], seconds, wrong)


def _ablation_cells(name, base, found):
    """Return a row; an error has ▲ where it is significantly more than the base's, ▼ less."""

    def cell(before, wrong):
        fixed, broken, p = mcnemar(before, wrong)
        mark = "" if p >= LEVEL else " ▲" if broken > fixed else " ▼"
        return rate(wrong.mean()) + mark

    both = (zip(base.wrong[d], found.wrong[d], strict=True) for d in ABLATED_DOMAINS)
    errors = (" / ".join(cell(*pair) for pair in pairs) for pairs in both)
    return name, f"{found.features:,}", f"{100 * found.seconds / base.seconds:.0f} %", *errors


# --- candidate sets -----------------------------------------------------------------------


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
    return f"{domain}, `{templates}`", *rates, f"{row['fixed']} / {row['broken']}", _p(row)


# --- labels -------------------------------------------------------------------------------


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
    train, dev, test = (load(domain, part).relabel(model.tag_names)
                        for part in ("train", "dev", "test"))  # fmt: skip
    sigma2, _ = choose_sigma2(model, train, dev)
    named = ("background", model), ("adapted", adapt(model, train, sigma2))
    found = report(test, named)
    keys = "error_rate", "error_rate_unknown"
    shares = [rate(1 - row[key]) for key in keys for row in found["models"]]
    pair = found["paired"][0]
    change = f"{100 * pair['relative_change']:+.0f} %"
    return domain, f"{len(train):,}", *shares, change, _p(pair)


def print_chunks() -> None:
    """Print a chunker adapted to abstracts, and two sets of templates on the CoNLL-2000 test."""
    options = {"templates": "chunk", "cutoff": 0, "sigma2": 2.0}
    text, (train, dev, test) = (
        load("chunk-wsj"),
        (load("chunk-genia", part) for part in ("train", "dev", "test")),
    )
    text, train, dev, test = unite_labels(text, train, dev, test)
    model = background_of(text, options, kind=CRF)
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
    text, test = unite_labels(text, load("chunk-wsj", "test"))
    return _chunk_scores(background_of(text, options, kind=CRF), test)


def _chunk_scores(model, test):
    tags = model.tag(test)
    return rate((tags == test.tags).mean()), f"{100 * score_chunks(test, tags)[0].f1:.2f}"


TABLES: dict[str, Callable[[], None]] = {
    "adapted": print_adapted,
    "training-sigma2": print_training_sigma2, "unpunctuated": print_unpunctuated,
    "unknown-words": print_unknown_words, "methods": print_methods,
    "both-texts": print_both_texts, "sources": print_sources, "models": print_models,
    "parses": print_parses,
    "parses-news": partial(print_parses, NEWS, FEW_METHODS),
    "reranking": print_reranking, "chunks": print_chunks,
    "parts-of-speech": print_parts_of_speech, "ablation": print_ablation,
}  # fmt: skip

if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in TABLES:
        sys.exit(f"one of: {', '.join(TABLES)}")
    TABLES[sys.argv[1]]()
