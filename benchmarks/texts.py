"""The texts and sizes of the rows: large corpora, the embedded default, or a few sentences."""

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from workbench.experiments.backgrounds import find_background
from workbench.models.log_linear import LogLinear
from workbench.models.unigram import Unigram
from workbench.text.corpus import Corpus
from workbench.text.sets.registry import VARIABLE, find_data_set, folder_of, load


@dataclass(frozen=True)
class Sizes:
    """Sizes of texts and numbers of runs; the targets are for those of ``FULL``.

    ``rounds`` are of runs that take seconds, ``long_rounds`` of those that take minutes.
    """

    rounds: int = 5
    long_rounds: int = 1
    moves: int = 100
    cutoffs: tuple = (0, 5, None)
    grid_step: int = 1  # of 25 values of sigma^2 each n-th is tried
    training: tuple = (500_000, 2_400_000)  # words of the background at most
    iterations: int = 100  # of the rivals that train
    tagger_words: int = 500_000  # that the rivals that tag are trained on
    presses: int = 40
    quiet: int = 400  # ms without a run of the script, after which a page has come to rest
    killed: tuple = (20, 200_000)  # trainings of which a worker is killed, and their words
    patience: int = 900  # seconds until a page is there: a large text is read, a curve fitted


FULL = Sizes()
QUICK = Sizes(
    rounds=1, moves=3, cutoffs=(0, None), grid_step=8, training=(4_000,), iterations=5,
    tagger_words=4_000, presses=1, quiet=0, killed=(1, 4_000), patience=120,
)  # fmt: skip
_QUICK_SENTENCES = {"part": 150, "train": 30, "dev": 10, "test": 15}


@dataclass(frozen=True)
class Texts:
    """Names or folders of the data sets.

    Attributes
    ----------
    background, domain : str
        Of the adaptation that is measured.
    training : str
        The text of the rows that train backgrounds against rivals.
    """

    background: str
    domain: str
    training: str

    @classmethod
    def find(cls) -> "Texts":
        """Return the sets of WORKBENCH_DATA, or the embedded ones without it."""
        if os.environ.get(VARIABLE):
            return cls("reuters-fin", "bn-cnn", "reuters1987")
        return cls("scientific-docs", "streamlit-docs", "scientific-docs")

    @classmethod
    def write_quick(cls, folder: str | Path) -> "Texts":
        """Write a few sentences of the embedded sets to a folder and return these texts."""
        background, domain = Path(folder, "quick-background"), Path(folder, "quick-domain")
        for piece in range(2):
            first = piece * _QUICK_SENTENCES["part"]
            file = background / f"part-{piece:03}.txt"
            _write(file, load("scientific-docs", "train"), first, _QUICK_SENTENCES["part"])
        for part in ("train", "dev", "test"):
            _write(domain / f"{part}.txt", load("streamlit-docs", part), 0, _QUICK_SENTENCES[part])
        return cls(str(background), str(domain), str(background))


def _write(path, corpus, first, n):
    path.parent.mkdir(exist_ok=True)
    sentences = [" ".join(corpus.sentence(i)) for i in range(first, first + n)]
    path.write_text("\n".join(sentences) + "\n", "utf-8")


class Bench:
    """The texts, sizes and models that rows share, each loaded or trained once."""

    def __init__(self, texts: Texts, sizes: Sizes):
        self.texts, self.sizes = texts, sizes

    @cached_property
    def models(self) -> tuple[LogLinear, Unigram]:
        """The background MEMM and 1-gram capitalizer, trained or from the cache."""
        return find_background(self.texts.background)

    @property
    def background(self) -> LogLinear:
        """The background MEMM."""
        return self.models[0]

    @cached_property
    def domain(self) -> dict[str, Corpus]:
        """The domain's train, dev and test text."""
        return {part: load(self.texts.domain, part) for part in ("train", "dev", "test")}

    @cached_property
    def _training(self):
        return load(self.texts.training, "train")

    def training(self, n_words: int) -> Corpus:
        """Return the first sentences of the training text, at most so many words."""
        corpus = self._training
        n_sentences = np.searchsorted(corpus.starts, n_words, "right") - 1
        return corpus.take(np.arange(min(n_sentences, corpus.n_sentences)))

    @property
    def trainings(self) -> list[Corpus]:
        """The training text at each size; a short text has fewer of them."""
        texts = map(self.training, self.sizes.training)
        return list({len(corpus): corpus for corpus in texts}.values())

    @cached_property
    def background_files(self) -> list[Path]:
        """The files of the background's training text, in order."""
        path = Path(self.texts.background)
        folder = path if path.is_dir() else folder_of(find_data_set(self.texts.background))
        return sorted(folder.glob("part-*")) or [folder / "train.txt"]
