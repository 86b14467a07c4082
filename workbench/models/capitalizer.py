"""The base class of all models: recasing and saving, for a model that can tag a corpus."""

from collections.abc import Container, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from workbench.models.files import write_parts
from workbench.models.mixed_forms import mixed_forms_to_lists
from workbench.recasing.compounds import find_compounds
from workbench.recasing.recaser import Recaser
from workbench.text.casing import TAGS
from workbench.text.corpus import Corpus, renumber
from workbench.text.errors import InputError
from workbench.text.tasks import TaskName, task_of
from workbench.text.written_forms import write_word


class Capitalizer:
    """A model that gives each word a tag: of uniform-case text its case, or any other label.

    A kind of model defines ``best_tags``, ``to_parts`` and the class method ``from_parts(*parts)``.
    Tags may be allowed word by word: ``allowed``, as ``check_allowed`` takes it.
    """

    kind = ""
    mixed_forms: dict  # the form of each MXC word seen in training; see ``MixedForms``
    info: dict
    tag_names: tuple = TAGS

    def tag(self, text: Any, allowed: np.ndarray | None = None) -> np.ndarray:
        """Return the tags of the words of a corpus, packed or not, of those allowed; int8, (N,).

        They are those of ``best_tags``, numbered as the corpus' own are, with which they can be
        compared. A label that it lacks comes after its own, as ``Corpus.add_tags`` names them.
        """
        tags, corpus = self.best_tags(text, allowed), getattr(text, "corpus", text)
        return renumber(tags, self.tag_names, corpus.add_tags(self.tag_names).tag_names)

    def best_tags(self, text: Any, allowed: np.ndarray | None = None) -> np.ndarray:
        """Return the tags of the words of a corpus, places in ``tag_names``; int8, shape (N,)."""
        raise NotImplementedError

    def find_places(self, corpus: Corpus, tags: np.ndarray) -> np.ndarray:
        """Return tags that ``tag`` gave the words of a corpus as places in ``tag_names``."""
        return renumber(tags, corpus.add_tags(self.tag_names).tag_names, self.tag_names)

    def to_parts(self) -> tuple[dict, dict, dict]:
        """Return header, arrays and lists of the model file."""
        raise NotImplementedError

    def __repr__(self) -> str:
        """Return the class and, of the model's info, what is a number or a string, in a line."""
        of = (f"{k}={v!r:.80}" for k, v in self.info.items() if isinstance(v, str | int | float))
        return f"{type(self).__name__}({', '.join(of)})"

    @property
    def task(self) -> TaskName:
        """What its tags are: case, parts of speech or chunks."""
        return task_of(self.tag_names)

    def adaptation_problem(self, corpus: Corpus, cutoff: int | None = 0) -> Any:
        """Return the problem of adapting this model; InputError from a kind that cannot be."""
        known = "memm, crf, bidirectional and ensemble"
        raise InputError(f"a model of kind {self.kind}: {known} can be adapted")

    def save(self, path: str | Path) -> None:
        """Write the model to one file, atomically; InputError if that fails."""
        header, arrays, lists = self.to_parts()
        lists = lists | mixed_forms_to_lists(self.mixed_forms)
        write_parts(path, self.kind, header, arrays, lists)

    def recase(self, text: str) -> str:
        """Return a text with its case restored, as a ``Recaser`` of this model does.

        InputError if the model's tags are not those of case.
        """
        return Recaser(self).recase(text)

    def recase_words(self, corpus: Corpus, tags: np.ndarray | None = None) -> list[str]:
        """Return the N words of a corpus in the case that this model, or tags, give them."""
        tags = self.tag(corpus) if tags is None else tags
        cells = corpus.word_ids.astype(np.int64) * len(TAGS) + tags
        forms = np.full(len(corpus.words) * len(TAGS), None)
        occurs = np.zeros(len(forms), bool)
        occurs[cells] = True
        for cell in np.flatnonzero(occurs).tolist():
            word, tag = divmod(cell, len(TAGS))
            forms[cell] = self.form(corpus.words[word], tag)
        written = forms[cells]
        for place, form in find_compounds(self, corpus, tags).items():
            written[place] = form
        return written.tolist()

    @property
    def known_words(self) -> Container[str]:
        """The words, in lower case, that it has kept features of from training."""
        features: Any = getattr(self, "features", None)
        return features.values.get("currentword", ()) if features else ()

    def form(self, word: str, tag: int) -> str:
        """Return a wiped word in the case of a tag."""
        return write_word(word, tag, self.mixed_forms.get(word))


def check_allowed(
    allowed: np.ndarray | None, corpus: Corpus, tag_names: Sequence[str]
) -> np.ndarray | None:
    """Return which tags each word may have, as ``tag`` and ``probabilities`` of a model take it.

    ``allowed``, bool, shape (N, K), has the tags in the model's order; None allows all.
    InputError if it is another array, or a word has no allowed tag.
    """
    if allowed is None:
        return None
    found, shape = np.ascontiguousarray(allowed), (len(corpus), len(tag_names))
    if found.dtype != bool or found.shape != shape:
        raise InputError(
            f"allowed tags: an array of bool of shape {shape}, words by tags, is needed, "
            f"not of {found.dtype} of shape {found.shape}"
        )
    without = np.flatnonzero(~found.any(axis=1))
    if len(without):
        word = corpus.words[corpus.word_ids[without[0]]]
        names = ", ".join(tag_names)
        raise InputError(
            f"{corpus.name}: word {without[0] + 1}, {word!r}, has no allowed tag; at least one is "
            f"needed of {names}"
        )
    return found
