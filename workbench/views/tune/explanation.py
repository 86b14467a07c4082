"""The explanation of one word's tag: probabilities and weights in both models."""

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from workbench.experiments.session import Session, Snapshot
from workbench.views.error_messages import forget_link, warn_of_link
from workbench.views.tune.diff_html import context_html

_MANY_TAGS = 8  # more are chosen from a list, and only the most probable shown
_WORD, _CHOSEN = "word", "word chosen in the table"
_WEIGHT: dict[str, Any] = {"format": "%.2f", "width": 82}
_WEIGHTS = {
    "predicate": st.column_config.TextColumn("predicate", width=150),
    "background": st.column_config.NumberColumn("background", help="– is no feature", **_WEIGHT),
    "weight": st.column_config.NumberColumn("adapted", **_WEIGHT),
    "change": st.column_config.NumberColumn("change", **_WEIGHT),
}
_HELP = {
    "P(tag | context)": "The softmax of the weights below, summed for each tag.",
    "P(tag | sentence)": "Summed over the tags of all other words. A CRF scores whole sentences: "
    "it depends on the words that follow, too, not only on the weights below.",
}


def choose_word(position: int) -> None:
    """Have the word at a position explained; for callbacks."""
    st.session_state[_CHOSEN] = position


def _label(corpus, position):
    return f"{corpus.words[corpus.word_ids[position]]} · {position}"


def _wanted(corpus):
    """Return the text of the word chosen or named in the link, None if it is not in the corpus."""
    text = st.session_state.get(_WORD) or st.query_params.get(_WORD, "")
    number = text.rpartition(" · ")[2]
    is_here = number.isdecimal() and int(number) < len(corpus)
    return text if is_here and _label(corpus, int(number)) == text else None


def draw(session: Session, snapshot: Snapshot, rows: pd.DataFrame) -> None:
    """Draw a choice among the words of some rows of the diff, and the chosen one explained."""
    corpus = session.corpora[snapshot.part]
    labels = [_label(corpus, position) for position in rows["position"].tolist()[:500]]
    if (position := st.session_state.pop(_CHOSEN, None)) is not None:
        st.session_state[_WORD] = _label(corpus, position)
    wanted = _wanted(corpus)
    if wanted and wanted not in labels:  # the word stays while sigma^2 moves
        labels.insert(0, wanted)
    if not labels:
        return
    warn_of_link(_WORD, labels, "the first of the list is explained instead")
    label = st.selectbox(
        "Why this word?", labels, key=_WORD, bind="query-params",
        on_change=forget_link, args=(_WORD,),
        help="The word and its place in the text. A row of the table chooses it, too.",
    )  # fmt: skip
    _draw_word(session, snapshot, int(label.rpartition(" · ")[2]))


def _draw_word(session, snapshot, position):
    corpus = session.corpora[snapshot.part]
    sentence = int(np.searchsorted(corpus.starts, position, "right")) - 1
    place = position - int(corpus.starts[sentence])
    gold = corpus.tag_names[corpus.tags[position]]
    st.html(context_html(corpus.sentence(sentence), place, f"Reference tag: {gold}"))
    explained = session.explain(snapshot, position)
    _draw_probabilities(session.probabilities(snapshot, position, explained))
    tag = _choose_tag(list(corpus.tag_names), gold, f"tag of {position}")
    _draw_weights(explained[explained["tag"] == tag])


def _choose_tag(tags, gold, key):
    if len(tags) > _MANY_TAGS:
        return st.selectbox("Weights for the tag", tags, tags.index(gold), key=key)
    return st.segmented_control("Weights for the tag", tags, default=gold, required=True, key=key)


def _draw_probabilities(table):
    name = table.index.name
    if len(table) > _MANY_TAGS:
        table = table.loc[table.max(axis=1).nlargest(_MANY_TAGS).index]
    share = st.column_config.ProgressColumn(min_value=0, max_value=1, format="percent", width=110)
    st.dataframe(
        table,
        column_config={name: st.column_config.TextColumn(name, help=_HELP[name], width=110),
                       "background": share, "adapted": share},
        alt=f"{name} of each tag, in the background and the adapted model",
    )  # fmt: skip


def _draw_weights(rows):
    ordered = rows.sort_values("change", key=abs, ascending=False, na_position="last")
    st.dataframe(
        ordered, hide_index=True, placeholder="–", height=260,
        column_order=list(_WEIGHTS), column_config=_WEIGHTS,
        alt="Weights of the predicates that fire for this word, those that moved most first",
    )  # fmt: skip
