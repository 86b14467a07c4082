"""``app`` and ``notebooks``: start the page in Streamlit, the notebooks in JupyterLab."""

import os
import shutil
import sys
from argparse import ArgumentParser, Namespace
from importlib.util import find_spec
from pathlib import Path
from runpy import run_module
from threading import Thread
from typing import NoReturn

from workbench.annexes import import_alone
from workbench.cli.console import say
from workbench.text.errors import InputError

_PACKAGE = Path(__file__).resolve().parents[2]
_SHARE = _PACKAGE / "share"  # of an installed wheel; a checkout has the same at its top
_HOME = _SHARE if _SHARE.is_dir() else _PACKAGE.parent


def add_app(parser: ArgumentParser) -> None:
    """Add the options of ``app``: none but Streamlit's, which it hands on."""


def app(options: Namespace) -> None:
    """Start the page; further words of the command line are Streamlit's.

    Streamlit imports the page at the first visit. What is slow to import is imported before, in a
    thread, while server and browser start, so that slider and words are there sooner.
    """
    require_extra("streamlit", "app")
    Thread(target=import_alone, args=("workbench.experiments.compare",), daemon=True).start()
    sys.argv = ["streamlit", "run", str(_HOME / "app.py"), *options.words]
    run_module("streamlit", run_name="__main__", alter_sys=True)


# fmt: off
def add_notebooks(parser: ArgumentParser) -> None:
    """Add the options of ``notebooks``."""
    parser.add_argument("--folder", metavar="FOLDER",
        help="copy the notebooks there and open the copies (default: workbench-notebooks in the "
        "present folder if the package is installed; in a checkout its own, without a copy)")
# fmt: on


def notebooks(options: Namespace) -> NoReturn:
    """Open the notebooks; further words of the command line are JupyterLab's."""
    require_extra("jupyterlab", "notebooks")
    folder = _HOME / "notebooks"
    if options.folder or _HOME == _SHARE:  # an installed package is not for writing
        folder = _copy_new(folder, Path(options.folder or "workbench-notebooks"))
    say(f"notebooks: {folder.resolve()}")
    _become("jupyterlab", str(folder), *options.words)


def require_extra(module: str, extra: str) -> None:
    """Raise InputError if a module is not installed, which an extra of the package brings."""
    if find_spec(module) is None:
        raise InputError(
            f"{extra}: {module} is not installed; pip install 'capitalization-workbench[{extra}]'"
        )


def _copy_new(source: Path, folder: Path) -> Path:
    """Copy the notebooks to a folder, but for those that it has already; returns the folder."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path in source.glob("*.ipynb"):
            if not (folder / path.name).exists():
                shutil.copyfile(path, folder / path.name)
    except OSError as error:
        raise InputError(
            f"{folder}: cannot be written ({error.strerror}); --folder names another"
        ) from None
    return folder


def _become(module: str, *words: str) -> NoReturn:
    """Replace this process by that of a module, which finds this package wherever it runs."""
    known = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(_PACKAGE.parent), *([known] if known else [])])
    os.execv(sys.executable, [sys.executable, "-P", "-m", module, *words])
