"""Sentences that may go on behind an exclamation in quotes: the likelier reading."""

import numpy as np
import pytest

from workbench.recasing.policies import settle_breaks
from workbench.text.corpus import Corpus
from workbench.text.layout import Layout, locate


class Sure:
    """Is surer of the tags of sentences that begin with a given word, or with none."""

    def __init__(self, first):
        self.first = first

    def probabilities(self, corpus):
        p = np.full((len(corpus), 5), 0.1)
        for a, b in zip(corpus.starts, corpus.starts[1:], strict=False):
            begins = corpus.words[corpus.word_ids[a]] == self.first
            p[a:b, 0] = 0.95 if begins else 0.9
        return p


def sentences_of(text, model):
    located = locate(text, Layout.RUNNING)
    words, ends = located.words, np.cumsum(located.lengths)
    sentences = [words[b - n : b] for b, n in zip(ends, located.lengths, strict=True)]
    corpus = Corpus.from_sentences(sentences)
    settled = settle_breaks(model, corpus, located.doubtful)
    return [" ".join(settled.sentence(i)) for i in range(settled.n_sentences)]


@pytest.mark.parametrize(
    ("text", "first", "sentences"),
    [
        ('"Stop!" he ran. So.', "he", ["``", "Stop ! ''", "he ran .", "So ."]),
        ('"Stop!" he ran. So.', "stop", ["``", "Stop ! '' he ran .", "So ."]),
        ("“Why?” she asked.", "why", ["``", "Why ? '' she asked ."]),
        ('"Why." she asked.', "why", ["``", "Why . ''", "she asked ."]),
        ("In the U.S. he was.", "he", ["In the U.S. he was ."]),
    ],
)
def test_the_surer_reading_is_taken(text, first, sentences):
    assert sentences_of(text, Sure(first)) == sentences


def test_a_model_without_probabilities_leaves_the_breaks():
    assert sentences_of('"Stop!" he ran.', object()) == ["``", "Stop ! ''", "he ran ."]
