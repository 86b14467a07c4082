"""MAP adaptation: a Gaussian prior whose mean is the background's weights."""

import numpy as np

from workbench.features.contexts import pack_events
from workbench.features.selection import (
    Features,
    check_cutoff,
    firing_matrix,
    select_features,
    unite,
)
from workbench.learning.objective import LogLikelihood
from workbench.learning.prior import GaussianPrior, check_sigma2
from workbench.learning.solvers import maximise
from workbench.models.capitalizer import count_mixed_forms
from workbench.models.memm import MEMM
from workbench.text.errors import InputError


class MapAdaptation:
    """The adaptation of one background to one corpus, made ready for any sigma^2.

    Only weights of predicates that fire in the adaptation data can leave the
    prior's mean, so only they are variables: tens of thousands on 100k words,
    whatever the size of the background.

    Parameters
    ----------
    background : MEMM
    corpus : Corpus
        Adaptation data in its natural case.
    cutoff : int or None
        Features of the adaptation data seen less often are not added to the
        background's; 0 adds all, None adds none.

    Attributes
    ----------
    features : Features
        The union of F_background and F_adapt.
    n_new : int
        Features that the background does not have.
    n_free : int
        Weights that can move.

    Raises
    ------
    InputError
        If the corpus has no capitals or shares no word with the background.

    Source
    ------
    Chelba & Acero (2004), section 4, eq. 3.
    """

    def __init__(self, background, corpus, cutoff=0):
        _require_overlap(background, corpus.require_cased())
        self.background, self.corpus = background, corpus
        self.cutoff = None if cutoff is None else check_cutoff(cutoff)
        events = pack_events(corpus, background.templates)
        self.features = _unite(background.features, events, cutoff)
        self.n_new = len(self.features) - len(background.features)
        self._mean = np.zeros(self.features.exists.shape)
        self._mean[: len(background.weights)] = background.weights
        firing = firing_matrix(events, self.features.values, self.features.n_predicates)
        seen = np.zeros(events.n_rows)
        seen[events.rows.ravel()] = 1
        fired = np.flatnonzero(firing.T @ seen)
        self._free = np.zeros(self.features.exists.shape, bool)
        self._free[fired] = self.features.exists[fired]
        self.log_likelihood = LogLikelihood(events, firing[:, fired], self.features.exists[fired])
        self.n_free = int(self._free.sum())
        self._mixed_forms = background.mixed_forms | count_mixed_forms(corpus)

    @property
    def background_weights(self):
        """The prior's mean: background weights, 0 for new features; shape (F free,)."""
        return self._mean[self._free]

    def prior(self, sigma2):
        """The prior for a variance; InputError unless it is a number > 0."""
        return GaussianPrior(self.background_weights, check_sigma2(sigma2))

    def fit(self, sigma2, start=None, *, tolerance=1e-5, **options):
        """Return the ``Fit`` of the free weights for a sigma^2; options as in ``maximise``."""
        prior = self.prior(sigma2)
        return maximise(self.log_likelihood, prior, start, tolerance=tolerance, **options)

    def model(self, fit, sigma2):
        """Return the adapted MEMM that the weights of a fit make."""
        weights = self._mean.copy()
        weights[self._free] = fit.weights
        info = {
            "name": f"{self.background.info['name']} + {self.corpus.name}",
            "words": len(self.corpus), "text": self.corpus.fingerprint,
            "background": self.background.info, "method": "map",
            "cutoff": self.cutoff, "sigma2": float(sigma2),
            "features": len(self.features), "new_features": self.n_new,
            "log_likelihood": fit.log_likelihood, "converged": fit.converged,
        }  # fmt: skip
        templates, tag_names = self.background.templates, self.background.tag_names
        return MEMM(templates, self.features, weights, self._mixed_forms, info, tag_names)


def adapt(background, corpus, sigma2, cutoff=0, **options):
    """Return a background MEMM adapted to a corpus; see ``MapAdaptation``."""
    problem = MapAdaptation(background, corpus, cutoff)
    return problem.model(problem.fit(sigma2, **options), sigma2)


def _unite(background, events, cutoff):
    if cutoff is None:
        return Features(dict(background.values), background.exists.copy())
    return unite(background, select_features(events, cutoff))


def _require_overlap(background, corpus):
    known = background.features.values.get("currentword")
    words = {corpus.words[i] for i in np.unique(corpus.word_ids)}
    if known and not any(word in known and any(map(str.isalpha, word)) for word in words):
        raise InputError(
            f"{corpus.name}: shares no word with the background {background.info['name']}; "
            "adaptation needs text of the same language"
        )
