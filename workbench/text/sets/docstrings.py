"""The embedded corpus: the prose of the docstrings of the installed packages.

Real English of several technical domains that every installation has: nothing is
downloaded or imported, the source files are only read. The text is built once and
kept under ``data/``.
"""

import ast
import json
import os
import platform
import re
import signal
import sys
import sysconfig
import warnings
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, closing, suppress
from importlib.metadata import version
from importlib.util import find_spec
from itertools import cycle
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any, NamedTuple

from workbench.text.errors import InputError
from workbench.text.sets.prose import extract_prose
from workbench.text.sets.splits import (
    HELD_OUT,
    PARTS,
    digest_of,
    drop_repeats,
    repeat_key,
    split_groups,
)

_STDLIB = "python"
# The modules that decide on the text.
_DECIDING = ("sets/docstrings", "sets/prose", "sets/splits", "tokens", "casing")


class EmbeddedSet(NamedTuple):
    """Packages whose docstrings make one data set; ``python`` is the standard library."""

    packages: tuple[str, ...]
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


# --- from packages to sentences -----------------------------------------------------------

_NOT_READ = {"test", "tests", "conftest.py", "_vendor", "vendor", "vendored", "site-packages"}
_NOT_READ |= {"dist-packages", "idlelib", "lib2to3", "turtledemo", "ensurepip"}
_ADDERS = frozenset(["add_newdoc", "add_docstring"])  # NumPy's way to document compiled code
# A comment, or a string without its prefix, which is a group.
_LEXEME = re.compile(
    r"""#[^\n]*+|("{3}(?:[^"\\]|\\.|"(?!""))*+"{3}|'{3}(?:[^'\\]|\\.|'(?!''))*+'{3}"""
    r"""|"(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.)*+')""",
    re.DOTALL,
)
_BEGINS = re.compile(r"((?<!\\)\n|[:;])\s*([rRuU]?)$")  # a statement, with a string's prefix


def find_docstrings(source: str) -> list[str]:
    """Return the documentation strings of Python source text; none if its brackets do not match."""
    if '"""' not in source and "'''" not in source:
        return []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes in other people's code
            if (literals := _scan(source)) is not None:
                return ast.literal_eval(f"[{','.join(literals)}]")
            tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return []
    found = [constant.value for node in _statements(tree) for constant in _documenting(node)]
    return [text for text in found if isinstance(text, str)]


def _scan(source):
    """Return the strings that fill their lines, outside of brackets, as written.

    A fifth of the time of Python's parser. None where only the parser can tell.
    """
    code, *rest = _LEXEME.split(f"\n{source}\n")
    found, depth = [], _depth(code)
    for string, after, following in zip(rest[::2], rest[1::2], [*rest[2::2], None], strict=True):
        if string and not depth and (begins := _BEGINS.search(code, code.rfind("\n"))):
            end, newline, _ = after.partition("\n")
            if end.strip() or not (newline or following is None) or begins[1] != "\n":
                return None
            found.append(begins[2] + string)
        code, depth = after, depth + _depth(after)
    return None if depth or any(adder in source for adder in _ADDERS) else found


def _depth(code):
    """Return how many brackets more are opened than closed."""
    return sum(map(code.count, "([{")) - sum(map(code.count, ")]}"))


def _statements(tree):
    """Yield the statements of a module in order; half the time of walking every node."""
    for statement in tree.body:
        yield statement
        for block in ("body", "handlers", "orelse", "finalbody"):
            if inner := getattr(statement, block, None):
                yield from _statements(ast.Module(inner, []))


def _documenting(statement):
    """Yield the constants that document: strings alone, or arguments of NumPy's adders."""
    value = getattr(statement, "value", None) if isinstance(statement, ast.Expr) else None
    if isinstance(value, ast.Constant):
        yield value
    elif isinstance(value, ast.Call) and getattr(value.func, "id", None) in _ADDERS:
        yield from (node for node in ast.walk(value) if isinstance(node, ast.Constant))


def _source_folder(package):
    """Return the folder of an installed package, or None; the package is not imported."""
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


def read_module(file: Path) -> list[str]:
    """Return the sentences, tokenized, of the docstrings in a Python file."""
    found = find_docstrings(Path(file).read_text("utf-8", "replace"))
    return [sentence for docstring in found for sentence in extract_prose(docstring)]


# --- many files, in processes -------------------------------------------------------------

_MOST = 8  # processes
# Not of ``multiprocessing``, which forks a process with threads or runs the user's script again.
_READER = "import sys; sys.path.insert(0, sys.argv[1]); import {0}; {0}.answer()".format(__name__)


def answer() -> None:
    """Read the files that standard input lists; print the sentences of each as a line of JSON."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # ends quietly with whoever asked
    for file in json.load(sys.stdin):
        print(json.dumps(read_module(file)), flush=True)


def read_modules(files: Sequence[Path]) -> Generator[list[str]]:
    """Yield the sentences of each file, in order; InputError if a process that reads them ends."""
    command = [sys.executable, "-I", "-c", _READER, str(Path(__file__).parents[3])]
    with ExitStack() as stack:
        readers: list[Any] = [
            stack.enter_context(Popen(command, stdin=PIPE, stdout=PIPE, start_new_session=True))
            for _ in range(min(os.cpu_count() or 1, _MOST))  # in sessions without Ctrl-C
        ]
        for i, reader in enumerate(readers):
            stack.callback(reader.kill)
            with suppress(BrokenPipeError), reader.stdin as given:
                given.write(json.dumps(list(map(str, files[i :: len(readers)]))).encode())
        for file, reader in zip(files, cycle(readers), strict=False):
            if not (line := reader.stdout.readline()):
                status = f"the process that read its docstrings ended with status {reader.wait()}"
                raise InputError(f"{file}: {status}")
            yield json.loads(line)


# --- from sentences to data sets ----------------------------------------------------------


def missing_packages(name: str) -> list[str]:
    """Return the packages of an embedded set that are not installed."""
    return [package for package in EMBEDDED_SETS[name].packages if not _source_folder(package)]


def installed_sets() -> dict[str, EmbeddedSet]:
    """Return the embedded sets whose packages are all installed, by name."""
    return {name: made_of for name, made_of in EMBEDDED_SETS.items() if not missing_packages(name)}


def embedded_key() -> str:
    """Return the key of the embedded text: versions of the packages and of the code that reads."""
    packages = dict.fromkeys(p for chosen in installed_sets().values() for p in chosen.packages)
    return "-".join([*map(_name_and_version, packages), digest_of(*_DECIDING)])


_KEY = re.compile(r"\w+[\d.]+\S*-[0-9a-f]{8}")  # numpy2.4.6-scipy1.17.1-0123abcd


def is_embedded(folder: Path) -> bool:
    """Return whether a folder holds nothing but what was made of docstrings under some key."""
    files = {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}
    ours = {f"{name}/{part}.txt" for name in EMBEDDED_SETS for part in PARTS}
    return bool(_KEY.fullmatch(folder.name)) and not folder.is_symlink() and files <= ours


def _name_and_version(package):
    return package + (platform.python_version() if package == _STDLIB else version(package))


def find_files(name: str) -> list[tuple[str, str, Path]]:
    """Return (set, module, file) of an embedded set; with the background, those of all sets."""
    installed = installed_sets()
    return [
        (each, module, file)
        for each in (installed if name == BACKGROUND else [name])
        for package in installed[each].packages
        for module, file in _source_files(package)
    ]


def read_embedded(
    name: str, on_step: Callable[[int, int, str], None] | None = None
) -> dict[str, dict[str, list[str]]]:
    """Return the parts of an embedded set, by its name; with the background, those of all sets.

    A sentence of the background that any domain holds out is dropped. ``on_step`` as in ``load``.
    """
    files = find_files(name)
    groups: dict[str, dict[str, list[str]]] = {each: {} for each, _, _ in files}
    with closing(read_modules([file for _, _, file in files])) as read:
        for done, ((each, module, _), sentences) in enumerate(zip(files, read, strict=True)):
            if on_step and done % 25 == 0:
                package = module.partition("/")[0]
                on_step(done, len(files), f"reading the docstrings of {package}")
            groups[each][module] = sentences
    sets = {each: drop_repeats(split_groups(modules)) for each, modules in groups.items()}
    if BACKGROUND in sets:
        domains = [parts for each, parts in sets.items() if each != BACKGROUND]
        held_out = (
            repeat_key(s) for parts in domains for part in HELD_OUT for s in parts[part] if s
        )
        sets[BACKGROUND] = drop_repeats(sets[BACKGROUND], held_out)
    return sets
