"""Log-linear taggers of a sentence: a table of weights, predicates by tags, fitted and kept.

What sets one kind apart is how the words of a text are packed to learn from, the
log-likelihood that comes of them, and decoding.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from workbench.features.predicates import pack_names
from workbench.features.selection import Features, check_cutoff, select_features
from workbench.features.templates import find_templates
from workbench.learning.prior import check_strength, zero_mean_prior
from workbench.learning.solvers import SOLVERS, find_solver
from workbench.models.capitalizer import Capitalizer, count_mixed_forms, read_mixed_forms
from workbench.text.casing import TAGS


class Packed:
    """A corpus made ready for the models that share a feature set.

    Finding the predicates of a text takes longer than tagging it, so what is
    tagged again and again, as development data under a moving slider, is packed once.
    A kind of it says how it packs: ``pack(corpus, templates)``, to ``Contexts``.

    Parameters
    ----------
    corpus : Corpus
    features : Features
    contexts : Contexts
        Of every word.
    firing : sparse matrix, shape (n_rows, P)
        Which predicates each row fires.
    """

    def __init__(self, corpus, features, contexts, firing):
        self.corpus, self.features = corpus, features
        self._contexts, self._firing = contexts, firing

    @classmethod
    def of(cls, corpus, templates, features, tag_names):
        """Pack a corpus for models of some tags; those that it has itself are not read."""
        contexts = cls.pack(corpus.unlabel(tag_names), templates)
        return cls(corpus, features, contexts, features.firing(contexts))

    def narrow(self, features, kept):
        """Return the corpus ready for fewer features, as ``Features.narrow`` gives both."""
        return type(self)(self.corpus, features, self._contexts, self._firing[:, kept])


@dataclass(eq=False)
class LogLinear(Capitalizer):
    """A model whose scores are sums of weights of (predicate, tag).

    A kind defines ``pack_training``, from a corpus and templates to ``Contexts``;
    ``likelihood``, from these, a firing matrix and features to what ``maximise`` takes;
    ``packed``, the kind of ``Packed`` that it tags; and ``tag(text)``.

    Attributes
    ----------
    templates : tuple of Template
    features : Features
    weights : ndarray, shape (P, K)
        Zero where there is no feature.
    mixed_forms : dict
    info : dict
        Where the model comes from: text and its hash, cutoff, prior, solver, convergence.
    tag_names : tuple of str
    """

    templates: tuple
    features: Features
    weights: np.ndarray
    mixed_forms: dict
    info: dict = field(default_factory=dict)
    tag_names: tuple = TAGS
    solvers = tuple(SOLVERS)

    @staticmethod
    def admit(templates):
        """Return those of some templates that this kind of model can have: all."""
        return templates

    @classmethod
    def fit(
        cls, corpus, templates="ca04", cutoff=5, sigma2=5.0, alpha=None, solver="lbfgs", **options
    ):
        """Train on a corpus.

        Parameters
        ----------
        corpus : Corpus
        templates : str or sequence of str
            Names of template sets and templates, as of ``find_templates``.
        cutoff : int
            Features seen less often are dropped; 0 keeps all.
        sigma2 : float
            Variance of the zero-mean Gaussian prior.
        alpha : float, optional
            Rate of Goodman's exponential prior, weights >= 0, in the place of the Gaussian.
        solver : {"lbfgs", "newton", "iis"}
            L-BFGS; Newton's method, which goes to the very end; or the paper's improved
            iterative scaling, slower, which no CRF takes.
        **options
            ``tolerance``, ``on_step`` and the most steps of ``maximise``, ``solve`` or
            ``scale_iteratively``.

        Source
        ------
        Chelba & Acero (2004), section 3, eq. 2. A CRF as Zhang, Qiu, Huang & Wu (2008),
        section 3.
        """
        templates, cutoff = cls.admit(find_templates(templates)), check_cutoff(cutoff)
        strength = check_strength(sigma2, alpha)
        pose = find_solver(solver, strength["prior"], cls.solvers)
        features, solve = cls._pose(pose, corpus.require_cased(), templates, cutoff)
        fit = solve(zero_mean_prior(len(features), **strength), **options)
        info = {
            "name": corpus.name, "words": len(corpus), "text": corpus.fingerprint,
            "cutoff": cutoff, **strength, "solver": solver, "features": len(features),
            "log_likelihood": fit.log_likelihood, "converged": fit.converged,
        }  # fmt: skip
        mixed_forms = count_mixed_forms(corpus)
        weights, names = features.table(fit.weights), corpus.tag_names
        return cls(templates, features, weights, mixed_forms, info, names)

    @classmethod
    def _pose(cls, pose, corpus, templates, cutoff):
        """Return the features of a corpus, and what fits them; the events are forgotten."""
        events = cls.pack_training(corpus, templates)
        features = select_features(events, cutoff)
        return features, pose(cls.likelihood, events, features.firing(events), features.exists)

    def pack(self, corpus, features=None):
        """Make a corpus ready for the models with these features, by default this one's own.

        Its tags are numbered as the model's; those that it does not know come after them.
        """
        features = self.features if features is None else features
        corpus, names = corpus.relabel(self.tag_names), self.tag_names
        return self.packed.of(corpus, self.templates, features, names)

    def widen(self, tag_names):
        """Return the model with the further of some labels, of which it has no feature."""
        new = tuple(name for name in tag_names if name not in self.tag_names)
        if not new:
            return self
        beside = ((0, 0), (0, len(new)))
        features = Features(self.features.blocks, np.pad(self.features.exists, beside))
        weights, names = np.pad(self.weights, beside), (*self.tag_names, *new)
        return replace(self, features=features, weights=weights, tag_names=names)

    def _packed(self, text):
        """Return a text ready: as it is if packed for these features, else packed now."""
        is_ready = getattr(text, "features", None) is self.features
        return text if is_ready else self.pack(getattr(text, "corpus", text))

    def to_parts(self):
        """Header, arrays and lists of the model file."""
        header = {
            "templates": [template.name for template in self.templates],
            "tag_names": self.tag_names,
            "info": self.info,
        }
        arrays = {
            "features": np.flatnonzero(self.features.exists).astype(np.int32),
            "weights": self.weights[self.features.exists],
        }
        return header, arrays, {"predicates": self.features.names()}

    @classmethod
    def from_parts(cls, header, arrays, lists):
        """Make the model from the parts of its file."""
        templates, tag_names = find_templates(header["templates"]), tuple(header["tag_names"])
        exists = np.zeros((len(lists["predicates"]), len(tag_names)), bool)
        exists.ravel()[arrays["features"]] = True
        features = Features(pack_names(lists["predicates"]), exists)
        weights, mixed_forms = features.table(arrays["weights"]), read_mixed_forms(lists)
        return cls(templates, features, weights, mixed_forms, header["info"], tag_names)
