"""Compounds that a model has not seen: their parts are read in their place."""

import numpy as np

from workbench.recasing.compounds import find_compounds
from workbench.text.casing import Tag, recase_word
from workbench.text.corpus import Corpus

P = {"day": 0.98, "lewis": 0.99, "mary": 0.96, "alpes": 0.93, "elect": 0.2, "sun": 0.9}
KNOWN = {"day", "mary", "sun", "long-term", "mc", "said", "western"}


class Parts:
    """Gives each word a capital with a probability of its own; records what it is asked."""

    known_words = KNOWN

    def probabilities(self, corpus):
        self.asked = [" ".join(corpus.sentence(i)) for i in range(corpus.n_sentences)]
        p = np.zeros((len(corpus), len(Tag)))
        p[:, Tag.CAP] = [P.get(corpus.words[i], 0.0) for i in corpus.word_ids]
        p[:, Tag.LOC] = 1 - p[:, Tag.CAP]
        return p

    def form(self, word, tag):
        return recase_word(word, tag)


def written(sentence, tag, model=None):
    corpus = Corpus.from_sentences([sentence.split()])
    tags = np.full(len(corpus), tag, np.int8)
    return list(find_compounds(model or Parts(), corpus, tags).values())


def test_parts_have_their_capitals():
    rows = [
        ("anna day-lewis said", Tag.LOC, ["Day-Lewis"]),
        ("a mary-alpes", Tag.LOC, ["mary-Alpes"]),  # of a known word the model is to be surer
        ("a mary-alpes", Tag.CAP, ["Mary-Alpes"]),
        ("president-elect", Tag.CAP, ["president-Elect"]),
        ("a sun-washed man", Tag.LOC, ["sun-washed"]),
        ("a long-term plan", Tag.LOC, []),  # known
        ("non-day", Tag.LOC, ["non-Day"]),
        ("non-day", Tag.CAP, ["Non-Day"]),  # a prefix is as in the compound
        ("the south-western day", Tag.CAP, ["south-western"]),
        ("south-western winds", Tag.CAP, ["South-western"]),
        ("w-what h-he", Tag.AUC, []),  # stutters
        ("we gonna go", Tag.CAP, ["gonna"]),
        ("gonna go", Tag.CAP, ["Gonna"]),
        ("we said", Tag.CAP, []),
        ("il-8 --x a-", Tag.AUC, ["IL-8"]),
    ]
    for sentence, tag, forms in rows:
        assert written(sentence, tag) == forms


def test_parts_are_read_between_their_neighbours_by_a_model_with_probabilities():
    model = Parts()
    written("one two three four day-lewis six", Tag.LOC, model)
    assert model.asked == ["two three four day lewis six"]
    assert written("day-lewis", Tag.CAP, object()) == []
