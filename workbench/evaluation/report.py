"""Models side by side on one corpus, as ``evaluate --json`` prints them."""

from collections.abc import Iterable
from itertools import combinations

import numpy as np

from workbench.evaluation.error_rates import find_misspelled, score, to_json
from workbench.evaluation.significance import bootstrap, mcnemar, relative_change
from workbench.evaluation.task import find_task
from workbench.models.capitalizer import Capitalizer
from workbench.recasing.compounds import find_compounds
from workbench.recasing.policies import settle_breaks
from workbench.recasing.spans import Untouched, find_untouched
from workbench.settings import SPAN_RULES
from workbench.text.corpus import Corpus, require_corpus
from workbench.text.errors import InputError
from workbench.text.sets.overlap import find_shared
from workbench.text.tasks import TaskName, check_same_task


def report(
    corpus: Corpus, named_models: Iterable[tuple[str, Capitalizer]], spans: str = "wipe"
) -> dict:
    """Score models on a corpus and compare each with every later one; a dict ready for JSON.

    Fractions, None where one is undefined: ``words``; ``models``, see ``model_row``;
    ``paired``, see ``paired_row``; and, if a model has learnt from the corpus, as its hash tells,
    ``shared``, lines that say so, and pairs without p-value and interval. InputError if a model is
    of another task than the corpus.

    All words lose their case, as in the papers, or with ``spans`` "keep" all but those of
    ``find_untouched``, which are right then, as ``recase`` leaves them; ``spans`` and
    ``untouched``, the number of these words, say so.
    """
    is_kept = check_spans(spans, require_corpus(corpus)) == "keep"
    untouched = find_untouched(corpus) if is_kept else None
    rows, wrong, shared = [], [], []
    for name, model in named_models:
        doubtful = corpus.reading.doubtful if is_kept and corpus.reading else []
        settled = settle_breaks(model, corpus, doubtful)
        tags = tag_as(model, name, settled, untouched)
        rows.append(model_row(settled, name, model, tags, untouched))
        misspelled = find_misspelled(corpus, tags, model.mixed_forms)
        wrong.append((name, tags != corpus.tags, misspelled))
        shared += find_shared([corpus], getattr(model, "info", {}))
    kept = {} if untouched is None else {"spans": spans, "untouched": int(untouched.words.sum())}
    unjudged = {"p_value": None, "interval": [None, None]} if shared else {}
    lines = {"shared": [*dict.fromkeys(each.line for each in shared)]} if shared else {}
    return {
        "words": len(corpus),
        **kept,
        "models": rows,
        "paired": [
            paired_row(corpus, a[0], a[1], *b) | unjudged for a, b in combinations(wrong, 2)
        ],
        **lines,
    }


def check_spans(spans: str, corpus: Corpus) -> str:
    """Return what becomes of spans, "wipe" or "keep"; InputError if that cannot be."""
    if spans not in SPAN_RULES:
        raise InputError(f"spans {spans!r}: allowed are {', '.join(SPAN_RULES)}")
    if spans == "keep" and corpus.task is not TaskName.CASE:
        raise InputError(f"{corpus.name}: spans are kept of text with case, not of {corpus.task}")
    return spans


def tag_as(
    model: Capitalizer, name: str, corpus: Corpus, untouched: Untouched | None = None
) -> np.ndarray:
    """Return a model's tags of a corpus, int8, shape (N,); untouched words have their gold tags.

    InputError, which has the model's name, if it is of another task than the corpus.
    """
    check_same_task(corpus.name, corpus.task, name, model.task)
    if untouched is None:
        return model.tag(corpus)
    tags, seen = corpus.tags.copy(), ~untouched.passed_over
    if seen.any():
        tags[seen] = model.tag(corpus.keep_words(seen))
    return np.where(untouched.words, corpus.tags, tags)


def model_row(
    corpus: Corpus, name: str, model: Capitalizer, tags: np.ndarray,
    untouched: Untouched | None = None,
) -> dict:  # fmt: skip
    """Return name, kind and scores of a model that gave tags, int8, shape (N,); a dict."""
    if untouched is None:
        scores = find_task(corpus).score(corpus, tags, model)
    else:
        compounds = find_compounds(model, corpus, tags)
        scores = score(corpus, tags, model.mixed_forms, untouched.words, compounds)
    return {"name": name, "kind": model.kind, **scores.to_json()}


def paired_row(
    corpus: Corpus, name_a: str, wrong_a: np.ndarray, name_b: str, wrong_b: np.ndarray,
    misspelled_b: np.ndarray | None = None,
) -> dict:  # fmt: skip
    """Compare the errors, bool, shape (N,), of two models; a dict.

    ``a`` and ``b``, names; ``fixed``, words whose tag b has right where a has not; ``broken``,
    the reverse; ``p_value`` of McNemar's test of these; ``misspelled``, how many of the fixed
    are written wrong all the same, where those of b are given and tags are of case;
    ``relative_change`` of the error from a to b, a fraction, and its 95 % ``interval``, a list
    of two, None where too few sentences have errors.
    """
    row = {
        "a": name_a,
        "b": name_b,
        **mcnemar(wrong_a, wrong_b)._asdict(),
        "relative_change": relative_change(wrong_a, wrong_b),
        "interval": bootstrap(wrong_a, wrong_b, corpus.sentence_ids),
    }
    if misspelled_b is not None and find_task(corpus).recases:
        row["misspelled"] = int(np.count_nonzero(wrong_a & ~wrong_b & misspelled_b))
    return to_json(row)
