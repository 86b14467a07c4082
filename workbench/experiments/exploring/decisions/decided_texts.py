"""What a review does to texts of words, and to candidate sets: how a decision changes them."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from workbench.evaluation.task import find_task
from workbench.experiments.exploring.candidates.why_chosen import name_candidate
from workbench.experiments.exploring.decisions.right_choices import best_of, change_best, number_of
from workbench.experiments.exploring.session import Session, Snapshot
from workbench.features.candidates.packing import join_sets
from workbench.features.candidates.written_files import write_sets
from workbench.text.casing import tag_of, wipe_case
from workbench.text.chunk_schemes import to_iob2
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError
from workbench.text.joining import join
from workbench.text.labels import FORMS, labelled_lines
from workbench.text.tasks import TaskName


class Said(NamedTuple):
    """A word of the text, what the reference says of it, and what the adapted model says."""

    word: str
    gold: str
    given: str


def _describe_word(session, snapshot, position):
    corpus, model = session.corpora["dev"], snapshot.tuned.model
    words_at, positions = find_task(corpus).words_at, np.array([position])
    (gold,) = words_at(corpus, positions)
    (given,) = words_at(corpus, positions, snapshot.tuned.tags["dev"], model.mixed_forms)
    return Said(corpus.form_at(position), gold, given)


def _describe_choice(session, snapshot, sentence):
    sets = session.corpora["dev"]
    given = sets.number_within(snapshot.tuned.tags["dev"])[sentence]
    names = (name_candidate(int(number)) for number in (best_of(sets, sentence), given))
    return Said(session.unit, *names)


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
    mended, _ = to_iob2(labels, is_first, lambda *_: None, repair=True)
    numbers = {name: number for number, name in enumerate(corpus.tag_names)}
    tags[span] = [numbers.get(new, old) for new, old in zip(mended, tags[span], strict=True)]


class TrainingFile(NamedTuple):
    """Sentences as a file to train on."""

    content: str | bytes
    end: str  # of its name
    mime: str


def training_text(corpus: Corpus) -> str:
    """Return sentences as a file to train on: of case one a line, as written; else labelled."""
    if corpus.task is not TaskName.CASE:
        return labelled_lines(corpus)
    return "".join(" ".join(corpus.sentence(i)) + "\n" for i in range(corpus.n_sentences))


def _write_words(corpus):
    ends = [end for end, form in FORMS.items() if form.task is corpus.task]
    return TrainingFile(training_text(corpus), next(iter(ends), ".txt"), "text/plain")


def _write_sets(sets):
    return TrainingFile(write_sets(sets), ".zip", "application/zip")


class Sort(NamedTuple):
    """What a review needs to know of the texts of a session."""

    starts: Callable[[Any], np.ndarray]  # text → first position of each sentence
    change: Callable[[Any, Iterable[Any]], Any]  # text as decided
    join: Callable[[Any, Any], Any]  # two texts as one
    describe: Callable[[Session, Snapshot, int], Said]
    check: Callable[[Any, int, str], str]  # text, position, what was typed → what it stands for
    write: Callable[[Any], TrainingFile]


def _check_choice(sets, sentence, typed):
    return name_candidate(number_of(sets, sentence, typed))


# By what a decision is about: ``Session.unit``.
SORTS = {
    "word": Sort(lambda corpus: corpus.starts, change_words, join, _describe_word, check_value,
                  _write_words),
    "sentence": Sort(
        lambda sets: np.arange(sets.n_sentences + 1), change_best,
        lambda sets, more: join_sets(sets.name, [sets, more]), _describe_choice, _check_choice,
        _write_sets,
    ),
}  # fmt: skip
