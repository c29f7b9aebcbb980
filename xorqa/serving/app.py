"""The web application: the routes of the API and of the page."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, PlainTextResponse, Response

from ..core.errors import XorqaError
from .engine import Engine
from .guard import Guard
from .metrics import resident_bytes
from .problems import Problem, problem_of, unavailable
from .routes import add_pages, add_routes

Warm = Callable[[BaseException | None], None]
ABOUT = """\
Ask questions in any language over the server's documents or your own. Every error has the shape
`{"error": {"code", "message"}}`. Requests are JSON; `POST /ask` also streams its stages, as
`text/event-stream` or `application/x-ndjson`, if the request accepts one of these."""


def create_app(
    engine: Engine, *, token: str | None = None, warm: Warm = lambda error: None
) -> Guard:
    """The application of an engine; it starts with it, and `warm` is called when it is ready.

    With a `token`, every route except `/health` needs it.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        engine.start(warm)
        yield
        engine.stop()

    app = FastAPI(
        title="xorqa",
        version=version("xorqa"),
        description=ABOUT,
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    _add_errors(app)
    _add_states(app, engine)
    add_routes(app, engine)
    add_pages(app, engine)
    routes = {getattr(route, "path", "") for route in app.routes}
    return Guard(app, limits=engine.limits, token=token, metrics=engine.metrics, routes=routes)


def _add_errors(app: FastAPI) -> None:
    """Answer every error in one shape."""

    async def of_problem(request: Request, error: Exception) -> Response:
        problem = problem_of(error)
        return JSONResponse(problem.body, problem.status, problem.headers)

    async def of_validation(request: Request, error: Exception) -> Response:
        first = error.errors()[0] if isinstance(error, RequestValidationError) else {}
        place = ".".join(map(str, first.get("loc", ())))
        return await of_problem(request, Problem(422, f"{place:.80}: {first.get('msg', '')}"))

    async def of_status(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        headers = dict(getattr(error, "headers", None) or {})
        detail = str(getattr(error, "detail", ""))
        return await of_problem(request, Problem(status, detail, headers=headers))

    for kind in (Problem, XorqaError, Exception):
        app.add_exception_handler(kind, of_problem)
    app.add_exception_handler(RequestValidationError, of_validation)
    app.add_exception_handler(HTTPException, of_status)


def _add_states(app: FastAPI, engine: Engine) -> None:
    """The routes for monitoring."""

    @app.get("/health", tags=["monitoring"])
    async def health() -> dict[str, str]:
        """The process runs; needs no token."""
        return {"status": "ok"}

    @app.get("/ready", tags=["monitoring"])
    async def ready() -> dict[str, Any]:
        """Weights and indexes are loaded; 503 before."""
        if not engine.ready:
            raise unavailable("weights and indexes are being loaded", "starting")
        return {"ready": True, "pipelines": list(engine.pipelines)}

    @app.get("/metrics", tags=["monitoring"], response_class=PlainTextResponse)
    async def metrics() -> PlainTextResponse:
        """Counters and gauges in the text format of Prometheus."""
        gauges = {
            "queue_length": ("Waiting questions.", engine.worker.queued),
            "busy_seconds": ("Seconds that the worker has run.", engine.worker.seconds_busy),
            "uploaded_corpora": ("Uploaded corpora.", len(engine.uploads)),
            "resident_bytes": ("Resident memory.", resident_bytes()),
            "ready": ("1 once weights and indexes are loaded.", engine.ready),
        }
        return PlainTextResponse(
            engine.metrics.text(gauges), media_type="text/plain; version=0.0.4"
        )
