"""The settings of a reader's training, from a TOML file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from ...core.errors import ConfigError, one_of
from ...models.checkpoints import DEFAULT
from ..common.finetuning import METHODS, Finetuning
from ..common.loop import Schedule
from ..common.recipe import Recipe, SquadSource, within


@dataclass(frozen=True, slots=True)
class ReaderSource(SquadSource):
    """SQuAD-style files, mixed with other sources by weight."""

    code_switched: float = 0.0  # share of its questions to code-switch; they must be English

    def __post_init__(self) -> None:
        """Check the settings. Raises ConfigError."""
        SquadSource.__post_init__(self)
        within("source code_switched", self.code_switched, 0, 1)


@dataclass(frozen=True, slots=True)
class ReaderRecipe(Recipe):
    """Everything that decides the trained weights.

    `method` is "lora" (low-rank pairs on all linear layers) or "full" (all weights of the layers;
    embeddings stay as they are). `miner` is the retriever that mines hard negatives: its name, or
    its table as in a pipeline. `exclude` is for decontamination (`common.decontamination`).
    """

    table: ClassVar[str] = "reader"
    files: ClassVar[tuple[str, ...]] = ("exclude", "lexicon")

    sources: tuple[ReaderSource, ...]
    exclude: tuple[str, ...] = ()  # files of questions that are not trained on
    lexicon: tuple[str, ...] = ()  # word translations; code switching needs them
    base: str = DEFAULT
    method: str = "lora"
    start: str | None = None  # an adapter to continue from: a bundled name or a file
    frozen_layers: int = 0  # the lowest layers, not trained
    questions: int = 24_000  # sampled in total; a source with fewer repeats some
    negatives: float = 0.5  # passages without the answer per question, mostly of its article
    hard_negatives: float = 0.0  # top-ranked passages without the answer per question
    miner: Any = "bm25"
    validation: int = 0  # held-out questions per source, for validation and calibration
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
        """Check the settings. Raises ConfigError."""
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
        for name in ("hard_negatives", "frozen_layers", "validation"):
            within(f"[reader] {name}", getattr(self, name), 0)
        for name in ("questions", "batch_size", "rank"):
            within(f"[reader] {name}", getattr(self, name), 1)
        within("[reader] schedule accumulate", self.schedule.accumulate, 1)

    @property
    def finetuning(self) -> Finetuning:
        """Which weights are trained, and from where."""
        return Finetuning(self.method, self.start, self.frozen_layers, self.rank, self.alpha)
