"""The influence of single sentences, against refits without them; dropping sentences."""

from itertools import pairwise

import numpy as np
import oracles
import pytest
from scipy.stats import spearmanr
from test_solvers import make

from workbench.adaptation.adaptation import Adaptation
from workbench.inference.chain.scores import add_to_words
from workbench.learning.prior import GaussianPrior
from workbench.learning.solvers.conjugate_gradients import solve
from workbench.models.crf import CRF
from workbench.models.memm import MEMM
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError
from workbench.text.sets.registry import load

TEMPLATES = ["currentword", "previousword", "t-1", "suffix2"]
KINDS = {"memm": MEMM, "crf": CRF}


@pytest.fixture(scope="module", params=KINDS)
def problem(request, background_corpus, adaptation_corpus):
    old = KINDS[request.param].fit(background_corpus, TEMPLATES, cutoff=0, sigma2=5.0)
    return old.adaptation_problem(adaptation_corpus)


def optimum(problem, sigma2, start=None):
    prior = GaussianPrior(problem.mean, sigma2)
    # Where doubles end a tighter fit would not converge; this is far below any effect.
    return problem.maximise(prior, start, "newton", tolerance=1e-10).weights


# --- slopes -------------------------------------------------------------------------------


def test_slopes_of_all_sentences_make_the_gradient_and_nothing_has_no_slope(problem, rng):
    weights, direction = problem.mean, rng.normal(size=problem.n_active)
    slopes = problem.slopes.at(weights)(direction)
    assert slopes.shape == (26,)
    assert slopes.sum() == pytest.approx(problem.log_likelihood(weights)[1] @ direction, rel=1e-5)
    found = problem.slopes.at(problem.mean)(np.zeros(problem.n_active))
    assert found == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("sentence", [0, 21, 24])
def test_a_slope_is_that_of_the_sentence_alone(problem, rng, sentence):
    weights, direction = problem.mean + 0.1, rng.normal(size=problem.n_active)
    alone = problem.without(set(range(26)) - {sentence}).log_likelihood
    values = [alone(weights + step * direction)[0] for step in (1e-5, -1e-5)]
    expected = (values[0] - values[1]) / 2e-5
    found = problem.slopes.at(weights)(direction)[sentence]
    assert found == pytest.approx(expected, rel=1e-5, abs=1e-7)


@pytest.mark.parametrize("has_curvature", [False, True])
def test_the_parts_of_a_slope_are_those_of_its_predicates_alone(problem, rng, has_curvature):
    diagonal = rng.uniform(1, 3, problem.n_active) if has_curvature else None
    slopes = problem.slopes.at(problem.mean + 0.1, diagonal)
    direction = rng.normal(size=problem.n_active)
    for sentence in (0, 21):
        parts = slopes.parts(direction, sentence)
        assert parts.values.sum() == pytest.approx(slopes(direction)[sentence])
        length = len(problem.corpus.sentence(sentence))
        assert (parts.places.min(), parts.places.max()) == (0, length - 1)
        for number in np.unique(parts.predicates)[::9]:
            here = parts.predicates == number
            (name,) = problem.name_parts(np.array([number]))
            tags = problem.background.tag_names
            of_it = problem.direction([(name, tag, 1.0) for tag in tags])
            expected = slopes(of_it * direction)[sentence]
            assert parts.values[here].sum() == pytest.approx(expected, abs=1e-12)


def test_the_parts_of_a_chain_without_transitions_are_its_words(adaptation_corpus, rng):
    problem = CRF.fit(adaptation_corpus, ["suffix2"]).adaptation_problem(adaptation_corpus)
    slopes, direction = problem.slopes.at(problem.mean), rng.normal(size=problem.n_active)
    assert slopes.parts(direction, 3).values.sum() == pytest.approx(slopes(direction)[3])


@pytest.fixture(scope="module")
def chain_slopes(adaptation_corpus):
    """The slopes of a CRF's sentences, and the scores of its cells."""
    old = CRF.fit(adaptation_corpus, TEMPLATES, cutoff=0)
    slopes = old.adaptation_problem(adaptation_corpus).slopes
    return slopes, slopes._cells.scores(old.weights[old.features.exists])


def test_what_all_labels_of_a_word_gain_changes_nothing(chain_slopes, adaptation_corpus):
    slopes, scores = chain_slopes
    before, moves = slopes._expect(scores), np.zeros((len(adaptation_corpus), 5))
    moves[7] = 3.0
    after = slopes._expect(add_to_words(scores, moves))
    assert after.words == pytest.approx(before.words, abs=1e-9)
    moves[7, 2] = 50.0
    certain = slopes._expect(add_to_words(scores, moves)).words[7]
    assert certain == pytest.approx([0, 0, 1, 0, 0], abs=1e-9)


@pytest.mark.parametrize("far", [0.0, 3_000.0])  # beyond what factors can hold: in logs
def test_transitions_of_sentences_sum_to_the_marginals(chain_slopes, adaptation_corpus, far):
    """Over the label before they are those of all words of a sentence but the first."""
    slopes, scores = chain_slopes
    moves = np.zeros((len(adaptation_corpus), 5))
    moves[3::50, 1] = far
    expected = slopes._expect(add_to_words(scores, moves))
    for z, (first, end) in enumerate(pairwise(adaptation_corpus.starts)):
        assert expected.pairs[z].sum(axis=0) == pytest.approx(
            expected.words[first + 1 : end].sum(axis=0), abs=1e-9
        )
        assert expected.pairs[z].sum(axis=1) == pytest.approx(
            expected.words[first : end - 1].sum(axis=0), abs=1e-9
        )


def test_a_sentence_s_own_curvature_is_exact_where_nothing_is_shared():
    """One word to a sentence and a feature to a word: H - H_z is the prior's alone."""
    old = MEMM.fit(Corpus.from_sentences([["Old", "words"]]), ["currentword"], cutoff=0)
    new = Corpus.from_sentences([["Rare"], ["very"], ["NATO"], ["eBay"]])
    old.features.values["currentword"].setdefault("rare", 0)  # so that they share a word
    problem, sigma2 = old.adaptation_problem(new), 2.0
    weights, rng = optimum(problem, sigma2), np.random.default_rng(1)
    direction = rng.normal(size=problem.n_active)
    found = problem.influence(weights, sigma2).on(direction)
    for z in range(4):
        alone = problem.without(set(range(4)) - {z}).log_likelihood
        expected = -sigma2 * direction @ alone(weights)[1]
        assert found[z] == pytest.approx(expected, rel=1e-3)


# --- equations ----------------------------------------------------------------------------


def test_equations_are_solved_as_accurately_as_asked_and_nothing_solves_nothing(few_sentences, rng):
    fast, plain = make(few_sentences, ["suffix1", "t-1"], 2)
    weights, vector = rng.normal(size=(2, len(fast.observed)))
    matrix = plain.hessian(weights) + np.eye(len(weights)) / 3.0
    found = solve(fast.expand(weights)[2], 1 / 3.0, vector)
    exact = np.linalg.solve(matrix, vector)
    assert found == pytest.approx(exact, abs=3e-3 * np.abs(exact).max())
    finer = solve(fast.expand(weights)[2], 1 / 3.0, vector, 1e-9)
    assert finer == pytest.approx(exact, rel=1e-6, abs=1e-9)
    fast, _ = make(few_sentences, ["suffix1"], 0)
    zeros = np.zeros(len(fast.observed))
    assert not solve(fast.expand(zeros)[2], 1.0, zeros).any()


def solve_without(problem, weights, sigma2, sentences, direction):
    """By how much direction . weights falls in a step of Newton's method without sentences."""
    left = problem.without(sentences).log_likelihood
    _, slope, hessian = left.expand(weights)
    n = len(weights)
    matrix = np.array([hessian @ row for row in np.eye(n)]) + np.eye(n) / sigma2
    return -direction @ np.linalg.solve(matrix, slope - (weights - problem.mean) / sigma2)


@pytest.mark.parametrize("sentences", [[0], [21], [3, 24, 7]])
def test_what_falls_without_sentences_is_newton_s_step_without_them(problem, rng, sentences):
    weights, direction = optimum(problem, 2.0), rng.normal(size=problem.n_active)
    influence = problem.influence(weights, 2.0)
    found = influence.without(direction, influence.solve(direction), sentences)
    expected = solve_without(problem, weights, 2.0, sentences, direction)
    assert sum(parts.effect for parts in found) == pytest.approx(expected, rel=0.05)


def test_without_any_sentence_the_prior_is_left(problem, rng):
    weights, direction = optimum(problem, 2.0), rng.normal(size=problem.n_active)
    influence = problem.influence(weights, 2.0)
    found = influence.without(direction, influence.solve(direction), range(26))
    expected = direction @ (weights - problem.mean)
    assert sum(parts.effect for parts in found) == pytest.approx(expected, rel=0.05)


# --- against refits -----------------------------------------------------------------------


def compare(problem, sigma2, direction, rng, n=30):
    """Estimates and true changes, of the n most influential sentences and n others."""
    weights = optimum(problem, sigma2)
    estimates = problem.influence(weights, sigma2).on(direction)
    order = np.argsort(-np.abs(estimates))
    others = order[n:]
    chosen = np.append(order[:n], rng.choice(others, min(n, len(others)), replace=False))
    refits = [optimum(problem.without([z]), sigma2, weights) for z in chosen]
    return estimates[chosen], np.array([direction @ (refit - weights) for refit in refits])


def check(estimates, true, bound):
    assert spearmanr(estimates, true).statistic >= 0.95
    large = np.abs(true) > 0.1 * np.abs(true).max()
    assert (np.sign(estimates) == np.sign(true))[large].all()
    ratios = estimates[large] / true[large]
    assert ratios.max() <= bound
    assert ratios.min() >= 1 / bound


@pytest.mark.parametrize("sigma2", [0.1, 1.0])
def test_the_influence_is_that_of_refits_on_tiny_texts(problem, rng, sigma2):
    gap = [("currentword=apple", "CAP", 1.0), ("currentword=apple", "LOC", -1.0)]
    gap += [("suffix2=le", "CAP", 1.0), ("suffix2=le", "LOC", -1.0)]
    estimates, true = compare(problem, sigma2, problem.direction(gap), rng)
    check(estimates, true, 1.5)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_the_influence_is_that_of_refits_on_documentation(kind, rng):
    news, domain = load("scientific-docs", "train"), load("streamlit-docs", "train")
    old = KINDS[kind].fit(news.take(np.arange(400)), cutoff=2, sigma2=5.0)
    problem = old.adaptation_problem(domain.take(np.arange(200)))
    predicates = "currentword=streamlit", "prefix3=str", "suffix3=lit"
    gap = [(p, tag, sign) for p in predicates for tag, sign in (("CAP", 1.0), ("LOC", -1.0))]
    direction = problem.direction(gap)
    assert np.count_nonzero(direction) >= 4
    estimates, true = compare(problem, 1.0, direction, rng, 10)
    check(estimates, true, 2.0)


# --- without some sentences ---------------------------------------------------------------


@pytest.mark.parametrize("problem", ["memm"], indirect=True)
def test_a_fit_without_sentences_is_that_of_the_other_events_also_by_iis(problem):
    """Eq. 3 over the other events, with the features and the active weights of all.

    Of an MEMM: a chain has no events, and its sentences are tested by their slopes.
    """
    fewer, sigma2 = problem.without({0, 7, 20}), 0.5
    left = problem.corpus.take([i for i in range(26) if i not in {0, 7, 20}])
    events = oracles.count_events(left, problem.background.templates)
    pairs = np.array(oracles.feature_pairs(problem.features), dtype=object)
    plain = oracles.PlainProblem(events, [tuple(pair) for pair in pairs[problem.places]])
    expected = oracles.fit_scipy(plain, problem.mean, sigma2)
    assert optimum(fewer, sigma2) == pytest.approx(expected, abs=1e-4)
    assert fewer.features is problem.features
    assert fewer.n_active == problem.n_active
    fewer = problem.without([0, 1])
    fit = fewer.maximise(GaussianPrior(problem.mean, 1.0), None, "iis", tolerance=1e-9)
    assert fit.weights == pytest.approx(optimum(fewer, 1.0), abs=2e-3)


def test_weights_of_a_dropped_sentence_alone_go_back_to_the_background(problem):
    place = problem.direction([("currentword=youtube", "MXC", 1.0)]) > 0
    fewer = problem.without([15])
    assert abs(optimum(problem, 1.0)[place]) > 0.1
    assert optimum(fewer, 1.0)[place] == pytest.approx(problem.mean[place], abs=1e-6)
    assert "youtube" in problem.model(problem.mean).mixed_forms
    assert "youtube" not in fewer.model(problem.mean).mixed_forms


def test_numbers_stay_when_more_is_dropped_and_all_stays_when_nothing_is(problem):
    fewer = problem.without([3]).without([5, 3])
    assert fewer.dropped == {3, 5}
    assert fewer.corpus.n_sentences == 24
    at_once = problem.without([3, 5])
    assert fewer.log_likelihood(problem.mean)[0] == at_once.log_likelihood(problem.mean)[0]
    found = fewer.influence(problem.mean, 1.0).on(problem.mean)
    assert np.flatnonzero(np.isnan(found)).tolist() == [3, 5]
    same = problem.without([])
    before, after = (p.log_likelihood(problem.mean) for p in (problem, same))
    assert after[0] == pytest.approx(before[0], rel=1e-12)
    assert after[1] == pytest.approx(before[1], rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(
    ("sentences", "message"),
    [([26], "sentence 26: 0 to 25 are allowed"), ([-1], "sentence -1: 0 to 25 are allowed"),
     (range(26), "no sentence would be left")],
)  # fmt: skip
def test_sentences_that_cannot_be_dropped_are_refused(problem, sentences, message):
    with pytest.raises(InputError, match=message):
        problem.without(sentences)


# --- adaptations and sessions -----------------------------------------------------------------


@pytest.fixture
def adaptation(background, adaptation_corpus, few_sentences):
    texts = {"train": adaptation_corpus, "dev": few_sentences}
    found = Adaptation(background, adaptation_corpus, texts=texts)
    found.tolerance = 1e-10
    return found


def test_a_tuning_without_a_sentence_starts_where_the_other_ends(adaptation):
    whole = adaptation.at(1.0)
    fewer = adaptation.without([4])
    fit = fewer.at(1.0).fit
    cold = fewer.fit(1.0, tolerance=1e-10)
    assert fit.objective == pytest.approx(cold.objective, rel=1e-8)
    assert len(fit.steps) <= len(cold.steps)
    assert fewer.packed is adaptation.packed
    assert fewer.at(1.0).tags["dev"].shape == whole.tags["dev"].shape


def test_a_tuning_learns_nothing_from_one_without_sentences(adaptation):
    adaptation.without([4]).at(1.0)
    assert adaptation.known == []
    assert adaptation.warm_starts.predict(sigma2=1.0) is None


@pytest.mark.parametrize("cutoff", [0, 2, None])
def test_a_session_without_sentences_shares_the_rest(fresh_session, cutoff):
    session = fresh_session
    fewer = session.without({1, 2}).without({5})
    snapshot = fewer.at(1.0, cutoff)
    problem = snapshot.tuned.adaptation.problem
    assert problem.dropped == {1, 2, 5}
    assert problem.features is session.adaptation(cutoff).problem.features
    assert fewer.corpora is session.corpora
    assert session.adaptation(cutoff).known == []
    expected = session.adaptation(cutoff).problem.without({1, 2, 5})
    weights = optimum(expected, 1.0)
    assert snapshot.tuned.fit.weights == pytest.approx(weights, abs=1e-2)
