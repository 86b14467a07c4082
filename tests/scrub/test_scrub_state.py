"""What the browser makes of a payload, against the same counted in Python."""

from pathlib import Path

import numpy as np
import pytest
from chromium import opened

import workbench.scrub
from workbench.evaluation.diff import STATUSES, status_counts
from workbench.evaluation.error_rates import count_confusions
from workbench.evaluation.significance import mcnemar
from workbench.experiments.surface import grid_points
from workbench.scrub.slider import make_payload
from workbench.scrub.view import make_view
from workbench.settings import SIGMA2_GRID, STATUSES_SHOWN, Settings

HOME = Path(workbench.scrub.__file__).parent
ADDRESS = "http://scrub.test/"
STOPS = (0, 6, 12, 18, 24)
CALL = "async ([name, given]) => (await import('/state.js'))[name](...given)"
PASSING = """async ([payload, i, chosen]) => {
  const { passes } = await import("/state.js");
  return payload.words.filter((w) => passes(payload, w, i, chosen)).map((w) => w.position);
}"""


def serve(route):
    name = route.request.url.removeprefix(ADDRESS).partition("?")[0]
    if name.endswith(".js"):
        code = (HOME / name).read_text("utf-8")
        route.fulfill(body=code, content_type="text/javascript; charset=utf-8")
    else:
        route.fulfill(body="<!DOCTYPE html><title>state</title>", content_type="text/html")


@pytest.fixture(scope="module")
def page(browser):
    """A page that can import state.js."""
    with opened(browser) as page:
        page.route(f"{ADDRESS}**", serve)
        page.goto(ADDRESS)
        yield page


@pytest.fixture(scope="module")
def call(page):
    """Call a function of state.js."""
    return lambda name, *given: page.evaluate(CALL, [name, given])


@pytest.fixture(scope="module")
def passing(page, payload):
    """Positions of the words that pass what is chosen, in the middle of the path."""
    return lambda **chosen: page.evaluate(PASSING, [payload, 12, chosen])


@pytest.fixture(scope="module")
def payload(tiny_session):
    return make_payload(tiny_session, 0)


@pytest.fixture(scope="module")
def dev(tiny_session):
    return tiny_session.corpora["dev"]


def tags_at(session, i):
    return session.at(SIGMA2_GRID[i]).tuned.tags["dev"]


def test_the_path_is_one_to_learn_from(tiny_session, dev):
    assert len({tuple(tags_at(tiny_session, i)) for i in STOPS}) > 2
    assert (tags_at(tiny_session, 24) != dev.tags).any()


@pytest.mark.parametrize(
    ("chosen", "status"), [(0, "still wrong"), (1, "fixed"), (2, "broken"), (3, "fixed")]
)
def test_a_choice_is_judged_by_its_quality(call, chosen, status):
    """Of candidates that are neither best a better one is a gain."""
    word = {"qualities": [0.5, 0.8, 0.2, 1.0], "background": 0, "gold": 3, "path": chr(48 + chosen),
            "forms": {}}  # fmt: skip
    assert call("statusAt", word, 0) == status
    assert call("statusAt", word | {"background": 3, "path": "."}, 0) == "right"


@pytest.mark.parametrize(
    ("form", "background", "status"),
    [("YouTube", 0, "fixed"), ("YouTube", 2, "right"), ("Youtube", 0, "misspelled"),
     ("Youtube", 2, "misspelled")],
)  # fmt: skip
def test_a_right_tag_with_a_wrong_spelling_is_misspelled(call, form, background, status):
    word = {"word": "YouTube", "background": background, "gold": 2, "path": "2",
            "forms": {"2": form}}  # fmt: skip
    assert call("statusAt", word, 0) == status


@pytest.mark.parametrize(
    ("before", "background", "tag", "form", "unseen"),
    [("(", 0, 4, "(", True), ("(", 4, 0, "(", True), ("(", 0, 0, "(", True),
     ("(", 4, 4, "(", False), ("The", 1, 0, "the", False), ("the", 0, 1, "The", False)],
)  # fmt: skip
def test_a_word_that_is_written_right_all_along_is_unseen(
    call, before, background, tag, form, unseen
):
    written, gold = ("(", 4) if form == "(" else ("the", 0)
    word = {"word": written, "before": before, "background": background, "gold": gold,
            "path": str(tag), "forms": {str(tag): form}}  # fmt: skip
    assert call("isUnseen", {"recases": True}, word, 0) is unseen
    assert call("isUnseen", {"recases": False}, word, 0) is False
    counts = call("countUnseen", {"recases": True, "words": [word]}, 0)
    is_wrong = {"background": background != word["gold"], "adapted": tag != word["gold"]}
    seen_right = {"background": before == word["word"], "adapted": form == word["word"]}
    assert counts == {name: int(is_wrong[name] and seen_right[name]) for name in counts}


@pytest.mark.parametrize("i", STOPS)
def test_words_are_counted_by_status_and_confusion_and_pinned_as_python_pins(
    call, payload, tiny_session, dev, i
):
    counts = call("tally", payload, i)
    assert {name: counts[name] for name in STATUSES} == status_counts(
        tiny_session.at(SIGMA2_GRID[i]).diff
    )
    right = (tiny_session.background_tags("dev") == dev.tags) & (
        tags_at(tiny_session, i) == dev.tags
    )
    assert counts["right"] == right.sum()
    assert call("confusion", payload, i) == count_confusions(dev, tags_at(tiny_session, i)).tolist()
    sigma2 = payload["sigma2s"][i]
    made = make_view(tiny_session, Settings(pin=f"{sigma2}, 0"))["pinned"]
    wanted = made | {"tags": {str(position): tag for position, tag in made["tags"].items()}}
    assert call("pinnedAt", payload, sigma2) | {"cutoff": "0"} == wanted


@pytest.mark.parametrize("i", STOPS)
def test_the_share_of_a_pair_is_of_the_words_of_its_first_tag(call, payload, tiny_session, dev, i):
    counts = np.array(count_confusions(dev, tags_at(tiny_session, i)))
    for gold, given in zip(*np.nonzero(counts), strict=True):
        if gold != given:
            pair = [payload["tags"][gold], payload["tags"][given]]
            share = call("shareWrong", payload, i, {"only": None, "pair": pair})
            assert share == counts[gold, given] / counts[gold].sum()


@pytest.mark.parametrize(("start", "end"), [(0, 24), (24, 0), (0, 6), (12, 12)])
def test_flips_are_the_words_with_another_tag(call, payload, tiny_session, start, end):
    found = [word["position"] for word in call("flips", payload, start, end)]
    differs = tags_at(tiny_session, start) != tags_at(tiny_session, end)
    assert found == np.flatnonzero(differs).tolist()


@pytest.mark.parametrize("show", STATUSES_SHOWN)
def test_a_filter_by_status_passes_the_rows_of_the_diff(passing, tiny_session, show):
    diff = tiny_session.at(SIGMA2_GRID[12]).diff
    wanted = diff["position"][diff["status"].isin(STATUSES_SHOWN[show])].tolist()
    assert passing(show=show, pair=None, only=None) == wanted


@pytest.mark.parametrize("show", ["changed", "broken"])
def test_groups_are_the_words_that_are_shown_without_regard_to_case(
    call, payload, tiny_session, show
):
    diff = tiny_session.at(SIGMA2_GRID[12]).diff
    rows = diff[diff["status"].isin(STATUSES_SHOWN[show])]
    wanted = rows.groupby(rows["gold"].str.lower())["status"].value_counts()
    found = call("groups", payload, 12, {"show": show})
    counts = {(group["name"], *item) for group in found for item in group["counts"].items()}
    assert counts == {(*key, n) for key, n in wanted.items()}
    sizes = [len(group["words"]) for group in found]
    assert sizes == sorted(sizes, reverse=True)


def test_a_filter_by_tags_passes_a_cell_of_the_confusions(passing, tiny_session):
    diff = tiny_session.at(SIGMA2_GRID[12]).diff
    wrong = diff[diff["gold_tag"] != diff["tag_after"]]
    pairs = set(zip(wrong["gold_tag"], wrong["tag_after"], strict=True))
    assert pairs
    for pair in pairs:
        of_pair = (wrong["gold_tag"] == pair[0]) & (wrong["tag_after"] == pair[1])
        found = passing(show="fixed", pair=list(pair), only=None)
        assert found == wrong["position"][of_pair].tolist()


def test_the_best_place_has_the_fewest_errors_on_dev(call, payload, tiny_session):
    curve = tiny_session.curve(0)
    assert call("bestOnDev", payload) == curve["dev_error_rate"].idxmin()
    assert call("bestOnDev", {"points": [None, None]}) == -1
    assert call("bestOnDev", {"points": [None, {"dev": 0.2}, {"dev": 0.1}, {"dev": 0.1}]}) == 2


def test_places_around_the_best_that_do_not_clearly_differ_are_as_good(call, payload, tiny_session):
    points = grid_points(tiny_session, [0])
    assert call("asGood", payload) == np.flatnonzero(points["near_best"]).tolist()
    assert call("bestOnDev", payload) in call("asGood", payload)
    errors = (0.2, 0.4, 0.25, 0.2, 0.5)
    holed = payload | {"points": [{"dev": each, "near": each < 0.3} for each in errors]}
    assert call("asGood", holed) == [0]
    said = [call("verdictAt", holed, i) for i in range(len(errors))]
    alike, worse = "no clear difference", "clearly worse"
    assert said == ["the lowest", worse, alike, alike, worse]
    cells = [
        {"i": i, "cutoff": "0", "near": i in (1, 3), "p": 0.5 if 0 < i < 4 else 0.01,
         "best": i == 3, "error": error}
        for i, error in enumerate(errors)
    ]  # fmt: skip
    # Those that are near hang together by way of another cut-off.
    of_map = call(
        "judgedBy", holed, cells, "0"
    )  # the lowest of this curve is not near the best of all
    assert call("asGood", of_map) == [1, 3]
    said = [call("verdictAt", of_map, i) for i in range(len(errors))]
    worse = "clearly worse than ★"
    alike = [f"{round(holed['n_units'] * 0.2)} above ★ (p: 0.500)",
             f"{round(holed['n_units'] * 0.05)} above ★ (p: 0.500)"]  # fmt: skip
    assert said == [worse, *alike, "★", worse]
    elsewhere = [cell | {"best": False} for cell in cells]
    of_map = call("judgedBy", holed, elsewhere, "0")
    said = [call("verdictAt", of_map, i) for i in range(len(errors))]
    assert said == [worse, *alike, "0 above ★ (p: 0.500)", worse]
    assert call("judgedBy", holed, [], "0")["points"] == holed["points"]
    assert call("asGood", payload | {"points": [*payload["points"][:-1], None]}) == []
    learnt = [point | {"interval": None} for point in payload["points"]]
    assert call("asGood", payload | {"points": learnt}) == []  # there is no verdict


def test_a_pinned_state_is_compared_as_two_models_are(call, payload, tiny_session):
    """Of words that are right along the whole path the payload does not tell: they count."""
    place, pin = 20, tiny_session.at(SIGMA2_GRID[4], 5)
    gold, here = tiny_session.corpora["dev"].tags, tiny_session.at(SIGMA2_GRID[place])
    tags, then = here.tuned.tags["dev"], pin.tuned.tags["dev"]
    told = {"tags": {str(p): int(then[p]) for p in np.flatnonzero(then != gold)}}
    found = call("versusPinned", payload, place, told)
    test = mcnemar(then != gold, tags != gold)
    assert (found["better"], found["worse"]) == (test.fixed, test.broken)
    assert test.fixed > 0 < test.broken
    assert found["neither"] == ((then != tags) & (then != gold) & (tags != gold)).sum()
    assert found["p"] == pytest.approx(test.p_value, rel=1e-9)


@pytest.mark.parametrize(("fixed", "broken"), [(0, 0), (3, 3), (1, 9), (40, 12), (900, 1100)])
def test_the_chance_of_a_difference_is_that_of_mcnemar(call, fixed, broken):
    words = [
        {"position": i, "path": "0" if i < fixed else "1", "gold": 0} for i in range(fixed + broken)
    ]
    pinned = {"tags": {str(i): 1 for i in range(fixed)}}
    wrong = np.arange(fixed + broken) < fixed
    p = call("versusPinned", {"words": words}, 0, pinned)["p"]
    assert p == pytest.approx(mcnemar(wrong, ~wrong).p_value, rel=1e-9)


def test_another_cut_off_changes_the_words_that_its_model_tags_differently(
    call, payload, tiny_session
):
    tags = {c: tiny_session.at(SIGMA2_GRID[12], c).tuned.tags["dev"] for c in (0, 5)}
    other = make_payload(tiny_session, 5)
    found = call("changes", payload, 12, other, 12)
    positions = [now["position"] for _, now in found]
    assert positions == np.flatnonzero(tags[0] != tags[5]).tolist() != []
    for then, now in found:
        assert call("tagAt", then, 12) == tags[0][then["position"]]
        assert call("tagAt", now, 12) == tags[5][now["position"]]
    assert call("changes", payload | {"points": [None] * 25}, 12, other, 12) == []


def test_a_choice_as_good_as_the_best_is_not_wrong(call):
    word = {"position": 3, "path": "012", "gold": 0, "qualities": [0.9, 0.9, 0.5]}
    points = [{"dev": 0.1}, {"dev": 0.1}, {"dev": 0.5}]
    payload = {"sigma2s": ["0.1", "1", "10"], "words": [word], "points": points}
    found = [call("pinnedAt", payload, sigma2) for sigma2 in payload["sigma2s"]]
    assert [(pinned["wrong"], pinned["dev"]) for pinned in found] == [(0, 0.1), (0, 0.1), (1, 0.5)]
    assert [pinned["tags"] for pinned in found] == [{}, {"3": 1}, {"3": 2}]


def test_the_background_is_the_baseline(call):
    said = call("comparison", {"name": "background"}, {"quality": ""})
    assert said == {"text": "the baseline", "isClear": False}


def test_where_no_fit_is_known_a_word_is_as_the_background_left_it(call, payload):
    unknown = payload | {"points": [None] * 25}
    for word in payload["words"]:
        blank = word | {"path": "." * 25}
        expected = "right" if word["background"] == word["gold"] else "still wrong"
        assert (call("tagAt", blank, 3), call("statusAt", blank, 3)) == (-1, expected)
    assert call("flips", unknown, 0, 24) == []


@pytest.mark.parametrize(
    ("fraction", "text"),
    [(0.01234, "1.23 %"), (0, "0.00 %"), (1, "100.00 %"), (-0.5, "−50.00 %"), (None, "–")],
)
def test_a_fraction_in_per_cent(call, fraction, text):
    assert call("percent", fraction) == text.replace(" ", "\u00a0")


@pytest.mark.parametrize(
    ("fraction", "text"),
    [(-0.382, "−38 %"), (0.591, "+59 %"), (0.004, "no change"), (-0.004, "no change")],
)
def test_a_change_has_its_sign(call, fraction, text):
    assert call("signed", fraction) == (text if "no" in text else text.replace(" ", "\u00a0"))


@pytest.mark.parametrize(
    ("change", "interval", "words", "is_clear"),
    [
        (-0.38, [-0.44, -0.33], "−38 % errors (−44 % to −33 %)", True),
        (0.1, [-0.05, 0.3], "no clear difference (−5 % to +30 %)", False),
        (0.1, [0.001, 0.3], "+10 % errors (0 % to +30 %)", True),
        (None, None, "no verdict: this text repeats what was learnt", False),
        (None, [None, None], "nothing to compare with", False),
        (-0.8, [None, None], "too few to tell", False),
    ],
)
def test_a_comparison_says_only_what_is_clear(call, change, interval, words, is_clear):
    model = {"name": "adapted", "change": change, "interval": interval}
    said = call("comparison", model, {"quality": ""})
    assert (said["text"].replace("\u00a0", " "), said["isClear"]) == (words, is_clear)


def test_a_comparison_of_quality_is_in_points(call):
    model = {"name": "adapted", "change": 0.012, "interval": [0.004, 0.02]}
    said = call("comparison", model, {"quality": "F1"})
    assert said == {"text": "+1.20 points (+0.40 to +2.00)", "isClear": True}
    model["interval"] = [-0.004, 0.02]
    said = call("comparison", model, {"quality": "F1"})
    assert said == {"text": "no clear difference (−0.40 to +2.00)", "isClear": False}
