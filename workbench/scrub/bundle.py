"""The browser module as one script and one sheet, put together from the files of this folder.

Each file is an ES module of its own, which a browser or Node imports as it is. A page that may
fetch nothing gets them as one: dependencies first, each in a scope of its own.
"""

import re
from functools import cache
from pathlib import Path

ROLE_COLORS = {
    "one-gram": ("#646b76", "#a9adb5"), "base": ("#2f66b0", "#7fb0ee"),
    "dev": ("#0b6e66", "#4fc3b5"), "train": ("#96560a", "#e0a050"),
    "fixed": ("#0b6e66", "#4fc3b5"), "broken": ("#b23c14", "#f08a62"),
}  # fmt: skip
_HERE = Path(__file__).parent
MODULES = ("dom", "state", "curve", "text", "why", "words", "scrub")  # dependencies first
_IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./(\w+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:function|class|const) (\w+))", re.MULTILINE)


@cache
def script(mount: str) -> str:
    """Return the script: the modules, then the one that mounts them at a place, by its name.

    ``mount`` is "streamlit", "widget" or "report".
    """
    return "".join(map(_enclose, MODULES)) + _link(_read(f"{mount}.js"))


def _enclose(name):
    """Return a module as a constant with what it exports; its own names stay inside."""
    code = _read(f"{name}.js")
    exported = ", ".join(_EXPORT.findall(code))
    code = _EXPORT.sub("", _link(code))
    return f"const module_{name} = (() => {{\n{code}\nreturn {{ {exported} }};\n}})();\n"


def _link(code):
    return _IMPORT.sub(r"const \1 = module_\2;\n", code)


@cache
def sheet() -> str:
    """Return the style, with the colours of each role on a light and on a dark page."""
    roles = "".join(
        f"  --{role}: light-dark({light}, {dark});\n" for role, (light, dark) in ROLE_COLORS.items()
    )
    return f".scrub {{\n{roles}}}\n{_read('scrub.css')}"


def _read(name):
    return (_HERE / name).read_text("utf-8")
