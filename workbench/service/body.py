"""What is read of a request: its body within limits, and the text and options in it."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from starlette.requests import Request

from workbench.service.admission import Ticket
from workbench.service.options import OPTIONS, check_option, read_query, refuse_unknown
from workbench.service.refusals import Refusal

TEXT, JSON = "text/plain", "application/json"
_CURL = "application/x-www-form-urlencoded"  # what curl says of any body unless told


_TEXT_FIELDS = {"text", "model", "words"}


class Job(NamedTuple):
    """What a request asks for."""

    text: bytes | str  # bytes of a body of text, a string of one of JSON
    model: str | None  # by name; None is the first
    with_words: bool  # whether the answer lists them
    options: dict[str, Any]  # of ``Recaser``


async def read_body(request: Request, ticket: Ticket) -> bytes:
    """Return the body of a request; Refusal if it is too large, or packed."""
    packed = request.headers.get("content-encoding", "identity")
    if packed != "identity":
        raise Refusal(
            415, f"content-encoding {packed[:100]}: a body as it is, not packed, is needed"
        )
    declared = request.headers.get("content-length", "0")
    if declared.isdecimal() and int(declared) > 0:
        ticket.hold(int(declared))
    chunks = []
    n, held = 0, ticket.bytes
    async for chunk in request.stream():
        n += len(chunk)
        if n > held:
            ticket.hold(n - held)
            held = n
        chunks.append(chunk)
    return b"".join(chunks)


def parse_job(content_type: str, body: bytes, query: Mapping[str, str]) -> Job:
    """Return what a request asks for; Refusal if it cannot be told."""
    kind, _, parameters = content_type.partition(";")
    kind = kind.strip().lower() or TEXT
    options = read_query(query)
    model = options.pop("model", None)
    if kind == JSON:
        return _parse_json(body, model, options)
    charset = parameters.strip().lower().removeprefix("charset=").strip('"')
    if kind not in (TEXT, _CURL) or charset not in ("", "utf-8", "utf8", "us-ascii"):
        raise Refusal(415, f"{content_type[:100]}: {TEXT} in UTF-8 or {JSON} is needed")
    return Job(body, model, False, options)


def _parse_json(body, model, options):
    try:
        value = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Refusal(400, f"not JSON ({str(error)[:200]})") from None
    if not isinstance(value, dict) or not isinstance(value.get("text"), str):
        raise Refusal(400, 'an object with a string "text" is needed, as in {"text": "hello"}')
    refuse_unknown(value, [*_TEXT_FIELDS, *OPTIONS])
    own = {name: value[name] for name in value.keys() & OPTIONS.keys()}
    for name, option in own.items():
        check_option(name, option)
    if not isinstance(with_words := value.get("words", False), bool):
        raise Refusal(400, "words: true or false is needed")
    return Job(value["text"], _check_name(value.get("model", model)), with_words, options | own)


def _check_name(name: Any) -> str | None:
    if name is not None and not isinstance(name, str):
        raise Refusal(400, "model: a string is needed, one of the names that /models lists")
    return name
