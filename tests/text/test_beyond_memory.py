"""Text that is larger than memory: the same events, weights and tags, from disk."""

import tempfile
import tracemalloc
from functools import partial

import numpy as np
import pytest

from workbench import CRF, MEMM, learn_unknown_words
from workbench.cli.main import main
from workbench.features import stored as stored_events
from workbench.features.events import pack_events
from workbench.features.stored import pack_stored_events
from workbench.features.templates import find_templates
from workbench.inference.chain import batches
from workbench.models.table_problems import TableTraining
from workbench.text import scratch
from workbench.text.errors import InputError
from workbench.text.readers import read_corpus
from workbench.text.scratch import GrowingArray, Memory, pieces_of, reduce_in_pairs, release

TINY = Memory(100_000)  # stretches of a thousand words
NAMES = [f"{first}{second}{end}" for first in "BDG" for second in "aeo" for end in "lnrst"]


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    """A text of 11,000 words in three files, a word of a few dozen after the other."""
    rng, folder = np.random.default_rng(5), tmp_path_factory.mktemp("text")
    words = np.array([*NAMES, *map(str.lower, NAMES[::2]), "NATO", "McCain", ",", "1987"])
    for number in range(3):
        lines = rng.choice(words, (370, 9)).tolist()
        lines += rng.choice(words, (12, 27)).tolist()
        text = "".join(" ".join([*line, "."]) + "\n" for line in lines)
        (folder / f"part-{number}.txt").write_text(text)
    return folder


@pytest.fixture(scope="module")
def corpora(text):
    """The text in memory, and on disk."""
    return read_corpus(text), read_corpus(text, memory=TINY)


def test_a_corpus_on_disk_has_the_words_of_one_in_memory(corpora, text):
    held, stored = corpora
    assert (held.memory, stored.memory) == (None, TINY)
    assert (stored.fingerprint, stored.words) == (held.fingerprint, held.words)
    for name in ("word_ids", "tags", "starts", "form_ids"):
        assert np.array_equal(getattr(stored, name), getattr(held, name))
    whole = [stretch.word_ids for stretch in stored.stretches(1000)]
    assert len(whole) > 10
    assert np.array_equal(np.concatenate(whole), held.word_ids)
    assert all(len(words) <= 1000 for words in whole)
    assert read_corpus(text, memory=Memory(1 << 30)).memory is None


def test_the_model_is_that_of_memory_to_the_bit(corpora):
    held, stored = (learn_unknown_words(MEMM.fit(own, cutoff=2), own) for own in corpora)
    assert held.features.names() == stored.features.names()
    assert np.array_equal(held.weights, stored.weights)
    assert (held.info, held.mixed_forms) == (stored.info, stored.mixed_forms)
    assert np.array_equal(held.tag(corpora[0]), stored.tag(corpora[0]))


@pytest.mark.parametrize("limit", [1 << 62, 1_000])
@pytest.mark.parametrize("templates", ["ca04", "extended unpunctuated"])
def test_events_are_those_of_memory(corpora, templates, limit, monkeypatch):
    monkeypatch.setattr(stored_events, "LIMIT", limit)  # a low one makes many codes of an event
    held, stored = corpora
    if limit < 1 << 62 and templates != "ca04":
        with pytest.raises(InputError, match=r"templates .*: read too many words"):
            pack_stored_events(stored, find_templates(templates), TINY)
        return
    expected = pack_events(held, find_templates(templates))
    found = pack_stored_events(stored, find_templates(templates), TINY)
    assert len(found.parts()) > 5
    assert found.words == expected.words
    for name in ("rows", "tags", "counts"):
        assert np.array_equal(getattr(found, name), getattr(expected, name))
    for own, other in zip(found.fillers, expected.fillers, strict=True):
        assert np.array_equal(own.word_ids, other.word_ids)
        assert own.first_row == other.first_row
    for slot in range(len(found.fillers)):
        assert (found.count_tags(slot) != expected.count_tags(slot)).nnz == 0


def test_a_chain_has_the_objective_of_memory(corpora, rng, monkeypatch):
    monkeypatch.setattr(batches, "_BLOCK", 1000)
    templates = find_templates("t-1 currentword,nextword prefix1")
    held, stored = (TableTraining(CRF, own, templates, 2) for own in corpora)
    assert held.features.names() == stored.features.names()
    ours, theirs = (each.log_likelihood for each in (stored, held))
    np.testing.assert_array_equal(ours.observed, theirs.observed)
    weights = rng.normal(size=len(held.mean))
    (value, gradient), (expected_value, expected) = ours(weights), theirs(weights)
    assert value == pytest.approx(expected_value, rel=1e-12)
    np.testing.assert_allclose(gradient, expected, atol=1e-9)
    np.testing.assert_allclose(ours.curvature(weights), theirs.curvature(weights), atol=1e-9)


def test_the_command_writes_the_same_file(text, tmp_path):
    files = [tmp_path / "held.model", tmp_path / "stored.model"]
    assert main(["train", str(text), "-o", str(files[0])]) == 0
    assert main(["train", str(text), "-o", str(files[1]), "--memory", "1 MB"]) == 0
    assert files[0].read_bytes() == files[1].read_bytes()


def test_pages_that_are_released_are_read_again():
    array = GrowingArray(np.int32, (2,))
    array.append(np.arange(10_000).reshape(-1, 2))
    mapped = array.mapped()
    mapped[:] = -1  # in memory alone, so gone with its pages
    release(mapped[3000:])
    assert mapped[3000:].ravel().tolist() == list(range(6000, 10_000))


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--memory", "much"], "memory much: a size is needed, such as 2GB or 500MB"),
        (["--memory", "0GB"], "memory 0GB: a size is needed"),
        (["--memory", "1GB", "--model", "1gram"], "is for a memm or crf trained by lbfgs"),
        (["--memory", "1GB", "--solver", "newton"], "is for a memm or crf trained by lbfgs"),
        (["--memory", "1GB", "--drop-boundaries", "1"], "is for a memm or crf trained by lbfgs"),
        (["--memory", "1GB", "--templates", "best"], "casing: take ca04 or leave --memory out"),
    ],
)
def test_what_is_always_held_is_refused(text, tmp_path, options, why, capsys):
    assert main(["train", str(text), "-o", str(tmp_path / "a.model"), *options]) == 1
    assert why in capsys.readouterr().err


def test_packing_takes_the_memory_allowed(text):
    def peak(pack):
        tracemalloc.start()
        pack()
        taken = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return taken

    templates = find_templates("ca04")
    held, stored = read_corpus(text), read_corpus(text, memory=TINY)
    least = peak(lambda: pack_stored_events(stored, templates, TINY))
    assert least < 0.4 * peak(lambda: pack_events(held, templates))


def test_a_full_disk_is_said(monkeypatch):
    monkeypatch.setattr(tempfile, "TemporaryFile", partial(open, "/dev/full", "wb", 0))
    with pytest.raises(InputError, match=r"No space left on device\); the environment variable"):
        GrowingArray(np.int64).append(np.arange(3))


@pytest.mark.parametrize("n", [0, 1, 5000])
def test_arrays_come_back_from_disk(n, monkeypatch):
    monkeypatch.setattr(scratch, "_PIECE", 700)
    array = GrowingArray(np.int32, (2,))
    for row in range(n):
        array.append(np.full((1, 2), row))
    pieces = list(pieces_of(array.mapped()))
    assert len(array) == sum(map(len, pieces)) == n
    assert [row for piece in pieces for row, _ in piece.tolist()] == list(range(n))


@pytest.mark.parametrize("n", [1, 2, 3, 7, 8, 13])
def test_pairs_are_united_in_order(n):
    assert reduce_in_pairs(lambda a, b: a + b, [[i] for i in range(n)]) == list(range(n))
