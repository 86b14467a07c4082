"""Feature bags: weights averaged with those of models of fewer templates."""

import oracles
import pytest

from workbench.adaptation.unknown_words import average_bags, bags_of, learn_unknown_words
from workbench.features.templates import find_templates
from workbench.models.kinds import load_model
from workbench.models.memm import MEMM

CA04 = [template.name for template in find_templates("ca04")]
ALONE = [name for name in CA04 if name not in ("previousword", "nextword")]
WORD = [name for name in ALONE if name not in ("t-1", "t-1,2")]


def average(of_all, *of_bags):
    """The weights, by predicate and tag: two fifths of the one and a fifth of each of three."""
    shares = zip((of_all, *of_bags), (0.4, 0.2, 0.2, 0.2), strict=True)
    parts = [(oracles.weights_of(model), share) for model, share in shares]
    return {pair: sum(s * w.get(pair, 0.0) for w, s in parts) for pair in parts[0][0]}


@pytest.mark.parametrize("templates", ["best", "extended unpunctuated"])
def test_bags_are_the_papers_templates_then_without_neighbours_then_without_tags(templates):
    bags = bags_of(find_templates(templates))
    assert [[template.name for template in bag] for bag in bags] == [CA04, ALONE, WORD]


@pytest.mark.parametrize("templates", ["ca04", "ca04 unpunctuated", "extended -nextword"])
def test_some_templates_have_no_bags(templates):
    assert bags_of(find_templates(templates)) == []


def test_weights_are_those_of_all_templates_and_of_the_bags_averaged(background_corpus):
    def fit(templates):
        return learn_unknown_words(MEMM.fit(background_corpus, templates, cutoff=2), text)

    text = background_corpus
    averaged = average_bags(fit("best"), fit)
    expected = average(*map(fit, ("best", CA04, ALONE, WORD)))
    assert oracles.weights_of(averaged) == pytest.approx(expected, abs=1e-12)


@pytest.mark.usefixtures("outside")
def test_train_averages_bags_unless_told_not_to(run, place, tmp_path):
    def train(*options):
        path, further = tmp_path / "a.model", ("--templates", "extended", "--cutoff", "2")
        assert run("train", place / "news.txt", "-o", path, *further, *options)[0] == 0
        return oracles.weights_of(load_model(path))

    averaged, paper = train(), train("--unknown-words", "none")
    shapes = {pair: w for pair, w in averaged.items() if pair[0].startswith("shape=")}
    assert shapes
    assert shapes == pytest.approx({pair: 0.4 * paper[pair] for pair in shapes}, abs=1e-9)
    words = [pair for pair in paper if pair[0].startswith("currentword=")]
    assert any(averaged[pair] != 0.4 * paper[pair] for pair in words)
