"""Choose sigma^2: on development data, or by cross-validation when there is none."""

import numpy as np

from workbench.experiments.tuning import Tuning
from workbench.text.errors import InputError

COARSE = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
_REFINEMENTS = 2


def search_sigma2(count_wrong, on_try=None):
    """Return the sigma^2 with the fewest errors, and all that were tried.

    Half-decades from 0.01 to 30 first, then twice the geometric means of the
    best and its neighbours; the smaller sigma^2, nearer the background, on a tie.

    Parameters
    ----------
    count_wrong : callable
        From sigma^2 to a number of errors.
    on_try : callable, optional
        Called with (sigma^2, errors) after each.

    Returns
    -------
    best : float
    tried : dict of float to int
        Errors by sigma^2, in increasing order of sigma^2.

    Source
    ------
    Chelba & Acero (2004), section 5.2: a line search on development data.
    """
    tried = {}

    def attempt(sigma2):
        tried[sigma2] = count_wrong(sigma2)
        if on_try:
            on_try(sigma2, tried[sigma2])

    for sigma2 in COARSE:
        attempt(sigma2)
    for _ in range(_REFINEMENTS):
        for sigma2 in _between_neighbours(tried):
            attempt(sigma2)
    return _best(tried), dict(sorted(tried.items()))


def _best(tried):
    return min(tried, key=lambda sigma2: (tried[sigma2], sigma2))


def _between_neighbours(tried):
    """Geometric means, to two digits, of the best sigma^2 and those beside it."""
    known = sorted(tried)
    place = known.index(_best(tried))
    beside = known[max(0, place - 1) : place] + known[place + 1 : place + 2]
    means = [float(f"{np.sqrt(known[place] * other):.2g}") for other in beside]
    return [mean for mean in means if mean not in tried]


def choose_sigma2(background, adaptation, dev=None, cutoff=0, on_try=None):
    """Search sigma^2 on development data, or by 5-fold cross-validation without.

    Parameters
    ----------
    background : MEMM
    adaptation : Corpus
    dev : Corpus, optional
        Never the test data.
    cutoff, on_try
        As in ``Tuning`` and ``search_sigma2``.

    Returns
    -------
    best, tried
        As from ``search_sigma2``.
    """
    adaptation.require_cased()
    pairs = [(adaptation, dev.require_cased())] if dev is not None else list(fold(adaptation))
    tunings = [Tuning(background, train, {"dev": held}, cutoff) for train, held in pairs]
    return search_sigma2(lambda s: sum(t.at(s).wrong["dev"] for t in tunings), on_try)


def fold(corpus, n_folds=5):
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
            f"{corpus.name}: {corpus.n_sentences} sentences; choosing sigma2 without "
            f"development data needs {n_folds} or more"
        )
    fold_of = np.arange(corpus.n_sentences) * n_folds // corpus.n_sentences
    for held in range(n_folds):
        is_held = fold_of == held
        yield corpus.take(np.flatnonzero(~is_held)), corpus.take(np.flatnonzero(is_held))
