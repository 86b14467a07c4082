"""The tasks of words: restoring case, tagging parts of speech, chunking.

Here are their names alone, which corpora, models and methods have as ``task``; what differs
from one to the next (files, scores, columns, baselines) is in ``evaluation.task``. Annexes have
tasks of their own, by names that are no ``TaskName``.
"""

from collections.abc import Sequence
from enum import StrEnum

from workbench.text.casing import TAGS
from workbench.text.errors import InputError


class TaskName(StrEnum):
    """What the tags of a corpus or of a model are."""

    CASE = "case"
    TAGS = "parts of speech"
    CHUNKS = "chunks"


def task_of(tag_names: Sequence[str]) -> TaskName:
    """Return the task that tags belong to, by their names; chunks are B-X, I-X and O (IOB2)."""
    if tuple(tag_names) == TAGS:
        return TaskName.CASE
    is_chunking = all(name == "O" or name[:2] in ("B-", "I-") for name in tag_names)
    return TaskName.CHUNKS if is_chunking else TaskName.TAGS


def check_same_task(name: str, task: str, other: str, other_task: str) -> None:
    """Raise InputError unless two texts or models, given by name and task, are of one task."""
    if task != other_task:
        raise InputError(
            f"the task of {name} is {task}, of {other} {other_task}; both must have the same task"
        )
