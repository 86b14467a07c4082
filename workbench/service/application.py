"""The routes of the service: what a request may ask for, its answer, and what is counted.

A request to recase is let in by a ``Gate``; its body is read within limits; ``parse_job`` says what
it asks for; a thread recases it block by block. ``openapi.json`` describes all of it, and the
fields of a request are checked by what stands there.
"""

import copy
import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, suppress
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import anyio
import prometheus_client as prometheus
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from workbench import __version__
from workbench.models.capitalizer import Capitalizer
from workbench.models.kinds import load_model
from workbench.recasing.recaser import Recaser, words_of
from workbench.recasing.streams import decode, encode
from workbench.service.limits import Gate, Limits, Refusal
from workbench.text.errors import InputError

TEXT, JSON = "text/plain", "application/json"
_CURL = "application/x-www-form-urlencoded"  # what curl says of any body unless told
_DRAIN_SECONDS = 1.0  # for what a refused client still sends
_TWO_LENGTHS = {b"content-length", b"transfer-encoding"}
_DESCRIPTION = json.loads(Path(__file__).with_name("openapi.json").read_text("utf-8"))
_KINDS: Any = ({}, {"threshold": 0.5}, {"glossary": ["Ready"]})  # of options; each is compiled
FIELDS = _DESCRIPTION["components"]["schemas"]["job"]["properties"]
_IN_QUERY = {name: FIELDS[name] for name in FIELDS if name not in ("text", "words", "glossary")}


class ServedModel(NamedTuple):
    """A model and what answers with it."""

    model: Capitalizer
    recaser: Recaser

    def recaser_with(self, options: dict[str, Any]) -> Recaser:
        """Return a recaser with some options; InputError if one does not fit the model."""
        return Recaser(self.model, **options) if options else self.recaser


def load_served(paths: list[str]) -> dict[str, ServedModel]:
    """Return the models of some files, ready to answer, by the files' names without endings."""
    served = dict[str, ServedModel]()
    for path in paths:
        name = Path(path).stem
        if name in served:
            raise InputError(f"{path}: two models of the name {name}; rename one of the files")
        model = load_model(path)
        try:
            served[name] = ServedModel(model, Recaser(model))
        except InputError as error:
            raise InputError(f"{path}: {error}") from None
        # What is compiled, and looked up, is there for the first request of each kind.
        for options, with_words in product(_KINDS, (False, True)):
            with suppress(InputError):  # of a model without probabilities
                list(recase_blocks(served[name].recaser_with(options), "Ready.", with_words))
    return served


def recase_blocks(recaser: Recaser, text: str, with_words: bool) -> Iterator[tuple[str, list]]:
    """Yield the blocks of a text with their case restored, and their words if they are wanted.

    Words are those of ``recase --json``, with their places counted from the start of the text.
    """
    if with_words:
        recaser.require_probabilities("words")
    start = 0
    for block, opened in recaser.blocks([text]):
        recased = recaser.recase_block(block, with_words, opened)
        words = words_of(recased, start) if with_words else ()
        yield recased.text, [word.to_json() for word in words]
        start += len(block)


class Application(Starlette):
    """The application that serves some models; ``n_threads`` recase at a time."""

    def __init__(self, models: Mapping[str, ServedModel], limits: Limits, n_threads: int) -> None:
        self._models, self._gate = models, Gate(limits)
        self._threads = anyio.CapacityLimiter(n_threads)
        self._count_figures()
        listed = [
            {"name": name, "kind": served.model.kind, "info": served.model.info}
            for name, served in models.items()
        ]
        told = {
            "/health": {"status": "ok"},
            "/models": {"models": listed},
            "/openapi.json": describe(list(models), limits),
        }
        self._paths = {"/recase", "/metrics", *told}
        routes = [Route(path, lambda request: as_json(told[request.url.path])) for path in told]
        routes += [
            Route("/recase", self._recase, methods=["POST"]),
            Route("/metrics", self._show_figures),
        ]
        handlers = {HTTPException: _answer_refusal, Exception: _answer_fault}
        super().__init__(routes=routes, exception_handlers=handlers)
        self.router.redirect_slashes = False

    def _count_figures(self):
        self._registry = registry = prometheus.CollectorRegistry()
        prometheus.ProcessCollector(registry=registry)
        what = "workbench_request_seconds", "Time until the last byte of an answer."
        self._seconds = prometheus.Histogram(*what, ["path", "status"], registry=registry)
        what = "workbench_recased_bytes", "Bytes of answers."
        self._bytes = prometheus.Counter(*what, ["model"], registry=registry)
        what = "workbench_requests_under_way", "Requests to recase."
        prometheus.Gauge(*what, registry=registry).set_function(lambda: self._gate.requests)
        what = "workbench_held_bytes", "Bytes of bodies in memory."
        prometheus.Gauge(*what, registry=registry).set_function(lambda: self._gate.bytes)

    def _show_figures(self, request: Request) -> Response:
        figures = prometheus.generate_latest(self._registry)
        return Response(figures, media_type=prometheus.CONTENT_TYPE_LATEST)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, count it, and give back what it held once it is answered."""
        if scope["type"] != "http":
            return await super().__call__(scope, receive, send)
        start, status = time.perf_counter(), 0

        async def note(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        answer = super().__call__
        if {name for name, _ in scope["headers"]} >= _TWO_LENGTHS:
            # A proxy before us may believe the other one, and take the rest for a request.
            line = "content-length and transfer-encoding: one of them is allowed"
            answer = as_json({"error": line}, 400, {"Connection": "close"})
        try:
            with ExitStack() as scope["held"]:
                await answer(scope, receive, note)
        finally:
            path = scope["path"] if scope["path"] in self._paths else "other"
            self._seconds.labels(path, status).observe(time.perf_counter() - start)

    async def _recase(self, request: Request) -> Response:
        client = request.client.host if request.client else ""
        seconds = self._gate.limits.seconds
        late = Refusal(408, f"the body was not there after {seconds:g} s")
        try:
            hold = request.scope["held"].enter_context(self._gate.admit(client))
            with anyio.move_on_after(seconds):
                body = await _read_body(request, hold)
                late = Refusal(503, f"no answer after {seconds:g} s; send less at a time")
                content_type = request.headers.get("content-type", TEXT)
                return await self._answer(*parse_job(content_type, body, request.query_params))
            raise late
        except ClientDisconnect:
            return Response(status_code=499)  # nobody is there to be answered
        except Refusal:
            # A client that sends does not listen.
            with anyio.move_on_after(_DRAIN_SECONDS), suppress(ClientDisconnect, RuntimeError):
                async for _ in request.stream():  # RuntimeError: all was read
                    pass
            raise

    async def _answer(self, is_json: bool, asked: dict[str, Any]) -> Response:
        name = asked.pop("model", next(iter(self._models)))
        text, with_words = asked.pop("text"), asked.pop("words", False)
        if name not in self._models:
            raise Refusal(404, f"model {name[:100]!r}: known are {', '.join(self._models)}")
        recaser = await self._run(self._models[name].recaser_with, asked)
        blocks, parts, words = recase_blocks(recaser, text, with_words), [], []
        while block := await self._run(next, blocks, None):
            parts.append(block[0])
            words += block[1]
        whole = "".join(parts)
        answered = {"text": whole, "model": name} | ({"words": words} if with_words else {})
        answer = as_json(answered) if is_json else Response(encode(whole), media_type=TEXT)
        self._bytes.labels(name).inc(len(answer.body))
        return answer

    async def _run(self, function, *arguments):
        """Call a function in a thread; what it refuses is a Refusal."""
        try:
            return await anyio.to_thread.run_sync(function, *arguments, limiter=self._threads)
        except InputError as error:
            raise Refusal(422, str(error)) from None


def as_json(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return an answer of JSON; what is not ASCII is escaped, so any string can be in it."""
    return Response(json.dumps(value).encode() + b"\n", status, headers, JSON)


async def _answer_refusal(request, error):
    return as_json({"error": error.detail}, error.status_code, error.headers)


async def _answer_fault(request, error):
    return as_json({"error": f"a fault of the service ({type(error).__name__}); see its log"}, 500)


async def _read_body(request: Request, hold: Callable[[int], None]) -> bytes:
    """Return the body of a request; Refusal if it is too large, or packed."""
    packed = request.headers.get("content-encoding", "identity")
    if packed != "identity":
        line = f"content-encoding {packed[:100]}: a body as it is, not packed, is needed"
        raise Refusal(415, line)
    declared = request.headers.get("content-length", "0")
    hold(int(declared) if declared.isdecimal() else 0)
    body = bytearray()
    async for chunk in request.stream():
        hold(len(body) + len(chunk))
        body += chunk
    return bytes(body)


def parse_job(content_type: str, body: bytes, query: Mapping[str, str]) -> tuple[bool, dict]:
    """Return whether a request is JSON, and its fields, ``text`` among them; or Refusal."""
    kind, _, parameters = content_type.partition(";")
    kind = kind.strip().lower() or TEXT
    charset = parameters.strip().lower().removeprefix("charset=").strip('"')
    asked: dict[str, Any] = dict(query)
    for name in _IN_QUERY.keys() & asked:
        if _IN_QUERY[name]["type"] != "string":
            with suppress(ValueError):  # else it is refused as it is
                asked[name] = json.loads(asked[name])
    _check(asked, _IN_QUERY)
    if kind == JSON:
        try:
            value = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise Refusal(400, f"not JSON ({str(error)[:200]})") from None
        if not isinstance(value, dict) or not isinstance(value.get("text"), str):
            raise Refusal(400, 'an object with a string "text" is needed, as in {"text": "hello"}')
        _check(value, FIELDS)
        asked |= value
    elif kind in (TEXT, _CURL) and charset in ("", "utf-8", "utf8", "us-ascii"):
        asked["text"] = decode(body)
    else:
        raise Refusal(415, f"{content_type[:100]}: {TEXT} in UTF-8 or {JSON} is needed")
    return kind == JSON, asked


def _check(asked, known):
    """Raise a Refusal that names a field that is not known, or cannot have its value."""
    if unknown := sorted(asked.keys() - known):
        line = f"{unknown[0][:100]!r}: no such field; known are {', '.join(sorted(known))}"
        raise Refusal(400, line)
    for name, value in asked.items():
        if not _fits(value, schema := known[name]):
            allowed = " or ".join(schema.get("enum", ())) or schema["description"]
            raise Refusal(400, f"{name} {str(value)[:100]!r}: {allowed} is needed")


def _fits(value, schema):
    """Return whether a value is one that the schema of a field allows."""
    match schema["type"]:
        case "string":
            return isinstance(value, str) and value in schema.get("enum", [value])
        case "boolean":
            return isinstance(value, bool)
        case "number":
            in_range = type(value) in (int, float)
            return in_range and schema["minimum"] <= value <= schema["maximum"]
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def describe(models: list[str], limits: Limits) -> dict[str, Any]:
    """Return the description, as OpenAPI 3.1, of a service with some models, named, and limits."""
    description = copy.deepcopy(_DESCRIPTION)
    description["info"]["version"] = __version__
    name = description["components"]["schemas"]["job"]["properties"]["model"]
    name |= {"enum": models, "default": models[0]}
    recase = description["paths"]["/recase"]["post"]
    recase["parameters"] = [
        {"name": option, "in": "query", "schema": schema}
        for option, schema in (_IN_QUERY | {"model": name}).items()
    ]
    recase["description"] = (
        f"A body of at most {limits.body:,} bytes, within {limits.seconds:g} s; "
        f"{limits.per_client} requests of one address and {limits.requests} in all at a time."
    )
    return description
