"""The settings of an image encoder's training, from a TOML file."""

from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

from ....core.validation import Count, Range, Share
from ...training.common.loop import Schedule
from ...training.common.recipe import Recipe, Source
from ..images.convolutional import ImageShape


@dataclass(frozen=True, slots=True)
class PictureSource(Source):
    """Files LANG.jsonl whose rows list two or more pictures of the same thing."""

    license: str = ""  # of the pictures, for the card


@dataclass(frozen=True, slots=True)
class ImageEncoderRecipe(Recipe):
    """Everything that determines the trained weights; there is no base."""

    table: ClassVar[str] = "image_encoder"

    sources: tuple[PictureSource, ...]
    shape: ImageShape = field(default_factory=ImageShape)
    epochs: Count = 80
    batch_size: Annotated[int, Range(2)] = 128
    temperature: Annotated[float, Range(0.001)] = 0.1
    shift: Share = 0.12  # of the pictures, as a share of the side, at most
    scale: Annotated[float, Range(0, 0.9)] = 0.2
    turn: Annotated[float, Range(0, 180)] = 15.0  # degrees
    colour: Share = 0.3  # of brightness and of each channel
    grey: Share = 0.1  # share of pictures without colours
    held_out: Share = 0.3  # share of ids, see `datasets.captions.split`
    schedule: Schedule = field(default_factory=lambda: Schedule(2e-3))

    def identity(self) -> dict[str, Any]:
        """The description; the data adds its own hash."""
        return self.describe()
