"""What the tables have in common: their form, and the texts of an adaptation."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from scipy.special import stdtrit

from workbench.adaptation.method import Split
from workbench.models.memm import MEMM
from workbench.settings import BACKGROUND
from workbench.text.corpus import Corpus
from workbench.text.sets.registry import load

DOMAINS = "bn-cnn", "bn-abc", "ap1988", "bio", "techdocs"
FEW_WORDS = 5_000  # of a domain that has little text
N_DRAWS = 10  # stretches of a domain's text
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


def draw(text: Corpus, n_words: int, number: int) -> Corpus:
    """Return a stretch of a text, of neighbouring sentences; each number gives another place."""
    return text.draw_stretch(n_words, np.random.default_rng([n_words, number]))


def thirds(text: Corpus) -> tuple[Corpus, Corpus]:
    """Return the first two thirds of a text to learn from, and the last as development text."""
    cut = int(np.searchsorted(text.starts, 2 * len(text) / 3))
    return text.take(np.arange(cut)), text.take(np.arange(cut, text.n_sentences))


def describe_gain(differences: np.ndarray, verdicts: np.ndarray) -> str:
    """Return the differences of error rates of all stretches, and their verdicts, as text.

    The mean in points with its 95 % interval (Student's t); significantly better / worse.
    """
    n, middle = len(differences), 100 * differences.mean()
    half = 100 * stdtrit(n - 1, 0.975) * differences.std(ddof=1) / np.sqrt(n)
    bounds = f"{middle:+.2f} ({middle - half:+.2f} to {middle + half:+.2f})".replace("-", "−")
    better, worse = ((verdicts == f"{what} is significant").sum() for what in ("gain", "loss"))
    return f"{bounds}; {better} / {worse}"


def chance(pair: Mapping) -> str:
    """Return the p-value of a pair of models as text."""
    return "< 0.001" if pair["p_value"] < 0.001 else f"{pair['p_value']:.3f}"
