"""A review of words that adaptation changed or left wrong: queue, decisions, the text after them.

A decision is kept by the sentence and place of its word in the development text as it was
opened, for the text that is measured loses the sentences that are trained on.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from workbench.evaluation.diff import STATUSES
from workbench.evaluation.task import find_task
from workbench.experiments.session import Session, Snapshot
from workbench.text.casing import tag_of, wipe_case
from workbench.text.corpus import Corpus, join
from workbench.text.errors import InputError
from workbench.text.labels import FORMS, labelled_lines, to_iob2
from workbench.text.tasks import TaskName


class Said(NamedTuple):
    """A word of the text, what the reference says of it, and what the adapted model says."""

    word: str
    gold: str
    given: str


def _describe(session, snapshot, position):
    corpus, model = session.corpora["dev"], snapshot.tuned.model
    words_at, positions = find_task(corpus).words_at, np.array([position])
    (gold,) = words_at(corpus, positions)
    (given,) = words_at(corpus, positions, snapshot.tuned.tags["dev"], model.mixed_forms)
    return Said(corpus.form_at(position), gold, given)


def check_value(corpus: Corpus, position: int, typed: str) -> str:
    """Return the form or tag that was typed for a word; InputError if it cannot be its own."""
    typed = typed.strip()
    if find_task(corpus).recases:
        word = corpus.words[corpus.word_ids[position]]
        if wipe_case(typed) != word:
            raise InputError(f"{typed[:40] or 'nothing'}: any case of the letters of {word}")
        return typed
    if typed not in corpus.tag_names:
        raise InputError(f"{typed[:40] or 'nothing'}: allowed are {', '.join(corpus.tag_names)}")
    return typed


def change_words(corpus: Corpus, decisions: Iterable[Any]) -> Corpus:
    """Return a text with the forms, or the labels, that were decided on."""
    tags, form_ids, forms = corpus.tags.copy(), corpus.form_ids.copy(), list(corpus.forms)
    for decision in decisions:
        position = int(corpus.starts[decision.at.sentence]) + decision.at.place
        if corpus.task is TaskName.CASE:
            if decision.value not in forms:
                forms.append(decision.value)
            form_ids[position] = forms.index(decision.value)
            tags[position] = tag_of(decision.value)
        else:
            tags[position] = corpus.tag_names.index(decision.value)
            if corpus.task is TaskName.CHUNKS:
                _mend_chunks(corpus, tags, decision.at.sentence)
    return replace(corpus, tags=tags, forms=forms, form_ids=form_ids)


def _mend_chunks(corpus, tags, sentence):
    """Turn I- labels without a chunk to continue into B-, as the scorer of CoNLL-2000 does."""
    span = slice(*corpus.starts[sentence : sentence + 2].tolist())
    labels = [corpus.tag_names[tag] for tag in tags[span]]
    is_first = [place == 0 for place in range(len(labels))]
    mended, _ = to_iob2(labels, is_first, lambda *_, **__: None, repair=True)
    numbers = {name: number for number, name in enumerate(corpus.tag_names)}
    tags[span] = [numbers.get(new, old) for new, old in zip(mended, tags[span], strict=True)]


class TrainingFile(NamedTuple):
    """Sentences as a file to train on."""

    content: str
    end: str  # of its name


def training_text(corpus: Corpus) -> str:
    """Return sentences as a file to train on: of case one a line, as written; else labelled."""
    if corpus.task is not TaskName.CASE:
        return labelled_lines(corpus)
    return "".join(" ".join(corpus.sentence(i)) + "\n" for i in range(corpus.n_sentences))


ACCEPT, CORRECT, REFERENCE = "accepted", "corrected", "reference was wrong"


class Place(NamedTuple):
    """A word of the development text as it was opened: its sentence, and its place in it."""

    sentence: int
    place: int


@dataclass(frozen=True)
class Decision:
    """What the user said of a word; ``value`` is its right form, or the name of its tag."""

    at: Place
    kind: str  # ACCEPT, CORRECT or REFERENCE
    word: str  # as the text has it
    before: str  # the reference's form or tag
    value: str


@dataclass(frozen=True, eq=False)
class Review:
    """A session after some decisions.

    Attributes
    ----------
    opened, session : Session
        Before and after; the same one if no decision changes a text.
    kept : ndarray of int, shape (sentences,)
        Numbers, in the text as opened, of the sentences of dev that are measured.
    """

    opened: Session
    session: Session
    decisions: tuple[Decision, ...]
    kept: np.ndarray

    @cached_property
    def by_place(self) -> dict[Place, Decision]:
        """The decisions by the place of their word."""
        return {decision.at: decision for decision in self.decisions}

    def origin(self, position: int) -> Place:
        """Return where the word at a position of the measured text stood when it was opened."""
        starts = self.session.corpora["dev"].starts
        sentence = int(np.searchsorted(starts, position, "right")) - 1
        return Place(int(self.kept[sentence]), position - int(starts[sentence]))

    def position(self, at: Place) -> int | None:
        """Return the position of a word in the measured text; None if it is trained on."""
        (found,) = np.nonzero(self.kept == at.sentence)
        if not len(found):
            return None
        return int(self.session.corpora["dev"].starts[found[0]]) + at.place

    def describe(self) -> str:
        """Say in words what the decisions did to the texts; "" if nothing."""
        dev, left = self.opened.corpora["dev"], self.session.corpora["dev"]
        n_trained = dev.n_sentences - left.n_sentences
        n_changed = sum(d.kind == REFERENCE for d in self.decisions)
        n_left, n_units = (len(own.background_tags("dev")) for own in (self.session, self.opened))
        wording, says = self.opened.task.wording, []
        if n_trained:
            says.append(
                f"Trained on {_count(n_trained, 'corrected sentence')} of the dev text; the dev "
                f"figures are of the {n_left:,} of {n_units:,} {wording.units} that are left."
            )
        if n_changed:
            says.append(
                f"The reference is changed at {_count(n_changed, wording.unit)} of the dev text."
            )
        return " ".join(says)


def _count(n, noun):
    return f"{n:,} {noun}{'s' if n > 1 else ''}"


def review(session: Session, decisions: Sequence[Decision]) -> Review:
    """Return a session after decisions: later ones on a word replace earlier ones.

    A sentence with a corrected word becomes adaptation data, with all corrections in it, and is
    measured no more. A reference that was wrong is changed in the development text.

    Raises
    ------
    InputError
        If no sentence, or none with a capital letter, would be left to measure on.
    """
    last = tuple({decision.at: decision for decision in decisions}.values())
    dev = session.corpora["dev"]
    everything = np.arange(dev.n_sentences)
    changes = [decision for decision in last if decision.kind != ACCEPT]
    if not changes:
        return Review(session, session, last, everything)
    dev = change_words(dev, changes)
    trained = _trained(last)
    kept = np.setdiff1d(everything, trained)
    if not len(kept):
        raise InputError("no sentence of the dev text would be left to measure on; keep one")
    texts = {"dev": dev}
    if trained:
        train = join(session.corpora["train"], dev.take(np.array(trained)))
        texts = {"dev": dev.take(kept), "train": train}
    return Review(session, session.with_corpora(texts), last, kept)


def _trained(decisions):
    return sorted({decision.at.sentence for decision in decisions if decision.kind == CORRECT})


def corrected_sentences(review: Review) -> Corpus | None:
    """Return the sentences that are trained on, as corrected; None if there are none."""
    trained = _trained(review.decisions)
    changes = [decision for decision in review.decisions if decision.kind != ACCEPT]
    return change_words(review.opened.corpora["dev"], changes).take(trained) if trained else None


# --- decisions ----------------------------------------------------------------------------


def decide(review: Review, snapshot: Snapshot, position: int, kind: str, typed: str) -> Decision:
    """Return the decision on a word of a snapshot of the reviewed session.

    Parameters
    ----------
    position : int
        In the measured development text.
    typed : str
        The form or the name of the tag that the user gave. Of a wrong reference, one that is
        the reference's means what the adapted model says.

    Raises
    ------
    InputError
        If the form has other letters, the tag is none of the text's, or nothing would change.
    """
    word, gold, given = _describe(review.session, snapshot, position)
    value = gold
    if kind != ACCEPT:
        value = check_value(review.session.corpora["dev"], position, typed)
        if kind == REFERENCE and value == gold:
            value = given
        if kind == REFERENCE and value == gold:
            raise InputError(f"{word}: the reference says {gold} already; type what it should be")
    return Decision(review.origin(position), kind, word, gold, value)


# --- the queue ----------------------------------------------------------------------------


class Group(NamedTuple):
    """The words of one type in the queue, and how many of them adaptation fixed and broke."""

    word: str  # in uniform case where tags are case
    fixed: int
    broken: int
    still_wrong: int
    misspelled: int
    positions: tuple[int, ...]  # in the order of the text


def queue(diff: pd.DataFrame) -> list[Group]:
    """Return the words of a ``word_diff`` by type, the largest groups first.

    Of groups as large as one another the first in the text comes first.
    """
    groups = []
    for word, rows in diff.groupby("word", sort=False):
        n = rows["status"].value_counts()
        counts = [int(n.get(status, 0)) for status in STATUSES]
        groups.append(Group._make((str(word), *counts, tuple(rows["position"].tolist()))))
    return sorted(groups, key=lambda group: -len(group.positions))


def describe_group(group: Group) -> str:
    """Say in words what adaptation did to the words of a type: "streamlit: 33 fixed, 5 broken"."""
    counts = zip(STATUSES, group[1:-1], strict=True)
    return f"{group.word}: " + ", ".join(f"{n:,} {what}" for what, n in counts if n)


# --- what is taken away -------------------------------------------------------------------


def corrected_file(review: Review) -> TrainingFile | None:
    """Return ``corrected_sentences`` as a file to train on; None if there are none."""
    sentences = corrected_sentences(review)
    if sentences is None:
        return None
    ends = (end for end, form in FORMS.items() if form.task is sentences.task)
    return TrainingFile(training_text(sentences), next(ends, ".txt"))


def decisions_csv(decisions: Iterable[Decision]) -> str:
    """Return decisions as CSV: sentence and place, from 1, in the dev text; what was decided."""
    rows = [
        (d.at.sentence + 1, d.at.place + 1, d.word, d.kind, d.before, d.value) for d in decisions
    ]
    columns = ["sentence", "place", "word", "decision", "reference", "right"]
    return pd.DataFrame(rows, columns=columns).to_csv(index=False)
