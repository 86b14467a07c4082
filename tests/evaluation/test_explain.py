"""The weights behind one decision, against the scores that decoding uses."""

import numpy as np
import oracles
import pytest

from workbench.adaptation.adaptation import adapt
from workbench.adaptation.method import Sources, Split
from workbench.adaptation.methods import METHODS
from workbench.evaluation.explanation import explain, firing_predicates, tag_probabilities
from workbench.models.crf import CRF
from workbench.models.memm import MEMM
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError

BACKGROUND = (
    "Diane Sawyer left ABC .",
    "On PrimeTime , diane left .",
    "The primetime show continues on ABC .",
)
DOMAIN = "The Congress met Diane .", "On x=y the congress left ."
TEXT = "The congress left Diane .", "On ABC , x=y continues .", "Diane"


def read(lines, name="text"):
    return Corpus.from_sentences([line.split() for line in lines], name)


@pytest.fixture(scope="module")
def background():
    return MEMM.fit(read(BACKGROUND, "background"), cutoff=0)


@pytest.fixture(scope="module")
def adapted(background):
    return adapt(background, read(DOMAIN, "domain"), sigma2=1.0)


@pytest.fixture(scope="module")
def corpus():
    return read(TEXT)


def decoding_scores(model, corpus, position):
    """Scores of a word as the decoder sums them, less the first tag's; shape (K,)."""
    words, history = model.pack(corpus).scores(model.weights)
    tags, start = model.tag(corpus), corpus.starts[corpus.sentence_ids[position]]
    boundary = len(model.tag_names)
    t1, t2 = (tags[position - d] if position - d >= start else boundary for d in (1, 2))
    return np.concatenate([[0], words[position, 0] + history[t1, t2]])


def cell(explanation, predicate, tag):
    rows = explanation[(explanation["predicate"] == predicate) & (explanation["tag"] == tag)]
    return rows.iloc[0]


@pytest.mark.parametrize("position", range(12))
def test_the_weights_of_a_tag_sum_to_its_score(adapted, corpus, position):
    sums = explain(adapted, corpus, position).groupby("tag", sort=False)["weight"].sum()
    # Sums of at most eleven weights, in another order.
    expected = decoding_scores(adapted, corpus, position)
    np.testing.assert_allclose(sums - sums.iloc[0], expected, atol=1e-12)


def test_rows_have_every_predicate_and_tag_and_weights_that_make_the_probabilities(
    adapted, corpus, background
):
    sums = explain(adapted, corpus, 1).groupby("tag", sort=False)["weight"].sum()
    assert tuple(sums.index) == adapted.tag_names
    powers = np.exp(decoding_scores(adapted, corpus, 1))
    found = tag_probabilities(explain(adapted, corpus, 1))
    np.testing.assert_allclose(found, powers / powers.sum(), rtol=1e-12)
    found = tag_probabilities(explain(adapted, corpus, 11))  # a sentence of one word
    np.testing.assert_allclose(found, adapted.probabilities(corpus)[11], rtol=1e-12)
    last = [background.tag_names[tag] for tag in background.tag(corpus)[:2]]
    assert f"t-1,2={last[1]},{last[0]}" in firing_predicates(background, corpus, 2)
    predicates = firing_predicates(adapted, corpus, 5)
    assert {"previousword=*bdw*", "t-1,2=*bdw*,*bdw*"} < set(predicates)
    found = explain(adapted, corpus, 1)
    assert len(found) == len(firing_predicates(adapted, corpus, 1)) * len(adapted.tag_names)
    whole, part = explain(adapted, corpus, 6), explain(adapted, corpus.take([1]), 1)
    assert whole.equals(part)
    assert np.isnan(cell(explain(background, corpus, 6), "currentword=abc", "CAP")["weight"])
    found = explain(background, corpus, 1)
    assert found[found["predicate"] == "currentword=congress"]["weight"].isna().all()
    assert np.isfinite(cell(explain(adapted, corpus, 8), "currentword=x=y", "LOC")["weight"])
    assert list(explain(adapted, corpus, 1)) == ["predicate", "tag", "weight"]


def test_background_and_change_make_the_weight_and_new_predicates_are_marked(
    adapted, background, corpus
):
    found = explain(adapted, corpus, 3, background)
    parts = found["background"].fillna(0) + found["change"]
    np.testing.assert_allclose(parts, found["weight"], rtol=1e-12)
    found = explain(adapted, corpus, 5, background)  # no previous tags to differ in
    expected = decoding_scores(background, corpus, 5)
    sums = found.groupby("tag", sort=False)["background"].sum()
    np.testing.assert_allclose(sums - sums.iloc[0], expected, atol=1e-12)
    found = explain(adapted, corpus, 1, background)
    assert cell(found, "currentword=congress", "CAP")["new"]
    assert not cell(found, "previousword=the", "LOC")["new"]
    row = cell(explain(adapted, corpus, 1, background), "currentword=congress", "CAP")
    assert row["change"] == row["weight"]
    found = explain(background, corpus, 1, background)
    assert not found["new"].any()


@pytest.mark.parametrize("position", [-1, 12])
def test_a_position_outside_the_corpus_is_refused(adapted, corpus, position):
    with pytest.raises(InputError, match=f"position {position}: 0 to 11 are allowed"):
        explain(adapted, corpus, position)


# --- other kinds of models ----------------------------------------------------------------


@pytest.fixture(scope="module")
def sources():
    options = {"templates": "ca04", "cutoff": 0, "sigma2": 5.0}
    domain = read(DOMAIN * 3, "domain")
    return Sources(Split(read(BACKGROUND, "background"), domain, domain, options))


@pytest.fixture(scope="module")
def predicting(sources):
    return METHODS["pred"].prepare(sources).learn(sigma2=1.0)


@pytest.fixture(scope="module")
def mixed(sources):
    return METHODS["linint"].prepare(sources).learn(share=0.3, sigma2=1.0)


@pytest.mark.parametrize("position", range(12))
def test_predicted_tags_are_part_of_the_score(predicting, corpus, position):
    found = explain(predicting, corpus, position)
    sums = found.groupby("tag", sort=False)["weight"].sum()
    expected = decoding_scores(predicting, corpus, position)
    np.testing.assert_allclose(sums - sums.iloc[0], expected, atol=1e-12)
    tags = predicting.source.tag(corpus)
    assert f"predicted={predicting.tag_names[tags[position]]}" in found["predicate"].tolist()


def test_beyond_the_sentence_the_boundary_is_predicted(predicting, corpus):
    found = firing_predicates(predicting, corpus, 11)  # a sentence of one word
    assert {"predicted-1=*bdw*", "predicted+1=*bdw*"} < set(found)


@pytest.mark.parametrize("position", range(12))
def test_a_mixture_is_explained_by_both_models_after_its_own_tags(mixed, corpus, position):
    tags, start = mixed.tag(corpus), corpus.starts[corpus.sentence_ids[position]]
    t1, t2 = (tags[position - d] if position - d >= start else 5 for d in (1, 2))
    expected = 0
    for part, share in ((mixed.inside, 0.3), (mixed.outside, 0.7)):
        words, history = part.pack(corpus).scores(part.weights)
        powers = np.exp(np.concatenate([[0], words[position, 0] + history[t1, t2]]))
        expected = expected + share * powers / powers.sum()
    found = explain(mixed, corpus, position)
    assert found["model"].unique().tolist() == ["inside", "outside"]
    np.testing.assert_allclose(tag_probabilities(found), expected, rtol=1e-12)


@pytest.mark.parametrize("name", METHODS)
def test_every_method_s_model_is_explained_or_refused_in_a_line(sources, corpus, name):
    method = METHODS[name]
    values = {axis: values.start for axis, values in method.axes.items()}
    model = method.prepare(sources).learn(**values)
    if model.kind == "1gram":
        with pytest.raises(InputError, match="a model of kind 1gram: it has no weights"):
            explain(model, corpus, 1)
    else:
        found = explain(model, corpus, 1, sources.background)
        assert tag_probabilities(found).sum() == pytest.approx(1)


# --- P(tag of a word | W) -----------------------------------------------------------------


@pytest.fixture(scope="module")
def chain():
    background = CRF.fit(read(BACKGROUND, "background"), cutoff=0)
    return adapt(background, read(DOMAIN, "domain"), sigma2=1.0)


def enumerated(model, corpus, sentence):
    """P(tag of word i | W) of all words of a sentence, every sequence summed; shape (T, K)."""
    sequences_of = {"crf": oracles.chain_probabilities, "memm": oracles.enumerate_sequences}
    words = [form.lower() for form in corpus.sentence(sentence)]
    weights = oracles.weights_of(model)
    sequences = sequences_of[model.kind](weights, model.templates, words)
    return oracles.tag_marginals(sequences, len(words))


@pytest.mark.parametrize("kind", ["chain", "adapted"])
def test_marginal_probabilities_are_those_of_enumeration(request, corpus, kind):
    model = request.getfixturevalue(kind)
    expected = [*enumerated(model, corpus, 0), *enumerated(model, corpus, 2)]
    for position, row in zip((*range(5), 11), expected, strict=True):
        found = oracles.marginal_probabilities(model, corpus, position)
        np.testing.assert_allclose(found, row, rtol=1e-9)


def test_a_chain_is_explained_after_all_other_tags_and_not_by_its_marginals(chain, corpus):
    """The tag behind a word counts, too: so these are its odds if the others stay."""
    words, weights = [form.lower() for form in corpus.sentence(0)], oracles.weights_of(chain)
    sequences = oracles.chain_probabilities(weights, chain.templates, words)
    tags = tuple(chain.tag(corpus)[:5].tolist())
    for place in range(5):
        odds = [sequences[(*tags[:place], y, *tags[place + 1 :])] for y in range(5)]
        found = tag_probabilities(explain(chain, corpus, place))
        np.testing.assert_allclose(found, np.array(odds) / sum(odds), rtol=1e-9)
    local = tag_probabilities(explain(chain, corpus, 0))
    marginal = oracles.marginal_probabilities(chain, corpus, 0)
    assert np.abs(local - marginal).max() > 0.01
