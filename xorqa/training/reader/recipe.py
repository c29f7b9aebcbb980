"""The settings of a reader's training, from a TOML file."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from ...core.errors import ConfigError
from ..common.finetuning import FinetuningRecipe
from ..common.limits import limited
from ..common.loop import Schedule
from ..common.recipe import Recipe, SquadSource


@dataclass(frozen=True, slots=True)
class ReaderSource(SquadSource):
    """SQuAD-style files, mixed with other sources by weight."""

    code_switched: float = limited(0.0, 0, 1)  # share of its questions, which must be English


@dataclass(frozen=True, slots=True)
class ReaderRecipe(FinetuningRecipe):
    """Everything that decides the trained weights.

    `miner` is the retriever that mines hard negatives: its name, or its table as in a pipeline.
    Most `negatives` are passages of the question's article.
    """

    table: ClassVar[str] = "reader"
    files: ClassVar[tuple[str, ...]] = ("exclude", "lexicon")

    sources: tuple[ReaderSource, ...]
    lexicon: tuple[str, ...] = ()  # word translations; code switching needs them
    questions: int = limited(24_000, 1)  # sampled in total; a source with fewer repeats some
    negatives: float = limited(0.5, 0, 1)  # random passages without the answer per question
    hard_negatives: float = limited(0.0, 0)  # top-ranked passages without the answer per question
    miner: Any = "bm25"
    validation: int = limited(0, 0)  # held-out questions per source, to validate and calibrate
    batch_size: int = limited(16, 1)
    max_tokens: int = 256
    dropout: float = limited(0.0, 0, 0.9)
    relevance_weight: float = 0.5
    schedule: Schedule = field(default_factory=lambda: Schedule(learning_rate=7e-4))

    def __post_init__(self) -> None:
        """Check the settings. Raises ConfigError."""
        Recipe.__post_init__(self)
        if not isinstance(self.miner, str | Mapping):
            raise ConfigError(
                f"[reader] miner must be a retriever's name or its table, not {self.miner!r}"
            )
