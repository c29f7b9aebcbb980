"""The settings of an image encoder's training, from a TOML file."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

from ...training.common.limits import check_limits, limited
from ...training.common.loop import Schedule
from ...training.common.recipe import Recipe
from ..images.convolutional import ImageShape


@dataclass(frozen=True, slots=True)
class PictureSource:
    """Files LANG.jsonl whose rows list two or more pictures of the same thing."""

    files: tuple[str, ...]
    license: str = ""  # of the pictures, for the card

    def __post_init__(self) -> None:
        """Check the settings. Raises ConfigError."""
        check_limits(self, "source")


@dataclass(frozen=True, slots=True)
class ImageEncoderRecipe(Recipe):
    """Everything that determines the trained weights; there is no base."""

    table: ClassVar[str] = "image_encoder"

    sources: tuple[PictureSource, ...]
    shape: ImageShape = field(default_factory=ImageShape)
    epochs: int = limited(80, 1)
    batch_size: int = limited(128, 2)
    temperature: float = limited(0.1, 0.001)
    shift: float = limited(0.12, 0, 1)  # of the pictures, as a share of the side, at most
    scale: float = limited(0.2, 0, 0.9)
    turn: float = limited(15.0, 0, 180)  # degrees
    colour: float = limited(0.3, 0, 1)  # of brightness and of each channel
    grey: float = limited(0.1, 0, 1)  # share of pictures without colours
    held_out: float = limited(0.3, 0, 1)  # share of ids, see `datasets.captions.split`
    schedule: Schedule = field(default_factory=lambda: Schedule(2e-3))

    def identity(self) -> dict[str, Any]:
        """The description; the data adds its own hash."""
        return self.describe()
