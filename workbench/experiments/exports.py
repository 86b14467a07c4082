"""Exports of a session: tables as CSV, figures as JSON, and the code that makes them again."""

import json
import shlex
from collections.abc import Mapping
from dataclasses import asdict
from types import MappingProxyType
from typing import Any

from workbench import __version__
from workbench.evaluation.scores import to_json
from workbench.experiments.session import Session, Snapshot
from workbench.settings import BACKGROUND, SETTINGS, Settings
from workbench.text.sets.splits import PARTS

_RATES = "%.4f"  # fractions: four digits tell one word in ten thousand
_ALIKE = 8  # significant digits that stay in JSON: what a fit on another machine agrees on


def changed_words_csv(snapshot: Snapshot) -> str:
    """Return what adaptation changed or left wrong, as CSV; see ``Snapshot.diff``."""
    return snapshot.diff.to_csv(index=False)


def slices_csv(session: Session, snapshot: Snapshot) -> str:
    """Return the errors by slice as CSV, rates as fractions; see ``Slicing.table``."""
    return session.slices(snapshot).to_csv(index=False, float_format=_RATES)


def curve_csv(session: Session, cutoff: int | None) -> str:
    """Return the points of the curve fitted so far as CSV, rates as fractions."""
    curve = session.curve(cutoff).drop(columns="seconds", errors="ignore")
    exact = {"sigma2": "%g", "log_likelihood": "%.2f"}
    for name, form in exact.items():
        curve[name] = [form % value for value in curve[name]]
    return curve.to_csv(index=False, float_format=_RATES)


def figures_json(session: Session, settings: Settings, snapshot: Snapshot) -> str:
    """Return settings, texts with their fingerprints, and all figures, as strict JSON.

    What is undefined is null. Fingerprints identify the content of a text, see ``Corpus``.
    """
    info = session.background.info
    texts = {part: _describe_text(session, part) for part in PARTS}
    size = session.contents
    point = {name: value for name, value in snapshot.point.items() if name != "seconds"}
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
    return json.dumps(_shorten(to_json(figures)), allow_nan=False, indent=1, ensure_ascii=False)


def _describe_text(session, part):
    corpus = session.corpora[part]
    return {
        "name": corpus.name, session.contents: len(corpus), "sentences": corpus.n_sentences,
        "fingerprint": corpus.fingerprint,
    }  # fmt: skip


def _shorten(value: Any) -> Any:
    """Return a value of JSON with its floats rounded to digits that agree between machines."""
    if isinstance(value, Mapping):
        return {key: _shorten(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_shorten(item) for item in value]
    return float(f"{value:.{_ALIKE}g}") if isinstance(value, float) else value


# --- the same again -----------------------------------------------------------------------


def python_lines(settings: Settings, own: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return Python that makes the figures of some settings again.

    ``own``: the files of the user's own texts, by the names that they have in the settings.
    """
    options = _changed(settings)
    given = f", options={BACKGROUND | options!r}" if options else ""
    given += ", kind=CRF" if settings.model == "crf" else ""
    background, domain = _training_text(settings.background, own), _text(settings.domain, own)
    names = ["open_session"] + (["CRF"] if settings.model == "crf" else [])
    names += ["load"] if "load(" in background + domain + given else []
    imports = [f"from workbench import {', '.join(sorted(names))}"]
    if "load" in names:
        imports.append("from workbench.experiments.session import divide")
    point = f"{settings.sigma2:g}, cutoff={settings.cutoff}, part={settings.part!r}"
    return "\n".join([
        *imports,
        "",
        f"session = open_session({background}, {domain}{given})",
        f"snapshot = session.at({point})",
        "print(snapshot.summary)",
    ])  # fmt: skip


def _training_text(name, own):
    return _text(name, own) + ('["train"]' if name in own else "")


def _text(name, own):
    return f"divide(load({own[name]!r}))" if name in own else repr(name)


def command_line(settings: Settings) -> str:
    """Return the commands that make the errors of some settings again, ready for a shell.

    The texts are data sets or folders: a command does not divide a text as the page does.
    """
    words = ["python", "-m", "workbench", "sweep", "--background", settings.background]
    words += [word for name in ("adapt", "dev", "test") for word in (f"--{name}", settings.domain)]
    words += ["--sigma2", SETTINGS["sigma2"].text(settings.sigma2)]
    words += ["--cutoff", SETTINGS["cutoff"].text(settings.cutoff)]
    words += ["--model", settings.model] if settings.model == "crf" else []
    words += [word for name, text in _changed(settings).items() for word in (f"--{name}", text)]
    return shlex.join([*words, "--json"])


def _changed(settings):
    """Return the options of the background's training that are not the default."""
    if settings.templates == BACKGROUND["templates"]:
        return {}
    return {"templates": settings.templates}
