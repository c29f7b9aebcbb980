"""The page at `/` and the API's page at `/docs`, from files of this package."""

from functools import cache
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from starlette.responses import Response

from ..core.lang import ISO_639_1
from .engine import Engine

SITE = Path(__file__).with_name("site")
FILES = {
    "/": ("page.html", "text/html"),
    "/docs": ("docs.html", "text/html"),
    "/page.js": ("page.js", "text/javascript"),
    "/theme.js": ("theme.js", "text/javascript"),
    "/road.js": ("road.js", "text/javascript"),
    "/docs.js": ("docs.js", "text/javascript"),
    "/favicon.svg": ("favicon.svg", "image/svg+xml"),
    "/style.css": ("style.css", "text/css"),
}
RIGHT_TO_LEFT = ("Arab", "Hebr", "Thaa", "Syrc", "Nkoo")


def add_pages(app: FastAPI, engine: Engine) -> None:
    """Add the pages, and `/about`, which the page at `/` reads."""
    for path, (name, media) in FILES.items():
        app.get(path, include_in_schema=False)(_sender(name, media))

    @app.get("/about", tags=["monitoring"])
    async def about() -> dict[str, Any]:
        """The pipelines, the passages, the limits and example questions of the server."""
        return {
            "ready": engine.ready,
            "pipelines": list(engine.pipelines),
            "passages": engine.passages,
            "limits": {
                "question": engine.limits.question,
                "upload": engine.limits.upload,
                "passages": engine.limits.passages,
            },
            "examples": [{"lang": each.lang, "text": each.text} for each in engine.examples],
            "languages": {code: row.name for code, row in ISO_639_1.items()},
            "right_to_left": [c for c, row in ISO_639_1.items() if row.script in RIGHT_TO_LEFT],
        }


def _sender(name: str, media: str) -> Any:
    async def send() -> Response:
        return Response(_read(name), media_type=f"{media}; charset=utf-8")

    return send


@cache
def _read(name: str) -> bytes:
    return (SITE / name).read_bytes()
