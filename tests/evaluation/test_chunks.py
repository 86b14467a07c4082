"""Scores of chunks against seqeval, and of words that a model does not know."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from seqeval.metrics import classification_report

from workbench.evaluation.error_rates import score_chunks, score_labels
from workbench.text.corpus import Corpus

NAMES = ("O", "B-NP", "I-NP", "B-VP", "I-VP")
SENTENCES = st.lists(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=8),
    min_size=1, max_size=6,
)  # fmt: skip


def corpus_of(sentences):
    """A corpus with the first labels of pairs, and the second labels."""
    gold, given_tags = np.array([p for s in sentences for p in s], np.int8).T
    starts = np.concatenate([[0], np.cumsum([len(s) for s in sentences])])
    ids = np.arange(len(gold), dtype=np.int32)
    forms = [f"w{i}" for i in ids]
    corpus = Corpus("x", ["*bdw*", *forms], ids + 1, gold, starts, forms, ids, NAMES)
    return corpus, given_tags


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@settings(deadline=None)
@given(SENTENCES)
def test_scores_are_those_of_seqeval(sentences):
    corpus, tags = corpus_of(sentences)
    whole, per_chunk = score_chunks(corpus, tags)

    def named(values):
        return [[NAMES[t] for t in values[a:b]] for a, b in pairwise(corpus.starts)]

    labels = [named(corpus.tags), named(tags)]
    if not any(name != "O" for one in labels for words in one for name in words):
        assert np.isnan([whole.precision, whole.recall, whole.f1]).all()
        return
    known = classification_report(*labels, output_dict=True, zero_division=0)
    assert whole.support == known["micro avg"]["support"]
    for mine, theirs in [(whole, known["micro avg"])] + [
        (per_chunk[kind], known[kind]) for kind in per_chunk if kind in known
    ]:
        assert np.nan_to_num(mine.precision) == pytest.approx(theirs["precision"])
        assert np.nan_to_num(mine.recall) == pytest.approx(theirs["recall"])
        assert np.nan_to_num(mine.f1) == pytest.approx(theirs["f1-score"])


def test_a_chunk_is_right_as_a_whole():
    corpus, tags = corpus_of([[(1, 1), (2, 2), (0, 0)], [(1, 1), (2, 1)]])
    whole, per_chunk = score_chunks(corpus, tags)
    assert (whole.precision, whole.recall, whole.support) == (1 / 3, 1 / 2, 2)
    assert np.isnan(per_chunk["VP"].f1)


def test_unknown_words_are_counted_apart():
    corpus, tags = corpus_of([[(1, 1), (2, 1)], [(0, 1)]])
    scores = score_labels(corpus, tags, {"w0", "w1"})
    assert (scores.words, scores.wrong, scores.unknown) == (3, 2, 1)
    assert (scores.error_rate, scores.error_rate_unknown) == (2 / 3, 1.0)
    assert np.isnan(score_labels(corpus, tags, set(corpus.words)).error_rate_unknown)


def test_labels_that_are_chunks_have_chunk_scores_even_without_a_chunk():
    corpus, tags = corpus_of([[(1, 1), (2, 1)]])
    assert score_labels(corpus, tags, ()).chunks.support == 1
    words = replace(corpus, tag_names=("NN", "VB", "B-", "DT", "IN"))
    assert score_labels(words, tags, ()).chunks is None
    corpus, _ = corpus_of([[(0, 0), (0, 1)]])
    scores = score_labels(replace(corpus, tag_names=("O",)), corpus.tags, ())
    assert scores.chunks.support == 0
    assert scores.per_chunk == {}
