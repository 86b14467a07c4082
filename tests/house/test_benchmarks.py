"""The benchmarks run, on tiny text: their figures mean nothing here, their checks do."""

import json
import math
import sys
from contextlib import ExitStack, nullcontext
from functools import cache
from itertools import chain

import numpy as np
import pytest

from benchmarks import accuracy, beyond, cluster, measure, neural_rival, scale, table
from benchmarks import load as service_load
from benchmarks.__main__ import FAMILIES, main
from benchmarks.browser import page
from benchmarks.measure import Row, Target
from benchmarks.rivals import crfsuite, neural, scipy_numpy
from workbench.adaptation.adaptation import Adaptation
from workbench.adaptation.unknown_words import learn_unknown_words
from workbench.features.templates import find_templates, predicates_of
from workbench.models.memm import MEMM
from workbench.text.corpus import Corpus
from workbench.text.sets.registry import load

# Families that begin processes, together where they may share them.
APART = [["files"], ["memory"], ["cluster", "studies"], ["page", "title"]]
HERE = sorted(FAMILIES.keys() - {*chain(*APART)})  # share the texts and their model


@pytest.fixture
def begun_once(monkeypatch):
    """Workers and servers of pages that families of one run share."""
    with ExitStack() as stack:
        monkeypatch.setattr(page, "_serve", _keep(page._serve, stack))
        workers = _keep(cluster.workers, stack)
        for module in (beyond, cluster):
            monkeypatch.setattr(module, "workers", workers)
        yield


def _keep(begin, stack):
    """Return a context that ends with the stack, and which is the same for like arguments."""
    begun = cache(lambda *arguments: stack.enter_context(begin(*arguments)))
    return lambda *arguments: nullcontext(begun(*arguments))


@pytest.mark.parametrize("families", [HERE, *APART], ids=["here", *map("-".join, APART)])
@pytest.mark.usefixtures("begun_once")
def test_every_row_runs(families, capsys):
    main(["--quick", "--json", "--only", *families])
    result = json.loads(capsys.readouterr().out)
    assert result["quick"]
    assert len(result["rows"]) >= len(families)
    for row in result["rows"]:
        assert row["met"] in (True, False, None)
        assert row["figure"] is None or row["figure"] > 0
        assert row["ours"] or "left out" in row["rival"] + row["note"]


def test_the_table_says_what_is_met(capsys):
    main(["--quick", "--only", "pass"])
    out = capsys.readouterr().out
    assert "gradient pass, one thread" in out
    assert "met |" in out
    assert "cores" in out


def test_a_rival_that_is_not_installed_is_said_and_leaves_no_verdict():
    module, name = measure.find_rival("no_such_module", "no-such-rival")
    row = Row("training", (), (), "s", name, measure.ratio((), ()), Target(">=", 30, "×"))
    assert module is None
    assert row.is_met is None
    assert row.to_json()["figure"] is None
    assert "no-such-rival: not installed" in table.render([row])


def test_a_percentile_is_one_of_the_values_and_ratios_are_taken_round_by_round():
    assert measure.percentile(range(1, 101), 95) == 95
    assert measure.percentile([3.0, 1.0], 95) == 3.0
    assert measure.percentile([3.0, 1.0, 2.0], 50) == 2.0
    assert measure.ratio((10.0, 30.0, 20.0), (1.0, 2.0, 1.0)) == 15.0


def test_a_simulated_training_on_one_worker_takes_what_its_parts_take(rng):
    costs = scale.Costs(word=1, row=2, select=3, event=4, step=5, byte=0, round=6, task=7, pair=8)
    small, large = scale.Sizes(5, 1, 2.5, 1.5, 4), scale.Sizes(10, 2, 5, 3, 4)
    found = scale.simulate(costs, small, large, 10, 1, rng)
    assert found == pytest.approx((10, 2 * 3, 8, 4 * 5 * 4, 4 * (6 + 7), 4 * 3 * 5, 0), rel=1e-6)


def test_without_their_rivals_families_say_so(capsys, monkeypatch):
    for module in ("sklearn.linear_model", "pycrfsuite", "playwright.sync_api"):
        monkeypatch.setitem(sys.modules, module, None)
    main(["--quick", "--json", "--only", "sklearn", "crfsuite", "tagging", "page"])
    rows = json.loads(capsys.readouterr().out)["rows"]
    said = [row for row in rows if "left out" in row["rival"] + row["note"]]
    for left_out, n in {"scikit-learn": 1, "python-crfsuite": 4, "Playwright": 2}.items():
        assert sum(left_out in row["rival"] + row["note"] for row in said) == n
    for row in said:
        assert (row["theirs"], row["figure"], row["met"]) == ([], None, None)


@pytest.mark.parametrize(
    ("target", "figure", "verdict"),
    [
        (Target(">=", 30, "×"), 30.0, True),
        (Target(">=", 30, "×"), 29.9, False),
        (Target("<=", 90, "s"), 90.0, True),
        (Target("<=", 90, "s"), 90.1, False),
        (Target("<=", 90, "s"), math.nan, None),
    ],
)
def test_verdicts(target, figure, verdict):
    assert target.verdict(figure) is verdict


# --- the rivals' side ----------------------------------------------------------------------


def test_crfsuite_gets_the_word_predicates_of_our_templates():
    templates = [template for template in find_templates("ca04") if not template.n_tags]
    words = ["primetime", "is", "on", "a", "b.c."]
    expected = [sorted(predicates_of(templates, words, i, ())) for i in range(len(words))]
    assert [sorted(given) for given in crfsuite.attributes(words)] == expected


@pytest.fixture
def problem(background, adaptation_corpus):
    return Adaptation(background, adaptation_corpus, 0)


def test_the_plain_objective_and_its_maximum_are_ours(problem, background, adaptation_corpus, rng):
    rival = scipy_numpy.PlainAdaptation(background, adaptation_corpus, problem.problem.features)
    weights = problem.problem.mean + rng.normal(size=problem.problem.n_active)
    log_likelihood, ascent = problem.problem.log_likelihood(weights)
    penalty, pull = problem.prior(2.0).penalty(weights)
    cost, gradient = rival.cost(weights, 2.0)
    assert cost == pytest.approx(penalty - log_likelihood, rel=1e-6)
    assert gradient == pytest.approx(pull - ascent, rel=1e-4, abs=1e-4)
    objective = problem.fit(1.0, tolerance=1e-8).objective
    reached = rival.maximise(problem.problem.mean, 1.0, objective)
    assert -rival.cost(reached, 1.0)[0] >= objective
    assert rival.maximise(reached, 1.0, objective) is reached


def test_plain_decoding_gives_our_tags(problem, background, few_sentences):
    model = problem.model(problem.fit(1.0), 1.0)
    features = problem.problem.features
    text = scipy_numpy.PlainText(few_sentences, background.templates, features)
    assert np.array_equal(text.tag(model.weights), model.tag(few_sentences))


# --- the service under load ----------------------------------------------------------------


def test_the_service_under_load_answers_each_client_its_own(
    place, monkeypatch, adaptation_corpus, capsys
):
    monkeypatch.setattr(service_load, "load", lambda _: adaptation_corpus)
    model = str(place / "news.model")
    assert service_load.main([model, "--clients", "3", "--seconds", "0.5"]) == 0
    first, second, third, fourth = capsys.readouterr().out.splitlines()
    assert int(first.split()[0].replace(",", "")) >= 3
    assert second == "error 0, wrong 0, cross-talk 0"
    assert third.startswith("time of an answer: p50 ")
    assert " MB at the start" in fourth


@pytest.mark.parametrize(("status", "answer", "what"), [
    (200, "Rome", "right"), (200, "Oslo", "cross-talk"), (200, "rome", "wrong"),
    (503, "Rome", "error"),
])  # fmt: skip
def test_an_answer_is_judged_by_what_others_were_to_get(status, answer, what):
    assert service_load.judge(status, answer, "Rome", {"Rome", "Oslo"}) == what


def test_every_tool_has_a_column_with_a_row_of_each_domain(tmp_path, capsys):
    texts = {"train": "The FBI and Diane left New York .\nThe shares rose .\n" * 20}
    texts |= {part: "Diane left the FBI .\nThe iPhones rose .\n" for part in ("dev", "test")}
    for name in ("news", "mail"):
        (tmp_path / name).mkdir()
        for part, text in texts.items():
            (tmp_path / name / f"{part}.txt").write_text(text)
    accuracy.main([str(tmp_path / "news"), str(tmp_path / "mail"), "--both"])
    printed = capsys.readouterr().out.split("\n\n")[0].splitlines()
    tools, _, cells = (line.strip("| ").split(" | ") for line in printed)
    rates = dict(zip(tools[1:], cells[1:], strict=True))
    ours = {f"{own}`{name}`{end}" for name in ("ca04", "best")
            for own, end in (("ours, ", ""), ("", ", adapted"))}  # fmt: skip
    assert ours <= set(rates)
    assert all(rate.endswith(" %") for rate in rates.values())
    news = load(tmp_path / "news")
    model = learn_unknown_words(MEMM.fit(news, "ca04"), news)
    written = texts["test"].split()
    recased = model.recase(texts["test"].lower()).split()
    wrong = sum(a != b for a, b in zip(recased, written, strict=True))
    assert rates["ours, `ca04`"] == f"{100 * wrong / len(written):.2f} %"


def test_ours_stands_beside_crfsuite_of_the_same_texts():
    tools = {"CRFsuite": [1, 1, 0], "CRFsuite, both texts": [0, 1, 0], "ours, `a`": [0, 1, 1],
             "`a`, adapted": [0, 0, 0], "`truecase`": [0, 0, 0]}  # fmt: skip
    cells = accuracy._beside_crfsuite({name: np.array(w, bool) for name, w in tools.items()})
    assert cells == {
        "ours, `a`, for CRFsuite": "1 / 1, p = 1.000",
        "`a`, adapted, for CRFsuite, both texts": "1 / 0, p = 1.000",
    }


# --- the neural rival ----------------------------------------------------------------------


def test_the_capitals_of_a_text_write_it_again():
    sentences = [["McDonald", "'s", "iPhone", "mails", "Ann@AOL.com", "to"], ["NATO", "and", "a"]]
    corpus = Corpus.from_sentences([sentence * 3 for sentence in sentences])
    text = neural.characters_of(corpus, neural.alphabet_of(corpus))
    words = [word for i in range(corpus.n_sentences) for word in corpus.sentence(i)]
    changed = [word != word.lower() for word in words]
    kept = [word == "Ann@AOL.com" for word in words]  # an address stays in lower case
    assert neural.wrong_words(corpus, text, text.capital).tolist() == kept
    assert neural.wrong_words(corpus, text, np.zeros_like(text.capital)).tolist() == changed


def test_batches_have_each_sentence_once(adaptation_corpus, rng, monkeypatch):
    monkeypatch.setattr(neural, "_CHARACTERS", 200)
    text = neural.characters_of(adaptation_corpus, {"e": 2})
    for order in (None, rng):
        batches = neural.batches_of(text, order)
        assert sorted(np.concatenate(batches)) == list(range(adaptation_corpus.n_sentences))
        assert len(batches) > 4


def test_without_pytorch_the_neural_rival_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(SystemExit, match="torch: not installed"):
        neural_rival.main(["scientific-docs", "nltk-docs"])
