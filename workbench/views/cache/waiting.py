"""Runs of the page that wait for one another, or end because the user has moved on."""

from collections.abc import Callable

import streamlit as st

from workbench.experiments.shared_objects import OnWait


def yield_run() -> None:
    """Let Streamlit end this run if the user has moved on; it looks whenever state is read."""
    st.session_state.get("_")


def waiting(on_wait: OnWait) -> Callable[[], None]:
    """Return what a waiting run calls repeatedly: it says so, and ends an outdated run."""

    def wait():
        yield_run()
        if on_wait:
            on_wait()

    return wait
