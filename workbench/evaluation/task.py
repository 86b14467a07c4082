"""What differs between capitalization, part-of-speech tagging and chunking, in one table.

A corpus and a model know the name of their task (``corpus.task``); ``find_task`` gives what
follows from it. A new task is one more entry of ``TASKS``, and a name in ``text.tasks``; what an
annex makes of texts that are no words is an entry of its own ``TASKS``, a ``Task``.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from workbench.annexes import find
from workbench.evaluation.error_rates import LabelScores, Scores, recase_at, score, score_labels
from workbench.models.capitalizer import Capitalizer
from workbench.recasing.compounds import find_compounds
from workbench.text.corpus import Corpus, require_corpus
from workbench.text.labels import FORMS
from workbench.text.tasks import TaskName


class ScoreColumn(NamedTuple):
    """One column of a table of models: its heading, and its value, a fraction, in a row."""

    heading: str
    value: Callable[[Mapping], float | None]


class Wording(NamedTuple):
    """What the page calls the decisions of a model, and what adaptation did to them."""

    unit: str
    units: str
    fixed: str  # better than the background's
    broken: str  # worse than it
    wrong: str  # as good as it, but not right


@dataclass(frozen=True)
class Task:
    """How the files of a task are named, and what the page says of it."""

    name: str
    file_ends: tuple[str, ...]  # of the names of files with such texts
    templates: str  # what its models read unless others are chosen
    recases: bool  # whether its models restore the case of a text
    wording: Wording


@dataclass(frozen=True)
class WordTask(Task):
    """How models of a task of words are scored and shown.

    ``score`` takes corpus, tags and model. ``words_at`` takes corpus, positions, tags and
    mixed-case forms to what a diff shows: words in the case of their tags, or the tags;
    without tags, those of the corpus itself.
    """

    baselines: tuple[str, ...]  # models shown along with the background and the adapted one
    score: Callable[[Corpus, np.ndarray, Capitalizer], Scores | LabelScores]
    headline: ScoreColumn  # the one figure of a model on the page
    title: str  # of the table of models, with its unit
    columns: tuple[ScoreColumn, ...]  # of this table, after name and kind
    breakdown: tuple[str, str] | None  # entry of a row with F1 by kind, and what is counted there
    words_at: Callable[..., list[str]]


def _rate(key, heading):
    return ScoreColumn(heading, lambda row: row[key])


def _accuracy(key, heading):
    return ScoreColumn(heading, lambda row: None if row[key] is None else 1 - row[key])


def _of_chunks(key, heading):
    return ScoreColumn(heading, lambda row: row["chunks"][key])


def _score_case(corpus, tags, model):
    compounds = find_compounds(model, corpus, tags)
    return score(corpus, tags, model.mixed_forms, compounds=compounds)


def _score_labels(corpus, tags, model):
    corpus = corpus.add_tags(model.tag_names)
    return score_labels(corpus, tags, model.known_words)


def _forms_at(corpus, positions, tags=None, mixed_forms=None):
    if tags is None:
        return [corpus.forms[form] for form in corpus.form_ids[positions].tolist()]
    return recase_at(corpus, positions, tags, mixed_forms)


def _tag_names_at(corpus, positions, tags=None, mixed_forms=None):
    given = corpus.tags if tags is None else tags
    return [corpus.tag_names[tag] for tag in given[positions].tolist()]


def _ends_of(name: TaskName) -> tuple[str, ...]:
    return tuple(end for end, form in FORMS.items() if form.task is name)


_ACCURACIES = (
    _accuracy("error_rate", "accuracy"), _accuracy("error_rate_unknown", "of unknown words"),
)  # fmt: skip
_WORDS = Wording("word", "words", "fixed", "broken", "still wrong")
TASKS: Mapping[str, WordTask] = {
    task.name: task
    for task in (
        WordTask(
            TaskName.CASE, (".txt",), "ca04", True, _WORDS, ("1-gram",), _score_case,
            _rate("error_rate", ""), "errors, %",
            (
                _rate("error_rate", "all words"),
                _rate("error_rate_no_punctuation", "no punctuation"),
                _rate("error_rate_not_initial", "not initial"),
                _rate("surface_error_rate", "spelling"),
                _rate("letters_error_rate", "letters"),
            ),
            ("per_tag", "words"), _forms_at,
        ),
        WordTask(
            TaskName.TAGS, _ends_of(TaskName.TAGS), "pos", False, _WORDS, (),
            _score_labels,
            _rate("error_rate", ""), "%", _ACCURACIES, None, _tag_names_at,
        ),
        WordTask(
            TaskName.CHUNKS, _ends_of(TaskName.CHUNKS), "chunk", False, _WORDS, (),
            _score_labels,
            _of_chunks("f1", "F1"), "%",
            (*_ACCURACIES, _of_chunks("precision", "precision"), _of_chunks("recall", "recall"),
             _of_chunks("f1", "F1")),
            ("per_chunk", "chunks"), _tag_names_at,
        ),
    )
}  # fmt: skip


def task_named(name: str) -> Task:
    """Return the task of a name, of words or an annex's."""
    return TASKS[name] if name in TASKS else find("TASKS", name)


def find_task(text_or_model: Corpus | Capitalizer) -> WordTask:
    """Return the task of a corpus or of a model of words."""
    known = getattr(text_or_model, "task", None)
    return TASKS[known or require_corpus(text_or_model).task]


def task_of_row(row: Mapping) -> WordTask:
    """Return the task of a model's row in a report, by the scores that it has."""
    if "error_rate_unknown" not in row:
        return TASKS[TaskName.CASE]
    return TASKS[TaskName.TAGS if row["chunks"] is None else TaskName.CHUNKS]
