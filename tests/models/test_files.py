"""Model files: what was saved comes back, and nothing else passes for a model."""

import errno
import io
import json
import pickle
import zipfile

import numpy as np
import pytest

from workbench.models import files
from workbench.models.files import FORMAT, VERSION, read_parts, write_atomically, write_parts
from workbench.models.kinds import KINDS, load_model
from workbench.models.memm import MEMM
from workbench.models.unigram import Unigram
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError

TINY = Corpus.from_sentences([["PrimeTime", "is", "on", "ABC", "."], ["Now", ",", "Diane"]])
FITS = {
    "1gram": lambda corpus: Unigram.fit(corpus, unseen="cap"),
    "memm": lambda corpus: MEMM.fit(corpus, cutoff=0),
}


@pytest.fixture(params=FITS.values(), ids=FITS)
def make(request):
    return request.param


@pytest.fixture
def model(make, background_corpus):
    return make(background_corpus)


@pytest.fixture
def saved(model, tmp_path):
    model.save(tmp_path / "a.model")
    return tmp_path / "a.model"


@pytest.fixture
def tiny_bytes(make, tmp_path):
    make(TINY).save(tmp_path / "tiny.model")
    return (tmp_path / "tiny.model").read_bytes()


def refuse(path):
    """Load a file that is no model; the message of the InputError."""
    with pytest.raises(InputError) as caught:
        load_model(path)
    return str(caught.value)


def change_header(path, **changes):
    """Rewrite a model file with other header entries; None takes one out."""
    header = read_parts(path)[0]
    header = {k: v for k, v in (header | changes).items() if v is not None}
    members = {"header.json": json.dumps(header).encode()}
    with zipfile.ZipFile(path) as archive:
        members |= {n: archive.read(n) for n in archive.namelist() if n != "header.json"}
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)


def test_all_kinds_are_known():
    assert set(KINDS) == {"1gram", "memm", "crf", "bidirectional", "ensemble"}


def test_a_missing_file_or_a_folder_is_no_model(tmp_path):
    assert "no such model file" in refuse(tmp_path / "none.model")
    assert str(tmp_path) in refuse(tmp_path)


def test_a_loaded_model_is_the_same(model, saved, adaptation_corpus):
    loaded, names = load_model(saved), ["mixed_forms", "info", "tag_names"]
    names += {"1gram": ["tag_of_word", "unseen"], "memm": ["templates"]}[model.kind]
    assert type(loaded) is type(model)
    assert np.array_equal(loaded.tag(adaptation_corpus), model.tag(adaptation_corpus))
    assert [getattr(loaded, name) for name in names] == [getattr(model, name) for name in names]
    assert model.kind == "1gram" or np.array_equal(loaded.weights, model.weights)  # bit by bit


def test_words_of_any_script_come_back(make, tmp_path):
    words = ["Ωμέγα", "日本", "a=b", "ΣΑΣ", "iΩS", "e\u0301", "\x85x", "PNC"]
    corpus = Corpus.from_sentences([words])
    model = make(corpus)
    model.save(tmp_path / "any.model")
    assert load_model(tmp_path / "any.model").recase_words(corpus) == model.recase_words(corpus)


def test_a_model_without_features_comes_back(background_corpus, adaptation_corpus, tmp_path):
    empty = MEMM.fit(background_corpus, cutoff=10**6)
    empty.save(tmp_path / "empty.model")
    tags = load_model(tmp_path / "empty.model").tag(adaptation_corpus)
    assert np.array_equal(tags, empty.tag(adaptation_corpus))


def test_the_same_model_is_the_same_file(background_corpus, tmp_path, make):
    paths = [tmp_path / "one", tmp_path / "two"]
    for path in paths:
        make(background_corpus).save(path)
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_a_file_describes_itself_and_not_when_it_was_written(saved, background_corpus, tmp_path):
    header, arrays, _ = read_parts(saved)
    assert (header["format"], header["version"]) == (FORMAT, VERSION)
    assert header["info"]["text"] == background_corpus.fingerprint
    assert all(array.dtype != object for array in arrays.values())
    with zipfile.ZipFile(saved) as archive:
        assert {member.date_time for member in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    (tmp_path / "again").write_text("older")
    load_model(saved).save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == saved.read_bytes()


def test_a_file_can_be_read_by_those_who_can_read_the_folder(saved):
    beside = saved.with_name("plain")
    beside.touch()
    assert saved.stat().st_mode == beside.stat().st_mode


def test_a_newer_version_is_named(saved):
    change_header(saved, version=VERSION + 1)
    assert f"version {VERSION + 1}" in refuse(saved)


def _pickled(_):
    return pickle.dumps({"weights": [1.0]})


def _other_zip(_):
    with zipfile.ZipFile(buffer := io.BytesIO(), "w") as archive:
        archive.writestr("readme.txt", "not a model")
    return buffer.getvalue()


def _other_header(_, header=b'{"format": "song"}'):
    with zipfile.ZipFile(buffer := io.BytesIO(), "w") as archive:
        archive.writestr("header.json", header)
    return buffer.getvalue()


DAMAGES = {
    "empty": lambda _: b"",
    "text": lambda _: b"PrimeTime continues on ABC\n",
    "half": lambda data: data[: len(data) // 2],
    "all but the last byte": lambda data: data[:-1],
    "second half": lambda data: data[len(data) // 2 :],
    "zeros": lambda data: bytes(len(data)),
    "pickle": _pickled,
    "other zip": _other_zip,
    "other format": _other_header,
    "header no object": lambda _: _other_header(_, b"[1, 2]"),
    "header no JSON": lambda _: _other_header(_, b"{"),
    "header not UTF-8": lambda _: _other_header(_, b"\xff\xfe"),
    "header alone": lambda _: _other_header(
        _, json.dumps({"format": FORMAT, "version": VERSION}).encode()
    ),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_what_is_no_model_is_refused_in_one_line(tiny_bytes, tmp_path, damage):
    path = tmp_path / "bad.model"
    path.write_bytes(damage(tiny_bytes))
    message = refuse(path)
    assert str(path) in message
    assert "\n" not in message


@pytest.mark.slow
@pytest.mark.parametrize("mask", [0x01, 0x80, 0xFF])
def test_a_flipped_byte_is_refused_or_changes_nothing(make, tiny_bytes, tmp_path, mask):
    path, model = tmp_path / "bad.model", make(TINY)
    whole = model.to_parts()[0] | {"mixed_forms": model.mixed_forms}
    for place in range(0, len(tiny_bytes), 3):
        damaged = bytearray(tiny_bytes)
        damaged[place] ^= mask
        path.write_bytes(damaged)
        try:
            loaded = load_model(path)
        except InputError:
            continue
        assert loaded.to_parts()[0] | {"mixed_forms": loaded.mixed_forms} == whole, place
        assert np.array_equal(loaded.tag(TINY), model.tag(TINY)), place


def test_a_file_cut_anywhere_is_refused(tiny_bytes, tmp_path):
    path = tmp_path / "bad.model"
    for length in range(0, len(tiny_bytes), 7):
        path.write_bytes(tiny_bytes[:length])
        refuse(path)


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_that_the_parts_do_not_make_is_refused(tmp_path, kind):
    path = tmp_path / "bad.model"
    write_parts(path, kind, {"info": {}}, {}, {})
    assert str(path) in refuse(path)


@pytest.mark.parametrize(
    ("kind", "name", "change"),
    [
        ("memm", "features", lambda cells: cells[:-1]),
        ("memm", "features", lambda cells: cells + 10**6),
        ("memm", "features", lambda cells: cells / 2),
        ("memm", "weights", lambda weights: weights[:-1]),
        ("memm", "weights", lambda weights: weights[:, None]),
        ("memm", "weights", lambda weights: weights[:0]),
        ("memm", "predicates", lambda names: ["primetime", *names[1:]]),  # of no template
        ("1gram", "words", lambda words: words[:-1]),
        ("1gram", "words", lambda words: [*words, "extra"]),
    ],
)
def test_parts_that_do_not_fit_are_refused(background, background_corpus, tmp_path, kind, name,
                                           change):  # fmt: skip
    path = tmp_path / "a.model"
    model = background if kind == "memm" else Unigram.fit(background_corpus)
    header, arrays, lists = model.to_parts()
    own = arrays if name in arrays else lists
    own[name] = change(own[name])
    write_parts(path, kind, header, arrays, lists | {"mixed_words": [], "mixed_forms": []})
    assert str(path) in refuse(path)


def test_a_file_that_may_not_be_read_is_named(saved, monkeypatch):
    def forbid(*_):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(files.zipfile, "ZipFile", forbid)
    assert "Permission denied" in refuse(saved)


@pytest.fixture(params=["fsync", "write", "replace"])
def full_disk(request, monkeypatch):
    """A disk that is full when the file is synchronized, written or moved."""

    def fail(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    owner, name = {
        "fsync": (files.os, "fsync"),
        "write": (files, "_write_zip"),
        "replace": (files.Path, "replace"),
    }[request.param]
    monkeypatch.setattr(owner, name, fail)


@pytest.mark.parametrize("old", [[], ["old"]])
def test_a_full_disk_is_named_in_one_line_and_leaves_what_was_there(
    model, tmp_path, full_disk, old
):
    for text in old:
        (tmp_path / "a.model").write_text(text)
    with pytest.raises(InputError, match=r"\A.*No space left on device.*\Z"):
        model.save(tmp_path / "a.model")
    assert [path.read_text() for path in tmp_path.iterdir()] == old


@pytest.mark.parametrize(
    ("error", "raised"),
    [(KeyboardInterrupt(), KeyboardInterrupt), (ValueError("a"), ValueError),
     (OSError("the cable came off"), InputError)],
)  # fmt: skip
def test_a_stopped_write_leaves_nothing_behind(tmp_path, error, raised):
    def stop(file):
        file.write(b"half")
        raise error

    with pytest.raises(raised, match=str(error) or None):
        write_atomically(tmp_path / "a.model", stop)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("place", ["missing/a.model", "file/a.model", "."])
def test_a_place_that_cannot_be_written_is_named_and_stays_as_it_was(model, tmp_path, place):
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot be written"):
        model.save(tmp_path / place)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
