"""Words without a feature of their own: what speaks for them is learned on withheld words."""

import numpy as np
import oracles
import pytest

from workbench.adaptation.methods.map import MapAdaptation
from workbench.evaluation.explain import explain, tag_probabilities
from workbench.evaluation.predicate_words import describe_predicate
from workbench.features.predicates import UNKNOWN
from workbench.features.templates import predicates_of
from workbench.models.adapter import save_adapter
from workbench.models.crf import CRF
from workbench.models.kinds import load_model
from workbench.models.memm import MEMM, tags_before
from workbench.settings import BACKGROUND
from workbench.text.casing import Tag, is_cased
from workbench.text.corpus import Corpus

PREDICATE = f"currentword={UNKNOWN}"
INVENTED = "grolmik traspen vuldorik sembatle plonquist derbalo kirmost wendrake ulmiffle".split()


@pytest.fixture(scope="module")
def paper(background_corpus):
    """The paper's model, with words too rare for a feature of their own."""
    return MEMM.fit(background_corpus, cutoff=2)


@pytest.fixture(scope="module")
def learned(paper, background_corpus):
    return paper.learn_unknown_words(background_corpus)


def in_one_case(*sentences):
    return Corpus.from_sentences(sentences, gold=False)


def without_own_word(corpus, i, model):
    """The predicates of a word's context but the word itself, after the gold tags."""
    start = corpus.starts[corpus.sentence_ids[i]]
    words = [
        corpus.words[w] for w in corpus.word_ids[start : corpus.starts[corpus.sentence_ids[i] + 1]]
    ]
    last = [int(tags_before(corpus, corpus.tags, d, -1)[i]) for d in (1, 2)]
    names = [corpus.tag_names[t] for t in last if t >= 0]
    found = predicates_of(model.templates, words, i - start, names)
    return [p for p in found if not p.startswith("currentword=")]


def test_weights_are_the_optimum_for_withheld_words(paper, learned, background_corpus):
    corpus, weights = background_corpus, oracles.weights_of(paper)
    added = learned.weights[-1]
    slope = -added / BACKGROUND["sigma2"]
    for i in range(len(corpus)):
        if is_cased(corpus.words[corpus.word_ids[i]]):
            predicates = without_own_word(corpus, i, paper)
            scores = np.array([oracles.score(weights, predicates, y) for y in range(5)]) + added
            p = np.exp(scores - scores.max())
            slope += np.eye(5)[corpus.tags[i]] - p / p.sum()
    assert added[0] == 0
    np.testing.assert_allclose(slope[1:], 0, atol=0.05)
    assert np.abs(added).max() > 0.5


def test_known_words_keep_their_weights(paper, learned):
    assert learned.features.names() == [*paper.features.names(), PREDICATE]
    np.testing.assert_array_equal(learned.weights[:-1], paper.weights)
    known = [w for w in paper.features.values["currentword"] if is_cased(w)]
    text = in_one_case(known, known[::-1])
    np.testing.assert_array_equal(learned.probabilities(text), paper.probabilities(text))


def test_it_fires_for_cased_words_without_a_feature(learned, background_corpus):
    rare = next(
        w for w in background_corpus.words[1:] if w not in learned.features.values["currentword"]
    )
    text = in_one_case([rare, "said", "1,987", ",", UNKNOWN, "grolmik"])
    fired = learned.features.firing(learned.packed.pack(text, learned.templates))[:, -1].toarray()
    unknown = {text.words[i] for i in np.flatnonzero(fired.ravel()[: len(text.words)])}
    assert {rare, "grolmik", UNKNOWN} <= unknown
    assert not {"said", "1,987", ","} & unknown


def test_a_run_of_invented_words_is_not_shouted(paper, learned):
    runs = in_one_case(*(INVENTED[i:] + INVENTED[:i] for i in range(len(INVENTED))))
    capitals = [np.count_nonzero(model.tag(runs) != Tag.LOC) for model in (paper, learned)]
    assert capitals[1] < capitals[0]
    assert np.count_nonzero(learned.tag(runs) == Tag.AUC) == 0


def test_before_training_the_union_tags_as_the_background(learned, adaptation_corpus):
    problem = MapAdaptation(learned, adaptation_corpus).problem
    union = problem.model(problem.mean)
    np.testing.assert_array_equal(
        union.probabilities(adaptation_corpus), learned.probabilities(adaptation_corpus)
    )


def test_small_sigma2_gives_the_background(learned, adaptation_corpus):
    model = MapAdaptation(learned, adaptation_corpus).learn(sigma2=1e-9)
    np.testing.assert_array_equal(model.tag(adaptation_corpus), learned.tag(adaptation_corpus))


def test_adaptation_moves_it(learned, adaptation_corpus):
    model = MapAdaptation(learned, adaptation_corpus).learn(sigma2=1.0)
    place = model.features.values["currentword"][UNKNOWN]
    assert np.abs(model.weights[place] - learned.weights[place]).max() > 0.1


def test_files_and_adapters_keep_it(learned, adaptation_corpus, tmp_path):
    adapted = MapAdaptation(learned, adaptation_corpus).learn(sigma2=1.0)
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
    assert describe_predicate(PREDICATE) == "a word that is not known"


def test_it_is_learned_once_and_only_where_there_are_words(paper, learned, background_corpus):
    assert learned.learn_unknown_words(background_corpus) is learned
    bare = MEMM.fit(background_corpus, "ca04 -currentword", cutoff=2)
    assert bare.learn_unknown_words(background_corpus) is bare
    assert not hasattr(CRF, "learn_unknown_words")


@pytest.mark.usefixtures("outside")
def test_train_learns_it_if_told_to(run, place, tmp_path):
    for options, has_it in (((), False), (("--unknown-words", "learned"), True)):
        assert (
            run("train", place / "news.txt", "-o", tmp_path / "m", "--cutoff", "2", *options)[0]
            == 0
        )
        assert (PREDICATE in load_model(tmp_path / "m").features.names()) is has_it
