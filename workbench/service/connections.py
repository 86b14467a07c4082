"""Connections within limits: how many there are, how long one stands still, what a log says."""

import asyncio
import logging
import os
import socket
import time
from typing import cast

from uvicorn.protocols.http.h11_impl import H11Protocol

from workbench.service.admission import Limits

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
