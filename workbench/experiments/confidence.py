"""How sure a model is of each word, and how often it is wrong where it is sure enough."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import starmap
from typing import NamedTuple

import numpy as np
import pandas as pd

from workbench.evaluation.error_rates import share
from workbench.evaluation.number_words import probability_in_words, signed
from workbench.experiments.session import ADAPTED, Session, Snapshot
from workbench.models.capitalizer import Capitalizer
from workbench.recasing.policies import settle_breaks
from workbench.recasing.spans import find_covered, find_spans
from workbench.settings import FIXED
from workbench.text.casing import wipe_case
from workbench.text.corpus import Corpus, CorpusBuilder
from workbench.text.errors import InputError
from workbench.text.layout import MAX_SENTENCE, Layout, locate

THRESHOLDS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999)
MOST_CHARACTERS = 2000  # of a text that is tried
_MOVED = 0.05  # of a probability, or more: worth telling
_SLIGHT = 0.005  # nats that a feature adds to a gap, which would be shown as 0
_MOST_NAMED = 4  # features, in a sentence
_ATTACHED = re.compile(r" (n't|'(?:s|re|ve|ll|d|m)|[,.?!;:)%])(?= |$)", re.IGNORECASE)


class TriedWord(NamedTuple):
    """One word of a text that was tried, with the text between it and the word before."""

    gap: str
    forms: dict[str, str]  # in the case that each model gives it, by the model's name
    tag: str  # of the adapted model; "" of a word that no model is asked for
    p: float  # its probability of that tag, given all the words of the sentence; nan without one


def coverage(session: Session, snapshot: Snapshot) -> pd.DataFrame:
    """Return how many dev words the adapted model is surer of than a threshold, and its errors.

    Returns
    -------
    table : DataFrame
        One row a threshold: ``threshold``; ``n`` words with p > threshold; ``coverage``, their
        share of all words; ``error``, the share of them with a wrong tag (fractions; nan where
        there is no such word); ``caught``, the share of all errors that are among the words
        left out (nan without an error).
    """
    wrong = snapshot.tuned.tags["dev"] != session.corpora["dev"].tags
    p = snapshot.tuned.confidence["dev"]
    rows = []
    for threshold in THRESHOLDS:
        sure = p > threshold
        rows.append({
            "threshold": float(threshold), "n": int(sure.sum()), "coverage": share(sure),
            "error": share(wrong[sure]), "caught": share(~sure[wrong]),
        })  # fmt: skip
    return pd.DataFrame(rows)


def try_text(session: Session, snapshot: Snapshot, text: str) -> list[TriedWord]:
    """Return the words of any text in the case that each model gives them.

    The text may have any case and punctuation; words and sentences are found as in training.
    Words of addresses, markup and code stay as they are, since no model is asked for theirs.

    Raises
    ------
    InputError
        If the text is longer than ``MOST_CHARACTERS``, or the models do not restore case.
    """
    located, corpus = _locate(text)
    if not located.words:
        return []
    adapted, wiped, spans = snapshot.tuned.model, wipe_case(text), located.places
    read = {  # by each model, as recasing reads it
        name: settle_breaks(model, corpus, located.doubtful)
        for name, model in (_models(session) | {ADAPTED: adapted}).items()
    }
    packed = adapted.pack(read[ADAPTED])
    tags = adapted.tag(packed)
    forms = {name: model.recase_words(read[name]) for name, model in _models(session).items()}
    forms[ADAPTED] = adapted.recase_words(read[ADAPTED], tags)
    covered = find_covered(spans, find_spans(text))  # addresses, which recasing leaves alone
    given = [text[start:end] for start, end in spans.tolist()]
    for name, own in forms.items():
        laid = located.lay_back(wiped, np.arange(len(own)), own)
        forms[name] = np.where(covered, given, laid).tolist()
    p = adapted.probabilities(packed)[np.arange(len(tags)), tags]
    names = np.array(adapted.tag_names)[tags]
    chosen = zip(np.where(covered, "", names), np.where(covered, np.nan, p), strict=True)
    ends = [0, *spans[:-1, 1].tolist()]
    gaps = [text[a:b] for a, b in zip(ends, spans[:, 0].tolist(), strict=True)]
    return [
        TriedWord(gap, {name: own[i] for name, own in forms.items()}, str(tag), float(p))
        for i, (gap, (tag, p)) in enumerate(zip(gaps, chosen, strict=True))
    ]


def say_changes(before: Sequence[TriedWord], after: Sequence[TriedWord]) -> str:
    """Say which words that two texts share get another tag or probability by the adapted model.

    "" of texts that share less than half of their words: they are no two versions of one.
    """
    old, new = ([wipe_case(word.forms[ADAPTED]) for word in words] for words in (before, after))
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    shared = [(before[a + k], after[b + k]) for a, b, n in blocks for k in range(n)]
    if 2 * len(shared) < max(len(before), len(after)):
        return ""
    moved = [pair for pair in shared if _has_moved(*pair)]
    if not moved:
        return (
            "Your last change moves no other word's tag, and its probability by less than 5 points."
        )
    return f"Your last change moves {'; '.join(starmap(_say_move, moved))}."


def say_reasons_moved(
    session: Session, snapshot: Snapshot, before: str, after: str, place: int
) -> str:
    """Return in words which features of a word a change of its text replaced, and their effect.

    ``place`` is that of the word in the text ``after``. The effect is what each feature adds to
    the difference of the scores of two tags. "" if the word is new or none of its features is.
    """
    texts = [tried_corpus(snapshot, text) for text in (before, after) if text]
    if len(texts) < 2:
        return ""
    old_words, words = ([text.words[word] for word in text.word_ids] for text in texts)
    blocks = SequenceMatcher(None, old_words, words, autojunk=False).get_matching_blocks()
    old = next((a + place - b for a, b, n in blocks if b <= place < b + n), None)
    if old is None:
        return ""
    gap = session.shift(snapshot, (texts[0], old), (texts[1], place))
    rows = [row for row in gap["rows"] if abs(row["change"]) >= _SLIGHT]
    if not rows:
        return ""
    start, end = (sum(row[side] for row in gap["rows"]) for side in ("background", "adapted"))
    told = ", ".join(f"{row['words']} {signed(row['change'])}" for row in rows[:_MOST_NAMED])
    more = f", and {len(rows) - _MOST_NAMED} smaller" if len(rows) > _MOST_NAMED else ""
    return (
        f"Your last change moves the lead of {gap['to']} over {gap['from']} from {signed(start)} "
        f"to {signed(end)} nats: {told}{more}."
    )


def _has_moved(one, two):
    return one.tag != two.tag or abs(one.p - two.p) >= _MOVED  # never of one that no model reads


def _say_move(one, two):
    sure = (f"{word.tag} {probability_in_words(word.p)}" for word in (one, two) if word.tag)
    return f"“{two.forms[ADAPTED]}” ({' → '.join(sure)})"


def tried_corpus(snapshot: Snapshot, text: str) -> Corpus:
    """Return a text as the adapted model reads it in ``try_text``, word by word the same."""
    located, corpus = _locate(text)
    return settle_breaks(snapshot.tuned.model, corpus, located.doubtful)


def _locate(text):
    """Return the words of a text with their places, and a corpus of them, None without a word.

    InputError as in ``try_text``.
    """
    if len(text) > MOST_CHARACTERS:
        raise InputError(
            f"a text of more than {MOST_CHARACTERS:,} characters; "
            "whole files are recased by the command line"
        )
    located = locate(wipe_case(text), Layout.AUTO)
    longest = max(located.lengths, default=0)
    if longest > MAX_SENTENCE:
        raise InputError(f"a sentence of {longest:,} words: {MAX_SENTENCE:,} are allowed")
    builder = CorpusBuilder()
    builder.add(located.words, located.lengths)
    return located, builder.build("text", gold=False) if located.words else None


def _models(session: Session) -> dict[str, Capitalizer]:
    baseline: dict[str, Capitalizer] = {"1-gram": session.unigram} if session.unigram else {}
    return baseline | {"background": session.background}


def find_trial(session: Session, snapshot: Snapshot) -> str:
    """Return the first dev sentence that the adaptation changes for the better, in lower case.

    One without a broken word, if there is any; otherwise the first sentence of the text.
    """
    diff = snapshot.diff if snapshot.part == "dev" else _dev_diff(session, snapshot)
    fixed = diff.loc[diff["status"] == FIXED, "sentence"]
    better = fixed[~fixed.isin(diff.loc[diff["status"] != FIXED, "sentence"])]
    dev, places = session.corpora["dev"], [*better.tolist(), *fixed.tolist(), 0]
    return wipe_case(_join_as_written(dev.sentence(places[0])))


def _join_as_written(words):
    """Return words joined as text is written, ``don't go.``, if they are found in it again."""
    plain = " ".join(words)
    written = _ATTACHED.sub(r"\1", plain)
    return written if locate(written, Layout.AUTO).words == list(words) else plain


def _dev_diff(session, snapshot):
    sigma2, cutoff = snapshot.point["sigma2"], snapshot.point["cutoff"]
    return session.at(sigma2, cutoff, "dev").diff
