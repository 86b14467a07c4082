"""Targets that read model files whose checksums are right: models of each kind, and adapters."""

import json
import os
from functools import cache

import numpy as np
from hypothesis import strategies as st
from model_files import members_of, npy, write_members

from fuzz.target import Target, refusal, scratch
from workbench.adaptation.adaptation import adapt
from workbench.models.adapter import save_adapter
from workbench.models.crf import CRF
from workbench.models.description import describe_model
from workbench.models.interpolation import Interpolation
from workbench.models.kinds import load_model
from workbench.models.memm import MEMM
from workbench.models.unigram import Unigram
from workbench.text.casing import wipe_case
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError

TINY = Corpus.from_sentences([["PrimeTime", "is", "on", "ABC", "."], ["Now", ",", "iDiane"]])
OTHER = Corpus.from_sentences([["ABC", "is", "EBay", "now", "."], ["on", "Diane", "eBay"]])
TEXT = "primetime is on abc now, idiane http://x.y ebay"
Members = dict[str, bytes]

# --- inputs -------------------------------------------------------------------------------

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=8,
)  # fmt: skip
arrays = st.builds(
    lambda values, dtype: npy(np.array(values).astype(dtype)),
    st.lists(st.integers(-(2**31), 2**31), max_size=40),
    st.sampled_from(["<i4", "<f8", "|i1", "<i8", "|b1"]),
)
strings = st.lists(st.text(max_size=8).map(lambda s: s.replace("\n", "")), max_size=20)
texts = strings.map(lambda values: "\n".join(values).encode("utf-8", "replace"))


def _headers(data):
    """Return a strategy for the bytes of a header of which some entry is another."""
    header = json.loads(data)
    inner = header.get("background")
    entry = st.tuples(st.sampled_from(sorted(header)), json_values)
    edited = entry.map(lambda new: header | {new[0]: new[1]})
    if isinstance(inner, dict):
        deeper = st.tuples(st.sampled_from(sorted(inner)), json_values)
        edited |= deeper.map(lambda new: header | {"background": inner | {new[0]: new[1]}})
    return edited.map(lambda said: json.dumps(said).encode()) | st.binary(max_size=30)


def _damaged(data):
    """Return a strategy for the bytes of a member cut, or with a byte that is another."""
    cut = st.integers(0, len(data)).map(lambda n: data[:n])
    at = st.tuples(st.integers(0, max(0, len(data) - 1)), st.integers(1, 255))
    return cut | at.map(
        lambda at: data[: at[0]] + bytes([data[at[0]] ^ at[1]]) + data[at[0] + 1 :] if data else b""
    )


def mutations(members: Members) -> st.SearchStrategy[Members]:
    """Return a strategy for members with valid checksums of which one or two were edited."""
    choices = []
    for name, data in members.items():
        new = {".json": _headers, ".npy": lambda _: arrays, ".txt": lambda _: texts}
        made = new[os.path.splitext(name)[1]](data)
        choices.append(st.tuples(st.just(name), made | _damaged(data) | st.binary(max_size=200)))
    return st.lists(st.one_of(choices), min_size=1, max_size=2).map(lambda new: members | dict(new))


# --- checks -------------------------------------------------------------------------------


def _save_models(folder):
    """Write a small model of each kind and an adapter of the MEMM; yields their files."""
    memm = MEMM.fit(TINY, cutoff=0)
    adapted = adapt(memm, OTHER, 1.0)
    Unigram.fit(TINY).save(folder / "1gram")
    memm.save(folder / "memm")
    CRF.fit(TINY, cutoff=0).save(folder / "crf")
    Interpolation(memm, adapted, 0.5, memm.mixed_forms, {"name": "a"}).save(folder / "mixture")
    save_adapter(adapted, memm, folder / "memm", folder / "adapter")


@cache
def _members() -> dict[str, Members]:
    """Return the members of each file; those of models that adapters need stay in a folder."""
    folder = scratch()
    os.environ["WORKBENCH_CACHE"] = str(folder / "cache")
    _save_models(folder)
    return {
        name: members_of(folder / name) for name in ("1gram", "memm", "crf", "mixture", "adapter")
    }


def check_file(members: Members) -> None:
    """What is loaded changes nothing but case; anything else is refused in a line."""
    path = scratch() / "changed"
    write_members(path, members)
    for read in (describe_model, load_model):
        try:
            found = read(path)
        except InputError as error:
            refusal(error)
            return
    try:
        recased = found.recase(TEXT)
    except InputError as error:  # of another task than case
        refusal(error)
        return
    assert wipe_case(recased) == TEXT


def _inputs(*kinds: str) -> st.SearchStrategy[Members]:
    return st.deferred(lambda: st.one_of([mutations(_members()[kind]) for kind in kinds]))


TARGETS = {
    "models": Target(_inputs("1gram", "memm", "crf", "mixture"), check_file, 250),
    "adapters": Target(_inputs("adapter"), check_file, 200),
}
