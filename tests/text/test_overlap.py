"""Dev and test text that was learnt from: a line says so, and nothing is claimed of it."""

import json

import pytest
from command_texts import grid, save

from workbench.experiments.compare import Split, compare
from workbench.text.corpus import Corpus
from workbench.text.sets.overlap import find_shared, why_no_verdict

FIVE, OTHER, SHORT = "We met Ann in Rome", "They saw Bob in Oslo today", "Good evening all"


def corpus(*sentences):
    return Corpus.from_sentences([sentence.split() for sentence in sentences], "text")


@pytest.mark.parametrize(
    ("text", "learnt", "share", "forbids"),
    [
        ([FIVE], [OTHER, FIVE], "100 %", True),
        ([FIVE.upper(), OTHER], [SHORT, FIVE.lower()], "45 %", True),
        ([FIVE, *[OTHER] * 5], [FIVE], "14 %", False),
        ([FIVE, *[OTHER] * 15], [FIVE], "5 %", False),
        ([FIVE, *[OTHER] * 16], [FIVE], None, False),
        ([SHORT] * 5, [SHORT], None, False),
        ([FIVE], ["We met Ann in", "Rome"], None, False),
        ([f"{FIVE} again"], [FIVE], None, False),
    ],
)
def test_a_share_is_of_words_in_sentences_of_five_that_were_learnt(text, learnt, share, forbids):
    found = find_shared([corpus(*text)], {}, [corpus(*learnt)])
    assert [each.line.split(" of its words")[0] for each in found] == [f"text: {share}"] * bool(
        share
    )
    assert bool(why_no_verdict(found)) == forbids


def test_a_models_texts_are_known_by_their_hashes():
    first, second, other = corpus(FIVE), corpus(OTHER), corpus(SHORT)
    info = {"text": second.fingerprint, "background": {"text": first.fingerprint}}
    assert [len(find_shared([text], info)) for text in (first, second, other)] == [1, 1, 0]
    assert why_no_verdict(find_shared([other], info, [first]))  # adapted to what was learnt


_FULL = "--background {place}/news.txt --adapt {place}/talk --background-cutoff 1"
_FEW = "--methods 1-gram,background,map"
CLAIMS = "is significant", "significantly", "Fewest errors", "  the best"


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        "adapt {place}/news.model {place}/talk --dev {place}/talk/train.txt -o {output}",
        "adapt {place}/news.model {place}/news.txt --dev {place}/talk -o {output}",
        "adapt {place}/news.model {place}/news.txt -o {output}",
        f"compare {_FULL} {_FEW} --dev {{place}}/talk --test {{place}}/talk/train.txt",
        f"compare {_FULL} {_FEW} --dev {{place}}/news.txt --test {{place}}/talk",
        f"sweep {_FULL} --dev {{place}}/talk --test {{place}}/talk/train.txt --sigma2 1",
        f"ablate {_FULL} --dev {{place}}/talk/train.txt --templates shape --each added --sigma2 1",
        f"tables {_FULL} --in-domain {{place}}/news.txt --only 4",
        "evaluate {place}/news.model {place}/1gram --test {place}/news.txt",
    ],
)
def test_of_text_that_was_learnt_nothing_is_claimed(run, place, output, words):
    status, *said = run(*words.format(place=place, output=output).split())
    assert status == 0, said
    assert "no verdict on such text" in "".join(said)
    assert not [claim for claim in CLAIMS if claim in "".join(said)]
    if words.startswith("adapt"):
        assert f"{output}: no verdict, keeping the background" in said[1]


def test_nothing_is_searched_on_text_that_was_learnt_and_new_text_is_judged_silently(
    run, place, output
):
    given = "train", place / "news.txt", "-o", output, "--sigma2", "auto", "--dev"
    assert (
        "(by its hash): no verdict on such text; nothing is" in run(*given, place / "news.txt")[2]
    )
    some = save(
        output.parent / "some.txt", "\n".join((place / "news.txt").read_text().split("\n")[:9])
    )
    assert "no verdict on such text; nothing is searched" in run(*given, some)[2]
    assert '"sigma2": 5.0' in run("inspect", output, "--json")[1]
    result = json.loads(run("compare", *grid(place, "--methods", "map,background", "--json"))[1])
    assert (result["shared"], bool(result["paired"])) == ([], True)


def test_python_and_the_page_tell_it_too(fresh_session, background_corpus, adaptation_parts):
    train, dev = adaptation_parts["train"], adaptation_parts["dev"]
    options = {"templates": "ca04", "cutoff": 1, "sigma2": 5.0}
    result = compare(Split(background_corpus, train, dev, options), train, ["map", "background"])
    assert (result["paired"], len(result["shared"])) == ([], 1)
    assert {row["gain"]["to_best"] for row in result["models"]} == {"no verdict"}
    for learnt in ({"dev": train}, {"train": background_corpus}):
        session = fresh_session.with_corpora(learnt)
        assert "no verdict on such text. A model that" in session.introduction
        assert "versus" not in session.at(1.0).models[-1]
    assert "versus" in fresh_session.at(1.0).models[-1]
