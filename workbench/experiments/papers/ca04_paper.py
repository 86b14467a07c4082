"""The figures of Chelba & Acero (2004), as far as known, and sentences that compare ours with them.

A ``judge_`` function takes the rows of a table and returns one sentence.
"""

from itertools import pairwise

from workbench.experiments.papers.study import as_in_paper, change

PAPER_WORDS = 20_000_000
PAPER_FEATURES, PAPER_NEW = 237_586, {None: 0, 5: 159, 0: 5_676}  # table 4
PAPER_SIZES = {"WSJ": (PAPER_WORDS, 8_700), "BN-CNN": (73_000, None), "BN-ABC": (25_000, None)}
PAPER_IN_DOMAIN = {"1-gram": 0.044, "MEMM": 0.023}  # 20M words
PAPER_ACCURACY = {None: 0.9857, 5: 0.9860, 0: 0.9862}  # table 5, dev text of BN-CNN
PAPER_LIKELIHOOD = -4258.58  # one cell of table 5: a total over 73,000 words
PAPER_MATRIX: dict[tuple[str | None, str | None], float] = {
    ("1-gram", "BN-ABC"): 0.027, ("1-gram", "BN-CNN"): 0.037,
    ("background", "BN-ABC"): 0.018, ("background", "BN-CNN"): 0.022,
    ("BN-ABC", "BN-ABC"): 0.014, ("BN-ABC", "BN-CNN"): 0.017,
    ("BN-CNN", "BN-ABC"): 0.024, ("BN-CNN", "BN-CNN"): 0.014,
}  # fmt: skip


def judge_sizes(rows: list[dict]) -> str:
    """Compare the share of the adaptation data in the background."""
    shares = [row["train"] / rows[0]["train"] for row in rows[1:]]
    percentages = " and ".join(f"{share:.1%}" for share in shares)
    agrees = max(shares) < 0.05
    return (
        f"{as_in_paper(agrees)}, where they are 0.4% and 0.1% of it, the adaptation texts are "
        f"{'a small part' if agrees else 'no tiny part'} of the background: {percentages}."
    )


def judge_model_sizes(rows: list[dict]) -> str:
    """Compare how the number of features grows with the text."""
    memms = [row for row in rows if row["model"] == "MEMM"]
    few, many = memms[0], memms[-1]
    growth = f"{many['words']:,} words give {many['parameters']:,} features"
    if few is not many:
        text, size = (many[key] / max(1, few[key]) for key in ("words", "parameters"))
        growth = f"{text:.1f} times the text gives {size:.1f} times the features"
    ours, papers = f"{many['a_thousand']:.0f}", f"{1000 * PAPER_FEATURES / PAPER_WORDS:.0f}"
    return f"{growth}; {ours} features a thousand words, in the paper {papers}, on more text."


def judge_amounts(rows: list[dict]) -> str:
    """Compare what the MEMM and more text gain."""
    key = "in_domain" if rows[-1]["in_domain"] else "out_of_domain"
    first, unigram, memm = rows[1][key], rows[-2][key], rows[-1][key]
    ours, papers = _signed(change(unigram, memm)), _signed(change(*PAPER_IN_DOMAIN.values()))
    where = key.replace("_", " ").capitalize()
    sentence = f"{where} the MEMM changes the 1-gram's error by {ours} (paper: {papers})"
    if len(rows) == 2:
        return f"{sentence}."
    fewer = memm < first
    return (
        f"{sentence}. {as_in_paper(fewer)}, more background text "
        f"{'lowers' if fewer else 'does not lower'} it: "
        f"{first:.2%} on {rows[1]['words']:,} words, {memm:.2%} on {rows[-1]['words']:,}."
    )


def judge_cutoffs(rows: list[dict]) -> str:
    """Compare how few features are new."""
    _, five, none = rows[:3]
    share = none["new"] / max(1, none["background"])
    kept = five["new"] / none["new"] if none["new"] else 0
    few = share < 0.1
    return (
        f"{as_in_paper(few)}, {none['domain']} adds {'few' if few else 'many'} features: "
        f"{share:.1%} of the background's (paper: {PAPER_NEW[0] / PAPER_FEATURES:.1%}); "
        f"a cut-off of 5 keeps {kept:.1%} of them (paper: {PAPER_NEW[5] / PAPER_NEW[0]:.1%})."
    )


def judge_likelihoods(rows: list[dict]) -> str:
    """Compare what new features gain, and the log-likelihoods of the best fits."""
    best = {row["cutoff"]: row for row in rows if row["best"]}
    gain = best["0"]["accuracy"] - best["none"]["accuracy"]
    small = abs(gain) < 0.0015
    papers = PAPER_ACCURACY[0] - PAPER_ACCURACY[None]
    nats = [row["a_word"] for row in best.values()]
    return (
        f"{as_in_paper(small)}, new features "
        f"{'hardly change' if small else 'do change'} the accuracy: {100 * gain:+.2f} points with "
        f"all of them (paper: {100 * papers:+.2f}). The best fits have {min(nats):.3f} to "
        f"{max(nats):.3f} nats a word; {PAPER_LIKELIHOOD} on 73,000 words, in the paper, is "
        f"{PAPER_LIKELIHOOD / 73_000:.3f}."
    )


def judge_curve(rows: list[dict]) -> str:
    """Compare the shape of the curves."""
    errors = [row["dev_error_rate"] for row in rows]
    best = rows[errors.index(min(errors))]
    likelihoods = [row["log_likelihood"] for row in rows]
    rises = all(b >= a - 1e-6 * abs(a) for a, b in pairwise(likelihoods))
    inside = min(errors) < min(errors[0], errors[-1])
    return (
        f"{as_in_paper(rises)}, the log-likelihood of the adaptation text "
        f"{'rises' if rises else 'does not always rise'} with sigma2; "
        f"{as_in_paper(inside).lower()}, the dev error has its minimum "
        f"{'inside' if inside else 'at an end of'} the range: {best['dev_error_rate']:.2%} at "
        f"sigma2 {best['sigma2']:g}, {errors[-1]:.2%} at {rows[-1]['sigma2']:g}, "
        f"{rows[0]['background']:.2%} without adaptation."
    )


def judge_matrix(rows: list[dict]) -> str:
    """Compare the errors on a model's own domain, and on the others."""
    adapted = [row for row in rows if row["trained_on"] not in {"1-gram", "background"}]
    own = [row for row in adapted if row["trained_on"] == row["tested_on"]]
    others = [row for row in adapted if row not in own]
    gains = [row for row in own if row["says"] == "gain is significant"]
    changes = ", ".join(f"{_signed(row['change'])} on {row['tested_on']}" for row in own)
    sentence = (
        f"{as_in_paper(len(gains) == len(own))}, adaptation to a domain's own text lowers its "
        f"error significantly in {len(gains)} of {len(own)} ({changes}; "
        "paper: -36% on BN-CNN, -22% on BN-ABC)."
    )
    return f"{sentence} {_judge_transfer(others)}" if others else sentence


def _judge_transfer(cells):
    """Say which models adapted to one domain are worse than the background on another."""
    harm = [row for row in cells if row["says"] == "negative transfer"]
    known = [row for row in cells if row.get("paper_change") is not None]
    agrees = all((row in harm) == (row["paper_change"] > 0) for row in known) if known else harm
    says = "no model adapted to one domain is significantly worse than the background on another"
    if harm:
        ways = "one direction" if len(harm) == 1 else f"{len(harm)} directions"
        says = f"there is negative transfer, errors above the background's, in {ways}"
        says += f": {_cells(harm)}"
    if rest := [row for row in cells if row not in harm]:
        says += f"; not so: {_cells(rest)}" if harm else f": {_cells(rest)}"
    return f"{as_in_paper(agrees)}, {says}."


def _cells(rows):
    """Return cells of the matrix in words, each with its domains and change."""
    return ", ".join(map(_cell, rows))


def _cell(row):
    paper = row.get("paper_change")
    domains = f"adapted to {row['trained_on']} and tested on {row['tested_on']}"
    says = f"{domains}: {_signed(row['change'])}"
    return says if paper is None else f"{says} (paper: {_signed(paper)})"


def _signed(fraction):
    if fraction is None:
        return "an undefined share"
    return f"{fraction:+.0%}" if round(100 * fraction) else "0%"
