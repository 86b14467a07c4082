"""Background models, trained once for each text and cached on disk."""

import hashlib
import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from workbench.adaptation.adaptation import adapt
from workbench.adaptation.method import MODELS, Split
from workbench.evaluation.task import find_task
from workbench.features.templates import name_templates
from workbench.learning.prior import check_positive
from workbench.learning.solvers.fit import TOLERANCE
from workbench.models.files import VERSION
from workbench.models.kinds import load_model
from workbench.models.log_linear import LogLinear
from workbench.models.memm import MEMM
from workbench.models.shipped import BACKGROUNDS, names_model
from workbench.models.unigram import Unigram
from workbench.settings import BACKGROUND
from workbench.text.casing import wipe_case
from workbench.text.corpus import Corpus, unite_labels
from workbench.text.errors import InputError
from workbench.text.sets.registry import load
from workbench.text.sets.storage import model_folder

_TRAINED = ("cutoff", "sigma2", "drop_boundaries")  # what a model's info has of its training


class Background(NamedTuple):
    """What is kept of a background's text."""

    model: LogLinear
    unigram: Unigram | None  # None where the task has no such baseline
    # How often each word, in lower case, stands in the text; None of a model without its text.
    word_counts: dict[str, int] | None

    @property
    def is_model(self) -> bool:
        """Whether it is a model without its text."""
        return self.word_counts is None


class Level(NamedTuple):
    """A text between background and domain, by name, and the variance of the step to it."""

    text: str
    sigma2: float


def read_levels(says: str) -> tuple[Level, ...]:
    """Return the levels of a text such as "wsj:1,ted:0.3"; InputError if that cannot be."""
    parts = [part.strip().rpartition(":") for part in says.split(",") if part.strip()]
    levels = tuple(Level(name, check_positive(number)) for name, _, number in parts)
    names = [level.text for level in levels]
    if not all(names) or len(set(names)) < len(names):
        raise InputError(f"levels {says!r}: allowed are different texts, each as in wsj:1")
    return levels


def find_background(
    text: str | Corpus | LogLinear, on_step: Callable | None = None,
    on_build: Callable | None = None, options: dict = BACKGROUND,
    kind: type[LogLinear] = MEMM,
) -> Background:  # fmt: skip
    """Return the model, the 1-gram baseline and the word counts of a background text.

    Models are read from the cache if it has those of the same text and options; otherwise
    trained and written there.

    Parameters
    ----------
    text : str, Corpus or LogLinear
        Data set, file or folder, or the text itself; or a trained model, or the name of one (see
        ``names_model``), which has no counts of words and takes no options.
    on_step, on_build : callable, optional
        Called with each ``Step`` of training, and with (done, total, text) while a data
        set is built.
    options : dict
        As in ``LogLinear.fit``.
    kind : {MEMM, CRF}
    """
    if isinstance(text, LogLinear):
        return Background(text, None, None)
    if isinstance(text, str) and names_model(text):
        unigram = load_model("en-1gram") if text in BACKGROUNDS else None
        return Background(require_table(load_model(text), text), unigram, None)
    corpus = load(text, "train", on_build) if isinstance(text, str) else text
    model = background_of(corpus, options, on_step, kind)
    return Background(model, baseline_of(corpus), count_words(corpus))


def require_table(model: Any, name: str) -> LogLinear:
    """Return a model that can be a background; InputError, which names it, if it is another."""
    if type(model) not in MODELS:
        raise InputError(f"{name}: a model of kind {model.kind}; a background is a memm or a crf")
    return model


def split_of_model(
    background: Background, adaptation: Corpus, dev: Corpus, *tests: Corpus
) -> tuple[Split, list[Corpus]]:
    """Return the split of a background that is a model, and the texts to test on.

    Its options are those that the model was trained with; labels are numbered alike.
    """
    names = background.model.tag_names
    texts = (text.relabel(names) for text in (adaptation, dev, *tests))
    adaptation, dev, *rest = unite_labels(*texts)
    model = background.model.add_tags(dev.tag_names)
    info = trained_info(model.info)
    trained = {name: info[name] for name in _TRAINED if _is_number(info.get(name))}
    options = {"templates": name_templates(model.templates), **trained}
    unigram = background.unigram
    return Split(model, adaptation, dev, options, type(model), unigram=unigram), rest


def _is_number(value):
    return isinstance(value, int | float) and math.isfinite(value)


def adapt_background(found: Background, steps: Iterable[tuple[Corpus, float]]) -> Background:
    """Return a background whose model is adapted to some texts, one after the other.

    ``steps`` are (text, sigma2). The 1-gram baseline stays that of the background's own text.

    Source
    ------
    Chelba & Acero (2004), eq. 3, once for each step: a chain of priors, from the general to the
    domain, as the method ``chain``.
    """
    model, counts = found.model, found.word_counts
    for corpus, sigma2 in steps:
        model = adapt(model, corpus, sigma2)
        counts = counts and Counter(counts) + Counter(count_words(corpus))
    return Background(model, found.unigram, counts)


def words_learnt(info: Mapping[str, Any]) -> int:
    """Return how many words a model has learnt from, those of its backgrounds with them."""
    return info["words"] + (words_learnt(info["background"]) if "background" in info else 0)


def trained_info(info: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what is known of the training of a model, or of the one that it was adapted from."""
    return trained_info(info["background"]) if "background" in info else info


def count_words(corpus: Corpus) -> dict[str, int]:
    """Return how often each word of a corpus, in lower case, stands in it."""
    counts: dict[str, int] = {}
    found = np.bincount(corpus.word_ids, minlength=len(corpus.words)).tolist()
    for word, n in zip(corpus.words, found, strict=True):
        if n:
            low = wipe_case(word)
            counts[low] = counts.get(low, 0) + n
    return counts


def background_of(
    corpus: Any, options: Mapping[str, Any] = BACKGROUND, on_step: Callable | None = None,
    kind: Any = MEMM,
) -> Any:  # fmt: skip
    """Return the model of a text, from the cache or trained, with options of its kind's ``fit``."""
    key = kind.describe_options(options) | {"model": kind.kind}
    return _cached(corpus, key, lambda: kind.fit(corpus, **options, on_step=on_step))


def background_of_split(split: Split, on_step: Callable | None = None) -> Any:
    """Return the model of a ``Split``'s background, from the cache or trained."""
    return background_of(split.background, split.options, on_step, split.model)


def require_features(model: LogLinear, text: Any, cutoff: int) -> None:
    """Raise InputError if a model trained on a text, with a name and a length, has no feature."""
    if not model.info["features"]:
        raise InputError(
            f"{text.name}: nothing is seen {cutoff} times in {len(text):,} words; "
            "a smaller cutoff or more text is needed"
        )


def baseline_of(corpus: Corpus) -> Unigram | None:
    """Return the 1-gram capitalizer of a corpus, None where its task has no such baseline."""
    return unigram_of(corpus) if "1-gram" in find_task(corpus).baselines else None


def unigram_of(corpus: Corpus) -> Unigram:
    """Return the 1-gram capitalizer of a corpus, as ``find_background`` does."""
    return _cached(corpus, {"model": "1gram"}, lambda: Unigram.fit(corpus))


def _cached(corpus, options, train):
    """Return the model in the cache, else what ``train`` returns, which is written there."""
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
    with suppress(InputError):  # a full disk: the next start trains again
        model.save(path)
    return model
