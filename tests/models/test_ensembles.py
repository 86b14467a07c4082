"""MEMMs that read backward, and those of both directions: against reversed sentences, by hand."""

import numpy as np
import pytest
from model_files import rewrite

from workbench.adaptation.adaptation import Adaptation, adapt
from workbench.features.predicates import UNKNOWN
from workbench.models.backward import BackwardMEMM
from workbench.models.ensemble import BidirectionalMEMM, Ensemble, diverse_members
from workbench.models.kinds import load_model
from workbench.models.memm import MEMM
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError

HOW = {"templates": "ca04 +word-2 +currentword,t-1", "cutoff": 0, "sigma2": 1.0}


def sentences_of(corpus):
    return [corpus.sentence(i) for i in range(corpus.n_sentences)]


def reversed_text(corpus):
    return Corpus.from_sentences([words[::-1] for words in sentences_of(corpus)])


def turned(corpus, values):
    """Values of words with those of each sentence in reversed order, sentence by sentence."""
    bounds = zip(corpus.starts[:-1], corpus.starts[1:], strict=True)
    return np.concatenate([values[first:last][::-1] for first, last in bounds])


@pytest.fixture(scope="module")
def text(adaptation_corpus):
    return Corpus.from_sentences(sentences_of(adaptation_corpus))


@pytest.fixture(scope="module")
def backward(background_corpus):
    return BackwardMEMM.fit(background_corpus, **HOW)


@pytest.fixture(scope="module")
def model(background_corpus):
    return BidirectionalMEMM.fit(background_corpus, **HOW)


@pytest.fixture(scope="module")
def ensemble(background_corpus):
    return Ensemble.fit(background_corpus, "ca04 +ngram3 +casing-1 +casingrate", 0, 1.0)


def allow_some(corpus):
    allowed = np.random.default_rng(3).random((len(corpus), 5)) < 0.4
    allowed[:, 0] = True
    return allowed


@pytest.mark.parametrize("are_allowed", [False, True])
def test_a_backward_model_is_the_model_of_reversed_sentences(
    background_corpus, text, backward, are_allowed
):
    plain, other = MEMM.fit(reversed_text(background_corpus), **HOW), reversed_text(text)
    allowed = allow_some(text) if are_allowed else None
    mirrored = None if allowed is None else turned(text, allowed)
    np.testing.assert_array_equal(
        backward.tag(text, allowed), turned(text, plain.tag(other, mirrored))
    )
    np.testing.assert_allclose(
        backward.probabilities(text, allowed),
        turned(text, plain.probabilities(other, mirrored)), atol=1e-6,
    )  # fmt: skip
    np.testing.assert_allclose(
        backward.local_probabilities(text, text.tags),
        turned(text, plain.local_probabilities(other, other.tags)), atol=1e-6,
    )  # fmt: skip
    one, two = backward.best_paths(text, 3), plain.best_paths(other, 3)
    np.testing.assert_array_equal(one.tags, [turned(text, tags) for tags in two.tags])


def test_the_lexicon_of_a_backward_model_knows_which_words_begin_a_sentence(background_corpus):
    both = BidirectionalMEMM.fit(background_corpus, "ca04 +casingrate", 0, 1.0)
    forward, backward = both.members
    np.testing.assert_array_equal(forward.lexicon.counts, backward.lexicon.counts)
    assert backward.lexicon.counts[:, -1].sum() == background_corpus.n_sentences


def test_a_word_gets_the_tag_with_the_greatest_mean(model, text):
    both = [each.probabilities(text) for each in model.members]
    assert (both[0].argmax(1) != both[1].argmax(1)).any()  # or nothing is averaged
    expected = (both[0] + both[1]) / 2
    np.testing.assert_allclose(model.probabilities(text), expected)
    np.testing.assert_array_equal(model.tag(model.pack(text)), expected.argmax(1))
    allowed = allow_some(text)
    assert allowed[np.arange(len(text)), model.tag(text, allowed)].all()


def test_adaptation_is_that_of_both_models_and_stays_near_at_a_small_variance(model, text):
    found = adapt(model, text, 1e-9)
    np.testing.assert_allclose(found.probabilities(text), model.probabilities(text), atol=1e-5)
    fitted = Adaptation(model, text, 1).learn(sigma2=0.3)
    for whole, part in zip(fitted.members, model.members, strict=True):
        alone = adapt(part, text, 0.3, 1)
        np.testing.assert_allclose(whole.probabilities(text), alone.probabilities(text), atol=1e-5)
    two = adapt(model, text, sigma2_m=0.1, sigma2_a=2.0)
    expected = adapt(model.members[1], text, sigma2_m=0.1, sigma2_a=2.0)
    np.testing.assert_allclose(two.members[1].weights, expected.weights, atol=1e-3)
    assert fitted.info["new_features"] == sum(m.info["new_features"] for m in fitted.members)


def test_the_members_of_an_ensemble_lack_groups_of_its_templates():
    names = "currentword", "ngram3", "casing-1", "casing,t-1", "casingrate"
    members = [(member.kind, member.templates) for member in diverse_members(names)]
    assert members == [
        (MEMM, ("currentword", "casing-1", "casing,t-1", "casingrate")),
        (BackwardMEMM, ("currentword", "ngram3", "casing,t-1", "casingrate")),
        (MEMM, ("currentword",)),
        (BackwardMEMM, names),
    ]
    for lacking in (["t-1"], ["t-1", "ngram3"], ["t-1", "casing+1"]):
        assert diverse_members(lacking) == [(MEMM, tuple(lacking)), (BackwardMEMM, tuple(lacking))]
    assert len(diverse_members(["ngram3", "casing+1"])) == 3  # none without any template


def test_an_ensemble_is_the_mean_of_its_members_before_and_after_adaptation(ensemble, text):
    adapted = adapt(ensemble, text, 0.3)
    for model in (ensemble, adapted):
        assert len(model.members) == 4
        expected = np.mean([member.probabilities(text) for member in model.members], axis=0)
        np.testing.assert_allclose(model.probabilities(text), expected)
        np.testing.assert_allclose(model.probabilities(model.pack(text)), expected)
    for whole, part in zip(adapted.members, ensemble.members, strict=True):
        alone = adapt(part, text, 0.3)
        np.testing.assert_allclose(whole.probabilities(text), alone.probabilities(text), atol=1e-5)


@pytest.mark.parametrize(
    "names",
    [(), ("sideways",), ("backward 2",), ("forward", ""), [f"forward {i}" for i in range(9)]],
)
def test_a_file_of_other_members_is_refused(ensemble, tmp_path, names):
    ensemble.save(tmp_path / "four.model")

    def rename(header):
        members = header["models"].values()
        header["models"] = dict(zip(names, [*members] * 3, strict=False))

    rewrite(tmp_path / "four.model", rename)
    with pytest.raises(InputError, match="a damaged"):
        load_model(tmp_path / "four.model")


@pytest.mark.parametrize("kind", ["bidirectional", "ensemble"])
def test_a_file_holds_all_models(model, ensemble, text, tmp_path, kind):
    saved = {"bidirectional": model, "ensemble": ensemble}[kind]
    saved.save(tmp_path / "all.model")
    loaded = load_model(tmp_path / "all.model")
    np.testing.assert_array_equal(loaded.probabilities(text), saved.probabilities(text))
    assert (loaded.kind, loaded.info) == (kind, saved.info)


@pytest.mark.slow
@pytest.mark.usefixtures("outside")
@pytest.mark.parametrize("kind", ["bidirectional", "ensemble"])
def test_the_commands_train_adapt_and_use_it(run, place, tmp_path, kind):
    path, adapted = tmp_path / "both.model", tmp_path / "adapted.model"
    how = ("--model", kind, "--templates", "best", "--cutoff", "2")
    assert run("train", place / "news.txt", "-o", path, *how)[0] == 0
    trained = load_model(path)
    for model in trained.members:
        assert UNKNOWN in model.features.values["currentword"]
    assert run("adapt", path, place / "talk", "-o", adapted, "--sigma2", "1", "--force")[0] == 0
    assert load_model(adapted).info["background"]["name"] == trained.info["name"]
    assert run("evaluate", path, adapted, "--test", place / "talk")[0] == 0
    assert "forward (" in run("inspect", adapted)[1]
    arguments = ("adapt", path, place / "talk", "-o", adapted, "--sigma2", "1", "--adapter")
    status, _, message = run(*arguments)
    assert status == 1
    assert "needs a memm or crf" in message
