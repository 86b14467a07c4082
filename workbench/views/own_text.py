"""The user's own text: a file to adapt to, a sentence to try."""

from html import escape

import streamlit as st

from workbench.experiments.session import divide
from workbench.text.casing import wipe_case
from workbench.text.corpus import CorpusBuilder
from workbench.text.readers import add_text, decode
from workbench.views.cards import forms_html
from workbench.views.problems import told_in_place

_OWN = "own corpora"
_MEGABYTES = 20
_INSTANCE = "mr. obama met nasa and the fbi in los angeles, then opened the streamlit app."


def draw_upload():
    """Draw the uploader; returns the corpora of the last good file, None without a file.

    A file that cannot be used says why and leaves the one before in its place.
    """
    file = st.file_uploader(
        "Adapt to your own text",
        type=["txt"],
        key="upload",
        max_upload_size=_MEGABYTES,
        help="UTF-8 plain text in its natural case, one sentence a line or running text. "
        "Of every 5 blocks of sentences 3 train, 1 is for development, 1 for test.",
    )
    if file is None:
        st.session_state.pop(_OWN, None)
        return None
    kept = st.session_state.get(_OWN)
    if not kept or kept[0] != file.file_id:
        with told_in_place():
            kept = file.file_id, read_upload(file.getvalue(), file.name)
            st.session_state[_OWN] = kept
    if not kept:
        return None
    corpora = kept[1]
    words = sum(map(len, corpora.values()))
    st.html(_note(corpora["train"].name, words))
    return corpora


def _note(name, words):
    return f"<small>Adapting to {escape(name)}, {words:,} words. Remove it to go back.</small>"


def read_upload(data, name):
    """Return train, dev and test corpora of the bytes of a file; InputError says what is wrong."""
    builder = CorpusBuilder()
    add_text(builder, decode(data, name), name)
    return divide(builder.build(name).require_cased())


def draw_trial(session, snapshot):
    """Draw a line to type in, and what each model makes of it."""
    st.subheader("Try a sentence", anchor=False)
    text = st.text_input(
        "In lower case",
        _INSTANCE,
        max_chars=300,
        key="try",
        bind="query-params",
        live=True,
        label_visibility="collapsed",
    )
    models = {
        "1-gram": session.unigram,
        "background": session.background,
        "adapted": snapshot.tuned.model,
    }
    if text.strip():
        forms = {name: model.recase(wipe_case(text)) for name, model in models.items()}
        st.html(forms_html(forms))
