"""Folds of a corpus, for cross-validation and cross-fitting."""

from collections.abc import Iterator

import numpy as np

from workbench.text.corpus import Corpus
from workbench.text.errors import InputError


def fold(corpus: Corpus, n_folds: int = 5) -> Iterator[tuple[Corpus, Corpus]]:
    """Yield (rest, held out) pairs of a corpus, each fold a stretch of it.

    Neighbouring sentences repeat one another's names: dealt out one by one they
    would make the held-out text look easier than new text is.

    Raises
    ------
    InputError
        If there are fewer sentences than folds.
    """
    if corpus.n_sentences < n_folds:
        raise InputError(
            f"{corpus.name}: {corpus.n_sentences} sentences; cross-validation, for want of "
            f"development data, needs {n_folds} or more"
        )
    fold_of = np.arange(corpus.n_sentences) * n_folds // corpus.n_sentences
    for held in range(n_folds):
        is_held = fold_of == held
        yield corpus.take(np.flatnonzero(~is_held)), corpus.take(np.flatnonzero(is_held))
