"""The commands train and adapt: their options, and where a model may go."""

import re

import pytest
from command_texts import grid

from workbench.adaptation.method import fold
from workbench.models.kinds import load_model
from workbench.models.memm import MEMM
from workbench.text.readers import read_corpus

pytestmark = pytest.mark.usefixtures("outside")


def test_train_takes_its_options_and_several_texts(run, place, output):
    options = ("--cutoff", "2", "--sigma2", "0.5")
    assert run("train", place / "news.txt", "-o", output, *options)[0] == 0
    info = load_model(output).info
    assert (info["cutoff"], info["sigma2"]) == (2, 0.5)
    options = ("--model", "1gram", "--unseen", "cap")
    assert run("train", place / "news.txt", "-o", output, *options)[0] == 0
    assert load_model(output).unseen == "cap"
    status, _, message = run("train", place / "news.txt", place / "talk", "-o", output)
    assert status == 0
    assert "of 558 words" in message
    options = ("--templates", "ca04 +shape -nextword -t-1,2")
    assert run("train", place / "news.txt", "-o", output, *options)[0] == 0
    names = [template.name for template in load_model(output).templates]
    assert "shape" in names
    assert not {"nextword", "t-1,2"} & set(names)
    printed = run("compare", *grid(place, *options, "--methods", "background"))[1]
    assert "templates ca04 +shape -nextword -t-1,2" in printed
    options = ("--prior", "exponential", "--alpha", "0.2")
    assert run("train", place / "news.txt", "-o", output, *options)[0] == 0
    assert load_model(output).info["alpha"] == 0.2
    run("train", place / "news.txt", "-o", output, "--prior", "exponential")
    assert load_model(output).info["alpha"] == 0.3
    run("train", place / "news.txt", "-o", output, "--solver", "iis", "--sigma2", "0.1")
    info = load_model(output).info
    assert (info["prior"], info["sigma2"], info["solver"]) == ("gaussian", 0.1, "iis")


def test_adapt_takes_its_options_and_cross_validates_without_dev(run, place, output):
    message = run("adapt", place / "news.model", place / "talk", "-o", output, "--sigma2", "0.3")[2]
    assert "sigma2 0.3, " in message
    assert load_model(output).info["sigma2"] == 0.3
    message = run("adapt", place / "news.model", place / "talk", "-o", output)[2]
    assert "errors in 58 words of 5-fold cross-validation" in message
    options = ("--sigma2", "1", "--cutoff", "none")
    message = run("adapt", place / "news.model", place / "talk", "-o", output, *options)[2]
    assert ", 0 new features" in message
    assert load_model(output).info["cutoff"] is None
    talk = place / "talk"
    options = ("--prior", "exponential", "--dev", talk, "--force")
    message = run("adapt", place / "news.model", talk, "-o", output, *options)[2]
    assert re.search(r", alpha [\d.]+ \(\d+ errors in 60 words of dev\)", message)
    assert load_model(output).info["method"] == "map-exponential"
    options = ("--prior", "exponential", "--alpha", "0.5", "--cutoff", "none")
    message = run("adapt", place / "news.model", talk, "-o", output, *options)[2]
    assert message.endswith(", alpha 0.5, 0 new features\n")
    run("adapt", place / "news.model", talk, "-o", output, "--sigma2", "0.1", "--solver", "iis")
    assert load_model(output).info["solver"] == "iis"


def test_adapt_may_overwrite_its_background(run, place, output):
    output.write_bytes((place / "news.model").read_bytes())
    assert run("adapt", output, place / "talk", "-o", output, "--sigma2", "1")[0] == 0
    assert load_model(output).info["method"] == "map"


def test_the_variance_is_searched_on_dev_or_by_folds(run, place, output):
    own = "train", place / "news.txt", "-o", output, "--cutoff", "0"
    status, _, message = run(*own, "--sigma2", "auto", "--dev", place / "talk")
    (said, wrong) = message.split("\n")[0].split(" (")
    chosen = load_model(output)
    dev = read_corpus(place / "talk", "dev")
    assert (status, said) == (0, f"sigma2 {chosen.info['sigma2']:g}")
    assert int(wrong.split()[0]) == dev.count_wrong(chosen.tag(dev))
    for sigma2 in ("0.01", "30"):
        assert run(*own, "--sigma2", sigma2)[0] == 0
        assert dev.count_wrong(load_model(output).tag(dev)) >= int(wrong.split()[0])
    status, _, message = run("train", place / "news.txt", "-o", output, "--sigma2", "auto")
    news, chosen = read_corpus(place / "news.txt"), load_model(output)
    wrong = sum(
        held.count_wrong(MEMM.fit(rest, sigma2=chosen.info["sigma2"]).tag(held))
        for rest, held in fold(news)
    )
    said = re.match(r"sigma2 ([\d.]+) \((\d+) errors in 500 words of 5 folds\)", message)
    assert (status, float(said[1]), len(news)) == (0, chosen.info["sigma2"], 500)
    assert abs(int(said[2]) - wrong) <= 1  # fits that began elsewhere may tell a tie otherwise


@pytest.mark.filterwarnings("always")
def test_a_variance_that_holds_nothing_is_said_not_to_converge(run, place, output):
    for solver in ("lbfgs", "newton"):
        options = "--sigma2", "1e20", "--cutoff", "0", "--solver", solver
        message = run("train", place / "news.txt", "-o", output, *options)[2]
        assert message.startswith("workbench: warning: not converged after ")
        assert not load_model(output).info["converged"]
