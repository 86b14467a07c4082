"""The sections of a report below the scrubber, as HTML: errors, settings, texts, commands."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from workbench.evaluation.number_words import (
    NOTHING,
    chance_in_words,
    change_in_words,
    interval_in_words,
    per_cent,
    signed,
)
from workbench.evaluation.task import task_of_row
from workbench.experiments.backgrounds import trained_info
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
    figures = "Quality" if session.quality_name else "Errors"
    return "\n".join([
        _section(figures, _errors(session, settings, source)),
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
        n = len(session.background_tags(part))
        rows += [[part, row["name"], f"{row['wrong']:,} of {n:,}",
                  *([f"{row['misspelled']:,}"] if session.task.recases else []), *_compared(row)]
                 for row in snapshot.models]  # fmt: skip
    if session.quality_name:
        counted, figure, change, note = "not best", session.quality_name, "points", _OF_QUALITY
    else:
        figure = task_of_row(snapshot.models[0]).headline.heading or "error"
        counted, change, note = "words wrong", "change", _OF_ERRORS
    misspelled = ["misspelled"] if session.task.recases else []
    headings = ["text", "model", counted, *misspelled, figure, change, "95 % interval", "p"]
    summary = f'<p class="summary">{escape(_summary(session, settings))}</p>'
    return f"{summary}{_table(headings, rows, n_left=2)}<p>{note}</p>"


_OF_ERRORS = (
    "Change: of the number of errors, relative to the background's, with its 95 % interval "
    "(bootstrap over sentences). p: McNemar's test. Both are of tags, as in the paper; a "
    "misspelled word has the right tag and the wrong letters, and is counted apart."
)
_OF_QUALITY = (
    "Not best: sentences of which a better candidate is there than the one chosen. Points: of the "
    "quality, in per cent, less the background's, with the 95 % interval (bootstrap over "
    "sentences). p: sign test of sentences chosen better and worse."
)


def _compared(row):
    """Return the figure of a model's row, and its change from the background's."""
    versus = row.get("versus") or {}
    is_quality = "quality" in row
    tell, change = (_points, "difference") if is_quality else (_change, "relative_change")
    figure = row["quality"] if is_quality else task_of_row(row).headline.value(row)
    interval = interval_in_words(versus["interval"], tell) if versus else NOTHING
    p_value = chance_in_words(versus.get("p_value"))
    return [per_cent(figure), tell(versus.get(change)), interval, p_value]


def _settings(session, settings, cutoffs):
    info, text = trained_info(session.background.info), SETTINGS["cutoff"].text
    return _table(["setting", "value"], [
        *([] if session.quality_name else [["Model", session.background.kind.upper()],
                                           ["Templates", settings.templates]]),
        ["Background: cut-off", str(info["cutoff"])],
        ["Background: variance of the prior σ²", f"{info['sigma2']:g}"],
        *([[f"{SETTINGS['levels'].label}, with σ²", settings.levels]] if settings.levels else []),
        [SETTINGS["sigma2"].label, f"{settings.sigma2:g}"],
        [SETTINGS["cutoff"].label, text(settings.cutoff)],
        ["Cut-offs in this file", ", ".join(map(text, cutoffs))],
        ["Shown by the slider", f"{settings.part} text"],
    ], n_left=2)  # fmt: skip


def _texts(session, source):
    info, units = session.background.info, session.contents
    n_sentences = f"{info['sentences']:,}" if "sentences" in info else NOTHING
    rows = [["background", info["name"], f"{info[units]:,}", n_sentences, info["text"]]]
    names = {"train": "adaptation", "dev": "dev"} | ({"test": "test"} if source.test else {})
    for part, name in names.items():
        corpus = session.corpora[part]
        counts = f"{len(corpus):,}", f"{corpus.n_sentences:,}"
        rows.append([name, corpus.name, *counts, corpus.fingerprint])
    note = (
        "A fingerprint is the beginning of the SHA-256 hash of "
        f"{'features and qualities' if session.quality_name else 'words and labels'}: equal texts "
        "have equal fingerprints."
    )
    return _table(["text", "name", units, "sentences", "fingerprint"], rows, n_left=2) + (
        f"<p>{note}</p>"
    )


def _repeat(session, settings, source, command):
    code = python_lines(session, settings, source)
    more = "from workbench.scrub.widget import scrub\n\nscrub(session)"
    return (
        f"<p>This page again:</p>{_code(command)}"
        f"<p>The session in Python:</p>{_code(code)}"
        f"<p>In a notebook, this scrubber with an answer for every {session.unit}:</p>"
        + _code(more)
    )


def path_table(session: Session, settings: Settings) -> str:
    """Return the errors along sigma^2 as a table, for readers whose browser runs no script."""
    what = session.quality_name
    rows = [
        [f"{point['sigma2']:g}",
         *(per_cent(1 - point[rate] if what else point[rate])
           for rate in ("dev_error_rate", "train_error_rate"))]
        for point in session.curve(settings.cutoff).to_dict("records")
    ]  # fmt: skip
    parts = ("dev", "the adaptation text")
    return _table(["σ²", *(f"{what or 'errors'} on {part}" for part in parts)], rows, n_left=0)


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


def _points(difference):
    return NOTHING if difference is None else signed(100 * difference)


def _change(fraction):
    return change_in_words(fraction, "0 %").replace(" ", "\u00a0")
