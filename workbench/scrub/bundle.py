"""The browser module as one script and one sheet, put together from the files of this folder.

Each file is an ES module of its own, which a browser or Node imports as it is. A page that may
fetch nothing gets them as one: dependencies first, each in a scope of its own; those
of annexes, their ``SCRIPTS``, come last.
"""

import re
from functools import cache
from pathlib import Path

from workbench.annexes import added
from workbench.settings import ROLE_COLORS

_HERE = Path(__file__).parent
# Dependencies first.
MODULES = (
    "dom", "state", "labels", "cards", "pull", "amounts", "curve", "grid", "text", "tip", "trail",
    "flow", "why", "words", "scrub", "strip",
)  # fmt: skip
_IMPORT = re.compile(r'^import (\{[^}]*\}) from "\.(?:\./scrub)?/(\w+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:function|class|const) (\w+))", re.MULTILINE)


@cache
def script(mount: str) -> str:
    """Return the script: the modules, then the one that mounts them at a place, by its name.

    ``mount`` is "shelf", "widget", "report" or "trial"; or "streamlit", without the modules, which
    it takes from the shelf.
    """
    files = [*MODULES, *added("SCRIPTS").values()] if mount != "streamlit" else []
    return "".join(map(_enclose, files)) + _link(_read(f"{mount}.js"))


def _enclose(name):
    """Return a module as a constant with what it exports; its own names stay inside."""
    code = _read(f"{name}.js")
    exported = ", ".join(_EXPORT.findall(code))
    code = _EXPORT.sub("", _link(code))
    module = name.rpartition("/")[2]
    return f"const module_{module} = (() => {{\n{code}\nreturn {{ {exported} }};\n}})();\n"


def _link(code):
    return _IMPORT.sub(r"const \1 = module_\2;\n", code)


@cache
def sheet() -> str:
    """Return the style sheet, annexes' last, with two colours a role: for marks and for text."""
    roles = "".join(
        f"  --{name}: {color}; --{name}-ink: color-mix(in srgb, {color} 62%, var(--ink));\n"
        for name, color in ((role.replace(" ", "-"), c) for role, c in ROLE_COLORS.items())
    )
    of_annexes = (_read(f"{name}.css") for name in added("SCRIPTS").values())
    return "\n".join([f".scrub {{\n{roles}}}", _read("scrub.css"), *of_annexes])


def _read(name):
    return (_HERE / name).read_text("utf-8")
