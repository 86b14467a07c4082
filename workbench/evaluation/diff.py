"""The words on which two models differ, and those that both, or the second, get wrong."""

from collections import Counter
from collections.abc import Mapping

import numpy as np
import pandas as pd

from workbench.evaluation.error_rates import find_misspelled
from workbench.evaluation.number_words import times
from workbench.evaluation.task import find_task
from workbench.settings import BROKEN, FIXED, MISSPELLED, STILL_WRONG
from workbench.text.corpus import Corpus

STATUSES = (FIXED, BROKEN, STILL_WRONG, MISSPELLED)


def word_diff(
    corpus: Corpus,
    tags_a: np.ndarray,
    tags_b: np.ndarray,
    mixed_forms_a: Mapping[str, str],
    mixed_forms_b: Mapping[str, str],
    n_context: int = 4,
) -> pd.DataFrame:
    """List the words that two models tag differently or both wrongly, or the second misspells.

    Parameters
    ----------
    tags_a, tags_b : ndarray of int8, shape (N,)
        Tags of the N words of the corpus before and after.
    mixed_forms_a, mixed_forms_b : dict
        Each model's forms of MXC words.
    n_context : int
        Words of the sentence shown on either side.

    Returns
    -------
    diff : DataFrame
        One row a word, in the order of the text: ``position`` (in the corpus), ``sentence``,
        ``place`` (in the sentence), ``left``, ``word`` (uniform case where tags are case),
        ``right``, ``gold``, ``before``, ``after`` (words in their case, or else names of tags),
        ``gold_tag``, ``tag_before``, ``tag_after`` (names), ``status``. A word wrong in both is
        still wrong even if the tags differ; one that has the right tag after, but is written
        wrong, is misspelled, whatever it was before: it is not fixed.
    """
    words_at = find_task(corpus).words_at
    positions, status = find_changes(corpus, tags_a, tags_b, mixed_forms_b)
    sentences = np.searchsorted(corpus.starts, positions, "right") - 1
    first = np.maximum(positions - n_context, corpus.starts[sentences])
    last = np.minimum(positions + n_context + 1, corpus.starts[sentences + 1])
    return pd.DataFrame(
        {
            "position": positions,
            "sentence": sentences,
            "place": positions - corpus.starts[sentences],
            "left": _phrases(corpus, first, positions),
            "word": _pick(corpus.words, corpus.word_ids[positions]),
            "right": _phrases(corpus, positions + 1, last),
            "gold": _text(words_at(corpus, positions)),
            "before": _text(words_at(corpus, positions, tags_a, mixed_forms_a)),
            "after": _text(words_at(corpus, positions, tags_b, mixed_forms_b)),
            "gold_tag": _pick(corpus.tag_names, corpus.tags[positions]),
            "tag_before": _pick(corpus.tag_names, tags_a[positions]),
            "tag_after": _pick(corpus.tag_names, tags_b[positions]),
            "status": _pick(STATUSES, status),
        }
    )


def find_changes(
    corpus: Corpus, tags_a: np.ndarray, tags_b: np.ndarray, mixed_forms_b: Mapping[str, str]
) -> tuple[np.ndarray, np.ndarray]:
    """Return where the words of a ``word_diff`` are, and their statuses; ints, shape (n,) each.

    A status is given by its place in ``STATUSES``.
    """
    misspelled = find_misspelled(corpus, tags_b, mixed_forms_b)
    was_right, is_right = tags_a == corpus.tags, tags_b == corpus.tags
    positions = np.flatnonzero(~(was_right & is_right) | misspelled)
    # No other word is right in both, so what was right is broken.
    status = np.select([misspelled, was_right, is_right], [3, 1, 0], 2)
    return positions, status[positions]


def _text(strings):
    return pd.Series(strings, dtype="str")  # "str" even where there is no row


def _pick(names, places):
    return _text([names[place] for place in places.tolist()])


def _phrases(corpus, starts, ends):
    """Stretches of the text as written."""
    ids, forms = corpus.form_ids, corpus.forms
    spans = zip(starts.tolist(), ends.tolist(), strict=True)
    return _text([" ".join([forms[f] for f in ids[a:b].tolist()]) for a, b in spans])


def status_counts(diff: pd.DataFrame) -> dict[str, int]:
    """Return how many words have each of ``STATUSES``; a dict in that order."""
    counts = diff["status"].value_counts()
    return {status: int(counts.get(status, 0)) for status in STATUSES}


def summarize(diff: pd.DataFrame, n_words: int | None = None) -> str:
    """Return a sentence on what adaptation did in a corpus of ``n_words``.

    It has the counts and the most frequent changes of a ``word_diff``.
    """
    fixed, broken, still_wrong, misspelled = status_counts(diff).values()
    text = f"Adaptation {_deed(diff, fixed, broken)}"
    if n_words is not None:
        text += f" of {n_words:,}"
    text += _instances(diff)
    if still_wrong:
        text += f"; {still_wrong:,} {'is' if still_wrong == 1 else 'are'} still wrong"
    if misspelled:
        text += f"; {misspelled:,} misspelled, with the right tag"
    return f"{text}."


def _deed(diff, fixed, broken):
    if (diff["tag_before"] == diff["tag_after"]).all():
        return "changed no word"
    words = f"{fixed:,} words" if fixed > 1 else f"{fixed or 'no'} word"
    return f"fixed {words} and broke {f'{broken:,}' if broken else 'none'}"


def _instances(diff):
    """Name the most frequent fix and the most frequent break, where there are any."""
    words, before, after = (diff[name].tolist() for name in ("word", "tag_before", "tag_after"))
    kinds = [*zip(words, before, after, strict=True)]
    is_seen = (diff["before"] != diff["after"]).tolist()
    statuses, found = diff["status"].tolist(), []
    for status in (FIXED, BROKEN):
        rows = [i for i, own in enumerate(statuses) if own == status]
        seen = [i for i in rows if is_seen[i]]  # a reader does not see the others
        # Of equals the first in the text.
        found += [(status, *top) for top in Counter(kinds[i] for i in seen or rows).most_common(1)]
    if not found:
        return ""
    lead = "most often" if any(n > 1 for *_, n in found) else "for instance"
    named = (f"{status} {_instance(*kind, n)}" for status, kind, n in found)
    return f": {lead} " + ", ".join(named)


def _instance(word, before, after, n):
    return f"'{word}' ({before} to {after}, {times(n)})"
