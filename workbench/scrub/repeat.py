"""The command and the lines of Python that make a report again."""

import os
import shlex
from collections.abc import Sequence
from typing import NamedTuple

from workbench.experiments.backgrounds import read_levels, trained_info
from workbench.experiments.session import Session
from workbench.settings import BACKGROUND, CANDIDATES, SETTINGS, Settings


class Source(NamedTuple):
    """The texts of a report as a command line names them: data sets, files, folders."""

    background: tuple[str, ...]
    adapt: tuple[str, ...]
    dev: str
    test: str | None = None
    repairs: bool = False  # whether --repair was given
    levels: str = ""  # as --levels has them

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
    words += ["--model", "crf"] if session.background.kind == "crf" else []
    for name, value in _training(session, settings).items():
        option = "--templates" if name == "templates" else f"--background-{name}"
        words += [option, f"{value:g}" if isinstance(value, float) else str(value)]
    words += ["--levels", source.levels] if source.levels else []
    words += [] if n_explained is None else ["--explained", str(n_explained)]
    words += ["--repair"] if source.repairs else []
    return shlex.join([*words, "-o", "report.html"])


# Of training, by what a decision is about: ``Session.unit``.
_DEFAULTS = {"word": BACKGROUND, "sentence": CANDIDATES}


def _training(session, settings):
    """Return how the background was trained, as far as that is not the default."""
    given = {**trained_info(session.background.info), "templates": settings.templates}
    defaults = _DEFAULTS[session.unit]
    return {name: given[name] for name, default in defaults.items() if given[name] != default}


def python_lines(session: Session, settings: Settings, source: Source) -> str:
    """Return Python that opens the session again and says what adaptation did."""
    return _PYTHON[session.unit](session, settings, source)


def _python_of_words(session, settings, source):
    lines, background, domain = list[str](), repr(source.background[0]), repr(source.dev)
    if not source.adapt == (source.dev,) == (source.test,):
        test = (source.test, "test") if source.test else (source.dev, "dev")
        texts = {"train": (source.adapt, "train"), "dev": ((source.dev,), "dev"),
                 "test": ((test[0],), test[1])}  # fmt: skip
        read = {part: _reading(*text, source.repairs) for part, text in texts.items()}
        lines += ["domain = {", *(f'    "{part}": {how},' for part, how in read.items()), "}"]
        domain = "domain"
    if len(source.background) > 1:
        lines.append(f"background = {_reading(source.background, 'train', source.repairs)}")
        background = "background"
    options = _options(session, settings) + _levels(source)
    lines += [f"session = open_session({background}, {domain}{options})", *_looking(settings)]
    return "\n".join([*_imports("\n".join(lines)), "", *lines])


def _levels(source):
    """Return the argument that says what the background is adapted to first, if anything."""
    levels = [
        f"({_reading((text,), 'train', True) if source.repairs else repr(text)}, {sigma2:g})"
        for text, sigma2 in read_levels(source.levels)
    ]
    return f", levels=[{', '.join(levels)}]" if levels else ""


def _looking(settings):
    """Return the lines that look at a session where the settings stand."""
    cutoff = f", cutoff={settings.cutoff}" if settings.cutoff != 0 else ""
    part = ', part="test"' if settings.part == "test" else ""
    return [f"now = session.at({settings.sigma2:g}{cutoff}{part})", "print(now.summary)"]


def _python_of_candidates(session, settings, source):
    """Return the lines for candidate sets."""
    background, domain, lines = repr(source.background[0]), repr(source.dev), list[str]()
    if not source.adapt == (source.dev,) == (source.test,):
        test = (source.test, "test") if source.test else (source.dev, "dev")
        texts = {"train": (source.adapt, "train"), "dev": ((source.dev,), "dev"),
                 "test": ((test[0],), test[1])}  # fmt: skip
        read = [f'    "{part}": {_reading_sets(*text)},' for part, text in texts.items()]
        lines, domain = ["domain = {", *read, "}"], "domain"
    if len(source.background) > 1 or "@" in source.background[0]:
        background = _reading_sets(source.background, "train")
    trained = _training(session, settings)
    options = f", options={CANDIDATES | trained!r}" if trained else ""
    lines.append(f"session = open_candidate_session({background}, {domain}{options})")
    imports = [
        f"from workbench.{module} import {name}"
        for name, module in _OF_CANDIDATES.items() if f"{name}(" in "".join(lines)
    ]  # fmt: skip
    return "\n".join([*imports, "", *lines, *_looking(settings)])


_CANDIDATES = "experiments.exploring.candidates"
_OF_CANDIDATES = {
    "open_candidate_session": f"{_CANDIDATES}.candidate_session",
    "load_candidates": f"{_CANDIDATES}.candidate_session",
    "join_sets": "features.candidates.packing",
}
_PYTHON = {"word": _python_of_words, "sentence": _python_of_candidates}


def _reading_sets(texts, part):
    """Return the expression that reads a part of some candidate sets, NAME@PATTERN cut."""
    read = []
    for text in texts:
        name, _, pattern = text.partition("@")
        cut = f".of_documents({pattern!r})" if pattern else ""
        read.append(f'load_candidates({name!r}, "{part}"){cut}')
    return read[0] if len(read) == 1 else f"join_sets('background', [{', '.join(read)}])"


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


def _imports(code):
    """Return the imports of a piece of Python."""
    public = {"open_session"} | {name for name in ("load", "read_corpus") if f"{name}(" in code}
    public |= {"CRF"} if "kind=CRF" in code else set()
    imports = [f"from workbench import {', '.join(sorted(public))}"]
    if "find_data_set(" in code:
        imports.append("from workbench.text.sets.registry import find_data_set, folder_of")
    return imports


def candidate_commands(settings: Settings) -> str:
    """Return the commands that train, adapt and measure on candidate sets, ready for a shell."""
    background, domain = settings.background, settings.domain
    sigma2, cutoff = (SETTINGS[n].text(getattr(settings, n)) for n in ("sigma2", "cutoff"))
    commands = (
        ["train", background, "-o", "background.model"],
        ["adapt", "background.model", domain, "--sigma2", sigma2, "--cutoff", cutoff,
         "-o", "adapted.model"],
        ["evaluate", "background.model", "adapted.model", "--test", domain],
    )  # fmt: skip
    return "\n".join(shlex.join(["python", "-m", "workbench", *words]) for words in commands)
