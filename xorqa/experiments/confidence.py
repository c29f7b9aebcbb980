"""The confidence of a trace's answers, and whether it is calibrated for the pipeline's stages."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

from ..answering.confidence.model import ConfidenceModel, shipped_confidence, with_confidence
from ..core.registry import build, described
from ..core.types import Passage, Trace
from ..core.validation import SETTINGS, Share
from ..datasets.corpus import Corpus
from ..io.strict_json import parse_json
from ..retrieval.over_corpus import retriever_over
from .settings import PipelineSettings, Route


def least_confidence(given: float | None) -> float:
    """The confidence below which an answer is not found; by default the model's threshold.

    Raises:
        ConfigError: if `given` is not from 0 to 1.
    """
    if given is None:
        return shipped_confidence().threshold
    return float(SETTINGS.check(Share, given, where="min_confidence"))


def estimate(trace: Trace, *, calibrated: bool, min_confidence: float) -> Trace:
    """The trace with the confidence of its answers, see `with_confidence`.

    A generated answer has none: its model itself decides whether the passages answer.
    """
    source = trace.answer.source if trace.answer else None
    if source is not None and source.generated:
        return replace(trace, min_confidence=min_confidence)
    model = shipped_confidence()
    return with_confidence(trace, model, calibrated=calibrated, min_confidence=min_confidence)


def confidence_of(trace: Trace) -> float:
    """The answer's probability if known, else its score; no answer comes last."""
    if trace.answer is None or trace.answer.source is None:
        return float("-inf")
    confidence = trace.answer.confidence
    return trace.answer.score if confidence is None else confidence


def shipped_is_calibrated(settings: PipelineSettings) -> bool:
    """Whether the shipped model `is_calibrated` for an experiment."""
    return is_calibrated(shipped_confidence(), settings)


def is_calibrated(model: ConfidenceModel, settings: PipelineSettings) -> bool:
    """Whether the model was trained with the reader and the retriever of every route, unranked.

    The fingerprints verify the weights on disk, which takes a while: call it once per pipeline.
    """
    return all(
        (search := search_of(route)) in model.stages  # first: it opens no weights
        and not settings.is_ranked(route)
        and stages_of(settings, route) == tuple(model.stages[search])
        for route in settings.routes
    )


def stages_of(settings: PipelineSettings, route: Route) -> tuple[str, str]:
    """The fingerprints of a route's retriever and of its reader."""
    return retriever_fingerprint(search_of(route)), reader_fingerprint(settings, route)


def reader_fingerprint(settings: PipelineSettings, route: Route) -> str:
    """The fingerprint of a route's reader."""
    reader = build("reader", settings.reader_of(route))
    return f"{reader.version}-{reader.fingerprint()}"


def search_of(route: Route) -> str:
    """The tables of a route's retriever and translator, as JSON: a key of the model's file."""
    tables = described({"retriever": route.retriever, "translator": route.translator})
    return json.dumps(tables, sort_keys=True)


@cache  # it takes a while
def retriever_fingerprint(search: str) -> str:
    """The fingerprint of the retriever of `search_of` a route, over one passage: of its weights."""
    corpus = Corpus("fingerprint", [Passage("1", "passage")])
    retriever = retriever_over(corpus, parse_json(search)["retriever"], Path("indexes"))
    return f"{retriever.version}-{retriever.fingerprint()}"
