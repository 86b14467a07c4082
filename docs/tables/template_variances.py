"""The tables of a variance for each template beside one, from few words in all."""

import numpy as np

from tables.shared import (
    DOMAINS,
    FEW_WORDS,
    N_DRAWS,
    describe_gain,
    draw,
    print_table,
    rate,
    thirds,
)
from workbench.adaptation.adaptation import adapt
from workbench.adaptation.methods.template_variances import TemplateVariances
from workbench.adaptation.unknown_words import learn_unknown_words
from workbench.evaluation.report import paired_row
from workbench.experiments.backgrounds import background_of
from workbench.experiments.gradient_search import choose_template_variances
from workbench.experiments.method_rows import verdict
from workbench.experiments.search import choose_sigma2
from workbench.settings import BACKGROUND
from workbench.text.corpus import join
from workbench.text.sets.registry import load

_WAYS = ("5,000, by folds", "3,333 and 1,667 of dev", "5,000 and dev's")


def print_by_template() -> None:
    """Print mean errors on test by how labelled words are used, and what each template gains."""
    text = load("reuters1987")
    background = learn_unknown_words(background_of(text, BACKGROUND), text)
    found = {domain: _measure(background, domain) for domain in (*DOMAINS, "ted", "twitter")}
    methods = [f"{way}: {name}" for way in _WAYS for name in ("`map`", "by template")]
    headings = ("domain", "dev's words", "background", *methods, "as many, by folds: `map`")
    print_table(headings, (
        (domain, n_dev, rate(before), *(rate(each.mean()) for each in errors.T))
        for domain, (n_dev, before, errors, _) in found.items()
    ))  # fmt: skip
    print("\nBy template less `map`, in points: the mean of ten stretches with its 95 % interval, "
          "and how many are significantly better and worse:\n")  # fmt: skip
    print_table(("domain", *_WAYS), (
        (domain, *(describe_gain(errors[:, 2 * i + 1] - errors[:, 2 * i], verdicts[:, i])
                   for i in range(len(_WAYS))))
        for domain, (_, _, errors, verdicts) in found.items()
    ))  # fmt: skip


def _measure(background, domain):
    """Return dev's words, the background's error, and errors and verdicts of all stretches."""
    train, dev, test = (load(domain, part) for part in ("train", "dev", "test"))
    before, errors, verdicts = background.tag(test) != test.tags, [], []
    for number in range(N_DRAWS):
        own = draw(train, FEW_WORDS, number)
        pairs = [(own, None), thirds(own), (own, dev), (join(own, dev), None)]
        wrong = [
            learn(background, text, held).tag(test) != test.tags
            for text, held in pairs
            for learn in (_learn_map, _learn_by_template)
        ][:-1]
        errors.append([each.mean() for each in wrong])
        verdicts.append([
            verdict(paired_row(test, "map", wrong[i], "by-template", wrong[i + 1]))
            for i in range(0, 2 * len(_WAYS), 2)
        ])  # fmt: skip
    return len(dev), before.mean(), np.array(errors), np.array(verdicts)


def _learn_map(background, text, dev):
    return adapt(background, text, choose_sigma2(background, text, dev)[0])


def _learn_by_template(background, text, dev):
    values, _ = choose_template_variances(background, text, dev)
    return TemplateVariances(background, text).learn(**values)
