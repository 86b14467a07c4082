"""Several background texts: adapted one after the other, or all fitted under shared weights.

The texts stand in the order from the general to what is nearest to the domain. A chain adapts the
model of the first to the second, the result to the third, and at last to the domain. A hierarchy
gives every text and the domain weights of its own, with a Gaussian prior around general weights
that they share, or, where genres are known, around those of the genre, which are around the
general ones; all are fitted together. With one background text the chain is ``map``, and the
hierarchy, without genres, has the optimum of ``augment``. Genres are read from a small TOML file:

    news = ["reuters1987", "wsj"]
    speech = ["ted", "domain"]

Each line is a genre and the texts that it has; ``domain`` stands for the adaptation text.
"""

import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from workbench.adaptation.adaptation import Adaptation
from workbench.adaptation.method import MODELS, SIGMA2, Axis, Method, Sources
from workbench.adaptation.tied_variances import LEFT_OUT, TiedVariances, number_places
from workbench.adaptation.weight_tree import WeightTree
from workbench.learning.prior import GaussianPrior, check_positive
from workbench.learning.problem import ActiveLikelihood
from workbench.learning.solvers.fit import Fit, maximise
from workbench.text.errors import InputError
from workbench.text.readers import read_text

DOMAIN = "domain"  # the name of the adaptation text, and of its node
GENERAL = "general"  # another node; the rest are "text 1" and so on, "genre news" and so on
NEW = "new"  # general weights of features that the background's model has not
LEVELS = {
    GENERAL: "sigma2_g", NEW: "sigma2_a", "genre": "sigma2_b", "text": "sigma2_s",
    DOMAIN: "sigma2_t",
}  # fmt: skip
_VARIANCES = {"sigma2_g": 3.0, "sigma2_a": 1.0, "sigma2_b": 0.3, "sigma2_s": 0.1, "sigma2_t": 0.1}
WEIGHT, TEXT_WEIGHT = "weight", "text_weight"  # of the domain, and of text i: "text_weight.i"
_START_WEIGHT = 3.0  # of the domain, where a search begins; 1 of other texts


class Hierarchy:
    """General weights, and around them those of every background text and of the domain.

    The score of a feature in text i is g + e_i; the variances are ``sigma2_g`` of g around 0,
    ``sigma2_s`` of e in each background text, and ``sigma2_t`` of e in the domain. With genres it
    is g + b + e_i; b is that of the text's genre, and its variance ``sigma2_b``. Where g is of a
    feature that the domain's text adds to those of the background's model, its variance is
    ``sigma2_a``, by default ``sigma2_g``: such features are rare, and under a wide prior they
    explain what prefixes, suffixes and neighbours would explain of other rare words, too.
    Classes of features may have variances of their own, as ``TiedVariances`` says.

    Each event of the domain's text is counted ``weight`` times, each of background text i
    ``text_weight.i`` times. As the variances of texts and domain go to 0, the model becomes that
    of ``weighted``, with the same weights.

    Attributes
    ----------
    start : dict of str to float
        All hyper-parameters by name, and where a search begins.

    Source
    ------
    Finkel & Manning (2009); a variance of new features: Zhang, Qiu, Huang & Wu (2008), section 4.
    A fit begins with g at the background's weights.
    """

    def __init__(self, sources: Sources):
        self.problem = sources.background.adaptation_problem(sources.adaptation)
        texts = [self.problem.likelihood_of(sources.corpus, own) for own in sources.texts]
        domain = ActiveLikelihood(self.problem.log_likelihood, self.problem.places)
        numbers = range(1, len(texts) + 1)
        leaves = [*(f"text {i}" for i in numbers), DOMAIN]
        self._paths: list[tuple[str, ...]] = [(GENERAL, leaf) for leaf in leaves]
        if sources.genres:
            pairs = zip(sources.genres, leaves, strict=True)
            self._paths = [(GENERAL, f"genre {genre}", leaf) for genre, leaf in pairs]
        self.tree = WeightTree([*texts, domain], self._paths, self.problem.n_features)
        self._variances = self._tie_variances()
        self._weights = {f"{TEXT_WEIGHT}.{i}": 1.0 for i in numbers} | {WEIGHT: 1.0}
        self.start = self._variances.start | self._weights | {WEIGHT: _START_WEIGHT}
        self._last: Fit | None = None

    def _tie_variances(self):
        """Return one variance for each level and each class of features.

        Where ``sigma2_a`` is not given and ``sigma2_g`` is, it has that value.
        """
        classes, levels = self.problem.classes(), list(LEVELS)
        kinds, groups = (np.empty(self.tree.n_parameters, int) for _ in range(2))
        class_of = number_places(classes, self.problem.n_features)
        for node, own in self.tree.nodes.items():
            places = self.tree.places[node]
            kinds[own], groups[own] = levels.index(node.split()[0]), class_of[places]
            if node == GENERAL:
                kinds[own][~self.problem.all_inherited[places]] = levels.index(NEW)
        fallbacks = {LEVELS[NEW]: LEVELS[GENERAL]}
        return TiedVariances(kinds, groups, _VARIANCES, list(classes), fallbacks)

    def fit(self, start: np.ndarray | None = None, *, tolerance: float = 1e-5,
            **values: float) -> Fit:  # fmt: skip
        """Return the ``Fit`` of what the nodes of ``tree`` add, at some hyper-parameters.

        Weights that are not given are 1; for variances see ``TiedVariances``.
        """
        if start is None:
            start = np.zeros(self.tree.n_parameters)
            general = self.tree.places[GENERAL]
            start[self.tree.nodes[GENERAL]] = self.problem.background_weights[general]
        tree = self._weighted(values)
        return maximise(tree, self.prior(**values), start, tolerance=tolerance)

    def _weighted(self, values):
        """Return the tree with the weights of its texts."""
        weights = self._weights | {name: values[name] for name in self._weights if name in values}
        return self.tree.weighted([check_positive(w, name) for name, w in weights.items()])

    def prior(self, **values: float) -> GaussianPrior:
        """Return the prior of all parameters; InputError unless all variances are numbers > 0."""
        variances = self._variances.of_parameters(values)
        return GaussianPrior(np.zeros(len(variances)), variances)

    def node_weights(self, fit: Fit) -> dict[str, np.ndarray]:
        """Return all weights, shape (F,), of each node: the sum from the root to it."""
        ends = [path[: i + 1] for path in self._paths for i in range(len(path))]
        return {end[-1]: self.tree.weights(fit.weights, end) for end in dict.fromkeys(ends)}

    def refit(self, **values: float) -> Fit:
        """Return the ``Fit`` at some hyper-parameters, begun where the last one ended."""
        start = None if self._last is None else self._last.weights
        self._last = self.fit(start, **values)
        return self._last

    def domain_weights(self, fit: Fit) -> np.ndarray:
        """Return all weights of the domain, shape (F,); what no text fires is the background's."""
        weights, places = self.problem.background_weights.copy(), self.tree.places[GENERAL]
        weights[places] = self.tree.weights(fit.weights, self._paths[-1])[places]
        return weights

    def model(self, fit: Fit, **values: float) -> Any:
        """Return the domain's model at a fit; ``values`` are what the fit was made with."""
        record = {"method": "hierarchy", **{name: float(value) for name, value in values.items()}}
        return self.problem.model_of_all(self.domain_weights(fit), fit, **record)

    def learn(self, **values: float) -> Any:
        """Return the domain's model at some hyper-parameters, as in ``fit``."""
        return self.model(self.refit(**values), **values)

    def hypergradient(
        self, fit: Fit, slope: np.ndarray, values: Mapping[str, float]
    ) -> dict[str, float]:
        """Return how fast a function of the domain's weights rises with each hyper-parameter.

        Parameters
        ----------
        fit : Fit
            Made with the hyper-parameters ``values``.
        slope : ndarray, shape (F,)
            The function's gradient by the domain's weights, ``domain_weights``.

        Returns
        -------
        dict of str to float
            Derivatives by the logarithms of all hyper-parameters, by name, of the function at
            the optimum, which moves with them; how far off, ``TiedVariances.differentiate`` says.

        Source
        ------
        ``TiedVariances.differentiate``. Our own: for the weight of a text slope' H^-1 g, where g
        is the gradient of its log-likelihood, times the weight.
        """
        tree, pull = self._weighted(values), self.tree.gather(slope, self._paths[-1])
        by_variance, solved = self._variances.differentiate(
            tree.hessian(fit.weights, LEFT_OUT), self.prior(**values), fit.weights, pull
        )
        rises = tree.rises(fit.weights, solved).tolist()
        return by_variance | dict(zip(self._weights, rises, strict=True))


class Chain:
    """MAP adaptation of the first background text's model to each further one, then the domain.

    Source
    ------
    Chelba & Acero (2004), eq. 3, once for each step: the weights of one are the prior's mean of
    the next. Finkel & Manning (2009) fit the same hierarchy together.
    """

    def __init__(self, sources: Sources):
        self._sources, self._steps = sources, dict[float, Adaptation]()
        first, *self._between = (sources.corpus.take(text) for text in sources.texts)
        fit, options = sources.model.fit, sources.options
        self._first = fit(first, **options) if self._between else sources.background

    def learn(self, sigma2_between: float, sigma2: float) -> Any:
        """Return the domain's model; ``sigma2_between`` is of all steps but the last."""
        if sigma2_between not in self._steps:
            model = self._first
            for text in self._between:
                model = Adaptation(model, text).learn(sigma2=sigma2_between)
            self._steps[sigma2_between] = Adaptation(model, self._sources.adaptation)
        model = self._steps[sigma2_between].learn(sigma2=sigma2)
        model.info |= {"method": "chain", "sigma2_between": sigma2_between}
        return model


def read_genres(path: str | Path, texts: Sequence[str]) -> tuple[str, ...]:
    """Return the genre of each background text, by name, and, last, that of the domain.

    Raises
    ------
    InputError
        If the file cannot be read as TOML, or does not have each of the texts and the domain once.
    """
    genres = _read_lists(path)
    names = [name for members in genres.values() for name in members]
    needed = Counter([*texts, DOMAIN])
    for name in needed | Counter(names):
        if needed[name] != 1 or names.count(name) != 1:
            allowed = ", ".join(needed)
            raise InputError(f"{path}: {name!r}: each of {allowed} is to be there once, no other")
    of = {name: genre for genre, members in genres.items() for name in members}
    return tuple(of[name] for name in needed)


def _read_lists(path):
    """Return the genres of a file, each with the names of its texts."""
    try:
        genres = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: no TOML file that can be read: {error}") from error
    for genre, members in genres.items():
        if not (isinstance(members, list) and all(isinstance(name, str) for name in members)):
            raise InputError(
                f'{path}: {genre}: a list of texts, such as ["wsj", "ted"], is allowed'
            )
    return genres


HIERARCHY = Method(
    "hierarchy",
    "general weights, and around them those of each background text and the domain",
    Hierarchy,
    by_gradient=True,
    models=MODELS,
    of_several=True,
    needs="text",
)
CHAIN = Method(
    "chain", "the first background text's model adapted to each further one, then to the domain",
    Chain, {"sigma2_between": Axis((0.1, 1.0, 10.0), start=1.0), "sigma2": SIGMA2},
    models=MODELS, of_several=True, needs="text",
)  # fmt: skip
