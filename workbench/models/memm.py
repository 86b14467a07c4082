"""The maximum entropy Markov model: P(T|W) as a product of P(t_i | x_i(W, t_{i-1}, t_{i-2}))."""

from dataclasses import dataclass, field

import numpy as np

from workbench.features.contexts import pack_contexts, pack_events
from workbench.features.selection import (
    Features,
    check_cutoff,
    number_by_template,
    select_features,
)
from workbench.features.templates import find_templates
from workbench.learning.prior import check_strength, zero_mean_prior
from workbench.learning.threads import N_THREADS, run_in_threads
from workbench.learning.training import find_solver
from workbench.models.capitalizer import Capitalizer, count_mixed_forms, read_mixed_forms
from workbench.models.kernels import LOWEST, add_rows, marginals, viterbi
from workbench.text.casing import TAGS

_SMALL = 5_000  # words below which a second thread costs more than it saves


class PackedText:
    """A corpus made ready for the models that share a feature set.

    Finding the predicates of a text takes longer than tagging it, so what is
    tagged again and again, as development data under a moving slider, is packed once.
    """

    def __init__(self, corpus, templates, features):
        self.corpus, self.features = corpus, features
        self._contexts = pack_contexts(corpus, templates)
        self._firing = features.firing(self._contexts)

    def scores(self, weights):
        """Return the scores of all contexts, taken apart.

        Parameters
        ----------
        weights : ndarray, shape (P, K)

        Returns
        -------
        words : ndarray, shape (N, 1, K), or (N, K + 1, K) by t-1
            Of the predicates that read words, and maybe t-1.
        history : ndarray, shape (K + 1, K + 1, K)
            Of the predicates that read (t-1, t-2) alone.
        """
        table, n_tags = self._firing @ weights, weights.shape[1]
        fillers = self._contexts.fillers
        reads_both = any(f.slot.offsets and f.slot.n_tags for f in fillers)
        words = np.zeros((len(self.corpus), n_tags + 1 if reads_both else 1, n_tags))
        history = np.zeros((n_tags + 1, n_tags + 1, n_tags))
        for filler, rows in zip(fillers, self._contexts.rows.T, strict=True):
            if filler.slot.offsets:
                own = table[filler.first_row : filler.first_row + len(filler)]
                by_tag = own.reshape(-1, filler.n_histories, n_tags)
                add_rows(by_tag, (rows - filler.first_row) // filler.n_histories, words)
            else:
                history += _by_history(table, filler)
        return words, history


def _by_history(table, fillers):
    """Rows of a slot of tags, to be added to scores of (t-1, t-2)."""
    base = len(fillers.tag_names)
    rows = table[fillers.first_row : fillers.first_row + len(fillers)]
    return rows.reshape(base, base if fillers.slot.n_tags == 2 else 1, -1)


def decode(kernel, scored, shares, starts, answer):
    """Run a kernel of decoding over the sentences, on all cores where that pays.

    Parameters
    ----------
    kernel : viterbi or marginals
    scored : sequence of (words, history)
        The scores of a text by each of M models, as ``PackedText.scores`` returns them.
    shares : sequence of float
        Of the M models in every context; they sum to 1.
    starts : ndarray of int64, shape (sentences + 1,)
    answer : ndarray
        The kernel's last argument, filled in and returned.
    """
    words, histories = zip(*scored, strict=True)
    lengths = np.diff(starts)
    order = np.argsort(-lengths, kind="stable")
    n_threads = 1 if len(answer) < _SMALL else N_THREADS
    parts = [order[part::n_threads] for part in range(n_threads)]
    arguments = words, np.stack([_factors(h) for h in histories]), np.array(shares, float)
    run_in_threads(lambda part: kernel(*arguments, starts[part], lengths[part], answer), parts)
    return answer


def _factors(history):
    return np.exp(np.maximum(history - history.max(axis=-1, keepdims=True), LOWEST))


@dataclass(eq=False)
class MEMM(Capitalizer):
    """A maximum entropy Markov model.

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
    kind = "memm"

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
        solver : {"lbfgs", "iis"}
            L-BFGS, or the paper's improved iterative scaling: slower, to the same optimum.
        **options
            ``tolerance``, ``on_step`` and the most steps of ``maximise`` or
            ``scale_iteratively``.

        Source
        ------
        Chelba & Acero (2004), section 3, eq. 2.
        """
        templates, cutoff = find_templates(templates), check_cutoff(cutoff)
        strength = check_strength(sigma2, alpha)
        solve = find_solver(solver, strength["prior"])
        events = pack_events(corpus.require_cased(), templates)
        features = select_features(events, cutoff)
        prior = zero_mean_prior(len(features), **strength)
        fit = solve(events, features.firing(events), features.exists, prior, **options)
        weights = np.zeros(features.exists.shape)
        weights[features.exists] = fit.weights
        info = {
            "name": corpus.name, "words": len(corpus), "text": corpus.fingerprint,
            "cutoff": cutoff, **strength, "solver": solver, "features": len(features),
            "log_likelihood": fit.log_likelihood, "converged": fit.converged,
        }  # fmt: skip
        mixed_forms = count_mixed_forms(corpus)
        return cls(templates, features, weights, mixed_forms, info, corpus.tag_names)

    def pack(self, corpus):
        """Make a corpus ready for this model and for those with the same ``features``."""
        return PackedText(corpus, self.templates, self.features)

    def tag(self, text):
        """Return the most probable tags, exactly; int8, shape (N,).

        Parameters
        ----------
        text : Corpus or PackedText
        """
        packed = self._packed(text)
        tags = np.empty(len(packed.corpus), np.int8)
        return decode(viterbi, [packed.scores(self.weights)], [1], packed.corpus.starts, tags)

    def probabilities(self, text):
        """Return P(tag of word i | W), summed over all other tags; shape (N, K)."""
        packed = self._packed(text)
        p = np.empty((len(packed.corpus), len(self.tag_names)))
        return decode(marginals, [packed.scores(self.weights)], [1], packed.corpus.starts, p)

    def _packed(self, text):
        is_ready = isinstance(text, PackedText) and text.features is self.features
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
        weights = np.zeros(exists.shape)
        weights[exists] = arrays["weights"]
        features = Features(number_by_template(lists["predicates"]), exists)
        mixed_forms, info = read_mixed_forms(lists), header["info"]
        return cls(templates, features, weights, mixed_forms, info, tag_names)
