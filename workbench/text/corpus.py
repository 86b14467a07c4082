"""A corpus: tagged sentences packed into arrays; built word by word, cut, joined.

Every distinct word is stored and tagged once; the running text is an array of integers, so
21 million words fit in 200 MB.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, count
from typing import Any, NamedTuple

import numpy as np

from workbench.text.casing import TAGS, Tag, tag_of, wipe_case
from workbench.text.errors import InputError, refusal, require_kind
from workbench.text.scratch import GrowingArray, Memory, collect, count_ids, pieces_of
from workbench.text.tasks import TaskName, check_same_task, task_of

BOUNDARY = "*bdw*"  # stands before the first and after the last word of a sentence
BEGINS = "begins"  # a column: "yes" at words that began a sentence before its bounds were dropped
_TRAINING_BYTES = 200  # of memory that training may take for each word of a text
MOST_LABELS = 127  # tags are kept in eight bits


class Column(NamedTuple):
    """Another property of each word, such as its part of speech."""

    strings: list[str]  # the values; strings[0] is BOUNDARY
    ids: np.ndarray  # of each word, as a place in strings; int32 or uint8, shape (N,)


class Reading(NamedTuple):
    """The text that a corpus was read from, line by line as ``recase`` reads it."""

    texts: list[str]
    places: list[np.ndarray]  # start and end of each word in its text; int64, shape (words, 2)
    doubtful: list[int]  # the sentences that may go on with the one before them


@dataclass(frozen=True, eq=False, repr=False)
class Corpus:
    """Tagged sentences: tags are case, or any other labels.

    Attributes
    ----------
    words : list of str
        The vocabulary, in uniform case where tags are case; ``words[0]`` is ``BOUNDARY``.
    word_ids : ndarray of int32, shape (N,)
        The text, sentence after sentence, as places in ``words``.
    tags : ndarray of int8, shape (N,)
        The tag of each word, as places in ``tag_names``.
    starts : ndarray of int64, shape (sentences + 1,)
        Sentence i is ``word_ids[starts[i]:starts[i + 1]]``.
    forms : list of str
        The vocabulary as written.
    form_ids : ndarray of int32, shape (N,)
    tag_names : tuple of str, K of them
    notes : tuple of str
        Lines for the user about how the text was read; only the corpus that is read has them.
    memory : Memory, optional
        Where the text is larger than this its arrays are on disk, and whoever goes through them
        does so a piece at a time.
    document_starts : ndarray of int64, optional
        The sentences at which documents begin: files, and what follows a blank line. Only the
        corpus that is read has them.
    reading : Reading, optional
        Only of a text that was read as ``recase`` reads it.
    """

    name: str
    words: list[str]
    word_ids: np.ndarray
    tags: np.ndarray
    starts: np.ndarray
    forms: list[str]
    form_ids: np.ndarray
    tag_names: tuple[str, ...] = TAGS
    columns: dict[str, Column] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    memory: Memory | None = None
    document_starts: np.ndarray | None = None
    reading: Reading | None = None

    @classmethod
    def from_sentences(
        cls, sentences: Iterable[list[str]], name: str = "text", gold: bool = True
    ) -> "Corpus":
        """Pack sentences, each a list of words; ``gold`` as in ``CorpusBuilder.build``.

        They are taken as they are; ``read_corpus`` reads text as it is written.
        InputError if a sentence is no list of words, or a word is empty.
        """
        builder, sentences = CorpusBuilder(), list(filter(None, sentences))
        try:
            builder.add(chain.from_iterable(sentences), list(map(len, sentences)))
            is_so = all(isinstance(word, str) and word for word in builder._numbering)
        except TypeError:  # numbers, or lists of lists
            is_so = False
        if not is_so or str in map(type, sentences):
            raise InputError(f"{name}: a sentence is a list of words, such as ['He', 'left']")
        return builder.build(name, gold)

    @classmethod
    def from_forms(
        cls, name: str, forms: list[str], form_ids: np.ndarray, starts: np.ndarray,
        gold: bool = True, memory: Memory | None = None,
    ) -> "Corpus":  # fmt: skip
        """Return the corpus of words as written; ``gold`` as in ``CorpusBuilder.build``.

        The words are numbered in the order of ``forms``, whether these occur or not. With
        ``memory`` it is on disk.
        """
        vocabulary, n = _numbering(), len(forms)
        words = map(vocabulary.__getitem__, chain([BOUNDARY], map(wipe_case, forms)))
        word_of_form = np.fromiter(words, np.int32, n + 1)[1:]
        tag_of_form = np.fromiter(map(tag_of, forms), np.int8, n) if gold else np.zeros(n, np.int8)
        word_ids, tags = (_look_up(of, form_ids, memory) for of in (word_of_form, tag_of_form))
        return cls(name, list(vocabulary), word_ids, tags, starts, forms, form_ids, memory=memory)

    def __len__(self) -> int:
        return len(self.word_ids)

    def __repr__(self) -> str:
        return f"Corpus({self.name!r:.80}, words={len(self)}, sentences={self.n_sentences})"

    @property
    def n_sentences(self) -> int:
        """Number of sentences."""
        return len(self.starts) - 1

    @property
    def task(self) -> TaskName:
        """What the tags are: case, parts of speech or chunks."""
        return task_of(self.tag_names)

    @cached_property
    def is_initial(self) -> np.ndarray:
        """Boolean, shape (N,): true at the first word of a sentence."""
        first = np.zeros(len(self), bool)
        first[self.starts[:-1]] = True
        return first

    @property
    def began_sentence(self) -> np.ndarray:
        """``is_initial`` of the sentences as written, where a column ``BEGINS`` has them."""
        if BEGINS not in self.columns:
            return self.is_initial
        strings, ids = self.columns[BEGINS]
        return ids == strings.index("yes")

    @cached_property
    def sentence_ids(self) -> np.ndarray:
        """Sentence of each word; int64, shape (N,)."""
        return np.repeat(np.arange(self.n_sentences), np.diff(self.starts))

    @cached_property
    def fingerprint(self) -> str:
        """Twelve hexadecimal digits that identify the content, without name and unused forms."""
        used, place = _by_appearance(self.form_ids, len(self.forms))
        forms = "\n".join(self.forms[form] for form in used)
        digest = hashlib.sha256(forms.encode("utf-8", "surrogatepass"))
        for piece in pieces_of(self.form_ids):
            digest.update(place[piece].data)
        for array in (self.tags, self.starts):
            for piece in pieces_of(array):
                digest.update(piece.tobytes())
        if self.task is not TaskName.CASE:
            digest.update("\n".join(self.tag_names).encode())
        for name, column in self.columns.items():
            digest.update("\n".join([name, *column.strings]).encode())
            digest.update(column.ids.tobytes())
        return digest.hexdigest()[:12]

    def count_wrong(self, tags: np.ndarray) -> int:
        """Return how many tags of its words, int8, shape (N,), are wrong."""
        return int((tags != self.tags).sum())

    def form_at(self, place: int) -> str:
        """Return the word at a place as written."""
        return self.forms[self.form_ids[place]]

    def sentence(self, i: int) -> list[str]:
        """Words of sentence i as written."""
        return [self.forms[f] for f in self.form_ids[self.starts[i] : self.starts[i + 1]]]

    def stretches(self, n_words: int) -> Iterator["Corpus"]:
        """Yield the corpus in stretches of whole sentences, of about ``n_words`` each."""
        first = 0
        while first < self.n_sentences:
            most = self.starts[first] + n_words
            last = max(first + 1, int(np.searchsorted(self.starts, most, "right")) - 1)
            starts = self.starts[first : last + 1]
            yield self._pick(slice(starts[0], starts[-1]), starts - starts[0], memory=None)
            first = last

    def _pick(self, own, starts, **changes):
        """Return the corpus of some words, a slice or an array, with the starts of sentences."""
        columns = {name: Column(c.strings, c.ids[own]) for name, c in self.columns.items()}
        return replace(
            self, word_ids=self.word_ids[own], tags=self.tags[own], form_ids=self.form_ids[own],
            starts=starts, columns=columns, document_starts=None, reading=None, **changes,
        )  # fmt: skip

    def draw_stretch(self, n_words: int, rng: np.random.Generator) -> "Corpus":
        """Return neighbouring sentences from a random place on, ``n_words`` or more.

        All of the corpus where it has no more words than that.
        """
        latest = int(np.searchsorted(self.starts, max(0, len(self) - n_words), "right")) - 1
        first = int(rng.integers(latest + 1))
        last = int(np.searchsorted(self.starts, self.starts[first] + n_words))
        return self.take(np.arange(first, min(last, self.n_sentences)))

    def take(self, sentences: Sequence[int] | np.ndarray) -> "Corpus":
        """Return the corpus of some sentences, in the given order, with the same vocabulary."""
        lengths = np.diff(self.starts)[sentences]
        starts = np.concatenate(([0], np.cumsum(lengths)))
        shifts = self.starts[:-1][sentences] - starts[:-1]
        places = np.arange(starts[-1]) + np.repeat(shifts, lengths)
        return self._pick(places, starts, memory=None, notes=())

    def keep_words(self, kept: np.ndarray) -> "Corpus":
        """Return the corpus of some words, bool, shape (N,); sentences without one are gone."""
        starts = np.unique(np.concatenate(([0], np.cumsum(kept)))[self.starts])
        return self._pick(kept, starts)

    def compact(self) -> "Corpus":
        """Return the corpus with a vocabulary, forms and columns of its own words alone."""
        words, word_ids = _used(self.words, self.word_ids)
        forms, form_ids = _used(self.forms, self.form_ids)
        columns = {name: Column(*_used(*column)) for name, column in self.columns.items()}
        return replace(
            self, words=words, word_ids=word_ids, forms=forms, form_ids=form_ids, columns=columns
        )

    def relabel(self, tag_names: tuple[str, ...]) -> "Corpus":
        """Return the corpus with tags numbered by other names, its own further names at the end."""
        if tag_names == self.tag_names:
            return self
        names = check_labels((*tag_names, *self.tag_names), self.name)
        return replace(self, tags=renumber(self.tags, self.tag_names, names), tag_names=names)

    def add_tags(self, tag_names: Sequence[str]) -> "Corpus":
        """Return the corpus with those of some labels that it lacks, named after its own."""
        names = check_labels((*self.tag_names, *tag_names), self.name)
        return self if names == self.tag_names else replace(self, tag_names=names)

    def unlabel(self, tag_names: tuple[str, ...]) -> "Corpus":
        """Return the corpus with other tag names and no tags of its own."""
        if tag_names == self.tag_names:
            return self
        return replace(self, tags=np.zeros(len(self), np.int8), tag_names=tag_names)

    def require_cased(self) -> "Corpus":
        """Return the corpus; InputError if its tags are case and all words are in one case."""
        if self.task is TaskName.CASE:
            letters = "".join(self.forms)
            if letters.lower() == letters.upper() and any(map(str.isalpha, letters)):
                raise refusal("no case", self.name)
            check_cased(self.name, count_ids(self.tags, len(Tag)))
        return self


def require_corpus(text: Any) -> Corpus:
    """Return a corpus; InputError, which says what makes one, if it is anything else."""
    return require_kind(text, Corpus, ", which load or Corpus.from_sentences makes,")


def renumber(tags: np.ndarray, names: Sequence[str], others: Sequence[str]) -> np.ndarray:
    """Return tags, places in some names, as places in others; what these lack comes after them."""
    if names == others:
        return tags
    number = {name: place for place, name in enumerate(dict.fromkeys((*others, *names)))}
    return np.array([number[name] for name in names], np.int8)[tags]


def check_cased(name: str, counts: np.ndarray) -> None:
    """Raise InputError if words of these numbers by tag, int, shape (K,), are all in one case."""
    n = counts.sum()
    if not counts[[Tag.CAP, Tag.MXC, Tag.AUC]].any():
        raise refusal("no capital", name, n=n)
    if counts[Tag.AUC] > 0.9 * (n - counts[Tag.PNC]):
        raise refusal("all capitals", name, n=n, n_all=counts[Tag.AUC])


def check_labels(names: Sequence[str], source: str) -> tuple[str, ...]:
    """Return labels, each once; InputError if a source has more than eight bits can number."""
    found = tuple(dict.fromkeys(names))
    if len(found) > MOST_LABELS:
        raise refusal("labels", source, n=len(found), most=MOST_LABELS)
    return found


def _used(strings, ids):
    """Return the first string and those of the ids, and the ids as places in them."""
    used, places = np.unique(np.append(0, ids), return_inverse=True)
    return [strings[i] for i in used.tolist()], places[1:].astype(np.int32)


def _by_appearance(ids, n):
    """Return the ids in order of first appearance, and the place of each in that order."""
    first, end = np.full(n, len(ids)), len(ids)
    for piece in pieces_of(ids, backwards=True):  # what is written last stays
        first[piece[::-1]] = np.arange(end - 1, end - len(piece) - 1, -1)
        end -= len(piece)
    order = np.argsort(first, kind="stable")
    place = np.empty(n, np.int32)
    place[order] = np.arange(n, dtype=np.int32)
    return order[: np.count_nonzero(first < len(ids))], place


def _numbering():
    return defaultdict(count().__next__)  # numbers new keys in order


class CorpusBuilder:
    """Builds a corpus from words that are added piece by piece.

    With ``memory`` they are collected on disk, where the corpus stays if it is too large.
    """

    def __init__(self, memory: Memory | None = None):
        self._numbering, self._memory = _numbering(), memory
        self._ids: Any = GrowingArray(np.int32) if memory else []
        self._lengths: Any = GrowingArray(np.int64) if memory else []
        self._documents, self._n_sentences = list[int](), 0
        self._reading = Reading([], [], [])

    def begin_document(self) -> None:
        """Note that what is added next is another document."""
        self._documents.append(self._n_sentences)

    def add(self, words: Iterable[str], lengths: Sequence[int]) -> None:
        """Add naturally cased words and the lengths of their sentences."""
        number, added = self._numbering.__getitem__, np.asarray(lengths, np.int64)
        self._n_sentences += len(added)
        self._ids.append(np.fromiter(map(number, words), np.int32, int(added.sum())))
        self._lengths.append(added)

    def add_reading(self, text: str, places: np.ndarray, doubtful: Iterable[int]) -> None:
        """Note the ``Reading`` of the words that are added next, sentences counted from 0."""
        self._reading.texts.append(text)
        self._reading.places.append(places)
        self._reading.doubtful.extend(self._n_sentences + sentence for sentence in doubtful)

    def build(self, name: str, gold: bool = True) -> Corpus:
        """Return the corpus of all words added; InputError if there are none.

        Without ``gold`` all tags are 0: text to be recased needs none.
        """
        form_ids, lengths, memory = self._collected()
        if not len(form_ids):
            raise refusal("no words", name)
        starts = np.concatenate(([0], np.cumsum(lengths)))
        corpus = Corpus.from_forms(name, list(self._numbering), form_ids, starts, gold, memory)
        documents = np.unique(np.array(self._documents, np.int64))
        reading = self._reading if self._reading.texts else None
        return replace(corpus, document_starts=documents, reading=reading)

    def _collected(self):
        """Return the ids of all forms, the lengths of sentences, and the memory if on disk."""
        if not self._memory:
            lengths = np.concatenate([np.empty(0, np.int64), *self._lengths])
            return np.concatenate([np.empty(0, np.int32), *self._ids]), lengths, None
        form_ids, lengths = self._ids.mapped(), self._lengths.mapped()
        if len(form_ids) * _TRAINING_BYTES > self._memory.n_bytes:
            return form_ids, lengths, self._memory
        return form_ids.copy(), lengths.copy(), None


def _look_up(values, ids, memory):
    """Return the values of ids, on disk where memory is too small for them."""
    if not memory:
        return values[ids]
    return collect((values[piece] for piece in pieces_of(ids)), values.dtype)


def unite_labels(*corpora: Corpus) -> list[Corpus]:
    """Return the corpora with tags numbered alike: names of the first, then further ones."""
    names = tuple(dict.fromkeys(name for corpus in corpora for name in corpus.tag_names))
    return [corpus.relabel(names) for corpus in corpora]


def join(corpus: Corpus, more: Corpus) -> Corpus:
    """Return the sentences of two corpora as one, named as the first, with tags numbered alike.

    Words and labels keep the numbers that they have in the first; of columns, such as parts of
    speech, those stay that both have.
    """
    a, b = unite_labels(corpus, more)
    words, word_ids = _merge(Column(a.words, a.word_ids), Column(b.words, b.word_ids))
    forms, form_ids = _merge(Column(a.forms, a.form_ids), Column(b.forms, b.form_ids))
    shared = [name for name in a.columns if name in b.columns]
    columns = {name: _merge(a.columns[name], b.columns[name]) for name in shared}
    starts = np.concatenate((a.starts, a.starts[-1] + b.starts[1:]))
    return Corpus(
        a.name, words, word_ids, np.concatenate((a.tags, b.tags)), starts, forms, form_ids,
        a.tag_names, columns,
    )  # fmt: skip


def join_each(name: str, corpora: Sequence[Corpus]) -> tuple[Corpus, list[int]]:
    """Return some corpora as one of a name, and the sentences at which further ones begin.

    InputError if they are of different tasks.
    """
    joined, begins = corpora[0], list[int]()
    for corpus in corpora[1:]:
        check_same_task(corpus.name, corpus.task, joined.name, joined.task)
        begins.append(joined.n_sentences)
        joined = join(joined, corpus)
    return replace(joined, name=name), begins


def _merge(first, second):
    """Return the strings of two columns, those of the first first, and the ids of both texts."""
    number = {string: place for place, string in enumerate(first.strings)}
    places = [number.setdefault(string, len(number)) for string in second.strings]
    ids = np.concatenate((first.ids, np.array(places, np.int32)[second.ids]))
    return Column(list(number), ids)
