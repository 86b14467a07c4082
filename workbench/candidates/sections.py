"""The sections of candidate sets: sentences whose choice changed, and weights that moved."""

import streamlit as st

from workbench.candidates.sets import TASK
from workbench.candidates.why import moved_weights
from workbench.experiments.movers import WEIGHT, find_subset, name_subset
from workbench.experiments.session import Session, Snapshot
from workbench.settings import BROKEN, FIXED, STATUSES_SHOWN, STILL_WRONG, Settings
from workbench.views.sections import Section
from workbench.views.sections.weights import draw_weights
from workbench.views.typography import number_column

_MAX_ROWS = 1000
_KEY = "table of choices"
_POSITIONS = "sentences shown"
# What a narrow screen must show comes first.
_COLUMNS = {
    "said": st.column_config.TextColumn("", width=70),
    "quality_before": number_column("background", "rate", width=85),
    "quality_after": number_column("adapted", "rate", width=75),
    "best": number_column("best", "rate", width=65),
    "before": number_column("choice", "count", width=60, help="The background's, by its number"),
    "after": number_column("→", "count", width=45, help="The adapted model's"),
    "text": st.column_config.TextColumn("sentence", width=420),
    "document": st.column_config.TextColumn("document", width=150),
}


def draw_choices(settings: Settings, session: Session, snapshot: Snapshot) -> None:
    """Draw the sentences that the buttons above ask for; a chosen row is explained there."""
    rows = snapshot.diff[snapshot.diff["status"].isin(STATUSES_SHOWN[settings.show])]
    only = find_subset(session, snapshot, settings.slice)
    rows = rows if only is None else rows[rows["position"].isin(only)]
    if rows.empty:
        st.caption("No such sentence at this σ².")
        return
    wording = session.task.wording
    names = {FIXED: wording.fixed, BROKEN: wording.broken, STILL_WRONG: wording.wrong}
    shown = rows.head(_MAX_ROWS)
    st.session_state[_POSITIONS] = shown["position"].tolist()
    rates = {name: 100 * shown[name] for name in ("quality_before", "quality_after", "best")}
    st.dataframe(
        shown.assign(said=shown["status"].map(names), **rates), height=420, hide_index=True,
        column_config=_COLUMNS, column_order=_columns_of(shown), key=_key(),
        on_select=_choose, selection_mode="single-row", alt="Sentences and the candidates chosen",
    )  # fmt: skip
    more = f"; the first {_MAX_ROWS:,} are shown" if len(rows) > _MAX_ROWS else ""
    measure = session.corpora[snapshot.part].quality_name
    st.caption(
        f"{len(rows):,} sentences{more}, with the {measure} of the candidate that each model "
        "chooses, and of the best there is, in %. Select a row to see why, above."
    )


def _columns_of(shown):
    """Return the columns that have something to say."""
    return [name for name in _COLUMNS if name == "said" or shown[name].astype(bool).any()]


def _key():
    return f"{_KEY} {hash(tuple(st.session_state[_POSITIONS]))}"


def _choose():
    if selected := st.session_state[_key()]["selection"]["rows"]:
        st.session_state["word"] = f"sentence · {st.session_state[_POSITIONS][selected[0]]}"


CHOICES = Section("choices", (TASK,), draw_choices)
_WEIGHT_COLUMNS = {
    "feature": st.column_config.TextColumn("feature", width=165),
    "adapted": st.column_config.NumberColumn("adapted", width=84),
    "background": st.column_config.NumberColumn("background", width=84, help="–: no such feature"),
    "change": st.column_config.NumberColumn("change", width=84, help="In nats"),
    "helped": number_column(
        "helped", "count", width=70, help="Sentences whose choice it helped to change"
    ),
    "sentences": number_column(
        "seen in", "count", width=70,
        help="Sentences of the adaptation data in which it tells candidates apart",
    ),
}  # fmt: skip


def draw_moved(settings: Settings, session: Session, snapshot: Snapshot) -> None:
    """Draw the weights that moved most."""
    table = moved_weights(session, snapshot)
    names = [name_subset(WEIGHT, feature) for feature in table["feature"]]
    caption = "A click on a row shows, above, the sentences whose choice it helped to change."
    draw_weights("table of moved weights", table, names, _WEIGHT_COLUMNS, caption)


WEIGHTS = Section("weights", (TASK,), draw_moved)
