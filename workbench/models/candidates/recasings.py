"""The k best tag sequences of a capitalizer as candidate sets."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from workbench.features.candidates.candidate_sets import CandidateSets
from workbench.features.candidates.packing import Block, pack_blocks
from workbench.features.candidates.whole_sentence import describe_casing
from workbench.inference import BestPaths
from workbench.text.characters import join_words
from workbench.text.corpus import Corpus

K_BEST = 10
LOG_PROBABILITY = "tagger"  # name of the feature
Describe = Callable[[Sequence[str], Sequence[int]], Mapping[str, int]]


@dataclass(frozen=True, eq=False)
class Recasings:
    """The best tag sequences of each sentence of a corpus, as candidates."""

    sets: CandidateSets
    paths: BestPaths
    corpus: Corpus

    def tags_of(self, chosen: np.ndarray) -> np.ndarray:
        """Return the tags of chosen candidates, given by their numbers, (S,); int8, shape (N,)."""
        ranks = chosen - self.sets.sentence_starts[:-1]
        return self.paths.tags[ranks[self.corpus.sentence_ids], np.arange(len(self.corpus))]

    def written(self, tagger: Any, name: str) -> CandidateSets:
        """Return the sets, by name, with what each candidate and each sentence is written like."""
        starts = [*pairwise(self.corpus.starts.tolist())]
        by_rank = [tagger.recase_words(self.corpus, tags) for tags in self.paths.tags]
        strings = tuple(
            join_words(by_rank[rank][a:b])
            for (a, b), n in zip(starts, np.diff(self.sets.sentence_starts).tolist(), strict=True)
            for rank in range(n)
        )
        gold = tuple(join_words(self.corpus.sentence(s)) for s in range(len(starts)))
        return replace(self.sets, name=name, sentences=gold, strings=strings, measure="words right")


def propose_recasings(
    tagger: Any, corpus: Corpus, k: int = K_BEST, describe: Describe = describe_casing
) -> Recasings:  # fmt: skip
    """Return the k best tag sequences of each sentence, the most probable first, with features.

    The quality of a candidate is the share of words whose tag is right; the counts of words
    replace those of brackets, so that the quality over a corpus is the share of
    all words. Features are the logarithm of the probability, and what ``describe`` says of a
    sentence's words in lower case and their tags: counts by name.
    """
    paths = tagger.best_paths(corpus, k)
    words = [corpus.words[i] for i in corpus.word_ids.tolist()]
    numbers: dict[str, int] = {LOG_PROBABILITY: 0}
    blocks = [
        _describe_sentence(words[a:b], paths.tags[:, a:b], paths.log_probabilities[:, s],
                           corpus.tags[a:b], numbers, describe)
        for s, (a, b) in enumerate(pairwise(corpus.starts.tolist()))
    ]  # fmt: skip
    names = {number: name for name, number in numbers.items()}
    return Recasings(pack_blocks(corpus.name, blocks, names, corpus.name), paths, corpus)


def _describe_sentence(words, tags, log_probabilities, gold, numbers, describe):
    """Return the candidates of a sentence; features that are new get a number."""
    tags = tags[np.isfinite(log_probabilities)]
    rows = [{0: float(p)} for p in log_probabilities[: len(tags)]]
    for row, own in zip(rows, tags.tolist(), strict=True):
        for name, count in describe(words, own).items():
            row[numbers.setdefault(name, len(numbers))] = float(count)
    right, size = (tags == gold).sum(axis=1), np.full(len(tags), len(words))
    return Block(
        np.array([number for row in rows for number in row], np.int32),
        np.array([value for row in rows for value in row.values()], np.float32),
        np.array([len(row) for row in rows]), right / len(words), np.arange(len(tags)) == 0,
        {"matched": right, "guessed": size, "gold": size},
    )  # fmt: skip
