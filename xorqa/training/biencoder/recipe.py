"""What decides a bi-encoder: the recipe, from a TOML file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...core.errors import ConfigError, one_of
from ...models.checkpoints import DEFAULT
from ...models.encoder import EncoderSettings
from ...models.transforms import SIDES
from ..common.finetuning import METHODS
from ..common.loop import Schedule
from ..common.sources import Source as SquadFiles
from ..common.sources import described as plain
from ..common.sources import read_recipe, within

OTHER_FILES = ("exclude", "translations", "parallel")
CHOICES = {
    "method": METHODS,
    "sampler": ("en-en", "x-x", "x-x-mono", "x-y", "any"),
    "unit": ("passage", "sentence"),
    "pooling": ("cls", "mean"),
    "towers": (1, 2),
    "negatives": ("bm25", "encoder"),
}


@dataclass(frozen=True, slots=True)
class Source(SquadFiles):
    """SQuAD-style files that are mixed with others by weight.

    Questions of the same id in its files are one question in several languages.
    """

    lang: str | None = None  # for files whose names do not tell it


@dataclass(frozen=True, slots=True)
class BiencoderRecipe:
    """Everything that decides what comes out.

    `method` is "lora" or "full", as for a reader. `exclude` and `translations` and `parallel`
    are files as `training.exclusions` and `training.parallel` read them.
    """

    sources: tuple[Source, ...]
    exclude: tuple[str, ...] = ()  # files of questions never trained on
    translations: tuple[str, ...] = ()  # pair files; a source's question found there has both
    base: str = DEFAULT
    method: str = "lora"
    start: str | None = None  # an adapter to go on from; two towers both begin with it
    towers: int = 1  # 2: one for questions, one for what answers them (DPR)
    pooling: str = "mean"
    normalize: bool = True  # False: inner products instead of cosines
    query_prefix: str | None = None  # E5's for E5 models, else none
    passage_prefix: str | None = None
    unit: str = "sentence"  # what answers: a sentence, or a passage, its title before it
    sampler: str = "x-x"
    steps: int = 2000
    batch_size: int = 64
    max_question_tokens: int = 64
    max_passage_tokens: int = 192
    negatives: tuple[str, ...] = ()  # who mines the hard negative that each question has
    scale: float = 33.0  # what similarities are multiplied by, at first if it is learned
    learn_scale: bool = True
    both_ways: bool = True  # also learn to tell the question of an answer
    margin: float = 0.0  # taken off the similarity of what belongs together
    parallel: tuple[str, ...] = ()  # pair files for translation ranking
    parallel_weight: float = 1.0
    parallel_batch: int = 64
    development: int = 200  # held-out questions of each source, for validation
    rank: int = 32
    alpha: int = 64
    frozen_layers: int = 0  # the lowest layers that stay as they are
    seed: int = 1
    dtype: str = "auto"
    schedule: Schedule = field(default_factory=lambda: Schedule(learning_rate=5e-4))

    def __post_init__(self) -> None:
        """Refuse what no training could use. Raises ConfigError."""
        for name, options in CHOICES.items():
            value = getattr(self, name)
            for one in value if isinstance(value, tuple) else (value,):
                if one not in options:
                    there = one_of(map(str, options))
                    raise ConfigError(f"[biencoder] {name} cannot be '{one}'; there are: {there}")
        for name in ("steps", "rank", "max_question_tokens", "max_passage_tokens"):
            within(f"[biencoder] {name}", getattr(self, name), 1)
        within("[biencoder] batch_size", self.batch_size, 2)
        within("[biencoder] parallel_batch", self.parallel_batch, 2)
        for name in ("margin", "parallel_weight", "development", "frozen_layers"):
            within(f"[biencoder] {name}", getattr(self, name), 0)
        if self.scale <= 0:
            raise ConfigError(f"[biencoder] scale must be above 0, not {self.scale}")

    def prefix(self, side: str) -> str:
        """What stands before a "query" or a "passage", as the encoder will have it."""
        return EncoderSettings(
            self.base, query_prefix=self.query_prefix, passage_prefix=self.passage_prefix
        ).prefix(side)


def load_recipe(config: str | Path, changes: Sequence[str] = ()) -> BiencoderRecipe:
    """`[biencoder]` of a TOML file, or of one of the package's recipes by its name.

    `changes` are single settings on top of it, such as `seed=2`.

    Raises:
        ConfigError: listing the recipes, or the settings there are.
    """
    return read_recipe(config, "biencoder", BiencoderRecipe, files=OTHER_FILES, changes=changes)


def described(recipe: BiencoderRecipe) -> dict[str, Any]:
    """The recipe as plain values, with the prefixes of its sides."""
    prefixes = {f"{side}_prefix": recipe.prefix(side) for side in SIDES}
    return plain(recipe, *OTHER_FILES) | prefixes
