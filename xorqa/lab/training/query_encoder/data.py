"""The passages that query distillation ranks."""

import random
from collections.abc import Sequence
from pathlib import Path

from ....core.types import Passage
from ....datasets.squad import build_distinct_corpus
from ....io.squad_xor import read_squad


def read_passages(
    files: Sequence[Path], *, max_passages: int, rng: random.Random
) -> Sequence[Passage]:
    """The distinct paragraphs of SQuAD-style files, with their titles; a sample if there are more.

    `max_passages` 0 is no limit.
    """
    if not files:
        return ()
    rows = (row for file in files for row in read_squad(file))
    passages = build_distinct_corpus("passages", "en", rows).passages
    if not 0 < max_passages < len(passages):
        return passages
    return rng.sample(list(passages), max_passages)
