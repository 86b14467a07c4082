"""Texts at addresses: of a real server on this machine, and through fsspec."""

import gzip
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import fsspec
import pytest

from workbench.cli.main import main
from workbench.text import incoming
from workbench.text.errors import InputError
from workbench.text.readers import read_corpus
from workbench.text.sets.registry import load

TEXT = "He left Boston .\nShe stayed , too .\n" * 50
PACKED = gzip.compress(TEXT.encode())


class _Server(BaseHTTPRequestHandler):
    """Answers a path with what is to go wrong with it."""

    def do_GET(self):
        name = self.path.rpartition("/")[2]
        if name == "moved.txt":
            self.send_response(302)
            self.send_header("Location", "/news/train.txt")
            return self.end_headers()
        if name == "none.txt":
            return self.send_error(404)
        content = {"train.txt.gz": PACKED, "latin.txt": b"caf\xe9"}.get(name, TEXT.encode())
        length = len(content) * (2 if name == "cut.txt" else 1)
        self.send_response(200)
        kinds = {"page.html": "text/html; charset=utf-8", "train.txt.gz": "application/gzip"}
        self.send_header("Content-Type", kinds.get(name, "text/plain"))
        if name != "open.txt":  # then the end of the connection is that of the text
            self.send_header("Content-Length", str(1 << 40 if name == "huge.txt" else length))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture(scope="module")
def server():
    with ThreadingHTTPServer(("127.0.0.1", 0), _Server) as own:
        threading.Thread(target=own.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{own.server_port}"
        own.shutdown()


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch):
    monkeypatch.setenv("no_proxy", "127.0.0.1")


@pytest.mark.parametrize("name", ["train.txt", "train.txt.gz", "open.txt", "moved.txt"])
def test_a_text_of_a_server_is_read(server, name):
    corpus = read_corpus(f"{server}/news/{name}")
    assert (len(corpus), corpus.forms[:3]) == (450, ["He", "left", "Boston"])
    is_part = name.startswith("train")  # of a data set, whose name is the folder's
    assert corpus.name == ("news" if is_part else name.removesuffix(".txt"))


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("none.txt", "the server answers 404 Not Found"),
        ("page.html", "no text but text/html; the address of a plain text is needed"),
        ("cut.txt", "the connection ended 1,800 bytes too early"),
        ("latin.txt", "not UTF-8 (byte 0xe9 in line 1"),
        ("huge.txt", "1,099,511,627,776 bytes; a text has at most 1,073,741,824"),
    ],
)
def test_what_is_no_text_is_refused(server, name, why):
    with pytest.raises(InputError) as caught:
        read_corpus(f"{server}/news/{name}")
    assert str(caught.value).startswith(f"{server}/news/{name}: {why}")


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("http://127.0.0.1:1/a.txt", "cannot be reached (Connection refused)"),
        ("http://nowhere.invalid/a.txt", "cannot be reached ("),
        ("http://127.0.0.1:port/a.txt", "no answer of a web server (nonnumeric port: 'port')"),
        ("file:///dev/zero", "a file on this computer is named by its path"),
        ("s4://bucket/a.txt", "cannot be opened (ValueError: Protocol not known: s4)"),
        ("s3://bucket/a.txt", "Install s3fs to access S3; pip install 'capitaliz"),
        ("memory://none.txt", "no such file"),
    ],
)
def test_an_address_without_a_text_is_refused(address, why, monkeypatch):
    monkeypatch.setitem(sys.modules, "s3fs", None)  # as where it is not installed
    with pytest.raises(InputError) as caught:
        load(address)
    assert str(caught.value).startswith(f"{address}: {why}")
    assert "\n" not in str(caught.value)


def test_other_addresses_are_read_by_fsspec(monkeypatch):
    with fsspec.open("memory://bucket/news.txt.gz", "wb") as file:
        file.write(PACKED)
    assert load("memory://bucket/news.txt.gz").name == "news"
    monkeypatch.setattr(incoming, "MOST_BYTES", 100)
    with pytest.raises(InputError, match="more than 100 bytes, unpacked"):
        load("memory://bucket/news.txt.gz")


def test_commands_take_addresses(server, tmp_path, capsysbinary):
    model = str(tmp_path / "a.model")
    assert main(["train", f"{server}/news/train.txt.gz", "-o", model, "--model", "1gram"]) == 0
    assert main(["recase", model, f"{server}/news/train.txt"]) == 0
    assert capsysbinary.readouterr().out == TEXT.encode()
    assert main(["recase", model, f"{server}/news/none.txt"]) == 1
    assert b"/news/none.txt: the server answers 404" in capsysbinary.readouterr().err
