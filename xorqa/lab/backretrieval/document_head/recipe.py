"""The settings of a document head's training, from a TOML file."""

from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal

from ....core.validation import Count, NonNegative, Range, Share
from ....models.encoder import Encoder
from ....models.encoder_settings import encoder_settings
from ...training.common.loop import Schedule
from ...training.common.recipe import Recipe, Source


@dataclass(frozen=True, slots=True)
class DocumentSource(Source):
    """Files LANG.jsonl of documents, as `xorqa backretrieval` reads them."""

    license: str = ""  # of the data, for the card


@dataclass(frozen=True, slots=True)
class ConstantRate(Schedule):
    """Adam with the same learning rate at every step."""

    learning_rate: float = 0.01
    weight_decay: float = 0.0

    def factor(self, step: float, steps: int) -> float:
        """The share of the learning rate used at `step`."""
        return 1.0


@dataclass(frozen=True, slots=True)
class DocumentHeadRecipe(Recipe):
    """Everything that determines the trained weights; `base` is any encoder, also an adapter.

    The defaults are the values of Fain et al. 2021, section 3.2, and its equations as printed:
    `anchor` may also be the title, whose nearest are then titles, and the `own_language` be
    subtracted once per other language, since the brackets of equation 2 are open to reading.
    """

    table: ClassVar[str] = "document_head"

    sources: tuple[DocumentSource, ...]
    loss: Literal["triplet", "triplet-xl"] = "triplet"
    anchor: Literal["body", "title"] = "body"
    own_language: Literal["once", "per-language"] = "once"
    last_relu: bool = False  # a ReLU after the second layer, too
    margin: NonNegative = 0.1
    neighbours: Count = 5  # of triplet-xl, in each language of a batch
    xl_weight: NonNegative = 0.01
    width: Count = 300  # of the vectors of a title and of a body
    epochs: Count = 40
    batch_size: Annotated[int, Range(2)] = 128
    held_out: Share = 0.1  # share of ids, the same in all languages
    schedule: ConstantRate = field(default_factory=ConstantRate)

    def identity(self) -> dict[str, Any]:
        """The description with the fingerprint of the encoder; the data adds its own hash."""
        return self.describe() | {"encoder": Encoder(encoder_settings(self.base)).fingerprint()}
