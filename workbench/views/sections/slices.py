"""The section of slices: where the errors are, with the number of words and an interval."""

from typing import Any

import streamlit as st

from workbench.evaluation.number_words import change_in_words, interval_in_words
from workbench.evaluation.slices import LIKE, tell_clear
from workbench.experiments.movers import name_subset
from workbench.experiments.session import Session, Snapshot
from workbench.settings import ROLE_COLORS, Settings
from workbench.views.sections import OF_WORDS, Section
from workbench.views.typography import SCALED, draw_subsets, number_column, summary_html

_BAR: Any = {"min_value": 0, "max_value": 100, "format": SCALED["rate"], "width": 80}
_COLUMNS = {  # the first three are seen at 400 px
    "name": st.column_config.TextColumn("slice", width=190, pinned=True),
    "before": st.column_config.ProgressColumn(
        "background", **_BAR, color=ROLE_COLORS["background"]
    ),
    "after": st.column_config.ProgressColumn("adapted", **_BAR, color=ROLE_COLORS["adapted"]),
    "n": number_column("words", "count", width=60),
    "change": st.column_config.TextColumn("change of errors", width=155),
    "fixed": number_column("fixed", "count", width=52),
    "broken": number_column("broken", "count", width=58),
}
_LIKE = "pattern of words"
_HELP = "Words are taken as written: * stands for any letters, ? for one, [0-9] for a digit."


def draw(settings: Settings, session: Session, snapshot: Snapshot) -> None:
    """Draw errors by slice; a row that is chosen filters text and words to its own."""
    kind, _, name = settings.slice.partition(": ")
    like = name.partition(" & ")[0] if kind == LIKE else ""
    st.session_state[_LIKE] = like
    st.text_input("Only words like", key=_LIKE, on_change=_take, width=470, help=_HELP,
                  placeholder="un*, *-*, *[0-9]*")  # fmt: skip
    table = session.slices(snapshot, like)
    if table.empty:
        st.caption(f"No word of this text is like that. {_HELP}")
        return
    names = [name_subset(*row) for row in table[["kind", "name"]].values]
    subsets = [names[0], *(f"{names[0]} & {name}" for name in names[1:])] if like else names
    rows = table.assign(
        name=names, before=100 * table["before"], after=100 * table["after"],
        change=[_describe(row) for row in table.itertuples()],
    )  # fmt: skip
    st.html(summary_html(tell_clear(table)))
    alt = "Errors of background and adapted model by slice"
    draw_subsets(f"table of slices {like}", rows, subsets, _COLUMNS, alt, height="content")
    frequency = "“Frequency” is how often the word stands in the background text. "
    st.caption(
        "Bars: % of words with a wrong tag. Fixed: now the right tag and the right letters. "
        f"{frequency if 'frequency' in set(table['kind']) else ''}"
        "Intervals of 95 %, by a paired bootstrap of sentences. A click on a row shows its words."
    )


def _take():
    pattern = st.session_state[_LIKE].strip()
    st.session_state["slice"] = name_subset(LIKE, pattern) if pattern else ""


def _describe(row):
    if row.relative_change != row.relative_change:  # nan: no error before
        return "no errors before" if row.after else "no errors"
    if not row.after:
        return "no errors left"
    interval = interval_in_words((row.low, row.high), lambda bound: change_in_words(bound, "0 %"))
    return f"{change_in_words(row.relative_change)} ({interval})"


SECTION = Section("slices", OF_WORDS, draw)
