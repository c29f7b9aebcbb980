"""How long a ranker takes per question, for `xorqa plan`."""

import statistics
from collections.abc import Mapping
from functools import partial
from itertools import cycle, islice
from typing import Any

from ..core.registry import build
from ..core.stages import Ranker
from ..core.timing import timed
from ..core.types import Hit, Query, Question
from ..datasets.corpus import Corpus

ROUNDS = 5
HITS = 100
QUESTION_LENGTH = 60  # characters of a pseudo-question


def rank_ms(table: Mapping[str, Any], corpus: Corpus) -> float:
    """The median milliseconds to rank 100 passages of a sample for one question.

    It does not depend on the size of the corpus, only on the ranker's `depth`. An untimed question
    first loads the weights.

    Raises:
        ConfigError: for a ranker or a setting that does not exist.
    """
    ranker: Ranker = build("ranker", table)
    passages = list(islice(cycle(corpus.passages), HITS))
    hits = [Hit(passage, float(-rank)) for rank, passage in enumerate(passages)]
    questions = [passage.text[:QUESTION_LENGTH] for passage in passages[: ROUNDS + 1]]
    queries = [Query(Question(text, text, "en"), text, "en") for text in questions]
    seconds = [timed(partial(ranker.rank, [query], [hits]))[0] for query in queries]
    return 1000 * statistics.median(seconds[1:])
