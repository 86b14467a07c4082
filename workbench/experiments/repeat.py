"""The command, the Python lines and the tables by which a session is made again elsewhere."""

import json
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any, NamedTuple

from workbench import __version__
from workbench.evaluation.error_rates import to_json
from workbench.experiments.backgrounds import read_levels, trained_info
from workbench.experiments.session import Session, Snapshot
from workbench.settings import SETTINGS, Settings
from workbench.text.sets.splits import PARTS

DIVIDED = (
    "These lines divide your text as the page did: save it beside them, under the name that they "
    "read. The command line cannot divide a text in this way."
)
_HOMES = {"workbench.experiments.session": ("divide",)}
_RATES = "%.4f"  # fractions: four digits tell one word in ten thousand
_ALIKE = 8  # significant digits that stay in JSON: what a fit on another machine agrees on


class Source(NamedTuple):
    """The texts of a report as a command line names them: data sets, files, folders."""

    background: tuple[str, ...]
    adapt: tuple[str, ...]
    dev: str
    test: str | None = None
    repairs: bool = False  # whether --repair was given
    levels: str = ""  # as --levels has them
    is_divided: bool = False  # whether domain and dev are parts of one text, as the page divides it

    @classmethod
    def of(cls, settings: Settings) -> "Source":
        """Return the texts of the page's settings."""
        return cls((settings.background,), (settings.domain,), settings.domain, settings.domain)


def changed_words_csv(snapshot: Snapshot) -> str:
    """Return what adaptation changed or left wrong, as CSV; see ``Snapshot.diff``."""
    return snapshot.diff.to_csv(index=False)


def curve_csv(session: Session, cutoff: int | None) -> str:
    """Return the points of the curve fitted so far as CSV, rates as fractions.

    It has no errors on test: to look along sigma^2 would be a choice on the test text.
    """
    curve = session.curve(cutoff).drop(columns=["seconds", "test_error_rate"], errors="ignore")
    exact = {"sigma2": "%g", "log_likelihood": "%.2f"}
    for name, form in exact.items():
        curve[name] = [form % value for value in curve[name]]
    return curve.to_csv(index=False, float_format=_RATES)


def figures_json(session: Session, settings: Settings, snapshot: Snapshot) -> str:
    """Return settings, texts with their fingerprints, and all figures, as strict JSON.

    What is undefined is null. Fingerprints identify the content of a text, see ``Corpus``. Errors
    on test are there only if the snapshot is of the test text.
    """
    info = session.background.info
    texts = {part: _describe_text(session, part) for part in PARTS}
    size = session.contents
    left_out = {"seconds", *(["test_error_rate"] if snapshot.part != "test" else [])}
    point = {name: value for name, value in snapshot.point.items() if name not in left_out}
    figures = {
        "workbench": __version__,
        "settings": asdict(settings),
        "background": {"name": info["name"], size: info[size], "fingerprint": info["text"],
                       "features": info["features"], "cutoff": info["cutoff"],
                       "sigma2": info["sigma2"]},
        "domain": texts,
        "part": snapshot.part,
        "summary": snapshot.summary,
        "models": snapshot.models,
        "point": point,
        "slices": session.slices(snapshot).to_dict("records"),
    }  # fmt: skip
    return json.dumps(
        shorten(to_json(figures), _ALIKE), allow_nan=False, indent=1, ensure_ascii=False
    )


def _describe_text(session, part):
    corpus = session.corpora[part]
    return {
        "name": corpus.name, session.contents: len(corpus), "sentences": corpus.n_sentences,
        "fingerprint": corpus.fingerprint,
    }  # fmt: skip


def shorten(value: Any, digits: int) -> Any:
    """Return a value of JSON with its floats rounded to significant digits."""
    if isinstance(value, Mapping):
        return {key: shorten(item, digits) for key, item in value.items()}
    if isinstance(value, list):
        return [shorten(item, digits) for item in value]
    return float(f"{value:.{digits}g}") if isinstance(value, float) else value


def report_command(
    session: Session, settings: Settings, source: Source, cutoffs: Sequence[int | None],
    n_explained: int | None = None,
) -> str:  # fmt: skip
    """Return the command that writes a report again, ready for a shell.

    ``cutoffs`` are those in the report, ``n_explained`` the number of words to explain unless
    it is the command's own.
    """
    reported_first = [settings.cutoff, *(c for c in cutoffs if c != settings.cutoff)]
    words = ["python", "-m", "workbench", "report", "--background", *source.background]
    words += ["--adapt", *source.adapt, "--dev", source.dev]
    words += ["--test", source.test] if source.test else []
    words += ["--sigma2", SETTINGS["sigma2"].text(settings.sigma2)]
    words += ["--cutoff", ",".join(map(SETTINGS["cutoff"].text, reported_first))]
    words += ["--model", "crf"] if session.background.kind == "crf" else []
    for name, value in _training(session, settings).items():
        option = "--templates" if name == "templates" else f"--background-{name}"
        words += [option, f"{value:g}" if isinstance(value, float) else str(value)]
    words += ["--levels", source.levels] if source.levels else []
    words += ["--lesson", settings.lesson] if settings.lesson and session.task.recases else []
    words += [] if n_explained is None else ["--explained", str(n_explained)]
    words += ["--repair"] if source.repairs else []
    return shlex.join([*words, "-o", "report.html"])


def python_lines(session: Session, settings: Settings, source: Source) -> str:
    """Return Python that opens the session again and says what adaptation did."""
    read = partial(session.reading, repairs=source.repairs)
    (first, *more), lines = source.background, list[str]()
    background, domain = repr(first), repr(source.dev)
    if source.is_divided:
        domain = f"divide(load({domain}))"
    elif not source.adapt == (source.dev,) == (source.test,):
        test, part = (source.test, "test") if source.test else (source.dev, "dev")
        texts = {"train": read(source.adapt, "train"), "dev": read((source.dev,), "dev"),
                 "test": read((test,), part)}  # fmt: skip
        lines += ["domain = {", *(f'    "{name}": {how},' for name, how in texts.items()), "}"]
        domain = "domain"
    if more or "@" in first:  # some documents alone
        lines.append(f"background = {read(source.background, 'train')}")
        background = "background"
    changed = _training(session, settings)
    options = f", options={dict(session.defaults) | changed!r}" if changed else ""
    options += ", kind=CRF" if session.background.kind == "crf" else ""
    cutoff = f", cutoff={settings.cutoff}" if settings.cutoff != 0 else ""
    part = ', part="test"' if settings.part == "test" else ""
    lines += [
        f"session = {session.opener}({background}, {domain}{options}{_levels(session, source)})",
        f"now = session.at({settings.sigma2:g}{cutoff}{part})", "print(now.summary)",
    ]  # fmt: skip
    named = set(re.findall(r"\b[a-zA-Z_]+(?=\()|(?<=kind=)\w+", "\n".join(lines)))
    homes = _HOMES | dict(session.homes)
    imports = {home: sorted(named.intersection(names)) for home, names in homes.items()}
    imported = [
        f"from {home} import {', '.join(names)}" for home, names in imports.items() if names
    ]
    return "\n".join([*imported, "", *lines])


def _training(session, settings):
    """Return how the background was trained, as far as that is not the default."""
    if session.is_of_model:  # nobody trains it again
        return {}
    given = {**trained_info(session.background.info), "templates": settings.templates}
    defaults = session.defaults.items()
    return {name: given[name] for name, default in defaults if given[name] != default}


def _levels(session, source):
    """Return the argument that says what the background is adapted to first, if anything."""
    levels = [
        f"({session.reading((text,), 'train', True) if source.repairs else repr(text)}, {sigma2:g})"
        for text, sigma2 in read_levels(source.levels)
    ]
    return f", levels=[{', '.join(levels)}]" if levels else ""
