"""A workbench for adapting capitalizers (Chelba & Acero, 2004).

The way of the data, one direction: text, features, learning, models,
adaptation, evaluation, experiments, charts, views. What is meant for use in
notebooks and programs can be taken from here; it is imported when asked for,
so that a command that draws nothing does not wait for what draws.

>>> from workbench import MEMM, adapt, load
"""

from importlib import import_module

_HOMES = {
    "text.casing": ("Tag", "recase_word", "tag_of", "wipe_case"),
    "text.corpus": ("BOUNDARY", "Corpus"),
    "text.errors": ("InputError",),
    "text.readers": ("read_corpus",),
    "text.sets.registry": ("known_data_sets", "load"),
    "features.contexts": ("pack_events",),
    "features.selection": ("select_features",),
    "features.templates": ("TEMPLATE_SETS", "find_templates", "predicates_of"),
    "learning.prior": ("ExponentialPrior", "GaussianPrior"),
    "learning.solvers.fit": ("Fit", "NotConverged", "Step", "maximise"),
    "models.crf": ("CRF",),
    "models.kinds": ("load_model",),
    "models.memm": ("MEMM",),
    "models.unigram": ("Unigram",),
    "adaptation.methods.map": ("MapAdaptation", "adapt"),
    "evaluation.diff": ("summarize", "word_diff"),
    "evaluation.scores": ("score",),
    "evaluation.explain": ("explain",),
    "evaluation.report": ("report",),
    "evaluation.significance": ("bootstrap", "mcnemar"),
    "experiments.ablation": ("ablate",),
    "experiments.compare": ("Split", "compare"),
    "experiments.hyperparameters": (
        "choose_alpha",
        "choose_sigma2",
        "choose_variances",
        "search_sigma2",
    ),
    "experiments.session": ("Session", "open_session"),
    "experiments.sweep": ("sweep",),
    "experiments.tuning": ("Tuning",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
__all__ = sorted(_HOME_OF)


def __getattr__(name):
    if name not in _HOME_OF:
        raise AttributeError(f"module 'workbench' has no attribute {name!r}")
    return getattr(import_module(f"workbench.{_HOME_OF[name]}"), name)
