"""The command and the lines of Python that make a report again."""

import os
import shlex
from collections.abc import Sequence
from typing import NamedTuple

from workbench.experiments.exploring.session import Session
from workbench.settings import BACKGROUND, SETTINGS, Settings


class Source(NamedTuple):
    """The texts of a report as a command line names them: data sets, files, folders."""

    background: tuple[str, ...]
    adapt: tuple[str, ...]
    dev: str
    test: str | None = None
    repairs: bool = False  # whether --repair was given

    @classmethod
    def of(cls, settings: Settings) -> "Source":
        """Return the texts of the page's settings."""
        return cls((settings.background,), (settings.domain,), settings.domain, settings.domain)


def command_line(
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
    words += ["--model", session.background.kind] if session.background.kind != "memm" else []
    for name, value in _training(session, settings).items():
        option = "--templates" if name == "templates" else f"--background-{name}"
        words += [option, f"{value:g}" if isinstance(value, float) else str(value)]
    words += [] if n_explained is None else ["--explained", str(n_explained)]
    words += ["--repair"] if source.repairs else []
    return shlex.join([*words, "-o", "report.html"])


def _training(session, settings):
    """Return how the background was trained, as far as that is not the default."""
    info = session.background.info
    given = {"templates": settings.templates, "cutoff": info["cutoff"], "sigma2": info["sigma2"]}
    return {name: value for name, value in given.items() if value != BACKGROUND[name]}


def python_lines(session: Session, settings: Settings, source: Source) -> str:
    """Return Python that opens the session again and says what adaptation did."""
    names, lines = {"open_session"}, list[str]()
    domain = repr(source.dev)
    if not source.adapt == (source.dev,) == (source.test,):
        test = (source.test, "test") if source.test else (source.dev, "dev")
        texts = {"train": (source.adapt, "train"), "dev": ((source.dev,), "dev"),
                 "test": ((test[0],), test[1])}  # fmt: skip
        read = {part: _reading(*text, source.repairs) for part, text in texts.items()}
        lines += ["domain = {", *(f'    "{part}": {how},' for part, how in read.items()), "}"]
        domain = "domain"
    options = _options(session, settings)
    opening = f"session = open_session({source.background[0]!r}, {domain}{options})"
    if len(source.background) > 1:
        names = {"Session"}
        lines += [f"text = {_reading(source.background, 'train', source.repairs)}",
                  f"background = background_of(text{options})"]  # fmt: skip
        opening = f"session = Session(background, baseline_of(text), {domain})"
    cutoff = f", cutoff={settings.cutoff}" if settings.cutoff != 0 else ""
    lines += [opening, f"now = session.at({settings.sigma2:g}{cutoff})", "print(now.summary)"]
    return "\n".join([*_imports("\n".join(lines), names), "", *lines])


def _options(session, settings):
    """Return the arguments that say how the background is trained, where that is needed."""
    changed = _training(session, settings)
    options = f", options={BACKGROUND | changed!r}" if changed else ""
    return options + (", kind=CRF" if session.background.kind == "crf" else "")


def _reading(texts, part, repairs):
    """Return the expression that reads a part of one text, or of several as one."""
    more = ", repair=True" if repairs else ""
    if len(texts) == 1:
        return f'load({texts[0]!r}, "{part}"{more})'
    places = [repr(t) if os.path.exists(t) else f"folder_of(find_data_set({t!r}))" for t in texts]
    return f'read_corpus([{", ".join(places)}], "{part}"{more})'


def _imports(code, names):
    """Return the imports of a piece of Python."""
    public = names | {name for name in ("load", "read_corpus") if f"{name}(" in code}
    public |= {"CRF"} if "kind=CRF" in code else set()
    imports = [f"from workbench import {', '.join(sorted(public))}"]
    if "background_of(" in code:
        imports.append("from workbench.experiments.backgrounds import background_of, baseline_of")
    if "find_data_set(" in code:
        imports.append("from workbench.text.sets.registry import find_data_set, folder_of")
    return imports
