"""Error rates and scores by tag and by chunk; numerators and denominators kept.

Error rates and per-tag scores of the tags that a model gave to a corpus.

Counts are kept and rates derived from them; a rate of no words at all is nan.

Precision, recall and F1 of chunks, by the rule of CoNLL-2000; accuracy of other labels.
"""

import math
from collections.abc import Container, Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass
from itertools import starmap
from typing import Any

import numpy as np

from workbench.recasing.spans import find_untouched
from workbench.text.casing import Tag
from workbench.text.corpus import Corpus
from workbench.text.tasks import TaskName
from workbench.text.written_forms import write_word


@dataclass(frozen=True)
class TagScores:
    """How well one tag is found; fractions, nan where there is nothing to count."""

    precision: float  # of the words given the tag
    recall: float  # of the words that have it
    f1: float  # nan only where no word has the tag and none was given it
    support: int  # words that have it

    @classmethod
    def of(cls, right: int, given: int, support: int) -> "TagScores":
        """Return the scores of a tag given to ``given`` words, to ``right`` of them rightly."""
        f1 = ratio(2 * right, given + support)
        return cls(ratio(right, given), ratio(right, support), f1, int(support))


@dataclass(frozen=True)
class Scores:
    """Errors of one model on one corpus; rates are fractions of words.

    A word's surface is wrong where ``recase`` gives the text, in lower case, another form than
    the one written: an MXC word can have the right tag and the wrong letters, a single capital
    the reverse, and addresses, handles and the like stay in lower case whatever their tag.
    """

    words: int
    wrong: int  # with another tag than the gold one
    error_rate: float  # the paper's Cap ERR, of all words
    error_rate_no_punctuation: float  # of the words whose gold tag is not PNC
    error_rate_not_initial: float  # of the words that do not begin a sentence as written
    surface_error_rate: float  # of all words
    letters_error_rate: float  # of all words: the tag is right, the surface is not
    per_tag: dict[str, TagScores]

    def to_json(self) -> dict:
        """Return the scores as plain dictionaries, None where a rate is undefined."""
        return to_json(self)


def score(
    corpus: Corpus, tags: np.ndarray, mixed_forms: Mapping[str, str],
    untouched: np.ndarray | None = None, compounds: Mapping[int, str] | None = None,
) -> Scores:  # fmt: skip
    """Compare the tags of a model, int8, shape (N,), with the gold tags of a corpus.

    ``mixed_forms`` are the model's forms of MXC words, for the surface error. Words that are
    left untouched, bool, shape (N,), are written as they were; they should have their gold tags.
    ``compounds`` are the forms of some words by their place, see ``find_compounds``.

    Source
    ------
    Chelba & Acero (2004), section 5: Cap ERR. The paper counts all words; the
    other rates are ours.
    """
    wrong, misspelled = tags != corpus.tags, surface_errors(corpus, tags, mixed_forms, compounds)
    if untouched is not None:
        misspelled &= ~untouched
    return Scores(
        len(corpus), int(np.count_nonzero(wrong)),
        share(wrong), share(wrong[corpus.tags != Tag.PNC]), share(wrong[~corpus.began_sentence]),
        share(misspelled), share(misspelled & ~wrong),
        score_tags(count_confusions(corpus, tags), corpus.tag_names),
    )  # fmt: skip


def count_confusions(corpus: Corpus, tags: np.ndarray) -> np.ndarray:
    """Return how often each gold tag (row) was given each tag (column); int64, shape (K, K)."""
    n_tags = len(corpus.tag_names)
    cells = corpus.tags.astype(np.int64) * n_tags + tags
    return np.bincount(cells, minlength=n_tags * n_tags).reshape(n_tags, n_tags)


def surface_errors(
    corpus: Corpus, tags: np.ndarray, mixed_forms: Mapping[str, str],
    compounds: Mapping[int, str] | None = None,
) -> np.ndarray:  # fmt: skip
    """Return the words whose recased form is not the one written; bool, shape (N,).

    The gold tag gives a plain word back, so only words with a wrong tag and those of
    ``_find_peculiar`` are spelled out. Words in spans stay in lower case, as ``recase`` leaves
    them.
    """
    suspects = (tags != corpus.tags) | _find_peculiar(corpus, tags)
    wrong = _find_miswritten(corpus, suspects, tags, mixed_forms)
    for place, form in (compounds or {}).items():
        wrong[place] = form != corpus.form_at(place)
    untouched = find_untouched(corpus).words
    wrong[untouched] = np.isin(corpus.tags[untouched], (Tag.CAP, Tag.MXC, Tag.AUC))
    return wrong


def find_misspelled(corpus: Corpus, tags: np.ndarray, mixed_forms: Mapping[str, str]) -> np.ndarray:
    """Return the words that have the right tag and are written wrong; bool, shape (N,).

    Words in spans are written as any other, unlike in ``surface_errors``; where tags are not of
    case, none is misspelled.
    """
    if corpus.task is not TaskName.CASE:
        return np.zeros(len(corpus), bool)
    suspects = (tags == corpus.tags) & _find_peculiar(corpus, tags)
    return _find_miswritten(corpus, suspects, tags, mixed_forms)


def _find_peculiar(corpus, tags):
    """Return words that may be written otherwise than their tag says: iPhone, 5th; bool, (N,)."""
    plain = np.array([word.isascii() and word.isalpha() for word in corpus.words])
    return (tags == Tag.MXC) | ~plain[corpus.word_ids] & (tags != Tag.PNC)


def _find_miswritten(corpus, suspects, tags, mixed_forms):
    """Return which of some words, bool, (N,), are recased to another form than theirs; bool, (N,).

    Each form with a tag is spelled once.
    """
    places = np.flatnonzero(suspects)
    cells = corpus.form_ids[places].astype(np.int64) * len(corpus.tag_names) + tags[places]
    _, first, of_cell = np.unique(cells, return_index=True, return_inverse=True)
    forms = recase_at(corpus, places[first], tags, mixed_forms)
    written = [corpus.forms[f] for f in corpus.form_ids[places[first]].tolist()]
    differs = np.fromiter(map(str.__ne__, forms, written), bool, len(forms))
    wrong = np.zeros(len(corpus), bool)
    wrong[places] = differs[of_cell]
    return wrong


def recase_at(
    corpus: Corpus, positions: np.ndarray, tags: np.ndarray, mixed_forms: Mapping[str, str]
) -> list[str]:
    """Return the words at some positions in the case of their tags; a list of str."""
    words = [corpus.words[w] for w in corpus.word_ids[positions].tolist()]
    given = tags[positions].tolist()
    return [write_word(w, t, mixed_forms.get(w)) for w, t in zip(words, given, strict=True)]


def share(marks: np.ndarray) -> float:
    """Return the share of true marks; nan if there are no marks."""
    return float(marks.mean()) if len(marks) else math.nan


def ratio(part: float, whole: float) -> float:
    """Return part / whole; nan where the whole is 0."""
    return float(part / whole) if whole else math.nan


def score_tags(confusions: np.ndarray, names: Sequence[str]) -> dict[str, TagScores]:
    """Return the ``TagScores`` of each tag, by name, of ``count_confusions``."""
    counts = confusions.diagonal(), confusions.sum(axis=0), confusions.sum(axis=1)
    return {name: TagScores.of(*own) for name, *own in zip(names, *counts, strict=True)}


def to_json(value: Any) -> Any:
    """Return a value as JSON can hold it: plain containers, None for an undefined number.

    >>> to_json({"precision": math.nan, "interval": (0.0, math.inf)})
    {'precision': None, 'interval': [0.0, None]}
    """
    if is_dataclass(value) and not isinstance(value, type):
        value = asdict(value)
    if isinstance(value, dict):
        return {key: to_json(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_json(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value


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
