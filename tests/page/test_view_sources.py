"""The visitor's own texts: entries like all data sets, in every view, kept in memory alone."""

import gzip
from typing import NamedTuple

import pytest
import streamlit
from pages import bring, html_of, make_page, own_names, own_sets, paste, said, view_of, warnings_of

from workbench.settings import SETTINGS
from workbench.text.lint import Finding
from workbench.text.sets import storage
from workbench.views import cache, uploads, visit
from workbench.views.uploads import check_html

LINES = [
    "Doctor Watson met Holmes in New York on Monday .", "He said the company lost 3 dollars .",
    "The IMF and NATO met in Vienna .", "Shares of IBM rose again , said McCarthy .",
    "More rain is expected in London .",
]  # fmt: skip


def text(n=40):
    return "".join(f"{LINES[i % 5]}\n" for i in range(n)).encode()


@pytest.fixture
def page(data):
    return make_page().run()


def test_an_upload_is_the_domain_in_every_view_and_stays_an_entry(data):
    app = bring(make_page(view="Papers"), text())
    for view in ("Compare", "Tune"):
        assert not app.exception
        assert not app.error
        assert app.selectbox(key="domain").value == "mine.txt (yours)"
        assert "tiny-news</em> adapted to <em>mine.txt (yours)" in html_of(app)
        app.segmented_control(key="view").set_value(view).run()
    assert "tiny-news</em> adapted to <em>mine.txt (yours)" in html_of(app)
    app.segmented_control(key="view").set_value("Papers")
    app.selectbox(key="domain").set_value("tiny-broadcast").run()
    assert app.selectbox(key="domain").value == "tiny-broadcast"
    assert "mine.txt (yours)" in app.selectbox(key="domain").options
    assert any("mine.txt (yours)" in box.options for box in app.multiselect)  # adapted to, too
    assert not app.error


def test_a_pasted_text_is_a_domain_too_and_taken_once(page):
    app = paste(bring(page, text(30), "a.md"), text(40).decode())
    assert not app.error
    assert "<em>pasted 1.txt (yours)</em>" in html_of(app)
    assert own_names(app) == ["a.md (yours)", "pasted 1.txt (yours)"]
    kept = dict(own_sets(app))
    form = app.session_state["last good result"][1].names_of("dev", 0)[0]
    app.text_input(key="word").set_value(f"{form} · 0").run()  # forgotten where a text is taken
    assert view_of(app)["at"]["word"] == 0
    assert all(own_sets(app)[name] is own for name, own in kept.items())
    paste(app, text(60).decode())
    assert "<em>pasted 2.txt (yours)</em>" in html_of(app)
    assert len(own_names(app)) == 3


BAD_PASTES = {
    "": "empty file",
    "no capital at all here .\n" * 9: "no capital letter",
    "One Sentence .": "5 or more are needed",
    "A b .\n" * 90_000: "500,000 can be pasted",
    "He PRP\nran VBD\nhome NN\n" * 2: "a word and its labels, of 6: No text; columns are read",
}


def test_a_bad_paste_says_why_and_changes_nothing(page):
    for pasted, complaint in BAD_PASTES.items():
        paste(page, pasted)
        assert len(page.error) == 1
        assert complaint in said(*page.error)
        assert "\n" not in said(*page.error)
        assert own_names(page) == []
        assert "<em>tiny-broadcast</em>" in html_of(page)


def test_as_many_as_may_be_are_kept_and_it_is_said_which_went(page, monkeypatch):
    assert uploads.MOST == 5
    monkeypatch.setattr(uploads, "MOST", 2)
    for i in range(3):
        bring(page, text(40 + i), f"t{i}.txt")
    assert own_names(page) == [f"t{i}.txt (yours)" for i in (1, 2)]
    assert "t0.txt (yours) was removed: only 2 texts are kept" in said(*page.caption)


def test_an_upload_is_kept_replaced_and_removed(page):
    bring(page, text())
    bring(page, text(60))
    assert own_names(page) == ["mine.txt (yours)"]
    assert f"<b>mine.txt (yours)</b>, {len(text(60).split())} words" in html_of(page)
    bring(page, text())
    page.button(key="remove mine.txt (yours)").click().run()
    assert not page.exception
    assert own_names(page) == []
    assert not page.error
    assert page.selectbox(key="domain").value == "tiny-broadcast"
    assert "yours" not in html_of(page)


def test_another_visitor_does_not_have_it_and_a_link_says_so(page, data):
    bring(page, text())
    # The default domain takes its place; as background, too, it is refused before any training.
    other = make_page(domain="mine.txt (yours)", background=SETTINGS["domain"].default).run()
    assert own_names(other) == []
    warning = warnings_of(other)
    assert "domain=mine.txt (yours): it was uploaded in another visit" in warning
    assert "bring it again" in warning


def test_all_of_a_background_of_ones_own_is_learnt_and_a_short_one_warned_of(page):
    bring(page, text(), slot="background")
    assert not page.error
    assert "336 words, all learnt" in html_of(page)
    assert "far too little" in html_of(page)
    bring(page, text(400), "long.txt", "background")
    assert not page.error
    assert page.selectbox(key="background").value == "long.txt (yours)"
    session = page.session_state["last good result"][1]
    n_words = len(text(400).split())
    assert session.background.info["words"] == n_words
    assert f"{n_words:,} words, all learnt" in html_of(page)
    assert "long.txt (yours)" not in page.selectbox(key="domain").options


def test_texts_of_one_name_in_both_slots_are_two(page):
    bring(page, text(400), slot="background")
    bring(page, text(80))
    assert own_names(page, "background") == ["mine.txt (yours)"]
    assert own_names(page) == ["mine 2.txt (yours)"]
    assert not page.error


def test_several_files_packed_or_not_are_one_text(page):
    app = bring(page, text(30), "a.md")
    (found,) = [each for each in app.get("file_uploader") if each.label.endswith("domain")]
    found.set_value([("a.md", text(30), ""), ("b.txt.gz", gzip.compress(text(50)), "")])
    app.run()
    assert own_names(app)[-1] == "a and 1 more.md (yours)"
    assert own_sets(app)["a and 1 more.md (yours)"].n_words == len((text(30) + text(50)).split())
    assert not app.error


def test_of_several_files_every_faulty_one_is_named_and_the_others_are_one_text(page):
    app = bring(page, text(30), "a.md")
    (found,) = [each for each in app.get("file_uploader") if each.label.endswith("domain")]
    files = {"a.md": text(30), "low.txt": text(30).lower(), "empty.txt": b"", "b.txt": text(50)}
    found.set_value([(name, data, "") for name, data in files.items()])
    app.run()
    for _ in range(2):  # it is told as long as the files are there
        told = [said(each) for each in app.error]
        assert [each.partition(":")[0] for each in told] == ["low.txt", "empty.txt"]
        assert all(each.endswith("; left out") for each in told)
        app.run()
    assert own_names(app)[-1] == "a and 1 more.md (yours)"
    assert own_sets(app)["a and 1 more.md (yours)"].n_words == len((text(30) + text(50)).split())


def test_files_that_are_all_refused_leave_what_was_there(page):
    app = bring(page, text(30), "a.md")
    (found,) = [each for each in app.get("file_uploader") if each.label.endswith("domain")]
    found.set_value([("low.txt", text(30).lower(), ""), ("empty.txt", b"", "")])
    app.run()
    assert len(app.error) == 2
    assert "left out" not in said(*app.error)
    assert own_names(app) == ["a.md (yours)"]


BAD_FILES = [
    ("report.pdf", b"%PDF-1.4" + bytes(99), "no text but a binary file"),
    ("zh.txt", "我们今天去北京 。\n".encode() * 40, "no upper and lower case"),
    ("broken.gz", gzip.compress(text())[:-20], "cannot be unpacked"),
    ("big.txt", b"Some Words here .\n" * 1_200_000, "more than 20 MB"),
    ("words.iob", b"He PRP B-NP\n\n" * 9, "both must have the same task"),
    ("x.model", b"nothing", "can be the background, not a domain"),
]


def test_what_cannot_be_used_is_refused_in_words_beside_its_slot(page):
    for name, content, complaint in BAD_FILES:
        bring(page, content, name)
        assert len(page.error) == 1
        assert complaint in said(*page.error)
        assert own_names(page) == []


def test_a_background_of_ones_own_is_written_nowhere(page, data, tmp_path, monkeypatch):
    monkeypatch.setenv("WORKBENCH_CACHE", str(tmp_path))
    app = bring(page, text(405), "long.txt", "background")
    before = sorted(tmp_path.rglob("*"))
    app.selectbox(key="domain").set_value("tiny-broadcast")
    app.selectbox(key="background").set_value("long.txt (yours)").run()
    for view in ("Compare", "Papers", "Tune"):
        assert not app.exception
        assert not app.error
        assert "<em>long.txt (yours)</em> adapted to <em>tiny-broadcast" in html_of(app)
        app.segmented_control(key="view").set_value(view).run()
    assert sorted(tmp_path.rglob("*")) == before
    assert not any(b"Holmes" in f.read_bytes() for f in data.rglob("*") if f.is_file())


def test_nothing_is_kept_in_the_block_alone(monkeypatch, tmp_path):
    monkeypatch.setenv("WORKBENCH_CACHE", str(tmp_path))
    with storage.keep_nothing():
        assert storage.model_folder() is None
    assert storage.model_folder() == tmp_path / "models"


def test_a_text_is_told_and_checked_before_it_is_used_and_is_no_markup(page):
    bring(page, text(40) + b"THIS LINE IS LOUD\n", "loud.txt")
    label = next(e.label for e in page.expander if e.label.startswith("Check of"))
    assert "warning" in label
    assert "<b>ALL-CAPS lines: 1</b> (line 41). Take them out" in html_of(page)
    assert "words CAP " in html_of(page)
    bring(page, text(40).replace(b"Shares", b"<b>Shares</b>").replace(b"More", b"<br>More"))
    assert "<b>Lines with tags of HTML, of 40: 16</b>. Save it as plain text" in html_of(page)
    shown = check_html([Finding("<b>bold</b>", 4, (1, 2, 3), "<img src=x>")])
    assert "<b>&lt;b&gt;bold&lt;/b&gt;: 4</b> (line 1, 2, 3, …). &lt;img" in shown


def test_lines_found_can_be_left_out_and_taken_back(page):
    own = [f"{line[:-2]} , said Holmes number {i} .\n" for i in range(20) for line in LINES]
    shouted = [f"THE {number} SHARES OF IBM ROSE AGAIN ON MONDAY .\n" for number in range(7)]
    app = bring(page, "".join(own + shouted).encode())
    (whole,) = own_sets_of(app)
    box = next(box for box in app.checkbox if box.label == "Leave out 7 lines")
    assert "<b>ALL-CAPS lines: 7</b>" in html_of(app)
    app = box.check().run()
    (part,) = own_sets_of(app)
    assert app.selectbox(key="domain").value == "mine.txt (yours)"
    assert (whole, part) == (words_in(own + shouted), words_in(own))
    app = app.button(key="close own texts").click().run()
    app = app.button(key="own text").click().run()
    assert app.checkbox[0].value is True  # it says what is so
    app = app.checkbox[0].uncheck().run()
    assert own_sets_of(app) == [whole]
    assert not app.exception


def test_where_no_line_would_be_left_all_stay(page):
    app = bring(page, b"".join(b"Shares Of Company %d Rose Again\n" % i for i in range(30)))
    whole = own_sets_of(app)
    app = app.checkbox[0].check().run()
    assert own_sets_of(app) == whole
    assert app.checkbox[0].value is False
    assert not app.exception


def own_sets_of(app):
    """The words of each of the visitor's sets."""
    return [own.n_words for own in own_sets(app).values()]


def words_in(lines):
    return sum(len(line.split()) for line in lines)


def test_a_set_is_known_by_its_content_and_asks_for_no_word_of_the_one_before(page):
    page.text_input(key="word").set_value("primetime · 0").run()
    assert view_of(page)["at"]["word"] == 0
    bring(page, text())
    assert not page.warning
    assert view_of(page)["at"]["word"] is None
    session = page.session_state["last good result"][1]
    found = own_sets(page)["mine.txt (yours)"]
    assert session.corpora["train"].fingerprint == found.corpora["train"].fingerprint
    assert uploads.OwnSet(found.corpora, []).fingerprint == found.fingerprint
    assert cache.data_set_names()["domain"]


# --- what a browser remembers -------------------------------------------------------------


def test_what_a_visitor_brought_is_found_by_its_key_until_it_is_old_or_too_much():
    now = [0.0]
    visitors = visit.Visitors(clock=lambda: now[0])
    first, second = visit.Own({"a": Size(5)}), visit.Own({"b": Size(visit.MOST_WORDS)})
    visitors.keep("one", first)
    assert visitors.find("one") is first
    assert visitors.find("two") is None
    now[0] = visit.HOURS * 3600 - 1
    assert visitors.find("one") is first  # and seen anew
    now[0] += visit.HOURS * 3600
    assert visitors.find("one") is first
    now[0] += visit.HOURS * 3600 + 1
    assert visitors.find("one") is None
    visitors.keep("one", first)
    visitors.keep("two", second)
    assert visitors.find("one") is None  # the oldest goes
    assert visitors.find("two") is second


class Size(NamedTuple):
    """A set that has nothing but a size."""

    n_words: int


def test_texts_live_through_a_reload_of_the_same_browser_alone(page, monkeypatch):
    bring(page, text())
    key, _ = page.session_state["what is kept of the visitor"]
    assert len(key) > 20
    assert key not in str(dict(page.query_params))
    monkeypatch.setattr(type(streamlit.context), "cookies", {"workbench-visitor": key})
    again = make_page(domain="mine.txt (yours)").run()
    assert own_names(again) == ["mine.txt (yours)"]
    assert again.selectbox(key="domain").value == "mine.txt (yours)"
    assert not again.warning
    monkeypatch.setattr(type(streamlit.context), "cookies", {"workbench-visitor": "guessed"})
    assert own_names(make_page().run()) == []
