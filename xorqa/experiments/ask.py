"""Answer a question from passages, in one call."""

from collections.abc import Iterable
from pathlib import Path

from ..core.progress import TaskProgress
from ..core.text.detection import detect_language
from ..core.types import Passage, Trace
from ..datasets.corpus import Corpus
from .pipeline import Pipeline
from .settings import DEFAULT, POOL, PipelineSettings, load_settings, over_pool


def ask(
    question: str,
    passages: Iterable[str | Passage],
    *,
    lang: str | None = None,
    config: str | Path | PipelineSettings = DEFAULT,
    min_confidence: float | None = None,
    progress: TaskProgress | None = None,
) -> Trace:
    """Answer a question from passages in any languages, given as texts or `Passage`s.

    `lang` is the question's language (ISO 639-1), by default detected; `config` names an
    experiment, whose first retriever searches all passages as one pool. Their index is built once
    and shared with the commands; `progress` is as in `Pipeline`. The result has the answer
    (`.answer.text`) with its confidence (`.answer.confidence`, from 0 to 1), the passage it was
    read from (`.evidence`) and the other candidates (`.answers`). `.found` is false if the
    confidence is below `min_confidence` (default: chosen on training questions).

    Example:
        xorqa.ask("Where does the Nile end?", ["The Nile flows into the Mediterranean."])

    Raises:
        ConfigError: for an empty question, an unknown language, or a confidence not from 0 to 1.
        DataError: if there are no passages.
    """
    records = [
        passage
        if isinstance(passage, Passage)
        else Passage(str(number), passage, lang=detect_language(passage))
        for number, passage in enumerate(passages, 1)
    ]
    pipeline = over_passages(Corpus("passages", records), config=config, progress=progress)
    return pipeline.ask(question, lang=lang, min_confidence=min_confidence)


def over_passages(
    corpus: Corpus, *, config: str | Path | PipelineSettings, progress: TaskProgress | None = None
) -> Pipeline:
    """Build a pipeline over one corpus in any languages."""
    settings = config if isinstance(config, PipelineSettings) else load_settings(config)
    settings = over_pool(settings, corpus.languages)
    return Pipeline.from_config(settings, {POOL: corpus}, progress=progress)
