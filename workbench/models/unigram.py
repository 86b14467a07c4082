"""The 1-gram capitalizer, the baseline of Chelba & Acero (2004), section 2.1."""

from dataclasses import dataclass

import numpy as np

from workbench.models.capitalizer import Capitalizer, check_allowed
from workbench.models.files import check_codes, check_info, require
from workbench.models.mixed_forms import count_mixed_forms, read_mixed_forms
from workbench.text.canonical import VIEW
from workbench.text.casing import TAGS, Tag, recase_word, tag_of
from workbench.text.corpus import Corpus, require_corpus
from workbench.text.errors import InputError
from workbench.text.tasks import TaskName

UNSEEN_RULES = ("loc", "cap")


@dataclass(eq=False, repr=False)
class Unigram(Capitalizer):
    """Each word its most frequent tag, the first word of a sentence CAP.

    ``tag_of_word`` has the most likely words in uniform case, with their most frequent tag;
    ``unseen``, "loc" or "cap", is the tag of all others. The paper does not say which; words
    without letters are PNC or LOC by definition under either rule. ``info`` says where the
    model comes from.
    """

    tag_of_word: dict[str, int]
    mixed_forms: dict
    unseen: str
    info: dict
    kind = "1gram"

    @classmethod
    def fit(cls, corpus: Corpus, size: int = 100_000, unseen: str = "loc") -> "Unigram":
        """Count the tags of the ``size`` most frequent words of a corpus."""
        if unseen not in UNSEEN_RULES:
            raise InputError(f"unseen {unseen!r}: allowed are {', '.join(UNSEEN_RULES)}")
        if require_corpus(corpus).require_cased().task is not TaskName.CASE:
            raise InputError(f"{corpus.name}: a 1gram learns case, not {corpus.task}")
        n_words, n_tags = len(corpus.words), len(TAGS)
        cells = corpus.word_ids.astype(np.int64) * n_tags + corpus.tags
        counts = np.bincount(cells, minlength=n_words * n_tags).reshape(-1, n_tags)
        likely = np.argsort(-counts.sum(axis=1), kind="stable")[:size]
        best = counts.argmax(axis=1)
        known = {corpus.words[w]: int(best[w]) for w in likely.tolist() if counts[w].any()}
        own = {"name": corpus.name, "words": len(corpus), "text": corpus.fingerprint}
        info = own | {"view": VIEW}
        return cls(known, count_mixed_forms(corpus), unseen, info)

    def best_tags(self, corpus: Corpus, allowed: np.ndarray | None = None) -> np.ndarray:
        """Return the tags of the words of a corpus; int8, shape (N,).

        A word whose tag is not allowed, by ``allowed``, bool, shape (N, K), has the first of
        ``TAGS`` that is: of a word's other tags the model keeps no counts.
        """
        words = require_corpus(corpus).words
        by_word = np.array([self._tag_word(word) for word in words], np.int8)
        first = np.array([_tag_first(word) for word in words], np.int8)
        tags = np.where(corpus.is_initial, first[corpus.word_ids], by_word[corpus.word_ids])
        if (allowed := check_allowed(allowed, corpus, TAGS)) is None:
            return tags
        is_allowed = allowed[np.arange(len(tags)), tags]
        return np.where(is_allowed, tags, allowed.argmax(axis=1)).astype(np.int8)

    def _tag_word(self, word):
        if word in self.tag_of_word:
            return self.tag_of_word[word]
        if self.unseen == "cap":
            return _tag_first(word)
        return Tag.PNC if tag_of(word) == Tag.PNC else Tag.LOC

    def to_parts(self) -> tuple[dict, dict, dict]:
        """Return header, arrays and lists of the model file."""
        tags = np.array(list(self.tag_of_word.values()), np.int8)
        header = {"unseen": self.unseen, "info": self.info}
        return header, {"tags": tags}, {"words": list(self.tag_of_word)}

    @classmethod
    def from_parts(cls, header: dict, arrays: dict, lists: dict) -> "Unigram":
        """Return the model that the parts of a model file hold."""
        words, unseen = lists["words"], header["unseen"]
        tags = check_codes(arrays["tags"], len(words), len(TAGS), "tags that do not fit the words")
        require(unseen in UNSEEN_RULES, f"unseen {str(unseen)[:40]!r}")
        known = dict(zip(words, tags.tolist(), strict=True))
        return cls(known, read_mixed_forms(lists), unseen, check_info(header))


def _tag_first(word):
    """Return CAP if the first letter of a word has a capital, else PNC or LOC."""
    if tag_of(word) == Tag.PNC:
        return Tag.PNC
    return Tag.LOC if recase_word(word[0], Tag.CAP) == word[0] else Tag.CAP
