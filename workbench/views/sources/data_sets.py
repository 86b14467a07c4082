"""Data sets that are known but cannot be chosen, and why not."""

from html import escape

import streamlit as st

from workbench.views import cache


def draw_unavailable() -> None:
    """Draw a button that opens the list of such data sets; nothing where all can be chosen."""
    found = [data_set for data_set in cache.all_data_sets() if data_set.obstacle]
    if not found:
        return
    with st.popover(f"{len(found)} sets unavailable: why?", width="stretch"):
        rows = (
            f"<li><b>{escape(data_set.name)}</b>: {escape(data_set.obstacle)}.</li>"
            for data_set in found
        )
        st.html(f'<ul class="wb wb-unavailable">{"".join(rows)}</ul>')
        st.caption(
            "Folders of your own are listed if they are in data/ or in the folder that "
            "WORKBENCH_DATA names. A domain needs train, dev and test text."
        )
