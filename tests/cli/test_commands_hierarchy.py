"""``train --adapt``: a domain's model, fitted together with several texts, as a file."""

import numpy as np
import pytest

from workbench.adaptation.method import Sources, Split
from workbench.adaptation.methods.hierarchy import Hierarchy
from workbench.adaptation.unknown_words import learn_unknown_words
from workbench.models.kinds import load_model
from workbench.text.corpus import join_each
from workbench.text.readers import read_corpus

pytestmark = pytest.mark.usefixtures("outside")


@pytest.fixture
def texts(place, output):
    """Two background texts, a domain, and where its model goes; every feature counts."""
    news, second, talk = place / "news.txt", place / "talk" / "dev.txt", place / "talk"
    return news, second, "--adapt", talk, "--cutoff", "1", "-o", output


def test_train_writes_the_model_of_a_hierarchy_at_given_variances(run, place, texts, output):
    given = "general=3,new=1,text=0.2,domain=0.5"
    status, printed, message = run("train", *texts, "--sigma2", given, "--weights", "2")
    assert (status, printed) == (0, ""), message
    assert "fitted as a hierarchy" in message
    first, second, domain = (read_corpus([text], "train") for text in (*texts[:2], place / "talk"))
    corpus, begins = join_each("both", [first, second])
    options = {"templates": "ca04", "cutoff": 1, "sigma2": 5.0}
    split = Split(corpus, domain, domain, options, begins=tuple(begins))

    def train(split, _):
        background = split.model.fit(split.background, **split.options)
        return learn_unknown_words(background, split.background)

    sigma2s = {"sigma2_g": 3.0, "sigma2_a": 1.0, "sigma2_s": 0.2, "sigma2_t": 0.5}
    expected = Hierarchy(Sources(split, train)).learn(weight=2.0, **sigma2s)
    model = load_model(output)
    np.testing.assert_array_equal(model.weights, expected.weights)
    assert (model.info["method"], model.info["sigma2_s"]) == ("hierarchy", 0.2)
    assert run("recase", output, place / "talk" / "test.txt")[0] == 0


def test_levels_that_are_not_given_are_searched_and_a_tree_adds_one(run, place, texts, output):
    tree = place / "genres.toml"
    tree.write_text(f'news = ["{texts[0]}"]\nspeech = ["{texts[1]}", "domain"]\n')
    given = "--sigma2", "general=10,new=1,text=0.3,domain=1", "--dev", place / "talk"
    message = run("train", *texts, *given, "--tree", tree, "--force")[2]
    assert "sigma2 general=10,new=1,genre=" in message
    assert message.startswith("weights ")
    assert "errors in 60 words of dev" in message
    printed = run("inspect", output)[1]
    assert "\n  sigma2_t             1\n" in printed
    assert {"sigma2_b.word", "text_weight.2"} <= set(printed.split())
