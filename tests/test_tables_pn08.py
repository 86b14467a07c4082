"""Tables 1 to 4 and figure 1 of Plank & van Noord (2008) on tiny texts, and their sentences."""

import pytest
from table_rows import OPTIONS, rows_of

from workbench.experiments import backgrounds
from workbench.experiments.papers import pn08, pn08_amounts
from workbench.experiments.papers.study import Study


def test_pn08_table_1_has_every_system_on_every_domain(tables):
    for domain in ("talk", "bn-abc"):
        rows = rows_of(tables, "pn08-1", tested_on=domain)
        assert [row["method"] for row in rows] == list(pn08.SYSTEMS)
        assert "says_target" not in rows[0]
        assert all(0 <= row["p_target"] <= 1 for row in rows[1:])
        assert rows[5]["paper_2005"] == 0.9819


def test_pn08_tables_2_and_4_are_parts_of_table_1(tables):
    of_1 = {(r["tested_on"], r["method"]): r for r in tables["pn08-1"].rows}
    for name, methods in (("pn08-2", pn08.CLASSES.systems), ("pn08-4", pn08.SUB_DOMAINS.systems)):
        rows = rows_of(tables, name, tested_on="talk")
        assert [row["method"] for row in rows] == list(methods)
        for row in rows:
            known = of_1.get((row["tested_on"], row["method"]), row)
            assert row["accuracy"] == known["accuracy"]
    assert "p_auxiliary" in rows_of(tables, "pn08-2", method="auxiliary-classes")[0]


@pytest.fixture(scope="module")
def share_study(adaptation_corpus, background_corpus):
    parts = dict.fromkeys(("train", "dev", "test"), adaptation_corpus)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(backgrounds, "model_folder", lambda: None)
        patch.setattr(pn08_amounts, "_FEWEST", 8)
        patch.setattr(pn08_amounts, "SHARES", (0.1, 0.5, 1.0))
        patch.setattr(pn08_amounts, "N_DRAWS", 4)
        yield Study(background_corpus, {"talk": parts}, options=OPTIONS)


def test_pn08_figure_1_is_of_random_draws(share_study):
    rows = pn08_amounts.make_shares(share_study)
    assert [(row["share"], row["draws"]) for row in rows] == [(0.5, 4), (1.0, 5)]
    assert rows[0]["words"] < rows[1]["words"]
    names = *pn08_amounts.LEARNERS, "background"
    assert all(0.5 < row[name] <= 1 for row in rows for name in names)
    assert rows[0]["target_spread"] > 0
    assert pn08_amounts.judge_shares(rows).endswith("signs over draws.")


def test_the_auxiliary_weight_is_drawn_to_0_by_a_prior_on_it(share_study):
    rows = pn08_amounts.make_weights(share_study)
    wide, tied = rows[:2]
    assert wide["share"] == tied["share"] == 0.5
    assert abs(tied["weight"]) < abs(wide["weight"])
    assert pn08_amounts.judge_weights(rows).startswith("At -1, and nothing else")


def test_a_smaller_share_is_part_of_a_larger_one(adaptation_corpus):
    small, large = (pn08_amounts.draw(adaptation_corpus, share, 3) for share in (0.3, 0.7))
    sentences = [
        {tuple(corpus.sentence(i)) for i in range(corpus.n_sentences)} for corpus in (small, large)
    ]
    assert sentences[0] < sentences[1]


# --- sentences ----------------------------------------------------------------------------


def test_pn08_is_judged_by_its_tests():
    accuracy = {"target": 0.9, "background": 0.8, "all": 0.95, "auxiliary": 0.89,
                "model-combination": 0.91, "equal-weights": 0.9}  # fmt: skip
    says = dict.fromkeys(accuracy, "no change") | {
        "background": "loss is significant", "all": "gain is significant",
    }  # fmt: skip
    rows = [{"tested_on": "a", "method": m, "system": pn08.SYSTEMS[m], "accuracy": x,
             "says_target": says[m]} for m, x in accuracy.items()]  # fmt: skip
    sentence = pn08.judge_methods(rows)
    assert sentence.startswith("As in the paper")
    assert "1 of 1, above it in 0. The highest accuracy has data combination" in sentence
    assert "data combination 1 and 0 of 1 (paper: higher in 2 of 5)" in sentence
    assert "model combination 0 and 0 of 1 (paper: higher in 4 of 5)" in sentence
    for says, starts in (("loss is not", "Where out-of-domain"), ("gain is", "Unlike in the")):
        rows[1]["says_target"] = f"{says} significant"
        assert pn08.judge_methods(rows).startswith(starts)


def test_too_little_text_for_shares_is_said():
    assert "too little text" in pn08_amounts.judge_shares([])
