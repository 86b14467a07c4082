"""The process of the HTTP service: where it listens, how it stops, what it survives."""

import os
import signal
import socket
import struct
import subprocess
import sys
from contextlib import closing
from http.client import HTTPConnection

import pytest

from workbench.service.server import open_socket

TEXT = b"ibm rose in new york .\n"


@pytest.fixture
def service(place):
    """A process that serves a model, and its address."""
    command = [sys.executable, "-m", "workbench", "serve", place / "news.model", "--port", "0"]
    with subprocess.Popen(
        [*map(str, command), "--max-body", "1"], stderr=subprocess.PIPE, text=True,
        cwd=os.path.dirname(os.path.dirname(__file__)),
    ) as process:  # fmt: skip
        line = process.stderr.readline()
        assert line.startswith("http://127.0.0.1:"), line
        assert line.endswith(": serving news; Ctrl-C ends it\n")
        yield process, int(line.split(":")[2])
        process.kill()


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


def test_an_address_in_use_is_one_line(place, refuse):
    with open_socket("127.0.0.1", 0) as listening:
        port = listening.getsockname()[1]
        line = refuse("serve", place / "news.model", "--port", port)
    why = "cannot be listened on (Address already in use)"
    assert line == f"workbench: 127.0.0.1, port {port}: {why}\n"


@pytest.mark.parametrize(("options", "says"), [
    (["--port", "99999"], "port 99999: 0 to 65535 is allowed"),
    (["--host", "192.0.2.1"], "192.0.2.1, port 8700: cannot be listened on ("),
    (["--max-body", "nan"], "body 0: 1 or more is allowed"),
    (["--timeout", "0"], "seconds 0: more than 0 is allowed"),
    (["--threads", "0"], "threads 0: 1 to 256 are allowed"),
    (["--port", "0", "--concurrency", "0"], "requests 0: 1 or more is allowed"),
])  # fmt: skip
def test_options_that_cannot_be_are_refused(place, refuse, monkeypatch, options, says):
    monkeypatch.setattr("workbench.service.server.run_server", None)  # else it would never end
    assert refuse("serve", place / "news.model", *options).startswith(f"workbench: {says}")


def test_a_missing_extra_is_named_with_the_command_that_installs_it(place, refuse, monkeypatch):
    monkeypatch.setattr("workbench.cli.launchers.find_spec", lambda _: None)
    line = refuse("serve", place / "news.model")
    assert line.endswith("pip install 'capitalization-workbench[serve]'\n")
