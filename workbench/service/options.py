"""Options of a request: how they are named, checked, and read from an address or from JSON."""

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from workbench.recasing.policies import Policy, SentenceStart
from workbench.service.refusals import Refusal
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
