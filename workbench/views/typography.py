"""Headings, sentences, numbers and columns as the page sets them; a user's text is escaped."""

import re
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

import streamlit as st

from workbench.evaluation.number_words import chance_in_words, change_in_words, nats, signed
from workbench.experiments.session import Session, Snapshot
from workbench.models.shipped import BACKGROUNDS
from workbench.settings import STATUSES_SHOWN

SCALED = {"rate": "%.2f %%"}  # shown in per cent, kept as fractions
_FORMATS = {"count": "localized", "number": "%.4g", "seconds": "%.1f"}
# What a format cannot say is text: true minus signs, "no change", "< 0.001".
_WORDS: dict[str, Callable[[Any], str]] = {
    "change": change_in_words,
    "chance": chance_in_words,
    "nats": nats,
    "signed": signed,
}


def title_html(background: str, domain: str, facts: Sequence[str] = ()) -> str:
    """Return what is adapted to what, and facts about it, as HTML."""
    line = f"<p>{' · '.join(escape(fact) for fact in facts)}</p>" if facts else ""
    background = BACKGROUNDS.get(background, background)
    title = f"<em>{escape(background)}</em> adapted to <em>{escape(domain)}</em>"
    return f'<div class="wb wb-title"><h1>{title}</h1>{line}</div>'


def facts(session: Session, snapshot: Snapshot) -> str:
    """Return which text is seen, and what to do with it, in words."""
    units, n = session.task.wording.units, len(session.dropped)
    says = f"The larger σ², the more the model trusts the new text: move it and watch {units} flip"
    says = "On the test text nothing is chosen" if snapshot.part == "test" else says
    says = f"Adapted without {n} of the adaptation text's sentences" if n else says
    held = f"{len(session.background_tags(snapshot.part)):,} {units} held back ({snapshot.part})"
    held += ", as the adapted model writes them" if session.task.recases else ""
    return f"{says} · {held}"


def summary_html(summary: str) -> str:
    """Return what happened, in words, as HTML."""
    return f'<p class="wb wb-summary">{escape(summary)}</p>'


def typeset(sentence: str) -> str:
    """Return a sentence with true minus signs, σ², and a space before % that does not break."""
    sentence = sentence.replace("sigma2_", "σ²").replace("sigma2", "σ²")
    sentence = re.sub(r"(\d)%", "\\1\u00a0%", sentence)
    return re.sub(r"(?<![\w-])-(?=\d)", "−", sentence)


def number_column(heading: str, kind: str, **options: Any) -> Any:
    """Return the configuration of a column of numbers; kinds as in ``Column``, and seconds."""
    if kind in _WORDS:
        return st.column_config.TextColumn(heading, alignment="right", **options)
    form = SCALED.get(kind) or _FORMATS[kind]
    return st.column_config.NumberColumn(heading, format=form, **options)


def scale(value: float | None, kind: str) -> float | str | None:
    """Return a value as its ``number_column`` takes it: rates in per cent, some kinds as text."""
    if value is None:
        return None
    if kind in _WORDS:
        return _WORDS[kind](value)
    return value if kind not in SCALED else 100 * value


def draw_table(
    rows: Sequence[Mapping], columns: Mapping[str, Any], always: Sequence[str], alt: str
) -> None:
    """Draw a table of the columns in which its rows differ, and those ``always`` shown.

    None that is empty; ``columns`` are configurations by name, in the order of the table.
    """
    shown = [name for name in columns if (own := {row.get(name) for row in rows}) != {None}
             and (name in always or len(own) > 1)]  # fmt: skip
    st.dataframe(
        list(rows), hide_index=True, placeholder="–", column_config=columns, column_order=shown,
        height="content", alt=alt,
    )  # fmt: skip


def draw_subsets(
    key: str, rows: Any, names: Sequence[str], columns: Mapping[str, Any], alt: str, **options: Any
) -> None:
    """Draw a table whose rows are parts of the text; a click on one filters the text.

    A click on the number of its fixed or broken words shows these. ``names`` are those of its rows,
    as ``find_subset`` reads them. ``rows`` and ``options`` are as in ``st.dataframe``, ``columns``
    configurations by name, in the order of the table.
    """
    st.session_state[f"{key} shown"] = list(names)
    st.dataframe(
        rows, hide_index=True, column_config=columns, column_order=list(columns), key=key,
        on_select=lambda: _choose_subset(key), selection_mode="single-cell", alt=alt, **options,
    )  # fmt: skip


def _choose_subset(key):
    cells, names = st.session_state[key]["selection"]["cells"], st.session_state[f"{key} shown"]
    row, column = cells[0] if cells else (None, "")
    st.session_state["word"] = ""  # its panel would hide the words of the slice
    st.session_state["slice"] = "" if row is None else names[row]
    if column in STATUSES_SHOWN:
        st.session_state["show"] = column
