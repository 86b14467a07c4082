"""What dev and test text share with text that was learnt from: errors there prove little."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import count, pairwise
from typing import Any, NamedTuple

import numpy as np

from workbench.text.casing import wipe_case
from workbench.text.corpus import Corpus

_SAID, _MOST = 0.05, 0.2  # shares: from the first a line is said, from the second no verdict
_LEAST_WORDS = 5  # of a sentence that is not said twice by chance


class Shared(NamedTuple):
    """A line on what a text shares with what was learnt from, and whether no verdict is left."""

    line: str
    forbids: bool


def find_shared(
    texts: Sequence[Any], info: Mapping[str, Any], learnt: Sequence[Any] = ()
) -> list[Shared]:
    """Return which texts have 5 % of their words or more in sentences that were learnt from.

    They are held against ``learnt`` sentence by sentence, whatever their case; both against the
    texts of a model, of which ``info`` has the hashes. What is no ``Corpus`` is left out.
    """
    texts, learnt = ([t for t in own if isinstance(t, Corpus)] for own in (texts, learnt))
    known, number = _hashes(info), defaultdict[str, int](count().__next__)
    found = {(t.name, "by its hash"): 1.0 for t in (*texts, *learnt) if t.fingerprint in known}
    keys = [list(_sentences(text, number)) for text in texts]
    for other in learnt:
        met = set().union(*keys).intersection(_sentences(other, number)) - {b""}
        for text, own in zip(texts, keys, strict=True):
            n_words = np.diff(text.starts)[[key in met for key in own]].sum()
            names = text.name, other.name  # dev and test of a set have one name
            found[names] = max(found.get(names, 0.0), float(n_words / len(text)))
    says = "{}: {:.0f} % of its words stand in sentences that were learnt from ({}): {}"
    then = "expect more errors on other text", "no verdict on such text"
    return [
        Shared(says.format(name, 100 * share, own, then[share >= _MOST]), share >= _MOST)
        for (name, own), share in found.items() if share >= _SAID
    ]  # fmt: skip


def why_no_verdict(shared: Sequence[Shared]) -> str:
    """Return why errors on texts that share so much allow no verdict; "" where they do."""
    return "; ".join(each.line for each in shared if each.forbids)


def _sentences(corpus, number):
    """Yield each sentence as bytes, its words as numbers without case; a short one as none."""
    of_word = np.array([number[wipe_case(word)] for word in corpus.words], np.int32)
    for part in corpus.stretches(1_000_000):  # it may be larger than memory
        data, starts = of_word[part.word_ids].tobytes(), of_word.itemsize * part.starts
        for start, end in pairwise(starts.tolist()):
            yield data[start:end] if end - start >= _LEAST_WORDS * of_word.itemsize else b""


def _hashes(info):
    """Return the hashes of a model's texts, those of its backgrounds among them."""
    further = _hashes(info["background"]) if "background" in info else set()
    return further | {str(info.get("text"))}
