"""What the package offers under its own name, and that all of it is typed and documented."""

import argparse
import ast
import subprocess
import sys
from pathlib import Path

import pytest

import workbench
from workbench.cli.main import make_parser

ROOT = Path(workbench.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))
# The parsers of the commands by name.
COMMANDS = next(
    action.choices
    for action in make_parser()._actions
    if isinstance(action, argparse._SubParsersAction)
)


@pytest.mark.parametrize("name", workbench.__all__)
def test_every_public_name_is_there_and_documented(name):
    thing = getattr(workbench, name)
    assert not callable(thing) or thing.__doc__
    assert name in dir(workbench)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="nonsense"):
        workbench.nonsense  # noqa: B018
    code = (
        "import sys; from workbench import MEMM, adapt, load_model; "
        "print({'streamlit', 'altair', 'nltk', 'pandas'} & set(sys.modules)); "
        "from workbench import open_session; from workbench.cli import main; "
        "print({'streamlit', 'altair', 'nltk', 'dask'} & set(sys.modules))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["set()", "set()"]


def test_recasing_needs_neither_pandas_nor_the_studies(tmp_path):
    code = (
        "import sys; from workbench.cli.main import main; main(['recase', 'none.model']); "
        "print({'pandas', 'pyarrow', 'scipy.stats', 'workbench.experiments'} & set(sys.modules))"
    )
    command = [sys.executable, "-c", code]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert (ran.stdout, ran.stderr.count("\n")) == ("set()\n", 1)


# --- typed and documented -----------------------------------------------------------------


def public_functions(tree, inside=()):
    """Public functions and methods of a module, each with its dotted name."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from public_functions(node, (*inside, node.name))
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield ".".join((*inside, node.name)), node


def is_annotated(function):
    given = function.args
    arguments = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    own = ("self", "cls")
    return function.returns is not None and all(
        a.annotation for a in arguments if a is not None and a.arg not in own
    )


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_public_functions_are_annotated(path):
    found = public_functions(ast.parse(path.read_text("utf-8")))
    assert [name for name, function in found if not is_annotated(function)] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_of_a_command_is_documented(name):
    command = COMMANDS[name]
    assert command.description.endswith(".")
    actions = command._actions
    assert [a.dest for a in actions if not a.help or len(a.help.split()) < 2] == []
    text = command.format_help()
    assert [a.dest for a in actions for option in a.option_strings if option not in text] == []
