"""Tables of adapted models, of training, and of words without features of their own."""

import numpy as np

from tables.shared import chance, print_table, rate, split_of
from workbench.adaptation.adaptation import adapt
from workbench.adaptation.unknown_words import learn_unknown_words
from workbench.evaluation.error_rates import surface_errors
from workbench.evaluation.report import paired_row, report
from workbench.experiments.backgrounds import background_of, unigram_of
from workbench.experiments.search import choose_sigma2, choose_training_sigma2
from workbench.features.unpunctuated import split_unpunctuated
from workbench.models.memm import MEMM
from workbench.settings import BACKGROUND
from workbench.text.sets.registry import load

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
    counts = f"{pair['fixed']:,} / {pair['broken']:,}, {chance(pair)}"
    return f"{background}{size} → {domain}", plain, *cells, counts


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
          f"and the chosen {best:g} {rate(wrong[1].mean(), 3)} (p = {chance(pair)}).")  # fmt: skip


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
