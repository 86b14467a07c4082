"""How little data: nested samples, fits as by hand, and who leads with how much."""

import math
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest

from workbench.adaptation.adaptation import adapt
from workbench.experiments.amounts import (
    BACKGROUND,
    Amounts,
    _round,
    amounts_up_to,
    crossovers,
    describe_amount,
    order_of,
)
from workbench.experiments.session import Session
from workbench.models.crf import CRF
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError


@pytest.fixture(scope="module")
def session(background, unigram, adaptation_corpus):
    shares = {"train": np.arange(0, 26, 2), "dev": np.arange(1, 26, 2), "test": np.arange(1, 26, 4)}
    corpora = {part: adaptation_corpus.take(places) for part, places in shares.items()}
    return Session(background, unigram, corpora)


@pytest.fixture(scope="module")
def amounts(session):
    """All fits of two samples of each size."""
    made = Amounts(session, [1.0], n_seeds=2)
    list(made.run())
    return made


@pytest.mark.parametrize(
    ("n", "expected"),
    [(1, (1,)), (2, (2,)), (13, (2, 5, 10, 13)), (100, (2, 5, 10, 20, 50, 100)),
     (5863, (2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 5863))],
)  # fmt: skip
def test_amounts_are_round_and_end_with_all(n, expected):
    assert amounts_up_to(n) == expected


def test_each_seed_has_one_order_of_its_own_and_larger_samples_hold_smaller(
    session, adaptation_corpus
):
    made = Amounts(session, [1.0])
    texts = [
        {" ".join(c.sentence(i)) for i in range(c.n_sentences)}
        for c in (made.sample(1, n) for n in made.amounts)
    ]
    for smaller, larger in pairwise(texts):
        assert smaller < larger
    assert order_of(adaptation_corpus, 1).tolist() == order_of(adaptation_corpus, 1).tolist()
    assert order_of(adaptation_corpus, 1).tolist() != order_of(adaptation_corpus, 2).tolist()


def test_every_size_is_fitted_once_a_seed_and_all_the_data_once(amounts):
    samples = amounts.samples()
    counts = samples.groupby(["method", "n_sentences"]).size()
    assert counts.to_dict() == {
        (method, n): 1 if n == 13 else 2 for method in ("map", "target") for n in (2, 5, 10, 13)
    }
    assert amounts.missing == []


def test_curves_are_means_over_seeds_from_the_background_on_and_told_in_sentences(
    amounts, session, background
):
    table, samples = amounts.table(), amounts.samples()
    for row in table[table["method"] != BACKGROUND].itertuples():
        of = samples[
            (samples["method"] == row.method) & (samples["n_sentences"] == row.n_sentences)
        ]
        errors = of["error"].dropna()
        if len(errors):
            assert row.error == pytest.approx(sum(errors) / len(errors))
            assert (row.low, row.high) == (min(errors), max(errors))
        assert row.n_seeds == len(errors)
    dev = session.corpora["dev"]
    first = amounts.table().iloc[0]
    assert (first["method"], first["n_sentences"]) == (BACKGROUND, 0)
    assert first["error"] == (background.tag(dev) != dev.tags).mean()
    text = describe_amount(amounts.table(), 10)
    assert text.startswith("10 sentences, ")
    assert "in single samples)" in text
    assert describe_amount(amounts.table(), 0).startswith("Without adaptation data: background ")


def test_map_is_the_adaptation_to_the_sample(amounts, session, background):
    dev = session.corpora["dev"]
    for row in amounts.samples().itertuples():
        if row.method == "map" and not math.isnan(row.error):
            corpus = amounts.sample(row.seed, row.n_sentences)
            model = adapt(background, corpus, sigma2=1.0)
            assert row.error == (model.tag(dev) != dev.tags).mean()
            assert row.n_words == len(corpus)


def test_of_more_sigma2s_the_best_on_dev_counts(session):
    each = {}
    for sigma2 in (0.1, 10.0):
        made = Amounts(session, [sigma2], ["map"], n_seeds=1)
        each[sigma2] = [sample.error for sample in made.run()]
    best = [sample.error for sample in Amounts(session, [0.1, 10.0], ["map"], n_seeds=1).run()]
    assert best == [min(pair) for pair in zip(*each.values(), strict=True)]
    assert each[0.1] != each[10.0]


def test_a_crf_has_learning_curves_too(background_corpus, session):
    crf = CRF.fit(background_corpus, cutoff=0)
    made = Amounts(Session(crf, None, session.corpora), [1.0], n_seeds=1)
    samples = list(made.run())
    assert {sample.method for sample in samples} == {"map", "target"}
    dev, train = session.corpora["dev"], session.corpora["train"]
    whole = next(s for s in samples if s.method == "map" and s.n_sentences == 13)
    assert whole.error == (adapt(crf, train, sigma2=1.0).tag(dev) != dev.tags).mean()


def test_a_sample_without_a_capital_is_undefined(background, unigram, session):
    lower = [["it", "rained", "."]] * 9 + [["Apple", "rose", "."]]
    corpora = dict(session.corpora) | {"train": Corpus.from_sentences(lower)}
    alone = Session(background, unigram, corpora)
    made = Amounts(alone, [1.0], ["map"], n_seeds=1)
    list(made.run())
    table = made.table().set_index("n_sentences")
    assert math.isnan(table.loc[2, "error"])
    assert not math.isnan(table.loc[10, "error"])
    assert "map: too little to learn from" in describe_amount(made.table(), 2)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [(([], ["map"], 3), "one sigma2 and one seed"), (([1.0], ["map"], 0), "one sigma2 and one"),
     (([1.0], ["weighted"], 1), "method weighted: map, target"),
     (([1.0], ["nonsense"], 1), "method nonsense")],
)  # fmt: skip
def test_what_cannot_be_is_an_error_of_one_line(session, arguments, complaint):
    with pytest.raises(InputError, match=complaint):
        Amounts(session, *arguments)


# --- who leads ----------------------------------------------------------------------------


def curves(**errors):
    """Learning curves of errors at 10, 100 and 1000 sentences; the background's is a number."""
    rows = [(BACKGROUND, 0, errors.pop(BACKGROUND))]
    rows += [(name, 10 ** (k + 1), e) for name, own in errors.items() for k, e in enumerate(own)]
    return pd.DataFrame(rows, columns=["method", "n_sentences", "error"])


def lead(name, other, found):
    return next(c for c in found if {c.first, c.second} == {name, other})


def test_curves_cross_where_straight_lines_in_log_n_do_and_the_last_counts():
    found = crossovers(curves(map=[0.1, 0.1, 0.1], target=[0.3, 0.15, 0.05], background=0.5))
    crossing = lead("map", "target", found)
    assert crossing.n_sentences == pytest.approx(10**2.5)  # half way from 100 to 1000
    assert crossing.error == pytest.approx(0.1)
    assert (crossing.first, crossing.second) == ("map", "target")
    assert crossing.text == "map is ahead of target up to 320 sentences"
    found = crossovers(curves(map=[0.3, 0.1, 0.1], background=0.2))
    assert (
        lead("map", BACKGROUND, found).text == "map is ahead of the background from 32 sentences on"
    )
    found = crossovers(curves(map=[0.1, 0.1, 0.3], background=0.2))
    assert (
        lead("map", BACKGROUND, found).text == "map is ahead of the background up to 320 sentences"
    )
    found = crossovers(curves(map=[0.3, 0.1, 0.3], background=0.2))
    assert lead("map", BACKGROUND, found).first == "map"
    assert lead("map", BACKGROUND, found).n_sentences > 100


def test_crossovers_are_told_with_their_range_over_the_samples(amounts):
    samples, base = amounts.samples(), amounts.background_error
    by_hand = []
    for seed in range(2):
        own = samples[(samples["seed"] == seed) | (samples["n_sentences"] == 13)]
        errors = {name: rows.set_index("n_sentences")["error"].reindex([2, 5, 10, 13]).tolist()
                  for name, rows in own.groupby("method")}  # fmt: skip
        rows = [(BACKGROUND, 0, base)]
        for name, own_errors in errors.items():
            rows += [(name, *pair) for pair in zip((2, 5, 10, 13), own_errors, strict=True)]
        frame = pd.DataFrame(rows, columns=["method", "n_sentences", "error"])
        by_hand.append(crossovers(frame))
    found = amounts.crossovers()
    plain = crossovers(amounts.table())
    assert [c[:4] for c in found] == [c[:4] for c in plain]
    n_told = 0
    for told, short in zip(found, plain, strict=True):
        places = [lead(told.first, told.second, own).n_sentences for own in by_hand]
        crossed = sorted(place for place in places if not math.isnan(place))
        low, high = [*map(_round, crossed[:1] + crossed[-1:])] or (0, 0)
        ends = f" ({low if low == high else f'{low} to {high}'} in single samples)"
        if len(crossed) == 1:
            ends = f" (in 1 of 2 samples they cross, at {low})"
        doubt = amounts._doubt(told)
        assert told.text == short.text + (ends if crossed else "") + doubt
        n_told += bool(crossed)
    assert n_told


def test_what_dev_cannot_tell_apart_with_all_data_is_said(amounts):
    dev, sigma2 = amounts.dev, amounts.sigma2s[0]
    adapted = amounts.session.adaptation(0).at(sigma2).tags["dev"] != dev.tags
    before = amounts.session.background_tags("dev") != dev.tags
    fixed, broken = (before & ~adapted).sum(), (adapted & ~before).sum()
    p = binomtest(int(fixed), int(fixed + broken)).pvalue if fixed + broken else 1.0
    text = lead("map", BACKGROUND, amounts.crossovers()).text
    assert ("; with all data not clearly" in text) == (p >= 0.05)


def test_undefined_points_are_left_out():
    found = crossovers(curves(map=[math.nan, 0.3, 0.1], background=0.2))
    assert lead("map", BACKGROUND, found).n_sentences == pytest.approx(10**2.5)


def test_curves_that_do_not_cross_say_who_leads_or_that_they_are_equal():
    found = crossovers(curves(map=[0.1, 0.1, 0.1], target=[0.3, 0.2, 0.2], background=0.5))
    crossing = lead("map", "target", found)
    assert crossing.text == "map is ahead of target with every amount tried"
    assert math.isnan(crossing.n_sentences)
    assert lead("target", BACKGROUND, found).text.startswith(
        "target is ahead of the background with"
    )
    found = crossovers(curves(target=[0.5, 0.4, 0.3], background=0.2))
    assert [c.text for c in found] == ["the background is ahead of target with every amount tried"]
    found = crossovers(curves(map=[0.2, 0.2, 0.2], background=0.2))
    assert [c.text for c in found] == ["the background and map are equally good"]
