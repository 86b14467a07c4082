"""The section of words: one row a word that the adaptation changed, or that is still wrong."""

import streamlit as st

from workbench.evaluation.number_words import counted
from workbench.evaluation.task import find_task
from workbench.experiments.movers import find_subset
from workbench.experiments.session import Session, Snapshot
from workbench.settings import STATUSES_SHOWN, Settings
from workbench.text.characters import join_words
from workbench.views.sections import OF_WORDS, Section

_MAX_ROWS = 500
_COLUMNS = {
    "status": st.column_config.TextColumn("", width=78),
    "before": st.column_config.TextColumn("background", width=88),
    "after": st.column_config.TextColumn("adapted", width=88),
    "gold": st.column_config.TextColumn("reference", width=88),
    "word": st.column_config.TextColumn("word", width=88),
    "left": st.column_config.TextColumn("before it", alignment="right"),
    "right": st.column_config.TextColumn("after it"),
    "tag_before": st.column_config.TextColumn("tag", width=60, help="Background's tag"),
    "tag_after": st.column_config.TextColumn("→", width=60, help="Adapted model's tag"),
}
_COLUMNS_OF_CASE = ["status", "after", "before", "gold", "tag_before", "tag_after", "left", "right"]
_COLUMNS_OF_LABELS = ["word", "before", "after", "gold", "status", "left", "right"]
_ROWS = "rows shown"


def draw(settings: Settings, session: Session, snapshot: Snapshot) -> None:
    """Draw the words that the buttons above the text ask for; a row chosen is explained there."""
    rows = _choose_rows(settings, session, snapshot)
    if rows.empty:
        st.caption("No such word at this σ².")
        return
    shown = rows.head(_MAX_ROWS)
    shown = shown.assign(left=_as_written(shown["left"]), right=_as_written(shown["right"]))
    st.session_state[_ROWS] = shown[["position", "word"]].values.tolist()
    st.dataframe(
        shown, height=420, hide_index=True, column_config=_COLUMNS,
        column_order=_COLUMNS_OF_CASE if find_task(session.background).recases
        else _COLUMNS_OF_LABELS,
        # A selection is a row number: other rows, another table.
        key=_key(), on_select=_choose, selection_mode="single-row",
        alt="Words that the adaptation changed",
    )  # fmt: skip
    more = f"; the first {_MAX_ROWS:,} are shown" if len(rows) > _MAX_ROWS else ""
    st.caption(f"{counted(len(rows), 'words')}{more}. Select a row to see why, above.")


def _as_written(phrases):
    return [join_words(phrase.split()) for phrase in phrases]


def _choose_rows(settings, session, snapshot):
    """Return the rows that the scrubber shows as words: by status or tags, and by slice."""
    rows = snapshot.diff
    if ">" in settings.pair:
        gold, _, given = settings.pair.partition(">")
        rows = rows[(rows["gold_tag"] == gold) & (rows["tag_after"] == given)]
    else:
        rows = rows[rows["status"].isin(STATUSES_SHOWN[settings.show])]
    only = find_subset(session, snapshot, settings.slice)
    return rows if only is None else rows[rows["position"].isin(only)]


def _key():
    return f"changes {hash(tuple(map(tuple, st.session_state[_ROWS])))}"


def _choose():
    if selected := st.session_state[_key()]["selection"]["rows"]:
        position, word = st.session_state[_ROWS][selected[0]]
        st.session_state["word"] = f"{word} · {position}"


SECTION = Section("words", OF_WORDS, draw)
