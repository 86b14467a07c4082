"""Hyper-parameters by gradient: each derivative beside refits, and the search that uses them."""

import numpy as np
import pytest
from hypergradients import check_hypergradient

from workbench.adaptation import tied_variances
from workbench.adaptation.method import Sources, Split
from workbench.adaptation.methods import hierarchy
from workbench.adaptation.methods.hierarchy import Hierarchy
from workbench.experiments.gradient_search import search_by_gradient
from workbench.experiments.method_rows import join_classes
from workbench.models.crf import CRF
from workbench.text.errors import InputError

OPTIONS = {"templates": "ca04", "cutoff": 1, "sigma2": 5.0}
FAR = 1e-13
SOME = (
    "sigma2_g.word", "sigma2_a.neighbours", "sigma2_s.suffixes", "sigma2_t.word", "sigma2_b.tags",
    "text_weight.2", "weight",
)  # fmt: skip


@pytest.fixture(scope="module", params=["memm", "crf"])
def problem(request, background_corpus, adaptation_parts):
    """A tree of two genres over three background texts and the domain, of either kind of model."""
    options = {"model": CRF} if request.param == "crf" else {}
    train, dev = adaptation_parts["train"], adaptation_parts["dev"]
    texts = {"begins": (15, 30), "genres": ("a", "b", "a", "b")}
    return Hierarchy(Sources(Split(background_corpus, train, dev, OPTIONS, **texts, **options)))


@pytest.fixture
def dev(adaptation_parts):
    return adaptation_parts["dev"]


def test_the_hypergradient_is_how_the_held_out_likelihood_moves(problem, dev, monkeypatch):
    """Foo, Do & Ng (2007): derivatives without a fit, beside differences of two fits each."""
    monkeypatch.setattr(hierarchy, "LEFT_OUT", 0.0)
    monkeypatch.setattr(tied_variances, "_TOLERANCE", 1e-9)
    start = problem.fit(tolerance=FAR, **problem.start).weights

    def refit(**values):
        return problem.fit(start, tolerance=FAR, **values)

    check_hypergradient(problem, dev, refit, SOME)


def test_the_hessian_of_a_tree_is_that_of_the_gradient(problem):
    tree = problem.tree.weighted([1.0, 0.5, 2.0, 3.0])
    rng = np.random.default_rng(4)
    at, direction = (rng.normal(0, 0.3, tree.n_parameters) for _ in "ab")
    product, nothing, step = np.empty_like(at), np.zeros_like(at), 1e-5
    inner = tree.hessian(at).multiply(direction, nothing, product)
    moved = (tree(at - step * direction)[1] - tree(at + step * direction)[1]) / (2 * step)
    np.testing.assert_allclose(product, moved, atol=1e-5)
    assert inner == pytest.approx(direction @ product)
    assert tree.rises(at, direction).sum() == pytest.approx(direction @ tree(at)[1])
    np.testing.assert_allclose(tree.hessian(at).diagonal, tree.curvature(at), atol=1e-9)


def test_a_search_starts_where_the_problem_says_and_ends_where_dev_is_more_likely(problem, dev):
    seen = []
    best = search_by_gradient([(problem, dev)], on_try=seen.append)
    assert seen[0] == pytest.approx(problem.start)
    assert best.values in seen
    assert 2 < best.n_tried == len(seen) <= 100
    first = search_by_gradient([(problem, dev)], given=problem.start)
    assert (first.n_tried, first.values) == (1, problem.start)
    assert best.cost < first.cost - 1e-3
    model = problem.model(*best.fits, **best.values)
    assert best.n_wrong == (model.tag(dev) != dev.tags).sum()
    assert model.info["sigma2_t.word"] == best.values["sigma2_t.word"]


def test_an_exception_ends_a_search(problem, dev):
    class Enough(Exception):
        pass

    def stop(values):
        raise Enough

    with pytest.raises(Enough):
        search_by_gradient([(problem, dev)], on_try=stop)


def test_what_is_given_is_not_searched(problem, dev):
    given = {"sigma2_g": 2.0, "sigma2_s.word": 0.7, "text_weight": 1.0}
    best = search_by_gradient([(problem, dev)], given)
    names = {name.split(".")[0] for name in best.values.keys() - given.keys()}
    assert names == {"sigma2_a", "sigma2_b", "sigma2_s", "sigma2_t", "weight"}
    variances = problem.prior(**best.values).sigma2
    general = variances[problem.tree.nodes["general"]]
    assert (general == 2.0).sum() > 100
    with pytest.raises(InputError, match=r"sigma2_s.word 0: a finite number greater than 0"):
        search_by_gradient([(problem, dev)], given | {"sigma2_s.word": 0})


def test_held_out_text_is_read_after_the_tags_that_were_decided(sources, adaptation_parts):
    """The log-likelihood beside that of plain contexts with these tags."""
    problem, text = Hierarchy(sources), adaptation_parts["dev"]
    fit = problem.refit()
    model, weights = problem.model(fit), problem.domain_weights(fit)
    decided = model.tag(text)
    wrong = np.where(np.arange(len(text)) % 3, decided, (decided + 1) % len(text.tag_names))
    for tags in (decided, wrong.astype(np.int8), text.tags):
        log_likelihood, places = problem.problem.likelihood_after(text, tags)
        p = model.local_probabilities(text, tags)[np.arange(len(text)), text.tags]
        assert log_likelihood(weights[places])[0] == pytest.approx(np.log(p).sum(), rel=1e-6)


def test_values_of_classes_are_joined_by_their_geometric_mean():
    values = {"sigma2_g.word": 2.0, "sigma2_g.tags": 8.0, "weight": 3.0, "templates": "ca04"}
    joined = {"sigma2_g": pytest.approx(4.0), "weight": 3.0, "templates": "ca04"}
    assert join_classes(values) == joined
