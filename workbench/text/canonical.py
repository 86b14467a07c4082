"""The canonical view of a text: what models read of it, and where that stands in the original.

Characters that mean the same are one here: quotes are those of the Penn Treebank, ``` `` ``` and
``''``, dashes ``--``, apostrophes and hyphens those of ASCII; an entity is the character that it
names, a letter and its accents are one letter. What is not seen is not there: soft hyphens, spaces
of no width, tags of HTML. So what a model has learnt of a word holds however it is written. The
case of letters is as in the text, and ``lay_back`` puts another case on the text as it is.
"""

import re
import unicodedata
from collections.abc import Iterable
from html.entities import html5
from typing import NamedTuple

import numpy as np

from workbench.text.casing import raise_case, wipe_case
from workbench.text.characters import codes_of

VIEW = 1  # models say by which view they read the text that they learnt from
_Edit = tuple[int, int, str]  # start, end and what stands there in the view

# --- what is seen -------------------------------------------------------------------------

_ATTRIBUTE = r"""[^\S\n]+[\w:@.-]+[^\S\n]*=[^\S\n]*(?:"[^"<\n]*"|'[^'<\n]*'|[^\s"'<>=`]+)"""
_MARKUP = re.compile(
    rf"</?([a-z][\w:.-]*+)(?:{_ATTRIBUTE})*+(?:[^\S\n]+(?:async|checked|controls|defer|disabled"
    rf"|hidden|loop|multiple|muted|open|readonly|required|selected))*+[^\S\n]*/?>"
    r"|<!--[^<>\n]*-->|<!doctype[^<>\n]*>|<\?[a-z][^<>\n]*\?>",
    re.IGNORECASE,
)
_WITHIN_WORDS = frozenset(  # tags that part no words
    "a abbr b big cite code dfn em font i ins kbd mark q s samp small span strike strong sub sup "
    "tt u var wbr".split()
)
_LATEX = re.compile(r"\\([a-z]+)\*?\{([^{}\n]*)\}", re.IGNORECASE)
NO_PROSE = (  # what these commands take
    r"begin|end|cite\w*|\w*ref|label|input|include\w*|url|href|usepackage|documentclass|bib\w*"
)
_NO_PROSE = re.compile(NO_PROSE, re.IGNORECASE)
_DEEPEST = 4  # commands of LaTeX in one another
_ENTITY = re.compile(r"&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z][a-z0-9]{1,31}));", re.IGNORECASE)
_ENTITIES = {name.lower().rstrip(";"): html5[name] for name in sorted(html5)}  # small letters last
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f"
    "\ufeff]"
)
_ACCENTED = re.compile(
    "[^\\W\\d_][\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u0653-\u0655\u093c\u1ab0-\u1aff"
    "\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a]+|[\u1f71-\u1fff\u2126\u212a\u212b]"
)
_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}

# --- characters that mean the same --------------------------------------------------------

_ALIKE = {"'": "’ʼ′＇", "`": "‘‚‹", "-": "‐‑‒−﹣－", "•": "·▪◦●■□▸►"}
_ONE_FOR_ONE = [(other, mark) for mark, others in _ALIKE.items() for other in (*others,)]
_SAME = {
    **_LIGATURES, "…": "...", "—": "--", "―": "--", "–": "--", "›": "'",
    "“": "``", "„": "``", "«": "``", "‟": "``", "”": "''", "»": "''", "″": "''", "＂": "''",
}  # fmt: skip
_TO_UNIFY = re.compile(f"[{''.join(map(re.escape, _SAME))}]")
_HEAD_DASH = re.compile(r"^[^\S\n]*[–—](?=[^\S\n])", re.MULTILINE)
_BETWEEN_DIGITS = re.compile(r"(?<=\d)–(?=\d)")
_OPENING_APOSTROPHE = re.compile(
    r"'(?<![^\s(\[{`-]')(?=[^\W\d_])(?!(?:s|t|re|ve|ll|d|m|em|n|tis|twas|til|cause|bout)(?!\w))",
    re.IGNORECASE,
)
_LONE_RETURN = re.compile(r"\r(?!\n)")


class View(NamedTuple):
    """A text as models read it, with the place of each of its characters in the original.

    ``starts`` and ``ends``, int64, shape (characters,), are the first place and the one after the
    last of what a character stands for; None where view and text are as long and stand alike.
    """

    text: str
    starts: np.ndarray | None = None
    ends: np.ndarray | None = None

    def locate(self, places: np.ndarray) -> np.ndarray:
        """Return starts and ends in the text of stretches of the view; int64, shape (n, 2)."""
        if self.starts is None or self.ends is None or not len(places):
            return places
        return np.stack((self.starts[places[:, 0]], self.ends[places[:, 1] - 1]), axis=1)

    def edit(self, edits: Iterable[_Edit]) -> "View":
        """Return the view with some stretches replaced, given in order."""
        edits = [edit for edit in edits if self.text[edit[0] : edit[1]] != edit[2]]
        if not edits:
            return self
        begins, stops, new = zip(*edits, strict=True)
        bounds = zip((0, *stops), (*begins, len(self.text)), strict=True)
        kept = [self.text[a:b] for a, b in bounds]
        text = "".join(part for pair in zip(kept, (*new, ""), strict=True) for part in pair)
        first, last = np.array(begins), np.array(stops) - 1
        sizes = np.fromiter(map(len, new), np.int64)
        starts = np.arange(len(self.text)) if self.starts is None else self.starts
        ends = np.arange(1, len(self.text) + 1) if self.ends is None else self.ends.copy()
        changed = (sizes != last + 1 - first).nonzero()[0]
        if not len(changed):
            return self._replace(text=text)
        first, last, sizes = first[changed], last[changed], sizes[changed]
        inside = np.zeros(len(self.text) + 1, np.int64)
        np.add.at(inside, first, 1)
        np.add.at(inside, last + 1, -1)
        counts = 1 - np.cumsum(inside)[:-1]  # of each character, how many stand for it
        counts[first] = sizes
        ends[first] = ends[last]
        return View(text, np.repeat(starts, counts), np.repeat(ends, counts))


def view(text: str) -> View:
    """Return the canonical view of a text.

    >>> view("“I&#39;m <b>n</b>ot caf\u00e9\u00ad…”").text
    "``I'm not caf\u00e9...''"
    """
    seen = View(text)
    if "\r" in text:
        seen = seen.edit((*mark.span(), "\n") for mark in _LONE_RETURN.finditer(text))
    if "<" in text:
        seen = seen.edit((*m.span(), _in_place_of(m)) for m in _MARKUP.finditer(seen.text))
    if "\\" in text:
        seen = _open_latex(seen)
    if "&" in text:
        seen = seen.edit((*m.span(), _named_by(m)) for m in _ENTITY.finditer(seen.text))
    if not seen.text.isascii():
        seen = _unify(seen)
    if '"' in seen.text:
        seen = seen.edit(_orient_quotes(seen.text))
    return seen.edit((*mark.span(), "`") for mark in _OPENING_APOSTROPHE.finditer(seen.text))


def _in_place_of(tag):
    name = tag.group(1)
    return " " if name and name.lower() not in _WITHIN_WORDS else ""


def _open_latex(seen):
    """Return a view without the commands of LaTeX that stand around text, as textbf does."""
    for _ in range(_DEEPEST):
        commands = (m for m in _LATEX.finditer(seen.text) if not _NO_PROSE.fullmatch(m.group(1)))
        marks = [((m.start(), m.start(2), ""), (m.end(2), m.end(), "")) for m in commands]
        if not marks:
            break
        seen = seen.edit(mark for both in marks for mark in both)
    return seen


def _named_by(entity):
    """Return the character that an entity names, or the entity if it names none."""
    decimal, hexadecimal, name = entity.groups()
    if name:
        own, alike = html5.get(f"{name};", ""), _ENTITIES.get(name.lower(), "")
        return own if own.lower() == alike.lower() and own else alike or entity.group()
    code = int(decimal) if decimal else int(hexadecimal, 16)
    is_one = 31 < code < 0x110000 and not 0xD800 <= code < 0xE000
    return chr(code) if is_one else entity.group()


def _unify(seen):
    text = seen.text
    codes = codes_of(text)
    odd = "".join(map(chr, np.unique(codes[codes > 127]).tolist()))  # few, and soon searched
    for other, mark in _ONE_FOR_ONE:
        if other in odd:
            text = text.replace(other, mark)
    seen = seen._replace(text=text)
    if _UNSEEN.search(odd):
        seen = seen.edit((*mark.span(), "") for mark in _UNSEEN.finditer(seen.text))
    if not unicodedata.is_normalized("NFC", seen.text):
        letters = _ACCENTED.finditer(seen.text)
        seen = seen.edit((*m.span(), unicodedata.normalize("NFC", m.group())) for m in letters)
    if "–" in odd or "—" in odd:
        seen = seen.edit((m.end() - 1, m.end(), "•") for m in _HEAD_DASH.finditer(seen.text))
        seen = seen.edit((*mark.span(), "-") for mark in _BETWEEN_DIGITS.finditer(seen.text))
    return seen.edit((*m.span(), _SAME[m.group()]) for m in _TO_UNIFY.finditer(seen.text))


def _orient_quotes(text):
    """Yield edits that turn straight double quotes into opening and closing ones.

    One that touches a word on one side alone is told by it; the others open and close in turn,
    line by line.
    """
    line_end, is_open, place = -1, False, text.find('"')
    while place >= 0:
        if place > line_end:
            end = text.find("\n", place)
            line_end, is_open = len(text) if end < 0 else end, False
        before, after = text[place - 1 : place], text[place + 1 : place + 2]
        free_before = not before or before.isspace() or before in "([{`-"
        free_after = not after or after.isspace()
        opens = not is_open if free_before == free_after else free_before
        yield place, place + 1, "``" if opens else "''"
        is_open, place = opens, text.find('"', place + 1)


# --- the way back -------------------------------------------------------------------------


def lay_back(written: str, origins: Iterable[int], before: str, after: str) -> str:
    """Return a stretch of the original text with the case that its letters have in the view.

    ``before`` and ``after`` are the stretch in the view, now and with its new case; ``origins``
    the place in ``written`` that each of its characters stands for. Where a letter has no letter
    of its own in the other case, as ``ﬁ`` has not, the stretch stays as it is.

    >>> lay_back("caf&eacute; de la gare", [0], "c", "C")
    'Caf&eacute; de la gare'
    """
    letters = list(written)
    for place, old, new in zip(origins, before, after, strict=True):
        if old != new:
            change = wipe_case if new == wipe_case(new) else raise_case
            changed = new if letters[place] == old else change(letters[place])
            if changed == letters[place]:
                return written
            letters[place] = changed
    return "".join(letters)
