"""How much is let in at a time, requests, bytes and connections, and what is said beyond it."""

import os
import socket
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from starlette.exceptions import HTTPException
from uvicorn.protocols.http.h11_impl import H11Protocol

from workbench.text.errors import InputError

MB = 1 << 20
_FOR_EACH = 4  # connections for each request that is let in
_RETRY = {"Retry-After": "1"}  # seconds
_ANSWER_SECONDS = 5  # for the answer that says that a request was too slow


class Refusal(HTTPException):
    """A request that is not answered; the line says what was wrong and what is allowed."""


@dataclass(frozen=True)
class Limits:
    """The limits of the service; InputError if one is below its least value."""

    body: int = 16 * MB  # bytes of the largest; 413 beyond
    seconds: float = 30.0  # until a body is there (408) and until its answer is (503)
    requests: int = 64  # to recase at a time; 503 beyond
    per_client: int = 32  # of these, from one address; 429 beyond

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if not 0 < value < float("inf"):
                raise InputError(f"{name} {value:g}: more than 0 is allowed")

    @property
    def held(self) -> int:
        """Bytes of all bodies at a time; 503 beyond."""
        return max(8 * self.body, 128 * MB)


class Gate:
    """Lets requests in within limits. For the one thread of an event loop."""

    def __init__(self, limits: Limits) -> None:
        self.limits, self.bytes = limits, 0
        self._by_client: Counter[str] = Counter()

    @property
    def requests(self) -> int:
        """How many are under way."""
        return self._by_client.total()

    @contextmanager
    def admit(self, client: str) -> Iterator[Callable[[int], None]]:
        """Give a request of a client its place, and what holds so many bytes for its body."""
        limits, held = self.limits, 0
        if self._by_client[client] >= limits.per_client:
            line = f"{limits.per_client} requests of this address at a time are allowed"
            raise Refusal(429, line, _RETRY)
        if self.requests >= limits.requests:
            raise Refusal(503, f"busy with {self.requests} requests; try again", _RETRY)

        def hold(n: int) -> None:
            nonlocal held
            if n > limits.body:
                line = f"a body of more than {limits.body:,} bytes: that many are allowed"
                raise Refusal(413, line)
            more = max(0, n - held)
            if self.bytes + more > limits.held:
                raise Refusal(503, "other requests hold the memory; try again", _RETRY)
            held += more
            self.bytes += more

        self._by_client[client] += 1
        try:
            yield hold
        finally:
            self.bytes -= held
            self._by_client += Counter({client: -1})  # drops those that have none


class Listener(socket.socket):
    """A listening socket; beyond the limits a connection is closed as soon as it is made.

    They are at most half of the files that may be open, since asyncio does not survive the last.
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
            raise BlockingIOError
        # Else the end of an answer waits for the client to acknowledge its beginning.
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._open.append((connection, address[0]))
        return connection, address


class Connection(H11Protocol):
    """A connection that is cut where it stands still, be it in a request's head or after it.

    uvicorn alone waits without end for a first request, and for one that has begun.
    """

    def connection_made(self, transport: Any) -> None:
        """Start to check each second whether the connection stands still."""
        super().connection_made(transport)
        self._look(None, 0)

    def _look(self, known, n_seconds):
        """Close the connection if nothing has happened on it for the time-out."""
        state = self.cycle, self.cycle is not None and not self.cycle.response_complete
        n_seconds = n_seconds + 1 if state == known else 0
        if n_seconds >= self.timeout_keep_alive + _ANSWER_SECONDS * state[1]:
            self.transport.abort()
        elif self in self.connections:  # not lost
            self.loop.call_later(1, self._look, state, n_seconds)
