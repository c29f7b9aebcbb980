"""The settings of a transliterator's training, from a TOML file."""

from dataclasses import dataclass, field
from typing import ClassVar

from ..common.limits import check_limits, limited
from ..common.loop import Schedule
from ..common.recipe import Recipe


@dataclass(frozen=True, slots=True)
class NameSource:
    """Files of name pairs: language, name, "en" and the English name."""

    files: tuple[str, ...]
    license: str = ""  # of the data, for the card

    def __post_init__(self) -> None:
        """Check the settings. Raises ConfigError."""
        check_limits(self, "source")


@dataclass(frozen=True, slots=True)
class TransliteratorRecipe(Recipe):
    """Everything that determines the trained weights.

    With `balance` 1 each pair is used equally often, with 0 each language; in between, a
    language's share is its number of pairs to that power.
    """

    table: ClassVar[str] = "transliterator"

    sources: tuple[NameSource, ...]
    width: int = limited(192, 1)
    heads: int = limited(6, 1)
    feed: int = limited(512, 1)
    encoder_layers: int = limited(3, 1)
    decoder_layers: int = limited(2, 1)
    epochs: float = limited(8.0, 0)  # on average over the pairs
    balance: float = limited(0.5, 0, 1)
    held_out: float = limited(0.2, 0, 1)  # share of English names, by hash
    validation: int = limited(60, 0)  # held-out pairs per language to select the best weights
    least: int = limited(5, 1)  # English names that a character must occur in
    batch_tokens: int = limited(1536, 1)  # target characters, with padding
    dropout: float = limited(0.1, 0, 0.9)
    label_smoothing: float = limited(0.1, 0, 0.9)
    schedule: Schedule = field(
        default_factory=lambda: Schedule(1e-3, log_every=50, validate_every=500)
    )
