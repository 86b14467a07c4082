"""Which words of a corpus ``recase`` leaves as they are: those in spans."""

from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from workbench.recasing.spans import blank_markup, find_spans
from workbench.text.corpus import Corpus


class Untouched(NamedTuple):
    """The words of a corpus that ``recase`` leaves as they are; bool, shape (N,)."""

    words: np.ndarray
    passed_over: np.ndarray  # those of them that a model does not see, such as tags of HTML


@lru_cache(maxsize=4)  # scored again and again as a slider moves
def find_untouched(corpus: Corpus) -> Untouched:
    """Return the words all of whose letters are in spans that ``recase`` leaves as they are.

    The spans are those of the words of each sentence with blanks between them.
    """
    forms = [corpus.forms[form] for form in corpus.form_ids.tolist()]
    lines = (forms[a:b] for a, b in pairwise(corpus.starts.tolist()))
    text = "\n".join(map(" ".join, lines))
    starts = np.cumsum([0, *(len(form) + 1 for form in forms)])
    spans = find_spans(text)
    inside, blank = np.zeros(len(text) + 1, bool), blank_markup(text, spans)
    words, passed_over = np.zeros((2, len(forms)), bool)
    for span in spans:
        inside[span.start : span.end] = True
    touched = np.unique(np.searchsorted(starts, np.flatnonzero(inside), side="right") - 1)
    for word in touched.tolist():
        start, end = starts[word], starts[word + 1] - 1
        letters = (place for place in range(start, end) if text[place].isalnum())
        words[word] = all(inside[place] for place in letters)
        passed_over[word] = blank[start:end].isspace()
    return Untouched(words, passed_over)
