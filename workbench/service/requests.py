"""What is read of a request, within limits: text and options.

What is read of a request: its body within limits, and the text and options in it.

Options of a request: how they are named, checked, and read from an address or from JSON.
"""

import json
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from starlette.requests import Request

from workbench.recasing.policies import Policy, SentenceStart
from workbench.service.limits import Refusal, Ticket
from workbench.text.layout import Layout


class Field(NamedTuple):
    """An option of a request: its JSON schema, what is allowed, how it is checked and read."""

    schema: dict[str, Any]
    allowed: str
    fits: Callable[[Any], bool]
    from_query: Callable[[str], Any] | None = str  # None: in JSON alone


def _choice(names, default):
    schema = {"type": "string", "enum": list(names), "default": default}
    return Field(schema, " or ".join(names), schema["enum"].__contains__)


def _is_list_of_strings(value):
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


_SWITCH = {"true": True, "false": False}
OPTIONS = {  # of ``Recaser``, of the same names
    "policy": _choice(Policy, Policy.LOWER),
    "sentence_start": _choice(SentenceStart, SentenceStart.MODEL),
    "layout": _choice(Layout, Layout.AUTO),
    "hashtags": Field(
        {"type": "boolean", "default": False}, "true or false",
        lambda value: isinstance(value, bool), _SWITCH.__getitem__,
    ),
    "threshold": Field(
        {"type": "number", "minimum": 0, "maximum": 1}, "a probability, 0 to 1,",
        lambda value: type(value) in (int, float) and 0 <= value <= 1, float,
    ),
    "glossary": Field(
        {"type": "array", "items": {"type": "string"}}, "a list of words and phrases",
        _is_list_of_strings, None,
    ),
}  # fmt: skip


def read_query(query: Mapping[str, str]) -> dict[str, Any]:
    """Return the model and the options that an address names; Refusal if one is wrong."""
    known = ["model", *(name for name, field in OPTIONS.items() if field.from_query)]
    refuse_unknown(query, known)
    options: dict[str, Any] = dict(query)
    for name in options.keys() - {"model"}:
        with suppress(ValueError, KeyError):  # else it is refused as it is
            options[name] = OPTIONS[name].from_query(query[name])
        check_option(name, options[name])
    return options


def refuse_unknown(given: Collection[str], known: Collection[str]) -> None:
    """Raise a Refusal that names a field that is not known."""
    if unknown := sorted(set(given) - set(known)):
        raise Refusal(
            400, f"{unknown[0][:100]!r}: no such field; known are {', '.join(sorted(known))}"
        )


def check_option(name: str, value: Any) -> None:
    """Raise a Refusal if an option cannot have a value."""
    if not OPTIONS[name].fits(value):
        given = str(value)[:100]
        raise Refusal(400, f"{name} {given!r}: {OPTIONS[name].allowed} is needed")


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
