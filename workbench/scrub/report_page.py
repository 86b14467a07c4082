"""One self-contained page of a session: the scrubber alive in it, and how it came about.

The page fetches nothing: script, style and data stand in it, and its policy forbids the rest.
Text of the corpora is data to it, never markup.
"""

import base64
import hashlib
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import Any

from workbench import __version__
from workbench.evaluation.task import find_task, task_of_row
from workbench.experiments.exploring.session import Session
from workbench.models.files import write_atomically
from workbench.scrub.bundle import script, sheet
from workbench.scrub.repeat import Source, command_line, python_lines
from workbench.scrub.report_data import OnCount, embed_json, fill_paths, report_data
from workbench.scrub.view import introduce
from workbench.settings import SETTINGS, Settings

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
    sections = [
        _section("Errors", _errors(session, settings, source)),
        _section("Settings", _settings(session, settings, held)),
        _section("Texts", _texts(session, source)),
        _section("Repeat it", _repeat(session, settings, source, command)),
    ]
    return _PAGE.format(
        title=escape(title), policy=escape(_policy(style, code)), style=style, script=code,
        deed=_deed(session),
        data=embed_json(data), tables="\n".join(sections), version=__version__,
        path=_path_table(session, settings), intro=escape(introduce(session).rpartition(":")[0]),
    )  # fmt: skip


def write_report(path: str | Path, page: str) -> None:
    """Write a page to a file, which is complete or not there; InputError if it cannot be."""
    write_atomically(path, lambda file: file.write(page.encode("utf-8", "replace")))


def _in_order(cutoffs):
    return tuple(sorted(cutoffs, key=lambda cutoff: float("inf") if cutoff is None else cutoff))


def _policy(style, code):
    """Return a policy that lets this style and this script in, and nothing from elsewhere."""
    hashes = [
        f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
        for text in (style, code)
    ]
    return (
        f"default-src 'none'; style-src {hashes[0]}; script-src {hashes[1]}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


# --- what stands below the scrubber -------------------------------------------------------


def _deed(session):
    return "Capitalization, adapted" if find_task(session.background).recases else (
        f"{session.background.task.capitalize()}, adapted"
    )  # fmt: skip


def _summary(session, settings):
    snapshot = session.at(settings.sigma2, settings.cutoff, settings.part)
    return f"{settings.part} text, σ² = {settings.sigma2:g}: {snapshot.summary}"


def _errors(session, settings, source):
    parts = ["dev", "test"] if source.test else ["dev"]
    rows = []
    for part in parts:
        snapshot = session.at(settings.sigma2, settings.cutoff, part)
        n = len(session.corpora[part])
        rows += [[part, row["name"], f"{row['wrong']:,} of {n:,}", *_compared(row)]
                 for row in snapshot.models]  # fmt: skip
    unit = task_of_row(snapshot.models[0]).headline.heading or "error"
    note = (
        "Change: errors more or fewer than the background's, with its 95 % interval "
        "(bootstrap over sentences); p by McNemar's test."
    )
    headings = ["text", "model", "words wrong", unit, "change", "95 % interval", "p"]
    summary = f'<p class="summary">{escape(_summary(session, settings))}</p>'
    return f"{summary}{_table(headings, rows, n_left=2)}<p>{note}</p>"


def _compared(row):
    versus = row.get("versus") or {}
    low, high = versus.get("interval") or (None, None)
    interval = "–" if low is None else f"{_signed(low)} to {_signed(high)}"
    headline = _per_cent(task_of_row(row).headline.value(row))
    return [headline, _signed(versus.get("relative_change")), interval, _p(versus.get("p_value"))]


def _settings(session, settings, cutoffs):
    info, text = session.background.info, SETTINGS["cutoff"].text
    return _table(["setting", "value"], [
        ["Model", session.background.kind.upper()],
        ["Templates", settings.templates],
        ["Background: cut-off", str(info["cutoff"])],
        ["Background: variance of the prior σ²", f"{info['sigma2']:g}"],
        [SETTINGS["sigma2"].label, f"{settings.sigma2:g}"],
        [SETTINGS["cutoff"].label, text(settings.cutoff)],
        ["Cut-offs in this file", ", ".join(map(text, cutoffs))],
        ["Shown by the slider", f"{settings.part} text"],
    ], n_left=2)  # fmt: skip


def _texts(session, source):
    info = session.background.info
    rows = [["background", info["name"], f"{info['words']:,}", "–", info["text"]]]
    names = {"train": "adaptation", "dev": "dev"} | ({"test": "test"} if source.test else {})
    for part, name in names.items():
        corpus = session.corpora[part]
        counts = f"{len(corpus):,}", f"{corpus.n_sentences:,}"
        rows.append([name, corpus.name, *counts, corpus.fingerprint])
    note = (
        "A fingerprint is the beginning of the SHA-256 of words and labels: equal for equal text."
    )
    return _table(["text", "name", "words", "sentences", "fingerprint"], rows, n_left=2) + (
        f"<p>{note}</p>"
    )


def _repeat(session, settings, source, command):
    code = python_lines(session, settings, source)
    more = "from workbench.scrub.widget import scrub\n\nscrub(session)"
    return (
        f"<p>This page again:</p>{_code(command)}"
        f"<p>The session in Python:</p>{_code(code)}"
        "<p>In a notebook, this scrubber with an answer for every word:</p>" + _code(more)
    )


def _path_table(session, settings):
    """Return the errors along sigma^2 as a table, for readers whose browser runs no script."""
    curve = session.curve(settings.cutoff).to_dict("records")
    rows = [
        [f"{point['sigma2']:g}", _per_cent(point["dev_error_rate"]),
         _per_cent(point["train_error_rate"])] for point in curve
    ]  # fmt: skip
    return _table(["σ²", "errors on dev", "errors on the adaptation text"], rows, n_left=0)


# --- HTML ---------------------------------------------------------------------------------


def _section(heading: str, body: str) -> str:
    return f"<section><h2>{escape(heading)}</h2>{body}</section>"


def _code(text):
    return f"<pre><code>{escape(text)}</code></pre>"


def _table(headings: Sequence[str], rows: Iterable[Sequence[Any]], n_left: int) -> str:
    """Return a table of texts: ``n_left`` columns flush left, the others are numbers."""
    heads = "".join(
        f'<th scope="col"{_kind(i, n_left)}>{escape(text)}</th>' for i, text in enumerate(headings)
    )
    lines = [
        "".join(f"<td{_kind(i, n_left)}>{escape(text)}</td>" for i, text in enumerate(row))
        for row in rows
    ]
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return (
        '<div class="table" role="group" aria-label="Table" tabindex="0"><table>'
        f"<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _kind(column, n_left):
    return "" if column < n_left else ' class="n"'


def _per_cent(fraction):
    return "–" if fraction is None else f"{100 * fraction:.2f}\u00a0%"


def _signed(fraction):
    if fraction is None:
        return "–"
    text = f"{100 * fraction:+.0f}\u00a0%".replace("-", "−")
    return "0\u00a0%" if text[1:] == "0\u00a0%" else text


def _p(value):
    if value is None:
        return "–"
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


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
<footer>Made by capitalization-workbench {version}. Nothing here is fetched from anywhere.</footer>
<script type="application/json" id="scrubber-data">{data}</script>
<script type="module">{script}</script>
</body>
</html>
"""
