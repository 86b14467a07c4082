"""Weights of words that training gave no feature of their own: learned after training.

The paper's model scores such a word by its other predicates alone. These learned beside the
words' own features, and by themselves say too much: in a run of unknown words each speaks for
the next, and all are capitals. All weights of training stay as they are; added are, as predicates
that are saved, explained and adapted as all others,

- ``currentword=w`` for a word w that is seen several times, but less often than the cut-off asks:
  its weights maximise the likelihood of its occurrences under a Gaussian prior around 0;
- one of ``UNKNOWN_FORMS`` for all words that have no feature even so, by what a word is made of:
  the own features of all words are withheld, word by word, and its weights maximise the
  likelihood of the training data without them. If the model has a lexicon, which already knows
  what rare words are like, an occurrence of a word counts one over the root of how many it has.

The paper has neither.
"""

from dataclasses import replace

import numpy as np

from workbench.features.firing import form_of
from workbench.features.lexicon import UNSEEN
from workbench.features.predicates import UNKNOWN, UNKNOWN_FORMS, Block
from workbench.features.selection import Features
from workbench.features.templates import CASING, CASING_RATE
from workbench.learning.solvers.group_offsets import learn_offsets
from workbench.models.memm import MEMM
from workbench.settings import BACKGROUND
from workbench.text.casing import Tag, is_cased, tag_of
from workbench.text.corpus import BOUNDARY, Column, Corpus
from workbench.text.tasks import TaskName

_ENOUGH = 500_000  # words to learn a few weights from
_SEEN = 3  # times: a word's own weights need as many occurrences
_SIGMA2 = 1.0  # variance of their prior
_OWN_CASING = {(CASING, 0), (CASING_RATE, 0)}


def learn_unknown_words(model: MEMM, corpus: Corpus) -> MEMM:
    """Return a model with weights of rare words and of unknown ones.

    ``corpus`` is the one that it was trained on. The model itself is returned where its
    templates or its task have no use for such weights, or it has them already.
    """
    known = model.features.values.get("currentword")
    if not known or UNKNOWN in known or model.task is not TaskName.CASE:
        return model
    rare = _rare_words(model, corpus)
    blocks = [Block.pack("currentword", [corpus.words[i] for i in rare])] if len(rare) else []
    tables = [_learn_rare(model, corpus, rare)] if len(rare) else []
    blocks.append(Block.pack("currentword", list(UNKNOWN_FORMS)))
    tables.append(_learn_unknown(model, corpus))
    return _extend(model, blocks, np.vstack(tables))


def _rare_words(model, corpus):
    """Return the ids of cased words that are seen often enough but have no feature."""
    known = model.features.values["currentword"]
    n = np.bincount(corpus.word_ids, minlength=len(corpus.words))
    return np.array(
        [i for i in np.flatnonzero(n >= _SEEN)
         if corpus.words[i] not in known and is_cased(corpus.words[i])], int
    )  # fmt: skip


def _learn_rare(model, corpus, rare):
    """Return the weights of rare words, shape (G, K): their ids are ``rare``, shape (G,)."""
    groups = np.full(len(corpus.words), -1)
    groups[rare] = np.arange(len(rare))
    sentences = np.unique(corpus.sentence_ids[groups[corpus.word_ids] >= 0])
    some = corpus.take(sentences)
    scores = model.local_scores(model.pack(some), model.weights, some.tags)
    own = groups[some.word_ids]
    chosen = own >= 0
    return learn_offsets(scores[chosen], some.tags[chosen], own[chosen], len(rare), _SIGMA2)


def _learn_unknown(model, corpus):
    """Return the weights of ``UNKNOWN_FORMS``, shape (3, K)."""
    step = -(-len(corpus) // _ENOUGH)
    some = corpus.take(np.arange(0, corpus.n_sentences, step)).compact()
    scores = model.local_scores(_pack_unseen(model, some), _withhold(model), some.tags)
    forms = [UNKNOWN_FORMS.index(form_of(word)) for word in some.words]
    groups, counts = np.array(forms)[some.word_ids], None
    if model.lexicon is not None:
        counts = 1 / np.sqrt(np.bincount(some.word_ids)[some.word_ids])
    options = len(UNKNOWN_FORMS), BACKGROUND["sigma2"], counts
    return learn_offsets(scores, some.tags, groups, *options)


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


def _extend(model, blocks, table):
    """Return the model with more predicates and their weights, shape (n, K)."""
    exists = np.pad(model.features.exists, ((0, len(table)), (0, 0)), constant_values=True)
    features = Features((*model.features.blocks, *blocks), exists)
    info = model.info | {"features": len(features)}
    return replace(model, features=features, weights=np.vstack([model.weights, table]), info=info)
