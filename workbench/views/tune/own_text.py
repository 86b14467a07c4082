"""The user's own text: a file to adapt to, a sentence to try."""

from html import escape

import streamlit as st

from workbench.evaluation.task import Task
from workbench.experiments.session import divide
from workbench.text.corpus import Corpus
from workbench.text.readers import read_upload
from workbench.views.error_messages import show_errors

_OWN = "own corpora"
_MEGABYTES = 20
_INSTANCE = "mr. obama met nasa and the fbi in los angeles, then opened the streamlit app."

_HELP = {
    True: "UTF-8 plain text in its natural case, one sentence a line or running text.",
    False: "One word a line with its labels as in the data sets, a blank line after a sentence.",
}


def draw_upload(task: Task) -> dict[str, Corpus] | None:
    """Draw the uploader; returns the corpora of the last good file, None without a file.

    The error of a file that cannot be used is shown, and the file before stays in use.
    """
    file = st.file_uploader(
        "Adapt to your own text",
        type=[end.removeprefix(".") for end in task.file_ends],
        key="upload", max_upload_size=_MEGABYTES,
        help=f"{_HELP[task.recases]} "
        "Of every 5 blocks of sentences 3 train, 1 is for development, 1 for test.",
    )  # fmt: skip
    if file is None:
        st.session_state.pop(_OWN, None)
        return None
    kept = st.session_state.get(_OWN)
    if not kept or kept[0] != file.file_id:
        with show_errors():
            corpus = read_upload(file.getvalue(), file.name)
            kept = file.file_id, divide(corpus.require_cased())
            st.session_state[_OWN] = kept
    if not kept:
        return None
    corpora = kept[1]
    name, words = escape(corpora["train"].name), sum(map(len, corpora.values()))
    st.html(f"<small>Adapting to {name}, {words:,} words. Remove it to go back.</small>")
    return corpora
