"""The words that the adaptation changed, in running text, as HTML; every word is escaped.

A status is shown by line, mark and spoken text as well as by colour: fixed is
underlined with a tick, broken dashed with a cross, still wrong dotted.
"""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import pandas as pd

from workbench.evaluation.diff import BROKEN, FIXED, STILL_WRONG
from workbench.evaluation.task import find_task
from workbench.text.corpus import Corpus

_CLASSES = {FIXED: "wb-fixed", BROKEN: "wb-broken", STILL_WRONG: "wb-wrong"}
_MARKS = {FIXED: "✓", BROKEN: "✗", STILL_WRONG: ""}
_LONG = 40  # characters of a word that may break across lines
_CLOSING = frozenset(".,;:?!)")


def text_html(corpus: Corpus, diff: pd.DataFrame, sentences: Sequence[int]) -> str:
    """Return sentences as the adapted model writes or labels them, with a diff's words marked.

    The diff is one of ``word_diff``; sentences are given by number, in the order wanted.
    """
    marked, recases = diff.groupby("sentence"), find_task(corpus).recases
    items = (
        _sentence(corpus.sentence(sentence), marked.get_group(sentence), recases)
        for sentence in sentences
    )
    return f'<div class="wb wb-text"><ol>{"".join(items)}</ol></div>'


def _sentence(forms, rows, recases):
    words = [escape(form, quote=True) for form in forms]
    for row in rows.itertuples():
        words[row.place] = word_html(row, None if recases else forms[row.place])
    # No line begins with a mark that closes a phrase.
    gaps = ["\u00a0" if form in _CLOSING else " " for form in forms]
    return f"<li>{''.join(map(str.__add__, gaps, words)).lstrip()}</li>"


def word_html(row: Any, labelled: str | None = None) -> str:
    """Return the word of a row of ``word_diff``, and in a tip what each model made of it.

    Where tags are not case, ``labelled`` is the word as written, shown with its tag.
    """
    sides = {
        "reference": (row.gold, row.gold_tag),
        "background": (row.before, row.tag_before),
        "adapted": (row.after, row.tag_after),
    }
    lines = [
        f"{name:<12}{tag if labelled else f'{form} ({tag})'}" for name, (form, tag) in sides.items()
    ]
    tip = "\n".join([row.status, *lines])
    shown = escape(labelled or row.after, quote=True)
    if labelled:
        shown += f"<sub>{escape(row.tag_after, quote=True)}</sub>"
    spoken = " ".join(tip.replace("\n", ", ").split())
    mark, long = _MARKS[row.status], " wb-long" if len(shown) > _LONG else ""
    sign = f'<span class="wb-mark" aria-hidden="true">{mark}</span>' if mark else ""
    return (
        f'<span class="wb-word {_CLASSES[row.status]}{long}" tabindex="0" role="note" '
        f'aria-label="{escape(spoken, quote=True)}" data-tip="{escape(tip, quote=True)}">'
        f"{shown}{sign}</span>"
    )


def key_html(counts: Mapping[str, int]) -> str:
    """Return the key of the marks, with the number of words of each status."""
    items = (
        f'<span><span class="{_CLASSES[status]}">{status}'
        f'<span class="wb-mark">{_MARKS[status]}</span></span> {number:,}</span>'
        for status, number in counts.items()
    )
    return f'<div class="wb wb-key">{"".join(items)}</div>'


def context_html(forms: Sequence[str], place: int, note: str) -> str:
    """Return a sentence with one word of it in bold, and a note, as HTML."""
    words = [escape(form, quote=True) for form in forms]
    words[place] = f"<b>{words[place]}</b>"
    return f'<div class="wb wb-context">{" ".join(words)}<p>{escape(note)}</p></div>'
