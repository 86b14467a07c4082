"""Candidate sets from files of a user's own, given as bytes: one that is divided, or its parts."""

import io
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from workbench.features.candidates.candidate_files import (
    FEATURES,
    SENTENCES,
    Beside,
    Named,
    read_pieces,
)
from workbench.features.candidates.candidate_sets import CandidateSets
from workbench.text.errors import InputError
from workbench.text.incoming import DAMAGE, decode, read_stream, unpacked_name
from workbench.text.lint import Finding
from workbench.text.sets.splits import PARTS
from workbench.text.tasks import CANDIDATE_ENDS

_ALLOWED = "a single file of any name, or train and dev, or train, dev and test"


class _File(NamedTuple):
    """A file of candidate sets."""

    name: str
    stem: str
    part: str  # that its name ends in; "" for a file to be divided
    data: bytes


def read_uploaded_sets(files: Mapping[str, bytes]) -> tuple[str, dict[str, CandidateSets]]:
    """Return a name, and candidate sets by part, from files that belong together, by their names.

    A single file ending in ``.svm`` or ``.events`` is ``train``, whatever it is called. Of more
    the names, before that end, end in train, dev or test, as in ``news-train.svm``. Names of
    features and what sentences are made of stand beside them as in a folder. Each file may be
    packed by gzip or Zstandard.

    Raises
    ------
    InputError
        If a file is none of these, a part is there twice or missing, or a line is wrong.
    """
    plain = {unpacked_name(name): _unpack(name, data) for name, data in files.items()}
    found = _find_parts([_describe(n, plain[n]) for n in plain if n.endswith(CANDIDATE_ENDS)])
    beside = {file.stem + SENTENCES for file in found.values()} | {FEATURES}
    held = {file.name for file in found.values()}
    if others := [name for name in plain if name not in held | beside]:
        raise InputError(
            f"{others[0]}: candidate sets end in .svm or .events; beside them belong "
            + " and ".join(sorted(beside))
        )
    name = _name(found)
    sets = {part: replace(_read(file, plain), name=name) for part, file in found.items()}
    return name, sets


def _unpack(name, data):
    try:
        return read_stream(io.BytesIO(data))
    except InputError as error:
        raise InputError(f"{name}: {error}") from None
    except DAMAGE as error:
        raise InputError(f"{name}: cannot be unpacked ({error})") from None


def _describe(name, data):
    stem = name.rpartition(".")[0]
    return _File(name, stem, next((part for part in PARTS if stem.endswith(part)), ""), data)


def _find_parts(files):
    """Return the files by part; InputError if they do not make a set."""
    if len(files) == 1:
        return {"train": files[0]}
    found = {file.part: file for file in files}
    if len(found) < len(files) or set(found) not in ({"train", "dev"}, set(PARTS)):
        names = ", ".join(file.name for file in files) or "no file in .svm or .events"
        raise InputError(f"{names}: {_ALLOWED} make a set")
    return found


def _name(found):
    """Return what to call a set: the file's name, or what the names of parts begin with."""
    first = found["train"]
    if len(found) == 1:
        return first.name
    return first.stem.removesuffix(first.part).rstrip("-_. ") or "candidate sets"


def _read(file, plain):
    def text_of(name):
        return Named(name, decode(plain[name], name)) if name in plain else None

    beside = Beside(text_of(FEATURES), text_of(file.stem + SENTENCES))
    return read_pieces(iter([file.data]), file.name, beside)


def halve(sets: CandidateSets, block: int = 20) -> tuple[CandidateSets, CandidateSets]:
    """Return every other block of sentences, and the rest; InputError of fewer than two."""
    if sets.n_sentences < 2:
        raise InputError(f"{sets.name}: 1 sentence of dev; 2 or more are needed without test")
    block = min(block, sets.n_sentences // 2)
    is_second = np.arange(sets.n_sentences) // block % 2 == 1
    return sets.take(np.flatnonzero(~is_second)), sets.take(np.flatnonzero(is_second))


# --- the check ----------------------------------------------------------------------------

_FEW_SENTENCES = 100
_FEW = "This is little: a gain seldom shows on so few sentences; some hundreds would do."
_NOTHING = "Nothing can be learnt from them; that is fine for some, not for most."


def check_sets(parts: Mapping[str, CandidateSets]) -> list[Finding]:
    """Return how large candidate sets are, and of how many sentences nothing can be learnt."""
    dull = [_is_dull(sets) for sets in parts.values()]
    sizes = [
        Finding(f"{part} sentences", sets.n_sentences, (), _advise(part, sets))
        for part, sets in parts.items()
    ]
    all_dull, total = sum(own.sum() for own in dull), sum(map(len, dull))
    names = {name for sets in parts.values() for name in sets.feature_names}
    return [
        *sizes, Finding("candidates", sum(map(len, parts.values())), (), ""),
        Finding("features", len(names), (), ""),
        Finding("sentences whose candidates are equally good", int(all_dull), (),
                _NOTHING if all_dull > total / 2 else ""),
    ]  # fmt: skip


def _is_dull(sets):
    """Return in which sentences all candidates, or the only one, are as good as the best."""
    return np.logical_and.reduceat(sets.is_best, sets.sentence_starts[:-1])


def _advise(part, sets):
    return _FEW if part == PARTS[0] and sets.n_sentences < _FEW_SENTENCES else ""
