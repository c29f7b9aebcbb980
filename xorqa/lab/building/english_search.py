"""Search English passages for questions with the routes of a config."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path

from ...core.errors import ConfigError
from ...core.lang import ENGLISH
from ...core.progress import TaskProgress, silent
from ...core.types import Passage, Question
from ...datasets.corpus import Corpus
from ...experiments.pipeline import Pipeline, Stop
from ...experiments.settings import PipelineSettings, load_settings


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
