"""What decides a reader: the recipe, from a TOML file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...core.errors import ConfigError, one_of
from ...models.checkpoints import DEFAULT
from ..common.finetuning import METHODS
from ..common.loop import Schedule
from ..common.sources import Source as SquadFiles
from ..common.sources import read_recipe, within

FILES = ("exclude", "lexicon")
"""The settings that name files, besides the sources."""


@dataclass(frozen=True, slots=True)
class Source(SquadFiles):
    """SQuAD-style files that are mixed with others by weight."""

    switched: float = 0.0  # share of the questions, English ones, that the lexicon changes

    def __post_init__(self) -> None:
        """Refuse what no training could use. Raises ConfigError."""
        SquadFiles.__post_init__(self)
        within("source switched", self.switched, 0, 1)


@dataclass(frozen=True, slots=True)
class ReaderRecipe:
    """Everything that decides what comes out.

    `method` is "lora" (low-rank pairs on all linear layers) or "full" (all of the layers, the
    embeddings left as they are). `miner` is the retriever that finds the hard negatives: its
    name, or its table as a pipeline has it. `exclude` is read as `training.exclusions` says.
    """

    sources: tuple[Source, ...]
    exclude: tuple[str, ...] = ()  # files of questions never trained on
    lexicon: tuple[str, ...] = ()  # files of words; without them no source is `switched`
    base: str = DEFAULT
    method: str = "lora"
    start: str | None = None  # an adapter to go on from, shipped or a file
    frozen_layers: int = 0  # the lowest, which stay as they are at the start
    questions: int = 24_000  # drawn in all, some again where there are fewer
    negatives: float = 0.5  # passages without the answer, mostly of the same article, per question
    hard_negatives: float = 0.0  # best-ranked passages without the answer, per question
    miner: Any = "bm25"
    development: int = 0  # held-out questions of each source, for validation and calibration
    batch_size: int = 16
    max_tokens: int = 256
    dropout: float = 0.0
    rank: int = 32
    alpha: int = 64
    relevance_weight: float = 0.5
    seed: int = 1
    dtype: str = "auto"
    schedule: Schedule = field(default_factory=lambda: Schedule(learning_rate=7e-4))

    def __post_init__(self) -> None:
        """Refuse what no training could use. Raises ConfigError."""
        if self.method not in METHODS:
            raise ConfigError(
                f"[reader] no method is called '{self.method}'; there are: {one_of(METHODS)}"
            )
        if not isinstance(self.miner, str | Mapping):
            raise ConfigError(
                f"[reader] miner must be a retriever's name or its table, not {self.miner!r}"
            )
        within("[reader] negatives", self.negatives, 0, 1)
        within("[reader] dropout", self.dropout, 0, 0.9)
        for name in ("hard_negatives", "frozen_layers", "development"):
            within(f"[reader] {name}", getattr(self, name), 0)
        for name in ("questions", "batch_size", "rank"):
            within(f"[reader] {name}", getattr(self, name), 1)
        within("[reader] schedule accumulate", self.schedule.accumulate, 1)


def load_recipe(config: str | Path, changes: Sequence[str] = ()) -> ReaderRecipe:
    """`[reader]` of a TOML file, or of one of the package's recipes by its name.

    `changes` are single settings on top of it, such as `seed=2`.

    Raises:
        ConfigError: listing the recipes, or the settings there are.
    """
    return read_recipe(config, "reader", ReaderRecipe, files=FILES, changes=changes)
