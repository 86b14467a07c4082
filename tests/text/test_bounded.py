"""Bytes of files: of any kind, packed or not, and never more than stated."""

import gzip
import os
import threading
import tracemalloc

import pytest
from backports import zstd
from hypothesis import given
from hypothesis import strategies as st
from strategies import steady

from workbench.text import incoming
from workbench.text.errors import InputError
from workbench.text.incoming import is_pipe, read_bytes, unpack
from workbench.text.readers import read_corpus

TEXT = b"He left Boston .\n"
PACK = pytest.mark.parametrize("pack", [gzip.compress, zstd.compress])


def refused(path):
    """The one line that refuses a file."""
    with pytest.raises(InputError) as caught:
        read_bytes(path)
    assert str(caught.value).startswith(str(InputError(f"{path}: ")))
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.fixture
def file(tmp_path):
    def _file(data, name="a.txt"):
        (tmp_path / name).write_bytes(data)
        return tmp_path / name

    return _file


@pytest.mark.parametrize("data", [b"", b"\x1f", TEXT, TEXT * 100_000], ids=len)
def test_bytes_come_back(file, data):
    assert read_bytes(file(data)) == data


@PACK
@pytest.mark.parametrize("data", [b"", TEXT, TEXT * 300_000, bytes(9 << 20)], ids=len)
def test_packed_bytes_come_back(file, data, pack):
    assert read_bytes(file(pack(data))) == data


@PACK
@pytest.mark.parametrize("after", [b"", b"\0", bytes(70_000), b"more"])
def test_members_and_zeros_after_the_first_are_read(file, after, pack):
    more, after = (after, pack(after)) if after == b"more" else (b"", after)
    assert read_bytes(file(pack(TEXT) + after)) == TEXT + more


@PACK
@pytest.mark.parametrize("n", [1, 2, 100, 1000])
def test_a_packed_file_cut_anywhere_is_refused(file, n, pack):
    packed = pack(os.urandom(5000))
    assert "cannot be read (" in refused(file(packed[: len(packed) - n]))


@pytest.mark.parametrize("after", [b"garbage", b"\0\0garbage", b"\x1f\x8b"])
def test_what_is_no_member_is_refused(file, after):
    assert "cannot be read (" in refused(file(gzip.compress(TEXT) + after))


def test_a_wrong_checksum_is_refused(file):
    packed = bytearray(gzip.compress(TEXT))
    packed[-6] ^= 1
    assert "cannot be read (" in refused(file(packed))
    packed = bytearray(zstd.compress(TEXT, options={zstd.CompressionParameter.checksum_flag: 1}))
    packed[-2] ^= 1
    assert "cannot be read (" in refused(file(packed))


@steady
@given(
    st.lists(st.binary(max_size=200), max_size=4),
    st.sampled_from([gzip.compress, zstd.compress]),
    st.data(),
)
def test_pieces_of_any_size_unpack_to_the_same(members, pack, data):
    packed = b"".join(map(pack, members))
    edges = sorted(data.draw(st.lists(st.integers(0, len(packed)), max_size=9)))
    pieces = [packed[a:b] for a, b in zip([0, *edges], [*edges, len(packed)], strict=True)]
    pieces = [piece for piece in pieces if piece]
    assert b"".join(unpack(iter(pieces))) == b"".join(members)


# --- limits -------------------------------------------------------------------------------


@PACK
def test_a_bomb_is_refused_before_it_fills_the_memory(file, pack):
    path = file(pack(bytes(64 << 20)), "bomb")
    tracemalloc.start()
    said = refused(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert f"of {'gzip' if pack is gzip.compress else 'Zstandard'}: no text" in said
    assert peak < 3 * incoming._FREE


def test_bombs_and_files_with_holes_are_refused_and_what_grows_is_bounded(file, monkeypatch):
    monkeypatch.setattr(incoming, "_FREE", 1 << 20)
    assert "of gzip: no text" in refused(file(gzip.compress(bytes(1 << 20)) * 9))
    path = file(b"")
    os.truncate(path, incoming.MOST_BYTES + 1)
    assert "a text has at most" in refused(path)
    monkeypatch.setattr(incoming, "MOST_BYTES", 1 << 20)

    class Endless:
        def read(self, n):
            return bytes(n)

    with pytest.raises(InputError, match="more than 1,048,576 bytes"):
        incoming.read_stream(Endless())


# --- kinds of files -----------------------------------------------------------------------


def test_a_device_is_never_opened(monkeypatch):
    monkeypatch.setattr(incoming.os, "open", None)
    refused("/dev/zero")


@pytest.mark.parametrize("name", ["absent", "a\0b", "x" * 5000])
def test_what_is_not_there_is_refused(tmp_path, name):
    refused(tmp_path / name)
    assert not is_pipe(tmp_path / name)


@pytest.fixture
def pipe(tmp_path):
    """A named pipe, and a thread that writes a text to it."""
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(TEXT * 9,))
    writer.start()
    yield tmp_path / "pipe"
    writer.join()


def test_a_pipe_is_read_to_its_end(pipe):
    assert is_pipe(pipe)
    assert not is_pipe(pipe.parent)
    assert len(read_corpus(pipe)) == 4 * 9


def test_a_command_says_that_it_reads_a_pipe(run, pipe, place):
    status, _, message = run("evaluate", place / "news.model", "--test", pipe)
    assert status == 0
    assert f"{pipe}: a pipe; reading it until whoever writes to it ends" in message


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/null"])
def test_a_command_refuses_a_device_in_one_line(refuse, output, device):
    assert "a device" in refuse("train", device, "-o", output)
