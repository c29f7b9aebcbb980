"""Trained models in the layout of the hub: a folder with `config.json`, weights and tokenizer."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ....io.files import atomic_dir, write_json

MODEL = "model"
"""The name of the folder in a training folder."""


def write_model(model: Any, tokenizer: Any, out: Path, card: Mapping[str, Any]) -> Path:
    """Write `out/model`, which is replaced, and the card beside it."""
    folder = out / MODEL
    with atomic_dir(folder) as temporary:
        model.save_pretrained(temporary)
        tokenizer.save_pretrained(temporary)
    write_json(out / "card.json", card)
    return folder


def lower_cased(tokenizer: Any) -> Any:
    """The fast tokenizer with lower-casing in its own pipeline, with which it is saved.

    Its class is the one that takes the pipeline from the file: others build their own again.
    """
    import transformers
    from tokenizers import normalizers

    backend = tokenizer.backend_tokenizer
    own = [backend.normalizer] if backend.normalizer is not None else []
    backend.normalizer = normalizers.Sequence([normalizers.Lowercase(), *own])
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=backend,
        model_max_length=tokenizer.model_max_length,
        model_input_names=tokenizer.model_input_names,
        padding_side=tokenizer.padding_side,
        **tokenizer.special_tokens_map,
    )
