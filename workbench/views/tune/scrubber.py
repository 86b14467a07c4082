"""The scrubber on the page: the browser module, told where it stands and listened to."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from workbench.scrub.bundle import script, sheet
from workbench.views.tune import dropping

_KEY = "scrubber"
_mount = st.components.v2.component(
    "scrubber", html='<div class="place"></div>', css=sheet(), js=script("streamlit")
)


def draw(view: Mapping[str, Any]) -> None:
    """Draw the scrubber; what the user settles on stands in the settings of the next run."""
    with st.container(key="scrubber-place"):
        _mount(key=_KEY, data=dict(view), on_message_change=_take)


def _take():
    """Put what the browser says into the widgets that hold the settings."""
    message = dict(st.session_state[_KEY].message)
    if "drop" in message:
        dropping.drop(int(message.pop("drop")))
    st.session_state.update(message)
