"""The scrubber on the page: the browser module, told where it stands and listened to."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from workbench.scrub.bundle import page_script, script, sheet
from workbench.views.tune import dropping

_KEY = "scrubber"
_put_on_shelf = st.components.v2.component("shelf", js=script("shelf"))
_mount = st.components.v2.component(
    "scrubber", html='<div class="place"></div>', css=sheet(), js=page_script()
)


def draw(view: Mapping[str, Any]) -> None:
    """Draw the scrubber; what the user settles on stands in the settings of the next run.

    What is large, the payload and the module, goes into an element of its own: it is sent again
    only where it changes.
    """
    payload = view["payload"]
    with st.container(key="shelf"):
        _put_on_shelf(key="payload", data=payload)
    with st.container(key="scrubber-place"):
        data = {**view, "payload": {"id": payload["id"]}}
        _mount(key=_KEY, data=data, on_message_change=_take)


def _take():
    """Put what the browser says into the widgets that hold the settings."""
    message = dict(st.session_state[_KEY].message)
    if "drop" in message:
        dropping.drop(int(message.pop("drop")))
    st.session_state.update(message)
