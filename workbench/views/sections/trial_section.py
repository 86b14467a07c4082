"""The section of a trial: any text in three capitalizations, and how sure the adapted model is."""

import streamlit as st

from workbench.charts.coverage_chart import describe_coverage, draw_coverage
from workbench.experiments.exploring.confidence import (
    MOST_CHARACTERS,
    THRESHOLDS,
    coverage,
    find_trial,
    try_text,
)
from workbench.experiments.exploring.session import Session, Snapshot
from workbench.settings import Settings
from workbench.views.error_messages import plain, show_errors
from workbench.views.sections.trial_html import trial_html

_TEXT, _THRESHOLD, _START = "try", "threshold of p", "trial sentence"
_DEFAULT = 0.9


def draw(settings: Settings, session: Session, snapshot: Snapshot) -> None:
    """Draw a text to type or paste, its three capitalizations, and a threshold with its price."""
    text = st.text_area(
        "Type or paste a text, in any case and with its punctuation", _start(session, snapshot),
        height=100, key=_TEXT,
        help=f"Up to {MOST_CHARACTERS:,} characters. The models see it without its capitals.",
    )  # fmt: skip
    threshold = st.select_slider(
        "Sure enough: p above", THRESHOLDS, value=_DEFAULT, key=_THRESHOLD,
        format_func=lambda value: f"{value:g}",
        help="p: the adapted model's probability of its tag, given the whole sentence.",
    )  # fmt: skip
    with show_errors():
        words = try_text(session, snapshot, text or "")
        if words:
            st.html(trial_html(words, threshold))
        st.caption(
            "≠ and a solid line: the form differs from the background's. Dotted line: the adapted "
            "model is not sure enough; point at the word to see p."
        )
    _draw_coverage(session, snapshot, threshold)


def _start(session, snapshot):
    """Return the sentence that the text begins with: chosen once for a session."""
    kept = st.session_state.get(_START)
    if kept is None or kept[0] is not session:
        if kept is not None and st.session_state.get(_TEXT) == kept[1]:
            del st.session_state[_TEXT]  # another domain: nobody has typed, so another sentence
        kept = session, find_trial(session, snapshot)
        st.session_state[_START] = kept
    return kept[1]


def _draw_coverage(session, snapshot, threshold):
    table = coverage(session, snapshot)
    says = describe_coverage(table, threshold)
    st.markdown(f"**{plain(says)}**")
    chart = draw_coverage(table, threshold)
    st.altair_chart(chart, key="coverage chart", alt=says)
