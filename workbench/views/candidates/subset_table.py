"""A table whose rows are parts of the text: one that is chosen filters the sentences above."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

_SHOWN = " shown"  # after the key of a table: the names of its rows


def draw(
    key: str, rows: Any, names: Sequence[str], columns: Mapping[str, Any], alt: str, **options: Any
) -> None:
    """Draw a table; ``names`` are those of its rows, as ``find_subset`` reads them.

    ``rows`` and ``options`` are as in ``st.dataframe``, ``columns`` configurations by name, in
    the order of the table.
    """
    st.session_state[key + _SHOWN] = list(names)
    st.dataframe(
        rows, hide_index=True, column_config=columns, column_order=list(columns), key=key,
        on_select=lambda: _choose(key), selection_mode="single-row", alt=alt, **options,
    )  # fmt: skip


def _choose(key):
    chosen = st.session_state[key]["selection"]["rows"]
    st.session_state["slice"] = st.session_state[key + _SHOWN][chosen[0]] if chosen else ""
