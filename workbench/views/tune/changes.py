"""The words that the adaptation changed, as running text or as a table."""

import streamlit as st

from workbench.evaluation.diff import status_counts
from workbench.evaluation.task import find_task
from workbench.experiments.session import Session, Snapshot
from workbench.settings import STATUSES_SHOWN, TABLE
from workbench.views import controls
from workbench.views.tune import explanation
from workbench.views.tune.diff_html import key_html, text_html

_SENTENCES_A_PAGE = 10
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
_COLUMNS_OF_CASE = ["status", "before", "after", "gold", "left", "right", "tag_before", "tag_after"]
_COLUMNS_OF_LABELS = ["word", "before", "after", "gold", "status", "left", "right"]


def draw(session: Session, snapshot: Snapshot) -> None:
    """Draw the changed words on the left and the explanation of one on the right."""
    st.subheader("Words", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        show = controls.choose("show", widget=st.segmented_control)
        layout = controls.choose("layout", widget=st.segmented_control)
    rows = snapshot.diff[snapshot.diff["status"].isin(STATUSES_SHOWN[show])]
    left, right = st.columns(2, gap="medium")  # as wide as the table of weights
    with left:
        st.html(key_html(status_counts(snapshot.diff)))
        if rows.empty:
            st.caption("No such word at this σ².")
        elif layout == TABLE:
            _draw_table(rows, find_task(session.background).recases)
        else:
            rows = _draw_text(session.corpora[snapshot.part], rows)
    with right:
        explanation.draw(session, snapshot, rows)


def _draw_text(corpus, rows):
    """Draw a page of sentences; returns the rows on it."""
    sentences = rows["sentence"].unique().tolist()
    slot = st.container()
    pages = [
        sentences[i : i + _SENTENCES_A_PAGE] for i in range(0, len(sentences), _SENTENCES_A_PAGE)
    ]
    with st.container(horizontal=True, vertical_alignment="center"):
        page = st.pagination(len(pages), key="page") if len(pages) > 1 else 1
        st.caption(f"{len(sentences):,} sentences")
    chosen = pages[min(page, len(pages)) - 1]
    on_page = rows[rows["sentence"].isin(chosen)]
    slot.html(text_html(corpus, on_page, chosen))
    return on_page


def _draw_table(rows, recases):
    shown = rows.head(_MAX_ROWS)
    st.session_state["rows shown"] = shown["position"].tolist()
    st.dataframe(
        shown, height=420, hide_index=True, column_config=_COLUMNS,
        column_order=_COLUMNS_OF_CASE if recases else _COLUMNS_OF_LABELS,
        # A selection is a row number: other rows, another table.
        key=f"changes {hash(tuple(st.session_state['rows shown']))}",
        on_select=_explain_row, selection_mode="single-row",
        alt="Words that the adaptation changed",
    )  # fmt: skip
    more = f"; the first {_MAX_ROWS:,} are shown" if len(rows) > _MAX_ROWS else ""
    st.caption(f"{len(rows):,} words{more}. Select a row to see why.")


def _explain_row():
    rows = st.session_state["rows shown"]
    key = f"changes {hash(tuple(rows))}"
    if selected := st.session_state[key]["selection"]["rows"]:
        explanation.choose_word(rows[selected[0]])
