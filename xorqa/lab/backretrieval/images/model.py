"""Image vectors from a model: ResNet, CLIP, or any other that transformers loads."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....core.errors import WeightsError
from ....io.files import read_json
from ....models.checkpoints import load, resolve
from ....models.device import pick_device
from .picture import on_white

PROCESSOR = "preprocessor_config.json"
_BICUBIC = 3


class ImageModel:
    """A model by hub name or local folder; weights load on first use.

    Pictures are scaled, cropped and normalised as the model's `preprocessor_config.json` says.
    """

    def __init__(self, name: str) -> None:
        self.checkpoint = resolve(name)

    def __call__(self, pictures: Sequence[Any]) -> NDArray[np.float32]:
        """Vectors (pictures, dimensions) of one batch.

        CLIP-like models give their image features, others their pooled output.

        Raises:
            WeightsError: if the model does not encode images.
        """
        import torch

        inputs = torch.from_numpy(np.stack([self._prepared(picture) for picture in pictures]))
        model = self._model
        try:
            with torch.inference_mode():
                encode = getattr(model, "get_image_features", model)
                output = encode(pixel_values=inputs.to(pick_device()))
        except TypeError as error:
            raise WeightsError(f"{self.checkpoint.name} does not encode images") from error
        pooled = output if isinstance(output, torch.Tensor) else output.pooler_output
        vectors: NDArray[np.float32] = pooled.flatten(1).float().cpu().numpy()
        return vectors

    def _prepared(self, picture: Any) -> NDArray[np.float32]:
        """Channels first; the shorter edge is scaled, and the middle cropped."""
        height, width, shorter = self._sizes
        rgb = on_white(picture)
        scale = shorter / min(rgb.size)
        size = [max(shorter, round(edge * scale)) for edge in rgb.size]
        rgb = rgb.resize(size, resample=_BICUBIC)
        left, top = (rgb.width - width) // 2, (rgb.height - height) // 2
        rgb = rgb.crop((left, top, left + width, top + height))
        values = np.asarray(rgb, np.float32) / 255
        mean, deviation = (
            np.asarray(self._config.get(key, default), np.float32)
            for key, default in (("image_mean", 0.5), ("image_std", 0.5))
        )
        return ((values - mean) / deviation).transpose(2, 0, 1).astype(np.float32)

    @cached_property
    def _config(self) -> dict[str, Any]:
        path = self.checkpoint.path / PROCESSOR
        if not path.is_file():
            raise WeightsError(f"{self.checkpoint.name} has no {PROCESSOR}; is it an image model?")
        config = read_json(path)
        if not isinstance(config, dict):
            raise WeightsError(f"{path} must hold a table")
        return config

    @property
    def _sizes(self) -> tuple[int, int, int]:
        """Height and width of the model's input, and the shorter edge before cropping."""
        scaled = self._config.get("size", 224)
        crop = self._config.get("crop_size", scaled)
        height, width = _edges(crop)
        return height, width, max(min(_edges(scaled)), height, width)

    @cached_property
    def _model(self) -> Any:
        return load(self.checkpoint, "AutoModel").to(pick_device())


def _edges(size: Any) -> tuple[int, int]:
    """Height and width from 224, {"shortest_edge": 224} or {"height": 224, "width": 224}."""
    if isinstance(size, dict):
        edge: int = size.get("shortest_edge") or 0
        return int(size.get("height") or edge), int(size.get("width") or edge)
    return int(size), int(size)
