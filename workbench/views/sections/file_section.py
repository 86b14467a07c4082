"""The section of files: the adapted model, and the words that the adaptation changed."""

from pathlib import Path
from tempfile import TemporaryDirectory

import streamlit as st

from workbench.evaluation.task import find_task
from workbench.experiments.exploring.session import Session, Snapshot
from workbench.models.capitalizer import Capitalizer
from workbench.settings import SETTINGS, Settings
from workbench.views import controls


def draw(settings: Settings, session: Session, snapshot: Snapshot) -> None:
    """Draw a button for each file."""
    command = "recase" if find_task(session.background).recases else "evaluate"
    cutoff = SETTINGS["cutoff"].text(settings.cutoff)
    name = f"{session.corpora['train'].name}-sigma2-{snapshot.tuned.sigma2:g}-cutoff-{cutoff}"
    with st.container(horizontal=True):
        controls.offer_file(
            "Adapted model", lambda: model_file(snapshot.tuned.model), f"{name}.model",
            help=f"For `python -m workbench {command}`, on any machine.",
        )  # fmt: skip
        controls.offer_file(
            "Changed words, CSV", lambda: snapshot.diff.to_csv(index=False).encode(),
            f"{name}-{snapshot.part}.csv", "text/csv",
        )  # fmt: skip


def model_file(model: Capitalizer) -> bytes:
    """Return a model as the bytes of its file."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "adapted.model")
        model.save(path)
        return path.read_bytes()
