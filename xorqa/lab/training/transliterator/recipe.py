"""The settings of a transliterator's training, from a TOML file."""

from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from ....core.validation import Count, CountOrZero, NonNegative, Range, Share
from ..common.loop import Schedule
from ..common.recipe import Recipe, Source


@dataclass(frozen=True, slots=True)
class NameSource(Source):
    """Files of name pairs: language, name, "en" and the English name."""

    license: str = ""  # of the data, for the card


@dataclass(frozen=True, slots=True)
class TransliteratorRecipe(Recipe):
    """Everything that determines the trained weights.

    With `balance` 1 each pair is used equally often, with 0 each language; in between, a
    language's share is its number of pairs to that power.
    """

    table: ClassVar[str] = "transliterator"

    sources: tuple[NameSource, ...]
    width: Count = 192
    heads: Count = 6
    feed: Count = 512
    encoder_layers: Count = 3
    decoder_layers: Count = 2
    epochs: NonNegative = 8.0  # on average over the pairs
    balance: Share = 0.5
    held_out: Share = 0.2  # share of English names, by hash
    validation: CountOrZero = 60  # held-out pairs per language to select the best weights
    least: Count = 5  # English names that a character must occur in
    batch_tokens: Count = 1536  # target characters, with padding
    dropout: Annotated[float, Range(0, 0.9)] = 0.1
    label_smoothing: Annotated[float, Range(0, 0.9)] = 0.1
    schedule: Schedule = field(
        default_factory=lambda: Schedule(1e-3, log_every=50, validate_every=500)
    )
