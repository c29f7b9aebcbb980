"""How long a ranker or a reader takes per question, for `xorqa plan`."""

import statistics
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import cycle, islice
from typing import Any

from ...core.errors import DataError
from ...core.progress import timed
from ...core.registry import build
from ...core.stages import Ranker, Reader, Service
from ...core.types import Hit, Query, Question, ReadingFailure
from ...datasets.corpus import Corpus

ROUNDS = 5
HITS = 100
QUESTION_LENGTH = 60  # characters of a pseudo-question


def rank_ms(table: Mapping[str, Any], corpus: Corpus) -> float:
    """The median milliseconds to rank 100 passages of a sample for one question.

    It does not depend on the size of the corpus, only on the ranker's `depth` (and, for `path`, on
    the length of the sample's articles). An untimed question first loads the weights.

    Raises:
        ConfigError: for a ranker or a setting that does not exist.
    """
    ranker: Ranker = build("ranker", table, corpus=corpus)
    queries, hits = _inputs(corpus)
    return _median_ms(partial(ranker.rank, [query], [hits]) for query in queries)


def read_ms(table: Mapping[str, Any], corpus: Corpus) -> tuple[float, dict[str, float]]:
    """The median milliseconds to read a sample's passages, and what a question spends on a service.

    As `rank_ms`; it depends on the reader's `passages`. A generator is asked a few questions.

    Raises:
        ConfigError: for a reader or a setting that does not exist.
        DataError: if the reader's service gives no usable reply.
    """
    failures: list[ReadingFailure] = []
    reader: Reader = build("reader", table, failed=failures.append)
    queries, hits = _inputs(corpus)
    ms = _median_ms(partial(reader.read, [query], [hits]) for query in queries)
    if failures:
        raise DataError(f"the reader gave no answer: {failures[0].reason}")
    spent = reader.spent if isinstance(reader, Service) else {}
    return ms, {name: value / len(queries) for name, value in spent.items()}


def _inputs(corpus: Corpus) -> tuple[list[Query], list[Hit]]:
    """Pseudo-questions, the first to load weights, and the hits of each."""
    passages = list(islice(cycle(corpus.passages), HITS))
    hits = [Hit(passage, float(-rank)) for rank, passage in enumerate(passages)]
    questions = [passage.text[:QUESTION_LENGTH] for passage in passages[: ROUNDS + 1]]
    return [Query(Question(text, text, "en"), text, "en") for text in questions], hits


def _median_ms(calls: Iterable[Callable[[], Any]]) -> float:
    seconds = [timed(call)[0] for call in calls]
    return 1000 * statistics.median(seconds[1:])
