"""A model of candidate sets: its probabilities, its optimum, its identities, its files."""

import candidate_oracle as oracle
import numpy as np
import pytest
from oracles import central_differences
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression  # comes with seqeval

from workbench.adaptation.adaptation import adapt
from workbench.adaptation.method import Sources, Split
from workbench.adaptation.methods import METHODS
from workbench.candidates.files import read_candidates
from workbench.candidates.learning import TARGETS, Learning, target_shares
from workbench.candidates.likelihood import CandidateLikelihood, RelativeValues
from workbench.candidates.model import CandidateModel
from workbench.candidates.report import explain_choice
from workbench.candidates.sets import TASK
from workbench.experiments.method_rows import learn
from workbench.models.adapter import save_adapter
from workbench.models.files import write_parts
from workbench.models.kinds import load_model
from workbench.models.memm import MEMM
from workbench.text.errors import InputError

TRUE = np.array([1.0, -1.0, 0.5, 0.0, 2.0, -0.5])


@pytest.fixture
def sentences(rng):
    return oracle.draw_sentences(rng, 60, weights=TRUE)


@pytest.fixture
def sets(sentences, tmp_path):
    return oracle.read_sentences(tmp_path / "train.svm", sentences)


def likelihood_of(sets, target="uniform", offsets=None):
    offsets = np.zeros(len(sets)) if offsets is None else offsets
    values = RelativeValues.of(sets)
    return CandidateLikelihood(values, sets, target_shares(sets, target), offsets)


@pytest.mark.parametrize("target", TARGETS)
def test_value_and_gradient_are_those_of_plain_loops(target, sets, sentences, rng):
    weights = rng.normal(size=len(TRUE))
    by_number = {int(name): w for name, w in zip(sets.feature_names, weights, strict=True)}
    value, gradient = likelihood_of(sets, target)(weights)
    assert value == pytest.approx(oracle.log_likelihood(by_number, sentences, target))
    wanted = oracle.gradient(by_number, sentences, target)
    assert gradient == pytest.approx([wanted[int(name)] for name in sets.feature_names])


def test_derivatives_are_those_of_differences(sets, rng):
    likelihood, weights = (
        likelihood_of(sets, offsets=rng.normal(size=len(sets))),
        rng.normal(size=6),
    )
    value, gradient, hessian = likelihood.expand(weights)
    assert (value, gradient) == (likelihood(weights)[0], pytest.approx(likelihood(weights)[1]))
    assert gradient == pytest.approx(central_differences(lambda w: likelihood(w)[0], weights))
    dense = -central_differences(lambda w: likelihood(w)[1], weights)
    assert np.stack([hessian @ row for row in np.eye(6)]) == pytest.approx(dense, abs=1e-6)
    assert likelihood.curvature(weights) == pytest.approx(np.diag(dense), abs=1e-6)


@pytest.mark.parametrize("solver", ["newton", "lbfgs"])
def test_the_optimum_is_that_of_scipy(solver, sets):
    sigma2, likelihood = 0.7, likelihood_of(sets)
    model = CandidateModel.fit(sets, sigma2=sigma2, solver=solver, tolerance=1e-12)

    def cost(weights):
        value, gradient = likelihood(weights)
        return (weights**2).sum() / (2 * sigma2) - value, weights / sigma2 - gradient

    found = minimize(cost, np.zeros(6), jac=True, options={"gtol": 1e-10}).x
    assert model.weights == pytest.approx(found, abs=1e-4)


def test_two_candidates_are_logistic_regression(rng, tmp_path):
    rows = rng.integers(-4, 5, (80, 5)) / 2
    y = rows @ TRUE[:5] + rng.logistic(size=80) > 0
    nothing, sentences = {}, []
    for row, good in zip(rows, y.tolist(), strict=True):
        features = {i + 1: float(x) for i, x in enumerate(row) if x}
        sentences.append([(float(good), features), (1.0 - good, nothing)])
    model = CandidateModel.fit(
        oracle.read_sentences(tmp_path / "a.svm", sentences), sigma2=2.0, tolerance=1e-12
    )
    regression = LogisticRegression(C=2.0, fit_intercept=False, tol=1e-10)
    assert model.weights == pytest.approx(regression.fit(rows, y).coef_[0], abs=1e-4)


def test_five_tags_as_candidates_are_the_maxent_capitalizer(background_corpus, tmp_path):
    """One sentence for each word, its tags as candidates, pairs (predicate, tag) as features."""
    memm = MEMM.fit(background_corpus, cutoff=0, sigma2=1.0, solver="newton", tolerance=1e-10)
    contexts = MEMM.packed.pack(background_corpus, memm.templates)
    fired = memm.features.firing(contexts).tocsr()
    exists, sentences = memm.features.exists, []
    numbers = np.cumsum(exists.ravel()).reshape(exists.shape)  # from 1
    for rows, gold in zip(contexts.rows, background_corpus.tags, strict=True):
        predicates = np.unique(np.concatenate([fired[row].indices for row in rows]))
        sentences.append([
            (float(tag == gold), {int(numbers[p, tag]): 1.0 for p in predicates if exists[p, tag]})
            for tag in range(exists.shape[1])
        ])  # fmt: skip
    sets = oracle.read_sentences(tmp_path / "tags.svm", sentences)
    model = CandidateModel.fit(sets, sigma2=1.0, solver="newton", tolerance=1e-10)
    weights = np.zeros(exists.sum())
    weights[[int(name) - 1 for name in model.features]] = model.weights
    assert weights == pytest.approx(memm.weights[exists], abs=1e-4)


def test_a_reference_distribution_is_a_feature_with_weight_1(sets, sentences, tmp_path):
    """Its weight stays, and a model that learns nothing ranks by q0 alone."""
    model = CandidateModel.fit(sets, sigma2=1e-12, learning=Learning(reference="5"))
    assert "5" not in model.features
    p = [oracle.probabilities({5: 1.0}, candidates) for candidates in sentences]
    assert model.probabilities(sets) == pytest.approx(np.concatenate(p), abs=1e-6)
    fitted = CandidateModel.fit(sets, sigma2=1.0, learning=Learning(reference="5"), tolerance=1e-12)
    offsets = sets.value_of("5")
    _, gradient = likelihood_of(sets, offsets=offsets)(np.insert(fitted.weights, 4, 0.0))
    assert np.delete(gradient, 4) == pytest.approx(fitted.weights, abs=1e-4)
    with pytest.raises(InputError, match="no feature 'none'"):
        CandidateModel.fit(sets, learning=Learning(reference="none"))


def test_the_cutoff_counts_sentences_that_a_feature_divides(sets, sentences):
    told = oracle.count_discriminating(sentences)
    for cutoff in (0, 30, max(told.values())):
        model = CandidateModel.fit(sets, cutoff=cutoff, sigma2=1.0)
        wanted = {str(number) for number, n in told.items() if n >= max(cutoff, 1)}
        assert set(model.features) == wanted


def test_the_order_is_that_of_the_probabilities(sets, sentences):
    model = CandidateModel.fit(sets, sigma2=1.0)
    order, p = model.rank(sets)
    weights = dict(zip(map(int, model.features), model.weights, strict=True))
    for s, candidates in enumerate(sentences):
        first, end = sets.sentence_starts[s : s + 2]
        wanted = oracle.probabilities(weights, candidates)
        assert p[first:end] == pytest.approx(wanted)
        by_hand = sorted(range(len(wanted)), key=lambda i: (-round(wanted[i], 12), i))
        assert (order[first:end] - first).tolist() == by_hand
        assert model.tag(sets)[s] == order[first]


@pytest.mark.parametrize("reference", [None, "5"])
def test_reasons_of_a_choice_sum_to_its_log_odds(reference, sets):
    model = CandidateModel.fit(sets, sigma2=1.0, learning=Learning(reference=reference))
    p, sizes = model.probabilities(sets), np.diff(sets.sentence_starts)
    for s in np.flatnonzero(sizes > 1)[:10].tolist():
        reasons = explain_choice(model, sets, s, 1, 0)
        first = sets.sentence_starts[s]
        gap = np.log(p[first + 1] / p[first])
        assert sum(reason.contribution for reason in reasons) == pytest.approx(gap, abs=1e-9)
        assert all(reason.value != reason.rival_value for reason in reasons)
        strengths = [abs(reason.contribution) for reason in reasons]
        assert strengths == sorted(strengths, reverse=True)
    for sentence, candidate, says in ((99, 0, "sentence 99: 0 to 59"), (0, 9, "candidate 9: 0 to")):
        with pytest.raises(InputError, match=says):
            explain_choice(model, sets, sentence, candidate, 0)


def test_adaptation_moves_new_and_inherited_weights_to_the_optimum(sets, rng, tmp_path):
    narrow = oracle.draw_sentences(rng, 40, weights=TRUE)
    narrow = [[(q, {n: v for n, v in f.items() if n < 5}) for q, f, *_ in c] for c in narrow]
    background = CandidateModel.fit(oracle.read_sentences(tmp_path / "b.svm", narrow), sigma2=1.0)
    adapted = background.adapt(sets, sigma2=0.5)
    assert adapted.features == ("1", "2", "3", "4", "5", "6")
    _, gradient = likelihood_of(sets)(adapted.weights)
    away = adapted.weights - np.append(background.weights, [0, 0])
    assert gradient == pytest.approx(away / 0.5, abs=0.01)
    assert adapted.weights == pytest.approx(adapt(background, sets, 0.5).weights)
    still = background.adapt(sets, sigma2=1e-12)
    assert still.weights == pytest.approx(np.append(background.weights, [0, 0]), abs=1e-9)
    assert background.adapt(sets, 0.5, cutoff=None).features == background.features


def test_a_higher_cutoff_is_the_adaptation_made_anew(sets, tmp_path):
    with_some = [[(1.0, {1: 1.0}), (0.0, {2: 1.0})]]
    background = CandidateModel.fit(oracle.read_sentences(tmp_path / "b.svm", with_some))
    problem = background.adaptation_problem(sets)
    cutoff = int(np.median(problem.log_likelihood.observed)) + 1
    higher, kept, repack = problem.raise_cutoff(cutoff)
    anew = background.adaptation_problem(sets, cutoff)
    assert higher.features == anew.features != problem.features
    names = np.array(problem.features)[problem.places][kept]
    assert names.tolist() == [anew.features[place] for place in anew.places]
    assert repack(problem.pack(sets)).features == anew.features
    with pytest.raises(InputError, match=f"{cutoff} or more"):
        higher.raise_cutoff(0)


def test_classes_are_what_stands_before_the_first_sign(sets):
    model = CandidateModel(("rule=a=b", "pcfg", "rule=c"), np.ones(3), info={"name": "x"})
    object.__setattr__(sets, "feature_names", ("rule=c", "pcfg", "w=1", "w=2", "w=3", "w=4"))
    classes = model.adaptation_problem(sets).classes()
    assert {name: places.tolist() for name, places in classes.items()} == {
        "rule": [0, 2], "pcfg": [1], "w": [3, 4, 5, 6]
    }  # fmt: skip


def test_sets_that_share_no_feature_are_refused(sets):
    model = CandidateModel(("w=other",), np.ones(1), info={"name": "another"})
    for use in (model.rank, model.adaptation_problem):
        with pytest.raises(InputError, match="drawn: no feature has a name that the model knows"):
            use(sets)


@pytest.fixture(scope="module")
def texts(tmp_path_factory):
    """A background, a domain in which some weights are others or new, its dev part."""
    folder = tmp_path_factory.mktemp("sets")
    oracle.write_domains(folder)
    parts = {"b": ("general", "train"), "a": ("domain", "train"), "d": ("domain", "dev")}
    return {key: read_candidates(folder / name, part) for key, (name, part) in parts.items()}


METHODS_OF_CANDIDATES = [name for name, m in METHODS.items() if m.is_for(CandidateModel, TASK)]


def test_all_methods_of_flat_weights_are_for_candidates():
    assert set(METHODS) - set(METHODS_OF_CANDIDATES) == {
        "1-gram", "1-gram-adapted", "pred", "target-exponential", "chain", "hierarchy",
        "map-by-template",
    }  # fmt: skip


@pytest.mark.parametrize("name", METHODS_OF_CANDIDATES)
def test_methods_learn_candidates_and_their_models_are_kept(name, texts, tmp_path):
    options = {"cutoff": 0, "sigma2": 1.0}
    split = Split(texts["b"], texts["a"], texts["d"], options, CandidateModel)
    sources = Sources(split)
    learned = learn(METHODS[name], sources, texts["d"])
    wrong = texts["d"].count_wrong(learned.model.tag(texts["d"]))
    assert learned.dev_wrong in (None, pytest.approx(wrong))
    before = texts["d"].count_wrong(sources.background.tag(texts["d"]))
    assert wrong < 0.9 * before or name == "background"
    learned.model.save(tmp_path / "a.model")
    same = load_model(tmp_path / "a.model")
    assert same.probabilities(texts["d"]) == pytest.approx(learned.model.probabilities(texts["d"]))


def test_minimum_divergence_is_map_where_features_know_no_tag(texts):
    """The background as reference distribution (PN08, eq. 1) is CA04's prior around it."""
    background = CandidateModel.fit(texts["b"], sigma2=1.0)
    split = Split(texts["b"], texts["a"], texts["d"], {}, CandidateModel)
    sources = Sources(split, train=lambda *_: background)
    learned = METHODS["mindiv-adapt-only"].prepare(sources).learn(sigma2=0.3)
    by_map = background.adapt(texts["a"], sigma2=0.3)
    assert learned.weights == pytest.approx(by_map.weights, abs=2e-3)


def test_an_adapter_holds_what_changed(texts, tmp_path):
    background = CandidateModel.fit(texts["b"], sigma2=1.0)
    adapted = background.adapt(texts["a"], sigma2=0.3)
    background.save(tmp_path / "b.model")
    save_adapter(adapted, background, tmp_path / "b.model", tmp_path / "a.model")
    same = load_model(tmp_path / "a.model")
    assert (same.features, same.info) == (adapted.features, adapted.info)
    assert (same.weights == adapted.weights).all()


@pytest.mark.parametrize(
    ("part", "value"),
    [("weights", np.zeros(2)), ("weights", np.full(6, np.nan)), ("features", ["1"] * 6),
     ("learning", {"target": "best"}), ("learning", {"most_candidates": 1}),
     ("learning", {"strange": 1})],
)  # fmt: skip
def test_a_damaged_file_is_refused(part, value, sets, tmp_path):
    header, arrays, lists = CandidateModel.fit(sets).to_parts()
    for parts in (header, arrays, lists):
        if part in parts:
            parts[part] = value
    write_parts(tmp_path / "a.model", "candidates", header, arrays, lists)
    with pytest.raises(InputError, match="damaged"):
        load_model(tmp_path / "a.model")


def test_a_model_comes_back_from_its_file(sets, tmp_path):
    model = CandidateModel.fit(sets, sigma2=1.0, learning=Learning("gold", most_candidates=3))
    model.save(tmp_path / "a.model")
    same = load_model(tmp_path / "a.model")
    assert (same.features, same.learning, same.info) == (model.features, model.learning, model.info)
    assert (same.weights == model.weights).all()
    assert same.content_hash() == model.content_hash()
