"""The figures of Zhang, Qiu, Huang & Wu (2008), as far as known, and sentences that compare ours.

A ``judge_`` function takes the rows of a table and returns a few sentences.
"""

import numpy as np

from workbench.experiments.papers.study import beside_paper, is_gain

IN, OUT, FEW = "in domain", "out of domain", "adapted to two sentences"
ADAPTED, COMBINED = "adapted", "both texts combined"
PAPER = {
    "chunking": {IN: 0.962, OUT: 0.884, FEW: 0.919, ADAPTED: 0.950},
    "capitalization": {COMBINED: 0.947},
}  # tables 2 and 4; their other cells are not at hand
PAPER_CHANGES = {"chunking": {FEW: -0.302, ADAPTED: -0.569}, "capitalization": {ADAPTED: -0.296}}


def judge_chunking(rows: list[dict]) -> str:
    """Compare what adaptation gains with all the text and with two sentences."""
    if not rows:
        return "This table is of chunks or other labels; the labels here are of case."
    if not _has_gap(rows):
        return (
            "The background is not significantly worse on the new domain than on its own: there "
            "is no gap to close, and so this is no test of the paper, where accuracy falls from "
            f"96.2 to 88.4 %. Errors change by {_changes(rows, ADAPTED)}, of two sentences by "
            f"{_changes(rows, FEW)}."
        )
    falls, two = _gains(rows, ADAPTED), _gains(rows, FEW)
    first = f"the error of words {'falls' if falls else 'does not fall'} significantly"
    second = f"the first two sentences {'lower' if two else 'do not significantly lower'} it"
    return (
        f"{beside_paper(falls or None, first)} with all the text: {_changes(rows, ADAPTED)} "
        f"(paper: -56.9 %). {beside_paper(two or None, second)}: {_changes(rows, FEW)} (paper: "
        "-30.2 %); of ten pairs drawn at random figure 2 tells."
    )


def _has_gap(rows):
    """Whether the background is worse on the new domain than on its own text, at 5 %.

    The texts are two, so the test is one of two means, with the error of each.
    """
    inside = next((row for row in rows if row["system"] == IN), None)
    outside = next(row for row in rows if row["system"] == OUT)
    return inside is None or is_gap(inside, outside)


def is_gap(inside: dict, outside: dict) -> bool:
    """Return whether accuracy on one text is above that on another one by 1.96 standard errors.

    Both have ``accuracy`` and ``error_of_it``, its standard error, fractions.
    """
    error = np.hypot(inside["error_of_it"], outside["error_of_it"])
    return bool(inside["accuracy"] - outside["accuracy"] > 1.96 * error)


def _gains(rows, system):
    """Whether a system's gain is significant on every domain."""
    return all(is_gain(row) for row in rows if row["system"] == system)


def judge_capitalization(rows: list[dict]) -> str:
    """Compare adaptation with the background, and with a CRF of both texts."""
    if not rows:
        return "This table is of capitalization; the labels here are others."
    falls = _gains(rows, ADAPTED)
    adapted = [row for row in rows if row["system"] == ADAPTED]
    better = [row for row in adapted if row["says_combined"] == "gain is significant"]
    worse = [row for row in adapted if row["says_combined"] == "loss is significant"]
    chances = ", ".join(f"{row['p_combined']:.3f}" for row in adapted)
    says = f"adaptation {'lowers' if falls else 'does not lower'} the error significantly"
    return (
        f"{beside_paper(falls or None, says)}: {_changes(rows, ADAPTED)} (paper: -29.6 %). Both "
        f"texts combined, the variance tuned on dev, too: {_changes(rows, COMBINED)}; adaptation "
        f"is significantly better than that on {len(better)} of {len(adapted)}, worse on "
        f"{len(worse)} (p = {chances})."
    )


def _changes(rows, system):
    return ", ".join(row["told"] for row in rows if row["system"] == system)


def judge_shares(rows: list[dict]) -> str:
    """Say what two sentences gain, beside the paper if of chunks, and all of them."""
    first, few, last = rows[0], rows[1], rows[-1]
    often = few.get("gain", 0) > few["draws"] / 2
    points = 100 * (last["accuracy"] - first["accuracy"])
    every = f"all {last['sentences']:,} change accuracy by {points:+.2f} points"
    if not first["has_gap"]:
        return (
            "There is no gap to close (table 2), and so this is no test of the paper: of "
            f"{few['draws']} draws of two sentences {few.get('gain', 0)} lower the error "
            f"significantly and {few.get('loss', 0)} raise it; {every} (p = {last['p']:.3f})."
        )
    two = f"two sentences drawn at random {'mostly' if often else 'mostly do not'} lower the error"
    if first["is_chunks"] and often:
        two = beside_paper(True, f"where two sentences lower the error by 30.2 %, {two}")
    return (
        f"{two[0].upper()}{two[1:]} significantly: in {few.get('gain', 0)} of {few['draws']} "
        f"draws, and raise it in {few.get('loss', 0)}; the mean change is "
        f"{few['change'] or 0:+.1%}. {beside_paper(is_gain(last) or None, every)} (error "
        f"{last['told']}, p = {last['p']:.3f})."
    )


def judge_variances(rows: list[dict]) -> str:
    """Compare how wide the range of sigma2_m is within one standard error of the best on dev."""
    best = max(rows, key=lambda row: row["dev"])
    least = best["dev"] - best["error_of_it"]
    flat = _column(row for row in rows if row["dev"] >= least)
    decades, tried = (np.log10(own[-1] / own[0]) for own in (flat, _column(rows)))
    return beside_paper(
        decades >= 1, "where accuracy depends little on sigma2_m, it is within one standard error "
        f"of the best ({100 * best['error_of_it']:.2f} points, at {best['sigma2_m']:g}) from "
        f"{min(flat):g} to {max(flat):g}: {decades:.1f} of {tried:.1f} decades tried. At the ends "
        f"it is lower by {_below(best, rows[0])} and {_below(best, rows[-1])} points.",
    )  # fmt: skip


def _column(rows):
    return [row["sigma2_m"] for row in rows]


def _below(best, row):
    return f"{100 * (best['dev'] - row['dev']):.2f}"
