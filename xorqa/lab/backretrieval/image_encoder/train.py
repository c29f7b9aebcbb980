"""Train a small image encoder: contrastively, on the drawings of two vendors."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.progress import Log, quantity, silent
from ....io.files import digest, write_json
from ...training.common.loop import fit
from ...training.common.training_data import stream, torch_seed
from ...training.common.training_folder import claim_folder, locks_out
from ..images.convolutional import new_network, save_image_encoder
from .augment import augment
from .data import Bytes, Drawings, read_drawings
from .recipe import ImageEncoderRecipe

if TYPE_CHECKING:
    import torch

NAME = "image-encoder.safetensors"

Batch = tuple[int, list[int]]
"""The batch's number, which seeds its changes, and the drawings, by index."""


@locks_out("training folder")
def train_image_encoder(
    recipe: ImageEncoderRecipe, out: Path, *, report: Log = silent, stop_after: int | None = None
) -> Path:
    """Train in folder `out`, or resume there; returns the encoder's file.

    Raises:
        ConfigError: if `out` belongs to another recipe.
        DataError: if a file cannot be used, or nothing is left to train on.
    """
    import torch

    files = [path for source in recipe.sources for path in source.paths]
    drawings, held_out = read_drawings(files, recipe.shape.side, recipe.held_out)
    data = digest([pixels.tobytes().hex() for pixels in (drawings.first, drawings.last)])
    claim_folder(out, recipe.identity() | {"pictures": data})
    report(f"{quantity(len(drawings.ids), 'pair')} of drawings, {len(held_out.ids)} held out")
    torch.manual_seed(torch_seed(recipe.seed, "weights"))
    network = new_network(recipe.shape)
    progress = fit(
        dict(network.named_parameters()),
        make_batches(len(drawings.ids), recipe),
        partial(batch_loss, network, drawings, recipe),
        schedule=recipe.schedule,
        out=out,
        report=report,
        stop_after=stop_after,
    )
    card = {
        "recipe": recipe.describe(),
        "steps": progress.step,
        "pairs": {"training": len(drawings.ids), "held_out": len(held_out.ids)},
        "held_out_recall": recall(network, held_out),
    }
    path = out / NAME
    save_image_encoder(path, network.state_dict(), shape=recipe.shape, card=card)
    write_json(out / "card.json", card)
    return path


def make_batches(count: int, recipe: ImageEncoderRecipe) -> list[Batch]:
    """Batches of shuffled drawings; what does not fill a batch is left out of an epoch."""
    size = min(recipe.batch_size, count)
    batches: list[Batch] = []
    for epoch in range(recipe.epochs):
        order = list(range(count))
        stream(recipe.seed, "batches", epoch).shuffle(order)
        for start in range(0, count - size + 1, size):
            batches.append((len(batches), order[start : start + size]))
    return batches


def batch_loss(
    network: Any, drawings: Drawings, recipe: ImageEncoderRecipe, batch: Batch
) -> torch.Tensor:
    """The mean cross-entropy of finding each drawing's partner in the batch, both ways."""
    import torch
    from torch.nn.functional import cross_entropy, normalize

    number, rows = batch
    generator = torch.Generator().manual_seed(torch_seed(recipe.seed, "augment", number))
    first, last = (
        normalize(network(augment(scaled(pixels[rows]), recipe, generator)), dim=1)
        for pixels in (drawings.first, drawings.last)
    )
    scores = first @ last.T / recipe.temperature
    own = torch.arange(len(rows))
    return (cross_entropy(scores, own) + cross_entropy(scores.T, own)) / 2


def scaled(pictures: Bytes) -> torch.Tensor:
    """Bytes as the network's input, from -1 to 1."""
    import torch

    return torch.from_numpy(pictures).float() / 127.5 - 1


def recall(network: Any, drawings: Drawings) -> dict[str, float]:
    """The share of first drawings whose last one is among the nearest k of all last ones."""
    import torch

    if not drawings.ids:
        return {}
    with torch.inference_mode():
        vectors = [network(scaled(pixels)).numpy() for pixels in (drawings.first, drawings.last)]
    first, last = (rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in vectors)
    scores = first @ last.T
    ranks = (scores >= scores.diagonal()[:, None]).sum(axis=1)
    return {f"recall@{k}": float((ranks <= k).mean()) for k in (1, 10)}
