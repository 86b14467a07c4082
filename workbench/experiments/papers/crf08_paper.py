"""The figures of Zhang, Qiu, Huang & Wu (2008), as far as known, and sentences that compare ours.

A ``judge_`` function takes the rows of a table and returns a few sentences.
"""

import numpy as np

from workbench.experiments.papers.study import as_in_paper, is_gain

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
            f"96.2 to 88.4 %. Errors change by {_percent(_changes(rows, ADAPTED))}, of two "
            f"sentences by {_percent(_changes(rows, FEW))}."
        )
    falls, two = _gains(rows, ADAPTED), _gains(rows, FEW)
    of_all, of_two = (_percent(_changes(rows, system)) for system in (ADAPTED, FEW))
    return (
        f"{as_in_paper(falls)}, the error of words {'falls' if falls else 'does not fall'} "
        f"significantly with all the text: {of_all} (paper: -56.9 %). {as_in_paper(two)}, the "
        f"first two sentences {'lower' if two else 'do not significantly lower'} it: {of_two} "
        "(paper: -30.2 %); of ten pairs drawn at random figure 2 tells."
    )


def _has_gap(rows):
    """Whether the background is worse on the new domain than on its own text, at 5 %.

    The texts are two, so the test is one of two means, with the error of each.
    """
    inside = next((row for row in rows if row["system"] == IN), None)
    outside = next(row for row in rows if row["system"] == OUT)
    if inside is None:
        return True
    error = np.hypot(inside["error_of_it"], outside["error_of_it"])
    return inside["accuracy"] - outside["accuracy"] > 1.96 * error


def _gains(rows, system):
    """Whether a system's gain is significant on every domain."""
    return all(is_gain(row) for row in rows if row["system"] == system)


def judge_capitalization(rows: list[dict]) -> str:
    """Compare adaptation with the background, and with a CRF of both texts."""
    if not rows:
        return "This table is of capitalization; the labels here are others."
    falls, both = _gains(rows, ADAPTED), _changes(rows, COMBINED)
    adapted = [row for row in rows if row["system"] == ADAPTED]
    better = [row for row in adapted if row["says_combined"] == "gain is significant"]
    worse = [row for row in adapted if row["says_combined"] == "loss is significant"]
    chances = ", ".join(f"{row['p_combined']:.3f}" for row in adapted)
    return (
        f"{as_in_paper(falls)}, adaptation {'lowers' if falls else 'does not lower'} the error "
        f"significantly: {_percent(_changes(rows, ADAPTED))} (paper: -29.6 %). Both texts "
        f"combined, the variance tuned on dev, too: {_percent(both)}; adaptation is significantly "
        f"better than that on {len(better)} of {len(adapted)}, worse on {len(worse)} "
        f"(p = {chances})."
    )


def _changes(rows, system):
    return [row["change"] or 0.0 for row in rows if row["system"] == system]


def _percent(changes):
    return ", ".join(f"{value:+.1%}".replace("%", " %") for value in changes)


def judge_shares(rows: list[dict]) -> str:
    """Compare the gain of two sentences and of all, and the loss on the background's text."""
    first, few, last = rows[0], rows[1], rows[-1]
    often = few.get("gain", 0) > few["draws"] / 2
    sentence = (
        f"{as_in_paper(often)}, where two sentences of chunks lower the error by 30.2 %, two drawn "
        f"at random {'mostly lower' if often else 'mostly do not lower'} it significantly: in "
        f"{few.get('gain', 0)} of {few['draws']} draws, and raise it in {few.get('loss', 0)}; the "
        f"mean change is {few['change'] or 0:+.1%}. {as_in_paper(is_gain(last))}, all "
        f"{last['sentences']:,} {_rise(first, last)} (p = {last['p']:.3f})."
    )
    if "in_domain" not in first:
        return sentence
    lost = first["in_domain"] - last["in_domain"]
    return f"{sentence} On its own text the background loses {100 * lost:.2f} points."


def _rise(before, after):
    points = 100 * (after["accuracy"] - before["accuracy"])
    return f"change accuracy by {points:+.2f} points"


def judge_variances(rows: list[dict]) -> str:
    """Compare how wide the range of sigma2_m is within one standard error of the best on dev."""
    best = max(rows, key=lambda row: row["dev"])
    least = best["dev"] - best["error_of_it"]
    flat = _column(row for row in rows if row["dev"] >= least)
    decades, tried = (np.log10(own[-1] / own[0]) for own in (flat, _column(rows)))
    return (
        f"{as_in_paper(decades >= 1)}, where accuracy depends little on sigma2_m, it is within one "
        f"standard error of the best ({100 * best['error_of_it']:.2f} points, at "
        f"{best['sigma2_m']:g}) from {min(flat):g} to {max(flat):g}: {decades:.1f} of "
        f"{tried:.1f} decades tried. At the ends it is lower by {_below(best, rows[0])} "
        f"and {_below(best, rows[-1])} points."
    )


def _column(rows):
    return [row["sigma2_m"] for row in rows]


def _below(best, row):
    return f"{100 * (best['dev'] - row['dev']):.2f}"
