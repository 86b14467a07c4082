"""Files recased with the adapted model, as the command line would: part of the section of files."""

import streamlit as st

from workbench.models.capitalizer import Capitalizer
from workbench.recasing.answers import recase_bytes
from workbench.recasing.glossary import Glossary
from workbench.recasing.policies import Policy
from workbench.recasing.recaser import Recaser
from workbench.views import controls
from workbench.views.error_messages import plain, show_errors

_FILE, _POLICY, _GLOSSARY = "file to recase", "policy", "glossary"
_MEGABYTES, _HEAD = 5, 120
_KEPT = {
    Policy.LOWER: "nothing: all case is the model's",
    Policy.CAPS: "words with a lower-case letter, as in a text with lines in capitals",
    Policy.TITLE: "capitals within words, as in headlines: NumPy, NATO",
    Policy.TRUST: "all capitals, but for sentences in capitals and headlines",
}


def draw(model: Capitalizer, name: str) -> None:
    """Draw an uploader, what is believed of a file's case, and a button with the file recased."""
    with st.expander("Recase a file with the adapted model"):
        file = st.file_uploader(
            "Text to recase", key=_FILE, max_upload_size=_MEGABYTES,
            help="Plain text. Only letters change case; addresses, handles, paths, "
            "markup and code stay. `workbench recase` does the same with files of any size.",
        )  # fmt: skip
        policy = st.selectbox(
            "What of its case stays", list(_KEPT), key=_POLICY, format_func=_KEPT.__getitem__
        )
        forms = st.text_area(
            "Words and phrases whose letters are given, one a line", key=_GLOSSARY, height=80,
            placeholder="PyTorch\nNew York Times",
        )  # fmt: skip
        if file is None:
            return
        with show_errors():
            recaser = Recaser(model, policy=policy, glossary=Glossary(forms.split("\n")))
            recased = b"".join(recase_bytes(recaser, file.getvalue()))
            controls.offer_file("Recased text", recased, f"{name}-recased.txt", "text/plain")
            st.caption(plain(f"It begins: {_head(recased)}"))


def _head(recased: bytes) -> str:
    """Return the first line of a text, shortened."""
    line = recased.lstrip().split(b"\n", 1)[0].decode("utf-8", "replace")
    return line if len(line) <= _HEAD else f"{line[:_HEAD]}…"
