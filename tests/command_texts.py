"""Texts for the tests of the commands, and the options that name them."""

import os
import sys
from contextlib import contextmanager

import pytest

LOWER = "apple said on monday that the fbi met in new york .\n"


def write_lines(path, corpus):
    """Write the sentences of a corpus, one a line."""
    lines = [" ".join(corpus.sentence(i)) for i in range(corpus.n_sentences)]
    path.write_text("\n".join(lines) + "\n")


def write_texts(folder, background_corpus, parts):
    """Write a background text, and a domain in three parts, into a folder."""
    write_lines(folder / "news.txt", background_corpus)
    (folder / "talk").mkdir()
    for part, corpus in parts.items():
        write_lines(folder / "talk" / f"{part}.txt", corpus)


def write_halves(folder, corpus):
    """Write every other sentence of a corpus as train.txt of a new folder, the rest as dev.txt."""
    folder.mkdir()
    for first, part in enumerate(("train", "dev")):
        own = corpus.take(range(first, corpus.n_sentences, 2))
        write_lines(folder / f"{part}.txt", own)


def save(path, content):
    """Write text or bytes to a file; returns its place."""
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@contextmanager
def standard_input(path):
    """Have the process' standard input come from a file."""
    before = os.dup(0)
    with open(path) as file, pytest.MonkeyPatch.context() as patch:
        os.dup2(file.fileno(), 0)
        patch.setattr(sys, "stdin", file)
        yield
    os.dup2(before, 0)
    os.close(before)


def grid(place, *options, with_test=True):
    """Options of an experiment on the place's texts, with every feature of the background."""
    talk = place / "talk"
    texts = ("--background", place / "news.txt", "--adapt", talk, "--dev", talk)
    if with_test:
        texts += ("--test", talk)
    return *texts, "--background-cutoff", "1", *options
