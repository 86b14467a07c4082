"""What the adaptation changed, in running text, as HTML; every word is escaped.

A state is told by line, mark and spoken text, and only then by colour: fixed is
underlined with a tick, broken dashed with a cross, still wrong dotted.
"""

from html import escape

from workbench.evaluation.diff import BROKEN, FIXED, STILL_WRONG

_CLASSES = {FIXED: "wb-fixed", BROKEN: "wb-broken", STILL_WRONG: "wb-wrong"}
_MARKS = {FIXED: "✓", BROKEN: "✗", STILL_WRONG: ""}
_CLOSING = frozenset(".,;:?!)")


def text_html(corpus, diff, sentences):
    """Return sentences as the adapted model writes them, with the words of a diff marked.

    Parameters
    ----------
    corpus : Corpus
    diff : DataFrame
        What ``word_diff`` gives; only its words are marked.
    sentences : sequence of int
        Which sentences, in this order.
    """
    marked = diff.groupby("sentence")
    items = (
        _sentence(corpus.sentence(sentence), marked.get_group(sentence)) for sentence in sentences
    )
    return f'<div class="wb wb-text"><ol>{"".join(items)}</ol></div>'


def _sentence(forms, rows):
    words = [escape(form, quote=True) for form in forms]
    for row in rows.itertuples():
        words[row.place] = word_html(row)
    # No line begins with a mark that closes a phrase.
    gaps = ["\u00a0" if form in _CLOSING else " " for form in forms]
    return f"<li>{''.join(map(str.__add__, gaps, words)).lstrip()}</li>"


def word_html(row):
    """Return the word of a row of a diff, with what each model made of it."""
    tip = (
        f"{row.status}\n"
        f"reference   {row.gold} ({row.gold_tag})\n"
        f"background  {row.before} ({row.tag_before})\n"
        f"adapted     {row.after} ({row.tag_after})"
    )
    spoken = " ".join(tip.replace("\n", ", ").split())
    mark = _MARKS[row.status]
    sign = f'<span class="wb-mark" aria-hidden="true">{mark}</span>' if mark else ""
    return (
        f'<span class="wb-word {_CLASSES[row.status]}" tabindex="0" role="note" '
        f'aria-label="{escape(spoken, quote=True)}" data-tip="{escape(tip, quote=True)}">'
        f"{escape(row.after, quote=True)}{sign}</span>"
    )


def key_html(counts):
    """Return what the marks mean, with how many words have each; dict of status to number."""
    items = (
        f'<span><span class="{_CLASSES[status]}">{status}'
        f'<span class="wb-mark">{_MARKS[status]}</span></span> {number:,}</span>'
        for status, number in counts.items()
    )
    return f'<div class="wb wb-key">{"".join(items)}</div>'


def context_html(forms, place, note):
    """Return a sentence with one word of it in bold, and a note, as HTML."""
    words = [escape(form, quote=True) for form in forms]
    words[place] = f"<b>{words[place]}</b>"
    return f'<div class="wb wb-context">{" ".join(words)}<p>{escape(note)}</p></div>'
