"""A session as one self-contained page: the scrubber with its data, and how to repeat it.

The page fetches nothing: script, style and data stand in it, and its policy forbids the rest.
Text of the corpora is data to it, never markup.
"""

import base64
import hashlib
from collections.abc import Sequence
from html import escape
from pathlib import Path

from workbench import __version__
from workbench.experiments.exploring.session import Session
from workbench.models.files import write_atomically
from workbench.scrub.bundle import script, sheet
from workbench.scrub.repeat import Source, command_line
from workbench.scrub.report_data import OnCount, embed_json, fill_paths, report_data
from workbench.scrub.report_sections import path_table, sections_html
from workbench.settings import Settings

N_EXPLAINED = 150  # words with an answer, unless another number is asked for
_STYLE = Path(__file__).with_name("report.css")


def report_html(
    session: Session, settings: Settings, source: Source | None = None, *,
    cutoffs: Sequence[int | None] = (), n_explained: int = N_EXPLAINED, on_answer: OnCount = None,
) -> str:  # fmt: skip
    """Return a page of HTML that shows a session, with the slider, and needs no network.

    The same session and settings give the same page.

    Parameters
    ----------
    settings : Settings
        The sigma^2, cut-off and part that are reported; the slider starts there.
    source : Source, optional
        How a command line names the texts; by default as the settings do.
    cutoffs : list of int or None
        Cut-offs besides that of the settings whose paths are in the page, too.
    n_explained : int
        How many of the words that changed can be asked why.
    on_answer : callable, optional
        Called with (answers done, answers in all).
    """
    source = source or Source.of(settings)
    held = _in_order({settings.cutoff, *cutoffs})
    fill_paths(session, held)
    data = report_data(session, settings, held, n_explained, on_answer)
    number = None if n_explained == N_EXPLAINED else n_explained
    command = command_line(session, settings, source, held, number)
    title = f"{session.background.info['name']} → {session.corpora['train'].name}"
    style, code = sheet() + _STYLE.read_text("utf-8"), script("report")
    return _PAGE.format(
        title=escape(title), policy=escape(_policy(style, code)), style=style, script=code,
        deed=_deed(session), data=embed_json(data), version=__version__,
        tables=sections_html(session, settings, source, held, command),
        path=path_table(session, settings), intro=escape(session.introduction.rpartition(":")[0]),
    )  # fmt: skip


def write_report(path: str | Path, page: str) -> None:
    """Write a page to a file, which is complete or not there; InputError if it cannot be."""
    write_atomically(path, lambda file: file.write(page.encode("utf-8", "replace")))


def _in_order(cutoffs):
    return tuple(sorted(cutoffs, key=lambda cutoff: float("inf") if cutoff is None else cutoff))


def _policy(style, code):
    """Return the content security policy: this style, this script and nothing from elsewhere."""
    hashes = [
        f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
        for text in (style, code)
    ]
    return (
        f"default-src 'none'; style-src {hashes[0]}; script-src {hashes[1]}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _deed(session):
    return "Capitalization, adapted" if session.task.recases else (
        f"{session.background.task.capitalize()}, adapted"
    )  # fmt: skip


_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="capitalization-workbench {version}">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<header>
<p class="kind">{deed}</p>
<h1>{title}</h1>
</header>
<main>
<div id="scrubber" class="place"></div>
<noscript>
<p>{intro}. The slider needs scripts, which are off; these are the errors along σ².</p>
{path}
</noscript>
<div class="sections">
{tables}
</div>
</main>
<footer>Made by capitalization-workbench {version}. This page fetches nothing.</footer>
<script type="application/json" id="scrubber-data">{data}</script>
<script type="module">{script}</script>
</body>
</html>
"""
