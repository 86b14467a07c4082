"""The weights behind the tag that a model gave to a word, one row a predicate and tag."""

from dataclasses import replace

import numpy as np
import pandas as pd

from workbench.features.firing import unknown_predicates
from workbench.features.templates import predicates_of
from workbench.models.capitalizer import Capitalizer
from workbench.models.crf import CRF
from workbench.models.interpolation import Interpolation
from workbench.models.log_linear import LogLinear
from workbench.models.memm import MEMM
from workbench.models.prediction import PredictionMEMM, predictions_at
from workbench.scoring.row_scores import find_weights
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError


def explain(
    model: LogLinear | Interpolation,
    corpus: Corpus,
    position: int,
    background: LogLinear | None = None,
) -> pd.DataFrame:
    """Return the weight of every predicate of a word's context for every tag.

    The two previous tags are those that the model itself gave. The sum of ``weight`` over the
    rows of a tag is its score; ``tag_probabilities`` takes the softmax. Viterbi weighs whole
    sentences, so the tag that the model gave need not be the one most probable here. InputError
    if the corpus has no such position, or the model no weights.

    Parameters
    ----------
    model : LogLinear or Interpolation
        With K tags. In a CRF the tag that follows counts, too; it is not listed.
    position : int
        Place of the word in the corpus.
    background : LogLinear, optional
        The model that ``model`` was adapted from.

    Returns
    -------
    explanation : DataFrame
        K rows a predicate: ``predicate``, ``tag``, ``weight`` (nats, nan where the pair is no
        feature, which counts as 0); with a background also its weight ``background``,
        ``change`` (a weight that only one model has counts as 0 in the other) and ``new``, true
        for a predicate that only the adapted model has. Of an interpolation the rows of both
        models, after the tags that the mixture gave: ``model``, inside or outside, and its
        ``share``.

    Source
    ------
    Chelba & Acero (2004), eq. 2 and 3: P(y|x) is the softmax of these sums.
    """
    if not isinstance(model, Interpolation):
        return _explain(model, firing_predicates(model, corpus, position), background)
    rows = []
    for name, share in (("inside", model.share), ("outside", 1 - model.share)):
        part = getattr(model, name)
        predicates = firing_predicates(part, corpus, position, model)
        rows.append(_explain(part, predicates, background).assign(model=name, share=share))
    return pd.concat(rows, ignore_index=True)


def _explain(model, predicates, background):
    weights = find_weights(model.features, model.weights, predicates)
    columns = {
        "predicate": np.repeat(predicates, len(model.tag_names)),
        "tag": np.tile(model.tag_names, len(predicates)),
        "weight": weights.ravel(),
    }
    if background is not None:
        before = find_weights(background.features, background.weights, predicates)
        n_added = len(model.tag_names) - len(background.tag_names)  # by adaptation, at the end
        before = np.pad(before, ((0, 0), (0, n_added)), constant_values=np.nan)
        columns |= _compare(weights, before)
    return pd.DataFrame(columns)


def firing_predicates(
    model: LogLinear, corpus: Corpus, position: int, tagger: Capitalizer | None = None
) -> list[str]:
    """Return the predicates that fire at a position after the tags given before it.

    These are the tags that ``tagger`` gives, by default the model itself.
    """
    if not isinstance(model, LogLinear):
        needed = "it has no weights of its own to explain a tag by"
        raise InputError(f"a model of kind {model.kind}: {needed}")
    alone, place = sentence_of(corpus, position, model.tag_names)
    return predicates_after(model, alone, place, (tagger or model).tag(alone))


def predicates_after(model: LogLinear, alone: Corpus, place: int, tags: np.ndarray) -> list[str]:
    """Return the predicates that fire at a place of a sentence after given tags, (T,)."""
    last_tags = tags[max(0, place - 2) : place][::-1]  # t-1 first
    names = tuple(model.tag_names[tag] for tag in last_tags)
    words = [alone.words[word] for word in alone.word_ids]
    described = model.describe(alone).columns
    columns = {key: [c.strings[i] for i in c.ids] for key, c in described.items()}
    predicates = predicates_of(model.templates, words, place, names, **columns)
    predicates += unknown_predicates(predicates, model.features.values)
    if isinstance(model, PredictionMEMM):
        predicates += predictions_at(alone, model.source.tag(alone), place)
    return predicates


def sentence_of(
    corpus: Corpus, position: int, tag_names: tuple[str, ...]
) -> tuple[Corpus, int]:  # fmt: skip
    """Return a word's sentence as a corpus without tags, and the word's place in it.

    InputError if the corpus has no such position.
    """
    if not 0 <= position < len(corpus):
        raise InputError(f"position {position}: 0 to {len(corpus) - 1:,} are allowed")
    sentence = int(np.searchsorted(corpus.starts, position, "right")) - 1
    # With a vocabulary of its own: otherwise all words of the corpus would be packed.
    alone = corpus.take([sentence]).compact()
    hidden = replace(alone, tags=np.zeros_like(alone.tags), tag_names=tag_names)
    return hidden, position - int(corpus.starts[sentence])


def _compare(weights, background):
    known, known_before = ~np.isnan(weights), ~np.isnan(background)
    change = np.nan_to_num(weights) - np.nan_to_num(background)
    new = known.any(axis=1) & ~known_before.any(axis=1)
    return {
        "background": background.ravel(),
        "change": np.where(known | known_before, change, np.nan).ravel(),
        "new": np.repeat(new, weights.shape[1]),
    }


def tag_probabilities(explanation: pd.DataFrame, column: str = "weight") -> pd.Series:
    """Return P(tag | context, last two tags) of an explanation; a Series by tag.

    Column "weight" or "background" of what ``explain`` gives is summed. A CRF has no such
    probability: of the word by itself after the last tag this says what the weights say, but
    not what the model does, which is ``marginal_probabilities``.
    """
    if "share" in explanation:
        parts = explanation.groupby("model", sort=False)
        return sum(p["share"].iloc[0] * _softmax(p, column) for _, p in parts)
    return _softmax(explanation, column)


def _softmax(explanation, column):
    scores = explanation.groupby("tag", sort=False)[column].sum()
    shares = np.exp(scores - scores.max())
    return (shares / shares.sum()).rename("probability")


def marginal_probabilities(model: MEMM | CRF, corpus: Corpus, position: int) -> pd.Series:
    """Return P(tag of a word | W), W its sentence; a Series by tag.

    Summed over the tags of all other words, so that it depends on later words, too.
    InputError if the corpus has no such position.

    Source
    ------
    Lafferty, McCallum & Pereira (2001): a CRF is normalized once a sentence, and so has no
    P(tag | context) to be explained by.
    """
    alone, place = sentence_of(corpus, position, model.tag_names)
    shares, tags = model.probabilities(alone)[place], pd.Index(model.tag_names, name="tag")
    return pd.Series(shares, tags, name="probability")
