"""What the browser needs to show every sigma^2 of a path without asking again: plain JSON.

A few thousand words matter: those that the background or an adapted model gets wrong or
changes. Each has its tags at all values of the grid, one character a value, so a slider moves
through the path in the browser.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any
from zlib import crc32

import numpy as np

from workbench.adaptation.adaptation import AdaptedFit
from workbench.annexes import find
from workbench.evaluation.error_rates import find_misspelled
from workbench.evaluation.task import find_task, task_of_row
from workbench.experiments.session import Session
from workbench.experiments.surface import is_near
from workbench.settings import SIGMA2_GRID
from workbench.text.characters import spaced
from workbench.text.corpus import Corpus

UNKNOWN = "."  # stands for the tag of a fit that is not there yet
_FIRST_TAG = 48  # character code of tag 0: "0"
_MOST_SENTENCES = 1_500  # that a page draws


def make_payload(
    session: Session, cutoff: int | None, part: str = "dev", sigma2: float | None = None
) -> dict[str, Any]:
    """Return all that is known at a cut-off, ready for JSON.

    Of the test text only what belongs to ``sigma2`` is told, for its errors along the whole
    path would be a choice on the test text. The curve is that of dev in any case.

    Returns
    -------
    payload : dict
        ``sigma2s``, the grid, and ``points``, one for each: None where no fit is known, else
        errors (fractions and counts, see ``_point``). ``models``: the rows of the models that
        do not move; ``rules``: their errors on dev. ``words``: every word of the part that the
        background or a fit that is told gets wrong, or misspells: see ``_words``.
        ``sentences`` that they stand in: ``number`` and ``words``, as written and with the
        space that stands before each. ``text`` identifies the text. ``support``: how many words
        have each tag. Of an annex's texts what its ``PAYLOADS`` says is here. ``wording``: what
        a word and its statuses are called; ``quality``: what is measured, "" where errors are.
        ``id``: another one where anything differs.
    """
    describe = find("PAYLOADS", session.task.name) or _describe_words
    fits = {fit.sigma2: fit for fit in session.adaptation(cutoff).shown}
    on_grid = [fits.get(value) for value in SIGMA2_GRID]
    best = min(filter(None, on_grid), key=lambda fit: fit.wrong["dev"], default=None)
    is_told = [part == "dev" or value == sigma2 for value in SIGMA2_GRID]
    told = [fit if tell else None for fit, tell in zip(on_grid, is_told, strict=True)]
    corpus, rows = session.corpora[part], session.baseline_rows(part)
    payload = {
        "part": part, "text": corpus.fingerprint, "cutoff": cutoff,
        "task": str(corpus.task), "wording": session.task.wording._asdict(),
        "quality": session.quality_name,
        "sigma2s": [f"{value:g}" for value in SIGMA2_GRID],
        "points": [
            fit and _point(session, fit, best)
            | (_model(session.adapted_row(fit, part)) if tell else {})
            for fit, tell in zip(on_grid, is_told, strict=True)
        ],
        "models": [_model(row) for row in rows],
        "rules": [
            {"name": row["name"], "error": row["error_rate"]}
            for row in session.baseline_rows("dev")
        ],
        **describe(session, part, told, _MOST_SENTENCES),
    }  # fmt: skip
    return payload | {"id": f"{crc32(json.dumps(payload).encode()):08x}"}


def _describe_words(session, part, fits, most):
    """Return the part of a payload that is of words and their tags."""
    corpus = session.corpora[part]
    words = _words(session, corpus, part, fits)
    numbers = sorted({word["sentence"] for word in words})[:most]
    return {
        "n_units": len(corpus),
        "recases": find_task(corpus).recases, "tags": list(corpus.tag_names),
        "support": np.bincount(corpus.tags, minlength=len(corpus.tag_names)).tolist(),
        "words": words, "sentences": [_sentence(corpus, number) for number in numbers],
    }  # fmt: skip


def _point(session: Session, fit: AdaptedFit, best: AdaptedFit | None) -> dict:
    """Return what the curve shows of one fit: its errors on dev and on its own text.

    ``spread`` is half the 95 % interval beside the background, a normal one; ``near``: ``is_near``.
    """
    described = fit.describe()
    return {
        "settled": fit.settled, "converged": fit.fit.converged,
        "dev": described["dev_error_rate"], "train": described["train_error_rate"],
        "spread": 1.96 * float(np.nan_to_num(session.difference_error("dev", fit.tags["dev"]))),
        "near": best is not None and is_near(session, fit, best),
        "log_likelihood": fit.fit.log_likelihood, "new_features": described["new_features"],
    }  # fmt: skip


def _model(row: Mapping) -> dict:
    """Return what a card shows of a row of a report."""
    column = None if "quality" in row else task_of_row(row).headline
    versus = row.get("versus") or {}
    return {
        "name": row["name"], "headline": column.value(row) if column else row["quality"],
        "unit": column.heading if column else "",
        "error": row["error_rate"], "wrong": row["wrong"], "misspelled": row.get("misspelled", 0),
        "change": versus.get("relative_change" if column else "difference"),
        "interval": versus.get("interval"), "p_value": versus.get("p_value"),
    }  # fmt: skip


def _words(
    session: Session, corpus: Corpus, part: str, fits: Sequence[AdaptedFit | None]
) -> list[dict]:
    background = session.background_tags(part)
    differs = find_misspelled(corpus, corpus.tags, session.mixed_forms)
    differs |= background != corpus.tags
    for each in filter(None, fits):
        differs |= each.tags[part] != corpus.tags
    positions = np.flatnonzero(differs)
    tags = np.full((len(fits), len(positions)), ord(UNKNOWN) - _FIRST_TAG)
    for i, fit in enumerate(fits):
        if fit:
            tags[i] = fit.tags[part][positions]
    paths = ["".join(map(chr, path)) for path in (tags + _FIRST_TAG).T.tolist()]
    forms = _forms(session, corpus, positions, tags)
    mixed_forms = session.background.mixed_forms
    before = find_task(corpus).words_at(corpus, positions, background, mixed_forms)
    sentences = np.searchsorted(corpus.starts, positions, "right") - 1
    return [
        {
            "position": position, "sentence": sentence,
            "place": position - int(corpus.starts[sentence]),
            "gold": int(corpus.tags[position]), "background": int(background[position]),
            "word": corpus.form_at(position), "before": form, "path": path,
            "forms": of_tag,
        }
        for position, sentence, form, path, of_tag in zip(
            positions.tolist(), sentences.tolist(), before, paths, forms, strict=True
        )
    ]  # fmt: skip


def _forms(
    session: Session, corpus: Corpus, positions: np.ndarray, given: np.ndarray
) -> list[dict[int, str]]:
    """Return each word in the case of every tag that it is given; of labels, nothing."""
    forms = [dict[int, str]() for _ in positions]
    if not find_task(corpus).recases:
        return forms
    words_at, mixed = find_task(corpus).words_at, session.mixed_forms
    for tag in range(len(corpus.tag_names)):
        has = np.flatnonzero(np.any([tags == tag for tags in given], axis=0))
        written = words_at(corpus, positions[has], np.full(len(corpus), tag), mixed)
        for place, form in zip(has.tolist(), written, strict=True):
            forms[place][tag] = form
    return forms


def _sentence(corpus, number):
    start, words = int(corpus.starts[number]), spaced(corpus.sentence(number))
    return {"number": number, "start": start, "words": words}
