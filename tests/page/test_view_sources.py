"""The visitor's own texts: entries like all data sets, in every view, kept in memory alone."""

import pytest
from pages import html_of, make_page, said, view_of, warnings_of

from workbench.settings import SETTINGS
from workbench.text.lint import Finding
from workbench.text.sets import storage
from workbench.views import cache, uploads
from workbench.views.uploads import check_html

LINES = [
    "Doctor Watson met Holmes in New York on Monday .", "He said the company lost 3 dollars .",
    "The IMF and NATO met in Vienna .", "Shares of IBM rose again , said McCarthy .",
    "More rain is expected in London .",
]  # fmt: skip


def text(n=40):
    return "".join(f"{LINES[i % 5]}\n" for i in range(n)).encode()


def upload(app, data=None, name="mine.txt"):
    app.get("file_uploader")[0].upload(name, text() if data is None else data, "text/plain")
    return app.run()


def paste(app, pasted):
    app.text_area(key="text to paste").set_value(pasted)
    return button(app, "Use this text").click().run()


def button(app, label):
    return next(button for button in app.button if button.label == label)


@pytest.fixture
def page(data):
    return make_page().run()


@pytest.mark.parametrize("view", ["Tune", "Compare", "Papers"])
def test_an_upload_is_the_domain_in_every_view(data, view):
    app = upload(make_page(view=view).run())
    assert not app.exception
    assert not app.error
    assert app.selectbox(key="domain").value == "mine.txt (yours)"
    assert "tiny-news</em> adapted to <em>mine.txt (yours)" in html_of(app)


def test_an_upload_stays_an_entry_from_view_to_view(page):
    upload(page)
    page.segmented_control(key="view").set_value("Compare").run()
    assert "<em>mine.txt (yours)</em>" in html_of(page)
    assert "measured on " in html_of(page)
    page.selectbox(key="domain").set_value("tiny-broadcast").run()
    page.segmented_control(key="view").set_value("Tune").run()
    assert "<em>tiny-broadcast</em>" in html_of(page)
    assert "mine.txt (yours)" in page.selectbox(key="domain").options


def test_a_pasted_text_is_a_domain_too(page):
    paste(page, text().decode())
    assert not page.error
    assert "<em>pasted 1.txt (yours)</em>" in html_of(page)
    paste(page, text(60).decode())
    assert "<em>pasted 2.txt (yours)</em>" in html_of(page)
    assert len(own(page)) == 2


def own(app):
    return [o for o in app.selectbox(key="domain").options if o.endswith("(yours)")]


@pytest.mark.parametrize(
    ("pasted", "complaint"),
    [("", "empty file"), ("no capital at all here .\n" * 9, "no capital letter"),
     ("One Sentence .", "5 or more are needed"), ("A b .\n" * 90_000, "500,000 can be pasted"),
     ("He PRP\nran VBD\nhome NN\n" * 2, "a word and its labels, of 6: No text; columns are read")],
)  # fmt: skip
def test_a_bad_paste_says_why_and_changes_nothing(page, pasted, complaint):
    paste(page, pasted)
    assert len(page.error) == 1
    assert complaint in said(*page.error)
    assert "\n" not in said(*page.error)
    assert own(page) == []
    assert "<em>tiny-broadcast</em>" in html_of(page)


def test_five_are_kept_and_it_is_said_which_went(page):
    for i in range(6):
        upload(page, text(40 + i), f"t{i}.txt")
    assert own(page) == [f"t{i}.txt (yours)" for i in range(1, 6)]
    assert "t0.txt (yours) was removed: only 5 texts are kept" in said(*page.caption)


def test_an_upload_is_kept_replaced_and_removed(page):
    upload(page)
    upload(page, text(60))
    assert own(page) == ["mine.txt (yours)"]
    assert f"mine.txt (yours), {len(text(60).split())} words" in html_of(page)
    upload(page)
    page.button(key="remove mine.txt (yours)").click().run()
    assert not page.exception
    assert own(page) == []
    assert not page.error
    assert page.selectbox(key="domain").value == "tiny-broadcast"
    assert "yours" not in html_of(page)


def test_another_visitor_does_not_have_it_and_a_link_says_so(page, data):
    upload(page)
    # The default domain takes its place; as background, too, it is refused before any training.
    other = make_page(domain="mine.txt (yours)", background=SETTINGS["domain"].default).run()
    assert own(other) == []
    warning = warnings_of(other)
    assert "domain=mine.txt (yours): it was uploaded in another visit" in warning
    assert "upload it again" in warning


def test_only_a_long_text_can_be_a_background(page):
    upload(page)
    assert "mine.txt (yours)" not in page.selectbox(key="background").options
    upload(page, text(400), "long.txt")
    assert "long.txt (yours)" in page.selectbox(key="background").options


def test_an_upload_can_be_adapted_to_besides_another_domain(data):
    app = make_page(view="Papers").run()
    upload(app)
    app.selectbox(key="domain").set_value("tiny-broadcast").run()
    assert any("mine.txt (yours)" in box.options for box in app.multiselect)
    assert not app.error


@pytest.mark.parametrize("view", ["Tune", "Compare", "Papers"])
def test_a_background_of_ones_own_is_written_nowhere(data, view, tmp_path, monkeypatch):
    monkeypatch.setenv("WORKBENCH_CACHE", str(tmp_path))
    app = upload(make_page().run(), text(405), f"long-{view}.txt")
    before = sorted(tmp_path.rglob("*"))
    app.selectbox(key="domain").set_value("tiny-broadcast")
    app.selectbox(key="background").set_value(f"long-{view}.txt (yours)")
    app.segmented_control(key="view").set_value(view).run()
    assert not app.exception
    assert not app.error
    assert f"<em>long-{view}.txt (yours)</em> adapted to <em>tiny-broadcast" in html_of(app)
    assert sorted(tmp_path.rglob("*")) == before
    assert not any(b"Holmes" in f.read_bytes() for f in data.rglob("*") if f.is_file())


def test_nothing_is_kept_in_the_block_alone(monkeypatch, tmp_path):
    monkeypatch.setenv("WORKBENCH_CACHE", str(tmp_path))
    with storage.keep_nothing():
        assert storage.model_folder() is None
    assert storage.model_folder() == tmp_path / "models"


def test_a_text_is_told_and_checked_before_it_is_used_and_is_no_markup(page):
    upload(page, text(40) + b"THIS LINE IS LOUD\n", "loud.txt")
    label = next(e.label for e in page.expander if e.label.startswith("Check of"))
    assert "to look at" in label
    assert "<b>ALL-CAPS lines: 1</b> (line 41). Take them out" in html_of(page)
    assert "words CAP " in html_of(page)
    upload(page, text(40).replace(b"Shares", b"<b>Shares</b>").replace(b"More", b"<br>More"))
    assert "<b>Lines with tags of HTML, of 40: 16</b>. Save it as plain text" in html_of(page)
    shown = check_html([Finding("<b>bold</b>", 4, (1, 2, 3), "<img src=x>")])
    assert "<b>&lt;b&gt;bold&lt;/b&gt;: 4</b> (line 1, 2, 3, …). &lt;img" in shown


def test_lines_found_can_be_left_out_and_taken_back(page):
    own = [f"{line[:-2]} , said Holmes number {i} .\n" for i in range(20) for line in LINES]
    shouted = [f"THE {number} SHARES OF IBM ROSE AGAIN ON MONDAY .\n" for number in range(7)]
    app = upload(page, "".join(own + shouted).encode())
    (whole,) = own_sets_of(app)
    box = next(box for box in app.checkbox if box.label == "Leave out 7 lines")
    assert "<b>ALL-CAPS lines: 7</b>" in html_of(app)
    app = box.check().run()
    (part,) = own_sets_of(app)
    assert app.selectbox(key="domain").value == "mine.txt (yours)"
    assert (whole, part) == (words_in(own + shouted), words_in(own))
    app = app.checkbox[0].uncheck().run()
    assert own_sets_of(app) == [whole]
    assert not app.exception


def test_where_no_line_would_be_left_all_stay(page):
    app = upload(page, b"".join(b"Shares Of Company %d Rose Again\n" % i for i in range(30)))
    whole = own_sets_of(app)
    app = app.checkbox[0].check().run()
    assert own_sets_of(app) == whole
    assert app.checkbox[0].value is False
    assert not app.exception


def own_sets_of(app):
    """The words of each of the visitor's sets."""
    return [sum(map(len, own.corpora.values())) for own in app.session_state["own sets"].values()]


def words_in(lines):
    return sum(len(line.split()) for line in lines)


def test_a_set_is_known_by_its_content_and_asks_for_no_word_of_the_one_before(page):
    page.text_input(key="word").set_value("primetime · 0").run()
    assert view_of(page)["at"]["word"] == 0
    upload(page)
    assert not page.warning
    assert view_of(page)["at"]["word"] is None
    session = page.session_state["last good result"][1]
    found = page.session_state["own sets"]["mine.txt (yours)"]
    assert session.corpora["train"].fingerprint == found.corpora["train"].fingerprint
    assert "of mine.txt" in view_of(page)["intro"]
    assert uploads.OwnSet(found.corpora, []).fingerprint == found.fingerprint
    assert cache.data_set_names()["domain"]
