"""Makes the reference: commands from their help, public names from their docstrings.

``./run docs [FOLDER]``
"""

import argparse
import sys
from html import escape
from pathlib import Path

import pdoc

import workbench
from workbench.cli.main import make_parser

FOLDER = Path(__file__).with_name("api")
_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>workbench: commands</title>
<style>body {{ font: 16px/1.5 sans-serif; max-width: 52em; margin: 2em auto; padding: 0 1em }}
pre {{ font-size: 14px; overflow-x: auto }}</style>
<h1>Commands</h1>
<p>{links}. From Python: <a href="workbench.html">all public names</a>.</p>
{sections}
</html>
"""


def make(folder: Path) -> Path:
    """Write the pages into a folder, with an index for the search; returns the first page."""
    for name in workbench.__all__:  # loaded on first use, and pdoc sees only what is loaded
        setattr(workbench, name, getattr(workbench, name))
    pdoc.render.configure(docformat="numpy", show_source=False)
    pdoc.pdoc("workbench", output_directory=folder)
    page = folder / "index.html"
    page.write_text(describe_commands(), "utf-8")
    return page


def describe_commands() -> str:
    """Return a page with the help of every command, each under its name."""
    parser = make_parser()
    (commands,) = (x for x in parser._actions if isinstance(x, argparse._SubParsersAction))
    return _PAGE.format(
        links=" · ".join(f'<a href="#{name}">{name}</a>' for name in commands.choices),
        sections="\n".join(
            f'<h2 id="{name}">{name}</h2>\n<pre>{escape(command.format_help())}</pre>'
            for name, command in commands.choices.items()
        ),
    )


if __name__ == "__main__":
    print(make(Path(sys.argv[1]) if sys.argv[1:] else FOLDER))
