"""What a browser shows while it fetches the page: the title, and where all else will be."""

from pathlib import Path

import streamlit as st
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route

_INDEX = Path(st.__file__).with_name("static") / "index.html"
_PAINT = Path(__file__).with_suffix(".html")


def routes() -> list[Route]:
    """Return the route of the page's address: Streamlit's own answer, and the first paint in it."""
    return [Route(f"/{st.get_option('server.baseUrlPath').strip('/')}", _answer)]


def _answer(request: Request) -> HTMLResponse:
    index = _INDEX.read_text("utf-8")
    page = index.replace('<div id="root">', _PAINT.read_text("utf-8") + '<div id="root">')
    return HTMLResponse(page, headers={"Cache-Control": "no-cache"})
