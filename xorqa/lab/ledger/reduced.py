"""An experiment with fewer or simpler stages, to see what the others are worth."""

from dataclasses import replace
from typing import Any

from ...core.registry import table_of
from ...experiments.settings import DEFAULTS, GENERATE, NO_RANKER, PipelineSettings


def without_ranker(settings: PipelineSettings) -> PipelineSettings:
    """The same experiment without rankers."""
    routes = tuple(replace(route, ranker=None) for route in settings.routes)
    return replace(settings, routes=routes, ranker=NO_RANKER)


def with_span_reader(settings: PipelineSettings) -> PipelineSettings:
    """The same experiment with the default span reader in place of `generate`."""
    routes = tuple(
        replace(route, reader=None) if settings.reader_of(route)["use"] == GENERATE else route
        for route in settings.routes
    )
    generates = settings.reader["use"] == GENERATE
    reader = {"use": DEFAULTS["reader"]} if generates else settings.reader
    return replace(settings, routes=routes, reader=reader)


def reader_over(settings: PipelineSettings, corpus: str) -> dict[str, Any]:
    """The config table of the reader of the first route over a corpus, else the shared one."""
    route = next((route for route in settings.routes if route.corpus == corpus), None)
    own = None if route is None else route.reader
    return dict(settings.reader) if own is None else table_of("reader", own)
