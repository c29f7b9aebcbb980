"""Answer a question from passages, or search English passages for questions, in one call."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path

from ..core.errors import ConfigError
from ..core.progress import TaskProgress, silent
from ..core.text.detection import detect_language
from ..core.types import Passage, Question, Trace
from ..datasets.corpus import Corpus
from .pipeline import Pipeline, Stop
from .settings import ENGLISH, POOL, PipelineSettings, load_settings, over_pool


def ask(
    question: str,
    passages: Iterable[str | Passage],
    *,
    lang: str | None = None,
    config: str | Path | PipelineSettings = "dense",
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
        given
        if isinstance(given, Passage)
        else Passage(str(number), given, lang=detect_language(given))
        for number, given in enumerate(passages, 1)
    ]
    pipeline = over_passages(Corpus("passages", records), config=config, progress=progress)
    return pipeline.ask(question, lang=lang, min_confidence=min_confidence)


def over_passages(
    corpus: Corpus,
    *,
    config: str | Path | PipelineSettings,
    progress: TaskProgress | None = None,
) -> Pipeline:
    """Build a pipeline over one corpus in any languages."""
    given = config if isinstance(config, PipelineSettings) else load_settings(config)
    return Pipeline.from_config(
        over_pool(given, corpus.languages), {POOL: corpus}, progress=progress
    )


def english_routes(config: str, changes: Sequence[str] = ()) -> PipelineSettings:
    """A config with only its routes over English passages.

    Raises:
        ConfigError: if there are none.
    """
    settings = load_settings(config, changes=changes)
    routes = tuple(route for route in settings.routes if route.corpus == ENGLISH)
    if not routes:
        raise ConfigError(f"config {config} has no route over English passages")
    return replace(settings, routes=routes)


def search_english(
    english: Mapping[str, str],
    corpus: Corpus,
    *,
    config: str,
    changes: Sequence[str] = (),
    passages: int,
    indexes: Path | None = None,
    progress: TaskProgress = silent,
) -> dict[str, list[Passage]]:
    """The best passages of W_eng for each English question, by qid.

    Several routes over English take turns; a passage counts once.

    Raises:
        ConfigError: if the config has no route over English.
    """
    questions = [Question(qid, text, ENGLISH) for qid, text in english.items()]
    pipeline = Pipeline.from_config(
        english_routes(config, changes),
        {ENGLISH: corpus},
        translations=english,
        indexes=indexes,
        progress=progress,
    )
    passages_of = {}
    for trace in pipeline.answer(questions, until=Stop.RETRIEVE):
        rankings = [result.hits for result in trace.by_route.values()]
        in_turns = [hit for rank in zip_longest(*rankings) for hit in rank if hit is not None]
        unique = {hit.passage.docid: hit.passage for hit in in_turns}
        passages_of[trace.question.qid] = [*unique.values()][:passages]
    return passages_of
