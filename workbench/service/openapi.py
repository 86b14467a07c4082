"""The description of the service in the form of OpenAPI 3.1."""

from typing import Any

from workbench import __version__
from workbench.service.admission import Limits
from workbench.service.body import JSON, TEXT
from workbench.service.options import OPTIONS

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
