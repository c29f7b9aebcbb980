"""Search W_eng for translated questions with a pipeline's routes over English."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ..core.errors import ConfigError
from ..core.progress import TaskProgress, silent
from ..core.types import Passage, Question
from ..datasets.corpus import Corpus
from .pipeline import Pipeline, Stop
from .settings import ENGLISH, PipelineSettings, load_settings


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
    found = {}
    for trace in pipeline.answer(questions, until=Stop.RETRIEVE):
        rankings = [[hit.passage for hit in hits] for _, hits in trace.by_route.values()]
        depth = max(map(len, rankings), default=0)
        turns = [ranking[at] for at in range(depth) for ranking in rankings if at < len(ranking)]
        unique = {passage.docid: passage for passage in turns}
        found[trace.question.qid] = [*unique.values()][:passages]
    return found
