"""The sections of a report below the scrubber, as HTML: errors, settings, texts, commands."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from workbench.evaluation.number_words import NOTHING, chance_in_words, change_in_words, per_cent
from workbench.evaluation.task import task_of_row
from workbench.experiments.exploring.session import Session
from workbench.scrub.repeat import Source, python_lines
from workbench.settings import SETTINGS, Settings


def sections_html(
    session: Session,
    settings: Settings,
    source: Source,
    cutoffs: Sequence[int | None],
    command: str,
) -> str:
    """Return the sections; ``cutoffs`` are those in the report, ``command`` makes it again."""
    return "\n".join([
        _section("Errors", _errors(session, settings, source)),
        _section("Settings", _settings(session, settings, cutoffs)),
        _section("Texts", _texts(session, source)),
        _section("Repeat it", _repeat(session, settings, source, command)),
    ])  # fmt: skip


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
        "Change: of the number of errors, relative to the background's, with its 95 % interval "
        "(bootstrap over sentences). p: McNemar's test."
    )
    headings = ["text", "model", "words wrong", unit, "change", "95 % interval", "p"]
    summary = f'<p class="summary">{escape(_summary(session, settings))}</p>'
    return f"{summary}{_table(headings, rows, n_left=2)}<p>{note}</p>"


def _compared(row):
    versus = row.get("versus") or {}
    low, high = versus.get("interval") or (None, None)
    interval = NOTHING if low is None else f"{_change(low)} to {_change(high)}"
    headline = per_cent(task_of_row(row).headline.value(row))
    change, p_value = _change(versus.get("relative_change")), versus.get("p_value")
    return [headline, change, interval, chance_in_words(p_value)]


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
    rows = [["background", info["name"], f"{info['words']:,}", NOTHING, info["text"]]]
    names = {"train": "adaptation", "dev": "dev"} | ({"test": "test"} if source.test else {})
    for part, name in names.items():
        corpus = session.corpora[part]
        counts = f"{len(corpus):,}", f"{corpus.n_sentences:,}"
        rows.append([name, corpus.name, *counts, corpus.fingerprint])
    note = (
        "A fingerprint is the beginning of the SHA-256 hash of words and labels: equal texts have "
        "equal fingerprints."
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


def path_table(session: Session, settings: Settings) -> str:
    """Return the errors along sigma^2 as a table, for readers whose browser runs no script."""
    curve = session.curve(settings.cutoff).to_dict("records")
    rows = [
        [f"{point['sigma2']:g}", per_cent(point["dev_error_rate"]),
         per_cent(point["train_error_rate"])] for point in curve
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


def _change(fraction):
    return change_in_words(fraction, "0 %").replace(" ", "\u00a0")
