"""Words that training gives no feature of their own: their weights are learned after it."""

import numpy as np
import oracles
import pytest

from workbench.adaptation.adaptation import Adaptation
from workbench.adaptation.unknown_words import learn_unknown_words
from workbench.evaluation.explanation import describe_predicate, explain, tag_probabilities
from workbench.features.firing import form_of
from workbench.features.predicates import UNKNOWN, UNKNOWN_FORMS
from workbench.features.templates import predicates_of
from workbench.models.adapter import save_adapter
from workbench.models.kinds import load_model
from workbench.models.memm import MEMM, tags_before
from workbench.settings import BACKGROUND
from workbench.text.casing import Tag, is_cased, tag_of
from workbench.text.corpus import Corpus
from workbench.text.readers import read_corpus

FORMS = [f"currentword={form}" for form in UNKNOWN_FORMS]
PREDICATE = FORMS[0]
INVENTED = "grolmik traspen vuldorik sembatle plonquist derbalo kirmost wendrake ulmiffle".split()


@pytest.fixture(scope="module")
def paper(background_corpus):
    """The paper's model, with words too rare for a feature of their own."""
    return MEMM.fit(background_corpus, cutoff=5)


@pytest.fixture(scope="module")
def learned(paper, background_corpus):
    return learn_unknown_words(paper, background_corpus)


def in_one_case(*sentences):
    return Corpus.from_sentences(sentences, gold=False)


def predicates_at(corpus, i, model, casing=None):
    """The predicates of a word's context after the gold tags, itself unseen if casing is given."""
    start, end = corpus.starts[corpus.sentence_ids[i]], corpus.starts[corpus.sentence_ids[i] + 1]
    words, columns = [corpus.words[w] for w in corpus.word_ids[start:end]], {}
    if casing is not None:
        columns["casing"] = [*casing[start:i], "unseen", *casing[i + 1 : end]]
    last = [int(tags_before(corpus, corpus.tags, d, -1)[i]) for d in (1, 2)]
    names = [corpus.tag_names[t] for t in last if t >= 0]
    return predicates_of(model.templates, words, i - start, names, **columns)


def slopes(corpus, model, groups, fires, added, sigma2):
    """The gradient of the objective by the weights added to groups of words; shape (G, 5)."""
    weights, found = oracles.weights_of(model), -added / sigma2
    for i, word in enumerate(corpus.word_ids):
        if (group := groups.get(corpus.words[word])) is not None:
            predicates = [p for p in predicates_at(corpus, i, model) if fires(p)]
            scores = [oracles.score(weights, predicates, y) for y in range(5)] + added[group]
            p = np.exp(scores - scores.max())
            found[group] += np.eye(5)[corpus.tags[i]] - p / p.sum()
    return found


def is_withheld(predicate):
    """Whether a predicate is a word's own: the word, or the affix of a mark."""
    template, value = predicate.split("=", 1)
    return template == "currentword" or ("fix" in template and tag_of(value) == Tag.PNC)


def test_weights_of_unknown_words_are_the_optimum_where_words_are_withheld(
    paper, learned, background_corpus
):
    forms = {
        w: 1 if tag_of(w) == Tag.PNC else 0 if is_cased(w) else 2 for w in background_corpus.words
    }
    added = learned.weights[-3:]
    found = slopes(
        background_corpus, paper, forms, lambda p: not is_withheld(p), added, BACKGROUND["sigma2"]
    )
    np.testing.assert_array_equal(added[:, 0], 0)
    np.testing.assert_allclose(found[:, 1:], 0, atol=1e-6)
    assert np.abs(added[0]).max() > 0.5
    assert added[1].argmax() == Tag.PNC


def test_with_a_lexicon_frequent_words_say_less_of_unknown_ones(background_corpus):
    """Counts of 1 / sqrt(n); what the lexicon says of a word itself is said of an unseen one."""
    model = MEMM.fit(background_corpus, templates="ca04 +casing,casing+1", cutoff=3)
    added = learn_unknown_words(model, background_corpus).weights[-3:]
    weights, values = oracles.weights_of(model), -added / BACKGROUND["sigma2"]
    described = model.describe(background_corpus).columns["casing"]
    casing = [described.strings[i] for i in described.ids]
    n = np.bincount(background_corpus.word_ids)
    for i, word_id in enumerate(background_corpus.word_ids):
        word = background_corpus.words[word_id]
        own = [p for p in predicates_at(background_corpus, i, model, casing) if not is_withheld(p)]
        form = UNKNOWN_FORMS.index(form_of(word))
        scores = [oracles.score(weights, own, y) for y in range(5)] + added[form]
        p = np.exp(scores - scores.max())
        values[form] += (np.eye(5)[background_corpus.tags[i]] - p / p.sum()) / np.sqrt(n[word_id])
    np.testing.assert_allclose(values[:, 1:], 0, atol=1e-6)


def test_weights_of_rare_words_are_the_optimum_of_their_occurrences(
    paper, learned, background_corpus
):
    names = learned.features.names()[len(paper.features.names()) : -3]
    rare = {name.split("=", 1)[1]: i for i, name in enumerate(names)}
    counts = np.bincount(background_corpus.word_ids)
    known = paper.features.values["currentword"]
    words = enumerate(background_corpus.words)
    often = [w for i, w in words if counts[i] >= 3 and is_cased(w) and w not in known]
    assert rare
    assert list(rare) == often
    added = learned.weights[-3 - len(rare) : -3]
    found = slopes(background_corpus, paper, rare, lambda p: True, added, 1.0)
    np.testing.assert_allclose(found[:, 1:], 0, atol=1e-6)


def test_known_words_keep_their_weights(paper, learned):
    n = len(paper.weights)
    assert learned.features.names()[:n] == paper.features.names()
    assert learned.features.names()[-3:] == FORMS
    np.testing.assert_array_equal(learned.weights[:n], paper.weights)
    known = list(paper.features.values["currentword"])
    text = in_one_case(known, known[::-1])
    np.testing.assert_array_equal(learned.probabilities(text), paper.probabilities(text))


def test_it_is_learned_once_and_only_where_there_are_words(learned, background_corpus):
    assert learn_unknown_words(learned, background_corpus) is learned
    bare = MEMM.fit(background_corpus, "ca04 -currentword", cutoff=2)
    assert learn_unknown_words(bare, background_corpus) is bare


def test_it_fires_for_words_without_a_feature_and_marks_are_punctuation(learned):
    text = in_one_case(["said", UNKNOWN, "grolmik", "@", "☂", "7,913", "東京", ",COMMA"])
    fired = learned.features.firing(learned.packed.pack(text, learned.templates))[:, -3:].toarray()
    unknown = {text.words[i]: list(row) for i, row in enumerate(fired[: len(text.words)])}
    assert unknown["said"] == [0, 0, 0]
    assert unknown["grolmik"] == unknown[UNKNOWN] == [1, 0, 0]
    assert unknown["@"] == unknown["☂"] == unknown[",COMMA"] == [0, 1, 0]
    assert unknown["7,913"] == unknown["東京"] == [0, 0, 1]
    text = in_one_case(["☂", "said", "☂", "☂"], ["the", "⚡", "⚡"])
    marks = [text.words[w] in "☂⚡" for w in text.word_ids]
    assert set(learned.tag(text)[marks]) == {Tag.PNC}


def test_small_sigma2_gives_the_background_and_a_larger_one_moves_it(learned, adaptation_corpus):
    problem = Adaptation(learned, adaptation_corpus).problem
    union = problem.model(problem.mean)
    np.testing.assert_array_equal(
        union.probabilities(adaptation_corpus), learned.probabilities(adaptation_corpus)
    )
    model = Adaptation(learned, adaptation_corpus).learn(sigma2=1e-9)
    np.testing.assert_array_equal(model.tag(adaptation_corpus), learned.tag(adaptation_corpus))
    model = Adaptation(learned, adaptation_corpus).learn(sigma2=1.0)
    place = model.features.values["currentword"][UNKNOWN]
    assert np.abs(model.weights[place] - learned.weights[place]).max() > 0.1


def test_files_and_adapters_keep_it(learned, adaptation_corpus, tmp_path):
    adapted = Adaptation(learned, adaptation_corpus).learn(sigma2=1.0)
    learned.save(tmp_path / "b.model")
    save_adapter(adapted, learned, tmp_path / "b.model", tmp_path / "a.adapter")
    text = in_one_case([*INVENTED, "said"])
    for model, name in ((learned, "b.model"), (adapted, "a.adapter")):
        loaded = load_model(tmp_path / name)
        np.testing.assert_array_equal(loaded.probabilities(text), model.probabilities(text))


def test_an_explanation_has_it(learned):
    text = in_one_case(["the", "grolmik", "said"])
    rows = explain(learned, text, 1)
    assert PREDICATE in set(rows["predicate"])
    tags = learned.tag(text)
    expected = learned.local_probabilities(text, tags)[1]
    np.testing.assert_allclose(tag_probabilities(rows).to_numpy(), expected, atol=1e-12)
    assert PREDICATE not in set(explain(learned, text, 2)["predicate"])
    said = list(map(describe_predicate, FORMS))
    assert said[0] == "a word that is not known"
    assert all("not known" in text for text in said)


def test_a_run_of_invented_words_is_not_shouted(background_corpus):
    paper = MEMM.fit(background_corpus, cutoff=2)
    learned = learn_unknown_words(paper, background_corpus)
    runs = in_one_case(*(INVENTED[i:] + INVENTED[:i] for i in range(len(INVENTED))))
    capitals = [np.count_nonzero(model.tag(runs) != Tag.LOC) for model in (paper, learned)]
    assert capitals[1] < capitals[0]
    assert np.count_nonzero(learned.tag(runs) == Tag.AUC) == 0


@pytest.mark.usefixtures("outside")
def test_train_learns_it_unless_told_not_to(run, place, tmp_path):
    for options, has_it in (((), True), (("--unknown-words", "none"), False)):
        assert (
            run("train", place / "news.txt", "-o", tmp_path / "m", "--cutoff", "2", *options)[0]
            == 0
        )
        trained, text = load_model(tmp_path / "m"), read_corpus(place / "news.txt")
        made = MEMM.fit(text, cutoff=2)
        made = learn_unknown_words(made, text) if has_it else made
        assert (PREDICATE in trained.features.names()) is has_it
        assert trained.content_hash() == made.content_hash()
