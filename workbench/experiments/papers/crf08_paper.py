"""The figures of Zhang, Qiu, Huang & Wu (2008), as far as known, and sentences that compare ours.

A ``judge_`` function takes the rows of a table and returns one sentence.
"""

import numpy as np

from workbench.experiments.papers.study import as_in_paper

IN, OUT, FEW = "in domain", "out of domain", "adapted to two sentences"
ADAPTED, COMBINED = "adapted", "both texts combined"
PAPER = {
    "chunking": {IN: 0.962, OUT: 0.884, FEW: 0.919, ADAPTED: 0.950},
    "capitalization": {COMBINED: 0.947},
}  # what we know of tables 2 and 4
PAPER_CHANGES = {"chunking": {FEW: -0.302, ADAPTED: -0.569}, "capitalization": {ADAPTED: -0.296}}
_NOT_CASE = "This table is of chunks or other labels; the labels here are of case."
_NOT_LABELS = "This table is of capitalization; the labels here are others."


def judge_chunking(rows: list[dict]) -> str:
    """Compare what adaptation gains with all the text and with two sentences."""
    if not rows:
        return _NOT_CASE
    falls, two = _gains(rows, ADAPTED), _gains(rows, FEW)
    of_all, of_two = (_percent(_changes(rows, system)) for system in (ADAPTED, FEW))
    return (
        f"{as_in_paper(falls)}, the error of words {'falls' if falls else 'does not fall'} "
        f"significantly with all the text: {of_all} (paper: -56.9 %). {as_in_paper(two)}, two "
        f"sentences {'lower' if two else 'do not lower'} it: {of_two} (paper: -30.2 %)."
    )


def _gains(rows, system):
    """Whether a system's gain is significant on every domain."""
    return all(row["says"] == "gain is significant" for row in rows if row["system"] == system)


def judge_capitalization(rows: list[dict]) -> str:
    """Compare adaptation with a CRF of both texts."""
    if not rows:
        return _NOT_LABELS
    gains, both = _changes(rows, ADAPTED), _changes(rows, COMBINED)
    agrees = max(gains) < 0
    sides = "below" if np.mean(gains) < np.mean(both) else "not below"
    return (
        f"{as_in_paper(agrees)}, adaptation changes the error: {_percent(gains)} (paper: -29.6 %). "
        f"That is {sides} the error of both texts combined, {_percent(both)}."
    )


def _changes(rows, system):
    return [row["change"] or 0.0 for row in rows if row["system"] == system]


def _percent(changes):
    return ", ".join(f"{value:+.1%}".replace("%", " %") for value in changes)


def judge_shares(rows: list[dict]) -> str:
    """Compare the gain of the first sentences and of all, and the loss on the background's text."""
    first, few, last = rows[0], rows[1], rows[-1]
    gains = few["accuracy"] > first["accuracy"], last["accuracy"] > first["accuracy"]
    sentence = (
        f"{as_in_paper(all(gains))}, {few['sentences']} sentences {_rise(first, few)} and all "
        f"{last['sentences']:,} {_rise(first, last)}."
    )
    if "in_domain" not in first:
        return sentence
    lost = first["in_domain"] - last["in_domain"]
    return f"{sentence} On its own text the background loses {100 * lost:.2f} points."


def _rise(before, after):
    points = 100 * (after["accuracy"] - before["accuracy"])
    return f"change accuracy by {points:+.2f} points"


def judge_variances(rows: list[dict]) -> str:
    """Compare where accuracy on dev is best, and how flat it is around."""
    best = max(rows, key=lambda row: row["dev"])
    inside = best["sigma2_m"] not in (rows[0]["sigma2_m"], rows[-1]["sigma2_m"])
    flat = [row["sigma2_m"] for row in rows if row["dev"] > best["dev"] - 0.001]
    where = "inside" if inside else "at an end of"
    says = f"from {min(flat):g} to {max(flat):g} accuracy on dev changes by less than 0.1 points"
    if len(flat) == 1:
        says = "at every other accuracy on dev is lower by 0.1 points or more"
    return (
        f"{as_in_paper(inside)}, the best sigma2_m lies {where} the range, at "
        f"{best['sigma2_m']:g}; {says}."
    )
