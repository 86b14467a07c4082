"""A refusal is one line, whatever it quotes."""

import pickle
import re

import pytest

from workbench import (
    CandidateModel,
    Corpus,
    InputError,
    Recaser,
    adapt,
    drop_faults,
    find_spans,
    lint_text,
    report,
)
from workbench.models.kinds import KINDS


@pytest.mark.parametrize(
    ("quoted", "shown"),
    [
        ("a\nb", r"a\nb"), ("\x1b[2J", r"\x1b[2J"), ("\u2028", r"\u2028"), ("\ud800", r"\ud800"),
        ("a\u202eb", r"a\u202eb"), ("σ² “und” – ß", "σ² “und” – ß"),
        ("ftp://me:pass@word@host/a@b:c@d", "ftp://me:***@host/a@b:c@d"),
    ],
)  # fmt: skip
def test_what_would_break_or_move_the_line_is_written_as_an_escape(quoted, shown):
    assert str(InputError(f"file {quoted}: no")) == f"file {shown}: no"


CORPUS = Corpus.from_sentences([["He", "left", "NATO", "."]] * 9)
MODELS = [kind.fit(CORPUS) for kind in KINDS.values()]
WRONG = {
    "a Corpus, which load or Corpus.from_sentences makes, is needed, not list": [
        *(kind.fit for kind in KINDS.values()), *(model.tag for model in MODELS),
        lambda text: adapt(MODELS[1], text, 1.0), lambda text: report(text, []),
    ],
    "a str is needed, not list": [
        *(model.recase for model in MODELS), lint_text, drop_faults, find_spans,
    ],
    "a CandidateSets, which read_candidates makes, is needed, not list": [CandidateModel.fit],
    "text: a sentence is a list of words, such as ['He', 'left']": [
        lambda text: Corpus.from_sentences("He left"), Corpus.from_sentences,
        lambda text: Corpus.from_sentences([["He", ""]]),
        lambda text: Corpus.from_sentences([[["He"]]]), lambda text: Corpus.from_sentences([[1]]),
    ],
}  # fmt: skip


@pytest.mark.parametrize("message", WRONG)
def test_what_is_no_text_is_told_what_one_is(message):
    for call in WRONG[message]:
        with pytest.raises(InputError) as caught:
            call(["He left ."])
        assert str(caught.value) == message


@pytest.mark.parametrize("model", MODELS, ids=list(KINDS))
def test_a_model_is_shown_in_a_line_and_a_recaser_can_be_pickled(model):
    assert re.fullmatch(r"\w+\(name='text', words=36, .{,200}\)", repr(model))
    recaser = Recaser(model)
    assert recaser.recase("nato left") == pickle.loads(pickle.dumps(recaser)).recase("nato left")
    assert repr(CORPUS) == "Corpus('text', words=36, sentences=9)"
