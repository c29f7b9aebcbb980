"""The settings of a bi-encoder's training, from a TOML file."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from ...core.errors import ConfigError, one_of
from ...models.checkpoints import DEFAULT
from ...models.encoder import EncoderSettings
from ...models.transforms import SIDES
from ..common.finetuning import METHODS, Finetuning
from ..common.loop import Schedule
from ..common.recipe import Recipe, SquadSource, within

CHOICES = {
    "method": METHODS,
    "sampler": ("en-en", "x-x", "x-x-mono", "x-y", "any"),
    "unit": ("passage", "sentence"),
    "pooling": ("cls", "mean"),
    "towers": (1, 2),
    "negatives": ("bm25", "encoder"),
}


@dataclass(frozen=True, slots=True)
class BiencoderSource(SquadSource):
    """SQuAD-style files, mixed with other sources by weight.

    Questions with the same id in its files are one question in several languages.
    """

    lang: str | None = None  # for files whose names do not contain a language


@dataclass(frozen=True, slots=True)
class BiencoderRecipe(Recipe):
    """Everything that decides the trained weights.

    `method` is "lora" or "full", as for a reader. `exclude` is for decontamination
    (`common.decontamination`), `translations` and `parallel` are pair files (`bitext.corpus`).
    """

    table: ClassVar[str] = "biencoder"
    files: ClassVar[tuple[str, ...]] = ("exclude", "translations", "parallel")

    sources: tuple[BiencoderSource, ...]
    exclude: tuple[str, ...] = ()  # files of questions that are not trained on
    translations: tuple[str, ...] = ()  # a source's question found here gets its translations
    base: str = DEFAULT
    method: str = "lora"
    start: str | None = None  # an adapter to continue from; both of two towers start from it
    towers: int = 1  # 2: one for questions, one for passages (DPR)
    pooling: str = "mean"
    normalize: bool = True  # False: inner products instead of cosines
    query_prefix: str | None = None  # default: E5's for E5 models, else none
    passage_prefix: str | None = None
    unit: str = "sentence"  # what answers: a sentence, or a passage after its title
    sampler: str = "x-x"
    steps: int = 2000
    batch_size: int = 64
    max_question_tokens: int = 64
    max_passage_tokens: int = 192
    negatives: tuple[str, ...] = ()  # which retrievers mine hard negatives
    scale: float = 33.0  # factor of similarities; the initial one if it is learned
    learn_scale: bool = True
    both_ways: bool = True  # also rank questions for each answer
    margin: float = 0.0  # subtracted from the similarity of matches
    parallel: tuple[str, ...] = ()  # pair files for translation ranking
    parallel_weight: float = 1.0
    parallel_batch: int = 64
    validation: int = 200  # held-out questions per source
    rank: int = 32
    alpha: int = 64
    frozen_layers: int = 0  # the lowest layers, not trained
    seed: int = 1
    dtype: str = "auto"
    schedule: Schedule = field(default_factory=lambda: Schedule(learning_rate=5e-4))

    def __post_init__(self) -> None:
        """Check the settings. Raises ConfigError."""
        for name, options in CHOICES.items():
            value = getattr(self, name)
            for one in value if isinstance(value, tuple) else (value,):
                if one not in options:
                    valid = one_of(map(str, options))
                    raise ConfigError(f"[biencoder] {name} cannot be '{one}'; there are: {valid}")
        for name in ("steps", "rank", "max_question_tokens", "max_passage_tokens"):
            within(f"[biencoder] {name}", getattr(self, name), 1)
        within("[biencoder] batch_size", self.batch_size, 2)
        within("[biencoder] parallel_batch", self.parallel_batch, 2)
        for name in ("margin", "parallel_weight", "validation", "frozen_layers"):
            within(f"[biencoder] {name}", getattr(self, name), 0)
        if self.scale <= 0:
            raise ConfigError(f"[biencoder] scale must be above 0, not {self.scale}")

    @property
    def finetuning(self) -> Finetuning:
        """Which weights are trained, and from where."""
        return Finetuning(self.method, self.start, self.frozen_layers, self.rank, self.alpha)

    @property
    def prefixes(self) -> dict[str, str]:
        """What precedes a "query" and a "passage", as in the trained encoder."""
        given = {f"{side}_prefix": getattr(self, f"{side}_prefix") for side in SIDES}
        return {side: EncoderSettings(self.base, **given).prefix(side) for side in SIDES}

    def describe(self) -> dict[str, Any]:
        """The recipe as plain values, with the prefixes in use."""
        prefixes = {f"{side}_prefix": prefix for side, prefix in self.prefixes.items()}
        return Recipe.describe(self) | prefixes
