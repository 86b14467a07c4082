"""Tune on candidate sets: what is selected and why, by session, payload and page."""

import json
import re
from html import unescape

import numpy as np
import pytest
from candidate_genres import QUERY, write_genres
from pages import html_of, make_page, view_of, warnings_of
from scipy.stats import binomtest

from workbench.candidates.files import read_all_parts
from workbench.candidates.learning import DEFAULTS
from workbench.candidates.model import CandidateModel
from workbench.candidates.pn08 import CandidateStudy
from workbench.candidates.session import CandidateSession, load_candidates, open_candidate_session
from workbench.candidates.why import chosen_because, moved_weights, why_chosen
from workbench.charts.amount_chart import draw_amounts
from workbench.charts.bars import draw_bench
from workbench.cli.main import main
from workbench.evaluation.number_words import per_cent
from workbench.evaluation.significance import mcnemar
from workbench.experiments.amounts import Amounts, crossovers, describe_amount
from workbench.experiments.method_rows import to_csv
from workbench.experiments.movers import find_subset
from workbench.experiments.papers.tables import make_tables
from workbench.experiments.repeat import figures_json
from workbench.experiments.surface import describe_grid, grid_points
from workbench.scrub.report import report_html
from workbench.scrub.slider import make_payload
from workbench.settings import BROKEN, FIXED, STILL_WRONG, Settings
from workbench.text.errors import InputError


@pytest.fixture(scope="module")
def data(data):
    write_genres(data)
    return data


@pytest.fixture(scope="module")
def session(data) -> CandidateSession:
    return open_candidate_session(QUERY["background"], QUERY["domain"])


@pytest.fixture(scope="module")
def snapshot(session):
    return session.at(1.0)


def statuses(sets, before, after):
    """What became of each sentence, by plain comparisons."""
    found = []
    for s in range(sets.n_sentences):
        old, new, best = sets.quality[before[s]], sets.quality[after[s]], sets.best_quality[s]
        found.append(FIXED if new > old else BROKEN if new < old else STILL_WRONG if new < best
                     else "right")  # fmt: skip
    return found


def test_a_session_tells_what_each_model_selects(session, snapshot):
    dev = session.corpora["dev"]
    first, background, adapted = snapshot.models
    assert [row["name"] for row in snapshot.models] == ["first-best", "background", "adapted"]
    after, before = snapshot.tuned.model.tag(dev), session.background.tag(dev)
    assert adapted["quality"] == dev.quality_terms.ratio(dev.shares_of(after))
    assert first["quality"] == dev.quality_terms.ratio(dev.shares_of(dev.sentence_starts[:-1]))
    assert snapshot.point["dev_error_rate"] == pytest.approx(1 - adapted["quality"])
    assert adapted["quality"] > background["quality"]
    better = mcnemar(
        dev.quality[before] < dev.quality[after], dev.quality[after] < dev.quality[before]
    )
    assert (adapted["versus"]["better"], adapted["versus"]["worse"]) == better[:2]


def test_the_diff_has_sentences_by_what_became_of_them(session, snapshot):
    dev = session.corpora["dev"]
    before, after = session.background_tags("dev"), snapshot.tuned.tags["dev"]
    expected = statuses(dev, before, after)
    for row in snapshot.diff.itertuples():
        assert expected[row.position] == row.status or before[row.position] != after[row.position]
        assert row.text == f"Words of {row.position + 1} ."
    shown = set(snapshot.diff["position"])
    assert {s for s, status in enumerate(expected) if status != "right"} <= shown
    fixed, broken = expected.count(FIXED), expected.count(BROKEN)
    assert fixed > broken
    assert f"better candidate in {fixed} and a worse one in {broken} of 40" in snapshot.summary


def test_a_payload_has_the_choices_of_the_whole_path(session):
    dev, grid = session.corpora["dev"], (0.01, 1.0, 100.0)
    chosen = {value: dev.number_within(session.at(value).tuned.tags["dev"]) for value in grid}
    payload = make_payload(session, 0)
    for unit in payload["words"]:
        for value, own in chosen.items():
            place = payload["sigma2s"].index(f"{value:g}")
            assert ord(unit["path"][place]) - 48 == own[unit["position"]]
        start, end = dev.sentence_starts[unit["position"] :][:2]
        assert unit["qualities"] == dev.quality[start:end].tolist()
        assert str(unit["gold"]).isdecimal()
    assert (payload["n_units"], payload["quality"]) == (40, "F1")
    told = make_payload(session, 0, "test", 1.0)["points"]
    assert sum("wrong" in point for point in told if point) == 1  # the test text: one look


def test_why_sums_to_the_gap_and_because_names_sentences(session, snapshot):
    dev, model = session.corpora["dev"], snapshot.tuned.model
    position = int(snapshot.diff.query("status == 'fixed'")["position"].iloc[0])
    answer = why_chosen(session, snapshot, position)
    gap, start = answer["gap"], dev.sentence_starts[position]
    names = [int(answer[side]["tag"].split()[1]) - 1 for side in ("after", "before")]
    for side, kind in (("adapted", model), ("background", session.background)):
        logs = np.log(kind.probabilities(dev)[[start + n for n in names]])
        assert gap[side] == pytest.approx(logs[0] - logs[1])
        assert sum(row[side] for row in gap["rows"]) == pytest.approx(gap[side])
    assert gap["adapted"] > 0 > gap["background"]
    found = chosen_because(session, snapshot, position)
    assert (found["from"], found["to"]) == (gap["from"], gap["to"])
    top = found["pushed"][0]
    assert top["link"]["words"] in snapshot.tuned.adaptation.problem.features
    assert (top["link"]["effect"] > 0, top["link"]["places"]) == (True, [])
    fewer = session.without([top["sentence"]])
    told = fewer.left_out(fewer.at(1.0), position)
    assert told["sentences"] == [{"sentence": top["sentence"], "words": top["words"]}]
    assert told["forecast"] == pytest.approx(-top["effect"])
    assert told["true"] == pytest.approx(told["forecast"], rel=0.4)
    left = why_chosen(fewer, fewer.at(1.0), position)
    if (left["gap"]["from"], left["gap"]["to"]) == (gap["from"], gap["to"]):
        assert gap["adapted"] - left["gap"]["adapted"] == pytest.approx(top["effect"], rel=0.4)
    with pytest.raises(InputError, match="sentence 40"):
        why_chosen(session, snapshot, 40)


def test_the_page_shows_choices_and_explains_one(data):
    page = make_page(**QUERY).run()
    view = view_of(page)
    assert view["payload"]["task"] == "candidates"
    assert "chooses one candidate for each sentence, trained on 60 sentences" in view["intro"]
    assert page.segmented_control(key="section").options == ["choices", *SECTIONS]
    position = view["payload"]["words"][0]["position"]
    page.text_input(key="word").set_value(f"sentence · {position}").run()
    explained = view_of(page)["explained"]
    assert explained["why"]["position"] == position
    assert explained["because"]["pushed"] or explained["because"]["resisted"]
    page.text_input(key="word").set_value("sentence · 4000").run()
    assert "has no such" in warnings_of(page)


def test_the_grid_is_of_quality(session, snapshot):
    dev, tags = session.corpora["dev"], snapshot.tuned.tags["dev"]
    before, rng = session.background_tags("dev"), np.random.default_rng(0)
    one, other = (dev.quality_terms.take(chosen) for chosen in (tags, before))
    drawn = rng.integers(0, dev.n_sentences, (2000, dev.n_sentences))
    spread = np.std([one.take(own).total() - other.take(own).total() for own in drawn])
    assert session.difference_error("dev", tags) == pytest.approx(spread, rel=0.1)
    better, worse = ((dev.quality[a] > dev.quality[b]).sum()
                     for a, b in ((tags, before), (before, tags)))  # fmt: skip
    assert session.p_value("dev", tags, before) == pytest.approx(
        binomtest(better, better + worse).pvalue
    )
    points = grid_points(session, (0,))
    row = points[points["sigma2"] == 1.0].iloc[0]
    assert row["error"] == pytest.approx(1 - snapshot.models[-1]["quality"])
    best = points["error"].min()
    assert f"Best on dev: F1 {100 - 100 * best:.2f} %" in describe_grid(points, "F1")


def test_learning_curves_are_of_quality(session):
    made = Amounts(session, (1.0,), n_seeds=1)
    samples = {(s.method, s.n_sentences): s for s in made.run()}
    dev, train = session.corpora["dev"], session.corpora["train"]
    alone = CandidateModel.fit(train, cutoff=0, sigma2=1.0, solver="newton")
    for name, model in (("map", session.background.adapt(train, 1.0)), ("target", alone)):
        quality = dev.quality_terms.take(model.tag(dev)).total()
        assert samples[name, 60].error == pytest.approx(1 - quality)
    table = made.table()
    says = describe_amount(table, 60, "F1")
    assert f"; F1: map {100 - 100 * samples['map', 60].error:.2f} %" in says
    layers = draw_amounts(table, crossovers(table), 60, "F1").to_dict()["layer"]
    axis = next(layer for layer in layers if layer["name"] == "points")["encoding"]["y"]
    assert (axis["title"], axis["scale"].get("type")) == ("F1", None)


def test_weights_that_moved_filter_sentences(session, snapshot):
    dev, tags = session.corpora["dev"], snapshot.tuned.tags["dev"]
    moved = moved_weights(session, snapshot)
    before = session.background_tags("dev")
    for row in moved.itertuples():
        own = dev.value_of(row.feature)
        assert row.positions == [
            i for i in range(40) if (own[tags[i]] - own[before[i]]) * row.change > 0
        ]
    name = f"weight: {moved['feature'][0]}"
    assert find_subset(session, snapshot, name).tolist() == moved["positions"][0]
    last = moved_weights(session, snapshot, n=10_000).iloc[-1]
    assert (
        find_subset(session, snapshot, f"weight: {last['feature']}").tolist() == last["positions"]
    )
    with pytest.raises(InputError, match="this model has no such weight"):
        find_subset(session, snapshot, "weight: nowhere")
    with pytest.raises(InputError, match="slice: candidate sets have none"):
        find_subset(session, snapshot, "document: doc1")


def test_what_is_taken_away(session, snapshot):
    settings = Settings(background="parses/news", domain="parses/talk")
    page = report_html(session, settings, n_explained=2)
    rows = re.findall(r"<td>(.*?)</td><td>(.*?)</td><td class=\"n\">(.*?)</td>", page)
    adapted = snapshot.models[-1]
    assert ("dev", "adapted", f"{adapted['wrong']} of 40") in rows
    assert f"{per_cent(adapted['quality'])}</td>" in page
    assert "report --background parses/news --adapt parses/talk" in page
    (python,) = re.findall(r"<code>(from workbench.*?)\nprint", unescape(page), re.DOTALL)
    made: dict = {}
    exec(python, made)
    assert made["now"].summary == snapshot.summary
    figures = json.loads(figures_json(session, settings, snapshot))
    assert figures["models"][-1]["quality"] == pytest.approx(adapted["quality"])
    assert figures["domain"]["dev"]["candidates"] == len(session.corpora["dev"])
    assert figures["slices"] == []


def test_the_command_writes_a_report(data, tmp_path, capsys):
    folder, file = data / "parses", tmp_path / "report.html"
    texts = ["--background", folder / "news", "--adapt", folder / "talk", "--dev", folder / "talk"]
    assert main(["report", *map(str, texts), "-o", str(file), "--explained", "2", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["sentences"] == {"dev": 40}
    assert told["quality"]["dev"]["adapted"] >= told["quality"]["dev"]["background"]
    page = unescape(file.read_text())
    assert "load_candidates(" in page
    assert "<h2>Quality</h2>" in page
    assert main(["report", *map(str, texts), "-o", str(file), "--model", "crf"]) == 1


SECTIONS = ["how little data", "weights", "take away"]


@pytest.mark.parametrize("section", SECTIONS)
def test_every_section_is_drawn(data, section):
    page = make_page(**QUERY, section=section, word="", pin="0.1, 0").run()
    assert not page.exception
    assert not page.error
    if section == "take away":
        assert "workbench adapt background.model parses/talk --sigma2 1" in page.code[1].value
    pinned = view_of(page)["pinned"]
    assert len(pinned["tags"]) == 40


def test_methods_are_compared_on_the_page(data, session):
    page = make_page(**QUERY, view="Compare", methods="background").run()
    assert not page.error
    page.button_group(key="methods").set_value(["background", "map"]).run()
    comparison = page.session_state["last comparison"]
    test = session.corpora["test"]
    (own,) = [row for row in comparison["models"] if row["name"] == "background"]
    assert own["quality"] == session.baseline_rows("test")[1]["quality"]
    best = comparison["models"][1]
    assert "map is the best: F1" in html_of(page) or own["quality"] > best["quality"]
    (pair,) = comparison["paired"]
    assert pair["difference"] == pytest.approx(best["quality"] - own["quality"])
    assert to_csv(comparison).splitlines()[0].startswith("name,quality,low,high,from_background")
    assert comparison["sentences"] == test.n_sentences
    spec = draw_bench(comparison["models"], "F1").to_dict()
    assert spec["title"]["text"] == "F1 on the test text, with 95 % intervals"


def test_papers_makes_the_tables_of_candidate_sets(data):
    page = make_page(**QUERY, view="Papers", table="PN08 table 2").run()
    assert not page.exception
    assert [head.value for head in page.subheader] == [
        "Plank & van Noord (2008), table 2: auxiliary features on candidate sets, one for all and "
        "one a class, 5-fold"
    ]
    assert len(page.pills(key="table").options) == 5
    rows = page.dataframe[0].value
    domain = {QUERY["domain"]: read_all_parts(data / QUERY["domain"])}
    study = CandidateStudy(load_candidates(QUERY["background"]), domain, DEFAULTS)
    (made,) = make_tables(study, ["pn08-2"])
    assert rows["quality"].tolist() == pytest.approx([100 * row["quality"] for row in made.rows])
    assert html_of(page).count("sentences") >= 2


def test_a_domain_of_words_does_not_go_with_candidate_sets(data):
    page = make_page(**QUERY | {"domain": "tiny-broadcast"}).run()
    assert "candidates" in page.error[0].value


def test_candidate_sets_are_folders_and_nothing_is_uploaded(data):
    with pytest.raises(InputError, match=r"no candidate sets of that name; here are .*parses/news"):
        load_candidates("nltk-docs-recasings")
    page = make_page(**QUERY).run()
    assert not page.get("file_uploader")
    assert not [name for name in page.selectbox(key="domain").options if "recasings" in name]
