"""The user's own text: a file to adapt to."""

from html import escape

import streamlit as st

from workbench.evaluation.task import Task
from workbench.experiments.exploring.session import divide
from workbench.text.corpus import Corpus
from workbench.text.readers import read_upload
from workbench.views.error_messages import show_errors

_OWN = "own corpora"
_TIMES_LEFT = "times that own corpora were left"
_MEGABYTES = 20

_HELP = {
    True: "UTF-8 plain text in its natural case, one sentence a line or running text.",
    False: "One word a line with its labels as in the data sets, a blank line after a sentence.",
}


def draw_upload(task: Task) -> dict[str, Corpus] | None:
    """Draw the uploader; returns the corpora of the last good file, None if there is none in use.

    They stay in use, whatever is uploaded after them and cannot be used, until another file is
    good or the button is pressed. The widget cannot tell: it is empty for a moment while a
    file takes the place of another.
    """
    file = st.file_uploader(
        "Adapt to your own text",
        type=[end.removeprefix(".") for end in task.file_ends],
        key=f"upload {st.session_state.get(_TIMES_LEFT, 0)}", max_upload_size=_MEGABYTES,
        help=f"{_HELP[task.recases]} "
        "Of every 5 blocks of sentences 3 train, 1 is for development, 1 for test.",
    )  # fmt: skip
    kept = st.session_state.get(_OWN)
    if file is not None and (not kept or kept[0] != file.file_id):
        # Its key lets the style sheet hide the error once the widget has refused a newer file.
        with st.container(key="upload-error"), show_errors():
            corpus = read_upload(file.getvalue(), file.name)
            kept = file.file_id, divide(corpus.require_cased())
            st.session_state[_OWN] = kept
    if not kept:
        return None
    corpora = kept[1]
    name, words = escape(corpora["train"].name), sum(map(len, corpora.values()))
    st.html(f"<small>Adapting to {name}, {words:,} words.</small>")
    st.button("Back to the domain above", key="leave own text", on_click=_leave)
    return corpora


def _leave():
    """Forget the user's own text, and empty the uploader: another key is another widget."""
    st.session_state.pop(_OWN, None)
    st.session_state[_TIMES_LEFT] = st.session_state.get(_TIMES_LEFT, 0) + 1
