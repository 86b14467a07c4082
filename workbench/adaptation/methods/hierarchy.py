"""Several background texts: adapted one after the other, or all fitted under shared weights.

The texts stand in the order from the general to what is nearest to the domain. A chain adapts the
model of the first to the second, the result to the third, and at last to the domain. A hierarchy
gives every text and the domain weights of its own, with a Gaussian prior around general weights
that they share; all are fitted together. With one background text the chain is ``map``, and the
hierarchy has the optimum of ``augment``.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

from workbench.adaptation.method import MODELS, SIGMA2, Axis, Method, Sources
from workbench.adaptation.methods.map import MapAdaptation
from workbench.learning.combined import Combined, Part, selection
from workbench.learning.prior import GaussianPrior, check_positive
from workbench.learning.problem import ActiveLikelihood
from workbench.learning.solvers.fit import Fit, maximise
from workbench.learning.warm_starts import WarmStarts
from workbench.text.tasks import TaskName


class Hierarchy:
    """General weights, and around them those of every background text and of the domain.

    The score of a feature in text i is g + e_i; the variances are ``sigma2_g`` of g around 0,
    ``sigma2_s`` of e in each background text, and ``sigma2_t`` of e in the domain.

    Source
    ------
    Finkel & Manning (2009), section 3, with the texts as the children of one general node. A
    fit begins with g at the background's weights.
    """

    def __init__(self, sources: Sources):
        self.problem, texts = sources.background.adaptation_problem(sources.adaptation), []
        for sentences in sources.texts:
            texts.append(self.problem.likelihood_of(sources.corpus, sentences))
        domain = ActiveLikelihood(self.problem.log_likelihood, self.problem.places)
        self._n, self._children = len(self.problem.background_weights), [*texts, domain]
        self.log_likelihood = Combined(_parts(self._children, self._n))
        self.warm_starts = WarmStarts()

    def fit(self, start: np.ndarray | None = None, *, tolerance: float = 1e-5,
            **sigma2s: float) -> Fit:  # fmt: skip
        """Return the ``Fit`` of (g, e of each text, e of the domain) for three variances."""
        if start is None:
            n_own = sum(len(places) for _, places in self._children)
            start = np.concatenate([self.problem.background_weights, np.zeros(n_own)])
        return maximise(self.log_likelihood, self.prior(**sigma2s), start, tolerance=tolerance)

    def prior(self, sigma2_g: float, sigma2_s: float, sigma2_t: float) -> GaussianPrior:
        """Return the prior of all weights; InputError unless all variances are numbers > 0."""
        g, s, t = map(check_positive, (sigma2_g, sigma2_s, sigma2_t))
        sizes = [self._n, *(len(places) for _, places in self._children)]
        sigma2s = np.repeat([g, *[s] * (len(sizes) - 2), t], sizes)
        return GaussianPrior(np.zeros(len(sigma2s)), sigma2s)

    def learn(self, **sigma2s: float) -> Any:
        """Return the domain's model for ``sigma2_g``, ``sigma2_s`` and ``sigma2_t``."""
        fit = self.warm_starts.fit(lambda start: self.fit(start, **sigma2s), *sigma2s.values())
        weights, places = fit.weights[: self._n].copy(), self.problem.places
        weights[places] += fit.weights[len(fit.weights) - len(places) :]
        return self.problem.model_of_all(weights, fit, method="hierarchy", **sigma2s)


def _parts(children: Sequence[ActiveLikelihood], n: int) -> list[Part]:
    """Return the log-likelihood of each child at g + e, g being the first n parameters."""
    sizes, parts = [len(child.places) for child in children], []
    for i, (log_likelihood, places) in enumerate(children):
        general, own = selection(places, n).T, sparse.identity(sizes[i])
        before, after = sum(sizes[:i]), sum(sizes[i + 1 :])
        gaps = (sparse.csr_matrix((sizes[i], width)) for width in (before, after))
        matrix = sparse.hstack([general, next(gaps), own, next(gaps)], format="csr")
        parts.append(Part(log_likelihood, matrix))
    return parts


class Chain:
    """MAP adaptation of the first background text's model to each further one, then the domain.

    Source
    ------
    Chelba & Acero (2004), eq. 3, once for each step: the weights of one are the prior's mean of
    the next. Finkel & Manning (2009) fit the same hierarchy together.
    """

    def __init__(self, sources: Sources):
        self._sources, self._steps = sources, dict[float, MapAdaptation]()
        first, *self._between = (sources.corpus.take(text) for text in sources.texts)
        is_whole = not self._between
        self._first = (
            sources.background if is_whole else sources.model.fit(first, **sources.options)
        )

    def learn(self, sigma2_between: float, sigma2: float) -> Any:
        """Return the domain's model; ``sigma2_between`` is of all steps but the last."""
        if sigma2_between not in self._steps:
            model = self._first
            for text in self._between:
                model = MapAdaptation(model, text).learn(sigma2=sigma2_between)
            self._steps[sigma2_between] = MapAdaptation(model, self._sources.adaptation)
        model = self._steps[sigma2_between].learn(sigma2=sigma2)
        model.info |= {"method": "chain", "sigma2_between": sigma2_between}
        return model


_WORDS = tuple(task for task in TaskName if task is not TaskName.CANDIDATES)

HIERARCHY = Method(
    "hierarchy", "general weights, and around them those of each background text and the domain",
    Hierarchy,
    {
        "sigma2_g": Axis((1.0, 3.0, 10.0, 30.0), start=10.0),
        "sigma2_s": Axis((0.001, 0.01, 0.1, 1.0), start=0.1),
        "sigma2_t": Axis((0.3, 1.0, 3.0, 10.0), start=1.0),
    },
    models=MODELS, tasks=_WORDS, of_several=True,
)  # fmt: skip
CHAIN = Method(
    "chain", "the first background text's model adapted to each further one, then to the domain",
    Chain, {"sigma2_between": Axis((0.1, 1.0, 10.0), start=1.0), "sigma2": SIGMA2},
    models=MODELS, tasks=_WORDS, of_several=True,
)  # fmt: skip
