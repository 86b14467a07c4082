"""Why a model gave a word its tag: weights that fired, in numbers and in words.

The weights behind the tag that a model gave to a word, one row a predicate and tag.

The gap between the scores of two tags, predicate by predicate, in two models at once.

The score of a tag is a sum of weights, so what sets two tags apart is a sum, too::

    s(to | x) - s(from | x) = sum over the predicates p of x of w(p, to) - w(p, from)

In an MEMM that is log p(to | x) - log p(from | x). In a chain x has the tag after the word as
well, whose transition counts, and the sum is the log of the odds of the two tags if all other
tags stay as they are.

Predicates in words: prefix3=str is "prefix str-", t-1=CAP "the tag before it (CAP)".
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from workbench.evaluation.number_words import probability_in_words, signed
from workbench.features.firing import unknown_predicates
from workbench.features.predicates import UNKNOWN, UNKNOWN_MARK, UNKNOWN_UNCASED
from workbench.features.templates import predicates_of
from workbench.inference.scores import find_weights
from workbench.models.capitalizer import Capitalizer
from workbench.models.crf import CRF
from workbench.models.interpolation import Interpolation
from workbench.models.log_linear import LogLinear
from workbench.models.prediction import PredictionMEMM, predictions_at
from workbench.text.corpus import BOUNDARY, Corpus
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
    not what the model does, which its ``probabilities`` do.
    """
    if "share" in explanation:
        parts = explanation.groupby("model", sort=False)
        return sum(p["share"].iloc[0] * _softmax(p, column) for _, p in parts)
    return _softmax(explanation, column)


def _softmax(explanation, column):
    scores = explanation.groupby("tag", sort=False)[column].sum()
    shares = np.exp(scores - scores.max())
    return (shares / shares.sum()).rename("probability")


NEXT_TAG = "t+1"  # in a chain what the tag after a word says of it; no template, but a transition
_OF = {"previous": " of the word before it", "next": " of the word after it", "": ""}
_PLACES = {
    -2: "two words before it", -1: "the word before it", 0: "the word itself",
    1: "the word after it", 2: "two words after it",
}  # fmt: skip
_READS = {
    "currentword": "the word itself",
    "previousword": _PLACES[-1],
    "nextword": _PLACES[1],
    "word-2": _PLACES[-2],
    "word+2": _PLACES[2],
    "t-1": "the tag before it",
    "t-1,2": "the two tags before it",
    NEXT_TAG: "the tag after it",
    "shape": "its shape",
    "casedshape": "its shape with capitals",
    "lowercase": "the word in lower case",
    "capital": "a capital in it",
    "digit": "a digit in it",
    "hyphen": "a hyphen in it",
    "position": "its place in the sentence",
    "previousword,currentword": "the word before it and itself",
    "currentword,nextword": "itself and the word after it",
    "currentword,t-1": "the word itself and the tag before it",
    "previousword,t-1": "the word and the tag before it",
}
_UNKNOWN = {
    UNKNOWN: "a word that is not known",
    UNKNOWN_MARK: "a punctuation mark that is not known",
    UNKNOWN_UNCASED: "a number, or a word without case, that is not known",
}
_UNPUNCTUATED = "unpunctuated,"  # begins the templates of sentences without punctuation
_SILENT = {"currentword", "capital", "digit", "hyphen"}  # their values say nothing new


def describe_predicate(predicate: str) -> str:
    """Return a predicate, ``template=value``, in words; plain text, the value as it is.

    Values that are words stand in brackets; beyond a sentence there is "none".
    """
    if predicate.startswith(_UNPUNCTUATED):
        return f"{describe_predicate(predicate.removeprefix(_UNPUNCTUATED))}, without punctuation"
    template, value = predicate.split("=", 1)
    if value in _UNKNOWN:
        return _UNKNOWN[value]
    if template in _SILENT:
        return _READS[template]
    if template in _READS:
        return f"{_READS[template]} ({_say(value, template)})"
    if template == "casingrate":
        return f"how the background writes the word itself ({value})"
    if "casing" in template:
        return _describe_casing(template, value)
    if template.startswith("ngram"):
        return f"{value} in it"
    if template.startswith("pos"):
        places = [_PLACES[int(part.removeprefix("pos"))] for part in template.split(",")]
        return f"part of speech of {_join(places)} ({_say(value, template)})"
    return _describe_affix(template, value)


def _describe_casing(template, value):
    """Say how the background writes words, and what else is read with it."""
    parts = template.split(",")
    written = [_PLACES[int(p.removeprefix("casing") or 0)] for p in parts if "casing" in p]
    others = [_READS[p] for p in parts if "casing" not in p]
    read = _join([*others, f"how the background writes {_join(written)}"])
    return f"{read} ({_say(value, template)})"


def _describe_affix(template, value):
    """Say what a prefix or a suffix is, of this word or of a neighbour."""
    side = "prefix" if "prefix" in template else "suffix"
    whose = template.split(side)[0]
    if whose not in _OF:
        return f"{template} ({_say(value, template)})"
    affix = f"{value}-" if side == "prefix" else f"-{value}"
    return f"{side} {affix}{_OF[whose]}"


def _say(value, template):
    """Return the values read, "none" for those beyond the sentence."""
    value = value.replace(BOUNDARY, "none")
    return value.replace(",", ", ") if "," in template else value


def _join(places):
    *others, last = places
    return f"{', '.join(others)} and {last}" if others else last


_MOST_NAMED = 3  # predicates in a sentence


class Term(NamedTuple):
    """What one predicate adds to a gap: the weight of one cell less that of another."""

    predicate: str
    plus: tuple[str, str]  # predicate and tag
    minus: tuple[str, str]


def gap_terms(
    model: LogLinear, alone: Corpus, place: int, tags: np.ndarray, between: tuple[str, str]
) -> list[Term]:
    """Return the terms of the gap between two tags, from and to, of a word of a sentence.

    ``tags``, int, shape (T,), are those of the sentence's words; the neighbours' count.
    """
    start, end = between
    predicates = predicates_after(model, alone, place, tags)
    terms = [Term(p, (p, end), (p, start)) for p in predicates]
    reads_last = any(template.name == "t-1" for template in model.templates)
    if isinstance(model, CRF) and reads_last and place + 1 < len(alone):
        following = model.tag_names[tags[place + 1]]
        cells = [(f"t-1={tag}", following) for tag in (end, start)]
        terms.append(Term(f"{NEXT_TAG}={following}", *cells))
    return terms


def gap_rows(background: LogLinear, adapted: LogLinear, terms: Sequence[Term]) -> list[dict]:
    """Return the value of each term in two models with the same tags, the largest change first.

    Each has ``predicate``, ``words`` (``describe_predicate``), ``background``, ``adapted`` and
    ``change`` in nats; whether the predicate has a feature of either tag ``in_background`` and
    ``in_adapted``, without which it counts as 0; and ``new``, if in the adapted model alone.
    Predicates that neither model has are left out: they are 0 in both.
    """
    before, in_background = _values(background, terms)
    after, in_adapted = _values(adapted, terms)
    rows = [
        {
            "predicate": term.predicate, "words": describe_predicate(term.predicate),
            "background": float(before[i]), "adapted": float(after[i]),
            "change": float(after[i] - before[i]), "in_background": bool(in_background[i]),
            "in_adapted": bool(in_adapted[i]), "new": bool(in_adapted[i] and not in_background[i]),
        }
        for i, term in enumerate(terms) if in_background[i] or in_adapted[i]
    ]  # fmt: skip
    return sorted(rows, key=lambda row: -abs(row["change"]))


def _values(model, terms):
    """Return the value of each term in a model, and whether it has a feature of it."""
    sides = []
    for cells in ([term.plus for term in terms], [term.minus for term in terms]):
        weights = find_weights(model.features, model.weights, [p for p, _ in cells])
        sides.append(weights[np.arange(len(cells)), [model.tag_names.index(y) for _, y in cells]])
    plus, minus = sides
    exists = ~np.isnan(plus) | ~np.isnan(minus)
    return np.nan_to_num(plus) - np.nan_to_num(minus), exists


def tell_gap(before: dict, after: dict, gap: dict) -> str:
    """Return one sentence on a decision: what each model says, and what moved it; plain text.

    ``before`` and ``after`` have ``tag``, ``form`` and ``p``; ``gap`` has ``from``, ``to``, its
    value in both models, and ``rows`` as in ``gap_rows``.
    """
    said = [
        f"\u201c{each['form']}\u201d {probability_in_words(each['p'])}" for each in (before, after)
    ]
    if before["tag"] != after["tag"]:
        text = f"Background said {said[0]}; adapted says {said[1]}"
    else:
        change = signed(gap["adapted"] - gap["background"])
        text = (
            f"Both say {said[0]} to {probability_in_words(after['p'])}; "
            f"its lead over {gap['from']} changed by {change}"
        )
    moved = [row for row in gap["rows"] if row["change"] > 0.005][:_MOST_NAMED]
    old = ", ".join(_name(row) for row in moved if not row["new"])
    new = ", ".join(_name(row) for row in moved if row["new"])
    reasons = [old, f"new from adaptation: {new}" if new else ""]
    told = "; ".join(filter(None, reasons))
    return f"{text}: {told}." if told else f"{text}."


def _name(row):
    return f"{row['words']} {signed(row['change'])}"
