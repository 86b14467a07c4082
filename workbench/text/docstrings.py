"""The embedded corpus: the prose of the docstrings of the installed packages.

Real English of several technical domains that every installation has already:
nothing is fetched and nothing imported, the source files are only parsed. What
is not prose (code, its output, tables, headings, references, lists of
parameters) is left out, the text is built once and kept under ``data/``.
"""

import ast
import hashlib
import inspect
import os
import platform
import re
import sysconfig
import warnings
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from workbench.text import tokens

PARTS = ("train", "dev", "test")
_HELD_OUT = {"test": 0.15, "dev": 0.15}  # shares of the characters of a set's docstrings
_STDLIB = "python"


class EmbeddedSet(NamedTuple):
    """Packages whose docstrings make one data set; ``python`` is the standard library."""

    packages: tuple
    note: str


BACKGROUND = "scientific-docs"
EMBEDDED_SETS = {
    BACKGROUND: EmbeddedSet(
        ("numpy", "scipy", "pandas"), "docstrings of NumPy, SciPy and pandas; BSD"
    ),
    "streamlit-docs": EmbeddedSet(("streamlit",), "docstrings of Streamlit; Apache 2.0"),
    "altair-docs": EmbeddedSet(("altair",), "docstrings of Altair, visualization; BSD"),
    "nltk-docs": EmbeddedSet(("nltk",), "docstrings of NLTK, linguistics; Apache 2.0"),
    "numba-docs": EmbeddedSet(("numba", "llvmlite"), "docstrings of Numba, a compiler; BSD"),
    "python-docs": EmbeddedSet((_STDLIB,), "docstrings of Python's standard library; PSF licence"),
}


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


def _indent(line):
    return len(line) - len(line.lstrip())


class _Skip:
    """What is being left out: a fence, a block up to a blank line, or a deeper indent."""

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
    """Leave out headings, and the sections that hold no prose."""
    dropped = False
    for i, line in enumerate(lines):
        below = lines[i + 1] if i + 1 < len(lines) else ""
        if line.strip() and _UNDERLINE.match(below) and not _UNDERLINE.match(line):
            dropped = _NO_PROSE.match(line) and "xample" not in line
            yield ""
        elif not dropped and not _UNDERLINE.match(line):
            yield line


def _without_code(lines):
    """Leave out code, output, tables, directives; a blank line stands where they were."""
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
    """Tell whether a line begins a paragraph; under an item, lines may hang deeper."""
    if not previous or _ITEM.match(line) or _FIELD.match(line) or _OTHER_FIELD.match(line):
        return True
    step = _indent(line) - _indent(previous)
    return step < 0 or (step > 0 and not is_item)


def extract_prose(docstring):
    """Return the paragraphs of a docstring, each one line without markup.

    Parameters
    ----------
    docstring : str
        reStructuredText in numpydoc, Google or Sphinx style, Markdown or plain.

    Returns
    -------
    list of str
        Paragraphs, list items and descriptions of parameters. A character that
        is not printable stands where a formula or a piece of code was taken out.
    """
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
    kept = (p for p in paragraphs if not _PARAMETER.match(p) and not _OTHER_FIELD.match(p))
    return [_strip_markup(paragraph.strip()) for paragraph in kept]


_CODE = "\ue000"  # stands for code: no sentence with it is kept
_PLAIN = re.compile(r"[\w.,%' -]+")


def _plain_or_code(match):
    """Give the text between backticks where it reads as words, else the mark for code."""
    text = re.sub(r"\s*<[^>]*>$", "", match.group("text"))
    if text.startswith("~"):
        text = text.rpartition(".")[2]
    text = text.lstrip("!~").removesuffix("()")
    return text if _PLAIN.fullmatch(text) else _CODE


_MARKUP = (
    (re.compile(r":math:`[^`]*`|\[[\w*#-]+\]_|\$[^$]+\$"), _CODE),
    (re.compile(r"``(?P<text>.+?)``"), _plain_or_code),
    (re.compile(r"(?::[\w:+-]+:)?`(?P<text>[^`]+)`_{0,2}"), _plain_or_code),
    (re.compile(r"!?\[([^\]]+)\]\([^)]*\)"), r"\1"),
    (re.compile(r"\|(\S[^|]*)\|_{0,2}"), r"\1"),
    (re.compile(r"(?<![\w*])(\*{1,3})([^\s*](?:[^*]*[^\s*])?)\1(?![\w*])"), r"\2"),
    (re.compile(r"(?<!\w)__([^\s_](?:[^_]*[^\s_])?)__(?!\w)"), r"\1"),
    (re.compile(r"(\w)_{1,2}(?!\w)"), r"\1"),
    (re.compile(r"\\ ?(?=\W)"), ""),
)


def _strip_markup(paragraph):
    for pattern, replacement in _MARKUP:
        paragraph = pattern.sub(replacement, paragraph)
    return paragraph


# --- from paragraphs to sentences ---------------------------------------------------------

_NOT_NATURAL = re.compile(
    r"[_=\[\]{}<>+*\\|@#~^`]|\w\w\.\w\w|(?:^| )\.\w|://|\w\("  # code, names with dots, addresses
    r"|[(,;:] [.,;:]|^[^A-Z]\S* :"  # something was taken out; an entry of a list
    r"| [a-z]\. [A-Z]"  # two sentences: "... of x. The ..."
)
_FINAL = re.compile(r"[.?!…]")
_TRAILING = frozenset(["''", '"', "\u201d", "\u2019", "'", ")"])


def is_prose(words):
    """Tell whether words make a sentence of natural text.

    3 to 150 words, most of them with letters, the first not in lower case, a
    final mark at the end, no symbol of code, not all capitals.
    """
    text = " ".join(words)
    n_alphabetic = sum(any(map(str.isalpha, word)) for word in words)
    return (
        3 <= len(words) <= 150
        and n_alphabetic > len(words) / 2
        and text.isprintable()
        and _CODE not in text
        and _begins_and_ends(words)
        and not _NOT_NATURAL.search(text)
        and text.count("(") == text.count(")") <= 2
        and text.count('"') % 2 == words.count("'") % 2 == 0
        and not text.isupper()
    )


def _begins_and_ends(words):
    last = next((word for word in reversed(words) if word not in _TRAILING), "")
    letters = re.sub(r"[\W_]+", "", words[0] if words[0][0].isalnum() else "".join(words[:2]))
    return last in tokens.FINAL_MARKS and letters != "" and not letters[0].islower()


def find_sentences(paragraph):
    """Return the sentences of natural text in a paragraph, tokenized, one string each."""
    if not _FINAL.search(paragraph):
        return []
    words = [paragraph[a:b] for a, b in tokens.find_words(paragraph)]
    sentences, start = [], 0
    for length in tokens.split_sentences(words):
        sentence = words[start : start + length]
        if is_prose(sentence):
            sentences.append(" ".join(sentence))
        start += length
    return sentences


# --- from packages to data sets -----------------------------------------------------------

_NOT_READ = {"test", "tests", "conftest.py", "_vendor", "vendor", "vendored", "site-packages"}
_NOT_READ |= {"dist-packages", "idlelib", "lib2to3", "turtledemo", "ensurepip"}
_ADDERS = frozenset(["add_newdoc", "add_docstring"])  # NumPy's way to document compiled code


def find_docstrings(source):
    """Return the documentation strings of Python source text; none if it does not parse."""
    if '"""' not in source and "'''" not in source:
        return []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes in other people's code
            tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return []
    found = [constant.value for node in _statements(tree) for constant in _documenting(node)]
    return [text for text in found if isinstance(text, str)]


def _statements(tree):
    """Yield the statements of a module in order; half the time of walking every node."""
    for statement in tree.body:
        yield statement
        for block in ("body", "handlers", "orelse", "finalbody"):
            if inner := getattr(statement, block, None):
                yield from _statements(ast.Module(inner, []))


def _documenting(statement):
    """Constants that document: strings that stand alone, or are handed to NumPy's adders."""
    value = getattr(statement, "value", None) if isinstance(statement, ast.Expr) else None
    if isinstance(value, ast.Constant):
        yield value
    elif isinstance(value, ast.Call) and getattr(value.func, "id", None) in _ADDERS:
        yield from (node for node in ast.walk(value) if isinstance(node, ast.Constant))


def _source_folder(package):
    """Folder of an installed package, or None; the package is not imported."""
    if package == _STDLIB:
        return Path(sysconfig.get_path("stdlib"))
    spec = find_spec(package)
    return Path(spec.origin).parent if spec and spec.origin else None


def _source_files(package):
    """Yield (module's path, file) of a package, sorted; folders of tests are not entered."""
    root = _source_folder(package)
    for folder, inner, names in os.walk(root) if root else ():
        inner[:] = sorted(set(inner) - _NOT_READ)
        for name in sorted(set(names) - _NOT_READ):
            if name.endswith(".py"):
                file = Path(folder, name)
                yield f"{package}/{file.relative_to(root).as_posix()}", file


def read_module(file):
    """Return the sentences, tokenized, of the docstrings in a Python file."""
    docstrings = find_docstrings(Path(file).read_text("utf-8", "replace"))
    paragraphs = [p for docstring in docstrings for p in extract_prose(docstring)]
    return [sentence for paragraph in paragraphs for sentence in find_sentences(paragraph)]


def _place(name):
    return hashlib.sha256(name.encode()).digest()


def split_groups(groups):
    """Deal groups of sentences (modules, documents) to train, dev and test.

    In an order made from their names alone, so that no chance is in it; a group
    too large for what is left of the held-out parts goes to train.

    Parameters
    ----------
    groups : dict of str to list of str

    Returns
    -------
    dict
        Sentences of each part, groups in their given order.
    """
    sizes = {name: sum(map(len, sentences)) for name, sentences in groups.items()}
    room = {part: share * sum(sizes.values()) for part, share in _HELD_OUT.items()}
    part_of = {}
    for name in sorted(groups, key=_place):
        emptiest = max(room, key=room.get)
        part_of[name] = emptiest if sizes[name] <= room[emptiest] else "train"
        if part_of[name] != "train":
            room[emptiest] -= sizes[name]
    parts = {part: [] for part in PARTS}
    for name, sentences in groups.items():
        parts[part_of[name]] += sentences
    return parts


def repeat_key(sentence):
    """Name what repeats of a sentence share: all but the case and the first word."""
    return sentence.lower().partition(" ")[2]


def drop_repeats(parts, seen=()):
    """Keep each sentence once: in test rather than dev, in dev rather than train.

    ``seen`` holds the keys (``repeat_key``) of sentences to leave out everywhere.
    """
    seen, kept = set(seen), {}
    for part in reversed(PARTS):
        first = {}
        for sentence in parts[part]:
            first.setdefault(repeat_key(sentence), sentence)
        kept[part] = [sentence for key, sentence in first.items() if key not in seen]
        seen.update(first)
    return kept


def write_parts(folder, parts):
    """Write the parts of a data set, one tokenized sentence a line; an empty part is left out."""
    folder.mkdir(parents=True, exist_ok=True)
    for part, sentences in parts.items():
        if sentences:
            (folder / f"{part}.txt").write_text("\n".join(sentences) + "\n", "utf-8")


def installed_sets():
    """Return the embedded sets whose packages are all installed, by name."""
    return {
        name: chosen
        for name, chosen in EMBEDDED_SETS.items()
        if all(_source_folder(package) for package in chosen.packages)
    }


def embedded_key():
    """Name what the embedded text depends on: packages' versions, and the code that reads it."""
    packages = dict.fromkeys(p for chosen in installed_sets().values() for p in chosen.packages)
    code = b"".join(Path(file).read_bytes() for file in (__file__, tokens.__file__))
    extraction = hashlib.sha256(code).hexdigest()[:8]
    return "-".join([*map(_name_and_version, packages), extraction])


def _name_and_version(package):
    if package == _STDLIB:
        return f"{package}{platform.python_version()}"
    return f"{package}{version(package)}"


def write_embedded(folder, on_step=None):
    """Build all embedded sets, one folder each, about 15 seconds.

    A sentence of the background that any domain holds out is dropped.

    Parameters
    ----------
    folder : Path
    on_step : callable, optional
        Called with (files read, files in all, what is being read).
    """
    files = [
        (name, module, file)
        for name, chosen in installed_sets().items()
        for package in chosen.packages
        for module, file in _source_files(package)
    ]
    groups = {name: {} for name, _, _ in files}
    for done, (name, module, file) in enumerate(files):
        if on_step and done % 25 == 0:
            on_step(done, len(files), f"reading the docstrings of {module.partition('/')[0]}")
        groups[name][module] = read_module(file)
    sets = {name: drop_repeats(split_groups(modules)) for name, modules in groups.items()}
    if BACKGROUND in sets:
        sets[BACKGROUND] = drop_repeats(sets[BACKGROUND], _held_out_keys(sets))
    for name, parts in sets.items():
        write_parts(Path(folder) / name, parts)


def _held_out_keys(sets):
    domains = [parts for name, parts in sets.items() if name != BACKGROUND]
    return {repeat_key(s) for parts in domains for part in _HELD_OUT for s in parts[part]}
