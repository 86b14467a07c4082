"""What Chelba & Acero (2004) state, by section."""

import numpy as np
import oracles
import pytest

from workbench.adaptation.adaptation import Adaptation, adapt
from workbench.features.packing import pack_contexts
from workbench.features.templates import find_templates
from workbench.models.memm import MEMM
from workbench.models.unigram import Unigram
from workbench.text.casing import TAGS, Tag, recase_word, tag_of, wipe_case
from workbench.text.corpus import Corpus

SAMPLE_TAGS = "MXC LOC LOC AUC PNC CAP PNC LOC CAP CAP PNC CAP CAP PNC".split()
SAMPLE_WIPED = (
    "primetime continues on abc .PERIOD now ,COMMA from los angeles ,COMMA diane sawyer .PERIOD"
)


@pytest.fixture(scope="module")
def sample(paper_sentence):
    return Corpus.from_sentences([paper_sentence], "sample")


@pytest.fixture(scope="module")
def learner(sample, background_corpus):
    """An MEMM that has read the sample among other sentences."""
    sentences = [background_corpus.sentence(i) for i in range(background_corpus.n_sentences)]
    return MEMM.fit(Corpus.from_sentences([*sentences, sample.sentence(0)]), cutoff=0)


def test_section_2_the_sample_has_its_tags_of_five_which_give_its_case_back_but_for_mxc(
    sample, paper_sentence
):
    assert set(TAGS) == {"LOC", "CAP", "MXC", "AUC", "PNC"}
    assert tag_of(".PERIOD") == tag_of(",COMMA") == Tag.PNC  # spelled-out punctuation
    assert [TAGS[tag] for tag in sample.tags] == SAMPLE_TAGS
    assert wipe_case(" ".join(paper_sentence)) == SAMPLE_WIPED
    words = zip(SAMPLE_WIPED.split(), paper_sentence, SAMPLE_TAGS, strict=True)
    recased = {form: recase_word(word, Tag[tag]) for word, form, tag in words}
    assert [form for form, back in recased.items() if back != form] == ["PrimeTime"]


def test_section_2_1_first_words_are_cap_and_others_have_their_most_frequent_tag(
    sample, background_corpus
):
    unigram = Unigram.fit(background_corpus)
    assert unigram.tag(sample)[0] == Tag.CAP
    best = oracles.most_frequent_tags(background_corpus)
    later = np.flatnonzero(~background_corpus.is_initial)
    words = [background_corpus.words[i] for i in background_corpus.word_ids[later]]
    assert unigram.tag(background_corpus)[later].tolist() == [best[word] for word in words]


def test_section_3_the_tags_of_a_sentence_have_probability_one(learner):
    weights, words = oracles.weights_of(learner), "now ,COMMA from".split()
    sequences = oracles.enumerate_sequences(weights, learner.templates, words)
    assert sum(sequences.values()) == pytest.approx(1)


def test_section_3_the_sample_gets_its_case_back_once_it_was_read(learner, sample, paper_sentence):
    wiped = Corpus.from_sentences([SAMPLE_WIPED.split()])
    for corpus in (sample, wiped):
        assert [TAGS[tag] for tag in learner.tag(corpus)] == SAMPLE_TAGS
    assert learner.recase(SAMPLE_WIPED) == " ".join(paper_sentence)


def test_section_3_each_word_of_the_sample_fires_each_template_at_most_once(sample):
    contexts = pack_contexts(sample, find_templates("ca04"))
    assert sum(len(fillers.slot.templates) for fillers in contexts.fillers) == 11


def test_section_3_1_1_a_feature_below_the_cutoff_is_dropped(background_corpus):
    events = oracles.count_events(background_corpus, find_templates("ca04"))
    model = MEMM.fit(background_corpus, cutoff=5)
    kept = set(oracles.feature_pairs(model.features))
    assert kept == {pair for pair, n in oracles.count_features(events).items() if not n < 5}


def test_section_3_1_2_the_prior_keeps_weights_of_rare_features_small(background_corpus):
    sizes = [
        np.abs(MEMM.fit(background_corpus, cutoff=0, sigma2=sigma2).weights).max()
        for sigma2 in (0.01, 1.0, 10.0)
    ]
    assert sizes == sorted(sizes)


def test_section_4_a_small_variance_keeps_the_background_and_a_large_one_fits_the_new_text(
    background, adaptation_corpus, background_corpus
):
    model = adapt(background, adaptation_corpus, 1e-9)
    assert np.array_equal(model.tag(background_corpus), background.tag(background_corpus))
    model = adapt(background, adaptation_corpus, 100.0)
    assert (model.tag(adaptation_corpus) == adaptation_corpus.tags).mean() > 0.98


def test_section_4_the_features_are_those_of_both_texts(background, adaptation_corpus):
    alone = MEMM.fit(adaptation_corpus, cutoff=0)
    union = Adaptation(background, adaptation_corpus, cutoff=0).problem.features
    pairs = [set(oracles.feature_pairs(f)) for f in (background.features, alone.features, union)]
    assert pairs[2] == pairs[0] | pairs[1]


def test_section_4_adaptation_mends_more_than_training_on_little_text_alone(
    background, adaptation_corpus
):
    """Learning on half of the adaptation data, tried on the other half."""
    halves = [adaptation_corpus.take(np.arange(first, 26, 2)) for first in (0, 1)]
    adapted = adapt(background, halves[0], 1.0)
    alone = MEMM.fit(halves[0], cutoff=0, sigma2=1.0)
    wrong = [int((model.tag(halves[1]) != halves[1].tags).sum()) for model in (adapted, alone)]
    assert wrong[0] < wrong[1]


def test_section_5_1_the_likelihood_of_the_adaptation_data_rises_with_the_variance(
    background, adaptation_corpus
):
    problem = Adaptation(background, adaptation_corpus)
    values = [problem.fit(sigma2).log_likelihood for sigma2 in (0.01, 0.1, 1.0, 3.0, 10.0)]
    assert values == sorted(values)
