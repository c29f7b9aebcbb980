"""The settings of a translator's training, from a TOML file."""

from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from ....core.errors import ConfigError
from ....core.validation import Count, CountOrZero, NonNegative, Range, Share
from ..common.loop import Schedule
from ..common.recipe import Recipe, Source
from .tokens import MOSES, Pieces


@dataclass(frozen=True, slots=True)
class TranslatorSource(Source):
    """Files of sentence pairs, in the layouts of `bitext.layouts`.

    Pairs held out or for validation have no near-duplicates in training.
    """

    langs: tuple[str, ...] = ()  # of the pairs; default: all
    passes: NonNegative = 1.0  # epochs over the pairs of this source, on average
    balance: Share = 1.0  # 1: each pair is used equally often, 0: each language
    held_out: CountOrZero = 0  # pairs per language for evaluation
    validation: CountOrZero = 0  # pairs per language to select the best weights
    license: str = ""  # of the data, for the card


@dataclass(frozen=True, slots=True)
class TranslatorRecipe(Recipe):
    """Everything that determines the trained weights; `exclude` is for both sides of a pair.

    With `updates`, training takes that many steps, in as many rounds over the batches as needed.
    `pieces` are learned by byte-level BPE, as SentencePiece does by default (Kudo 2018), or by BPE
    in Moses's words ("moses-bpe"): of a new encoder, one direction, and languages with spaces.

    A translator with `targets` translates English into these languages, any other into English.
    The base's lowest `frozen_layers` are used unchanged, the `encoder_layers` above them are
    trained. With `frozen_layers = 0` the encoder is new and has its own vocabulary.
    """

    table: ClassVar[str] = "translator"
    adapters: ClassVar[tuple[str, ...]] = ("start",)
    added_later: ClassVar[tuple[str, ...]] = (
        "updates",
        "pieces",
        "start",
        "glosses",
        "gloss_dropout",
        "bits",
    )

    sources: tuple[TranslatorSource, ...]
    targets: tuple[str, ...] = ()
    frozen_layers: CountOrZero = 8
    encoder_layers: CountOrZero = 2
    decoder_layers: Count = 4
    width: Count = 384  # of a new encoder and its decoder; else the base's
    heads: Count = 12  # likewise
    feed: Count = 1024  # inner width of a decoder layer, and of a new encoder's
    vocabulary: Count = 8000  # target pieces
    source_vocabulary: Count = 16_000  # pieces of a new encoder
    start: str = ""  # a translator whose vocabulary and weights to start from; default: new ones
    hints: bool = True  # the source in Latin script, for copying
    glosses: CountOrZero = 0  # translations of a word in the bundled table, as hints
    gloss_dropout: Share = 0.0  # of the words that have any, drawn once for each training text
    bits: Annotated[int, Range(2, 8)] | None = None  # of a weight in the file; default: 8
    longest: Count = 64  # tokens of either side; longer pairs are skipped
    batch_tokens: Count = 1536  # target tokens, with padding
    updates: CountOrZero = 0  # steps; 0: one round
    pieces: Pieces | None = None  # default: BPE
    dropout: Annotated[float, Range(0, 0.9)] = 0.2
    label_smoothing: Annotated[float, Range(0, 0.9)] = 0.1
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
        if self.pieces == MOSES and self.frozen_layers:
            raise ConfigError(
                f'[translator] pieces = "{MOSES}" are of a new encoder; set frozen_layers = 0'
            )
        if self.glosses and (self.targets or not self.hints or self.pieces == MOSES):
            raise ConfigError(
                "[translator] glosses are hints, into English; leave out targets, hints = false "
                f'and pieces = "{MOSES}"'
            )
        if self.start and not self.frozen_layers:
            raise ConfigError("[translator] a start needs frozen_layers; leave one of them out")
        if self.gloss_dropout and not self.glosses:
            raise ConfigError("[translator] gloss_dropout is of glosses; set their number")
