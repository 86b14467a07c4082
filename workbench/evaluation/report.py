"""Models side by side on one corpus, as ``evaluate --json`` prints them."""

from collections.abc import Iterable
from itertools import combinations

import numpy as np

from workbench.evaluation.scores import to_json
from workbench.evaluation.significance import bootstrap, mcnemar, relative_change
from workbench.evaluation.task import find_task
from workbench.models.capitalizer import Capitalizer
from workbench.text.corpus import Corpus
from workbench.text.tasks import check_same_task


def report(corpus: Corpus, named_models: Iterable[tuple[str, Capitalizer]]) -> dict:
    """Score models on a corpus and compare each with every later one; a dict ready for JSON.

    Fractions, None where one is undefined: ``words``; ``models``, see ``model_row``;
    ``paired``, see ``paired_row``. InputError if a model is of another task than the corpus.
    """
    rows, wrong = [], []
    for name, model in named_models:
        numbered, tags = tag_as(model, name, corpus)
        rows.append(model_row(numbered, name, model, tags))
        wrong.append((name, tags != numbered.tags))
    return {
        "words": len(corpus),
        "models": rows,
        "paired": [paired_row(corpus, *a, *b) for a, b in combinations(wrong, 2)],
    }


def tag_as(model: Capitalizer, name: str, corpus: Corpus) -> tuple[Corpus, np.ndarray]:
    """Return a corpus with its tags numbered as a model's, and the model's tags of it.

    InputError, which has the model's name, if it is of another task than the corpus.
    """
    check_same_task(corpus.name, corpus.task, name, model.task)
    numbered = corpus.relabel(model.tag_names)
    return numbered, model.tag(numbered)


def model_row(corpus: Corpus, name: str, model: Capitalizer, tags: np.ndarray) -> dict:
    """Return name, kind and scores of a model that gave tags, int8, shape (N,); a dict."""
    scores = find_task(corpus).score(corpus, tags, model)
    return {"name": name, "kind": model.kind, **scores.to_json()}


def paired_row(
    corpus: Corpus, name_a: str, wrong_a: np.ndarray, name_b: str, wrong_b: np.ndarray
) -> dict:
    """Compare the errors, bool, shape (N,), of two models; a dict.

    ``a`` and ``b``, names; ``fixed``, words that b has right where a has not; ``broken``, the
    reverse; ``p_value`` of McNemar's test; ``relative_change`` of the error from a to b, a
    fraction, and its 95 % ``interval``, a list of two.
    """
    row = {
        "a": name_a,
        "b": name_b,
        **mcnemar(wrong_a, wrong_b)._asdict(),
        "relative_change": relative_change(wrong_a, wrong_b),
        "interval": bootstrap(wrong_a, wrong_b, corpus.sentence_ids),
    }
    return to_json(row)
