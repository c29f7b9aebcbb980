"""The routes: `/ask`, the single stages, uploads, and the pages at `/` and `/docs`."""

import asyncio
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from ..core.lang import ISO_639_1
from ..metrics.registry import find_task
from .engine import Engine, question_of
from .guard import UPLOAD, media_type
from .problems import Problem, busy, unavailable
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
    asked_texts,
    checked_lang,
    checked_question,
    passages,
    references,
)
from .uploads import FILES, parse_upload
from .worker import EVENTS, LINES, Job, results, stream, wanted_stream

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


def add_routes(app: FastAPI, engine: Engine) -> None:
    """Add the routes that use the models, and those of uploads."""
    _add_ask(app, engine)
    _add_stages(app, engine)
    _add_uploads(app, engine)


def _add_ask(app: FastAPI, engine: Engine) -> None:
    responses = {**ERRORS, 200: {"model": Answered | AnsweredBatch, "content": STREAMS}}

    @app.post("/ask", tags=["questions"], responses=responses)
    async def ask(asked: Ask, request: Request) -> Response:
        """Answer a question, or several in one batch.

        `evidence` begins with the answer's passage; `trace` has the query and the hits of each
        route, the candidates, all answers and the milliseconds of each stage. A single question is
        streamed if the request accepts `text/event-stream` or `application/x-ndjson`: events
        `stage`, then `answer` or `error`.
        """
        _check_ready(engine)
        jobs = engine.ask(
            asked_texts(asked, engine.limits),
            asked.lang and checked_lang(asked.lang, ""),
            pipeline=engine.pipeline(asked.pipeline, asked.corpus),
            min_confidence=asked.min_confidence,
        )
        media = wanted_stream(request.headers.get("accept", ""))
        if media and asked.question is not None:
            return StreamingResponse(
                stream(jobs[0], engine.worker, engine.limits.seconds, media), media_type=media
            )
        found = await _results(engine, request, jobs)
        if asked.question is None:
            rows = [each.body if isinstance(each, Problem) else each for each in found]
            return JSONResponse({"results": rows})
        return JSONResponse(_value(found))


def _add_stages(app: FastAPI, engine: Engine) -> None:
    @app.post("/retrieve", tags=["stages"], responses=ERRORS)
    async def retrieve(asked: Retrieve, request: Request) -> dict[str, Any]:
        """The query and the hits of each route."""
        question = _question(engine, asked.question, asked.lang)
        pipeline = engine.pipeline(asked.pipeline, asked.corpus)
        return await _call(engine, request, partial(engine.retrieve, pipeline, question, asked.k))

    @app.post("/read", tags=["stages"], responses=ERRORS)
    async def read(asked: Read, request: Request) -> dict[str, Any]:
        """The candidate answers in the given passages, best first."""
        question = _question(engine, asked.question, asked.lang)
        given = passages(asked.passages, engine.limits)
        pipeline = engine.pipeline(asked.pipeline, None)
        return await _call(engine, request, partial(engine.read, pipeline, question, given))

    @app.post("/translate", tags=["stages"], responses=ERRORS)
    async def translate(asked: Translate, request: Request) -> dict[str, Any]:
        """A question in English, by the bundled translator."""
        question = _question(engine, asked.question, asked.lang)
        to = checked_lang(asked.to, "")
        return await _call(engine, request, partial(engine.translate, question, to))

    @app.post("/score", tags=["stages"], responses=ERRORS)
    async def score(asked: Score, request: Request) -> dict[str, Any]:
        """Score answers with a task's official or strict scorer; values are from 0 to 1."""
        golds, predictions = references(asked.items, engine.limits)

        def scored() -> dict[str, Any]:
            task = find_task(asked.task)
            scores = task.score(golds, predictions, scorer=asked.scorer)
            report = task.report(scores, scorer=asked.scorer)
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
            call = partial(engine.upload, corpus)
            return JSONResponse(await _call(engine, request, call, seconds))

    @app.delete(UPLOAD + "/{corpus}", tags=["corpora"], responses=ERRORS)
    async def remove(corpus: str, request: Request) -> dict[str, str]:
        """Remove an uploaded corpus and its index."""
        await _call(engine, request, partial(engine.uploads.remove, corpus))
        return {"removed": corpus}


async def _call(
    engine: Engine,
    request: Request,
    function: Callable[[], dict[str, Any] | None],
    seconds: float = 0.0,
) -> dict[str, Any]:
    """The value of a function on the worker's thread."""
    _check_ready(engine)
    value: dict[str, Any] = _value(
        await _results(engine, request, [engine.call(function)], seconds)
    )
    return value


async def _results(
    engine: Engine, request: Request, jobs: list[Job], seconds: float = 0.0
) -> list[Any]:
    seconds = seconds or engine.limits.seconds
    return await results(request, jobs, engine.worker, engine.metrics, seconds)


def _value(found: list[Any]) -> Any:
    """The only result; a problem is raised."""
    if isinstance(found[0], Problem):
        raise found[0]
    return found[0]


def _check_ready(engine: Engine) -> None:
    if not engine.ready:
        raise unavailable("weights and indexes are being loaded", "starting")


def _question(engine: Engine, text: str, lang: str | None) -> Any:
    checked = checked_question(text, engine.limits)
    return question_of(checked, checked_lang(lang, checked))


def add_pages(app: FastAPI, engine: Engine) -> None:
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
