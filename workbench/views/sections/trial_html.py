"""A text in the case that each model gives it, as HTML; every word is escaped.

Where a model's form is another than the background's it is underlined and has a mark; a word
of the adapted model that is not sure enough has a dotted line and its p in a tip.
"""

from collections.abc import Sequence
from html import escape

from workbench.experiments.exploring.confidence import TriedWord

_SIGNS = {"1-gram": "◆", "background": "■", "adapted": "●"}  # as in the charts
_HUES = {"1-gram": "--1-gram", "background": "--background", "adapted": "--adapted"}
_DIFFERS = "text-decoration: underline solid 2px; text-underline-offset: .22em; font-weight: 600;"
_UNSURE = "border-bottom: 2px dotted currentColor;"


def trial_html(words: Sequence[TriedWord], threshold: float) -> str:
    """Return the words of a text as each model writes them, differences and doubts marked."""
    names = list(words[0].forms) if words else []
    rows = "".join(
        f'<b style="--hue: var({_HUES[name]})">{_SIGNS[name]} {name}</b>'
        f"<span>{_line(words, name, threshold)}</span>"
        for name in names
    )
    return f'<div class="wb wb-forms">{rows}</div>'


def _line(words, name, threshold):
    return "".join(
        escape(word.gap).replace("\n", "<br>") + _word(word, name, threshold) for word in words
    ).strip()


def _word(word, name, threshold):
    form, before = word.forms[name], word.forms["background"]
    notes, style = [], ""
    if form != before:
        notes.append(f"{name}: {form}, background: {before}")
        style += _DIFFERS
    if name == "adapted" and word.p <= threshold:
        notes.append(f"p({word.tag}) = {word.p:.3f}")
        style += _UNSURE
    text = escape(form)
    if not notes:
        return text
    mark = '<span class="wb-mark" aria-hidden="true">≠</span>' if form != before else ""
    tip = escape("; ".join(notes))
    return f'<span style="{style}" title="{tip}" tabindex="0">{text}{mark}</span>'
