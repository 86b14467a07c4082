"""Buttons that save the curve as a picture: the browser module draws it, so nothing else can."""

from typing import Any

import streamlit as st

from workbench.experiments.exploring.session import Session, Snapshot
from workbench.scrub.bundle import script, sheet
from workbench.scrub.payload import make_payload

_NEEDED = ("part", "quality", "sigma2s", "points", "models")  # of a payload, for its curve
_mount = st.components.v2.component(
    "picture", html='<div class="place"></div>', css=sheet(), js=script("picture")
)


def draw(session: Session, snapshot: Snapshot, file: str, title: str) -> None:
    """Draw the buttons; ``file`` is the name of the file without its end."""
    _mount(key="picture", data=picture_data(session, snapshot, file, title))


def picture_data(session: Session, snapshot: Snapshot, file: str, title: str) -> dict[str, Any]:
    """Return what the browser draws the curve from."""
    payload = make_payload(session, snapshot.point["cutoff"], snapshot.part)
    at = payload["sigma2s"].index(f"{snapshot.tuned.sigma2:g}")
    curve = {name: payload[name] for name in _NEEDED}
    return {"payload": curve, "at": at, "file": file, "title": title}
