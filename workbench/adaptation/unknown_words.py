"""Weights of words that training gave no feature of their own: learned after training.

The paper's model scores such a word by its other predicates alone. These learned beside the
words' own features, and by themselves say too much: in a run of unknown words each speaks for
the next, and all are capitals. All weights of training stay as they are; added are, as predicates
that are saved, explained and adapted as all others,

- ``currentword=w`` for a word w that is seen several times, but less often than the cut-off asks:
  its weights maximise the likelihood of its occurrences under a Gaussian prior around 0;
- one of ``UNKNOWN_FORMS`` for all words that have no feature even so, by what a word is made of:
  the own features of all words are withheld, word by word, and its weights maximise the
  likelihood of the training data without them.

The paper has neither.
"""

from dataclasses import replace

import numpy as np

from workbench.features.firing import form_of
from workbench.features.predicates import UNKNOWN, UNKNOWN_FORMS, Block
from workbench.features.selection import Features
from workbench.learning.solvers.group_offsets import learn_offsets
from workbench.models.memm import MEMM
from workbench.settings import BACKGROUND
from workbench.text.casing import Tag, is_cased, tag_of
from workbench.text.corpus import Corpus
from workbench.text.sources.scratch import count_ids, slices_within
from workbench.text.tasks import TaskName

_ENOUGH = 500_000  # words to learn a few weights from
_SEEN = 3  # times: a word's own weights need as many occurrences
_SIGMA2 = 1.0  # variance of their prior
_SCORES_BYTES = 400  # of memory that scores of all tags take for each word


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
    n = count_ids(corpus.word_ids, len(corpus.words))
    return np.array(
        [i for i in np.flatnonzero(n >= _SEEN)
         if corpus.words[i] not in known and is_cased(corpus.words[i])], int
    )  # fmt: skip


def _learn_rare(model, corpus, rare):
    """Return the weights of rare words, shape (G, K): their ids are ``rare``, shape (G,)."""
    groups = np.full(len(corpus.words), -1)
    groups[rare] = np.arange(len(rare))
    found = [_find_scores(model, some, groups) for some in _stretches(corpus)]
    scores, tags, own = map(np.concatenate, zip(*found, strict=True))
    return learn_offsets(scores, tags, own, len(rare), _SIGMA2)


def _stretches(corpus):
    """Yield the corpus in stretches that memory has place for, most often in one."""
    n_words = slices_within(corpus.memory, len(corpus), _SCORES_BYTES)[0].stop
    return corpus.stretches(n_words)


def _find_scores(model, corpus, groups):
    """Return scores, tags and groups of the words that are in a group; -1 stands for none."""
    is_own = groups[corpus.word_ids] >= 0
    ends = np.concatenate([[0], np.cumsum(is_own)])[corpus.starts]
    some = corpus.take(np.flatnonzero(np.diff(ends)))
    scores = model.local_scores(model.pack(some), model.weights, some.tags)
    own = groups[some.word_ids]
    chosen = own >= 0
    return scores[chosen], some.tags[chosen], own[chosen]


def _learn_unknown(model, corpus):
    """Return the weights of ``UNKNOWN_FORMS``, shape (3, K)."""
    step = -(-len(corpus) // _ENOUGH)
    some = corpus.take(np.arange(0, corpus.n_sentences, step)).compact()
    scores = model.local_scores(model.pack(some), _withhold(model), some.tags)
    forms = [UNKNOWN_FORMS.index(form_of(word)) for word in some.words]
    groups = np.array(forms)[some.word_ids]
    return learn_offsets(scores, some.tags, groups, len(UNKNOWN_FORMS), BACKGROUND["sigma2"])


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


def _extend(model, blocks, table):
    """Return the model with more predicates and their weights, shape (n, K)."""
    exists = np.pad(model.features.exists, ((0, len(table)), (0, 0)), constant_values=True)
    features = Features((*model.features.blocks, *blocks), exists)
    info = model.info | {"features": len(features)}
    return replace(model, features=features, weights=np.vstack([model.weights, table]), info=info)
