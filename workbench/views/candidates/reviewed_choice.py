"""A choice in the review: the sentence, what each model chooses of it, and the right candidate."""

from collections.abc import Mapping
from html import escape

import numpy as np
import pandas as pd
import streamlit as st

from workbench.evaluation.number_words import per_cent
from workbench.evaluation.task import TASKS
from workbench.experiments.exploring.candidates.why_chosen import name_candidate, name_sentence
from workbench.experiments.exploring.decisions.right_choices import best_of
from workbench.experiments.review import Review
from workbench.features.candidates.candidate_sets import CandidateSets
from workbench.settings import BROKEN, FIXED, STILL_WRONG
from workbench.text.tasks import TaskName

_NO_DOCUMENT = "all sentences"


def group(diff: pd.DataFrame) -> pd.DataFrame:
    """Return the sentences to review by document, as ``word``, what loses most quality first."""
    lost = diff["best"] - diff["quality_after"]
    named = diff.assign(word=diff["document"].replace("", _NO_DOCUMENT))
    return named.iloc[np.argsort(-lost.to_numpy(), kind="stable")]


def html(sets: CandidateSets, row: Mapping) -> str:
    """Return a sentence, and what each model chooses with its quality, as HTML."""
    sentence, wording = int(row["position"]), TASKS[TaskName.CANDIDATES].wording
    said = {FIXED: wording.fixed, BROKEN: wording.broken, STILL_WRONG: wording.wrong}
    chosen = {"background": row["before"] - 1, "adapted": row["after"] - 1,
              "best": best_of(sets, sentence)}  # fmt: skip
    lines = "".join(
        f"<p><b>{name}</b>: {escape(describe_candidate(sets, sentence, int(number)))}</p>"
        for name, number in chosen.items()
    )
    return (
        f'<div class="wb wb-context">{escape(name_sentence(sets, sentence))}{lines}'
        f"<p>{escape(said[row['status']])}</p></div>"
    )


def describe_candidate(sets: CandidateSets, sentence: int, number: int) -> str:
    """Return a candidate's name, quality and, where it is known, what it is written like."""
    place = int(sets.sentence_starts[sentence]) + number
    text = f"{name_candidate(number)}, {sets.quality_name} {per_cent(sets.quality[place], 1)}"
    return f"{text}: {sets.strings[place]}" if sets.strings else text


def ask(review: Review, sentence: int, row: Mapping, key: str) -> str:
    """Draw the choice of the right candidate, the best unless another is given."""
    sets = review.session.corpora["dev"]
    n = int(np.diff(sets.sentence_starts)[sentence])
    said = {name_candidate(i): describe_candidate(sets, sentence, i) for i in range(n)}
    st.selectbox(
        "Right candidate", list(said), index=best_of(sets, sentence), key=key,
        format_func=said.__getitem__,
    )  # fmt: skip
    return "candidate"
