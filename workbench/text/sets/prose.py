"""The sentences of natural text in docstrings, without markup.

Code, its output, tables, headings, references and lists of parameters are left
out, and so are doubtful cases.
"""

import inspect
import re
from itertools import islice, pairwise

from workbench.text.tokens import FINAL_MARKS, find_words, split_sentences


def extract_prose(docstring: str) -> list[str]:
    """Return the sentences of natural text in a docstring, tokenized, one string each.

    It may be reStructuredText in numpydoc, Google or Sphinx style, Markdown or plain.
    """
    return [s for paragraph in _find_paragraphs(docstring) for s in _find_sentences(paragraph)]


# --- from a docstring to its paragraphs ---------------------------------------------------

_UNDERLINE = re.compile(r"\s*([-=~^\"*#+])\1{2,}\s*$")
_HEADING_ALONE = re.compile(r"\s*[A-Z][A-Za-z]*(?: [A-Za-z]+)?\s?:$")
_NO_PROSE = re.compile(
    r"\W*see also\b|\s*(?:references?|examples?|usage|methods|routine listings)\s?:?\s*$", re.I
)
_DIRECTIVE = re.compile(r"\s*\.\.(?:\s|$)")
_ADMONITION = re.compile(
    r"(\s*)\.\. (?:note|warning|tip|hint|important|caution|attention|admonition)\s?::", re.I
)
_DOCTEST = re.compile(r"\s*(?:>>>|In \[\d+\]|\$ )")
_TABLE = re.compile(r"\s*(?:[=-]{2,}(?: +[=-]{2,})+|\+[-=+]+\+|\|.*\|)\s*$|.*\S(?: {3,}|\t)\S")
_ITEM = re.compile(r"\s*(?:[-*+•]|\(?(?:\d{1,2}|[a-z]|[ivx]+)[.)])\s+")
_FIELD = re.compile(
    r"\s*(?:[:@](?:param|return|raise|arg|keyword|var|ivar|cvar|note|yield)\w*[^:]*:"
    r"|\*{0,2}\w+(?:\s*\([^)]*\))?:(?=\s+[A-Z]))\s*"
)
_OTHER_FIELD = re.compile(r"\s*[:@](?!class:|func:|meth:|mod:|ref:|attr:)\w+[^:]*:(?!`)")
_PARAMETER = re.compile(r"\s*[*\w][\w., *|{}'\"\[\]]* : ")
_MARKED = re.compile(f"{_ITEM.pattern}|{_FIELD.pattern}|{_OTHER_FIELD.pattern}")


def _indent(line):
    return len(line) - len(line.lstrip())


class _Skip:
    """The kind of text being left out: a fence, a block up to a blank line, a deeper indent."""

    def __init__(self):
        self.fenced = self.block = False
        self.deeper_than = None

    def covers(self, line):
        if line.lstrip().startswith("```"):
            self.fenced = not self.fenced
            return True
        if not line.strip():
            self.block = False
            return True
        if self.deeper_than is not None and _indent(line) <= self.deeper_than:
            self.deeper_than = None
        return self.fenced or self.block or self.deeper_than is not None


def _without_sections(lines):
    """Yield the lines without headings and sections of no prose."""
    dropped, underlines = False, [_UNDERLINE.match(line) for line in lines]
    for line, (here, below) in zip(lines, pairwise([*underlines, None]), strict=True):
        if below and not here and line.strip():
            dropped = bool(_NO_PROSE.match(line)) and "xample" not in line
            yield ""
        elif not dropped and not here:
            yield line


def _without_code(lines):
    """Yield the lines, blank ones instead of code, output, tables and directives."""
    skip, after_colon = _Skip(), None
    for line in lines:
        if after_colon is not None and line.strip():
            if _indent(line) > after_colon and not _ITEM.match(line):
                skip.deeper_than = after_colon
            after_colon = None
        if skip.covers(line):
            yield ""
        elif admonition := _ADMONITION.match(line):
            yield f"{admonition.group(1)}- {line[admonition.end() :].strip()}"  # as an item
        elif _DIRECTIVE.match(line) or _NO_PROSE.match(line) or line.rstrip().endswith("::"):
            skip.deeper_than = _indent(line)
            yield ""
        elif _DOCTEST.match(line) or _TABLE.match(line):
            skip.block = True
            yield ""
        else:
            if line.rstrip().endswith(":") and not _HEADING_ALONE.match(line):
                after_colon = _indent(line)
            yield line


def _begins_paragraph(line, previous, is_item):
    """Return whether a line begins a paragraph; lines of an item may be indented deeper."""
    if not previous or _MARKED.match(line):
        return True
    step = _indent(line) - _indent(previous)
    return step < 0 or (step > 0 and not is_item)


def _find_paragraphs(docstring):
    """Return paragraphs, list items and descriptions of parameters, each one line."""
    lines = inspect.cleandoc(docstring).splitlines()
    paragraphs, previous, is_item = [], "", False
    for line in _without_code(list(_without_sections(lines))):
        if not line.strip():
            previous = ""
            continue
        if _begins_paragraph(line, previous, is_item):
            mark = _ITEM.match(line) or _FIELD.match(line)
            is_item = mark is not None
            paragraphs.append(line[mark.end() :] if mark else line)
        else:
            paragraphs[-1] += " " + line.strip()
        previous = line
    return [
        _strip_markup(paragraph.strip())
        for paragraph in paragraphs
        if _FINAL.search(paragraph)
        and not _PARAMETER.match(paragraph)
        and not _OTHER_FIELD.match(paragraph)
    ]


_CODE = "\ue000"  # stands for code; not printable, so no sentence with it is kept
_PLAIN = re.compile(r"[\w.,%' -]+")


def _plain_or_code(match):
    """Return the text between backticks if it consists of words, else the mark for code."""
    text = re.sub(r"\s*<[^>]*>$", "", match.group("text"))
    if text.startswith("~"):
        text = text.rpartition(".")[2]
    text = text.lstrip("!~").removesuffix("()")
    return text if _PLAIN.fullmatch(text) else _CODE


_MARKUP = (  # what a paragraph must hold for a pattern to match, the pattern, its replacement
    ("", re.compile(r":math:`[^`]*`|\[[\w*#-]+\]_|\$[^$]+\$"), _CODE),
    ("``", re.compile(r"``(?P<text>.+?)``"), _plain_or_code),
    ("`", re.compile(r"(?::[\w:+-]+:)?`(?P<text>[^`]+)`_{0,2}"), _plain_or_code),
    ("](", re.compile(r"!?\[([^\]]+)\]\([^)]*\)"), r"\1"),
    ("|", re.compile(r"\|(\S[^|]*)\|_{0,2}"), r"\1"),
    ("*", re.compile(r"(?<![\w*])(\*{1,3})([^\s*](?:[^*]*[^\s*])?)\1(?![\w*])"), r"\2"),
    ("__", re.compile(r"(?<!\w)__([^\s_](?:[^_]*[^\s_])?)__(?!\w)"), r"\1"),
    ("_", re.compile(r"(\w)_{1,2}(?!\w)"), r"\1"),
    ("\\", re.compile(r"\\ ?(?=\W)"), ""),
)


def _strip_markup(paragraph):
    for mark, pattern, replacement in _MARKUP:
        if mark in paragraph:
            paragraph = pattern.sub(replacement, paragraph)
    return paragraph


# --- from paragraphs to sentences ---------------------------------------------------------

_SYMBOL = re.compile(r"[_=\[\]{}<>+*\\|@#~^`]")  # of code
_NOT_NATURAL = re.compile(  # each begins at a mark, which is found faster than a letter
    r"[.(,;:](?:(?<=\w\w\.)\w\w|(?<=(?<!\S)\.)\w|(?<=:)//|(?<=\w\()"  # names, addresses
    r"|(?<!\.) [.,;:]"  # something was taken out
    r"|(?<= [a-z]\.) [A-Z])"  # two sentences: "... of x. The ..."
)
_ENTRY = re.compile(r"[^A-Z]\S* :")  # of a list
_FINAL = re.compile(r"[.?!…]")
_TRAILING = frozenset(["''", '"', "\u201d", "\u2019", "'", ")"])


def _is_prose(words):
    """Return whether words make a sentence of natural text.

    3 to 150 words, most of them with letters, the first not in lower case, a
    final mark at the end, no symbol of code, not all capitals.
    """
    text = " ".join(words)
    return (
        3 <= len(words) <= 150
        and text.isprintable()
        and _begins_and_ends(words)
        and not (_SYMBOL.search(text) or _NOT_NATURAL.search(text) or _ENTRY.match(text))
        and text.count("(") == text.count(")") <= 2
        and text.count('"') % 2 == words.count("'") % 2 == 0
        and not text.isupper()
        and sum(word.isalpha() or any(map(str.isalpha, word)) for word in words) > len(words) / 2
    )


def _begins_and_ends(words):
    last = next((word for word in reversed(words) if word not in _TRAILING), "")
    letters = re.sub(r"[\W_]+", "", words[0] if words[0][0].isalnum() else "".join(words[:2]))
    return last in FINAL_MARKS and letters != "" and not letters[0].islower()


def _find_sentences(paragraph):
    if not _FINAL.search(paragraph):
        return []
    words = [paragraph[a:b] for a, b in find_words(paragraph)]
    supply = iter(words)
    sentences = [list(islice(supply, length)) for length in split_sentences(words)]
    return [" ".join(sentence) for sentence in sentences if _is_prose(sentence)]
