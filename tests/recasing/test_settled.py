"""What is settled of each word before a model is asked: where its case is from, its tags."""

import numpy as np
import pytest

from workbench.recasing.allowed import Source, settle
from workbench.recasing.glossary import Glossary, find_matches
from workbench.recasing.policies import Policy, SentenceStart
from workbench.recasing.recaser import Recaser
from workbench.recasing.spans import Span, find_covered, find_spans
from workbench.text.casing import TAGS, Tag, wipe_case
from workbench.text.corpus import Corpus, CorpusBuilder
from workbench.text.layout import Layout, locate
from workbench.text.tasks import TaskName

ALL = set(TAGS)


def settled(text, policy="lower", start="model", glossary=()):
    """Return what is settled of a text, and by word the tags that it may have."""
    located, builder = locate(text, Layout.TOKENIZED), CorpusBuilder()
    builder.add(located.words, located.lengths)
    corpus = builder.build("text", gold=policy != "lower")
    rules = Policy(policy), SentenceStart(start), False
    found = settle(corpus, text, located.places, find_spans(text), Glossary(glossary), *rules)
    allowed = np.ones((len(corpus), 5), bool) if found.allowed is None else found.allowed
    tags = [{TAGS[tag] for tag in np.flatnonzero(row)} for row in allowed]
    sources = [Source(source).name for source in found.sources.tolist()]
    return found, dict(zip(located.words, zip(sources, tags, strict=True), strict=True))


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        ("Nasa met NATO in York", {"policy": "trust"},
         {"Nasa": ("MODEL", ALL - {"LOC"}), "met": ("MODEL", ALL),
          "NATO": ("KEPT", {"AUC"}), "York": ("KEPT", {"CAP"})}),
        ("Nasa met NumPy", {"policy": "title"},
         {"Nasa": ("MODEL", ALL), "NumPy": ("KEPT", {"MXC"})}),
        ("McDONALD met him", {"policy": "caps"},
         {"McDONALD": ("MODEL", {"MXC"}), "met": ("KEPT", {"LOC"})}),
        (", we met 3 we", {"start": "capital"}, {",": ("MODEL", ALL), "met": ("MODEL", ALL)}),
        ("so we met", {"start": "capital"},
         {"so": ("MODEL", ALL - {"LOC"}), "we": ("MODEL", ALL)}),
        ("3 we met", {"start": "capital"}, {"3": ("MODEL", ALL), "we": ("MODEL", ALL)}),
        ("the new york times met x.com/a", {"glossary": ["New York Times"]},
         {"the": ("MODEL", ALL), "new": ("GLOSSARY", {"CAP"}), "times": ("GLOSSARY", {"CAP"}),
          "met": ("MODEL", ALL), "x.com/a": ("SPAN", ALL)}),
        ("a ZORBLAX-Based iPhone", {"policy": "trust", "glossary": ["ZorBlax", "IPHONE"]},
         {"ZORBLAX-Based": ("GLOSSARY", {"MXC"}), "iPhone": ("GLOSSARY", {"AUC"})}),
    ],
)  # fmt: skip
def test_words_have_their_case_from_where_it_is_settled(text, options, words):
    found = settled(text, **options)[1]
    assert {word: found[word] for word in words} == words


def test_of_a_text_without_evidence_nothing_is_settled():
    assert settled("We met NATO")[0].allowed is None
    for options in ({"policy": "trust"}, {"start": "capital"}, {"glossary": ["nato"]}):
        found = settled("We met NATO", **options)[0]
        assert found.allowed is not None
        assert found.allowed.shape == (3, 5)


def test_matches_and_compounds_with_a_part_are_counted():
    found = settled("zorblax , zorblax-based , new york", glossary=["ZorBlax", "New York"])[0]
    assert (len(found.matches), found.n_matches) == (2, 3)


def test_a_word_as_sure_as_the_threshold_is_sure_enough():
    class Even:
        task, kind, known_words = TaskName.CASE, "even", ("we", "met")

        def pack(self, corpus):
            return corpus

        def tag(self, corpus, allowed=None):
            return np.full(len(corpus), Tag.CAP, np.int8)

        def probabilities(self, corpus, allowed=None):
            return np.full((len(corpus), 5), 0.5)

        def form(self, word, tag):
            return word.title()

    for threshold, out in ((0.5, "We Met"), (0.51, "we met")):
        assert Recaser(Even(), threshold=threshold).recase("we met") == out


def test_what_touches_no_span_is_not_covered_and_may_be_a_term():
    spans, places = [Span(4, 6, "handle")], np.array([[0, 4], [4, 6], [6, 8]])
    assert find_covered(places, spans).tolist() == [False, True, False]
    corpus = Corpus.from_sentences([["nato", "@x", "so"]])
    matches, left = find_matches(Glossary(["NATO"]), corpus, "nato@xso", places, spans, False)
    assert [match.words for match in matches] == [("NATO",)]
    assert left == spans


def test_the_model_knows_what_is_settled(random_model):
    """What a policy keeps, or a glossary has, enters decoding: words beside it may change."""
    told = {}

    class Told:
        task, kind = random_model.task, "told"

        def tag(self, corpus, allowed=None):
            told.update(allowed=allowed)
            return np.zeros(len(corpus), np.int8)

        def form(self, word, tag):
            return word

    for options in ({"policy": "trust"}, {"glossary": ["NATO"]}):
        out = Recaser(Told(), layout="tokenized", **options).recase("we met NATO")
        assert wipe_case(out) == "we met nato"
        assert out.endswith("NATO")
        assert np.flatnonzero(told["allowed"][2]).tolist() == [Tag.AUC]
    Recaser(Told(), layout="tokenized").recase("we met NATO")
    assert told["allowed"] is None
