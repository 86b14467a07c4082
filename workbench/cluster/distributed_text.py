"""A text whose parts are on the workers of a cluster; here is only what all of them know."""

import hashlib
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np

from workbench.cluster.form_counts import count_forms, merge_forms, number_alike
from workbench.cluster.shares import Parts, Tasks, read_here
from workbench.cluster.text_parts import look_at, split_text
from workbench.models.mixed_forms import FormCounts, MixedForms
from workbench.text.casing import TAGS, Tag
from workbench.text.corpus import check_cased
from workbench.text.errors import InputError
from workbench.text.lint import count_cases, find_look_of
from workbench.text.readers import describe_looks, name_of


class DistributedText:
    """The training text of files and folders, each worker of a cluster with a part of its own.

    Parts are in proportion to the workers' threads, and numbered as one text. The files must be
    on every worker at the same path.

    Attributes
    ----------
    parts : Parts
        The ``Corpus`` of each.
    forms : CountedForms
        Of the whole text, also as the result of a task, ``whole``.
    notes : list of str
        As of a ``Corpus``.
    """

    tag_names = TAGS

    def __init__(self, client: Any, sources: Sequence[str]):
        self.tasks, self.name = Tasks(client), name_of(sources)
        threads = client.nthreads()
        pieces = split_text(sources, list(threads.values()))
        self.notes = look_at(sources)
        read = Parts(self.tasks, pieces, list(threads)).map(read_here, self.name)
        lengths = read.map(_n_sentences).collect()
        read = read.keep(lengths)
        if not read.results:
            raise InputError(f"{self.name}: no words in it; at least one sentence is needed")
        self.whole = read.map(count_forms).merge(merge_forms)
        self.parts = read.map(number_alike, self.whole)
        (self.forms,) = self.tasks.collect([self.whole])
        look = find_look_of(
            self.forms.forms, self.forms.counts, sum(self.parts.map(count_cases).collect())
        )
        self.notes += describe_looks([(self.name, found) for found in look])
        self._firsts = list(accumulate(filter(None, lengths), initial=0))[:-1]

    def __len__(self) -> int:
        return int(self.forms.counts.sum())

    def require_cased(self) -> "DistributedText":
        """Return the text; InputError if all words are in one case."""
        by_tag = np.bincount(self.forms.tags, self.forms.counts, len(Tag))
        check_cased(self.name, by_tag.astype(int))
        return self

    @property
    def mixed_forms(self) -> MixedForms:
        """The mixed-case forms of its words, as ``count_mixed_forms``."""
        forms, counts = self.forms.forms, self.forms.counts
        mixed = np.flatnonzero(self.forms.tags == Tag.MXC).tolist()
        return MixedForms({forms[i]: FormCounts(int(counts[i])) for i in mixed})

    def count_words(self) -> tuple[list[str], np.ndarray]:
        """Return the vocabulary, and how often each word occurs, int64."""
        words = self.forms.words
        counts = np.bincount(self.forms.word_ids, self.forms.counts, len(words))
        return words, counts.astype(np.int64)

    @cached_property
    def fingerprint(self) -> str:
        """That of the ``Corpus``: its arrays pass by here, a part at a time."""
        digest = hashlib.sha256("\n".join(self.forms.forms).encode("utf-8", "surrogatepass"))
        for array in ("form_ids", "tags", "starts"):
            n_words = 0
            for part in self.parts.results:
                asked = self.tasks.submit(_read_array, part, array, n_words)
                ((own, n),) = self.tasks.collect([asked])
                digest.update(own)
                n_words += n
        return digest.hexdigest()[:12]

    def over_parts(self, function: Callable, model: Any, given: Any) -> list[Any]:
        """Return ``function(model, part, number of its first sentence, given)`` of each part."""
        held = self.tasks.submit(_keep, model)  # sent once, and again if its worker is gone
        return self.parts.map(_call_with, held, function, given, own=self._firsts).collect()


def _call_with(part, first, model, function, given):
    return function(model, part, first, given)


def _keep(given):
    return given


def _n_sentences(part):
    return part.n_sentences if part else 0


def _read_array(part, name, n_words):
    """Return an array of a part as bytes, as it is in the whole text, and how many words it has."""
    array = getattr(part, name)
    if name == "starts" and n_words:
        array = array[1:] + n_words
    return array.tobytes(), len(part)
