"""The variances of a hierarchy's parameters: one for each level and each class of features."""

from collections.abc import Mapping

import numpy as np

from workbench.adaptation.genre_tree import DOMAIN
from workbench.adaptation.weight_tree import WeightTree
from workbench.learning.prior import check_positive
from workbench.learning.problem import AdaptationProblem

GENERAL = "general"  # a node; others are DOMAIN, "text 1" and so on, "genre news" and so on
NEW = "new"  # general weights of features that the background's model has not
LEVELS = {
    GENERAL: "sigma2_g", NEW: "sigma2_a", "genre": "sigma2_b", "text": "sigma2_s",
    DOMAIN: "sigma2_t",
}  # fmt: skip
_START = {"sigma2_g": 3.0, "sigma2_a": 1.0, "sigma2_b": 0.3, "sigma2_s": 0.1, "sigma2_t": 0.1}


class LevelVariances:
    """Which variance each parameter of a tree has.

    Values are given by name: "sigma2_g.prefixes" is of the prefixes of the general weights,
    "sigma2_g" of all their classes that are not given by themselves. A level that is not given
    has the variance at which a search begins; ``sigma2_a`` that of ``sigma2_g``, if it is given.

    Attributes
    ----------
    start : dict of str to float
        Where a search begins, by the names of all levels and classes.
    """

    def __init__(self, tree: WeightTree, problem: AdaptationProblem):
        classes = problem.classes()
        class_of = np.empty(problem.n_features, int)
        for number, places in enumerate(classes.values()):
            class_of[places] = number
        groups = np.empty(tree.n_parameters, int)
        for node, own in tree.nodes.items():
            places = tree.places[node]
            groups[own] = _levels(node, places, problem) * len(classes) + class_of[places]
        found, self._groups = np.unique(groups, return_inverse=True)
        levels, names = list(LEVELS.values()), list(classes)
        pairs = (divmod(group, len(classes)) for group in found.tolist())
        self._names = [(levels[level], names[number]) for level, number in pairs]
        self.start = {f"{level}.{name}": _START[level] for level, name in self._names}

    def of_parameters(self, values: Mapping[str, float]) -> np.ndarray:
        """Return the variance of each parameter; InputError unless all are numbers > 0."""
        return np.array([_find(*name, values) for name in self._names])[self._groups]

    def add_up(self, amounts: np.ndarray) -> dict[str, float]:
        """Return the sums of amounts, one a parameter, by the names of levels and classes."""
        return dict(zip(self.start, np.bincount(self._groups, amounts).tolist(), strict=True))


def _levels(node, places, problem):
    """Return the number of the level, in ``LEVELS``, of each parameter of a node."""
    levels = list(LEVELS)
    if node != GENERAL:
        return np.full(len(places), levels.index(node.split()[0]))
    is_old = problem.all_inherited[places]
    return np.where(is_old, levels.index(GENERAL), levels.index(NEW))


def _find(level, name, values):
    """Return the variance of a class of features on a level."""
    keys = [f"{level}.{name}", level]
    if level == LEVELS[NEW]:
        keys.append(LEVELS[GENERAL])
    key = next((key for key in keys if key in values), None)
    return _START[level] if key is None else check_positive(values[key], key)
