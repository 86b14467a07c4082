"""The routes of the service, as a Starlette application."""

import time
from collections.abc import AsyncIterator, Iterator, Mapping

import anyio
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from workbench.recasing.answers import recase_bytes
from workbench.service.admission import Gate, Limits, Ticket
from workbench.service.body import TEXT, Job, parse_job, read_body
from workbench.service.metrics import Metrics
from workbench.service.openapi import describe
from workbench.service.refusals import Refusal, answer_fault, answer_refusal, as_json
from workbench.service.served_models import ServedModel, recase_text, recase_words
from workbench.text.errors import InputError

_DRAIN_SECONDS = 1.0  # for what a refused client still sends
_TWO_LENGTHS = {b"content-length", b"transfer-encoding"}
# A proxy before us may believe the other one, and take the rest for a request of its own.
_REFUSE_LENGTHS = as_json(
    {"error": "content-length and transfer-encoding: one of them is allowed"}, 400,
    {"Connection": "close"},
)  # fmt: skip


def make_application(models: Mapping[str, ServedModel], limits: Limits, n_threads: int) -> ASGIApp:
    """Return the application that serves some models; ``n_threads`` recase at a time."""
    gate = Gate(limits)
    metrics = Metrics(gate)
    recase = RecaseEndpoint(models, gate, metrics, n_threads)
    listed = [served.describe() for served in models.values()]
    description = describe(list(models), limits)
    routes = [
        Route("/health", lambda request: as_json({"status": "ok"})),
        Route("/models", lambda request: as_json({"models": listed})),
        Route("/recase", recase, methods=["POST"]),
        Route("/metrics", lambda request: metrics.show()),
        Route("/openapi.json", lambda request: as_json(description)),
    ]
    handlers = {HTTPException: answer_refusal, Exception: answer_fault}
    app = Starlette(routes=routes, exception_handlers=handlers)
    app.router.redirect_slashes = False
    return Measured(app, metrics, {route.path for route in routes})


class Measured:
    """An application whose answers are counted."""

    def __init__(self, app: ASGIApp, metrics: Metrics, paths: set[str]) -> None:
        self._app, self._metrics, self._paths = app, metrics, paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        start, status = time.perf_counter(), 0

        async def note(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        path = scope["path"] if scope["path"] in self._paths else "other"
        has_two_lengths = {name for name, _ in scope["headers"]} >= _TWO_LENGTHS
        try:
            await (_REFUSE_LENGTHS if has_two_lengths else self._app)(scope, receive, note)
        finally:
            self._metrics.answered(path, status, time.perf_counter() - start)


class Incoming:
    """The messages of a request, as ``receive`` gives them."""

    def __init__(self, receive: Receive) -> None:
        self._receive, self._is_whole = receive, False

    async def __call__(self) -> Message:
        """Return the next message."""
        message = await self._receive()
        self._is_whole = not message.get("more_body", False)
        return message

    async def drain(self) -> None:
        """Read the rest of a body, for a little while: a client that sends does not listen."""
        with anyio.move_on_after(_DRAIN_SECONDS):
            while not self._is_whole:
                await self()


class RecaseEndpoint:
    """``POST /recase``: answers a text with its case restored."""

    def __init__(
        self, models: Mapping[str, ServedModel], gate: Gate, metrics: Metrics, n_threads: int
    ) -> None:
        self._models, self._gate, self._metrics = models, gate, metrics
        self._threads = anyio.CapacityLimiter(n_threads)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request within its limits."""
        incoming = Incoming(receive)
        request = Request(scope, incoming)
        client = request.client.host if request.client else ""
        try:
            with self._gate.admit(client) as ticket:
                await self._answer(request, ticket, send)
        except Refusal:
            await incoming.drain()
            raise
        except ClientDisconnect:
            pass  # nobody is there to be answered

    async def _answer(self, request: Request, ticket: Ticket, send: Send) -> None:
        """Read, recase and send, all within the time."""
        seconds = self._gate.limits.seconds
        late = Refusal(408, f"the body was not there after {seconds:g} s")
        has_begun = False

        async def note(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        with anyio.move_on_after(seconds) as clock:
            body = await read_body(request, ticket)
            late = Refusal(503, f"no answer after {seconds:g} s; send less at a time")
            job = parse_job(request.headers.get("content-type", TEXT), body, request.query_params)
            del body
            response = await self._respond(job)
            await response(request.scope, request.receive, note)
        if clock.cancelled_caught and not has_begun:
            raise late

    async def _respond(self, job: Job) -> Response:
        served = self._find(job.model)
        recaser = await self._run(served.recaser_with, job.options)
        if isinstance(job.text, str):
            answer = recase_words if job.with_words else recase_text
            answered = await self._run(answer, recaser, job.text)
            self._metrics.recased(served.name, len(job.text))
            return as_json(answered | {"model": served.name})
        pieces = recase_bytes(recaser, job.text)
        first = await self._run(next, pieces, b"")  # where it fails, the answer can still say so
        self._metrics.recased(served.name, len(job.text))
        return StreamingResponse(self._stream(first, pieces), media_type=f"{TEXT}; charset=utf-8")

    async def _stream(self, first: bytes, pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
        piece: bytes | None = first
        while piece is not None:
            yield piece
            piece = await self._run(next, pieces, None)

    async def _run(self, function, *arguments):
        """Call a function in a thread; what it refuses is a Refusal."""
        try:
            return await anyio.to_thread.run_sync(function, *arguments, limiter=self._threads)
        except InputError as error:
            raise Refusal(422, str(error)) from None

    def _find(self, name: str | None) -> ServedModel:
        if name is None:
            return next(iter(self._models.values()))
        if name not in self._models:
            raise Refusal(404, f"model {name[:100]!r}: known are {', '.join(self._models)}")
        return self._models[name]
