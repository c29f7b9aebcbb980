"""Recipes that train in seconds: only sizes are changed."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from xorqa.lab.backretrieval.images.convolutional import ImageShape

STEPS = 10
MOST = {  # values of settings, where a recipe's are greater
    "batch_size": 4,
    "batch_tokens": 200,
    "decoder_layers": 1,
    "depth": 2,
    "encoder_layers": 1,
    "feed": 32,
    "frozen_layers": 1,
    "heads": 2,
    "held_out": 2,
    "max_passages": 40,
    "parallel_batch": 4,
    "questions": 44,
    "settle": 2,
    "source_vocabulary": 400,
    "steps": STEPS,
    "updates": STEPS,
    "validation": 3,
    "vocabulary": 400,
    "width": 32,
    "windows": 20,
}


def small(recipe: Any) -> Any:
    """A recipe, or a table in it, whose training takes seconds."""
    names = {setting.name for setting in fields(recipe)}
    changes: dict[str, Any] = {
        name: most
        for name, most in MOST.items()
        if name in names and isinstance(value := getattr(recipe, name), int) and value > most
    }
    if "schedule" in names:
        accumulate = min(2, recipe.schedule.accumulate)
        changes["schedule"] = replace(
            recipe.schedule, accumulate=accumulate, log_every=1, validate_every=5
        )
    if "sources" in names:
        changes["sources"] = tuple(map(small, recipe.sources))
    if getattr(recipe, "distillation", None):
        changes["distillation"] = small(recipe.distillation)
    if "shape" in names:
        changes["shape"] = ImageShape(16, (8,), 8)
    return replace(recipe, **changes)
