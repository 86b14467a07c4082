"""The section of files: model, tables, figures, the curve as a picture, and how to repeat them."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import streamlit as st

from workbench.experiments.exploring.candidates.candidate_sources import is_recased
from workbench.experiments.exploring.exports import (
    changed_words_csv,
    command_line,
    curve_csv,
    figures_json,
    python_lines,
    slices_csv,
)
from workbench.experiments.exploring.session import Session, Snapshot
from workbench.models.capitalizer import Capitalizer
from workbench.scrub import repeat
from workbench.scrub.repeat import Source
from workbench.scrub.report_page import report_html
from workbench.settings import SETTINGS, Settings
from workbench.views import controls
from workbench.views.sections import recase_section
from workbench.views.sources import own_sets
from workbench.views.tune import dropping, picture, reviewing

_EXPLAINED = 30  # of the report, on a page where somebody waits for it
_CHANGED = {"word": "Changed words", "sentence": "Choices"}  # by ``Session.unit``


def draw(settings: Settings, session: Session, snapshot: Snapshot) -> None:
    """Draw a button for each file, and the lines that repeat the figures."""
    name = _file_name(settings, session, snapshot)
    with st.container(horizontal=True):
        _offer_model(session, snapshot, name)
        _offer_tables(settings, session, snapshot, f"{name}-{snapshot.part}")
        controls.offer_file(
            "Report, HTML", lambda: report_page(settings, session), f"{name}.html", "text/html",
            help="A single page with a working slider, which opens offline. Making it takes "
            f"some seconds: it explains {_EXPLAINED} {session.task.wording.units}.",
        )  # fmt: skip
    title = f"{settings.background} → {settings.domain}: {session.quality_name or 'errors'} and σ²"
    picture.draw(session, snapshot, f"{name}-{snapshot.part}-curve", title)
    if session.task.recases:
        recase_section.draw(snapshot.tuned.model, name)
    own = own_sets.files()
    has_own = bool(own.keys() & {settings.background, settings.domain})
    _REPETITION[session.unit](settings, session, has_own, own)
    if dropping.dropped() or reviewing.current().describe():
        st.caption("Neither repeats what you dropped, corrected or changed on this page.")


def _file_name(settings, session, snapshot):
    cutoff = SETTINGS["cutoff"].text(settings.cutoff)
    return f"{session.corpora['train'].name}-sigma2-{snapshot.tuned.sigma2:g}-cutoff-{cutoff}"


def _offer_model(session, snapshot, name):
    command = "recase" if session.task.recases else "evaluate"
    controls.offer_file(
        "Adapted model", lambda: model_file(snapshot.tuned.model), f"{name}.model",
        help=f"For `python -m workbench {command}`, on any machine.",
    )  # fmt: skip


def _offer_tables(settings, session, snapshot, name):
    cutoff = snapshot.point["cutoff"]
    tables: dict[str, Callable[[], str]] = {
        _CHANGED[session.unit]: lambda: changed_words_csv(snapshot),
        "Slices": lambda: slices_csv(session, snapshot),
        "Curve": lambda: curve_csv(session, cutoff),
    }
    for label, make in tables.items():
        file = f"{name}-{label.lower().replace(' ', '-')}.csv"
        controls.offer_file(f"{label}, CSV", make, file, "text/csv")
    controls.offer_file(
        "Figures, JSON", lambda: figures_json(session, settings, snapshot), f"{name}.json",
        "application/json", help="Settings, fingerprints of the texts, and every figure.",
    )  # fmt: skip


def _repeat_words(settings, _, has_own, own):
    """Draw Python and command line that make the figures again."""
    st.caption("The same figures in Python")
    st.code(python_lines(settings, own), "python", wrap_lines=True)
    if has_own:
        st.caption("The page divides a text of your own into parts, which no command does: save "
                   "it as a file of that name and use the lines of Python.")  # fmt: skip
    else:
        st.caption("The same errors by the command line")
        st.code(command_line(settings), "bash", wrap_lines=True)


def _repeat_choices(settings, session, has_own, own):
    """Draw Python and the commands that make the figures of candidate sets again."""
    if has_own:
        st.caption(
            "The page divides sets of your own, which nothing else does: save their parts as "
            "train.svm, dev.svm and test.svm in folders with the names that the lines have."
        )
    folders = {
        setting: f"my-{setting}"
        for setting in ("background", "domain") if getattr(settings, setting) in own
    }  # fmt: skip
    settings = replace(settings, **folders)
    st.caption("The same figures in Python")
    st.code(repeat.python_lines(session, settings, Source.of(settings)), "python", wrap_lines=True)
    if is_recased(settings.background) or is_recased(settings.domain):
        st.caption(
            "No command makes recasings of the embedded text: they are there on the page and in "
            "Python alone."
        )
    else:
        st.caption("The same models by the command line, measured on the test text")
        st.code(repeat.candidate_commands(settings), "bash", wrap_lines=True)


# By what a decision is about: ``Session.unit``.
_REPETITION = {"word": _repeat_words, "sentence": _repeat_choices}


def report_page(settings: Settings, session: Session) -> str:
    """Return the report of a session; the user's own texts have the names of their files there."""
    own = own_sets.files()
    names = {name: getattr(settings, name) for name in ("background", "domain")}
    files = {setting: own.get(name, name) for setting, name in names.items()}
    source = Source.of(replace(settings, **files))
    return report_html(session, settings, source, n_explained=_EXPLAINED)


def model_file(model: Capitalizer) -> bytes:
    """Return a model as the bytes of its file."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "adapted.model")
        model.save(path)
        return path.read_bytes()
