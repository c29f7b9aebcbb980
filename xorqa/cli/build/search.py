"""Search W_eng for translated questions with a pipeline's routes over English."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ...core.errors import ConfigError
from ...core.types import Passage, Question
from ...datasets.corpus import Corpus
from ...experiments.pipeline import Pipeline, Stop
from ...experiments.settings import ENGLISH, load_settings
from ..show import progress


def search_english(
    english: Mapping[str, str],
    corpus: Corpus,
    *,
    config: str,
    changes: Sequence[str],
    passages: int,
    indexes: Path | None,
) -> dict[str, list[Passage]]:
    """The best passages of W_eng for each English question, by qid.

    Several routes over English take turns; a passage counts once.

    Raises:
        ConfigError: if the config has no route over English.
    """
    settings = load_settings(config, changes=changes)
    routes = tuple(route for route in settings.routes if route.corpus == ENGLISH)
    if not routes:
        raise ConfigError(f"config {config} has no route over English passages")
    questions = [Question(qid, text, ENGLISH) for qid, text in english.items()]
    with progress() as bars:
        pipeline = Pipeline.from_config(
            replace(settings, routes=routes),
            {ENGLISH: corpus},
            translations=english,
            indexes=indexes,
            progress=bars,
        )
        traces = pipeline.answer(questions, until=Stop.RETRIEVE)
    found = {}
    for trace in traces:
        rankings = [[hit.passage for hit in hits] for _, hits in trace.by_route.values()]
        depth = max(map(len, rankings), default=0)
        turns = [ranking[at] for at in range(depth) for ranking in rankings if at < len(ranking)]
        unique = {passage.docid: passage for passage in turns}
        found[trace.question.qid] = [*unique.values()][:passages]
    return found
