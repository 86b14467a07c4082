"""The section of files for candidate sets: model, tables, the curve, and how to repeat them."""

import shlex

import streamlit as st

from workbench.experiments.exploring.exports import curve_csv
from workbench.experiments.exploring.session import Session, Snapshot
from workbench.settings import SETTINGS, Settings
from workbench.views import controls
from workbench.views.sections.file_section import model_file
from workbench.views.tune import picture

_OPENS = "from workbench.experiments.exploring.candidates.candidate_session import "


def draw(settings: Settings, session: Session, snapshot: Snapshot) -> None:
    """Draw a button for each file, and the lines that repeat the figures."""
    cutoff = SETTINGS["cutoff"].text(settings.cutoff)
    stem = settings.domain.replace("/", "-")
    name = f"{stem}-sigma2-{snapshot.tuned.sigma2:g}-cutoff-{cutoff}"
    with st.container(horizontal=True):
        controls.offer_file(
            "Adapted model", lambda: model_file(snapshot.tuned.model), f"{name}.model",
            help="For `python -m workbench evaluate`, on any machine.",
        )  # fmt: skip
        controls.offer_file(
            "Choices, CSV", lambda: snapshot.diff.to_csv(index=False),
            f"{name}-{snapshot.part}-choices.csv", "text/csv",
        )  # fmt: skip
        controls.offer_file(
            "Curve, CSV", lambda: curve_csv(session, settings.cutoff),
            f"{name}-curve.csv", "text/csv",
        )  # fmt: skip
    title = f"{settings.background} → {settings.domain}: quality and σ²"
    picture.draw(session, snapshot, f"{name}-{snapshot.part}-curve", title)
    st.caption("The same figures in Python")
    st.code(python_lines(settings), "python", wrap_lines=True)
    if "/" in settings.background:
        st.caption("The same model by the command line")
        st.code(command_lines(settings), "bash", wrap_lines=True)


def python_lines(settings: Settings) -> str:
    """Return Python that opens the session again and says what adaptation did."""
    cutoff = f", cutoff={settings.cutoff}" if settings.cutoff != 0 else ""
    return "\n".join(
        [
            f"{_OPENS}open_candidate_session", "",
            f"session = open_candidate_session({settings.background!r}, {settings.domain!r})",
            f"now = session.at({settings.sigma2:g}{cutoff}, part={settings.part!r})",
            "print(now.summary)",
        ]
    )  # fmt: skip


def command_lines(settings: Settings) -> str:
    """Return the commands that train, adapt and measure the same models, ready for a shell."""
    domain, cutoff = settings.domain, SETTINGS["cutoff"].text(settings.cutoff)
    sigma2 = SETTINGS["sigma2"].text(settings.sigma2)
    commands = (
        ["train", settings.background, "-o", "background.model"],
        ["adapt", "background.model", domain, "--sigma2", sigma2, "--cutoff", cutoff,
         "-o", "adapted.model"],
        ["evaluate", "background.model", "adapted.model", "--test", domain],
    )  # fmt: skip
    return "\n".join(shlex.join(["python", "-m", "workbench", *words]) for words in commands)
