"""Model files that somebody edited: checksums are right, and nothing harmful passes for a model."""

import struct
import zipfile
from itertools import chain

import numpy as np
import pytest
from model_files import members_of, npy, rewrite, write_members

from workbench.models import files
from workbench.models.crf import CRF
from workbench.models.ensemble import BidirectionalMEMM
from workbench.models.interpolation import Interpolation
from workbench.models.kinds import load_model
from workbench.models.memm import MEMM
from workbench.models.unigram import Unigram
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError

TINY = Corpus.from_sentences([["PrimeTime", "is", "on", "ABC", "."], ["Now", ",", "iDiane"]])
TEXT = "primetime is on abc now, idiane http://x.y"
FITS = {
    "1gram": Unigram.fit, "memm": lambda corpus: MEMM.fit(corpus, cutoff=0),
    "crf": lambda corpus: CRF.fit(corpus, cutoff=0),
    "bidirectional": lambda corpus: BidirectionalMEMM.fit(corpus, cutoff=0),
}  # fmt: skip


@pytest.fixture(params=FITS.values(), ids=FITS)
def path(request, tmp_path):
    """The file of a small model of some kind."""
    request.param(TINY).save(tmp_path / "a.model")
    return tmp_path / "a.model"


@pytest.fixture
def memm(tmp_path):
    MEMM.fit(TINY, cutoff=0).save(tmp_path / "memm.model")
    return tmp_path / "memm.model"


def refuse(path):
    """Load a file that is no model; the one line of the InputError."""
    with pytest.raises(InputError) as caught:
        load_model(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)
    return str(caught.value)


# --- mixed-case forms ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "form", ["<script>", "PrimeTimes", "Primetim", "", "PrİmeTime", "primetimE\0"]
)
def test_a_form_that_is_not_its_word_in_another_case_is_refused(path, form):
    rewrite(path, mixed_forms_txt=lambda data: data.replace(b"PrimeTime", form.encode()))
    assert "is no form of 'primetime'" in refuse(path)


def test_a_form_of_a_word_that_has_case_itself_is_refused(path):
    rewrite(path, mixed_words_txt=lambda data: data.replace(b"primetime", b"PrimeTime"))
    assert "is no form of" in refuse(path)


@pytest.mark.parametrize("name", ["mixed_words_txt", "mixed_forms_txt"])
def test_lists_of_other_lengths_are_refused(path, name):
    rewrite(path, **{name: lambda data: data + b"\nmore"})
    refuse(path)


# --- numbers ------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e300, -2e9])
def test_a_weight_that_is_no_finite_number_is_refused(memm, value):
    weights = np.zeros(load_model(memm).info["features"])
    weights[3] = value
    rewrite(memm, weights_npy=lambda _: npy(weights))
    assert "weights that are no numbers from" in refuse(memm)


PLACES = {
    "backwards": lambda places, n: places[::-1], "repeated": lambda places, n: places * 0,
    "negative": lambda places, n: places - places[0] - 1,
    "beyond": lambda places, n: places - places[-1] + n, "two": lambda places, n: places[None],
    "floats": lambda places, n: places.astype(float), "bool": lambda places, n: places > 0,
}  # fmt: skip


@pytest.mark.parametrize("change", PLACES.values(), ids=PLACES)
def test_places_of_features_that_cannot_be_are_refused(memm, change):
    exists = load_model(memm).features.exists
    rewrite(memm, features_npy=lambda _: npy(change(np.flatnonzero(exists), exists.size)))
    refuse(memm)


@pytest.mark.parametrize("tags", [[5], [-1], [0.5], [[0]]])
def test_tags_of_words_that_are_none_are_refused(tmp_path, tags):
    Unigram.fit(TINY).save(tmp_path / "1gram")
    n = len(load_model(tmp_path / "1gram").tag_of_word)
    rewrite(tmp_path / "1gram", tags_npy=lambda _: npy(np.repeat(np.array(tags), n, axis=0)))
    refuse(tmp_path / "1gram")


def test_a_table_that_would_fill_the_memory_is_refused(memm, monkeypatch):
    monkeypatch.setattr(files, "MOST_CELLS", 100)
    assert "predicates by tags; 100 are allowed" in refuse(memm)


# --- headers ------------------------------------------------------------------------------


@pytest.mark.parametrize("version", [-5, 0, 2, 10**30, True, False, "1", 1.5, None, [], {"1": 1}])
def test_a_version_out_of_range_is_refused(path, version):
    rewrite(path, header=lambda header: header.update(version=version))
    refuse(path)


HEADERS = {
    "templates": [None, 3, "ca04", [], ["ca04"], [["t-1"]], ["t-1", "t-1"], ["-t-1"], [None],
                  ["colour"], ["currentword"] * 10**4],
    "tag_names": [None, 3, "LOC", [], [None], ["LOC"] * 5, ["A\n", "B"],
                  [str(i) for i in range(128)], ["LOC", "CAP", "MXC", "AUC"], {"LOC": 1}],
    "info": [None, 3, [], "x", {"name": 3}],
    "kind": [None, "hmm", "", 3, ["memm"], "interpolation", "prediction", "adapter", "x" * 10**6],
}  # fmt: skip


@pytest.mark.parametrize(("name", "value"), [(n, value) for n in HEADERS for value in HEADERS[n]])
def test_a_header_that_cannot_be_is_refused(memm, name, value):
    rewrite(memm, header=lambda header: header.update({name: value}))
    assert len(refuse(memm)) < len(str(memm)) + 300


@pytest.mark.parametrize("unseen", [None, "LOC", "", 3, ["loc"], "x" * 10**6])
def test_a_rule_that_is_none_is_refused(tmp_path, unseen):
    Unigram.fit(TINY).save(tmp_path / "1gram")
    rewrite(tmp_path / "1gram", header=lambda header: header.update(unseen=unseen))
    assert len(refuse(tmp_path / "1gram")) < len(str(tmp_path)) + 300


def test_templates_of_another_kind_are_refused(tmp_path):
    CRF.fit(TINY, cutoff=0).save(tmp_path / "crf")
    rewrite(tmp_path / "crf", header=lambda header: header["templates"].append("t-1,2"))
    assert "templates that a crf cannot have" in refuse(tmp_path / "crf")


@pytest.mark.parametrize("depth", [files.MOST_DEPTH + 1, 900, 100_000])
@pytest.mark.parametrize("ends", ["[]", ('{"a":', "}")])
def test_a_deep_header_is_refused(path, depth, ends):
    def deepen(data):
        first, last = ends
        inner = f"{first * depth}{'' if first == '[' else 1}{last * depth}".encode()
        return data.rstrip()[:-1] + b', "deep": ' + inner + b"}"

    members = members_of(path)
    write_members(path, members | {"header.json": deepen(members["header.json"])})
    refuse(path)


def test_a_header_may_be_deep_but_not_large(path):
    def deepen(header):
        for _ in range(50):
            header["info"] = {"name": "a", "background": header["info"]}

    rewrite(path, header=deepen)
    load_model(path)
    rewrite(path, header=lambda header: header.update(info={"name": "x" * (5 << 20)}))
    assert "a header of more than" in refuse(path)


# --- arrays -------------------------------------------------------------------------------

_HEADER = "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }"


def npy_of(header, data=bytes(8), magic=b"\x93NUMPY\x01\x00"):
    header = header.encode("latin-1")
    return magic + len(header).to_bytes(2, "little") + header + data


def npy_said(old, new):
    """An array whose header says something else."""
    return npy_of(_HEADER.replace(old, new))


ARRAYS = {
    "empty": b"", "magic alone": b"\x93NUMPY", "no length": b"\x93NUMPY\x01\x00",
    "cut in the header": npy_of(_HEADER)[:40], "no numbers": npy_of(_HEADER, b""),
    "one byte more": npy_of(_HEADER, bytes(9)), "no header": npy_of(""),
    "version 2": npy_of(_HEADER, magic=b"\x93NUMPY\x02\x00"),
    "other magic": npy_of(_HEADER, magic=b"\x93NUMPX\x01\x00"),
    "open bracket": npy_of("{'descr': ("), "open string": npy_of("'''"),
    "no dict": npy_of("[1, 2]"), "brackets": npy_of("(" * 900), "signs": npy_of("-" * 900 + "1"),
    "long": npy_of(_HEADER + " " * 9000), "code": npy_of("__import__('os').abort()"),
    "not ASCII": npy_of(_HEADER + "é"), "no shape": npy_of("{'descr': '<f8'}"),
    "objects": npy_said("<f8", "|O"), "text": npy_said("<f8", "<U2"),
    "big end": npy_said("<f8", ">f8"), "time": npy_said("<f8", "<M8[s]"),
    "structure": npy_said("'<f8'", "[('a', '<f8')]"), "by columns": npy_said("False", "True"),
    "a number": npy_said("(1,)", "1"), "0-D": npy_said("(1,)", "()"),
    "negative": npy_said("(1,)", "(-1,)"), "sum": npy_said("(1,)", "(2**62,)"),
    "10**18": npy_said("(1,)", f"({10**18},)"), "two negative": npy_said("(1,)", "(-1,-1)"),
    "true": npy_said("(1,)", "(True,)"), "float": npy_said("(1,)", "(1.,)"),
    "pickle": b"\x80\x04]\x94.",
}  # fmt: skip


@pytest.mark.parametrize("data", ARRAYS.values(), ids=ARRAYS)
def test_a_malformed_array_is_refused(memm, data):
    rewrite(memm, weights_npy=lambda _: data)
    assert "not a model of this workbench, or a damaged one" in refuse(memm)


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint8, np.int32, np.int64, np.float32, float])
@pytest.mark.parametrize("shape", [(0,), (7,), (0, 3), (3, 2)])
def test_arrays_of_numbers_are_read_as_numpy_reads_them(dtype, shape):
    array = np.arange(np.prod(shape)).reshape(shape).astype(dtype)
    read = files._parse_array(npy(array))
    np.testing.assert_array_equal(read, array)
    assert read.dtype == array.dtype


# --- sizes --------------------------------------------------------------------------------


def bomb(path, megabytes, name="predicates.txt"):
    """Put a member of zeros into a model file: it packs to a thousandth."""
    write_members(path, members_of(path) | {name: bytes(megabytes << 20)})


def test_a_bomb_is_refused_by_its_directory(path, monkeypatch):
    bomb(path, 120)
    monkeypatch.setattr(zipfile.ZipFile, "open", None)  # nothing is unpacked
    assert "bytes that unpack to" in refuse(path)


def test_an_honest_large_member_and_stored_members_are_read(path):
    bomb(path, 1, "notes.txt")
    load_model(path)
    write_members(path, members_of(path), zipfile.ZIP_STORED)
    load_model(path)


def test_a_file_that_is_too_large_is_refused_unread(path):
    with path.open("ab") as file:
        file.truncate(files.MOST_BYTES + 1)  # a hole: it takes no room
    assert "a model file has at most" in refuse(path)


def test_a_member_longer_than_it_says_is_refused_without_unpacking_it(path, monkeypatch):
    bomb(path, 40, "mixed_words.txt")
    data = bytearray(path.read_bytes())
    for place in find_all(data, (40 << 20).to_bytes(4, "little")):
        data[place : place + 4] = (1000).to_bytes(4, "little")
    path.write_bytes(data)
    asked = []
    unpack = zipfile.ZipExtFile._read1
    monkeypatch.setattr(
        zipfile.ZipExtFile, "_read1", lambda self, n: asked.append(n) or unpack(self, n)
    )
    refuse(path)
    assert max(asked) < 1 << 20


def find_all(data, wanted):
    place = data.find(wanted)
    while place >= 0:
        yield place
        place = data.find(wanted, place + 1)


def test_too_many_strings_are_refused(path, monkeypatch):
    monkeypatch.setattr(files, "MOST_STRINGS", 10)
    assert "more than 10 strings" in refuse(path)


def test_too_many_members_are_refused_before_they_are_listed(path, monkeypatch):
    write_members(path, members_of(path) | {f"{i}": b"" for i in range(2000)})
    monkeypatch.setattr(files.zipfile, "ZipFile", None)
    assert "members; a model file has at most 64" in refuse(path)


def test_predicates_in_too_many_blocks_are_refused(memm):
    names = "\n".join(
        chain.from_iterable((f"currentword={i}", f"nextword={i}") for i in range(5001))
    )
    rewrite(memm, predicates_txt=lambda _: names.encode())
    assert "blocks" in refuse(memm)


@pytest.mark.parametrize("packing", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_packing_that_we_never_write_is_refused(path, packing):
    write_members(path, members_of(path), packing)
    refuse(path)


def test_members_of_one_name_or_locked_are_refused(path):
    with zipfile.ZipFile(path, "a") as file, pytest.warns(UserWarning, match="Duplicate"):
        file.writestr("header.json", b"{}")
    refuse(path)
    data = bytearray(path.read_bytes())
    directory = data.index(b"PK\1\2")
    for place in (6, directory + 8):
        struct.pack_into("<H", data, place, 1)
    path.write_bytes(data)
    refuse(path)


def test_a_model_too_large_to_be_read_is_not_written(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "MOST_BYTES", 1000)
    with pytest.raises(InputError, match=r"bytes that unpack to .*; 1,000 are allowed"):
        MEMM.fit(TINY, cutoff=0).save(tmp_path / "a.model")
    assert not list(tmp_path.iterdir())


# --- models of several --------------------------------------------------------------------


@pytest.fixture
def mixture(tmp_path):
    model = MEMM.fit(TINY, cutoff=0)
    Interpolation(model, model, 0.5, model.mixed_forms, {"name": "both"}).save(tmp_path / "mix")
    return tmp_path / "mix"


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan"), "0.5", None, [0.5]])
def test_a_share_that_is_none_is_refused(mixture, share):
    rewrite(mixture, header=lambda header: header.update(share=share))
    refuse(mixture)


def test_a_form_inside_a_mixture_is_checked(mixture):
    members = members_of(mixture)
    members["mixed_forms.txt"] = members["mixed_forms.txt"].replace(b"PrimeTime", b"<script>x")
    write_members(mixture, members)
    assert "is no form of" in refuse(mixture)
