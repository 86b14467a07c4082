"""Templates and the predicates that they make of a context."""

import pytest

from workbench.features.templates import (
    TEMPLATE_SETS,
    TEMPLATES,
    Template,
    find_templates,
    predicates_of,
)
from workbench.text.casing import wipe_case
from workbench.text.errors import InputError

CA04 = find_templates("ca04")


@pytest.fixture(scope="module")
def words(paper_sentence):
    return [wipe_case(word) for word in paper_sentence]


def test_words_of_the_paper_have_their_predicates_with_the_last_tag_first(words):
    assert predicates_of(CA04, words, 0, ()) == [
        "currentword=primetime", "previousword=*bdw*", "nextword=continues",
        "t-1=*bdw*", "t-1,2=*bdw*,*bdw*",
        "prefix1=p", "prefix2=pr", "prefix3=pri", "suffix1=e", "suffix2=me", "suffix3=ime",
    ]  # fmt: skip
    assert predicates_of(CA04, words, 1, ("MXC",)) == [
        "currentword=continues", "previousword=primetime", "nextword=on",
        "t-1=MXC", "t-1,2=MXC,*bdw*",
        "prefix1=c", "prefix2=co", "prefix3=con", "suffix1=s", "suffix2=es", "suffix3=ues",
    ]  # fmt: skip
    assert "t-1,2=LOC,MXC" in predicates_of(CA04, words, 2, ("LOC", "MXC"))
    assert "nextword=*bdw*" in predicates_of(CA04, words, len(words) - 1, ("CAP", "CAP"))


def test_only_the_last_two_tags_are_read():
    words = "a b c d".split()
    near = predicates_of(CA04, words, 3, ("LOC", "CAP"))
    assert predicates_of(CA04, words, 3, ("LOC", "CAP", "AUC")) == near


def test_an_ngram_fires_once_wherever_it_is_in_a_word():
    found = predicates_of(find_templates("ngram3 ngram4"), ["banana"], 0, ())
    expected = {"ngram3": ["ban", "ana", "nan"], "ngram4": ["bana", "anan", "nana"]}
    assert found == [f"{name}={value}" for name, own in expected.items() for value in own]
    assert predicates_of(find_templates("ngram3"), ["an"], 0, ()) == []
    long = "".join(map(chr, range(200, 240)))
    assert len(predicates_of(find_templates("ngram3"), [long], 0, ())) == 28  # of 30 letters


def test_a_word_is_its_own_longest_affix():
    assert predicates_of(find_templates(["prefix3", "suffix3"]), ["the"], 0, ()) == [
        "prefix3=the", "suffix3=the",
    ]  # fmt: skip


def test_the_position_is_told_of_every_word():
    def positions(*words):
        return [predicates_of(find_templates("position"), words, i, ()) for i in range(len(words))]

    assert positions("a") == [["position=single"]]
    assert positions("a", "b") == [["position=first"], ["position=last"]]
    assert [value for (value,) in positions(*"abcde")] == [
        "position=first", "position=second", "position=middle", "position=middle",
        "position=last",
    ]  # fmt: skip


def test_a_template_may_read_words_and_tags_together():
    mixed = Template("word,t-1", (0,), 1, lambda word, tag: f"{word},{tag}")
    assert predicates_of([mixed], ["now", "from"], 1, ("CAP",)) == ["word,t-1=from,CAP"]


@pytest.mark.parametrize(("word", "affixes"), [("a", 2), ("of", 4), ("the", 6), ("from", 6)])
def test_a_short_word_has_no_affix_longer_than_itself(word, affixes):
    predicates = predicates_of(CA04, [word], 0, ())
    assert sum(p.startswith(("prefix", "suffix")) for p in predicates) == affixes


def test_templates_are_found_in_the_order_of_their_names():
    assert [t.name for t in find_templates(["t-1", "prefix2"])] == ["t-1", "prefix2"]


def test_what_is_not_there_cannot_be_taken_away():
    with pytest.raises(InputError, match="templates -shape: shape is not among those before it"):
        find_templates("ca04 -shape")


def test_no_name_of_a_template_is_taken_for_a_switch_a_sign_or_a_set():
    assert not any(name[0] in "+-" or len(name.split()) > 1 for name in TEMPLATES)
    assert not any("=" in name for name in TEMPLATES)
    assert not set(TEMPLATES) & set(TEMPLATE_SETS)


@pytest.mark.parametrize(
    "names", ["ca05", ["currentword", "colour"], "ca04 +colour", "ca04 -", "+"]
)
def test_unknown_templates_are_refused_and_it_is_said_where_all_stand(names):
    with pytest.raises(
        InputError, match=r"no such set or .* in the help of .* --templates$"
    ) as why:
        find_templates(names)
    assert len(str(why.value)) < 200


@pytest.mark.parametrize(
    ("name", "near"), [("ca05", "ca04"), ("shpae", "shape"), ("nextwrd", "nextword")]
)
def test_the_nearest_names_are_told(name, near):
    with pytest.raises(InputError, match=f"the nearest: {near}"):
        find_templates(name)


@pytest.mark.parametrize("names", [[], "", " ", "t-1 -t-1", "ca04 -ca04"])
def test_no_template_at_all_is_refused(names):
    with pytest.raises(InputError, match="at least one"):
        find_templates(names)


@pytest.mark.parametrize(
    ("expression", "added", "taken"),
    [
        ("ca04 +shape", ["shape"], []),
        ("ca04 shape", ["shape"], []),
        ("ca04 +word+2 +word-2 -t-1 -t-1,2", ["word+2", "word-2"], ["t-1", "t-1,2"]),
        ("ca04 +currentword", [], []),
        ("ca04 +shape -shape", [], []),
        ("extended -shape +shape -extended +ca04", [], []),
    ],
)
def test_single_templates_are_switched_on_and_off(expression, added, taken):
    names = [t.name for t in find_templates(expression)]
    assert names == [*(t.name for t in CA04 if t.name not in taken), *added]
    assert find_templates(expression.split()) == find_templates(expression)
