"""A session as one self-contained page; report.html is its template.

It holds the scrubber, with paths at some cut-offs and answers about words, and below it errors,
settings, texts and how to make it again. It fetches nothing: script, style and data stand in it,
and its policy forbids the rest. Text of the corpora is data to it, never markup.
"""

import base64
import hashlib
import json
import math
import re
from collections.abc import Callable, Iterable, Sequence
from html import escape
from pathlib import Path
from string import Template
from typing import Any

from workbench import __version__
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
from workbench.experiments.lessons.steps import all_lessons, fill_lesson
from workbench.experiments.repeat import DIVIDED, Source, python_lines, report_command, shorten
from workbench.experiments.session import Session
from workbench.experiments.surface import fill_paths
from workbench.models.files import write_atomically
from workbench.scrub.answer import answer
from workbench.scrub.bundle import script, sheet
from workbench.scrub.slider import make_payload
from workbench.scrub.view import make_grid, make_view
from workbench.settings import BROKEN, FIXED, MISSPELLED, SETTINGS, STATUSES_SHOWN, Settings

N_EXPLAINED = 150  # words with an answer, unless another number is asked for
_DIGITS = 4  # significant ones of numbers in answers
_PAGE, _STYLE = (Path(__file__).with_name(f"report.{end}") for end in ("html", "css"))
OnCount = Callable[[int, int], object] | None
# Settings that a reader moves; they stand in the address after "#".
_MOVED = ("sigma2", "cutoff", "show", "pair", "word", "pin", "lecture")
_UNSAFE = re.compile("[<>&\u2028\u2029\ud800-\udfff]")


def report_html(
    session: Session, settings: Settings, source: Source | None = None, *,
    cutoffs: Sequence[int | None] = (), n_explained: int = N_EXPLAINED, on_answer: OnCount = None,
) -> str:  # fmt: skip
    """Return a page of HTML that shows a session, with the slider, and needs no network.

    The same session and settings give the same page.

    Parameters
    ----------
    settings : Settings
        The sigma^2, cut-off and part that are reported; the slider starts there. A lesson that
        they name is in the page, with the cut-offs that it goes to.
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
    lesson = all_lessons()[settings.lesson] if settings.lesson and session.task.recases else None
    of_lesson = map(SETTINGS["cutoff"].parse, lesson.cutoffs if lesson else ())
    held = sorted(
        {settings.cutoff, *cutoffs, *of_lesson},
        key=lambda cutoff: math.inf if cutoff is None else cutoff,
    )
    fill_paths(session, held)
    data = report_data(session, settings, held, n_explained, on_answer)
    number = None if n_explained == N_EXPLAINED else n_explained
    command = report_command(session, settings, source, held, number)
    title = f"{session.background.info['name']} → {session.corpora['train'].name}"
    style, code = sheet() + _STYLE.read_text("utf-8"), script("report")
    task = "capitalization" if session.task.recases else session.background.task
    deed = f"A lesson: {lesson.title}" if lesson else f"{task.capitalize()}, adapted"
    return Template(_PAGE.read_text("utf-8")).substitute(
        title=escape(title), policy=escape(_policy(style, code)), style=style, script=code,
        deed=escape(deed), data=embed_json(data), version=__version__,
        tables=_sections(session, settings, source, held, command),
        intro=escape(session.introduction.rpartition(":")[0]),
    )  # fmt: skip


def write_report(path: str | Path, page: str) -> None:
    """Write a page to a file, which is complete or not there; InputError if it cannot be."""
    write_atomically(path, lambda file: file.write(page.encode("utf-8", "replace")))


def report_data(
    session: Session, settings: Settings, cutoffs: Sequence[int | None], n_explained: int,
    on_answer: OnCount = None,
) -> dict[str, Any]:  # fmt: skip
    """Return all that the browser module needs to be alive without Python, ready for JSON.

    Returns
    -------
    data : dict
        ``view``, as in ``make_view`` but for its payload; ``payloads``, by cut-off; ``at``, the
        settings that the page starts with, as texts; ``answers``, by position, for
        ``n_explained`` words that the settings' sigma^2 broke or fixed; ``shows``, the values
        that "show" may have; ``lesson``, as in ``fill_lesson``, or None.
    """
    held = {SETTINGS["cutoff"].text(cutoff): cutoff for cutoff in cutoffs}
    view = make_view(session, settings)
    has_lesson = settings.lesson and session.task.recases
    lesson = fill_lesson(settings.lesson, session) if has_lesson else None
    answers = _answers(session, settings, n_explained, on_answer, _asked(lesson))
    view |= {
        "cutoffs": list(held), "grid": make_grid(session, cutoffs),
        "cannotExplain": _refer(session, settings, answers),
    }  # fmt: skip
    del view["payload"]
    return {
        "view": view,
        "payloads": {
            text: make_payload(session, cutoff, settings.part) for text, cutoff in held.items()
        },
        "at": {name: SETTINGS[name].text(getattr(settings, name)) for name in _MOVED}
        | ({"step": "1"} if lesson else {}),
        "answers": answers, "shows": list(STATUSES_SHOWN), "lesson": lesson,
    }  # fmt: skip


def _refer(session, settings, answers):
    """Return the message for a word, or a sentence, for which the report holds no explanation."""
    place = f"σ² = {settings.sigma2:g}, cut-off {SETTINGS['cutoff'].text(settings.cutoff)}"
    unit, units = session.unit, session.task.wording.units
    has = f"{len(answers)} of the {units} that changed at {place}" if answers else f"no {unit}"
    return (
        f"This file explains {has}. For any other, see “Repeat it” below: "
        f"the page and the notebook explain every {unit}."
    )


def _asked(lesson):
    """Return the positions of the words that a lesson asks about."""
    steps = lesson["steps"] if lesson else ()
    words = {own["word"] for step in steps for own in (step["sets"], step["then"])}
    return sorted(int(word.rpartition(" ")[2]) for word in words if word)


def _answers(session, settings, n, on_answer, asked):
    snapshot = session.at(settings.sigma2, settings.cutoff, settings.part)
    changed = snapshot.diff["status"].isin((FIXED, BROKEN, MISSPELLED))
    worth = sorted(map(int, snapshot.diff.loc[changed, "position"]))[:n]
    chosen = list(dict.fromkeys([*asked, *worth]))
    found = dict[int, dict]()
    for position in chosen:
        found[position] = _plain(answer(session, snapshot, position))
        if on_answer:
            on_answer(len(found), len(chosen))
    return found


def _plain(explained):
    """Return an answer as reports hold it: without what needs Python, numbers to four digits."""
    because = {key: value for key, value in explained["because"].items() if key != "seconds"}
    for side in ("pushed", "resisted"):  # without its number a sentence cannot be dropped
        because[side] = [
            {key: value for key, value in sentence.items() if key != "sentence"}
            for sentence in because[side][:3]  # those that are shown at once
        ]
    return shorten(explained | {"because": because}, _DIGITS)


def embed_json(value: Any) -> str:
    r"""Return JSON that is only data within a script element, whatever text it holds.

    >>> embed_json(["</script>", "a & b"])
    '["\\u003c/script\\u003e","a \\u0026 b"]'
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _sections(session, settings, source, cutoffs, command):
    """Return the sections; ``cutoffs`` are those in the report, ``command`` makes it again."""
    figures = "Quality" if session.quality_name else "Errors"
    parts = {
        figures: _errors(session, settings, source),
        "Settings": _settings(session, settings, source, cutoffs),
        "Texts": _texts(session, source),
        "Repeat it": _repeat(session, settings, source, command),
    }
    return "\n".join(f"<section><h2>{name}</h2>{own}</section>" for name, own in parts.items())


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
    shown = session.at(settings.sigma2, settings.cutoff, settings.part)
    summary = f"{settings.part} text, σ² = {settings.sigma2:g}: {shown.summary}"
    return f'<p class="summary">{escape(summary)}</p>{_table(headings, rows)}<p>{note}</p>'


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


def _settings(session, settings, source, cutoffs):
    info, text = trained_info(session.background.info), SETTINGS["cutoff"].text
    templates = "the background's" if session.is_of_model else settings.templates
    return _table(["setting", "value"], [
        *([] if session.quality_name else [["Model", session.background.kind.upper()],
                                           ["Templates", templates]]),
        ["Background: cut-off", str(info["cutoff"])],
        ["Background: variance of the prior σ²", f"{info['sigma2']:g}"],
        *([["Adapted first to, with σ²", source.levels]] if source.levels else []),
        [SETTINGS["sigma2"].label, f"{settings.sigma2:g}"],
        [SETTINGS["cutoff"].label, text(settings.cutoff)],
        ["Cut-offs in this file", ", ".join(map(text, cutoffs))],
        ["Shown by the slider", f"{settings.part} text"],
    ])  # fmt: skip


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
    return f"{_table(['text', 'name', units, 'sentences', 'fingerprint'], rows)}<p>{note}</p>"


def _repeat(session, settings, source, command):
    tell = "<p>{}:</p><pre><code>{}</code></pre>".format
    code = tell("The session in Python", escape(python_lines(session, settings, source)))
    if source.is_divided:
        return f"{code}<p>{DIVIDED}</p>"
    return tell("This page again", escape(command)) + code


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of texts: two columns flush left, the others are numbers."""
    heads = "".join(f'<th scope="col"{_kind(i)}>{escape(t)}</th>' for i, t in enumerate(headings))
    cells = [[f"<td{_kind(i)}>{escape(text)}</td>" for i, text in enumerate(row)] for row in rows]
    lines = map("".join, cells)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return (
        '<div class="table" role="group" aria-label="Table" tabindex="0"><table>'
        f"<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _kind(column):
    return "" if column < 2 else ' class="n"'


def _points(difference):
    return NOTHING if difference is None else signed(100 * difference)


def _change(fraction):
    return change_in_words(fraction, "0 %").replace(" ", "\u00a0")


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
