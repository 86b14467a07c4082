"""The tables and figure 1 of Chelba & Acero (2004) on tiny texts, and their sentences."""

import pytest
from table_rows import rows_of

from workbench.evaluation.significance import mcnemar
from workbench.experiments.papers import ca04_paper
from workbench.experiments.papers.ca04 import stand_ins


def test_table_1_counts_words(tables, background_corpus, domains):
    first, talk, abc = tables["1"].rows
    assert first["train"] == len(background_corpus)
    assert talk["dev"] == len(domains["talk"]["dev"])
    assert (first["paper_train"], talk["paper_train"], abc["paper_train"]) == (
        20_000_000, 73_000, 25_000,
    )  # fmt: skip


def test_table_2_grows_with_the_text(tables):
    for model in ("1-gram", "MEMM"):
        sizes = [row["parameters"] for row in rows_of(tables, "2", model=model)]
        assert len(sizes) == 3
        assert sizes == sorted(sizes)


def test_tables_2_and_3_stop_at_the_ends_of_sentences(tables, background_corpus):
    name = ca04_paper.IN_DOMAIN
    words = [row["words"] for row in rows_of(tables, "3", model="MEMM", tested_on=name)]
    assert words[-1] == len(background_corpus)
    assert set(words) <= set(background_corpus.starts.tolist())
    assert 200 <= words[0] < 215


def test_table_3_holds_the_errors_of_the_models(tables, study, in_domain):
    name = ca04_paper.IN_DOMAIN
    *_, unigram, row = rows_of(tables, "3", tested_on=name)
    wrong = study.memm().tag(in_domain) != in_domain.tags
    assert row["error"] == wrong.mean()
    before = study.unigram().tag(in_domain) != in_domain.tags
    assert unigram["error"] == before.mean()
    assert row["p"] >= mcnemar(before, wrong).p_value  # corrected
    assert row["paper"] is None  # these are no 20 million words


def test_table_3_has_a_cell_for_each_model_amount_and_text(tables):
    cells = [(r["tested_on"], r["model"], r["words"]) for r in tables["3"].rows]
    assert len(set(cells)) == len(cells) == 18


@pytest.mark.parametrize(
    ("words", "amount"),
    [(21_000_326, 20_000_000), (2_312_207, None), (2_000_034, 2_000_000), (500, None)],
)
def test_the_papers_figures_stand_beside_like_amounts_alone(words, amount):
    assert ca04_paper.amount_of_paper(words) == amount


def test_table_4_counts_new_features(tables):
    for domain in ("talk", "bn-abc"):
        none, five, every = rows_of(tables, "4", domain=domain)
        assert none["new"] == 0 <= five["new"] <= every["new"]
        assert every["features"] == every["background"] + every["new"]
    assert rows_of(tables, "4", domain="talk")[1]["paper_new"] == 159
    assert "paper" not in rows_of(tables, "4", domain="bn-abc")[1]


def test_table_5_marks_the_best_of_every_cutoff(tables):
    rows = tables["5"].rows
    for cutoff in ("none", "5", "0"):
        chosen = [row for row in rows if row["cutoff"] == cutoff]
        assert [row["best"] for row in chosen].count("best") == 1
        best = next(row for row in chosen if row["best"])
        assert best["dev_accuracy"] == max(row["dev_accuracy"] for row in chosen)
        likelihoods = [row["log_likelihood"] for row in chosen]
        assert likelihoods == sorted(likelihoods)
        assert [row["sigma2"] for row in chosen] == sorted({row["sigma2"] for row in rows})


def test_table_6_holds_the_papers_matrix_beside_ours(tables):
    rows = {(row["trained_on"], row["tested_on"]): row for row in tables["6"].rows}
    assert len(rows) == 8
    assert rows["talk", "bn-abc"]["paper"] == 0.024
    assert rows["talk", "bn-abc"]["paper_change"] == pytest.approx(1 / 3)
    assert rows["bn-abc", "talk"]["paper"] == 0.017
    assert rows["1-gram", "talk"].get("change") is None


def test_figure_1_has_the_background_beside_it(tables):
    assert len({row["background"] for row in tables["figure1"].rows}) == 1
    assert [row["sigma2"] for row in tables["figure1"].rows][-1] == 100


@pytest.mark.parametrize(
    ("names", "stands_for"),
    [
        (["bn-abc", "bn-cnn"], {"bn-abc": "BN-ABC", "bn-cnn": "BN-CNN"}),
        (["mail", "bn-cnn"], {"bn-cnn": "BN-CNN", "mail": "BN-ABC"}),
        (["a", "b", "c"], {"a": "BN-CNN", "b": "BN-ABC"}),
    ],
)
def test_domains_stand_for_the_papers_by_name_or_by_place(names, stands_for):
    assert stand_ins(names) == stands_for


# --- sentences ----------------------------------------------------------------------------


def cell(trained_on, tested_on, change, says):
    told = {"told": f"{change:+.0%}", "told_unigram": "-50%"}
    return {"trained_on": trained_on, "tested_on": tested_on, "says": says, **told}


OWN = [cell("a", "a", -0.4, "gain is significant"), cell("b", "b", -0.2, "gain is significant")]
A_ON_B = cell("a", "b", 0.3, "loss is significant") | {"paper_change": 0.33}
B_ON_A = cell("b", "a", -0.1, "gain is not significant") | {"paper_change": -0.23}


def test_negative_transfer_is_named_with_its_direction():
    sentence = ca04_paper.judge_matrix([*OWN, A_ON_B, B_ON_A])
    assert sentence.startswith("As in the paper, adaptation to a domain's own text")
    assert "in 2 of 2" in sentence
    assert sentence.endswith(
        "As in the paper, there is negative transfer, errors above the background's, in one "
        "direction: adapted to a and tested on b: +30% (paper: +33%); not so: "
        "adapted to b and tested on a: -10% (paper: -23%)."
    )


def test_negative_transfer_the_other_way_is_unlike_the_paper():
    rows = [
        A_ON_B | {"says": "gain is significant", "told": "-30%"},
        B_ON_A | {"says": "loss is significant", "told": "+10%"},
    ]
    sentence = ca04_paper.judge_matrix([*OWN, *rows])
    assert "Unlike in the paper, there is negative transfer" in sentence
    assert "in one direction: adapted to b and tested on a: +10% (paper: -23%); not so:" in sentence
    both = ca04_paper.judge_matrix([*OWN, A_ON_B, rows[1]])
    assert "in 2 directions: adapted to a and tested on b: +30%" in both
    assert "not so" not in both


def test_what_is_not_significant_is_neither_like_nor_unlike_the_paper():
    rows = [cell("a", "a", -0.4, "gain is not significant"), cell("b", "a", 0.0, "x")]
    sentence = ca04_paper.judge_matrix(rows)
    assert sentence.startswith("Adaptation to a domain's own text")
    assert sentence.endswith(
        "No model adapted to one domain is significantly worse than the background on another: "
        "adapted to b and tested on a: +0%."
    )
    chance = {"says": "gain is not significant", "p": 0.066, "a_word": -0.01, "told": "-3%"}
    rows = [chance | {"cutoff": cutoff, "best": "best", "dev_accuracy": 0.99}
            for cutoff in ("none", "5", "0")]  # fmt: skip
    assert "n the paper, all new" not in ca04_paper.judge_likelihoods(rows)


def point(sigma2, dev, likelihood):
    return {"sigma2": sigma2, "dev_error_rate": dev, "log_likelihood": likelihood,
            "background": 0.03, "p": 0.01 if dev > 0.01 else 1.0}  # fmt: skip


@pytest.mark.parametrize(
    ("points", "starts", "holds"),
    [
        ([(0.1, 0.02, -9), (1, 0.01, -5), (10, 0.015, -1)], "As", "As in the paper, the dev"),
        ([(0.1, 0.01, -9), (1, 0.03, -5), (10, 0.04, -1)], "As", "The dev error has its minimum"),
        ([(0.1, 0.02, -9), (1, 0.01, -10), (10, 0.04, -1)], "Unlike", "does not always rise"),
    ],
)
def test_the_shape_of_figure_1_is_judged(points, starts, holds):
    sentence = ca04_paper.judge_curve([point(*each) for each in points])
    assert sentence.startswith(starts)
    assert holds in sentence
