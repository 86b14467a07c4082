"""What is answered when a request is refused: a status and one clear line, as JSON."""

import json
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response


class Refusal(HTTPException):
    """A request that is not answered; the line says what was wrong and what is allowed."""

    def __init__(self, status: int, line: str, **headers: str) -> None:
        super().__init__(status, line, {name.replace("_", "-"): v for name, v in headers.items()})


def as_json(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Return an answer of JSON; what is not ASCII is escaped, so any string can be in it."""
    body = json.dumps(value).encode() + b"\n"
    return Response(body, status, headers, "application/json")


async def answer_refusal(request: Request, error: Exception) -> Response:
    """Return the answer to a request that was refused."""
    assert isinstance(error, HTTPException)
    detail = error.detail
    if error.status_code == 404 and not isinstance(error, Refusal):
        detail = f"{request.url.path}: no such path; /openapi.json lists all"
    elif error.status_code == 405:
        allowed = (error.headers or {}).get("Allow", "")
        detail = f"{request.method}: not for {request.url.path}; allowed are {allowed}"
    return as_json({"error": detail}, error.status_code, dict(error.headers or {}))


async def answer_fault(request: Request, error: Exception) -> Response:
    """Return the answer where the service itself is at fault; the log has the rest."""
    return as_json({"error": f"a fault of the service ({type(error).__name__}); see its log"}, 500)
