"""Precision, recall and F1 of chunks, by the rule of CoNLL-2000; accuracy of other labels."""

from collections.abc import Container, Sequence
from dataclasses import dataclass
from itertools import starmap

import numpy as np

from workbench.evaluation.scores import TagScores, count_confusions, score_tags, share, to_json
from workbench.text.corpus import Corpus
from workbench.text.tasks import TaskName


@dataclass(frozen=True)
class LabelScores:
    """Errors of one model on labelled words; fractions, nan where there is nothing to count."""

    words: int
    wrong: int
    error_rate: float  # of all words
    error_rate_unknown: float  # of words without a weight, most of them never seen in training
    unknown: int  # how many these are
    per_tag: dict[str, TagScores]
    chunks: TagScores | None  # of chunks of all kinds; None where labels are not those of chunks
    per_chunk: dict[str, TagScores]

    def to_json(self) -> dict:
        """Return the scores as plain dictionaries, None where a rate is undefined."""
        return to_json(self)


def score_labels(corpus: Corpus, tags: np.ndarray, known_words: Container[str]) -> LabelScores:
    """Compare the labels of a model, int8, shape (N,), with those of a corpus of N words.

    ``known_words`` are those that the model has a weight for.
    """
    wrong = tags != corpus.tags
    is_unknown = np.array([word not in known_words for word in corpus.words])[corpus.word_ids]
    has_chunks = corpus.task is TaskName.CHUNKS
    whole, per_chunk = score_chunks(corpus, tags) if has_chunks else (None, {})
    return LabelScores(
        len(corpus), int(wrong.sum()), share(wrong), share(wrong[is_unknown]),
        int(is_unknown.sum()), score_tags(count_confusions(corpus, tags), corpus.tag_names),
        whole, per_chunk,
    )  # fmt: skip


def score_chunks(corpus: Corpus, tags: np.ndarray) -> tuple[TagScores, dict[str, TagScores]]:
    """Score the chunks that a model finds; a chunk is right if its words and its kind are.

    Of all chunks, and by kind in the order of names; tags are int8, shape (N,).

    Source
    ------
    Tjong Kim Sang & Buchholz (2000), whose conlleval also begins a chunk at an I- that
    follows none of its kind.
    """
    kinds = sorted({name[2:] for name in corpus.tag_names if name != "O"})
    gold, given = (find_chunks(corpus, t, kinds).tolist() for t in (corpus.tags, tags))
    right = set(map(tuple, gold)) & set(map(tuple, given))
    counts = np.zeros((3, len(kinds)), np.int64)
    for row, chunks in zip(counts, (right, given, gold), strict=True):
        row += np.bincount([kind for *_, kind in chunks], minlength=len(kinds))
    whole, *each = starmap(TagScores.of, np.column_stack([counts.sum(axis=1), counts]).T)
    return whole, dict(zip(kinds, each, strict=True))


def find_chunks(corpus: Corpus, tags: np.ndarray, kinds: Sequence[str]) -> np.ndarray:
    """Return first word, end and place of the kind of every chunk; int, shape (chunks, 3)."""
    kind_of = np.array([kinds.index(n[2:]) if n != "O" else -1 for n in corpus.tag_names])
    begins = np.array([name.startswith("B-") for name in corpus.tag_names])
    kind = kind_of[tags]
    before = np.where(corpus.is_initial, -1, np.roll(kind, 1))
    is_first = (kind >= 0) & (begins[tags] | (kind != before))
    first = np.flatnonzero(is_first)
    stops = np.append(np.flatnonzero(is_first | (kind < 0) | corpus.is_initial), len(tags))
    ends = stops[np.searchsorted(stops, first, "right")]
    return np.column_stack([first, ends, kind[first]])
