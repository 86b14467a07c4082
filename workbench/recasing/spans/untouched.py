"""Which words of a corpus ``recase`` leaves as they are: those in spans."""

from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from workbench.recasing.spans import find_covered, find_spans
from workbench.text.corpus import Corpus
from workbench.text.view import view


class Untouched(NamedTuple):
    """The words of a corpus that ``recase`` leaves as they are; bool, shape (N,)."""

    words: np.ndarray
    passed_over: np.ndarray  # those of them that a model does not see, such as tags of HTML


@lru_cache(maxsize=4)  # scored again and again as a slider moves
def find_untouched(corpus: Corpus) -> Untouched:
    """Return the words all of whose letters are in spans that ``recase`` leaves as they are.

    The spans are those of the words of each sentence with blanks between them, unless the corpus
    was read as ``recase`` reads it.
    """
    if corpus.reading:
        found = zip(corpus.reading.texts, corpus.reading.places, strict=True)
        covered = [find_covered(places, find_spans(text)) for text, places in found]
        return Untouched(np.concatenate(covered), np.zeros(len(corpus), bool))
    forms = [corpus.forms[form] for form in corpus.form_ids.tolist()]
    lines = (forms[a:b] for a, b in pairwise(corpus.starts.tolist()))
    text = "\n".join(map(" ".join, lines))
    starts = np.cumsum([0, *(len(form) + 1 for form in forms)])
    unseen = np.array([not view(form).text.strip() for form in corpus.forms])
    passed_over = unseen[corpus.form_ids]
    words, inside = passed_over.copy(), np.zeros(len(text) + 1, bool)
    for span in find_spans(text):
        inside[span.start : span.end] = True
    touched = np.unique(np.searchsorted(starts, np.flatnonzero(inside), side="right") - 1)
    for word in touched.tolist():
        letters = (i for i in range(starts[word], starts[word + 1] - 1) if text[i].isalnum())
        words[word] |= all(inside[i] for i in letters)
    return Untouched(words, passed_over)
