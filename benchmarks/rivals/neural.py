"""A neural truecaser: an LSTM over the characters of a sentence, in PyTorch.

A character embedding of 50, two layers of 150 LSTM cells in each direction, and for each character
the probability that it is a capital: the network of Mayhew, Gupta & Roth (2020), *Robust Named
Entity Recognition with Truecasing Pretraining*, after Susanto, Chieu & Lu (2016), *Learning to
Capitalize with Character-Level Recurrent Neural Networks*. It is trained by Adam on one core, in
bfloat16, with a rate that falls to 0 at the end of the time it is given.
"""

import time
from copy import deepcopy
from itertools import chain, repeat
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.measure import find_rival
from workbench.recasing.spans import find_untouched
from workbench.text.corpus import Corpus

_EMBEDDING, _CELLS, _LAYERS, _DROPOUT = 50, 150, 2, 0.25
_PADDING, _UNKNOWN = 0, 1  # codes of no character and of one that the training text has not
_CHARACTERS = 2_000  # of a batch
_RATE, _WARM_UP, _LONGEST_GRADIENT = 3e-3, 0.02, 1.0  # the second is a share of the time
_CHECKS, _PATIENCE = 15, 4  # looks at the dev text at most, and without gain until it stops


class Characters(NamedTuple):
    """A text in lower case as codes of characters, and which of them it writes as capitals."""

    codes: np.ndarray  # int64, shape (C,), a blank after each word
    capital: np.ndarray  # bool, shape (C,)
    words: np.ndarray  # where each word starts, and C; int64, shape (N + 1,)
    sentences: np.ndarray  # where each sentence starts, and C; int64


def find_torch() -> tuple[Any, str]:
    """Return PyTorch, kept to one thread, or None; and its name and version."""
    torch, name = find_rival("torch", "torch")
    if torch:
        torch.set_num_threads(1)
        torch.manual_seed(1)
    return torch, name


def alphabet_of(corpus: Corpus) -> dict[str, int]:
    """Return a code for each character of a text in lower case, the blank among them."""
    found = sorted(set(" ").union(*corpus.words[1:]))
    return {character: code for code, character in enumerate(found, _UNKNOWN + 1)}


def characters_of(corpus: Corpus, alphabet: dict[str, int]) -> Characters:
    """Return the characters of a corpus; words whose length depends on case have no capital."""
    codes = [[alphabet.get(c, _UNKNOWN) for c in f"{word} "] for word in corpus.words]
    pairs = np.stack([corpus.word_ids, corpus.form_ids])
    kinds, which = np.unique(pairs, axis=1, return_inverse=True)
    spelled = [codes[word] for word in kinds[0].tolist()]
    capital = [_capitals(corpus.words[w], corpus.forms[f]) for w, f in kinds.T.tolist()]
    order = which.ravel().tolist()
    words = np.cumsum([0, *(len(spelled[kind]) for kind in order)])
    flat = (np.concatenate([own[kind] for kind in order]) for own in (spelled, capital))
    return Characters(*flat, words, words[corpus.starts])


def _capitals(word, form):
    if len(word) != len(form):
        return np.zeros(len(word) + 1, bool)
    return np.array([a != b for a, b in zip(f"{word} ", f"{form} ", strict=True)])


def wrong_words(corpus: Corpus, text: Characters, capital: np.ndarray) -> np.ndarray:
    """Return the words that are written wrongly with some capitals; bool, shape (N,).

    Words in addresses and handles stay in lower case, as ``recase`` leaves them.
    """
    capital = capital & ~np.repeat(find_untouched(corpus).words, np.diff(text.words))
    written = (
        "".join(c.upper() if up else c for c, up in zip(word, capital[start:], strict=False))
        for word, start in zip(_words(corpus.words, corpus.word_ids), text.words, strict=False)
    )
    forms = _words(corpus.forms, corpus.form_ids)
    return np.array([a != b for a, b in zip(written, forms, strict=True)])


def _words(vocabulary, ids):
    return [vocabulary[place] for place in ids.tolist()]


def batches_of(text: Characters, rng: np.random.Generator | None = None) -> list[np.ndarray]:
    """Return batches of sentences of like length, as their places, int64; with rng at random."""
    lengths = np.diff(text.sentences)
    order = np.argsort(lengths * (rng.uniform(0.9, 1.1, len(lengths)) if rng else 1))
    cuts = np.flatnonzero(np.diff(np.cumsum(lengths[order]) // _CHARACTERS)) + 1
    batches = np.split(order, cuts)
    if rng:
        rng.shuffle(batches)
    return batches


class CharacterLSTM:
    """The network, what trains it and what it makes of a text.

    Parameters
    ----------
    torch : module
    alphabet : dict of str to int
        Of ``alphabet_of`` the text that it is trained on first.
    """

    def __init__(self, torch: Any, alphabet: dict[str, int]):
        self.torch, self.alphabet = torch, alphabet
        n_codes = len(alphabet) + _UNKNOWN + 1
        sizes = {"num_layers": _LAYERS, "dropout": _DROPOUT, "bidirectional": True}
        self.network = torch.nn.ModuleDict({
            "characters": torch.nn.Embedding(n_codes, _EMBEDDING, padding_idx=_PADDING),
            "cells": torch.nn.LSTM(_EMBEDDING, _CELLS, **sizes),
            "capital": torch.nn.Linear(2 * _CELLS, 1),
        })  # fmt: skip

    def copy(self) -> "CharacterLSTM":
        """Return another one with the same weights, to be trained further."""
        other = CharacterLSTM(self.torch, self.alphabet)
        other.network.load_state_dict(self.network.state_dict())
        return other

    def save(self, path: Path) -> None:
        """Write the weights and the alphabet to a file."""
        self.torch.save({"weights": self.network.state_dict(), "codes": self.alphabet}, path)

    def fit(self, corpus: Corpus, dev: Corpus, seconds: float) -> "CharacterLSTM":
        """Train for so much processor time, or until dev gains no more; return this.

        The weights kept are those with the least loss on the dev text.
        """
        began = time.process_time()
        text, held_out = (characters_of(c, self.alphabet) for c in (corpus, dev))
        rng = np.random.default_rng(1)
        batches = chain.from_iterable(batches_of(text, rng) for _ in repeat(None))
        adam = self.torch.optim.Adam(self.network.parameters())
        losses: list[float] = []
        kept: dict = {}
        for check in range(1, _CHECKS + 1):
            while (spent := time.process_time() - began) < seconds * check / _CHECKS:
                self._step(text, next(batches), adam, spent / seconds)
            losses.append(self._mean_loss(held_out))
            if losses[-1] == min(losses):
                kept = deepcopy(self.network.state_dict())
            elif min(losses) < min(losses[-_PATIENCE:]):
                break
        self.network.load_state_dict(kept)
        return self

    def _step(self, text, batch, adam, spent):
        """Take a step after a share of the time is spent."""
        for group in adam.param_groups:
            group["lr"] = _RATE * min(spent / _WARM_UP, 1 - spent)
        adam.zero_grad()
        self.network.train()
        losses, n_characters = self._losses(text, batch)
        (losses / n_characters).backward()
        self.torch.nn.utils.clip_grad_norm_(self.network.parameters(), _LONGEST_GRADIENT)
        adam.step()

    def _mean_loss(self, text):
        """Return the loss of a character of a text, in nats."""
        self.network.eval()
        with self.torch.no_grad():
            found = [self._losses(text, batch) for batch in batches_of(text)]
        return sum(float(losses) for losses, _ in found) / sum(n for _, n in found)

    def _losses(self, text, batch):
        """Return the sum of the losses of a batch, in nats, and its number of characters."""
        places, inside = _grid(text, batch)
        capital = self.torch.from_numpy(text.capital[places[inside]]).float()
        scores = self._scores(text, places, inside)[self.torch.from_numpy(inside)]
        loss = self.torch.nn.functional.binary_cross_entropy_with_logits
        return loss(scores, capital, reduction="sum"), len(capital)

    def _scores(self, text, places, inside):
        """Return the log-odds of a capital at each place of a grid; float32, shape (T, B)."""
        codes = self.torch.from_numpy(np.where(inside, text.codes[places], _PADDING))
        with self.torch.autocast("cpu", self.torch.bfloat16):
            states, _ = self.network["cells"](self.network["characters"](codes))
            return self.network["capital"](states)[..., 0].float()

    def capitals(self, text: Characters) -> np.ndarray:
        """Return which characters of a text are capitals by this network; bool, shape (C,)."""
        self.network.eval()
        found = np.zeros(len(text.codes), bool)
        with self.torch.no_grad():
            for batch in batches_of(text):
                places, inside = _grid(text, batch)
                scores = self._scores(text, places, inside).numpy()
                found[places[inside]] = scores[inside] > 0
        return found


def _grid(text, batch):
    """Return the places of the characters of some sentences, a column each, and which are there."""
    starts, ends = text.sentences[batch], text.sentences[batch + 1]
    places = starts + np.arange((ends - starts).max())[:, np.newaxis]
    inside = places < ends
    return np.where(inside, places, 0), inside
