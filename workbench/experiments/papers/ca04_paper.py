"""The figures of Chelba & Acero (2004), as far as known, and sentences that compare ours with them.

A ``judge_`` function takes the rows of a table and returns one sentence.
"""

from itertools import pairwise

from workbench.experiments.method_rows import LEVEL
from workbench.experiments.papers.study import beside_paper, change, is_gain

PAPER_WORDS = 20_000_000
PAPER_FEATURES, PAPER_NEW = 237_586, {None: 0, 5: 159, 0: 5_676}  # table 4
PAPER_SIZES = {"WSJ": (PAPER_WORDS, 8_700), "BN-CNN": (73_000, None), "BN-ABC": (25_000, None)}
PAPER_MODEL_SIZES: dict[tuple[str, int | None], int] = {
    ("MEMM", 2_000_000): 76_000,
    ("MEMM", 3_500_000): 102_000,
    ("MEMM", PAPER_WORDS): PAPER_FEATURES,
    ("1-gram", PAPER_WORDS): 100_000,
}  # table 2
PAPER_IN_DOMAIN: dict[tuple[str, int | None], float] = {
    ("1-gram", PAPER_WORDS): 0.044,
    ("MEMM", PAPER_WORDS): 0.023,
}  # of table 3
IN_DOMAIN = "in domain, test"
UNKNOWN = "not at hand"  # said of cells of the paper's tables whose figures are not known here
PAPER_ACCURACY = {None: 0.9857, 5: 0.9860, 0: 0.9862}  # table 5, dev text of BN-CNN
PAPER_LIKELIHOOD = -4258.58  # one cell of table 5: a total over 73,000 words
PAPER_MATRIX: dict[tuple[str | None, str | None], float] = {
    ("1-gram", "BN-ABC"): 0.027, ("1-gram", "BN-CNN"): 0.037,
    ("background", "BN-ABC"): 0.018, ("background", "BN-CNN"): 0.022,
    ("BN-ABC", "BN-ABC"): 0.014, ("BN-ABC", "BN-CNN"): 0.017,
    ("BN-CNN", "BN-ABC"): 0.024, ("BN-CNN", "BN-CNN"): 0.014,
}  # fmt: skip


def amount_of_paper(words: int) -> int | None:
    """Return the amount of background data in the paper that is within 10 % of some words."""
    amounts = {amount for _, amount in PAPER_MODEL_SIZES if amount}
    return next((a for a in amounts if abs(words - a) <= 0.1 * a), None)


def judge_sizes(rows: list[dict]) -> str:
    """Compare the share of the adaptation data in the background: below one per cent, or not."""
    shares = [row["train"] / rows[0]["train"] for row in rows[1:]]
    percentages = " and ".join(f"{share:.1%}" for share in shares)
    agrees = max(shares) < 0.01
    return beside_paper(
        agrees, "where they are 0.4% and 0.1% of it, the adaptation texts are "
        f"{'less than' if agrees else 'not all less than'} one per cent of the background: "
        f"{percentages}. The paper's sizes of its dev and test texts, but for the 8,700 words of "
        f"WSJ, are {UNKNOWN}.",
    )  # fmt: skip


def judge_model_sizes(rows: list[dict]) -> str:
    """Compare how the number of features grows with the text, at the same amounts."""
    memms = [row for row in rows if row["model"] == "MEMM"]
    few, many = memms[0], memms[-1]
    growth = f"{many['words']:,} words give {many['parameters']:,} features"
    if few is not many:
        text, size = (many[key] / max(1, few[key]) for key in ("words", "parameters"))
        growth = f"{text:.1f} times the text gives {size:.1f} times the features"
    sentence = f"{growth} (paper: 10.0 times the text, 3.1 times the features)."
    known = [row for row in memms if row["paper_parameters"]]
    if not known:
        return f"{sentence} No amount here is near one of the paper's."
    off = ", ".join(
        f"{_signed(change(row['paper_parameters'], row['parameters']))} at "
        f"{row['paper_words'] / 1e6:g}M" for row in known
    )  # fmt: skip
    return f"{sentence} Beside the paper's sizes at its amounts: {off}."


def judge_amounts(rows: list[dict]) -> str:
    """Compare what the MEMM and more text gain, on the first text, with their tests."""
    name = rows[0]["tested_on"]
    own = [row for row in rows if row["tested_on"] == name]
    memm = own[-1]
    wins = [row for row in rows if row["model"] == "MEMM"]
    gains = [row for row in wins if is_gain(row)]
    papers = _signed(change(*PAPER_IN_DOMAIN.values()))
    sentence = beside_paper(
        len(gains) == len(wins) or None, "the MEMM has significantly fewer errors than the 1-gram: "
        f"in {len(gains)} of {len(wins)} cells; {name}, all text: {memm['told']} (paper: {papers} "
        "in domain).",
    )  # fmt: skip
    if "p_less" not in memm:
        return sentence
    fewer = (memm["change_less"] or 0) < 0 and memm["p_less"] < LEVEL
    says = f"more background text {'lowers' if fewer else 'does not significantly lower'} its error"
    return (
        f"{sentence} {beside_paper(fewer or None, says)}: {memm['words']:,} words have "
        f"{memm['error']:.2%}, {memm['told_less']} from {own[-3]['words']:,}. Of the "
        f"paper's 18 cells the two that stand here are known; the others are {UNKNOWN}."
    )


def judge_cutoffs(rows: list[dict]) -> str:
    """Compare how few features are new: below a twentieth of the background's, or not."""
    _, five, none = rows[:3]
    share = none["new"] / max(1, none["background"])
    kept = five["new"] / none["new"] if none["new"] else 0
    few = share < 0.05
    return beside_paper(
        few, f"{none['domain']} adds {'few' if few else 'many'} features: "
        f"{share:.1%} of the background's (paper: {PAPER_NEW[0] / PAPER_FEATURES:.1%}); "
        f"a cut-off of 5 keeps {kept:.1%} of them (paper: {PAPER_NEW[5] / PAPER_NEW[0]:.1%}).",
    )  # fmt: skip


def judge_likelihoods(rows: list[dict]) -> str:
    """Compare what new features gain: on dev at the best sigma2, and whether test confirms it."""
    best = {row["cutoff"]: row for row in rows if row["best"]}
    every, gain = best["0"], best["0"]["dev_accuracy"] - best["none"]["dev_accuracy"]
    papers = PAPER_ACCURACY[0] - PAPER_ACCURACY[None]
    nats = [row["a_word"] for row in best.values()]
    return (
        f"All new features change the errors on test by {every['told']} at the same "
        f"sigma2: {every['says']}, p = {every['p']:.3f}. On dev they gain {100 * gain:+.2f} points "
        f"(paper: {100 * papers:+.2f}), untested here and there. The best fits have "
        f"{min(nats):.3f} to {max(nats):.3f} nats a word; {PAPER_LIKELIHOOD} on 73,000 words, in "
        f"the paper, is {PAPER_LIKELIHOOD / 73_000:.3f}. The paper's other log-likelihoods, its "
        f"accuracies on the adaptation text and those at each sigma2 are {UNKNOWN}."
    )


def judge_curve(rows: list[dict]) -> str:
    """Compare the shape of the curves: rising likelihood, and an error that rises at both ends."""
    errors = [row["dev_error_rate"] for row in rows]
    best = rows[errors.index(min(errors))]
    likelihoods = [row["log_likelihood"] for row in rows]
    rises = all(b >= a - 1e-6 * abs(a) for a, b in pairwise(likelihoods))
    ends = [row.get("p", 1.0) < LEVEL for row in (rows[0], rows[-1])]
    where = {(True, True): "inside", (True, False): "not clearly below its right end within",
             (False, True): "not clearly below its left end within",
             (False, False): "not clearly below its ends within"}[ends[0], ends[1]]  # fmt: skip
    grows = f"the adaptation text's likelihood {'rises' if rises else 'does not always rise'}"
    least = f"the dev error has its minimum {where} the range"
    return (
        f"{beside_paper(rises, grows)} with sigma2. {beside_paper(all(ends) or None, least)}: "
        f"{best['dev_error_rate']:.2%} at sigma2 {best['sigma2']:g}, {errors[0]:.2%} at "
        f"{rows[0]['sigma2']:g}, {errors[-1]:.2%} at {rows[-1]['sigma2']:g}, "
        f"{rows[0]['background']:.2%} without adaptation."
    )


def judge_matrix(rows: list[dict]) -> str:
    """Compare the errors on a model's own domain, and on the others."""
    adapted = [row for row in rows if row["trained_on"] not in {"1-gram", "background"}]
    own = [row for row in adapted if row["trained_on"] == row["tested_on"]]
    others = [row for row in adapted if row not in own]
    gains = list(filter(is_gain, own))
    changes = ", ".join(f"{row['told']} on {row['tested_on']}" for row in own)
    sentence = beside_paper(
        len(gains) == len(own) or None, "adaptation to a domain's own text lowers its error "
        f"significantly in {len(gains)} of {len(own)} ({changes}; paper: -36% on BN-CNN, -22% on "
        f"BN-ABC); over the 1-gram {_list_over(own)}.",
    )  # fmt: skip
    return f"{sentence} {_judge_transfer(others)}" if others else sentence


def _list_over(own):
    """Say how far adapted models are below the 1-gram, each beside the paper's."""
    papers = {row["tested_on"]: row.get("paper_from_unigram") for row in own}
    shown = {name: "" if value is None else f" (paper: {_signed(value)})"
             for name, value in papers.items()}  # fmt: skip
    return ", ".join(f"{r['told_unigram']}{shown[r['tested_on']]}" for r in own)


def _judge_transfer(cells):
    """Say which models adapted to one domain are worse than the background on another."""
    harm = [row for row in cells if row["says"] == "loss is significant"]
    known = [row for row in cells if row.get("paper_change") is not None]
    agrees = all((row in harm) == (row["paper_change"] > 0) for row in known)
    says = "no model adapted to one domain is significantly worse than the background on another"
    if harm:
        ways = "one direction" if len(harm) == 1 else f"{len(harm)} directions"
        says = f"there is negative transfer, errors above the background's, in {ways}"
        says += f": {_cells(harm)}"
    if rest := [row for row in cells if row not in harm]:
        says += f"; not so: {_cells(rest)}" if harm else f": {_cells(rest)}"
    return f"{beside_paper(agrees if harm else None, says)}."


def _cells(rows):
    """Return cells of the matrix in words, each with its domains and change."""
    return ", ".join(map(_cell, rows))


def _cell(row):
    paper = row.get("paper_change")
    domains = f"adapted to {row['trained_on']} and tested on {row['tested_on']}"
    says = f"{domains}: {row['told']}"
    return says if paper is None else f"{says} (paper: {_signed(paper)})"


def _signed(fraction):
    if fraction is None:
        return "an undefined share"
    return f"{fraction:+.0%}" if round(100 * fraction) else "0%"
