"""Models side by side on one corpus, as ``evaluate --json`` prints them."""

from itertools import combinations

from workbench.evaluation.chunks import score_labels
from workbench.evaluation.scores import score, to_json
from workbench.evaluation.significance import bootstrap, mcnemar, relative_change


def report(corpus, named_models):
    """Score models on a corpus and compare each with every later one.

    Parameters
    ----------
    corpus : Corpus
        With gold tags.
    named_models : list of (str, Capitalizer)

    Returns
    -------
    report : dict
        Ready for JSON; fractions, None where one is undefined. ``words``;
        ``models``, see ``model_row``; ``paired``, see ``paired_row``.
    """
    rows, wrong = [], []
    for name, model in named_models:
        numbered = corpus.relabel(model.tag_names)
        tags = model.tag(numbered)
        rows.append(model_row(numbered, name, model, tags))
        wrong.append((name, tags != numbered.tags))
    return {
        "words": len(corpus),
        "models": rows,
        "paired": [paired_row(corpus, *a, *b) for a, b in combinations(wrong, 2)],
    }


def model_row(corpus, name, model, tags):
    """Return name, kind and scores of a model that gave tags, int8, shape (N,); a dict.

    ``Scores`` where tags are those of case, else ``LabelScores``.
    """
    if corpus.tells_case:
        scores = score(corpus, tags, model.mixed_forms)
    else:
        scores = score_labels(corpus, tags, model.features.values.get("currentword", {}))
    return {"name": name, "kind": model.kind, **scores.to_json()}


def paired_row(corpus, name_a, wrong_a, name_b, wrong_b):
    """Compare the errors, bool, shape (N,), of two models.

    Returns
    -------
    row : dict
        ``a`` and ``b``, names; ``fixed``, words that b has right where a has
        not; ``broken``, the reverse; ``p_value`` of McNemar's test;
        ``relative_change`` of the error from a to b, a fraction, and its
        95 % ``interval``, a list of two.
    """
    row = {
        "a": name_a,
        "b": name_b,
        **mcnemar(wrong_a, wrong_b)._asdict(),
        "relative_change": relative_change(wrong_a, wrong_b),
        "interval": bootstrap(wrong_a, wrong_b, corpus.sentence_ids),
    }
    return to_json(row)
