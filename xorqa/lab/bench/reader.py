"""The measurements of `xorqa bench read`: reading the passages of one question at a time."""

import statistics
from functools import partial
from itertools import pairwise
from typing import Any

from ...core.errors import ConfigError
from ...core.progress import timed
from ...datasets.mini import load
from ...models.checkpoints import load_tokenizer
from ...reading.features import WINDOW
from ...reading.pairs import PairReader, PairSettings, QuestionPassage


def read_seconds(adapter: str, passages: int, tokens: int, rounds: int) -> float:
    """The median reading time in seconds of `rounds` questions over `passages` of `tokens` tokens.

    An untimed question first loads the weights.
    """
    reader = PairReader(PairSettings(adapter, max_tokens=WINDOW, longest=30, dtype="auto"))
    texts = _cut(load_tokenizer(reader.adapter.base), passages, tokens)
    seconds = []
    for number in range(rounds + 1):
        question = f"Who was Prime Minister of France in {1960 + number}?"
        pairs = [QuestionPassage(question, text) for text in texts]
        seconds.append(timed(partial(reader.read, pairs))[0])
    return statistics.median(seconds[1:])


def _cut(tokenizer: Any, passages: int, tokens: int) -> list[str]:
    """Cut texts of `tokens` tokens from the bundled world, in all its languages.

    Raises:
        ConfigError: if it has too few tokens.
    """
    world = " ".join(p.text for corpus in load().corpora.values() for p in corpus)
    encoded = tokenizer([world], add_special_tokens=False, return_offsets_mapping=True)
    starts = [start for start, _ in encoded["offset_mapping"][0]]
    if passages * tokens >= len(starts):
        raise ConfigError(f"the bundled world has {len(starts)} tokens; use fewer passages")
    bounds = starts[: passages * tokens + 1 : tokens]
    return [world[start:end] for start, end in pairwise(bounds)]
