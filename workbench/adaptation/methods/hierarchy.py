"""Several background texts: adapted one after the other, or all fitted under shared weights.

The texts stand in the order from the general to what is nearest to the domain. A chain adapts the
model of the first to the second, the result to the third, and at last to the domain. A hierarchy
gives every text and the domain weights of its own, with a Gaussian prior around general weights
that they share, or, where genres are known, around those of the genre, which are around the
general ones; all are fitted together. With one background text the chain is ``map``, and the
hierarchy, without genres, has the optimum of ``augment``.
"""

from typing import Any

import numpy as np

from workbench.adaptation.genre_tree import DOMAIN
from workbench.adaptation.method import MODELS, SIGMA2, Axis, Method, Sources
from workbench.adaptation.methods.map import MapAdaptation
from workbench.adaptation.weight_tree import WeightTree
from workbench.learning.prior import GaussianPrior, check_positive
from workbench.learning.problem import ActiveLikelihood
from workbench.learning.solvers.fit import Fit, maximise
from workbench.learning.warm_starts import WarmStarts
from workbench.text.tasks import TaskName

GENERAL = "general"  # a node; others are DOMAIN, "text 1" and so on, "genre news" and so on
NEW = "new"  # general weights of features that the background's model has not
LEVELS = {
    GENERAL: "sigma2_g", NEW: "sigma2_a", "genre": "sigma2_b", "text": "sigma2_s",
    DOMAIN: "sigma2_t",
}  # fmt: skip


class Hierarchy:
    """General weights, and around them those of every background text and of the domain.

    The score of a feature in text i is g + e_i; the variances are ``sigma2_g`` of g around 0,
    ``sigma2_s`` of e in each background text, and ``sigma2_t`` of e in the domain. With genres it
    is g + b + e_i; b is that of the text's genre, and its variance ``sigma2_b``. Where g is of a
    feature that the domain's text adds to those of the background's model, its variance is
    ``sigma2_a``, by default ``sigma2_g``: such features are rare, and under a wide prior they
    explain what prefixes, suffixes and neighbours would explain of other rare words, too.

    Each event of the domain's text is counted ``weight`` times. As the variances of texts and
    domain go to 0, the model becomes that of ``weighted``, with the same weight.

    Source
    ------
    Finkel & Manning (2009); a variance of new features: Zhang, Qiu, Huang & Wu (2008), section 4.
    A fit begins with g at the background's weights.
    """

    def __init__(self, sources: Sources):
        self.problem = sources.background.adaptation_problem(sources.adaptation)
        texts = [self.problem.likelihood_of(sources.corpus, own) for own in sources.texts]
        domain = ActiveLikelihood(self.problem.log_likelihood, self.problem.places)
        leaves = [*(f"text {i}" for i in range(1, len(texts) + 1)), DOMAIN]
        self._paths: list[tuple[str, ...]] = [(GENERAL, leaf) for leaf in leaves]
        if sources.genres:
            pairs = zip(sources.genres, leaves, strict=True)
            self._paths = [(GENERAL, f"genre {genre}", leaf) for genre, leaf in pairs]
        self.tree = WeightTree([*texts, domain], self._paths, self.problem.n_features)
        self.warm_starts = WarmStarts()

    def fit(self, start: np.ndarray | None = None, *, tolerance: float = 1e-4,
            weight: float = 1.0, **sigma2s: float) -> Fit:  # fmt: skip
        """Return the ``Fit`` of what the nodes of ``tree`` add, for a variance of each level."""
        if start is None:
            start = np.zeros(self.tree.n_parameters)
            general = self.tree.places[GENERAL]
            start[self.tree.nodes[GENERAL]] = self.problem.background_weights[general]
        tree = self.tree.weighted([1.0] * (len(self._paths) - 1) + [weight])
        return maximise(tree, self.prior(**sigma2s), start, tolerance=tolerance)

    def prior(self, **sigma2s: float) -> GaussianPrior:
        """Return the prior of all parameters; InputError unless all variances are numbers > 0."""
        checked = {name: check_positive(value, name) for name, value in sigma2s.items()}
        of_all = np.empty(self.tree.n_parameters)
        for node, place in self.tree.nodes.items():
            of_all[place] = checked[LEVELS[node.split()[0]]]
        if LEVELS[NEW] in checked:
            is_new = ~self.problem.all_inherited[self.tree.places[GENERAL]]
            of_all[self.tree.nodes[GENERAL]][is_new] = checked[LEVELS[NEW]]
        return GaussianPrior(np.zeros(len(of_all)), of_all)

    def node_weights(self, fit: Fit) -> dict[str, np.ndarray]:
        """Return all weights, shape (F,), of each node: the sum from the root to it."""
        ends = [path[: i + 1] for path in self._paths for i in range(len(path))]
        return {end[-1]: self.tree.weights(fit.weights, end) for end in dict.fromkeys(ends)}

    def learn(self, weight: float = 1.0, **sigma2s: float) -> Any:
        """Return the domain's model for a variance of each level."""

        def solve(start):
            return self.fit(start, weight=weight, **sigma2s)

        fit = self.warm_starts.fit(solve, weight, *sigma2s.values())
        weights = self.problem.background_weights.copy()  # of what no text fires, they stay
        places = self.tree.places[GENERAL]
        weights[places] = self.tree.weights(fit.weights, self._paths[-1])[places]
        record = {"method": "hierarchy", "weight": float(weight), **sigma2s}
        return self.problem.model_of_all(weights, fit, **record)


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
        fit, options = sources.model.fit, sources.options
        self._first = fit(first, **options) if self._between else sources.background

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
        "weight": Axis((1.0, 3.0, 10.0, 50.0), start=3.0),
        "sigma2_t": Axis((0.001, 0.01, 0.1, 0.3, 1.0), start=0.1),
        "sigma2_s": Axis((0.001, 0.01, 0.1, 0.3, 1.0), start=0.1),
        "sigma2_a": Axis((0.1, 0.3, 1.0, 3.0, 10.0), start=3.0),
        "sigma2_g": Axis((1.0, 3.0, 10.0, 30.0), start=10.0),
    },
    models=MODELS, tasks=_WORDS, of_several=True,
    genre_axes={"sigma2_b": Axis((0.03, 0.1, 0.3, 1.0), start=0.3)},
)  # fmt: skip
CHAIN = Method(
    "chain", "the first background text's model adapted to each further one, then to the domain",
    Chain, {"sigma2_between": Axis((0.1, 1.0, 10.0), start=1.0), "sigma2": SIGMA2},
    models=MODELS, tasks=_WORDS, of_several=True,
)  # fmt: skip
