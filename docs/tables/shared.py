"""What the tables have in common: their form, and the texts of an adaptation."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from workbench.adaptation.method import Split
from workbench.models.memm import MEMM
from workbench.settings import BACKGROUND
from workbench.text.corpus import Corpus
from workbench.text.sets.registry import load

DOMAINS = "bn-cnn", "bn-abc", "ap1988", "bio", "techdocs"
PAIRS = [(background, domain) for background in ("wsj", "reuters1987", "reuters-fin")
         for domain in DOMAINS[:2]]  # fmt: skip


def print_table(headings: Sequence[str], rows: Iterable[Sequence], n_texts: int = 1) -> None:
    """Print a table of Markdown, row by row as they come; all but the first columns are numbers."""
    marks = ["---" if i < n_texts else "---:" for i in range(len(headings))]
    print(f"| {' | '.join(headings)} |\n|{'|'.join(marks)}|")
    for row in rows:
        print(f"| {' | '.join(map(str, row))} |", flush=True)


def rate(fraction: float, digits: int = 2) -> str:
    """Return a fraction in per cent."""
    return f"{100 * fraction:.{digits}f} %"


def split_of(background: str, domain: str, model: type = MEMM, templates: str = "ca04") -> Split:
    """Return the texts of an adaptation, with the options of the page's background."""
    options = BACKGROUND | {"templates": templates}
    return Split(load(background), load(domain), load(domain, "dev"), options, model)


def first_words(text: Corpus, most: int | None) -> Corpus:
    """Return the first sentences of a text, of so many words at most; None is all."""
    return text if most is None else text.take(np.flatnonzero(text.starts[1:] <= most))


def chance(pair: Mapping) -> str:
    """Return the p-value of a pair of models as text."""
    return "< 0.001" if pair["p_value"] < 0.001 else f"{pair['p_value']:.3f}"
