"""Evaluation with addresses, handles and the like left as they are, as ``recase`` leaves them."""

import json
from itertools import pairwise

import numpy as np
import pytest
from command_texts import save

from workbench.evaluation.report import report
from workbench.models.unigram import Unigram
from workbench.recasing.recaser import Recaser
from workbench.recasing.spans import find_untouched
from workbench.text.casing import Tag, wipe_case
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError
from workbench.text.readers import read_corpus
from workbench.text.tasks import TaskName

LINES = """\
RT @AnnLee : @ BobLee says New York mines are open , see http://T.co/mCyNwp
<B> Rain </B> fell in Boston &Nbsp; today #MayDay
John.Smith@Ibm.com left for `New York` , PrimeTime said @Ann's
<P>
he said IBM rose .
""".splitlines()
UNTOUCHED = {
    "@AnnLee", "BobLee", "http://T.co/mCyNwp", "<B>", "</B>", "&Nbsp;", "#MayDay",
    "John.Smith@Ibm.com", "`New", "York`", "<P>",
}  # fmt: skip


@pytest.fixture(scope="module")
def text():
    return Corpus.from_sentences([line.split() for line in LINES], "tweets")


@pytest.fixture(scope="module")
def forms():
    return " ".join(LINES).split()


def written(text):
    return [text.forms[form] for form in text.form_ids]


def test_words_in_spans_are_found(text, forms):
    untouched = find_untouched(text)
    assert {form for form, is_in in zip(forms, untouched.words, strict=True) if is_in} == UNTOUCHED
    passed_over = {"<B>", "</B>", "&Nbsp;", "<P>"}
    assert {f for f, no in zip(forms, untouched.passed_over, strict=True) if no} == passed_over


def test_errors_are_of_all_words_and_by_default_all_are_wiped(text, forms):
    result = report(text, [("lower", AllLower())], "keep")
    wrong = [f not in UNTOUCHED and f != wipe_case(f) for f in forms]
    assert (result["spans"], result["untouched"]) == ("keep", len(UNTOUCHED))
    (row,) = result["models"]
    assert (row["words"], row["wrong"]) == (len(forms), sum(wrong))
    assert row["surface_error_rate"] == row["error_rate"] == sum(wrong) / len(forms)
    result = report(text, [("lower", AllLower())])
    assert "spans" not in result
    assert result == report(text, [("lower", AllLower())], "wipe")


def recase_lines(model, text, kept):
    """The obvious road: each line through a ``Recaser``, in lower case but for the words kept."""
    forms = written(text)
    words = [f if k else wipe_case(f) for f, k in zip(forms, kept, strict=True)]
    recaser, ends = Recaser(model, layout="tokenized"), text.starts.tolist()
    lines = (words[a:b] for a, b in pairwise(ends))
    recased = " ".join(recaser.recase(" ".join(line)) for line in lines).split()
    return np.mean([a != b for a, b in zip(recased, forms, strict=True)])


@pytest.mark.parametrize("kind", ["memm", "1-gram"])
def test_the_surface_is_that_of_recase(background, background_corpus, text, kind):
    model = background if kind == "memm" else Unigram.fit(background_corpus)
    wrong = recase_lines(model, text, find_untouched(text).words)
    assert 0 < wrong < 0.5
    (row,) = report(text, [(kind, model)], "keep")["models"]
    assert row["surface_error_rate"] == pytest.approx(wrong)
    (wiped,) = report(text, [(kind, model)])["models"]
    assert wiped["surface_error_rate"] > row["surface_error_rate"]
    assert wiped["error_rate"] > row["error_rate"]


def test_words_in_spans_stay_wiped_where_all_are_wiped(background, text):
    prose = text.take([0, 2, 4])  # without markup, which a recaser passes over
    wrong = recase_lines(background, prose, np.zeros(len(prose), bool))
    (row,) = report(prose, [("background", background)])["models"]
    assert row["surface_error_rate"] == pytest.approx(wrong)
    assert row["surface_error_rate"] < row["error_rate"]


def test_a_text_of_spans_alone_has_no_error(background):
    text = Corpus.from_sentences([["<B>", "</B>"], ["&NBSP;"]])
    (row,) = report(text, [("background", background)], "keep")["models"]
    assert (row["words"], row["wrong"], row["surface_error_rate"]) == (3, 0, 0)


RUNNING = """\
"We met in New York," he said. "Why?" asked Ann. “It’s Apple’s,” IBM said.
- [laughs] John: see http://T.co/mCyNwp, <b>n</b>ot at AT&amp;T! “Stop!” cried the Guard of N A S A.
RT @AnnLee : mines are open in Day-Lewis , see #MayDay .
\tThe non-European U.S. firms\rit rose (in London) 5% to $20...
```
import Numpy
```
Oil prices fell, said Opec's Anti-Iran Smith.
"""


@pytest.mark.parametrize("kind", ["memm", "1-gram"])
def test_a_running_text_is_measured_as_recase_writes_it_to_the_word(
    background, background_corpus, tmp_path, kind
):
    model = background if kind == "memm" else Unigram.fit(background_corpus)
    tokenized = "\n".join(map(" ".join, map(background_corpus.sentence, range(40)))) + "\n"
    for text in (RUNNING, tokenized, tokenized.replace("''", "”").replace("``", "“")):
        file = tmp_path / "t.txt"
        file.write_text(text)
        lines = Recaser(model).lines([file.read_text()])
        wrong = [word.before != word.after for line in lines for word in line.words]
        corpus = read_corpus(file, as_recased=True)
        (row,) = report(corpus, [(kind, model)], "keep")["models"]
        assert row["words"] == len(wrong)
        assert round(row["surface_error_rate"] * row["words"], 6) == sum(wrong)


class AllLower:
    """A model without a capital."""

    kind, mixed_forms, info, task = "lower", {}, {}, TaskName.CASE
    tag_names = tuple(tag.name for tag in Tag)

    def tag(self, corpus):
        return np.where(corpus.tags == Tag.PNC, Tag.PNC, Tag.LOC).astype(np.int8)


def test_another_rule_and_another_task_are_refused(labelled, text, background):
    with pytest.raises(InputError, match="spans 'mask': allowed are wipe, keep"):
        report(text, [("background", background)], "mask")
    speech = read_corpus(labelled / "speech" / "us")
    with pytest.raises(InputError, match="not of parts of speech"):
        report(speech, [], "keep")


@pytest.mark.usefixtures("outside")
def test_the_command_keeps_spans(run, place, tmp_path):
    text = save(tmp_path / "t.txt", "\n".join(LINES) + "\n")
    given = "evaluate", place / "1gram", "--test", text, "--spans", "keep"
    result = json.loads(run(*given, "--json")[1])
    assert list(result)[:3] == ["words", "spans", "untouched"]
    assert f"words, {result['untouched']} of them in spans kept" in run(*given)[1]
    wiped = json.loads(run(*given[:4], "--json")[1])
    assert "spans" not in wiped
    assert wiped["models"][0]["wrong"] > result["models"][0]["wrong"]
