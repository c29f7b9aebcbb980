"""The settings of a translator's training, from a TOML file."""

from dataclasses import dataclass, field
from typing import ClassVar

from ....core.errors import ConfigError
from ..common.limits import check_limits, limited
from ..common.loop import Schedule
from ..common.recipe import Recipe


@dataclass(frozen=True, slots=True)
class TranslatorSource:
    """Files of sentence pairs, in the layouts of `bitext.layouts`.

    Pairs held out or for validation have no near-duplicates in training.
    """

    files: tuple[str, ...]
    langs: tuple[str, ...] = ()  # of the pairs; default: all
    passes: float = limited(1.0, 0)  # epochs over the pairs of this source, on average
    balance: float = limited(1.0, 0, 1)  # 1: each pair is used equally often, 0: each language
    held_out: int = limited(0, 0)  # pairs per language for evaluation
    validation: int = limited(0, 0)  # pairs per language to select the best weights
    license: str = ""  # of the data, for the card

    def __post_init__(self) -> None:
        """Check the settings. Raises ConfigError."""
        check_limits(self, "source")


@dataclass(frozen=True, slots=True)
class TranslatorRecipe(Recipe):
    """Everything that determines the trained weights; `exclude` is for both sides of a pair.

    A translator with `targets` translates English into these languages, any other into English.
    The base's lowest `frozen_layers` are used unchanged, the `encoder_layers` above them are
    trained. With `frozen_layers = 0` the encoder is new and has its own vocabulary.
    """

    table: ClassVar[str] = "translator"

    sources: tuple[TranslatorSource, ...]
    targets: tuple[str, ...] = ()
    frozen_layers: int = limited(8, 0)
    encoder_layers: int = limited(2, 0)
    decoder_layers: int = limited(4, 1)
    width: int = limited(384, 1)  # of a new encoder and its decoder; else the base's
    heads: int = limited(12, 1)  # likewise
    feed: int = limited(1024, 1)  # inner width of a decoder layer, and of a new encoder's
    vocabulary: int = limited(8000, 1)  # target pieces
    source_vocabulary: int = limited(16_000, 1)  # pieces of a new encoder
    hints: bool = True  # the source in Latin script, for copying
    longest: int = limited(64, 1)  # tokens of either side; longer pairs are skipped
    batch_tokens: int = limited(1536, 1)  # target tokens, with padding
    dropout: float = limited(0.2, 0, 0.9)
    label_smoothing: float = limited(0.1, 0, 0.9)
    schedule: Schedule = field(
        default_factory=lambda: Schedule(
            5e-4, warmup=0.04, log_every=50, validate_every=1000, checkpoint_seconds=600
        )
    )

    def __post_init__(self) -> None:
        """Check the settings. Raises ConfigError."""
        Recipe.__post_init__(self)
        if not self.frozen_layers and not self.encoder_layers:
            raise ConfigError("[translator] needs frozen_layers or encoder_layers, or both")
