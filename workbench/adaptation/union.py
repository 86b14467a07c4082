"""The union of background and adaptation features, and the weights that adaptation data move."""

import numpy as np

from workbench.features.selection import Features, check_cutoff, select_features, unite
from workbench.learning.likelihood import LogLikelihood
from workbench.learning.solvers import FINE, find_solver, finest_solver
from workbench.learning.solvers.fit import maximise
from workbench.learning.solvers.newton import solve
from workbench.models.capitalizer import count_mixed_forms
from workbench.models.crf import CRF
from workbench.models.memm import MEMM
from workbench.text.errors import InputError
from workbench.text.tasks import check_same_task

_READY = {"lbfgs": maximise, "newton": solve}  # they take a log-likelihood as it is
MODELS = (MEMM, CRF)  # that can be adapted


class Union:
    """A background and adaptation data, with one set of features.

    A *cell* is a place (predicate, tag) of the weight table. Only cells whose
    predicates fire in the adaptation data matter to its likelihood: they are the
    free ones, tens of thousands on 100k words, whatever the size of the background.

    Parameters
    ----------
    background : MEMM or CRF
    corpus : Corpus
        Adaptation data in its natural case, or labelled. Labels that the background does
        not know begin with weights of 0.
    cutoff : int or None
        Features of the adaptation data seen less often are not added to the
        background's; 0 adds all, None adds none.

    Attributes
    ----------
    features : Features
        The union of F_background and F_adapt, F of them.
    n_new : int
        Features that the background does not have.
    free : ndarray of bool, shape (P, K)
        Features whose predicates fire in the adaptation data.
    mean : ndarray, shape (P, K)
        The background's weights; 0 for new features.
    background_weights : ndarray, shape (F free,)
        Of the free cells, 0 for new features.
    log_likelihood : LogLikelihood or ChainLogLikelihood
        Of the adaptation data, as a function of the free weights.

    Raises
    ------
    InputError
        If the corpus has no capitals, or has labels where the background has case, or
        shares no word with the background, or that is
        neither a plain MEMM nor a CRF.

    Source
    ------
    Chelba & Acero (2004), section 4; of CRFs Zhang, Qiu, Huang & Wu (2008), section 4.
    """

    def __init__(self, background, corpus, cutoff=0):
        if type(background) not in MODELS:
            known = " or a ".join(model.kind for model in MODELS)
            raise InputError(f"a model of kind {background.kind}: only a {known} can be adapted")
        _require_overlap(background, corpus.require_cased())
        background = background.widen(corpus.tag_names)
        corpus = corpus.relabel(background.tag_names)
        self.background, self.corpus = background, corpus
        self.cutoff = None if cutoff is None else check_cutoff(cutoff)
        self.mixed_forms = background.mixed_forms | count_mixed_forms(corpus)
        self._events = background.pack_training(corpus, background.templates)
        features = _unite(background.features, self._events, cutoff)
        self._set_up(features, features.firing(self._events))

    def _set_up(self, features, firing):
        """What depends on the features; ``firing`` tells which predicates the events fire."""
        self.features, self._firing = features, firing
        self.n_new = len(features) - len(self.background.features)
        self.mean = np.zeros(features.shape)
        self.mean[: len(self.background.weights)] = self.background.weights
        likelihood = self.background.likelihood
        self.log_likelihood, self.free = restrict(self._events, features, likelihood, firing)
        self._free_cells = np.flatnonzero(self.free)
        self.background_weights = self.mean[self.free]

    def restrict(self, corpus):
        """Return a log-likelihood and its free cells, as ``restrict``, of any corpus."""
        events = self.background.pack_training(corpus, self.background.templates)
        return restrict(events, self.features, self.background.likelihood)

    @property
    def n_free(self):
        """Weights that can move."""
        return len(self._free_cells)

    @property
    def is_observed(self):
        """Which free features the adaptation data hold: F_adapt; bool, shape (F free,)."""
        return self.log_likelihood.observed > 0

    @property
    def is_inherited(self):
        """Which free features are the background's; bool, shape (F free,)."""
        inherited = np.zeros_like(self.free)
        inherited[: self.background.features.n_predicates] = self.background.features.exists
        return inherited[self.free]

    def finest_solver(self, prior):
        """Name of the solver that goes to the very end the fastest, by the prior's name."""
        return finest_solver(prior, self.background.solvers)

    def maximise(self, prior, start=None, solver=None, **options):
        """Return the ``Fit`` of the free weights under a prior, by default the finest solver's.

        Options are those of ``maximise``, ``solve`` or ``scale_iteratively``.
        """
        solver = solver or self.finest_solver(prior.name)
        pose = find_solver(solver, prior.name, self.background.solvers)
        if solver == "lbfgs":
            options = {"tolerance": FINE} | options
        if solver in _READY:
            return _READY[solver](self.log_likelihood, prior, start, **options)
        firing, fired = _fired(self._events, self._firing)
        likelihood, exists = self.background.likelihood, self.features.exists[fired]
        return pose(likelihood, self._events, firing, exists)(prior, start, **options)

    def table(self, free_weights, elsewhere=0.0):
        """Weights of all cells, shape (P, K), from those of the free and of all others."""
        weights = np.array(np.broadcast_to(elsewhere, self.mean.shape), float, order="C")
        weights.ravel()[self._free_cells] = free_weights
        return weights

    def assemble(self, weights, fit=None, **told):
        """Return the model with a table of weights, shape (P, K); ``told`` goes to its info."""
        outcome = {"log_likelihood": fit.log_likelihood, "converged": fit.converged} if fit else {}
        info = {
            "name": f"{self.background.info['name']} + {self.corpus.name}",
            "words": len(self.corpus), "text": self.corpus.fingerprint,
            "background": self.background.info, "cutoff": self.cutoff,
            "features": len(self.features), "new_features": self.n_new, **told, **outcome,
        }  # fmt: skip
        templates, tag_names = self.background.templates, self.background.tag_names
        model = type(self.background)
        return model(templates, self.features, weights, self.mixed_forms, info, tag_names)


def restrict(events, features, likelihood=LogLikelihood, firing=None):
    """Return the log-likelihood of events as a function of the weights that matter to it.

    Parameters
    ----------
    events : Contexts
    features : Features
    likelihood : callable
        Of the kind of model: ``MEMM.likelihood`` or ``CRF.likelihood``.
    firing : sparse matrix, shape (n_rows, P), optional
        What the events fire, if it is there already.

    Returns
    -------
    log_likelihood : LogLikelihood or ChainLogLikelihood
    free : ndarray of bool, shape (P, K)
        The features whose predicates can fire in the events: its weights, in row-major order.
    """
    firing, fired = _fired(events, features.firing(events) if firing is None else firing)
    exists, free = features.exists[fired], np.zeros(features.shape, bool)
    free[fired] = exists
    return likelihood(events, firing, exists), free


def _fired(events, firing):
    """Which of the predicates that can fire in the events each row fires, and their numbers."""
    fired = np.flatnonzero(firing.T @ events.reachable)
    return firing[:, fired], fired


def _unite(background, events, cutoff):
    if cutoff is None:
        return Features(background.blocks, background.exists)
    return unite(background, select_features(events, cutoff))


def _require_overlap(background, corpus):
    name = f"the background {background.info['name']}"
    check_same_task(corpus.name, corpus.task, name, background.task)
    known = background.features.values.get("currentword")
    words = {corpus.words[i] for i in np.unique(corpus.word_ids)}
    if known and not any(word in known and any(map(str.isalpha, word)) for word in words):
        raise InputError(
            f"{corpus.name}: shares no word with the background {background.info['name']}; "
            "adaptation needs text of the same language"
        )
