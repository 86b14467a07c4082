"""The commands that start the page in Streamlit, the notebooks in JupyterLab, the HTTP service."""

import os
import shutil
import sys
from argparse import ArgumentParser, Namespace
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

from workbench.cli.console import say
from workbench.numerics.threads import thread_count
from workbench.text.errors import InputError

_PACKAGE = Path(__file__).resolve().parents[2]
_SHARE = _PACKAGE / "share"  # of an installed wheel; a checkout has the same at its top
_HOME = _SHARE if _SHARE.is_dir() else _PACKAGE.parent


def add_app(parser: ArgumentParser) -> None:
    """Add the options of ``app``: none but Streamlit's, which it hands on."""


def app(options: Namespace) -> NoReturn:
    """Start the page; further words of the command line are Streamlit's."""
    _require("streamlit", "app")
    _become("streamlit", "run", str(_HOME / "app.py"), *options.words)


# fmt: off
def add_notebooks(parser: ArgumentParser) -> None:
    """Add the options of ``notebooks``."""
    parser.add_argument("--folder", metavar="FOLDER",
        help="copy the notebooks there and open the copies (default: workbench-notebooks in the "
        "present folder if the package is installed; in a checkout its own, without a copy)")
# fmt: on


def notebooks(options: Namespace) -> NoReturn:
    """Open the notebooks; further words of the command line are JupyterLab's."""
    _require("jupyterlab", "notebooks")
    folder = _HOME / "notebooks"
    if options.folder or _HOME == _SHARE:  # an installed package is not for writing
        folder = _copy_new(folder, Path(options.folder or "workbench-notebooks"))
    say(f"notebooks: {folder.resolve()}")
    _become("jupyterlab", str(folder), *options.words)


# fmt: off
def add_serve(parser: ArgumentParser) -> None:
    """Add the options of ``serve``."""
    parser.add_argument("model", nargs="+", metavar="MODEL",
        help="model files; the first answers where a request names none. A model's name is "
        "that of its file without the ending")
    parser.add_argument("--host", default="127.0.0.1",
        help="address to listen on (default %(default)s: this computer alone; 0.0.0.0 is every "
        "address it has)")
    parser.add_argument("--port", type=int, default=8700,
        help="port to listen on (default %(default)s); 0 takes a free one")
    parser.add_argument("--max-body", type=float, default=16, metavar="MB",
        help="the largest body (default %(default)s); answered with 413 beyond")
    parser.add_argument("--timeout", type=float, default=30, metavar="S",
        help="seconds for a request, its body and its answer (default %(default)s); 408 or 503 "
        "beyond. A connection without a request is closed then")
    parser.add_argument("--concurrency", type=int, default=64, metavar="N",
        help="requests at a time (default %(default)s); 503 beyond")
    parser.add_argument("--per-client", type=int, default=32, metavar="N",
        help="of these, from one address (default %(default)s); 429 beyond")
    parser.add_argument("--threads", type=int, default=thread_count(), metavar="N",
        help="texts that are recased at the same moment (default %(default)s)")
# fmt: on


def serve(options: Namespace) -> None:
    """Serve models over HTTP until a signal ends it."""
    for module in ("starlette", "uvicorn", "prometheus_client"):
        _require(module, "serve")
    from workbench.service.application import load_served
    from workbench.service.limits import MB, Limits
    from workbench.service.server import open_socket, run_server

    body = round(options.max_body * MB) if 0 < options.max_body < 1e6 else 0
    limits = Limits(
        body, options.timeout, options.concurrency, options.per_client, max(8 * body, 128 * MB)
    )
    with open_socket(options.host, options.port) as listening:
        models = load_served(options.model)
        host, port = listening.getsockname()[:2]
        shown = f"[{host}]" if ":" in host else host
        say(f"http://{shown}:{port}: serving {', '.join(models)}; Ctrl-C ends it")
        run_server(models, limits, listening, options.threads)
        say("workbench: stopped; what was under way is answered")


def _require(module: str, extra: str) -> None:
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
