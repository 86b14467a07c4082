"""The routes: recase, health, metrics, the description as OpenAPI.

The routes of the service, as a Starlette application.

Counts and times of the service, in Prometheus' text form.

The description of the service in the form of OpenAPI 3.1.

From the text of a request to the answer: the same bytes as the command line gives.
"""

import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import anyio
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from workbench import __version__
from workbench.models.capitalizer import Capitalizer
from workbench.models.kinds import load_model
from workbench.recasing.answers import recase_bytes
from workbench.recasing.recaser import Recaser, words_of
from workbench.service.limits import (
    Gate,
    Limits,
    Refusal,
    Ticket,
    answer_fault,
    answer_refusal,
    as_json,
)
from workbench.service.requests import JSON, OPTIONS, TEXT, Job, parse_job, read_body
from workbench.text.errors import InputError

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


class Metrics:
    """What ``/metrics`` shows; also memory and processor time of the process."""

    def __init__(self, gate: Gate) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self._requests = Counter(
            "workbench_requests", "Requests answered.", ["path", "status"], registry=self._registry
        )
        self._seconds = Histogram(
            "workbench_request_seconds", "Time until the last byte of an answer.", ["path"],
            buckets=_SECONDS, registry=self._registry,
        )  # fmt: skip
        self._bytes = Counter(
            "workbench_recased_bytes", "Bytes of text that were recased.", ["model"],
            registry=self._registry,
        )  # fmt: skip
        self._gauge("workbench_requests_under_way", "Requests to recase.", lambda: gate.requests)
        self._gauge("workbench_held_bytes", "Bytes of bodies in memory.", lambda: gate.bytes)

    def _gauge(self, name, text, read):
        Gauge(name, text, registry=self._registry).set_function(read)

    def answered(self, path: str, status: int, seconds: float) -> None:
        """Count an answer; ``path`` is one of the routes."""
        self._requests.labels(path, status).inc()
        self._seconds.labels(path).observe(seconds)

    def recased(self, model: str, n_bytes: int) -> None:
        """Count text that was recased."""
        self._bytes.labels(model).inc(n_bytes)

    def show(self) -> Response:
        """Return the answer of ``/metrics``."""
        return Response(generate_latest(self._registry), media_type=CONTENT_TYPE_LATEST)


_ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {"error": {"type": "string", "description": "what was wrong, and what would do"}},
}
_REFUSALS = {
    "400": "The JSON is broken, not an object with a string `text`, or has a wrong option; or the "
    "request has Content-Length and Transfer-Encoding.",
    "404": "No model of this name.",
    "408": "The body was not there within the time.",
    "413": "The body is too large.",
    "415": "The body is neither UTF-8 text nor JSON.",
    "422": "The text cannot be recased.",
    "429": "Too many requests of one address at a time.",
    "503": "Too much to do at a time, or no answer within the time.",
}


def describe(models: list[str], limits: Limits) -> dict[str, Any]:
    """Return the description of a service with some models, named, and limits."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Capitalization workbench",
            "version": __version__,
            "description": "Restores the case of text; nothing but letter case changes.",
        },
        "paths": {
            "/health": {"get": _get("Whether the service answers.", {"status": {"const": "ok"}})},
            "/models": {"get": _get("The models, the first of them the default.", _MODELS)},
            "/recase": {"post": _describe_recase(models, limits)},
            "/metrics": {
                "get": {
                    "summary": "Counts and times in Prometheus' text form.",
                    "responses": {"200": _content("The figures.", TEXT, {"type": "string"})},
                }
            },
            "/openapi.json": {"get": _get("This description.", {"openapi": {"type": "string"}})},
        },
        "components": {"schemas": {"Error": _ERROR}},
    }


_MODEL = {
    "type": "object",
    "required": ["name", "kind", "info"],
    "properties": {
        "name": {"type": "string"},
        "kind": {"type": "string"},
        "info": {"type": "object", "description": "how the model was made"},
    },
}
_WORD = {
    "type": "object",
    "required": ["start", "end", "from", "to", "p"],
    "description": "a word, its place in characters of the text, and how probable its tag is",
    "properties": {
        "start": {"type": "integer"},
        "end": {"type": "integer"},
        "from": {"type": "string"},
        "to": {"type": "string"},
        "p": {"type": ["number", "null"]},
    },
}
_IN_QUERY = {name: field.schema for name, field in OPTIONS.items() if field.from_query}
_MODELS = {"models": {"type": "array", "items": _MODEL, "minItems": 1}}


def _content(text: str, kind: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"description": text, "content": {kind: {"schema": schema}}}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "required": list(properties), "properties": properties}


def _get(summary: str, properties: dict[str, Any]) -> dict[str, Any]:
    answer = _content(summary, JSON, _object(properties))
    return {"summary": summary, "responses": {"200": answer}}


def _describe_recase(models: list[str], limits: Limits) -> dict[str, Any]:
    name = {"type": "string", "enum": models, "default": models[0]}
    text = {"type": "string", "description": "text in any case"}
    job = _object({"text": text}) | {"additionalProperties": False}
    job["properties"] = {
        "text": text,
        "model": {**name, "type": ["string", "null"], "enum": [*models, None]},
        "words": {"type": "boolean", "default": False, "description": "list the words, too"},
        **{option: field.schema for option, field in OPTIONS.items()},
    }
    error = {"$ref": "#/components/schemas/Error"}
    answers = {status: _content(line, JSON, error) for status, line in _REFUSALS.items()}
    done = _content("The text with its case restored.", TEXT, {"type": "string"})
    done["content"][JSON] = {"schema": _object({"text": text, "model": name})}
    done["content"][JSON]["schema"]["properties"]["words"] = {"type": "array", "items": _WORD}
    return {
        "summary": "Restore the case of a text.",
        "description": (
            f"A body of at most {limits.body:,} bytes, within {limits.seconds:g} s; "
            f"{limits.per_client} requests of one address and {limits.requests} in all at a "
            "time. Text is answered with text, JSON with JSON."
        ),
        "parameters": [
            {"name": option, "in": "query", "schema": schema, "required": False}
            for option, schema in {"model": name, **_IN_QUERY}.items()
        ],
        "requestBody": {
            "required": True,
            "content": {TEXT: {"schema": {"type": "string"}}, JSON: {"schema": job}},
        },
        "responses": {"200": done, **answers},
    }


class ServedModel(NamedTuple):
    """A model and what is said of it."""

    name: str
    model: Capitalizer
    recaser: Recaser

    def recaser_with(self, options: dict[str, Any]) -> Recaser:
        """Return a recaser with some options; InputError if one does not fit the model."""
        return Recaser(self.model, **options) if options else self.recaser

    def describe(self) -> dict:
        """Return what ``/models`` says of it."""
        return {"name": self.name, "kind": self.model.kind, "info": self.model.info}


def load_served(paths: list[str]) -> dict[str, ServedModel]:
    """Return the models of some files by name, ready to answer.

    A name is that of the file without its ending. InputError if two have the same, or one has
    no case to restore.
    """
    served = dict[str, ServedModel]()
    for path in paths:
        name = Path(path).stem
        if name in served:
            raise InputError(f"{path}: two models of the name {name}; rename one of the files")
        model = load_model(path)
        try:
            recaser = Recaser(model)
        except InputError as error:
            raise InputError(f"{path}: {error}") from None
        served[name] = ServedModel(name, model, recaser)
        # What is compiled, and looked up, is there for the first request of each kind.
        for options in ({}, {"threshold": 0.5}, {"glossary": ["Ready"]}):
            with suppress(InputError):  # of a model without probabilities
                kind = served[name].recaser_with(options)
                kind.recase("Ready.")
                recase_words(kind, "Ready.")
    return served


def recase_text(recaser: Recaser, text: str) -> dict[str, Any]:
    """Return a text with its case restored, as ``{"text": …}``."""
    return {"text": recaser.recase(text)}


def recase_words(recaser: Recaser, text: str) -> dict[str, Any]:
    """Return a text with its case restored and its words, with places in the text.

    They are those of ``recase --json``, but counted from the start of the text.
    """
    recaser.require_probabilities("words")
    parts, words, start = [], [], 0
    for block, opened in recaser.blocks([text]):
        recased = recaser.recase_block(block, with_p=True, opened=opened)
        parts.append(recased.text)
        words += [word.to_json() for word in words_of(recased, start)]
        start += len(block)
    return {"text": "".join(parts), "words": words}


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
