"""A siamese head on a frozen encoder: the vector of a document with a title and a body.

Two dense layers with a ReLU between them, the same for title and body; with `last_relu` there is
another after the second, as "ReLU activations for both" (Fain et al. 2021, section 3.2) may be
read. Both outputs are scaled to unit length, which is ours, and concatenated, so that the cosine of
two documents is the mean of the cosines of their titles and of their bodies.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....core.errors import WeightsError
from ....models.adapters import open_adapter
from ....models.encoder import Encoder
from ....models.encoder_settings import encoder_settings
from ....models.towers import units

TASK = "document-head"
LAYERS = ("first", "second")

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class DocumentHead:
    """The layers of a head, and the encoder whose vectors they take."""

    encoder: Encoder
    layers: tuple[tuple[Floats, Floats], tuple[Floats, Floats]]
    last_relu: bool = False

    def __call__(self, titles: Floats, bodies: Floats) -> Floats:
        """Vectors of documents from the encoder's vectors of their titles and bodies."""
        return concatenated(self._projected(titles), self._projected(bodies))

    def _projected(self, vectors: Floats) -> Floats:
        (weight, bias), (last_weight, last_bias) = self.layers
        projected: Floats = np.maximum(vectors @ weight.T + bias, 0) @ last_weight.T + last_bias
        return np.maximum(projected, 0) if self.last_relu else projected


def concatenated(titles: Floats, bodies: Floats) -> Floats:
    """The vectors of titles and bodies side by side, each scaled to unit length."""
    return np.concatenate([units(titles), units(bodies)], axis=1)


def open_document_head(name: str) -> DocumentHead:
    """The head in a file that `xorqa train document-head` wrote.

    Raises:
        WeightsError: if it is damaged or for another task, or its encoder has changed.
    """
    adapter = open_adapter(name, task=TASK)
    recipe = adapter.card.get("recipe", {})
    encoder_name = recipe.get("base") if isinstance(recipe, Mapping) else None
    if not isinstance(encoder_name, str):
        raise WeightsError(f"{adapter.path} is damaged: its card does not name the encoder")
    encoder = Encoder(encoder_settings(encoder_name))
    if encoder.fingerprint() != adapter.card.get("encoder"):
        raise WeightsError(f"{adapter.path} was trained on another version of {encoder_name}")
    first, second = _layers(str(adapter.path))
    if first[0].shape[0] != second[0].shape[1]:
        raise WeightsError(f"{adapter.path} is damaged: its layers do not fit each other")
    return DocumentHead(encoder, (first, second), recipe.get("last_relu") is True)


def is_document_head(name: str) -> bool:
    """Whether a name is a file with a head, and not another encoder."""
    return name.endswith(".safetensors") and open_adapter(name).task == TASK


def _layers(path: str) -> list[tuple[Floats, Floats]]:
    from safetensors.numpy import load_file

    try:
        tensors: Mapping[str, NDArray[Any]] = load_file(path)
    except Exception as error:  # damaged headers raise several kinds
        raise WeightsError(f"{path} is damaged: {error}") from error
    layers = []
    for name in LAYERS:
        weight, bias = (tensors.get(f"{name}.{part}") for part in ("weight", "bias"))
        if weight is None or bias is None or bias.shape != weight.shape[:1] or weight.ndim != 2:
            raise WeightsError(f"{path} is damaged: it has no layer '{name}'")
        if not all(np.isfinite(array).all() for array in (weight, bias)):
            raise WeightsError(f"{path} is damaged: layer '{name}' has numbers that are not finite")
        layers.append((weight.astype(np.float32), bias.astype(np.float32)))
    return layers
