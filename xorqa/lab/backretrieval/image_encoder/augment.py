"""Random changes of pictures that leave what they show as it is."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from .recipe import ImageEncoderRecipe

if TYPE_CHECKING:
    import torch


def augment(
    pictures: torch.Tensor, recipe: ImageEncoderRecipe, generator: torch.Generator
) -> torch.Tensor:
    """Shift, scale and turn pictures (n, 3, side, side), and change their colours."""
    import torch

    def uniform(limit: float, *shape: int) -> torch.Tensor:
        return (torch.rand(len(pictures), *shape, generator=generator) * 2 - 1) * limit

    moved = _move(
        pictures, uniform(recipe.turn), 1 + uniform(recipe.scale), uniform(2 * recipe.shift, 2)
    )
    contrast = 1 + uniform(recipe.colour, 1, 1, 1)
    changed = moved * contrast + uniform(recipe.colour / 2, 3, 1, 1)
    grey = torch.rand(len(pictures), generator=generator) < recipe.grey
    changed[grey] = changed[grey].mean(dim=1, keepdim=True)
    return changed.clamp(-1, 1)


def _move(
    pictures: torch.Tensor, degrees: torch.Tensor, scale: torch.Tensor, shift: torch.Tensor
) -> torch.Tensor:
    """Turned, scaled and shifted pictures; what comes into sight is white."""
    import torch
    from torch.nn.functional import affine_grid, grid_sample

    angle = degrees * (math.pi / 180)
    cosine, sine = angle.cos() * scale, angle.sin() * scale
    rows = [cosine, -sine, shift[:, 0], sine, cosine, shift[:, 1]]
    matrices = torch.stack(rows, dim=1).view(-1, 2, 3)
    grid = affine_grid(matrices, list(pictures.shape), align_corners=False)
    return grid_sample(pictures - 1, grid, align_corners=False) + 1  # outside is 0, here white
