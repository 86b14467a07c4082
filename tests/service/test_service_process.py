"""The process of the HTTP service: where it listens, how it stops, what it survives."""

import signal
import socket
import struct
import subprocess
import sys
from contextlib import ExitStack, closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import pytest

from workbench.service.command import open_socket
from workbench.service.limits import Limits, Listener

TEXT = b"ibm rose in new york .\n"


@contextmanager
def serve(place, *options, before=()):
    """Give a process that serves a model, and its port; the command follows what stands before."""
    command = [sys.executable, "-m", "workbench", "serve", place / "news.model", "--port", "0"]
    with subprocess.Popen(
        map(str, [*before, *command, *options]), stderr=subprocess.PIPE, text=True,
        cwd=Path(__file__).parents[2],
    ) as process:  # fmt: skip
        line = process.stderr.readline()
        assert line.startswith("http://127.0.0.1:"), line
        assert line.endswith(": serving news; Ctrl-C ends it\n")
        yield process, int(line.split(":")[2])
        process.kill()


@pytest.fixture
def service(place):
    with serve(place, "--max-body", "1") as given:
        yield given


def ask(port, method="POST", path="/recase", body=TEXT):
    with closing(HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        connection.request(method, path, body)
        answer = connection.getresponse()
        return answer.status, answer.read()


def send_half(port):
    """A connection that has sent the half of its body."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=60)
    head = f"POST /recase HTTP/1.1\r\nHost: x\r\nContent-Length: {len(TEXT)}\r\n\r\n"
    connection.sendall(head.encode() + TEXT[:5])
    return connection


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_what_is_under_way_is_answered_before_it_stops(service, number):
    process, port = service
    with send_half(port) as connection:
        while b"workbench_requests_under_way 1.0" not in ask(port, "GET", "/metrics")[1]:
            pass
        process.send_signal(number)
        while True:  # until nothing new is let in
            try:
                ask(port, "GET", "/health")
            except OSError:
                break
        assert process.poll() is None
        connection.sendall(TEXT[5:])
        answer = b"".join(iter(lambda: connection.recv(1000), b""))
    assert answer.startswith(b"HTTP/1.1 200 OK")
    assert b"IBM rose in New York ." in answer
    assert process.wait(60) == 0
    assert process.stderr.read() == "workbench: stopped; what was under way is answered\n"


def test_a_client_that_goes_is_no_end(service):
    process, port = service
    with send_half(port) as connection:
        # Closed at once, with a reset: what is written to it then is an error.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    status, answer = ask(port, body=b"a" * (2 << 20))
    assert (status, answer[:31]) == (413, b'{"error": "a body of more than ')
    with socket.create_connection(("127.0.0.1", port)) as connection:
        long = b"ibm rose .\n" * 90_000
        head = f"POST /recase HTTP/1.1\r\nHost: x\r\nContent-Length: {len(long)}\r\n\r\n"
        connection.sendall(head.encode() + long)  # and nobody reads the answer
    assert ask(port) == (200, b"IBM rose in New York .\n")
    assert process.poll() is None


FIRST_REQUESTS = """\
import gc, sys
from numba.core.dispatcher import Dispatcher
from workbench.service.application import load_served, recase_blocks
def n_compiled():
    return sum(len(each.overloads) for each in gc.get_objects() if isinstance(each, Dispatcher))
(served,) = load_served(sys.argv[1:]).values()
before = n_compiled()
for options in ({}, {"threshold": 0.9}, {"glossary": ["New York"]}):
    for with_words in (False, True):
        list(recase_blocks(served.recaser_with(options), "ibm rose in new york .", with_words))
print(before > 0, n_compiled() - before)
"""


def test_the_first_request_of_each_kind_finds_all_compiled(place):
    command = [sys.executable, "-c", FIRST_REQUESTS, place / "news.model"]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert run.stdout == "True 0\n"


# --- connections --------------------------------------------------------------------------

HEAD = b"POST /recase HTTP/1.1\r\nHost: x\r\n"


def connect(port, host="127.0.0.1"):
    return socket.create_connection(("127.0.0.1", port), timeout=0.1, source_address=(host, 0))


def ended(connection, more=b""):
    """Whether a connection has ended, after more was sent."""
    try:
        connection.sendall(more)
        return connection.recv(1000) == b""
    except TimeoutError:
        return False
    except OSError:
        return True


@pytest.fixture(scope="module")
def impatient(place):
    """The port of a service that waits for half a second."""
    with serve(place, "--timeout", "0.5") as (_, port):
        yield port


@pytest.mark.parametrize(("sent", "more"), [
    (b"", b""), (HEAD, b""), (HEAD, b"x: y\r\n"), (b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n", b""),
    (HEAD + b"Content-Length: 9\r\n\r\nibm", b""),
])  # fmt: skip
def test_what_stands_still_is_cut(impatient, sent, more):
    with connect(impatient) as connection:
        connection.sendall(sent)
        while not ended(connection, more):
            pass
        assert ask(impatient)[0] == 200


@pytest.mark.parametrize(("n_hosts", "n"), [(1, 8), (8, 16)])
def test_connections_of_a_client_and_in_all_are_bounded(n_hosts, n):
    with Listener(Limits(requests=4, per_client=2), open_socket("127.0.0.1", 0)) as listening:
        given, kept = [], []
        for i in range(40):
            given.append(connect(listening.getsockname()[1], f"127.0.0.{1 + i % n_hosts}"))
            if i == 39:
                kept.pop().close()  # makes room for another
            with suppress(BlockingIOError):
                kept.append(listening.accept()[0])
        assert all(c.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) for c in kept)
        assert [ended(c) for c in given] == [i not in (*range(n - 1), 39) for i in range(40)]
        for connection in given + kept:
            connection.close()


def test_more_sockets_than_files_are_no_end(place):
    few = "sh", "-c", 'ulimit -n 64; exec "$0" "$@"'
    with serve(place, "--timeout", "0.5", before=few) as (_, port), ExitStack() as held:
        for i in range(100):
            held.enter_context(connect(port, f"127.0.0.{i % 3 + 2}"))
        answered = False
        while not answered:
            with suppress(OSError, HTTPException):
                answered = ask(port)[0] == 200


def test_an_address_in_use_is_one_line(place, refuse):
    with open_socket("127.0.0.1", 0) as listening:
        port = listening.getsockname()[1]
        line = refuse("serve", place / "news.model", "--port", port)
    why = "cannot be listened on (Address already in use)"
    assert line == f"workbench: 127.0.0.1, port {port}: {why}\n"


@pytest.mark.parametrize(("options", "says"), [
    (["--port", "99999"], "port 99999: 0 to 65535 is allowed"),
    (["--host", "192.0.2.1"], "192.0.2.1, port 8700: cannot be listened on ("),
    (["--max-body", "nan"], "body 0: more than 0 is allowed"),
    (["--timeout", "0"], "seconds 0: more than 0 is allowed"),
    (["--threads", "0"], "threads 0: 1 to 256 are allowed"),
    (["--port", "0", "--concurrency", "0"], "requests 0: more than 0 is allowed"),
])  # fmt: skip
def test_options_that_cannot_be_are_refused(place, refuse, monkeypatch, options, says):
    monkeypatch.setattr("uvicorn.Server.run", None)  # else it would never end
    assert refuse("serve", place / "news.model", *options).startswith(f"workbench: {says}")


def test_a_missing_extra_is_named_with_the_command_that_installs_it(place, refuse, monkeypatch):
    monkeypatch.setattr("workbench.cli.commands.launch.find_spec", lambda _: None)
    line = refuse("serve", place / "news.model")
    assert line.endswith("pip install 'capitalization-workbench[serve]'\n")
