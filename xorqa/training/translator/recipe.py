"""What decides a translator: the recipe, from a TOML file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ...core.errors import ConfigError
from ...models.checkpoints import DEFAULT
from ..common.loop import Schedule
from ..common.sources import read_recipe, within


@dataclass(frozen=True, slots=True)
class Source:
    """Files of sentence pairs, in the layouts that `training.parallel` knows."""

    files: tuple[str, ...]
    passes: float = 1.0  # how many times each pair is trained on
    held_out: int = 0  # pairs of each language kept for evaluation, with no twin in training
    development: int = 0  # likewise, for choosing the best weights
    license: str = ""  # of the data, for the card

    def __post_init__(self) -> None:
        """Refuse what no training could use. Raises ConfigError."""
        for name in ("passes", "held_out", "development"):
            within(f"source {name}", getattr(self, name), 0)


@dataclass(frozen=True, slots=True)
class TranslatorRecipe:
    """Everything that decides what comes out.

    The base's lowest `frozen_layers` are used as they are, the `encoder_layers` above them are
    trained. With `frozen_layers = 0` the encoder is new, with a vocabulary of its own.
    """

    sources: tuple[Source, ...]
    exclude: tuple[str, ...] = ()  # files of sentences never trained on, on either side
    base: str = DEFAULT
    frozen_layers: int = 8
    encoder_layers: int = 2
    decoder_layers: int = 4
    width: int = 384  # of a new encoder and its decoder; else the base's
    heads: int = 12  # likewise
    feed: int = 1024  # inner width of a decoder layer, and of a new encoder's
    vocabulary: int = 8000  # English pieces
    source_vocabulary: int = 16_000  # pieces of a new encoder
    hints: bool = True  # the source in Latin letters, to be copied from
    longest: int = 64  # tokens of either side; longer pairs are left out
    batch_tokens: int = 1536  # target tokens, padding among them
    dropout: float = 0.2
    label_smoothing: float = 0.1
    seed: int = 1
    dtype: str = "auto"
    schedule: Schedule = field(
        default_factory=lambda: Schedule(
            5e-4, warmup=0.04, log_every=50, validate_every=1000, checkpoint_seconds=600
        )
    )

    def __post_init__(self) -> None:
        """Refuse what no training could use. Raises ConfigError."""
        for name in (
            "decoder_layers",
            "width",
            "heads",
            "feed",
            "vocabulary",
            "source_vocabulary",
            "longest",
            "batch_tokens",
        ):
            within(f"[translator] {name}", getattr(self, name), 1)
        for name in ("frozen_layers", "encoder_layers"):
            within(f"[translator] {name}", getattr(self, name), 0)
        within("[translator] dropout", self.dropout, 0, 0.9)
        within("[translator] label_smoothing", self.label_smoothing, 0, 0.9)
        if not self.frozen_layers and not self.encoder_layers:
            raise ConfigError("[translator] needs frozen_layers or encoder_layers, or both")


def load_recipe(config: str | Path, changes: Sequence[str] = ()) -> TranslatorRecipe:
    """`[translator]` of a TOML file, or of one of the package's recipes by its name.

    `changes` are single settings on top of it, such as `seed=2`.

    Raises:
        ConfigError: listing the recipes, or the settings there are.
    """
    return read_recipe(config, "translator", TranslatorRecipe, changes=changes)
