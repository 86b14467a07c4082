"""The background as an auxiliary distribution: -log P_OUT as a real-valued feature.

The score of a tag is the sum of the domain's own weights and of mu * -log P_OUT.
Log Z of P_OUT is the same for all tags of an event, so what the auxiliary feature
adds is -mu times the background's weights: the model is an MEMM with the union's
features, and decoding stays exact. At mu = -1 and nothing else it is P_OUT.
"""

import numpy as np
from scipy import sparse

from workbench.adaptation.method import SIGMA2, Method, Path
from workbench.adaptation.union import Union
from workbench.learning.combined import Combined, Part, selection
from workbench.learning.prior import GaussianPrior
from workbench.learning.solvers.fit import maximise

CLASSES = ("word", "neighbours", "tags", "prefixes", "suffixes")
MU_SIGMA2 = 1e4  # the weights of auxiliary features are left to the data


def class_of(template):
    """The class of templates, one of ``CLASSES``, that a template belongs to."""
    if template.n_tags:
        return "tags"
    for affix in ("prefix", "suffix"):
        if affix in template.name:
            return f"{affix}es"
    return "word" if template.offsets == (0,) else "neighbours"


class Auxiliary:
    """A MaxEnt model of the domain with its own features and auxiliary ones.

    Source
    ------
    Plank & van Noord (2008): one auxiliary feature. The prior of its weight is wide
    (variance 1e4), that of the domain's own weights is tuned; so the sign is free,
    and the domain may weigh the background as it likes.
    """

    def __init__(self, sources):
        self.union = Union(sources.background, sources.adaptation)
        self.columns = self._columns()
        own = selection(self.union.is_observed)
        scores = np.stack([c[self.union.free] for c in self.columns.values()], axis=1)
        self._own = own.shape[1]
        matrix = sparse.hstack([own, sparse.csr_matrix(-scores)], format="csr")
        self._likelihood = Combined([Part(self.union.log_likelihood, matrix)])
        self._matrix, self._path = matrix, Path(self._fit)

    def _columns(self):
        """Background weights, shape (P, K), that each auxiliary feature sums; by its name."""
        return {"auxiliary": self.union.mean}

    def _fit(self, start, sigma2):
        sigma2s = np.full(self._matrix.shape[1], float(sigma2))
        sigma2s[self._own :] = MU_SIGMA2
        if start is None:  # at the background: every mu is -1
            start = np.repeat([0.0, -1.0], [self._own, len(self.columns)])
        prior = GaussianPrior(np.zeros(len(sigma2s)), sigma2s)
        return maximise(self._likelihood, prior, start, tolerance=1e-6)

    def learn(self, sigma2):
        """Return the model for the variance of the domain's own weights."""
        fit = self._path.at(sigma2=sigma2)
        mus = dict(zip(self.columns, fit.weights[self._own :].tolist(), strict=True))
        weights = -sum(mu * self.columns[name] for name, mu in mus.items())
        weights[self.union.free] = self._matrix @ fit.weights
        told = {"method": "auxiliary", "sigma2": float(sigma2), "estimated": mus}
        return self.union.assemble(weights, fit, **told)


class AuxiliaryClasses(Auxiliary):
    """One auxiliary feature for each class of templates: the part of the score that it makes.

    Source
    ------
    Plank & van Noord (2008): one auxiliary feature for each class of templates. Each
    holds the background's log-linear score of that class; its own normalizer, were
    there one, would cancel like that of the whole.
    """

    def _columns(self):
        by_class = {}
        for template in self.union.background.templates:
            numbers = list(self.union.features.values.get(template.name, {}).values())
            column = by_class.setdefault(class_of(template), np.zeros_like(self.union.mean))
            column[numbers] = self.union.mean[numbers]
        return {name: by_class[name] for name in CLASSES if name in by_class}


METHODS = (
    Method(
        "auxiliary",
        "-log P_OUT as a feature beside the domain's own",
        Auxiliary,
        {"sigma2": SIGMA2},
    ),
    Method(
        "auxiliary-classes",
        "an auxiliary feature for each class of templates",
        AuxiliaryClasses,
        {"sigma2": SIGMA2},
    ),
)
