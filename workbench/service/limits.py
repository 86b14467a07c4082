"""How much is let in at a time: requests, bytes, connections; and what is said when it is too much.

How much is let in at a time: requests, requests of one client, and bytes of their bodies.

Connections within limits: how many there are, how long one stands still, what a log says.

What is answered when a request is refused: a status and one clear line, as JSON.
"""

import asyncio
import json
import logging
import os
import socket
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, cast

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from uvicorn.protocols.http.h11_impl import H11Protocol

from workbench.text.errors import InputError


class Refusal(HTTPException):
    """A request that is not answered; the line says what was wrong and what is allowed."""

    def __init__(self, status: int, line: str, **headers: str) -> None:
        super().__init__(status, line, {name.replace("_", "-"): v for name, v in headers.items()})


def as_json(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Return an answer of JSON; what is not ASCII is escaped, so any string can be in it."""
    body = json.dumps(value).encode() + b"\n"
    return Response(body, status, headers, "application/json")


async def answer_refusal(request: Request, error: Exception) -> Response:
    """Return the answer to a request that was refused."""
    assert isinstance(error, HTTPException)
    detail = error.detail
    if error.status_code == 404 and not isinstance(error, Refusal):
        detail = f"{request.url.path}: no such path; /openapi.json lists all"
    elif error.status_code == 405:
        allowed = (error.headers or {}).get("Allow", "")
        detail = f"{request.method}: not for {request.url.path}; allowed are {allowed}"
    return as_json({"error": detail}, error.status_code, dict(error.headers or {}))


async def answer_fault(request: Request, error: Exception) -> Response:
    """Return the answer where the service itself is at fault; the log has the rest."""
    return as_json({"error": f"a fault of the service ({type(error).__name__}); see its log"}, 500)


MB = 1 << 20


@dataclass(frozen=True)
class Limits:
    """The limits of the service; InputError if one is below its least value.

    Attributes
    ----------
    body : int
        Bytes of the largest body; one that is larger is answered with 413.
    seconds : float
        Time for a request, its body and its answer: 408 if the body is not there by then,
        503 if the answer has not begun.
    requests : int
        Requests to recase at a time; 503 beyond it.
    per_client : int
        Of these, those from one address; 429 beyond it.
    held : int
        Bytes of all bodies at a time; 503 beyond it.
    """

    body: int = 16 * MB
    seconds: float = 30.0
    requests: int = 64
    per_client: int = 32
    held: int = 128 * MB

    def __post_init__(self) -> None:
        for name in ("body", "requests", "per_client"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} {getattr(self, name)}: 1 or more is allowed")
        if not 0 < self.seconds < float("inf"):
            raise InputError(f"seconds {self.seconds:g}: more than 0 is allowed")
        if self.held < self.body:
            raise InputError(f"held {self.held}: as much as one body, {self.body}, is allowed")


class Ticket:
    """The place of one request; counts the bytes of its body that are held."""

    def __init__(self, gate: "Gate") -> None:
        self._gate, self.bytes = gate, 0

    def hold(self, n: int) -> None:
        """Hold n further bytes; Refusal if this body, or all together, become too large."""
        limits = self._gate.limits
        if self.bytes + n > limits.body:
            raise Refusal(413, f"a body of more than {limits.body:,} bytes: that many are allowed")
        if self._gate.bytes + n > limits.held:
            raise Refusal(503, "other requests hold the memory; try again", Retry_After="1")
        self.bytes += n
        self._gate.bytes += n


class Gate:
    """Lets requests in within limits. For the one thread of an event loop."""

    def __init__(self, limits: Limits) -> None:
        self.limits, self.requests, self.bytes = limits, 0, 0
        self._by_client: Counter[str] = Counter()

    @contextmanager
    def admit(self, client: str) -> Iterator[Ticket]:
        """Give a request of a client its place, for as long as the context lasts."""
        if self._by_client[client] >= self.limits.per_client:
            raise Refusal(
                429, f"{self.limits.per_client} requests of this address at a time are allowed",
                Retry_After="1",
            )  # fmt: skip
        if self.requests >= self.limits.requests:
            raise Refusal(503, f"busy with {self.requests} requests; try again", Retry_After="1")
        ticket = Ticket(self)
        self.requests += 1
        self._by_client[client] += 1
        try:
            yield ticket
        finally:
            self.requests -= 1
            self.bytes -= ticket.bytes
            self._by_client[client] -= 1
            if not self._by_client[client]:
                del self._by_client[client]


_FOR_EACH = 4  # connections for each request that is let in
_ANSWER_SECONDS = 5  # for the answer that says that a request was too slow
LOG = logging.getLogger("uvicorn.error")


class Listener(socket.socket):
    """A listening socket; beyond the limits a connection is closed as soon as it is made.

    All connections together take at most half of the files that the process may open, and those
    of one address half of these.
    """

    def __init__(self, limits: Limits, listening: socket.socket) -> None:
        super().__init__(fileno=listening.detach())
        self._in_all = _FOR_EACH * limits.requests
        if hasattr(os, "sysconf") and (files := os.sysconf("SC_OPEN_MAX")) > 0:
            self._in_all = min(self._in_all, files // 2)
        self._of_client = min(_FOR_EACH * limits.per_client, self._in_all // 2)
        self._open: list[tuple[socket.socket, str]] = []

    def accept(self) -> tuple[socket.socket, tuple]:
        """Return a connection and its address; BlockingIOError, as if none came, if refused."""
        connection, address = super().accept()
        self._open = [known for known in self._open if known[0].fileno() >= 0]  # not closed
        of_client = sum(host == address[0] for _, host in self._open)
        if len(self._open) >= self._in_all or of_client >= self._of_client:
            connection.close()
            bounds = self._of_client, self._in_all
            LOG.warning("connection closed: %d of one address, %d in all are allowed", *bounds)
            raise BlockingIOError
        # Else the end of an answer waits for the client to acknowledge its beginning.
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._open.append((connection, address[0]))
        return connection, address


class Connection(H11Protocol):
    """A connection that is cut where it stands still, be it in a request's head or after it.

    uvicorn alone waits without end for a first request, and for one that has begun.
    """

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start to check each second whether the connection stands still."""
        super().connection_made(cast(asyncio.Transport, transport))  # asyncio gives one that writes
        self._look(None, 0)

    def _look(self, known, n_seconds):
        """Close the connection if nothing has happened on it for the time-out."""
        state = self.cycle, self.cycle is not None and not self.cycle.response_complete
        n_seconds = n_seconds + 1 if state == known else 0
        if n_seconds >= self.timeout_keep_alive + _ANSWER_SECONDS * state[1]:
            self.transport.abort()
        elif self in self.connections:  # not lost
            self.loop.call_later(1, self._look, state, n_seconds)


class Sparse(logging.Filter):
    """Lets a line of a kind pass once a minute: of a message without values, or an exception."""

    def __init__(self) -> None:
        super().__init__()
        self._passes: dict[tuple, float] = {}  # when a kind does again

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a line passes."""
        kind = str(record.msg).partition("\n")[0], record.exc_info and record.exc_info[0]
        if (now := time.monotonic()) < self._passes.get(kind, 0.0):
            return False
        self._passes[kind] = now + 60
        return True
