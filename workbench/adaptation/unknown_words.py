"""Weights for words without a feature, learnt after training; and for few words, feature bags.

The paper's model scores a word that it has no feature of by its other predicates alone. These
learned beside the words' own features, and by themselves say too much: in a run of unknown words
each speaks for the next, and all are capitals. All weights of training stay as they are; added
are, as predicates that are saved, explained and adapted as all others,

- ``currentword=w`` for a word w that is seen several times, but less often than the cut-off asks:
  its weights maximise the likelihood of its occurrences under a Gaussian prior around 0;
- one of ``UNKNOWN_FORMS`` for all words that have no feature even so, by what a word is made of:
  the own features of all words are withheld, word by word, and its weights maximise the
  likelihood of the training data without them. If the model has a lexicon, which already knows
  what rare words are like, an occurrence of a word counts one over the root of how many it has.

Weights that are learnt together also share what they explain. Where a word's neighbours already
tell its tag, the word's own weights stay small, and in text where the neighbours are others too
little is left (weight undertraining). So models of fewer templates, *bags*, are trained by
themselves, and weights are averaged: in each context the scores are the mean of the models'
scores, a product of experts. It is one log-linear model, tagged, saved, explained and adapted as
any other. The paper has none of all this.

Source: Sutton, Sindelar & McCallum (2006), *Reducing Weight Undertraining in Structured
Discriminative Learning*. There each model is normalized before they are multiplied, here only
their product is, so that one table of weights is left.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from workbench.features.firing import form_of
from workbench.features.lexicon import UNSEEN
from workbench.features.predicates import UNKNOWN, UNKNOWN_FORMS, Block
from workbench.features.selection import Features
from workbench.features.templates import CASING, CASING_RATE, Template, find_templates
from workbench.learning.combined import learn_offsets
from workbench.models.memm import MEMM
from workbench.settings import BACKGROUND
from workbench.text.casing import Tag, is_cased, tag_of
from workbench.text.corpus import BOUNDARY, Column, Corpus
from workbench.text.scratch import count_ids, slices_within
from workbench.text.tasks import TaskName

_ENOUGH = 500_000  # words to learn a few weights from
_SEEN = 3  # times: a word's own weights need as many occurrences
_SIGMA2 = 1.0  # variance of their prior
_MOST_WORDS = 1 << 22  # scored at once
_SCORES_BYTES = 400  # of memory that scores of all tags take for each word
_OWN_CASING = {(CASING, 0), (CASING_RATE, 0)}
_OWN_SHARE = 0.4  # of an average with bags: the model of all templates; its bags share the rest


class ScoredWords(NamedTuple):
    """Occurrences of words of some groups, and how a model without their weights scores them."""

    scores: np.ndarray  # shape (N, K), the first tag's 0
    tags: np.ndarray  # int8, shape (N,)
    groups: np.ndarray  # int64, shape (N,)
    counts: np.ndarray  # how often each is counted, shape (N,)


def learn_unknown_words(model: MEMM, corpus: Corpus) -> MEMM:
    """Return a model with weights of rare words and of unknown ones.

    ``corpus`` is the one that it was trained on. The model itself is returned where its
    templates or its task have no use for such weights, or it has them already.
    """
    counts = count_ids(corpus.word_ids, len(corpus.words))
    size = slices_within(corpus.memory, len(corpus), _SCORES_BYTES, _MOST_WORDS)[0].stop

    def over_stretches(score, given):
        first, found = 0, []
        for stretch in corpus.stretches(size):
            found.append(score(model, stretch, first, given))
            first += stretch.n_sentences
        return found

    return learn_from_shares(model, corpus.words, counts, over_stretches)


def learn_from_shares(
    model: MEMM, words: Sequence[str], counts: np.ndarray, over_shares: Callable
) -> MEMM:
    """Return what ``learn_unknown_words`` does, of a text that is not in one place.

    Parameters
    ----------
    words : sequence of str
        Its vocabulary.
    counts : ndarray of int, shape (words,)
        How often each occurs.
    over_shares : callable
        ``over_shares(score, given)`` returns ``score(model, corpus, first, given)`` of each
        share of the text, in order: a corpus, and the number of its first sentence in the text.
    """
    known = model.features.values.get("currentword")
    if not known or UNKNOWN in known or model.task is not TaskName.CASE:
        return model
    often = np.flatnonzero(counts >= _SEEN).tolist()
    rare = [i for i in often if words[i] not in known and is_cased(words[i])]
    step = -(-int(counts.sum()) // _ENOUGH)
    learnt = [(list(UNKNOWN_FORMS), over_shares(score_withheld, step), BACKGROUND["sigma2"])]
    if rare:
        occurrences = over_shares(score_rare, np.array(rare))
        learnt.insert(0, ([words[i] for i in rare], occurrences, _SIGMA2))
    blocks = [Block.pack("currentword", names) for names, *_ in learnt]
    table = np.vstack([_learn(shares, len(names), s2) for names, shares, s2 in learnt])
    exists = np.pad(model.features.exists, ((0, len(table)), (0, 0)), constant_values=True)
    features = Features((*model.features.blocks, *blocks), exists)
    info = model.info | {"features": len(features)}
    return replace(model, features=features, weights=np.vstack([model.weights, table]), info=info)


def _learn(shares, n_groups, sigma2):
    """Return the weights of groups, shape (n_groups, K), from their words in all shares."""
    scores, tags, groups, counts = map(np.concatenate, zip(*shares, strict=True))
    return learn_offsets(scores, tags, groups, n_groups, sigma2, counts)


def score_rare(model: MEMM, corpus: Corpus, first: int, rare: np.ndarray) -> ScoredWords:
    """Return the occurrences of rare words, given by id; each is a group, in their order."""
    groups = np.full(len(corpus.words), -1)
    groups[rare] = np.arange(len(rare))
    some = corpus.take(np.unique(corpus.sentence_ids[groups[corpus.word_ids] >= 0]))
    scores = model.local_scores(model.pack(some.compact()), model.weights, some.tags)
    own = groups[some.word_ids]
    counts = np.ones(len(own))
    return ScoredWords(*(values[own >= 0] for values in (scores, some.tags, own, counts)))


def score_withheld(model: MEMM, corpus: Corpus, first: int, step: int) -> ScoredWords:
    """Return scores of the words of every ``step``-th sentence, without the word's own features.

    ``first`` is the number of the corpus's first sentence. Groups are ``UNKNOWN_FORMS``.
    """
    some = corpus.take(np.arange(-first % step, corpus.n_sentences, step)).compact()
    scores = model.local_scores(_pack_unseen(model, some), _withhold(model), some.tags)
    forms = [UNKNOWN_FORMS.index(form_of(word)) for word in some.words]
    counts = np.ones(len(some))
    if model.lexicon is not None:
        counts /= np.sqrt(np.bincount(some.word_ids)[some.word_ids])
    return ScoredWords(scores, some.tags, np.array(forms)[some.word_ids], counts)


def _withhold(model):
    """Return the model's weights without those of words and, of marks, of their affixes."""
    weights = model.weights.copy()
    for template in model.templates:
        values = model.features.values.get(template.name, {})
        if template.name == "currentword":
            weights[list(values.values())] = 0.0
        elif "fix" in template.name:  # a mark is its own prefix and suffix: unseen, it has none
            weights[[i for value, i in values.items() if tag_of(value) == Tag.PNC]] = 0.0
    return weights


def _pack_unseen(model, corpus):
    """Return a text packed so that the lexicon says of each word that it has never been seen.

    What it says of the word's neighbours stays.
    """
    corpus = model.describe(corpus)
    unseen = Column([BOUNDARY, UNSEEN], np.ones(len(corpus), np.int32))
    templates = [
        replace(t, offsets=tuple((UNSEEN, 0) if o in _OWN_CASING else o for o in t.offsets))
        for t in model.templates
    ]
    corpus = replace(corpus, columns=corpus.columns | {UNSEEN: unseen})
    return model.packed.of(corpus, templates, model.features, model.tag_names)


def average_bags(model: MEMM, fit: Callable[[Sequence[str]], MEMM]) -> MEMM:
    """Return a model averaged with those of its ``bags_of`` templates.

    ``fit`` trains a model of templates, given by name, on the same text and in the same way. The
    model itself is returned if it has no bags.
    """
    if model.task is not TaskName.CASE or not (bags := bags_of(model.templates)):
        return model
    number = {name: i for i, name in enumerate(model.features.names())}
    weights = _OWN_SHARE * model.weights
    for templates in bags:
        bag = fit([template.name for template in templates])
        rows = [number[name] for name in bag.features.names()]
        weights[rows] += (1 - _OWN_SHARE) / len(bags) * bag.weights
    return replace(model, weights=weights)


def bags_of(templates: Sequence[Template]) -> list[tuple[Template, ...]]:
    """Return the templates of each bag; none unless the templates are the paper's and more.

    The bags are the paper's templates, those of them that read no neighbour, and those of these
    that read no tag: the word alone.
    """
    paper = find_templates("ca04")
    more = [t for t in templates if t not in paper and not t.unpunctuated]
    if not more or not set(paper) <= set(templates):
        return []
    alone = tuple(t for t in paper if not any(t.offsets))
    return [paper, alone, tuple(t for t in alone if not t.n_tags)]
