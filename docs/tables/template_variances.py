"""The table of a variance for each template, beside one and two, from little text."""

import time

from tables.methods import FEW_WORDS
from tables.shared import DOMAINS, chance, first_words, print_table, rate, split_of
from workbench.adaptation.methods.map import adapt
from workbench.adaptation.methods.template_variances import TemplateVariances
from workbench.adaptation.unknown_words import learn_unknown_words
from workbench.evaluation.report import paired_row
from workbench.experiments.backgrounds import background_of
from workbench.experiments.searches.adaptation_search import choose_sigma2, choose_variances
from workbench.experiments.searches.gradient_search import choose_template_variances
from workbench.text.sets.registry import load


def print_by_template() -> None:
    """Print errors on test of adaptation to 5,000 words, tuned on dev and by folds of the words."""
    headings = (
        "domain", "background", "dev: `map`", "two", "by template", "fixed / broken", "p", "s",
        "folds: `map`", "by template", "fixed / broken", "p", "s",
    )  # fmt: skip
    print_table(headings, map(_row, (*DOMAINS, "ted", "twitter")))


def _row(domain):
    split, test = split_of("reuters1987", domain), load(domain, "test")
    own = first_words(split.adaptation, FEW_WORDS)
    background = learn_unknown_words(
        background_of(split.background, split.options), split.background
    )
    by_dev = _compare(background, own, split.dev, test)
    two = adapt(background, own, **choose_variances(background, own, split.dev)[0])
    by_dev.insert(1, _rate(two, test))
    return domain, _rate(background, test), *by_dev, *_compare(background, own, None, test)


def _compare(background, own, dev, test):
    """Return cells of one variance, and of one for each template, tuned on dev or by folds."""
    models = [adapt(background, own, choose_sigma2(background, own, dev)[0])]
    began = time.perf_counter()
    values, _ = choose_template_variances(background, own, dev)
    models.append(TemplateVariances(background, own).learn(**values))
    seconds = time.perf_counter() - began
    wrong = [model.tag(test) != test.tags for model in models]
    pair = paired_row(test, "map", wrong[0], "by-template", wrong[1])
    counts = f"{pair['fixed']} / {pair['broken']}", chance(pair), f"{seconds:.0f}"
    return [*(rate(each.mean()) for each in wrong), *counts]


def _rate(model, test):
    return rate((model.tag(test) != test.tags).mean())
