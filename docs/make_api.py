"""Makes a page of the public names from their docstrings: ``./run docs [FOLDER]``."""

import sys
from pathlib import Path

import pdoc

import workbench

FOLDER = Path(__file__).with_name("api")


def make(folder: Path) -> Path:
    """Write the page into a folder, with an index for its search; returns the page."""
    for name in workbench.__all__:  # loaded on first use, and pdoc sees only what is loaded
        setattr(workbench, name, getattr(workbench, name))
    pdoc.render.configure(docformat="numpy", show_source=False)
    pdoc.pdoc("workbench", output_directory=folder)
    return folder / "workbench.html"


if __name__ == "__main__":
    print(make(Path(sys.argv[1]) if sys.argv[1:] else FOLDER))
