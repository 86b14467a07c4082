"""Candidate sets of the visitor's own in the sidebar: uploaded, checked, and kept as a data set."""

from functools import partial

import streamlit as st

from workbench.experiments.session import divide
from workbench.features.candidates.uploaded_files import check_sets, halve, read_uploaded_sets
from workbench.text.errors import InputError
from workbench.views import uploads

_ENDS = ["svm", "events", "txt", "gz", "zst"]
_MEGABYTES = 20
_USES = ("domain", "background")
_HELP = (
    "SVMlight with qid (.svm) or TADM event files (.events), packed by gzip or not. One file is a "
    "background, or a domain that is divided in blocks: three fifths train, one is for "
    "development, one for test. Or choose the files of a set together: train.svm, dev.svm and "
    "test.svm; without test.svm, dev is halved. features.txt and train.sentences.txt may be among "
    "them. Background and domain must name their features alike. All is kept for this visit and "
    "for you alone."
)
_OF_WORDS = (
    "Candidate sets bring features and candidates of their own: so there are no templates to "
    "choose, no text to try, and no lessons, which are about capital letters."
)


def draw() -> None:
    """Draw the uploader, and whether its files become the domain or the background.

    To be called before the choice of data sets is drawn, as those of texts.
    """
    use = st.segmented_control(
        "Use the upload as", _USES, default="domain", required=True, key="use of candidates"
    )
    files = st.file_uploader(
        "Your own candidate sets", type=_ENDS, key="candidates upload",
        accept_multiple_files=True, max_upload_size=_MEGABYTES, help=_HELP,
    )  # fmt: skip
    st.caption(_OF_WORDS)
    if files:
        with st.container(key="upload-error"):
            uploads.take(" ".join(file.file_id for file in files), partial(_make, files, use), use)


def _make(files, use):
    """Return name and set of some files; InputError if they make none, or one too small."""
    if len({file.name for file in files}) < len(files):
        raise InputError("two files of one name; remove those of the set before")
    name, parts = read_uploaded_sets({file.name: file.getvalue() for file in files})
    if "dev" not in parts and use == "domain":
        parts = divide(parts["train"])
    elif "dev" in parts and "test" not in parts:
        dev, test = halve(parts["dev"])
        parts |= {"dev": dev, "test": test}
    made = uploads.OwnSet(parts, check_sets(parts))
    if use == "background" and not made.can_be_background:
        raise InputError(
            f"{name}: {parts['train'].n_sentences} sentences to train on; a background needs "
            f"{uploads.LEAST_SENTENCES}"
        )
    other = st.session_state.get("background" if use == "domain" else "domain")
    return name if other != uploads.marked(name) else f"{name}, {use}", made
