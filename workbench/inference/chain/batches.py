"""Sentences of a chain, or stretches of them, in batches side by side.

A step of a recursion is then one small product of matrices for a block of words, which BLAS
does several times as fast as row by row, and what is left are long loops over blocks.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from workbench.inference.chain.scores import Batch, ChainScores, fill_scores, subtract_highest
from workbench.numerics.jit import jit
from workbench.numerics.threads import even_slices, thread_count
from workbench.text.scratch import release

_SMALL = 5_000  # words below which a second thread costs more than it saves
_BLOCK = 1 << 16  # words
_MOST_ABREAST = 64  # stretches side by side
_MOST_CELLS = 1 << 15  # of a batch: its arrays stay in the second cache


class Stretches(NamedTuple):
    """Neighbouring words of sentences, or whole sentences, longest first."""

    starts: np.ndarray  # int64, shape (stretches,): first words
    lengths: np.ndarray  # int64, shape (stretches,)
    begins: np.ndarray  # bool, shape (stretches,): whether a sentence begins there


def split_sentences(starts: np.ndarray) -> list[Stretches]:
    """Split the sentences that have words into parts for threads; ``starts`` has the end, too."""
    return [_sort(own) for own in _split(np.asarray(starts, np.int64))]


def _split(starts):
    n_words = int(starts[-1])
    n_parts = 1 if n_words < _SMALL else thread_count()
    edges = [np.searchsorted(starts, part.stop) for part in even_slices(n_words, n_parts)]
    return [starts[a : b + 1] for a, b in pairwise([0, *edges])]


def _sort(starts):
    """Whole sentences that have words, longest first."""
    lengths = np.diff(starts)
    order = np.argsort(-lengths, kind="stable")[: np.count_nonzero(lengths)]
    return Stretches(starts[order], lengths[order], np.ones(len(order), bool))


class Block(NamedTuple):
    """Consecutive whole sentences, and the slice of the text's words that are theirs."""

    sentences: Stretches
    words: slice

    @classmethod
    def of(cls, starts: np.ndarray) -> "Block":
        """Return the block of sentences by their starts and the last's end."""
        return cls(_sort(starts), slice(int(starts[0]), int(starts[-1])))


def split_blocks(starts: np.ndarray, is_stored: bool) -> list[Iterable[Block]]:
    """Split sentences into parts for threads, each of one block; on disk of a text's many."""
    parts = _split(np.asarray(starts))
    return [_StoredBlocks(part) if is_stored else (Block.of(part),) for part in parts]


class _StoredBlocks:
    """Blocks of sentences on disk, read one after another whenever they are gone through."""

    def __init__(self, starts: np.ndarray):
        self.starts = starts

    def __iter__(self) -> Iterator[Block]:
        first, end = 0, len(self.starts) - 1
        while first < end:
            most = self.starts[first] + _BLOCK
            last = max(first + 1, int(np.searchsorted(self.starts, most, "right")) - 1)
            own = self.starts[first : last + 1]
            yield Block.of(own)
            release(own)
            first = last


@jit
def batch_size(lengths: np.ndarray, first: int, width: int) -> int:
    """How many stretches, from one on, go side by side."""
    most = max(1, _MOST_CELLS // max(1, lengths[first] * width))
    return min(_MOST_ABREAST, most, len(lengths) - first)


@jit
def most_words(lengths: np.ndarray, width: int) -> int:
    """Return the largest number of words in a batch of stretches, given lengths, longest first."""
    longest = lengths[0] if len(lengths) else 0
    return min(lengths.sum(), max(longest, _MOST_CELLS // width))


@jit
def make_batch(stretches: Stretches, first: int, n: int) -> Batch:
    """Put n stretches, from one on, side by side."""
    end = first + n
    lengths = stretches.lengths[first:end]
    blocks = np.zeros(lengths[0] + 1, np.int64)
    for i in range(lengths[0]):
        while lengths[n - 1] <= i:
            n -= 1
        blocks[i + 1] = blocks[i] + n
    return Batch(stretches.starts[first:end], lengths, stretches.begins[first:end], blocks)


@jit
def next_batch(
    scores: ChainScores, sentences: Stretches, first: int, max_spread: float, filled: np.ndarray
) -> tuple[Batch, bool]:
    """Fill in the scores of the next batch, each word's highest taken off, shape (n, L).

    Where the scores of a word spread wider than ``max_spread`` the batch is halved, until it
    is one sentence or has no such word: whether it has none is returned with it.
    """
    n = batch_size(sentences.lengths, first, len(scores.padding))
    while True:
        batch = make_batch(sentences, first, n)
        fill_scores(scores, batch, filled)
        is_in_range = subtract_highest(filled[: batch.blocks[-1]], scores.padding) <= max_spread
        if is_in_range or n == 1:
            return batch, is_in_range
        n //= 2
