"""The report: one page that holds all it needs, whatever its texts are, and how it is repeated."""

import base64
import hashlib
import json
import re
import shlex
from html import unescape
from html.parser import HTMLParser

import pytest
from command_texts import grid
from hostile_texts import HOSTILE, hostile_session

from workbench import __version__
from workbench.cli.main import make_parser
from workbench.experiments.lessons.figures import LessonFigures
from workbench.experiments.repeat import Source, python_lines
from workbench.scrub.report import embed_json, report_html, write_report
from workbench.settings import CUTOFFS, SETTINGS, SIGMA2_GRID, Settings
from workbench.text.errors import InputError

DATA = re.compile(r'<script type="application/json" id="scrubber-data">(.*?)</script>', re.DOTALL)
CODE = re.compile(r'<script type="module">(.*?)</script>', re.DOTALL)
STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)


def data_of(page):
    return json.loads(DATA.search(page)[1])


class Elements(HTMLParser):
    """All elements of a page with their attributes."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))


@pytest.fixture(scope="module")
def page(tiny_session):
    return report_html(tiny_session, Settings(), n_explained=3)


@pytest.fixture(scope="module")
def hostile_page(background, unigram, adaptation_corpus):
    session = hostile_session(background, unigram, adaptation_corpus)
    settings = Settings(background="<u>", domain="'; alert(3) //", templates="<s>")
    return report_html(session, settings, n_explained=40)


# --- text is data -------------------------------------------------------------------------


@pytest.mark.parametrize("text", HOSTILE)
def test_embedded_json_is_given_back_and_holds_no_markup(text):
    embedded = embed_json({"a": [text, {text: 1.5}]})
    assert json.loads(embedded) == {"a": [text, {text: 1.5}]}
    assert not set(embedded) & set("<>&\u2028\u2029\ud800")
    embedded.encode()


def test_hostile_text_makes_no_element(hostile_page, page):
    tags = {tag for tag, _ in Elements(page).found}
    elements = Elements(hostile_page).found
    assert {tag for tag, _ in elements} == tags
    assert [tag for tag, _ in elements].count("script") == 2
    assert not [a for _, given in elements for a in given if a.startswith("on") or a == "src"]
    words = {
        word.strip() for s in data_of(hostile_page)["payloads"]["0"]["sentences"]
        for word in s["words"]
    }  # fmt: skip
    assert len(words & set(HOSTILE)) >= 8
    assert "<i>name</i>" in unescape(re.search(r"<h1>(.*?)</h1>", hostile_page, re.DOTALL)[1])


def test_a_hostile_page_is_written_as_utf_8(hostile_page, tmp_path):
    write_report(tmp_path / "page.html", hostile_page)
    assert (tmp_path / "page.html").read_bytes().decode() == hostile_page
    with pytest.raises(InputError, match="cannot be written"):
        write_report(tmp_path / "none" / "page.html", hostile_page)


def test_several_cut_offs_are_in_order_and_none_is_last(tiny_session):
    page = report_html(tiny_session, Settings(cutoff=5), cutoffs=[None, 0], n_explained=0)
    data = data_of(page)
    assert data["view"]["cutoffs"] == list(data["payloads"]) == ["0", "5", "none"]
    assert (data["at"]["cutoff"], data["answers"]) == ("5", {})
    assert all(None not in path["points"] for path in data["payloads"].values())


def test_a_lesson_is_filled_and_has_the_cut_offs_and_words_that_it_goes_to(tiny_session):
    settings = Settings(lesson="cutoff")
    data = data_of(report_html(tiny_session, settings, n_explained=0))
    held = [SETTINGS["cutoff"].text(cutoff) for cutoff in CUTOFFS]  # a step is about the map
    assert list(data["payloads"]) == data["view"]["cutoffs"] == held
    steps = data["lesson"]["steps"]
    assert {step["ring"] for step in steps} == {"cutoff", "text", "grid"}
    figures = LessonFigures(tiny_session)
    assert steps[2]["truth"] == int(figures["cut_answer_none"]) - 1
    assert figures["cut_error_none"] in steps[2]["reveal"]
    assert (steps[2]["sets"]["cutoff"], steps[2]["then"]["cutoff"]) == ("0", "none")
    data = data_of(report_html(tiny_session, Settings(lesson="tags"), n_explained=0))
    words = [step["sets"]["word"] for step in data["lesson"]["steps"] if step["sets"]["word"]]
    assert [word.split(" · ")[1] for word in words] == list(data["answers"])
    assert len(words) == 1


# --- no network ---------------------------------------------------------------------------


def digest(text):
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


# --- what it says -------------------------------------------------------------------------


def test_the_data_are_those_of_the_session(page, tiny_session):
    data = data_of(page)
    points = data["payloads"]["0"]["points"]
    errors = [point["error"] for point in points]
    assert errors == [tiny_session.at(s).models[-1]["error_rate"] for s in SIGMA2_GRID]
    assert data["view"]["cutoffs"] == ["0"]
    diff = tiny_session.at(1.0).diff
    changed = diff["position"][diff["status"].isin(["broken", "fixed"])]
    assert len(data["answers"]) == 3
    assert set(map(int, data["answers"])) <= set(changed)
    for position, found in data["answers"].items():
        assert found["why"]["position"] == int(position)
        rows = found["why"]["gap"]["rows"]
        total = sum(row["adapted"] for row in rows)
        assert total == pytest.approx(found["why"]["gap"]["adapted"], abs=0.01)
        sentences = found["because"]["pushed"] + found["because"]["resisted"]
        assert all("sentence" not in sentence for sentence in sentences)


def test_tables_have_errors_settings_and_fingerprints(page, tiny_session):
    rows = cells(page, "Errors")[1:]
    expected = [
        [part, row["name"], f"{row['wrong']} of {len(tiny_session.corpora[part])}",
         f"{row['misspelled']}", f"{100 * row['error_rate']:.2f}\u00a0%"]
        for part in ("dev", "test") for row in tiny_session.at(1.0, 0, part).models
    ]  # fmt: skip
    assert [row[:5] for row in rows] == expected
    texts = {row[0]: row[-1] for row in cells(page, "Texts")[1:]}
    assert texts["background"] == tiny_session.background.info["text"]
    for part, name in {"train": "adaptation", "dev": "dev", "test": "test"}.items():
        assert texts[name] == tiny_session.corpora[part].fingerprint
    assert ["Templates", "ca04"] in cells(page, "Settings")
    assert __version__ in page


def test_the_page_holds_nothing_from_outside_and_is_the_same_again(page, tiny_session):
    addresses = set(re.findall(r"\w+://[^\s\"'<>)]*", DATA.sub("", page)))
    assert addresses == {"http://www.w3.org/2000/svg"}  # the name of SVG's elements
    assert not re.search(r"\burl\(|@import|\bfetch\(|XMLHttpRequest|WebSocket", page)
    attributes = {name for _, given in Elements(page).found for name in given}
    assert not attributes & {"src", "href", "action", "srcset", "data"}
    (policy,) = (
        given["content"] for tag, given in Elements(page).found
        if given.get("http-equiv") == "Content-Security-Policy"
    )  # fmt: skip
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules == {
        "default-src": "'none'", "img-src": "data:", "base-uri": "'none'", "form-action": "'none'",
        "style-src": digest(STYLE.search(page)[1]), "script-src": digest(CODE.search(page)[1]),
    }  # fmt: skip
    assert page.index("Content-Security-Policy") < page.index("<style>")
    assert report_html(tiny_session, Settings(), n_explained=3) == page


def cells(page, heading):
    section = re.search(rf"<h2>{heading}</h2>(.*?)</section>", page, re.DOTALL)[1]
    return [
        [unescape(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)]
        for row in re.findall(r"<tr>(.*?)</tr>", section)
    ]


# --- the command --------------------------------------------------------------------------


@pytest.fixture
def report(run, place, tmp_path):
    """Write a report with the command; returns what was printed, as JSON, and the page."""

    def _report(*options):
        path = tmp_path / "lesson.html"
        status, printed, said = run(
            "report", *grid(place, *options, with_test=False), "-o", path, "--json"
        )
        assert status == 0, said
        return json.loads(printed), path.read_text("utf-8")

    return _report


def test_the_command_prints_what_the_page_holds_with_a_test_text_or_without(report, place):
    printed, page = report("--sigma2", "0.32", "--test", place / "talk", "--cutoff", "0,none")
    data = data_of(page)
    assert (printed["sigma2"], printed["cutoff"], data["at"]["sigma2"]) == (0.32, 0, "0.32")
    assert list(data["payloads"]) == ["0", "none"]
    path = data["payloads"]["0"]
    assert printed["words"]["dev"] == path["n_units"]
    point = path["points"][path["sigma2s"].index("0.32")]
    assert printed["errors"]["dev"]["adapted"] == point["error"]
    assert set(printed["errors"]) == {"dev", "test"}
    assert printed["bytes"] == len(page.encode())
    printed, page = report()
    assert set(printed["errors"]) == {"dev"}
    assert {row[0] for row in cells(page, "Errors")[1:]} == {"dev"}
    assert "test" not in {row[0] for row in cells(page, "Texts")}
    path = data_of(page)["payloads"]["0"]
    errors = [point["dev"] for point in path["points"]]
    assert path["sigma2s"][errors.index(min(errors))] == f"{printed['sigma2']:g}"


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        ("--templates", "currentword t-1 +shape", "--background-sigma2", "2"),
        ("--cutoff", "none,0", "--explained", "1", "--model", "crf", "--sigma2", "0.1"),
        ("--explained", "0", "--lesson", "cutoff"),
    ],
)
def test_the_command_in_the_page_gives_the_same_page(report, run, tmp_path, options):
    _, page = report(*options)
    words = shlex.split(re.search(r"<code>(python -m workbench .*?)</code>", unescape(page))[1])
    assert words[:4] == ["python", "-m", "workbench", "report"]
    make_parser().parse_args(words[3:])
    again = tmp_path / "again.html"
    assert run(*words[3:-1], again)[0] == 0
    assert again.read_text("utf-8") == page


@pytest.mark.slow
@pytest.mark.parametrize(
    "options", [["--model", "crf"], ["--background-cutoff", "2", "--sigma2", "10"]]
)
def test_the_python_in_the_page_gives_the_same_errors(report, options, capfd):
    printed, page = report(*options)
    summary = re.search(r'<p class="summary">(.*?)</p>', page)[1]
    run_python(re.search(r"<code>(from workbench import .*?)</code>", page, re.DOTALL)[1])
    said = capfd.readouterr().out.strip()
    assert said.startswith("Adaptation ")
    assert unescape(summary) == f"dev text, σ² = {printed['sigma2']:g}: {said}"


def run_python(code):
    exec(unescape(code), {})


def test_python_of_several_texts_runs(place, outside, tiny_session, capfd, monkeypatch):
    monkeypatch.chdir(place)
    source = Source(("news.txt", "news.txt"), ("talk", "talk"), "talk")
    run_python(python_lines(tiny_session, Settings(cutoff=None), source))
    assert capfd.readouterr().out.startswith("Adaptation fixed ")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--sigma2", "0.3"], "sigma2 0.3: no stop of the slider; near it are 0.22 and 0.32"),
        (["--sigma2", "0"], "allowed"),
        (["--cutoff", "0,x"], "or none"),
        (["--explained", "-1"], "explained -1: 0 or more is allowed"),
        (["--templates", "nonsense"], "nonsense"),
    ],
)
def test_mistakes_are_refused_before_any_text_is_read(refuse, place, output, options, said):
    texts = grid(place, *options, with_test=False)
    assert said in refuse("report", *texts, "-o", output)


def test_a_place_that_cannot_be_written_is_refused(run, place, tmp_path):
    texts = grid(place, with_test=False)
    status, printed, message = run("report", *texts, "-o", tmp_path / "no" / "page.html")
    assert (status, printed, message.count("\n")) == (1, "", 1)
    assert "cannot be written" in message
    own = grid(place, with_test=False)
    assert "to be read itself" in run("report", *own, "-o", place / "news.txt")[2]
