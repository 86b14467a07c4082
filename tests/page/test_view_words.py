"""Words on the page: filtered, explained, compared with a pinned state."""

import pytest
from pages import ask, html_of, make_page, point_of, view_of, warnings_of, words_that_changed


@pytest.fixture
def page(data):
    """The page of the tiny data sets, not yet run."""
    return make_page()


def test_words_can_be_filtered_by_status_pair_and_slice(page):
    page.run()
    page.selectbox(key="show").set_value("fixed").run()
    assert view_of(page)["at"]["show"] == "fixed"
    page.text_input(key="pair").set_value("CAP>LOC").run()
    assert view_of(page)["at"]["pair"] == ["CAP", "LOC"]
    page.text_input(key="slice").set_value("reference tag: CAP").run()
    corpus = page.session_state["last good result"][1].corpora["dev"]
    caps = [i for i, tag in enumerate(corpus.tags) if corpus.tag_names[tag] == "CAP"]
    assert view_of(page)["only"] == caps
    page.text_input(key="slice").set_value("colour: red").run()
    assert len(page.warning) == 1
    assert "slice=colour:\u200b red:\u200b there is none" in page.warning[0].value.replace("\\", "")
    assert point_of(page)


def test_a_pattern_of_words_is_a_slice_and_divides_the_others(data):
    app = make_page(section="slices").run()
    app.text_input(key="pattern of words").set_value(" *[A-Z]* ").run()
    assert app.text_input(key="slice").value == "words like: *[A-Z]*"
    corpus = app.session_state["last good result"][1].corpora["dev"]
    words = [corpus.form_at(i) for i in range(len(corpus))]
    capital = [i for i, word in enumerate(words) if word != word.lower()]
    assert view_of(app)["only"] == capital
    table = app.dataframe[0].value
    assert f" of {len(table)} slices, more in " in html_of(app)
    assert table["name"].iloc[0] == "words like: *[A-Z]*"
    assert table["n"].iloc[0] == len(capital)
    shown = app.session_state["table of slices *[A-Z]* shown"]
    assert shown[1] == f"words like: *[A-Z]* & {table['name'].iloc[1]}"
    app.text_input(key="slice").set_value(shown[1]).run()
    assert len(view_of(app)["only"]) == table["n"].iloc[1]
    app.text_input(key="pattern of words").set_value("nothing*").run()
    assert any("No word of this text is like that" in each.value for each in app.caption)
    app.text_input(key="pattern of words").set_value("").run()
    assert app.text_input(key="slice").value == ""
    assert view_of(app)["only"] is None


def test_a_weight_filters_the_words_that_it_changed(data):
    app = make_page(section="weights").run()
    table = app.dataframe[0].value
    said = dict(zip(table["predicate"], table["words"], strict=True))
    assert said["nextword=."] == "the word after it (\u201c.\u201d)"
    own = [f"the word itself ({p[12:]})" for p in said if p.startswith("currentword=")]
    assert own
    assert own == [words for words in said.values() if words.startswith("the word itself")]
    first = table[table["helped"] > 0].iloc[0]
    app.text_input(key="slice").set_value(f"weight: {first['predicate']} > {first['tag']}").run()
    assert len(view_of(app)["only"]) == first["helped"]
    assert view_of(app)["onlyName"] == f"weight of {first['words']} for {first['tag']}"
    app.select_slider(key="sigma2").set_value("0.01").run()  # where it is not among the first
    assert not app.error
    assert view_of(app)["onlyName"].startswith("weight of ")
    app.select_slider(key="sigma2").set_value("1").run()
    _, session, snapshot = app.session_state["last good result"]
    own = set(view_of(app)["only"])
    app.segmented_control(key="section").set_value("review").run()  # it stays, and counts there
    n_to_review = len(own.intersection(snapshot.diff["position"]))
    assert f"**1 of {n_to_review:,}**" in [each.value for each in app.markdown]
    app.text_input(key="slice").set_value("reference tag: CAP").run()
    app.segmented_control(key="section").set_value("weights").run()
    own = set(view_of(app)["only"])
    within = {(row.predicate, row.tag): len(own.intersection(row.positions))
              for row in session.movers(snapshot, 200).itertuples()}  # fmt: skip
    helped = app.dataframe[0].value.set_index(["predicate", "tag"])["helped"].to_dict()
    assert helped == {name: within[name] for name in helped}
    assert min(helped.values()) > 0
    for none in ("currentword=nowhere > CAP", f"{first['predicate']} > XYZ"):
        app.text_input(key="slice").set_value(f"weight: {none}").run()
        assert "this model has no such weight" in app.warning[0].value
        assert view_of(app)["only"] is None


def test_a_word_is_explained_stays_and_is_in_the_link(page, data):
    position = min(words_that_changed(page.run()))
    explained = view_of(ask(page, position))["explained"]
    assert explained["why"]["position"] == position
    gap = explained["why"]["gap"]
    for side in ("background", "adapted"):
        assert sum(row[side] for row in gap["rows"]) == pytest.approx(gap[side])
    assert len(explained["path"]["sigma2s"]) == 25
    assert explained["because"]["pushed"] or explained["because"]["resisted"]
    ask(page, position)
    page.select_slider(key="sigma2").set_value("0.01").run()
    assert view_of(page)["at"]["word"] == position
    app = make_page(word=ask(page, position).text_input(key="word").value).run()
    assert view_of(app)["at"]["word"] == position
    app = make_page(word="nonsense · 3").run()
    assert view_of(app)["at"]["word"] is None
    assert "word=nonsense · 3: " in warnings_of(app)


def test_a_pinned_state_is_compared_with_and_one_that_is_none_says_so(page, data):
    page.run()
    page.text_input(key="pin").set_value("0.01, none").run()
    pinned = view_of(page)["pinned"]
    session = page.session_state["last good result"][1]
    fit = session.adaptation(None).at(0.01)
    assert pinned["wrong"] == fit.wrong["dev"]
    gold = session.corpora["dev"].tags
    assert pinned["tags"] == {
        str(i): int(tag) for i, tag in enumerate(fit.tags["dev"]) if tag != gold[i]
    }
    app = make_page(pin="nowhere").run()
    assert len(app.warning) == 1
    assert "pin=nowhere" in app.warning[0].value.replace("\\", "")
    assert view_of(app)["pinned"] is None
