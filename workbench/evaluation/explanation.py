"""Why a model gave a word its tag: the weights that fired, in numbers and in words.

The score of a tag is the sum of the weights of the predicates that fire, so what sets two tags
apart is a sum, too, predicate by predicate, and can be held against that of another model::

    s(to | x) - s(from | x) = sum over the predicates p of x of w(p, to) - w(p, from)

In an MEMM that is log p(to | x) - log p(from | x). In a chain x has the tag after the word as
well, whose transition counts, and the sum is the log of the odds of the two tags if all other
tags stay as they are.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from workbench.evaluation.number_words import probability_in_words
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

_MOST_NAMED = 3  # predicates in a sentence
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
        With K tags. In a CRF the tag that follows, ``t+1``, counts, too.
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
    weights = weigh(model, predicates)
    columns = {
        "predicate": np.repeat(predicates, len(model.tag_names)),
        "tag": np.tile(model.tag_names, len(predicates)),
        "weight": weights.ravel(),
    }
    if background is not None:
        before = weigh(background.add_tags(model.tag_names), predicates)
        known, known_before = ~np.isnan(weights), ~np.isnan(before)
        change = np.nan_to_num(weights) - np.nan_to_num(before)
        new = known.any(axis=1) & ~known_before.any(axis=1)
        columns |= {
            "background": before.ravel(),
            "change": np.where(known | known_before, change, np.nan).ravel(),
            "new": np.repeat(new, weights.shape[1]),
        }
    return pd.DataFrame(columns)


def weigh(model: LogLinear, predicates: Sequence[str]) -> np.ndarray:
    """Return the weight of each predicate for each of K tags; nats, nan without a feature; (n, K).

    Of the tag after a word that is the weight of the transition to it.
    """
    names = model.tag_names
    weights = find_weights(model.features, model.weights, predicates)
    for place, predicate in enumerate(predicates):
        if predicate.startswith(f"{NEXT_TAG}="):
            cells = [_cell(predicate, tag) for tag in names]
            transitions = find_weights(model.features, model.weights, [p for p, _ in cells])
            weights[place] = transitions[:, names.index(cells[0][1])]
    return weights


def _cell(predicate, tag):
    """Return the predicate and tag whose weight counts where a predicate fires at a tag."""
    template, _, value = predicate.partition("=")
    return (f"t-1={tag}", value) if template == NEXT_TAG else (predicate, tag)


def firing_predicates(
    model: LogLinear, corpus: Corpus, position: int, tagger: Capitalizer | None = None
) -> list[str]:
    """Return the predicates that fire at a position after the tags given before it.

    These are the tags that ``tagger`` gives, by default the model itself. In a chain the tag
    after it, ``t+1``, is among them.
    """
    if not isinstance(model, LogLinear):
        needed = "it has no weights of its own to explain a tag by"
        raise InputError(f"a model of kind {model.kind}: {needed}")
    alone, place = sentence_of(corpus, position, model.tag_names)
    return predicates_after(model, alone, place, (tagger or model).tag(alone))


def predicates_after(model: LogLinear, alone: Corpus, place: int, tags: np.ndarray) -> list[str]:
    """Return the predicates that fire at a place of a sentence with given tags, (T,)."""
    last_tags = tags[max(0, place - 2) : place][::-1]  # t-1 first
    names = tuple(model.tag_names[tag] for tag in last_tags)
    words = [alone.words[word] for word in alone.word_ids]
    described = model.describe(alone).columns
    columns = {key: [c.strings[i] for i in c.ids] for key, c in described.items()}
    predicates = predicates_of(model.templates, words, place, names, **columns)
    predicates += unknown_predicates(predicates, model.features.values)
    if isinstance(model, PredictionMEMM):
        predicates += predictions_at(alone, model.source.tag(alone), place)
    reads_last = any(template.name == "t-1" for template in model.templates)
    if isinstance(model, CRF) and reads_last and place + 1 < len(alone):
        predicates.append(f"{NEXT_TAG}={model.tag_names[tags[place + 1]]}")
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


def describe_predicate(predicate: str) -> str:
    """Return a predicate, ``template=value``, in words; plain text, the value as it is.

    Values that are words stand in brackets, in the order of the text, a mark of punctuation in
    quotes; beyond a sentence there is its start or its end.
    """
    if predicate.startswith(_UNPUNCTUATED):
        return f"{describe_predicate(predicate.removeprefix(_UNPUNCTUATED))}, without punctuation"
    template, value = predicate.split("=", 1)
    if value in _UNKNOWN:
        return _UNKNOWN[value]
    # One value a place; a comma between two is not one that is a word.
    values = re.findall(r"(,|[^,]+)(?:,|$)", value) if "," in template else [value]
    parts = template.split(",")
    places = [*parts, *parts[-1:] * len(values)]  # of a word with a comma there are more values
    told = [
        _beyond(place) if each == BOUNDARY else quote_mark(each)
        for place, each in zip(places, values, strict=False)
    ]
    said = ", ".join(reversed(told) if template == "t-1,2" else told)
    if template in _SILENT:
        return _READS[template]
    if template in _READS:
        return f"{_READS[template]} ({said})"
    if template == "casingrate":
        return f"how the background writes the word itself ({value})"
    if "casing" in template:
        parts = template.split(",")
        written = [_PLACES[int(p.removeprefix("casing") or 0)] for p in parts if "casing" in p]
        others = [_READS[p] for p in parts if "casing" not in p]
        return f"{_join([*others, f'how the background writes {_join(written)}'])} ({said})"
    if template.startswith("ngram"):
        return f"{said} in it"
    if template.startswith("pos"):
        places = [_PLACES[int(part.removeprefix("pos"))] for part in template.split(",")]
        return f"part of speech of {_join(places)} ({said})"
    side = "prefix" if "prefix" in template else "suffix"
    whose = template.split(side)[0]
    if whose not in _OF:
        return f"{template} ({said})"
    affix = f"{said}-" if side == "prefix" else f"-{said}"
    return f"{side} {affix}{_OF[whose]}"


def _beyond(part):
    """Return what a part of a template reads outside of a sentence: its start or its end."""
    is_after = part.startswith("next") or re.search(r"\+|casing[12]", part)
    return "end of sentence" if is_after else "start of sentence"


def quote_mark(value: str) -> str:
    """Return a value, in quotes if it has no letter and no digit: “(”.

    >>> quote_mark("("), quote_mark("u.s.")
    ('“(”', 'u.s.')
    """
    return value if any(map(str.isalnum, value)) else f"“{value}”"


def _join(places):
    *others, last = places
    return f"{', '.join(others)} and {last}" if others else last


def gap_cells(predicates: Sequence[str], between: tuple[str, str]) -> list[tuple[str, str, float]]:
    """Return predicate, tag and sign of the weights whose sum is the gap of two tags: from, to."""
    signed_tags = zip(between, (-1.0, 1.0), strict=True)
    return [(*_cell(p, tag), sign) for tag, sign in signed_tags for p in predicates]


def gap_rows(
    background: LogLinear,
    adapted: LogLinear,
    between: tuple[str, str],
    before: Sequence[str],
    predicates: Sequence[str],
) -> list[dict]:
    """Return what each predicate adds to the gap of two tags in two models with the same tags.

    ``before`` fire in the background and ``predicates`` in the adapted model: they are others
    where the models gave other tags to the neighbours. The largest change comes first. Each row
    has ``predicate``, the adapted model's; ``words`` (``describe_predicate``), with both values
    where the background's is another; ``background``, ``adapted`` and ``change`` in nats; whether
    each model's predicate has a feature of either tag, ``in_background`` and ``in_adapted``,
    without which it counts as 0; and ``new``, if in the adapted model alone. Predicates that
    neither model has are left out: they are 0 in both.
    """
    places = [adapted.tag_names.index(tag) for tag in between]
    of_template = {predicate.partition("=")[0]: predicate for predicate in before}
    olds = [p if p in before else of_template[p.partition("=")[0]] for p in predicates]
    pairs = (background, olds), (adapted, predicates)
    sides = [weigh(model, firing)[:, places] for model, firing in pairs]
    known = [(~np.isnan(side)).any(axis=1).tolist() for side in sides]
    gaps = [np.diff(np.nan_to_num(side), axis=1).ravel().tolist() for side in sides]
    rows = [
        {
            "predicate": predicate, "words": _describe_both(old, predicate), "background": was,
            "adapted": now, "change": now - was, "in_background": is_old,
            "in_adapted": is_there, "new": is_there and not is_old,
        }
        for predicate, old, was, now, is_old, is_there in zip(
            predicates, olds, *gaps, *known, strict=True
        )
        if is_old or is_there
    ]  # fmt: skip
    return sorted(rows, key=lambda row: -abs(row["change"]))


def _describe_both(old, new):
    """Return a predicate in words, with both values if they differ: "the tag before it (A → B)"."""
    said, now = describe_predicate(old), describe_predicate(new)
    return said if old == new else f"{said.removesuffix(')')} → {now.partition(' (')[2]}"


def tell_gap(before: dict, after: dict, gap: dict, written: str | None) -> str:
    """Return a decision in words: what each model writes, and what changed it most; plain text.

    ``before`` and ``after`` have ``tag``, ``form`` and ``p``; ``gap`` has ``from``, ``to``, its
    value in both models, and ``rows`` as in ``gap_rows``. What moved the gap the way that it went
    is named first, what only the adapted model knows as new; what moved it the other way where it
    is more than the least of that. ``written`` is the form in the text, which is told where the
    adapted model gives another; None of a text whose forms are not known.
    """
    is_alike = before["form"] == after["form"]  # if the tags differ, they are told as well
    first, second = (probability_in_words(each["p"]) for each in (before, after))
    old, new = (
        f"\u201c{each['form']}\u201d{' as ' + each['tag'] if is_alike else ''}"
        for each in (before, after)
    )
    if before["tag"] != after["tag"]:
        text = (
            f"The background wrote {old} ({first} sure), the adapted model writes {new} ({second})."
        )
    elif first == second:
        text = f"Both models write \u201c{after['form']}\u201d, each {first} sure."
    else:
        text = (f"Both models write \u201c{after['form']}\u201d: the background was {first} sure, "
                f"the adapted model is {second}.")  # fmt: skip
    if written not in (None, after["form"]):
        text += f" The text has \u201c{written}\u201d."
    way = 1 if before["tag"] != after["tag"] or gap["adapted"] >= gap["background"] else -1
    rows = sorted(gap["rows"], key=lambda row: -way * row["change"])
    moved = [row for row in rows if way * row["change"] > 0.005][:_MOST_NAMED]
    if not moved:
        return text
    named = [f"{row['words']}{' (new)' if row['new'] else ''}" for row in moved]
    told = f"{text} What changed most: {', '.join(named)}"
    is_against = -way * rows[-1]["change"] > way * moved[-1]["change"]
    return f"{told}; the other way: {rows[-1]['words']}." if is_against else f"{told}."
