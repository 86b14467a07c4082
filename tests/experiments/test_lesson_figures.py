"""The figures that lessons speak of, against counts made the long way round."""

import numpy as np
import pytest
from oracles import is_as_good
from scipy.sparse.linalg import LinearOperator, cg
from scipy.stats import binomtest

from workbench.adaptation.adaptation import adapt
from workbench.evaluation.number_words import probability_in_words
from workbench.evaluation.significance import bootstrap
from workbench.experiments.envelope import Envelope
from workbench.experiments.lessons.figures import LessonFigures
from workbench.experiments.session import Session, open_session
from workbench.features.predicates import names_of
from workbench.scrub.view import make_grid
from workbench.settings import CUTOFFS, SETTINGS, SIGMA2_GRID
from workbench.text.characters import join_words
from workbench.text.corpus import Corpus
from workbench.text.sets.registry import load


@pytest.fixture(scope="module")
def session(tiny_session):
    return tiny_session


@pytest.fixture(scope="module")
def figures(session):
    return LessonFigures(session)


@pytest.fixture(scope="module", params=["nltk-docs", "streamlit-docs", "altair-docs", "numba-docs"])
def of_docs(request):
    return LessonFigures(open_session("en-ca04", request.param))


# Of tests whose oracle takes long, and whose claim is of how figures are made, not of the texts.
one_pair = pytest.mark.parametrize("of_docs", ["nltk-docs"], indirect=True)


def wrong_words(session, sigma2, part="dev", cutoff=0):
    """Positions that an adapted model gets wrong, word by word."""
    tags, gold = session.adaptation(cutoff).at(sigma2).tags[part], session.corpora[part].tags
    return [i for i in range(len(gold)) if tags[i] != gold[i]]


def per_cent(n, corpus):
    return f"{100 * n / len(corpus):.2f}\u00a0%"


def number(figure):
    return int(figure.replace(",", ""))


def test_the_sample_is_a_sentence_that_the_adapted_model_writes_right(of_docs):
    session, sample = of_docs.session, of_docs["sample"]
    dev, wrong = session.corpora["dev"], set(wrong_words(session, 1.0))
    own = [i for i in range(dev.n_sentences) if glued(dev.sentence(i)).rstrip(".") == glued(sample)]
    assert own
    assert not any(wrong.intersection(range(*dev.starts[i : i + 2])) for i in own)
    assert of_docs["sample_lower"] == sample.lower() != sample


def glued(words):
    return "".join(words).replace(" ", "")


def test_shares_of_tags_errors_and_changed_words_are_those_counted(session, figures):
    dev = session.corpora["dev"]
    plain = sum(dev.tag_names[tag] in ("LOC", "PNC") for tag in dev.tags) / len(dev)
    assert figures["share_plain"] == f"{100 * plain:.0f}\u00a0%"
    expected = 1 if plain < 0.7 else 2 if plain < 0.85 else 3
    assert figures["answer_plain"] == str(expected)
    dev, train = session.corpora["dev"], session.corpora["train"]
    for name, sigma2 in (("tight", 0.01), ("start", 1.0), ("loose", 100.0)):
        assert figures[f"error_{name}"] == per_cent(len(wrong_words(session, sigma2)), dev)
        assert figures[f"train_{name}"] == per_cent(
            len(wrong_words(session, sigma2, "train")), train
        )
    counts = [len(wrong_words(session, sigma2)) for sigma2 in SIGMA2_GRID]
    assert figures["best_sigma2"] == f"{SIGMA2_GRID[counts.index(min(counts))]:g}"
    assert figures["error_best"] == per_cent(min(counts), dev)
    gold, before = session.corpora["dev"].tags, session.background_tags("dev")
    after = set(wrong_words(session, 100.0))
    was = {i for i in range(len(gold)) if before[i] != gold[i]}
    assert number(figures["n_fixed_loose"]) == len(was - after)
    assert number(figures["n_broken_loose"]) == len(after - was)
    assert number(figures["n_changed_loose"]) == len(was ^ after)


def test_of_changed_words_those_are_told_that_the_adaptation_text_has(of_docs):
    figures, session = of_docs, of_docs.session
    train = session.corpora["train"]
    read = {word.lower() for i in range(train.n_sentences) for word in train.sentence(i)}
    diff = session.at(float(figures["best_sigma2"])).diff
    n = {
        status: [word.lower() in read for word in diff.loc[diff["status"] == status, "word"]]
        for status in ("fixed", "broken")
    }
    assert number(figures["n_fixed_read"]) == sum(n["fixed"]) > 0
    assert number(figures["n_broken_read"]) == sum(n["broken"]) < len(n["broken"])
    share = sum(n["broken"]) / len(n["broken"])
    assert figures["answer_broken"] == ("1" if share < 2 / 3 else "2" if share < 0.9 else "3")


def test_an_answer_is_more_or_fewer_only_where_a_paired_test_says_so(session, figures):
    old, new = (set(wrong_words(session, sigma2)) for sigma2 in (1.0, 100.0))
    fixed, broken = len(old - new), len(new - old)
    p = binomtest(fixed, fixed + broken).pvalue if fixed + broken else 1.0
    says, answer = "cannot tell" in figures["says_loose"], figures["answer_loose"]
    if fixed == broken:
        assert answer == "2"
        assert figures["says_loose"].startswith("No difference at all")
    elif p >= 0.05:
        assert says
        assert answer == "2"
    elif not says:  # the interval of the bootstrap agrees
        assert answer == ("1" if fixed > broken else "3")


def test_the_gap_is_between_the_errors_on_both_texts(session, figures):
    def gap(sigma2):
        dev, train = (
            100 * len(wrong_words(session, sigma2, part)) / len(session.corpora[part])
            for part in ("dev", "train")
        )
        return dev - train

    assert figures["gap_loose"] == f"{gap(100.0):.2f}".replace("-", "−")
    wider = gap(100.0) - gap(0.01)
    share = (gap(float(figures["best_sigma2"])) - gap(0.01)) / wider
    assert figures["gap_share"] == f"{100 * share:.0f}\u00a0%"
    assert figures["answer_gap"] == ("1" if share < 1 / 3 else "2" if share < 2 / 3 else "3")
    wrong = [session.background.tag(text) != text.tags
             for text in map(session.corpora.get, ("dev", "train"))]  # fmt: skip
    of_both = 100 * (wrong[0].mean() - wrong[1].mean())
    assert figures["gap_background"] == f"{of_both:.2f}".replace("-", "−")
    learnt = {s: len(wrong_words(session, s, "train")) for s in SIGMA2_GRID}
    fewest = min(learnt.values())
    assert float(figures["learnt_sigma2"]) == min(s for s, n in learnt.items() if n == fewest)
    assert figures["train_learnt"] == per_cent(fewest, session.corpora["train"])


def test_what_is_as_good_does_not_clearly_differ_from_the_best(session, figures):
    dev, best = session.corpora["dev"], float(figures["best_sigma2"])
    wrong = {s: session.adaptation(0).at(s).tags["dev"] != dev.tags for s in SIGMA2_GRID}
    good = [is_as_good(each, wrong[best]) for each in wrong.values()]
    first, last = (SIGMA2_GRID.index(float(figures[f"as_good_{end}"])) for end in ("from", "to"))
    assert best in SIGMA2_GRID[first : last + 1]
    assert all(good[first : last + 1])
    assert not any(good[i] for i in (first - 1, last + 1) if 0 <= i < len(good))


def test_a_task_is_solved_where_no_other_place_of_the_slider_is_clearly_better(of_docs):
    figures, session = of_docs, of_docs.session
    dev = {s: len(wrong_words(session, s)) for s in SIGMA2_GRID}
    counts = {s: session.at(s).diff["status"].value_counts() for s in SIGMA2_GRID}
    best = float(figures["best_sigma2"])
    least = number(figures["goal_mild_least"])
    assert least - 1 < counts[best]["fixed"] / 2 <= least
    broken = {s: n["broken"] for s, n in counts.items() if n["fixed"] >= least}
    gold, tags = session.corpora["dev"].tags, {s: session.at(s).tuned.tags for s in SIGMA2_GRID}
    wrong = {s: tags[s]["dev"] != gold for s in SIGMA2_GRID}
    good = [f"{s:g}" for s in SIGMA2_GRID if is_as_good(wrong[s], wrong[best])]
    assert figures["goal_best"] == ", ".join(good)
    assert f"{best:g}" in good
    solved = [f"{s:g}" for s, value in broken.items() if value == min(broken.values())]
    assert figures["goal_mild"] == ", ".join(solved)  # of these texts each is a task
    assert figures["goal_best_start"] in ("0.01", "100")
    assert figures["goal_best_start"] not in figures["goal_best"].split(", ")
    assert number(figures["goal_best_wrong"].split()[0]) == min(dev.values())
    mild = float(figures["goal_mild_sigma2"])
    for sigma2 in (0.01, 1.0):
        hints = [figures[f"goal_{name}_at_{sigma2:g}"] for name in ("best", "mild")]
        assert hints[0].split()[4] == f"{dev[sigma2]:,}"
        few = counts[sigma2]["fixed"] < least
        assert hints[1].split()[4] == f"{counts[sigma2]['fixed' if few else 'broken']:,}"
    told = [figures[f"goal_mild_{status}"] for status in ("fixed", "broken")]
    assert told == [f"{counts[mild][status]:,}" for status in ("fixed", "broken")]


def test_no_lesson_teaches_noise_as_fact(of_docs):
    figures, session = of_docs, of_docs.session
    for name, *sigma2s in (("first", None, 1.0), ("loose", 1.0, 100.0)):  # None: the background
        tags = [session.adaptation(0).at(s).tags["dev"] if s else session.background_tags("dev")
                for s in sigma2s]  # fmt: skip
        wrong = [session.is_wrong("dev", own) for own in tags]
        fixed, broken = (wrong[0] & ~wrong[1]).sum(), (wrong[1] & ~wrong[0]).sum()
        p = binomtest(int(fixed), int(fixed + broken)).pvalue
        assert p < 0.05 or "cannot tell" in figures[f"says_{name}"] or fixed == broken
        if name == "first":  # 1: not clearly fewer
            fewer, answer = 1 - wrong[1].sum() / wrong[0].sum(), figures["answer_first"]
            assert answer == "1" or (p < 0.05 and fixed > broken)
            assert p >= 0.001 or answer == ("2" if fewer < 0.1 else "3" if fewer < 0.25 else "4")
        else:
            answer = figures[f"answer_{name}"]
            assert answer == "2" or p < 0.05
            assert p >= 0.001 or answer == ("1" if fixed > broken else "3")


def test_another_domain_is_tagged_by_models_that_never_saw_it(of_docs):
    figures, session = of_docs, of_docs.session
    name, domain = figures["other_name"], session.corpora["train"].name
    assert name not in (domain, session.background.info["name"])
    text = load(name, "dev")
    assert figures["other_n"] == f"{len(text):,}"
    models = {"background": session.background}
    for stop, sigma2 in (("best", float(figures["best_sigma2"])), ("loose", 100.0)):
        models[stop] = adapt(session.background, load(domain), sigma2)
    wrong = {stop: model.tag(text) != text.tags for stop, model in models.items()}
    assert {stop: figures[f"other_{stop}"] for stop in wrong} == {
        stop: per_cent(own.sum(), text) for stop, own in wrong.items()
    }
    rates = [point["dev"] for point in figures.beside("other")["points"]]
    assert figures["other_lowest"] == per_cent(min(rates) * len(text), text)
    assert rates[SIGMA2_GRID.index(float(figures["other_sigma2"]))] == min(rates)
    (rule,) = figures.beside("other")["rules"]
    assert rule == {"name": "background", "error": wrong["background"].mean()}
    for stop, answer in (("best", figures["other_answer"]), ("loose", None)):
        fixed = int((wrong["background"] & ~wrong[stop]).sum())
        broken = int((wrong[stop] & ~wrong["background"]).sum())
        p = binomtest(fixed, fixed + broken).pvalue
        assert p < 0.05 or "cannot tell" in figures[f"other_says_{stop}"]
        assert answer in (None, "2") or (p < 0.05 and answer == ("1" if fixed > broken else "3"))


def test_what_hangs_on_a_sentence_is_so_of_a_text_that_never_had_it(of_docs):
    figures, session, sigma2 = of_docs, of_docs.session, float(of_docs["best_sigma2"])
    train, dev = session.corpora["train"], session.corpora["dev"]
    position = int(figures["hung_link"].rpartition(" · ")[2])
    assert dev.forms[dev.form_ids[position]] == figures["hung_after"] != figures["hung_before"]
    pushed, *_ = session.because(session.at(sigma2), position)["pushed"]
    assert figures["hung_newton"] == f"{pushed['effect']:.2f}"
    others = train.take([i for i in range(train.n_sentences) if i != pushed["sentence"]])
    poorer = session.with_corpora({"train": others})
    is_right = poorer.at(sigma2).tuned.tags["dev"][position] == dev.tags[position]
    assert is_right == (figures["hung_answer"] != "3")


def test_a_half_that_chose_flatters_itself_by_as_much_as_when_sentences_are_dealt_out(of_docs):
    figures, session = of_docs, of_docs.session
    dev, path = session.corpora["dev"], session.adaptation(0)
    wrong = {s: path.at(s).tags["dev"] != dev.tags for s in SIGMA2_GRID}
    sentences = [range(*ends) for ends in zip(dev.starts, dev.starts[1:], strict=False)]
    own, other, every = [], [], []
    for seed in range(40):
        order = np.random.default_rng(100 + seed).permutation(len(sentences))
        words = [[i for at in order[first::2] for i in sentences[at]] for first in (0, 1)]
        errors = [{s: wrong[s][half].mean() for s in SIGMA2_GRID} for half in words]
        chosen = [min(SIGMA2_GRID, key=half.get) for half in errors]
        own += [errors[half][chosen[half]] for half in (0, 1)]
        other += [errors[1 - half][chosen[half]] for half in (0, 1)]
        every += chosen
    told = [float(figures[f"halves_{name}"].split("\u00a0")[0]) for name in ("own", "other")]
    assert told == pytest.approx([100 * np.mean(own), 100 * np.mean(other)], abs=0.02)
    assert told[0] < told[1]
    before = wrong_by(session.background, session).mean()
    share = (told[1] - told[0]) / 100 / (before - wrong[float(figures["best_sigma2"])].mean())
    assert figures["halves_answer"] == ("1" if share < 0.01 else "2" if share < 0.1 else "3")
    assert float(figures["halves_share"].split("\u00a0")[0]) == pytest.approx(100 * share, abs=2)
    first, last = (float(figures[f"halves_{end}"]) for end in ("from", "to"))
    assert first <= last == pytest.approx(int(figures["halves_times"]) * first, abs=first / 2)
    assert figures["halves_chosen"] == "400"
    told = int(figures["halves_by_chance"].split("\u00a0")[0]) / 100
    of_best = every.count(float(figures["best_sigma2"])) / len(every)
    assert told == pytest.approx(of_best, abs=0.15)


def test_beside_the_curve_are_the_choices_of_the_halves_and_errors_on_another_domain(of_docs):
    choices = of_docs.beside("halves")["counts"]["times"]
    assert (len(choices), sum(choices)) == (len(SIGMA2_GRID), 400)
    kept = [s for s, n in zip(SIGMA2_GRID, choices, strict=True) if n]
    assert kept[0] <= float(of_docs["halves_from"]) <= float(of_docs["halves_to"]) <= kept[-1]
    other = of_docs.beside("other")
    assert other["elsewhere"] == of_docs["other_name"]
    assert len(other["points"]) == len(SIGMA2_GRID)
    at = {s: point["dev"] for s, point in zip(SIGMA2_GRID, other["points"], strict=True)}
    for sigma2, figure in ((100.0, "loose"), (float(of_docs["best_sigma2"]), "best")):
        assert f"{100 * at[sigma2]:.2f}\u00a0%" == of_docs[f"other_{figure}"]
    assert of_docs.beside("") is None


def test_the_words_that_are_fixed_and_broken_are_drawn_once_they_are_asked_no_more(of_docs):
    drawn = of_docs.beside("trade")["counts"]
    for name, sigma2 in of_docs.path.stops.items():
        place = SIGMA2_GRID.index(sigma2)
        told = [number(of_docs[f"n_{status}_{name}"]) for status in ("fixed", "broken")]
        assert [drawn[status][place] for status in ("fixed", "broken")] == told
    assert {len(values) for values in drawn.values()} == {len(SIGMA2_GRID)}
    assert of_docs.beside("trade", is_open=True) is None


def test_one_half_of_dev_is_drawn_that_chose_and_the_other_once_it_is_asked_no_more(of_docs):
    errors, _ = of_docs.groups["halves"].halved  # (half, division, sigma2), tested by its means
    drawn = of_docs.beside("half")
    rates, others = ([p["dev"] for p in own["points"]] for own in (drawn, drawn["other"]))
    found = [(side, place) for side in range(2) for place in range(errors.shape[1])
             if errors[side, place].tolist() == rates]  # fmt: skip
    assert any(errors[1 - side, place].tolist() == others for side, place in found)
    best = rates.index(min(rates))
    assert of_docs["halves_drawn"] == f"{SIGMA2_GRID[best]:g}"
    told = [f"{100 * rule['error']:.2f}\u00a0%" for rule in drawn["rules"]]
    assert told == [of_docs["halves_own"], of_docs["halves_other"]]
    points = 100 * (others[best] - rates[best])
    assert points == pytest.approx(float(of_docs["halves_points"]), abs=0.05)
    kept = {name: own for name, own in drawn.items() if name != "other"}
    asked = kept | {"rules": drawn["rules"][:1]}
    assert of_docs.beside("half", is_open=True) == asked


def test_the_less_text_the_less_gain_and_the_wider_the_gap(of_docs):
    errors = [own["error"] for own in of_docs.beside("amounts")["amounts"]]
    assert errors == sorted(errors, reverse=True)
    assert of_docs.beside("amounts")["background"] > errors[0]
    assert float(of_docs["little_gap"]) - float(of_docs["gap_loose"]) > 0.1
    assert of_docs["little_answer_gap"] == "3"
    alone, adapted = (float(of_docs[f"little_{own}"].split()[0]) for own in ("alone", "error"))
    assert adapted < alone


def part_of(session, n, seed=0):
    """One in ``n`` sentences of the adaptation text, at random."""
    train = session.corpora["train"]
    order = np.random.default_rng(seed).permutation(train.n_sentences)
    return train.take(sorted(order[: train.n_sentences // n].tolist()))


def told_tenth(figures):
    """The draw of a tenth that figures are about: it has as many words as they say."""
    draws = (part_of(figures.session, 10, seed) for seed in range(3))
    (tenth,) = (part for part in draws if len(part) == number(figures["little_words"]))
    return tenth


def wrong_by(model, session):
    """Which words of dev a model gets wrong."""
    dev = session.corpora["dev"]
    return model.tag(dev) != dev.tags


def is_said_by_a_paired_test(before, after, says):
    """Whether a sentence claims a difference only where McNemar's test has one."""
    fixed, broken = int((before & ~after).sum()), int((after & ~before).sum())
    p = binomtest(fixed, fixed + broken).pvalue
    return "cannot tell" in says if p >= 0.05 else "differ by more than chance" in says


@one_pair
def test_a_tenth_of_the_text_is_adapted_to_as_by_hand(of_docs):
    session, tenth = of_docs.session, told_tenth(of_docs)
    dev, best = session.corpora["dev"], float(of_docs["best_sigma2"])
    assert len(tenth) < len(session.corpora["train"]) / 8
    drawn = of_docs.beside("little")
    places = [SIGMA2_GRID.index(s) for s in (0.01, 1.0, 100.0)]
    rates = [
        wrong_by(adapt(session.background, tenth, SIGMA2_GRID[i]), session).mean() for i in places
    ]
    told = [drawn["points"][i]["dev"] for i in places]
    assert told == pytest.approx(rates, abs=2 / len(dev))  # of words that two tags tie on
    counts = [round(point["dev"] * len(dev)) for point in drawn["points"]]
    assert of_docs["little_error"] == per_cent(min(counts), dev)
    assert float(of_docs["little_sigma2"]) == SIGMA2_GRID[counts.index(min(counts))]
    whole = len(wrong_words(session, best))
    other = drawn["other"]["points"][SIGMA2_GRID.index(best)]["dev"]
    assert other == pytest.approx(whole / len(dev))
    before = wrong_by(session.background, session)
    gain = (before.sum() - min(counts)) / (before.sum() - whole)
    assert of_docs["little_share"] == f"{100 * gain:.0f}\u00a0%"
    right = "1" if gain < 1 / 3 else "2" if gain < 0.75 else "3"
    assert of_docs["little_answer"] == right
    assert of_docs["little_fewer"] == f"{before.sum() - min(counts)} of {before.sum() - whole}"
    after = wrong_by(adapt(session.background, tenth, float(of_docs["little_sigma2"])), session)
    assert is_said_by_a_paired_test(before, after, of_docs["little_says"])
    assert "other" not in of_docs.beside("little", is_open=True)


@one_pair
def test_the_learning_curve_has_the_lowest_errors_of_three_draws_as_by_hand(of_docs):
    session, tenth = of_docs.session, told_tenth(of_docs)
    dev, train = (session.corpora[part] for part in ("dev", "train"))
    draws = [
        min((wrong_by(adapt(session.background, part_of(session, 100, seed), s), session)
             for s in SIGMA2_GRID), key=np.sum)
        for seed in (0, 1, 2)
    ]  # fmt: skip
    order = sorted(range(3), key=lambda seed: draws[seed].sum())
    low, middle, high = (draws[seed].sum() for seed in order)
    assert number(of_docs["amount_words_hundredth"]) == len(part_of(session, 100, order[1]))
    amounts = of_docs.beside("amounts")["amounts"]
    assert [own["words"] for own in amounts] == sorted(own["words"] for own in amounts)
    first, *_, last = amounts
    told = [first[name] * len(dev) for name in ("error", "low", "high")]
    assert told == pytest.approx([middle, low, high], abs=2)
    assert all(own["low"] <= own["error"] <= own["high"] for own in amounts)
    whole = len(wrong_words(session, float(of_docs["best_sigma2"])))
    assert last["low"] == last["error"] == last["high"] == whole / len(dev)  # drawn but once
    lowest = {own["words"]: own["error"] for own in amounts}
    assert per_cent(round(lowest[len(tenth)] * len(dev)), dev) == of_docs["little_error"]
    before = wrong_by(session.background, session)
    share = (before.mean() - first["error"]) / (before.mean() - whole / len(dev))
    assert of_docs["amount_share_hundredth"] == f"{100 * share:.0f}\u00a0%"
    ends = ((before.mean() - first[end]) / (before.mean() - whole / len(dev))
            for end in ("high", "low"))  # fmt: skip
    assert of_docs["amount_range"] == " to ".join(f"{100 * end:.0f}\u00a0%" for end in ends)
    assert of_docs["amount_answer"] == ("1" if share < 0.1 else "2" if share < 0.5 else "3")
    assert is_said_by_a_paired_test(before, draws[order[1]], of_docs["amount_says"])
    asked = of_docs.beside("amounts", is_open=True)
    assert asked["background"] == before.mean()
    known = {own["words"] for own in asked["amounts"] if own["error"] is not None}
    assert known == {len(tenth), len(train)}


@one_pair
def test_the_gap_of_a_tenth_is_between_its_own_errors_and_those_of_dev(of_docs):
    session, tenth = of_docs.session, told_tenth(of_docs)
    texts = tenth, session.corpora["dev"]
    loosest = adapt(session.background, tenth, 100.0)
    own, other = (float((loosest.tag(text) != text.tags).mean()) for text in texts)
    gaps, few = of_docs.beside("gaps")["counts"], sum(2 / len(text) for text in texts)
    assert gaps["tenth of it"][-1] == pytest.approx(100 * (other - own), abs=100 * few)
    assert f"{gaps['tenth of it'][-1]:.2f}" == of_docs["little_gap"]
    assert f"{gaps['all of it'][-1]:.2f}" == of_docs["gap_loose"]
    assert of_docs.beside("gaps", is_open=True) is None
    is_smaller = gaps["tenth of it"][0] < gaps["all of it"][0]
    assert of_docs["little_stiff"].startswith(" Where σ² is small its gap is") == is_smaller


@one_pair
def test_a_tenth_is_learnt_alone_as_by_hand(of_docs):
    session, tenth = of_docs.session, told_tenth(of_docs)
    kind, templates = type(session.background), session.training_options
    alone = (kind.fit(tenth, cutoff=0, sigma2=s, **templates) for s in (0.01, 0.1, 1, 10, 100))
    fewest = min((wrong_by(model, session) for model in alone), key=np.sum)
    assert of_docs["little_alone"] == per_cent(fewest.sum(), session.corpora["dev"])
    asked, told = (of_docs.beside("alone", is_open)["rules"] for is_open in (True, False))
    assert [own["name"] for own in asked] == ["background"]
    assert told == [*asked, {"name": "that tenth alone", "error": fewest.mean()}]


def test_a_text_whose_tenth_is_too_little_has_no_lesson_about_it(figures):
    names = *figures.groups["little"].figures, *figures.groups["amount"].figures
    assert {figures[name] for name in names} == {""}
    assert all(figures.beside(name) is None for name in ("little", "alone", "gaps", "amounts"))


def test_a_weight_between_text_and_prior_is_best_where_their_sum_is_largest(of_docs):
    session = of_docs.session
    for sigma2 in SIGMA2_GRID:
        session.adaptation(0).at(sigma2)
    rare, often = of_docs.beside("pulls")["pulls"]
    (alone,) = of_docs.beside("pull")["pulls"]
    same = "name", "tag", "times", "mean"
    assert [alone[name] for name in same] == [rare[name] for name in same]
    assert rare["best"] == pytest.approx(alone["best"], abs=0.01)
    assert all(rare[name] == often[name] for name in ("moves", "range"))  # one prior for both
    assert max(rare["gains"]) >= max(often["gains"]) / 6 - 0.01  # both are seen
    assert rare["name"].endswith(f" \u2192 {rare['tag']}")
    dev, near = session.corpora["dev"], of_docs.beside("pulls")["near"]
    assert dev.form_at(near["position"]) == of_docs["pull_word"]  # which adaptation fixed
    sentence = join_words(dev.sentence(dev.sentence_ids[near["position"]]))
    assert near["before"] + dev.form_at(near["position"]) + near["after"] in sentence
    at, tag = near["position"], dev.tags[near["position"]]
    models = [session.adaptation(0).at(sigma2).model for sigma2 in SIGMA2_GRID]
    chances = [own.local_probabilities(dev, own.tag(dev))[at, tag] for own in models]
    named = [f"{dev.tag_names[tag]} {probability_in_words(p)}" for p in chances]
    assert near["sure"] == named
    while_asked = of_docs.beside("pulls", is_open=True)
    assert (while_asked["pulls"], len(while_asked["lines"])) == ([rare, often], 2)  # and no sum
    assert rare["times"] < often["times"]
    shares = [pull["best"][SIGMA2_GRID.index(1.0)] / pull["best"][-1] for pull in (rare, often)]
    told = [of_docs[f"pull_share_{name}"] for name in ("rare", "often")]
    assert told == [f"{100 * share:.0f}\u00a0%" for share in shares]
    assert shares[1] > shares[0] + 0.02  # on each of these texts
    assert of_docs["pull_answer"] == "3"
    for pull in (rare, often):
        assert pull["best"] == sorted(pull["best"])
        moves = np.linspace(0, pull["moves"][-1], 400)
        gain = np.interp(moves, pull["moves"], pull["gains"])
        for sigma2, best in zip(SIGMA2_GRID, pull["best"], strict=True):
            brute = moves[np.argmax(gain - moves**2 / (2 * sigma2))]
            assert best == pytest.approx(brute, abs=0.06 * pull["moves"][-1])


@one_pair
def test_what_a_move_of_a_weight_gains_is_the_likelihood_by_the_models_own_chances(of_docs):
    path, train = of_docs.session.adaptation(0), of_docs.session.corpora["train"]
    problem = path.problem
    for sigma2 in SIGMA2_GRID:
        path.at(sigma2)

    def log_likelihood(place, move):
        weights = problem.mean.copy()
        weights[place] += move
        p = problem.model(weights).local_probabilities(train, train.tags)
        return np.log(p[np.arange(len(train)), train.tags]).sum()

    before = log_likelihood(0, 0)
    for pull in of_docs.beside("pulls")["pulls"]:
        is_it = (problem.log_likelihood.observed == pull["times"]) & (problem.mean == pull["mean"])
        ends = pull["moves"][0], pull["moves"][-1]
        found = (
            [log_likelihood(place, end) - before for end in ends] for place in np.flatnonzero(is_it)
        )
        told = [pull["gains"][0], pull["gains"][-1]]
        assert any(gains == pytest.approx(told, abs=1e-3) for gains in found)


def test_once_it_is_known_where_a_new_weight_is_tied_one_is_drawn(of_docs):
    session = of_docs.session
    for sigma2 in SIGMA2_GRID:
        session.adaptation(0).at(sigma2)
    asked, told = of_docs.beside("new", is_open=True), of_docs.beside("new")
    assert asked == of_docs.beside("pull")
    (new,) = told["pulls"]
    word = new["name"].removeprefix("the word itself (").partition(")")[0]
    assert new["mean"] == 0
    assert word not in session.background.features.values["currentword"]
    train, tag = session.corpora["train"], session.background.tag_names.index(new["tag"])
    says = [train.words[w] for w in train.word_ids[train.tags == tag]]
    assert new["times"] == says.count(word)
    assert "near" not in told  # it is of no word of dev
    assert of_docs["pull_new"]


def test_without_a_sentence_the_objective_has_its_top_at_the_refit(of_docs):
    session = of_docs.session
    for sigma2 in SIGMA2_GRID:
        session.adaptation(0).at(sigma2)
    (drawn,), sigma2 = of_docs.beside("sentence")["pulls"], float(of_docs["best_sigma2"])
    number, train = int(of_docs["hung_number"]), session.corpora["train"]
    fits = [own.adaptation(0).at(sigma2) for own in (session, session.without({number}))]
    problem = fits[0].adaptation.problem
    is_own = np.repeat(np.arange(train.n_sentences), np.diff(train.starts)) == number
    change = drawn["best"][0]

    def objective(move):
        share = move / change
        weights = (1 - share) * fits[0].fit.weights + share * fits[1].fit.weights
        p = problem.model(weights).local_probabilities(train, train.tags)
        each = np.log(p[np.arange(len(train)), train.tags])
        penalty = ((weights - problem.mean) ** 2).sum() / (2 * sigma2)
        return each.sum() - penalty, -each[is_own].sum()

    start = objective(0)
    for place in (0, 20, -1):
        found = np.subtract(objective(drawn["moves"][place]), start)
        told = drawn["gains"][place], drawn["others"][place]
        assert told == pytest.approx(found, abs=1e-3)
    moves, gains, others = (np.array(drawn[name]) for name in ("moves", "gains", "others"))
    width = moves[1] - moves[0]
    assert abs(moves[np.argmax(gains)]) <= width
    assert abs(moves[np.argmax(gains + others)] - change) <= width
    assert f"{drawn['mean']:.2f}" == of_docs["hung_gap"]
    assert [name for _, name in drawn["ghosts"]] == ["with it", "forecast, H", "with H − Hₛ"]
    told = [f"{abs(move):.2f}" for move, _ in drawn["ghosts"]]
    assert told == ["0.00", of_docs["hung_plain"], of_docs["hung_newton"]]
    gap, rest = (round(value, 2) for value in (drawn["mean"], drawn["mean"] + change))
    assert f"{gap - rest:.2f}" == of_docs["hung_true"]  # so that the figures told add up
    assert float(of_docs["hung_ratio"]) == pytest.approx(np.exp(gap), rel=5e-3)
    assert f"{drawn['mean'] + change:.2f}".replace("-", "−") == of_docs["hung_gap_without"]
    while_asked, told = (of_docs.beside("sentence", is_open)["lines"] for is_open in (True, False))
    assert (list(told), list(while_asked)) == ([*while_asked, "sum"], list(told)[:3])


def test_the_forecast_has_the_slope_of_the_sentence_and_the_curvature_of_all(of_docs):
    """By differences of the log-likelihoods on the line that is drawn, and by dense equations."""
    session, sigma2 = of_docs.session, float(of_docs["best_sigma2"])
    for each in SIGMA2_GRID:
        session.adaptation(0).at(each)
    ((drawn,), number) = of_docs.beside("sentence")["pulls"], int(of_docs["hung_number"])
    fit, other = (own.adaptation(0).at(sigma2) for own in (session, session.without({number})))
    problem, way = fit.adaptation.problem, other.fit.weights - fit.fit.weights
    fewer = problem.without([number]).log_likelihood

    def values(share):
        weights = fit.fit.weights + share * way
        whole = problem.log_likelihood(weights)[0]
        penalty = ((weights - problem.mean) ** 2).sum() / (2 * sigma2)
        return np.array([whole - penalty, whole - fewer(weights)[0]])

    step = 0.05
    down, here, up = values(-step), values(0), values(step)
    slope, (bend, _) = (down - up)[1] / (2 * step), (2 * here - up - down) / step**2
    shares = np.array(drawn["moves"]) / drawn["best"][0]
    parabola = slope * shares - bend * shares**2 / 2
    assert drawn["parabola"] == pytest.approx(parabola, rel=0.03, abs=0.02 * abs(parabola).max())
    position = int(of_docs["hung_link"].rpartition(" · ")[2])
    direction = session.gap_direction(session.at(sigma2), position)
    gradient = problem.log_likelihood(fit.fit.weights)[1] - fewer(fit.fit.weights)[1]
    hessian = problem.log_likelihood.expand(fit.fit.weights)[2]
    solved, *_ = cg(LinearOperator(2 * [len(way)], lambda v: hessian @ v + v / sigma2), direction)
    assert float(of_docs["hung_plain"]) == pytest.approx(solved @ gradient, rel=0.03, abs=0.006)
    plain, newton, true = (float(of_docs[f"hung_{name}"]) for name in ("plain", "newton", "true"))
    assert abs(newton - true) < abs(plain - true)  # as the answer tells
    is_of_sentence = abs(newton - plain) > abs(true - newton)
    assert of_docs["hung_answer_why"] == ("2" if is_of_sentence else "1") == "2"


def test_the_longer_the_leash_the_further_the_weights_of_the_explained_word_are(of_docs):
    session = of_docs.session
    position = int(of_docs["fixed_link"].rpartition(" ")[2])
    snapshot = session.at(float(of_docs["best_sigma2"]))
    ends = [session.adaptation(0).at(sigma2) for sigma2 in (SIGMA2_GRID[0], SIGMA2_GRID[-1])]
    known = session.adaptation(0).known
    gap = session.why(snapshot, position)["gap"]
    along = session.gap_along(snapshot, gap)
    short, long = (
        sum(
            abs(value - row["background"])
            for value, row in zip(along[known.index(end)], gap["rows"], strict=True)
        )
        for end in ends
    )
    assert 4 * short < long


def test_cutoffs_are_compared_at_one_sigma2(session, figures):
    sigma2 = float(figures["best_sigma2"])
    for text, cutoff in (("0", 0), ("5", 5), ("none", None)):
        wrong = wrong_words(session, sigma2, cutoff=cutoff)
        assert figures[f"cut_error_{text}"] == per_cent(len(wrong), session.corpora["dev"])
    every, none = (set(wrong_words(session, sigma2, cutoff=cutoff)) for cutoff in (0, None))
    fixed, broken = len(every - none), len(none - every)
    p = binomtest(fixed, fixed + broken).pvalue if fixed + broken else 1.0
    says = figures["cut_says_none"]
    assert ("No difference" in says) == (fixed == broken)
    assert "differ by more" not in says or p < 0.05
    assert "differ by more" in says or p >= 0.001
    assert number(figures["cut_new"]) == session.adaptation(0).problem.n_new
    assert number(figures["cut_new_5"]) == session.adaptation(5).problem.n_new


def test_unknown_words_are_those_without_a_weight_of_their_own_in_the_background(of_docs):
    session, best = of_docs.session, float(of_docs["best_sigma2"])
    dev, background = session.corpora["dev"], session.background
    own = {name for name in names_of(background.features.blocks) if "currentword=" in name}
    words = [word for i in range(dev.n_sentences) for word in dev.sentence(i)]
    before = set(np.flatnonzero(session.background_tags("dev") != dev.tags))
    unknown = {i for i in before if f"currentword={words[i].lower()}" not in own}
    every, none = (unknown - set(wrong_words(session, best, cutoff=c)) for c in (0, None))
    assert number(of_docs["cut_unread"]) == len(every) > 0
    assert number(of_docs["cut_unread_none"]) == len(every & none)
    share = len(every & none) / len(every)
    assert of_docs["cut_answer_unread"] == ("1" if share < 0.25 else "2" if share < 0.75 else "3")


def test_of_the_rows_of_the_map_those_count_that_have_a_dot(fresh_session):
    session, figures = fresh_session, LessonFigures(fresh_session)
    assert len(figures.missing(["rows_n"])) == len(CUTOFFS) * len(SIGMA2_GRID)
    assert len(figures.missing()) == len(SIGMA2_GRID)
    says, answer = figures["rows_says"], figures["rows_answer"]
    assert not figures.missing(["rows_n"])
    cells = make_grid(session, CUTOFFS)["cells"]
    assert len(cells) == len(CUTOFFS) * len(SIGMA2_GRID)
    good = {cell["cutoff"] for cell in cells if cell["near"]}
    assert answer == ("1" if len(good) < 3 else "2" if len(good) < len(CUTOFFS) else "3")
    assert says.startswith("All 7" if answer == "3" else f"{len(good)} of 7")
    rows = [sum(cell["near"] for cell in cells if cell["cutoff"] == c) for c in ("0", "none")]
    assert f" of σ² do, {rows[1]} instead of {rows[0]}; and at σ² = 100 " in says
    errors = [min(cell["error"] for cell in cells if cell["cutoff"] == c)
              for c in map(SETTINGS["cutoff"].text, CUTOFFS)]  # fmt: skip
    low, high = (f"{100 * each:.2f}\u00a0%" for each in (min(errors), max(errors)))
    assert f"their lowest errors are {low} to {high}, where " in says
    errors = [cell["error"] for cell in cells if cell["cutoff"] == "0"]
    low, high = (f"{100 * each:.2f}\u00a0%" for each in (min(errors), max(errors)))
    assert f"along σ² they are {low} to {high} with all new features. " in says
    moved = []
    for cutoff in (None, 0):
        fit, problem = session.adaptation(cutoff).at(100.0), session.adaptation(cutoff).problem
        pairs = zip(fit.fit.weights, problem.mean, strict=True)
        moved.append(sum((weight - old) ** 2 for weight, old in pairs if old) ** 0.5)
    assert f" are {moved[0] / moved[1]:.1f} times as far from the background's." in says


def test_without_new_features_the_inherited_weights_go_further(of_docs):
    session, moved = of_docs.session, []
    for cutoff in (None, 0):
        fit, problem = session.adaptation(cutoff).at(100.0), session.adaptation(cutoff).problem
        moved.append(np.linalg.norm((fit.fit.weights - problem.mean)[problem.mean != 0]))
    assert moved[0] > 1.3 * moved[1]


def test_the_votes_that_broke_a_word_sum_to_the_change_of_its_gap(of_docs):
    session, position = of_docs.session, int(of_docs["broken_link"].split(" · ")[1])
    gap = session.why(session.at(float(of_docs["best_sigma2"])), position)["gap"]
    told = [of_docs[f"broken_by_{kind}"] for kind in ("itself", "letters", "others")]
    moved = [float(text.replace("−", "-")) for text in told]
    assert sum(moved) == pytest.approx(gap["adapted"] - gap["background"], abs=0.015)
    rows = {row["predicate"]: row["adapted"] - row["background"] for row in gap["rows"]}
    letters = sum(change for name, change in rows.items() if name[:6] in ("prefix", "suffix"))
    assert moved[1] == pytest.approx(letters, abs=0.005)
    own = sum(change for name, change in rows.items() if name.startswith("currentword="))
    assert moved[0] == pytest.approx(own, abs=0.005)
    assert of_docs["broken_answer_by"] == str(1 + int(np.argmax(moved)))
    most = max(gap["rows"], key=lambda row: row["adapted"] - row["background"])
    assert of_docs["broken_most"].startswith(f"{most['words']}, +")


def test_the_words_are_one_that_was_fixed_and_one_that_was_broken(session, figures):
    dev, best = session.corpora["dev"], float(figures["best_sigma2"])
    before = session.background_tags("dev") != dev.tags
    for name, is_wrong, sigma2 in (("fixed", False, 1.0), ("broken", True, best)):
        after = set(wrong_words(session, sigma2))
        if link := figures[f"{name}_link"]:
            position = int(link.rpartition(" · ")[2])
            assert (position in after) == is_wrong
            assert before[position] != is_wrong
            assert figures[f"{name}_gold"] == dev.forms[dev.form_ids[position]]
            assert figures[f"{name}_before"] != figures[f"{name}_after"]


def test_a_text_with_few_errors_is_said_to_be_too_small(background, unigram, session, figures):
    n = int((session.background_tags("dev") != session.corpora["dev"].tags).sum())
    assert n < 30
    assert figures["too_few"].startswith(f"Only {n} words of the dev text are wrong")
    many = Corpus.from_sentences([["OBRIEN", "Said", "SO", "."]] * 30, "dev")
    corpora = dict.fromkeys(("train", "dev", "test"), many)
    assert LessonFigures(Session(background, unigram, corpora))["too_few"] == ""


def test_names_are_complete_and_others_are_no_figures(figures):
    assert set(figures) == set(dict(figures))
    assert len(figures) == len(set(figures))
    with pytest.raises(KeyError):
        figures["nothing"]


def test_on_test_both_models_are_as_wrong_as_by_hand(of_docs, tmp_path, monkeypatch):
    monkeypatch.setenv("WORKBENCH_CACHE", str(tmp_path))
    session, best = of_docs.session, float(of_docs["best_sigma2"])
    texts = {part: session.corpora[part] for part in ("dev", "test")}
    test, envelope = texts["test"], Envelope.of(session)
    while_asked = of_docs.beside("sealed", is_open=True)
    assert [rule["name"] for rule in while_asked["rules"]] == ["background"]
    assert envelope.looks == []  # what is drawn while it is asked opens nothing
    adapted = adapt(session.background, session.corpora["train"], sigma2=best)
    wrong = [model.tag(test) != test.tags for model in (session.background, adapted)]
    n_wrong = [int(own.sum()) for own in wrong]
    assert of_docs["test_background"] == per_cent(n_wrong[0], test)
    assert of_docs["test_error"] == per_cent(n_wrong[1], test)
    assert of_docs["test_looks"] == "once"
    (look,) = envelope.looks
    assert look == f"MEMM ca04, σ² {best:g}, cut-off 0"
    rules = of_docs.beside("sealed")["rules"]
    assert [rule["error"] for rule in rules[1:]] == [n / len(test) for n in n_wrong]
    dev = [wrong_by(model, session) for model in (session.background, adapted)]
    interval, on_test = (
        bootstrap(*own, text.sentence_ids) for own, text in ((dev, texts["dev"]), (wrong, test))
    )
    changes = [own[1].sum() / own[0].sum() - 1 for own in (dev, wrong)]
    told = *changes, *interval, *on_test
    says = [f"{100 * each:+.0f} %".replace("-", "\u2212") for each in told]
    assert [of_docs["change_best"], of_docs["test_change"]] == says[:2]
    assert of_docs["change_interval"] == " to ".join(says[2:4])
    assert of_docs["test_interval"] == " to ".join(says[4:])
    low, high = interval
    right = "1" if changes[1] > high else "2" if changes[1] > low else "3"
    assert of_docs["test_answer"] == right


def test_how_the_adaptation_text_writes_the_broken_word_is_counted(background, unigram):
    train = ["A Bush burns .", "A Bush fell .", "A Bush rose .", "The bush is dry ."]
    dev = ["A Bush burns .", "A Bush said so .", "A Bush fell .", "A bush grew ."]
    texts = {"train": train * 5, "dev": dev, "test": dev}
    corpora = {
        part: Corpus.from_sentences([line.split() for line in lines], part)
        for part, lines in texts.items()
    }
    figures = LessonFigures(Session(background, unigram, corpora))
    assert figures["broken_gold"] == "bush"
    assert figures["broken_after"] == "Bush"
    counts = [figures[name] for name in ("broken_n", "broken_n_after", "broken_n_gold")]
    assert counts == ["20", "15", "5"]
    assert figures["broken_answer"] == "1"


def test_a_session_without_such_words_has_empty_figures(background, unigram):
    lines = [line.split() for line in ("He said so .", "It rose .", "He said it fell .")]
    corpora = {part: Corpus.from_sentences(lines, part) for part in ("train", "dev", "test")}
    figures = LessonFigures(Session(background, unigram, corpora))
    of_words, of_sentence = (figures.groups[name].figures for name in ("fixed", "hung"))
    words = [figures[name] for name in (*of_words, *of_sentence)]
    assert set(words) <= {""}
    assert figures["answer_broken"] == "1"
    assert figures["error_start"] == figures["error_loose"]
    assert figures["answer_loose"] == "2"
    assert figures["says_loose"] == "No difference at all: both models make as many errors."


def test_what_becomes_of_the_fixed_word_on_the_shortest_leash_is_that_of_the_model(of_docs):
    session, dev = of_docs.session, of_docs.session.corpora["dev"]
    word, number = of_docs["fixed_link"].split(" \u00b7 ")
    at = int(number)
    p, tags = [], []
    for sigma2 in (1.0, 0.01):
        model = session.adaptation(0).at(sigma2).model
        tags.append(model.tag(dev)[at])
        p.append(model.local_probabilities(dev, model.tag(dev))[at, tags[-1]])
    stays = tags[0] == tags[1]
    right = ("1" if p[0] - p[1] < 0.05 else "2") if stays else "3"
    assert of_docs["fixed_answer"] == right
    told = [of_docs[name].replace("\u00a0", " ") for name in ("fixed_p", "fixed_p_tight")]
    assert told == [probability_in_words(each) for each in p]
    assert (of_docs["fixed_tight"] == of_docs["fixed_after"]) is bool(stays)
    assert of_docs["fixed_tight"].lower() == word.lower()


def test_all_who_open_a_session_share_its_figures_but_not_those_of_another(tiny_session):
    shared = LessonFigures.of(tiny_session)
    assert LessonFigures.of(tiny_session) is shared
    assert LessonFigures.of(tiny_session.without({0})).session is not tiny_session
