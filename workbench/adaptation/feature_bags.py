"""Models of fewer templates, averaged with the one of all: feature bags.

Weights that are learnt together share what they explain. Where a word's neighbours already tell
its tag, the word's own weights stay small, and in text where the neighbours are others too little
is left (weight undertraining). So models of fewer templates, *bags*, are trained by themselves, and
weights are averaged: in each context the scores are the mean of the models' scores, a product of
experts. It is one log-linear model, tagged, saved, explained and adapted as any other.

Source: Sutton, Sindelar & McCallum (2006), *Reducing Weight Undertraining in Structured
Discriminative Learning*. There each model is normalized before they are multiplied, here only
their product is, so that one table of weights is left.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from workbench.features.templates import Template, find_templates
from workbench.models.memm import MEMM
from workbench.text.tasks import TaskName

_OWN_SHARE = 0.4  # of the average: the model of all templates; its bags share the rest


def average_bags(model: MEMM, fit: Callable[[Sequence[str]], MEMM]) -> MEMM:
    """Return a model averaged with those of its ``bags_of`` templates.

    ``fit`` trains a model of templates, given by name, on the same text and in the same way. The
    model itself is returned if it has no bags.
    """
    if model.task is not TaskName.CASE or not (bags := bags_of(model.templates)):
        return model
    number = {name: i for i, name in enumerate(model.features.names())}
    weights = _OWN_SHARE * model.weights
    for templates in bags:
        bag = fit([template.name for template in templates])
        rows = [number[name] for name in bag.features.names()]
        weights[rows] += (1 - _OWN_SHARE) / len(bags) * bag.weights
    return replace(model, weights=weights)


def bags_of(templates: Sequence[Template]) -> list[tuple[Template, ...]]:
    """Return the templates of each bag; none unless the templates are the paper's and more.

    The bags are the paper's templates, those of them that read no neighbour, and those of these
    that read no tag: the word alone.
    """
    paper = find_templates("ca04")
    more = [t for t in templates if t not in paper and not t.unpunctuated]
    if not more or not set(paper) <= set(templates):
        return []
    alone = tuple(t for t in paper if not any(t.offsets))
    return [paper, alone, tuple(t for t in alone if not t.n_tags)]
