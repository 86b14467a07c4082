"""How much is let in at a time: requests, requests of one client, and bytes of their bodies."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from workbench.service.refusals import Refusal
from workbench.text.errors import InputError

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
