"""From blocks of candidates, as readers of files yield them, to packed ``CandidateSets``."""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from workbench.candidates.sets import CandidateSets
from workbench.text.errors import InputError


class Block(NamedTuple):
    """Some candidates of a file: E entries of C candidates."""

    features: np.ndarray  # int32, shape (E,): numbers as in the file
    values: np.ndarray  # float32, shape (E,)
    lengths: np.ndarray  # int64, shape (C,): entries of each candidate
    quality: np.ndarray  # shape (C,)
    begins: np.ndarray  # bool, shape (C,): with which candidates a sentence begins
    counts: Mapping[str, np.ndarray]  # by name, shape (C,)


def pack_blocks(
    name: str, blocks: Sequence[Block], names: Mapping[int, str] | None, source: str
) -> CandidateSets:
    """Return the sets of the blocks of one file, the ``source``.

    ``names`` are those of the features by their numbers in the file; without them a feature is
    named by its number. InputError if there is no candidate, or a feature without a name.
    """
    of = {
        key: np.concatenate([getattr(block, key) for block in blocks] or [np.zeros(0)])
        for key in ("features", "values", "lengths", "quality", "begins")
    }
    if not len(of["lengths"]):
        raise InputError(f"{source}: no candidates; at least one sentence is needed")
    feature_names, features = _name_features(of["features"].astype(np.int32), names, source)
    sentence_starts = np.flatnonzero(of["begins"]).astype(np.int64)
    filled = [block for block in blocks if len(block.lengths)]
    counts = {key: np.concatenate([block.counts[key] for block in filled])
              for key in filled[0].counts}  # fmt: skip
    return CandidateSets(
        name, feature_names, features, of["values"],
        np.concatenate([[0], np.cumsum(of["lengths"])]).astype(np.int64),
        np.append(sentence_starts, len(of["lengths"])), of["quality"], counts,
    )  # fmt: skip


def _name_features(numbers, names, source):
    """Return the names of features, and their places among them of the numbers of a file."""
    if names is None:
        known, features = np.unique(numbers, return_inverse=True)
        return tuple(map(str, known.tolist())), features.astype(np.int32)
    place_of = np.full(max(names, default=0) + 2, -1, np.int32)
    place_of[list(names)] = np.arange(len(names))
    features = place_of[np.minimum(numbers, len(place_of) - 1)]
    if (nameless := numbers[features < 0]).size:
        raise InputError(f"{source}: feature {nameless[0]} has no name in its features.txt")
    return tuple(names.values()), features


def join_sets(name: str, sets: Sequence[CandidateSets]) -> CandidateSets:
    """Return several sets as one, their features numbered alike by name."""
    names, mapped = _unite_names(sets)
    common = set.intersection(*(set(each.counts) for each in sets))
    return CandidateSets(
        name, names,
        np.concatenate([places[each.features] for places, each in zip(mapped, sets, strict=True)]),
        np.concatenate([each.values for each in sets]),
        _chain_starts([each.starts for each in sets]),
        _chain_starts([each.sentence_starts for each in sets]),
        np.concatenate([each.quality for each in sets]),
        {key: np.concatenate([each.counts[key] for each in sets])
         for key in sets[0].counts if key in common},
        **{key: _chain_texts([getattr(each, key) for each in sets])
           for key in ("documents", "sentences")},
        measure=sets[0].measure,
    )  # fmt: skip


def _chain_texts(texts):
    """Return texts of several sets as one, () if one of them has none."""
    return tuple(chain.from_iterable(texts)) if all(texts) else ()


def _unite_names(sets):
    """Return the names of all sets, and where among them those of each set are."""
    numbers: dict[str, int] = {}
    mapped = [
        np.array([numbers.setdefault(n, len(numbers)) for n in each.feature_names], np.int32)
        for each in sets
    ]
    return tuple(numbers), mapped


def _chain_starts(starts):
    ends = np.cumsum([0, *(own[-1] for own in starts)])
    return np.concatenate([[0], *(own[1:] + end for own, end in zip(starts, ends, strict=False))])
