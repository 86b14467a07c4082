"""Background models, trained once for each text and kept on disk."""

import hashlib
import json
from contextlib import suppress

from workbench.evaluation.task import find_task
from workbench.features.templates import find_templates
from workbench.learning.solvers.fit import TOLERANCE
from workbench.models.files import VERSION
from workbench.models.kinds import load_model
from workbench.models.memm import MEMM
from workbench.models.unigram import Unigram
from workbench.settings import BACKGROUND
from workbench.text.errors import InputError
from workbench.text.sets.registry import load
from workbench.text.sets.storage import model_folder


def find_background(name, on_step=None, on_build=None, options=BACKGROUND, kind=MEMM):
    """Return the model and the 1-gram baseline of a background text.

    Taken from the cache when it holds models of this very text and these
    options; otherwise trained and kept.

    Parameters
    ----------
    name : str
        Data set, file or folder.
    on_step : callable, optional
        Called with each ``Step`` of training.
    on_build : callable, optional
        Called with (done, total, text) while a data set is built.
    options : dict
        As of ``LogLinear.fit``.
    kind : type
        ``MEMM`` or ``CRF``.
    """
    corpus = load(name, "train", on_build)
    return background_of(corpus, options, on_step, kind), baseline_of(corpus)


def background_of(corpus, options=BACKGROUND, on_step=None, kind=MEMM):
    """Return the model of a corpus, as ``find_background`` does; options as of its ``fit``."""
    # A set may gain a template, and there are many ways to say the same.
    names = [template.name for template in find_templates(options["templates"])]
    known_by = options | {"templates": names, "model": kind.kind}
    return _cached(corpus, known_by, lambda: kind.fit(corpus, **options, on_step=on_step))


def baseline_of(corpus):
    """Return the 1-gram capitalizer of a corpus, None where its task has no such baseline."""
    return unigram_of(corpus) if "1-gram" in find_task(corpus).baselines else None


def unigram_of(corpus):
    """Return the 1-gram capitalizer of a corpus, as ``find_background`` does."""
    return _cached(corpus, {"model": "1gram"}, lambda: Unigram.fit(corpus))


def _cached(corpus, options, train):
    corpus.require_cased()
    folder = model_folder()
    if folder is None:
        return train()
    key = json.dumps([VERSION, TOLERANCE, corpus.fingerprint, options], sort_keys=True)
    path = folder / f"{hashlib.sha256(key.encode()).hexdigest()[:16]}.model"
    try:
        return load_model(path)
    except InputError:  # not there, damaged or of another version
        model = train()
    with suppress(InputError):  # a full disk costs the next start time, this one nothing
        model.save(path)
    return model
