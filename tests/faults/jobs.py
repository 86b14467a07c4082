"""What is interrupted: commands and caches that write. Each returns an exit status.

A job writes below ``folder / "own"``, which is the cache, too.
"""

import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

from command_texts import LOWER, write_lines
from tiny_data import ADAPTATION, BACKGROUND

from workbench.cli.main import main
from workbench.experiments.backgrounds import background_of
from workbench.models.memm import MEMM
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError
from workbench.text.sets import docstrings, registry

OUTPUT = "output"
GO_ON = {"keep a model"}  # jobs that are done though nothing can be written


def _corpus(text):
    return Corpus.from_sentences([line.split() for line in text.split("\n") if line.strip()])


def prepare(folder: Path) -> None:
    """Write what the jobs read; embedded text is made of two small packages from now on."""
    write_lines(folder / "news.txt", _corpus(BACKGROUND))
    write_lines(folder / "talk.txt", _corpus(ADAPTATION))
    (folder / "lower.txt").write_text(LOWER * 40)
    MEMM.fit(_corpus(BACKGROUND), cutoff=0).save(folder / "news.model")
    packages = {docstrings.BACKGROUND: "tqdm", "streamlit-docs": "seqeval"}
    docstrings.EMBEDDED_SETS = {
        name: docstrings.EmbeddedSet((package,), "") for name, package in packages.items()
    }


def _command(name, *words):
    def run(folder):
        given = [str(folder / word) if "." in word else word for word in words]
        return main([name, *given, "-o", str(folder / "own" / OUTPUT)])

    return run


@cache
def _trained():
    return MEMM.fit(_corpus(ADAPTATION), cutoff=5, sigma2=5.0).content_hash()


def _keep_model(folder):
    """Take a model from the cache, or train it and keep it there."""
    return int(background_of(_corpus(ADAPTATION)).content_hash() != _trained())


def _embed(folder):
    """Take text from the cache, or make it of docstrings and keep it there."""
    try:
        return int(not len(registry.load("streamlit-docs")))
    except InputError as error:
        print(error, file=sys.stderr)
        return 1


JOBS: dict[str, Callable[[Path], int]] = {
    "train": _command("train", "talk.txt", "--cutoff", "1"),
    "adapt": _command("adapt", "news.model", "talk.txt", "--sigma2", "1", "--dev", "talk.txt"),
    "recase": _command("recase", "news.model", "lower.txt"),
    "keep a model": _keep_model,
    "embed text": _embed,
}
