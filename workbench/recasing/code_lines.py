"""Lines that are code: between fences, indented, or of a script or style sheet between its tags.

A line is told by what stands in it and before it, never by what follows, since it may have to be
answered before the next is read. So code that no fence or tag ends is taken to end after
``LONGEST`` lines. Indented lines behind a blank one are code from the first with two signs of it
on; before that, and where a paragraph of them has none, they are prose.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from workbench.text.characters import LINE

LONGEST = 500  # lines of code between fences or tags
_SURE, _NEVER = 2, 99  # signs of code that show it; more than a line can have
_MAY_BE_CODE = {  # one character is found ten times as fast as several
    "`": ("```",), "~": ("~~~",), "<": ("<s", "<S"), "\t": ("\n\t", "\r\t"), "\r": ("\r    ",),
    "\n    ": ("\n",),
}  # fmt: skip

_FENCE = re.compile(r"[\s\ufeff]*(`{3,}|~{3,})\s*([\w+#.-]+|\{[^`]*\})?\s*")
_LONGEST_FENCE = 200  # characters of the line
_SCRIPT = re.compile(
    r"<(script|style)\b[^<>]*(?<!/)>(?P<code>.*?)(?P<end></\1\s*>|\Z)", re.IGNORECASE
)
_SURE_SIGN = re.compile(
    r"\s*+(?:#\s*(?:include|define|ifn?def)\b|(?:from\s+[\w.]+\s+)?import\s+[\w.*]+(?:\s+as\s+\w+)?"
    r"(?:\s*,\s*\w+)*;?\s*$|def\s+\w+\s*\(|class\s+\w+\s*[:({]|[\w.\[\]]++\s*[-+*/%|&:]?=\s"
    r"|\$\s+[a-z]|>>>\s|[\w.]++\((?!e?s\)).*\)[;:]?\s*$|.*[{}]\s*$)",
    re.IGNORECASE,
)
_SIGN = re.compile(
    r"(?<=\w)\((?!e?s\)|n\))|(?<=[\w\])])\[|(?<=\s)[-+*/%|&:!<>]?=+(?=\s)|::|->|&&|\|\||[{}]"
    r"|(?<!\S)//|[;:](?=\s*$)",
    re.IGNORECASE,
)


class Opened(NamedTuple):
    """The state after a line: the block of code that it is in, if any."""

    closer: str = ""  # what ends the code that it is part of: a fence, or the name of a tag
    n_lines: int = 0  # of this code
    needed: int = _SURE  # signs of code that an indented line needs to be code
    last: str = "\n"  # character

    @property
    def within(self) -> bool:
        """Whether the last line was cut, and goes on."""
        return self.last not in "\r\n"


START = Opened()
_Stretch = tuple[int, int, str]  # of a line: start, end, kind


def follow(blocks: Iterable[str], opened: Opened = START) -> Iterator[tuple[str, Opened]]:
    """Yield the blocks of a text, each with the state before it."""
    for block in blocks:
        yield block, opened
        opened = find_code(block, opened)[1]


@lru_cache(maxsize=2)  # asked for its spans, and for the state after it
def find_code(text: str, opened: Opened = START) -> tuple[list[_Stretch], Opened]:
    """Return the stretches of code in a text, none longer than a line, and the state after it."""
    found = list[_Stretch]()
    start = int(opened.last == "\r" and text[:1] == "\n")  # that line has ended before
    may_have_code = text.startswith(("    ", "\t")) or any(
        mark in text and any(sign in text for sign in signs) for mark, signs in _MAY_BE_CODE.items()
    )
    if not opened.closer and opened.needed and not may_have_code:
        tail = len(text.rstrip())  # of such lines none but the last matters
        if line_end := max(text.rfind(mark, start, tail) for mark in "\r\n") + 1:
            start, opened = line_end, START
    for line in LINE.finditer(text, start):
        written = line.group().rstrip("\r\n")
        own, opened = _read_line(written, opened)
        found += [(line.start() + a, line.start() + b, kind) for a, b, kind in own]
        opened = opened._replace(last="\n")
    return found, opened._replace(last=text[-1:] or opened.last)


def _read_line(line: str, opened: Opened) -> tuple[list[_Stretch], Opened]:
    """Return the stretches of code in a line without its end, and the state after it."""
    text = line.lstrip()
    whole = [(len(line) - len(text), len(line), "code")] if text else []
    is_short = not opened.within and len(line) <= _LONGEST_FENCE
    fence = _FENCE.fullmatch(line) if is_short else None
    if opened.closer[:1] in ("`", "~"):
        return whole, _go_on_fenced(line, fence, opened)
    if fence and not opened.closer and (fence[2] or fence[1] == "~~~" or fence[1][0] == "`"):
        return whole, Opened(fence[1])  # a longer row of tildes underlines the line before
    scripts, opened = _find_scripts(line, opened)
    if opened.closer:
        return scripts, opened
    if not opened.within:
        opened = opened._replace(needed=_signs_needed(line, opened.needed))
    return (scripts if opened.needed else whole), opened


def _go_on_fenced(line, fence, opened):
    """Return the state after a line that follows an opening fence."""
    is_break = opened.closer[0] == "~" and not opened.n_lines and not line.strip()
    is_closing = fence and fence[1].startswith(opened.closer) and not fence[2]
    return Opened(needed=_NEVER) if is_break or is_closing else _count(opened)


def _count(opened):
    """Return the state after one more line of code between fences or tags."""
    if opened.n_lines + 1 == LONGEST:
        return Opened(needed=_NEVER)
    return opened._replace(n_lines=opened.n_lines + (not opened.within))


def _find_scripts(line, opened):
    """Return the scripts in a line, and the state after it.

    A script that does not end in the line has its tag at the line's end, or signs of code after it.
    """
    found, start = list[_Stretch](), 0
    if opened.closer:
        end = re.search(rf"</{opened.closer}\s*>", line, re.IGNORECASE)
        if not end:
            return ([(0, len(line), "markup")] if line else []), _count(opened)
        start, opened = end.end(), Opened(needed=_NEVER, last=opened.last)
        found.append((0, start, "markup"))
    for script in _SCRIPT.finditer(line, start):
        if script["end"] or not script["code"].strip() or _SIGN.search(script["code"]):
            found.append((*script.span(), "markup"))
            if not script["end"]:
                opened = Opened(script[1].lower())
    return found, opened


def _signs_needed(line, needed):
    """Return how many signs of code make the next indented line code; 0 if this one is code."""
    if not line.strip():
        return {_NEVER: _SURE, 0: 1}.get(needed, needed)
    if not line.startswith(("    ", "\t")):
        return _NEVER
    signs = _SURE if _SURE_SIGN.match(line) else len({m[0] for m in _SIGN.findall(line)})
    return 0 if signs >= needed else max(needed, _SURE)
