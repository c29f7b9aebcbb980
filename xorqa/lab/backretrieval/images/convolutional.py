"""A small convolutional image encoder; two drawings of the same thing have near vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from numpy.typing import NDArray

from ....core.errors import WeightsError
from ....core.validation import Range, Validator
from ....models.adapters import Adapter, open_adapter
from ....models.checkpoints import resolve
from ....models.device import pick_device
from ...training.common.finetuning import save_adapter
from .picture import on_white, pixels

if TYPE_CHECKING:
    import torch

TASK = "image-encoder"
_GROUPS = 8  # of channels that are normalised together

Size = Annotated[int, Range(8, 1024)]


@dataclass(frozen=True, slots=True)
class ImageShape:
    """The pixels of a side, the channels of each layer, and the dimensions of a vector.

    Each layer halves the side.
    """

    side: Size = 64
    channels: tuple[Size, ...] = (32, 64, 128, 128)
    dimensions: Size = 128


@dataclass(frozen=True, slots=True)
class _Card:
    """The card's description of the network."""

    shape: ImageShape


class ConvolutionalEncoder:
    """An image encoder, shipped or from a `.safetensors` file. Weights load on first use."""

    def __init__(self, name: str) -> None:
        self.adapter: Adapter = open_adapter(name, task=TASK)
        card = {key: self.adapter.card[key] for key in ("shape",) if key in self.adapter.card}
        where = f"{self.adapter.path} is damaged: its card"
        self.shape = Validator(WeightsError).fill(_Card, card, where=where).shape

    def __call__(self, pictures: Sequence[Any]) -> NDArray[np.float32]:
        """Vectors (pictures, dimensions) of one batch."""
        import torch

        inputs = torch.from_numpy(prepared(pictures, self.shape.side)).to(pick_device())
        with torch.inference_mode():
            vectors: NDArray[np.float32] = self._network(inputs).float().cpu().numpy()
        return vectors

    @cached_property
    def _network(self) -> Any:
        from safetensors.torch import load_file

        network = new_network(self.shape)
        try:
            network.load_state_dict(load_file(self.adapter.path))
        except RuntimeError as error:
            raise WeightsError(f"{self.adapter.path} does not fit its card's shape") from error
        return network.to(pick_device()).eval()


def prepared(pictures: Sequence[Any], side: int) -> NDArray[np.float32]:
    """The network's input (pictures, 3, side, side) from -1 to 1, on white."""
    rows = [pixels(on_white(picture), side, "RGB").transpose(2, 0, 1) for picture in pictures]
    return np.stack(rows) * np.float32(2) - 1


def new_network(shape: ImageShape) -> torch.nn.Sequential:
    """Convolutions of stride 2 with group normalisation and ReLU, then a linear layer."""
    from torch import nn

    layers: list[nn.Module] = []
    before, side = 3, shape.side
    for channels in shape.channels:
        groups = _GROUPS if channels % _GROUPS == 0 else 1
        convolution = nn.Conv2d(before, channels, 3, stride=2, padding=1)
        layers += [convolution, nn.GroupNorm(groups, channels), nn.ReLU()]
        before, side = channels, -(-side // 2)
    return nn.Sequential(*layers, nn.Flatten(), nn.Linear(before * side * side, shape.dimensions))


def save_image_encoder(
    path: Path, weights: Mapping[str, Any], *, shape: ImageShape, card: Mapping[str, object]
) -> None:
    """Write an encoder's file in half precision; it needs no base, but every adapter names one."""
    described = {**card, "shape": asdict(shape)}
    save_adapter(path, weights, task=TASK, base=resolve(), card=described)
