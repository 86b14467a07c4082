"""Was it worth it: a background before and after its adaptation, on its new domain and its own.

The new domain is measured on development text or, without it, by cross-validation on the
adaptation text; what was forgotten, on text like the background's that it has not learnt from.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from workbench.adaptation.adaptation import Adaptation
from workbench.adaptation.method import fold
from workbench.evaluation.error_rates import find_misspelled, share, to_json
from workbench.evaluation.report import paired_row, tag_as
from workbench.evaluation.significance import NO_VERDICT, error_interval
from workbench.experiments.method_rows import verdict
from workbench.models.capitalizer import Capitalizer
from workbench.models.mixed_forms import count_mixed_forms, join_mixed_forms
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError
from workbench.text.sets.overlap import Shared, find_shared, why_no_verdict

GAIN = "gain is significant"


def measure_change(
    background: Capitalizer, adapted: Capitalizer, corpus: Corpus, shared: Sequence[Shared] = ()
) -> dict:  # fmt: skip
    """Return the ``change_row`` of two models; without verdict on text that they learnt from."""
    named = ("background", background), ("adapted", adapted)
    before, after = (tag_as(model, name, corpus) != corpus.tags for name, model in named)
    misspelled = find_misspelled(corpus, corpus.tags, adapted.mixed_forms)
    row = change_row(corpus, before, after, misspelled)
    return withhold(row, shared or find_shared([corpus], adapted.info))


def measure_by_folds(
    background: Capitalizer, adaptation: Adaptation, strengths: Mapping[str, float]
) -> dict | None:
    """Return the ``change_row`` on the adaptation text, which stands for text like it.

    None where it is too little to be divided.
    """
    corpus = adaptation.problem.corpus
    try:
        after = tag_by_folds(background, adaptation, strengths) != corpus.tags
    except InputError:  # fewer sentences than folds, or a rest that nothing is learnt from
        return None
    forms = background.mixed_forms
    misspelled = np.concatenate([
        find_misspelled(held, held.tags, join_mixed_forms(forms, count_mixed_forms(rest)))
        for rest, held in fold(corpus)
    ])  # fmt: skip
    before = tag_as(background, "background", corpus) != corpus.tags
    row = change_row(corpus, before, after, misspelled)
    return withhold(row, find_shared([corpus], background.info))


def tag_by_folds(
    background: Any, adaptation: Adaptation, strengths: Mapping[str, float]
) -> np.ndarray:
    """Return tags of the adaptation text, int8, shape (N,), each fold's by what the others teach.

    InputError as in ``fold`` and in the adaptation.
    """
    of, problem = type(adaptation), adaptation.problem
    return np.concatenate([
        of(background, rest, problem.cutoff).learn(**strengths).tag(held)
        for rest, held in fold(problem.corpus)
    ])  # fmt: skip


def change_row(
    corpus: Corpus, before: np.ndarray, after: np.ndarray, misspelled: np.ndarray | None = None
) -> dict:
    """Compare the errors, bool, shape (N,), before and after an adaptation; a dict.

    It is ``paired_row``, which takes the words misspelled after, with ``text``, the corpus' name;
    ``words``; ``before`` and ``after``, error rates, fractions; ``before_interval`` and
    ``after_interval`` (95 %); and ``verdict``, in words. None where a figure is undefined.
    """
    ids = corpus.sentence_ids
    row: dict[str, Any] = {
        "text": corpus.name, "words": len(corpus),
        "before": share(before), "before_interval": error_interval(before, ids),
        "after": share(after), "after_interval": error_interval(after, ids),
    }  # fmt: skip
    pair = paired_row(corpus, "background", before, "adapted", after, misspelled)
    return to_json(row) | pair | {"verdict": verdict(pair)}


def withhold(row: dict, shared: Sequence[Shared]) -> dict:
    """Return a ``change_row`` with lines on what is ``shared``; without verdict if that is much."""
    unjudged = {"p_value": None, "verdict": NO_VERDICT} if why_no_verdict(shared) else {}
    return row | {"shared": [each.line for each in shared]} | unjudged


def is_gain(row: Mapping | None) -> bool:
    """Return whether a ``change_row`` shows a significant gain; false where there is none."""
    return row is not None and row["verdict"] == GAIN
