"""The web application: `/ask`, the single stages, uploads, monitoring, and the pages."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse

from ..core.errors import XorqaError
from ..core.lang import ISO_639_1
from ..metrics.registry import find_task
from .engine import Engine, question_of
from .guard import UPLOAD, Guard, media_type
from .metrics import resident_bytes
from .problems import Problem, busy, problem_of, unavailable
from .schemas import (
    Answered,
    AnsweredBatch,
    Ask,
    Error,
    Read,
    Retrieve,
    Score,
    Translate,
    Uploaded,
    checked_lang,
    checked_question,
    passages,
    question_texts,
    references,
)
from .uploads import FILES, parse_upload
from .worker import EVENTS, LINES, Job, client_of, results, stream, wanted_stream

Warm = Callable[[BaseException | None], None]
ABOUT = """\
Ask questions in any language over the server's documents or your own. Every error has the shape
`{"error": {"code", "message"}}`. Requests are JSON; `POST /ask` also streams its stages, as
`text/event-stream` or `application/x-ndjson`, if the request accepts one of these."""

ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": Error} for status in (400, 401, 404, 413, 415, 422, 429, 503)
}
STREAMS: dict[str, dict[str, Any]] = {EVENTS: {}, LINES: {}}

SITE = Path(__file__).with_name("site")
SITE_FILES = {
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
    _add_ask(app, engine)
    _add_stages(app, engine)
    _add_uploads(app, engine)
    _add_pages(app, engine)
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
        _check_ready(engine)
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


def _add_ask(app: FastAPI, engine: Engine) -> None:
    responses = {**ERRORS, 200: {"model": Answered | AnsweredBatch, "content": STREAMS}}

    @app.post("/ask", tags=["questions"], responses=responses)
    async def ask(body: Ask, request: Request) -> Response:
        """Answer a question, or several in one batch.

        `evidence` begins with the answer's passage; `trace` has the query and the hits of each
        route, the candidates, all answers and the milliseconds of each stage. A single question is
        streamed if the request accepts `text/event-stream` or `application/x-ndjson`: events
        `stage`, then `answer` or `error`.
        """
        _check_ready(engine)
        jobs = engine.ask(
            question_texts(body, engine.limits),
            body.lang and checked_lang(body.lang, ""),
            pipeline=engine.pipeline(body.pipeline, body.corpus),
            min_confidence=body.min_confidence,
        )
        media = wanted_stream(request.headers.get("accept", ""))
        seconds = engine.limits.seconds
        if body.question is None:
            batch = await results(request, jobs, engine.worker, engine.metrics, seconds)
            rows = [result.body if isinstance(result, Problem) else result for result in batch]
            return JSONResponse({"results": rows})
        [job] = jobs
        if media:
            job.client = client_of(request)
            return StreamingResponse(stream(job, engine.worker, seconds, media), media_type=media)
        return JSONResponse(await _result(engine, request, job))


def _add_stages(app: FastAPI, engine: Engine) -> None:
    @app.post("/retrieve", tags=["stages"], responses=ERRORS)
    async def retrieve(body: Retrieve, request: Request) -> dict[str, Any]:
        """The query and the hits of each route."""
        question = _question(engine, body.question, body.lang)
        pipeline = engine.pipeline(body.pipeline, body.corpus)
        return await _call(engine, request, partial(engine.retrieve, pipeline, question, body.k))

    @app.post("/read", tags=["stages"], responses=ERRORS)
    async def read(body: Read, request: Request) -> dict[str, Any]:
        """The candidate answers in the given passages, best first."""
        question = _question(engine, body.question, body.lang)
        given = passages(body.passages, engine.limits)
        pipeline = engine.pipeline(body.pipeline, None)
        return await _call(engine, request, partial(engine.read, pipeline, question, given))

    @app.post("/translate", tags=["stages"], responses=ERRORS)
    async def translate(body: Translate, request: Request) -> dict[str, Any]:
        """A question in English, by the bundled translator."""
        question = _question(engine, body.question, body.lang)
        to = checked_lang(body.to, "")
        return await _call(engine, request, partial(engine.translate, question, to))

    @app.post("/score", tags=["stages"], responses=ERRORS)
    async def score(body: Score, request: Request) -> dict[str, Any]:
        """Score answers with a task's official or strict scorer; values are from 0 to 1."""
        golds, predictions = references(body.items, engine.limits)

        def scored() -> dict[str, Any]:
            task = find_task(body.task)
            scores = task.score(golds, predictions, scorer=body.scorer)
            report = task.report(scores, scorer=body.scorer)
            values = {score.qid: dict(score.values) for score in scores}
            rows = [values.get(gold.qid) for gold in golds]  # null: not counted
            return {"scores": rows, "report": report.to_json()}

        return await _call(engine, request, scored)


def _add_uploads(app: FastAPI, engine: Engine) -> None:
    uploading = asyncio.Semaphore(engine.limits.uploading)
    body = {media: {"schema": {"type": "string"}} for media in FILES}

    @app.post(
        UPLOAD,
        tags=["corpora"],
        responses={**ERRORS, 200: {"model": Uploaded}},
        openapi_extra={"requestBody": {"content": body, "required": True}},
    )
    async def upload(request: Request) -> Response:
        """Index passages as JSONL, or a text to be split into passages.

        The index is temporary: the server removes the oldest upload when there are too many, and
        all when it stops.
        """
        _check_ready(engine)
        if uploading.locked():
            raise busy("other uploads are being indexed; try again later")
        async with uploading:
            media = media_type(request.headers["content-type"])
            corpus = await asyncio.to_thread(
                parse_upload, await request.body(), media, engine.limits
            )
            seconds = engine.limits.upload_seconds
            return JSONResponse(await _result(engine, request, engine.upload(corpus), seconds))

    @app.delete(UPLOAD + "/{corpus}", tags=["corpora"], responses=ERRORS)
    async def remove(corpus: str, request: Request) -> dict[str, str]:
        """Remove an uploaded corpus and its index."""
        await _call(engine, request, partial(engine.uploads.remove, corpus))
        return {"removed": corpus}


async def _call(
    engine: Engine, request: Request, function: Callable[[], dict[str, Any] | None]
) -> dict[str, Any]:
    """The value of a function on the worker's thread."""
    _check_ready(engine)
    return await _result(engine, request, engine.call(function))


async def _result(
    engine: Engine, request: Request, job: Job, seconds: float = 0.0
) -> dict[str, Any]:
    """The result of one job; a problem is raised."""
    seconds = seconds or engine.limits.seconds
    result: dict[str, Any] | Problem
    [result] = await results(request, [job], engine.worker, engine.metrics, seconds)
    if isinstance(result, Problem):
        raise result
    return result


def _check_ready(engine: Engine) -> None:
    if not engine.ready:
        raise unavailable("weights and indexes are being loaded", "starting")


def _question(engine: Engine, text: str, lang: str | None) -> Any:
    checked = checked_question(text, engine.limits)
    return question_of(checked, checked_lang(lang, checked))


def _add_pages(app: FastAPI, engine: Engine) -> None:
    """Add the pages, and `/about`, which the page at `/` reads."""
    for path, (name, media) in SITE_FILES.items():
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
            "examples": [
                {"lang": question.lang, "text": question.text} for question in engine.examples
            ],
            "languages": {code: row.name for code, row in ISO_639_1.items()},
            "right_to_left": [
                code for code, row in ISO_639_1.items() if row.script in RIGHT_TO_LEFT
            ],
        }


def _sender(name: str, media: str) -> Any:
    content = (SITE / name).read_bytes()

    async def send() -> Response:
        return Response(content, media_type=f"{media}; charset=utf-8")

    return send
