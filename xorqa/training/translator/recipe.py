"""The settings of a translator's training, from a TOML file."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from ...core.errors import ConfigError
from ...models.checkpoints import DEFAULT
from ..common.loop import Schedule
from ..common.recipe import Recipe, within


@dataclass(frozen=True, slots=True)
class TranslatorSource:
    """Files of sentence pairs, in the layouts of `bitext.layouts`."""

    files: tuple[str, ...]
    passes: float = 1.0  # how often each pair is trained on
    held_out: int = 0  # pairs per language for evaluation, without near-duplicates in training
    validation: int = 0  # likewise, to select the best weights
    license: str = ""  # of the data, for the card

    def __post_init__(self) -> None:
        """Check the settings. Raises ConfigError."""
        for name in ("passes", "held_out", "validation"):
            within(f"source {name}", getattr(self, name), 0)


@dataclass(frozen=True, slots=True)
class TranslatorRecipe(Recipe):
    """Everything that decides the trained weights.

    The base's lowest `frozen_layers` are used unchanged, the `encoder_layers` above them are
    trained. With `frozen_layers = 0` the encoder is new and has its own vocabulary.
    """

    table: ClassVar[str] = "translator"

    sources: tuple[TranslatorSource, ...]
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
    hints: bool = True  # the source in Latin script, for copying
    longest: int = 64  # tokens of either side; longer pairs are skipped
    batch_tokens: int = 1536  # target tokens, with padding
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
        """Check the settings. Raises ConfigError."""
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
