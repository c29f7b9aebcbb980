"""What a model's files say about what it computes; no weights are loaded."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ..core.errors import ConfigError, WeightsError
from ..io.files import read_object
from .checkpoints import DEFAULT, Checkpoint
from .encoder_settings import BUNDLED
from .hub import modules_of
from .prompts import CONFIG, E5, PASSAGE_PROMPTS, is_released, prompt
from .towers import family_of

LENGTHS = {
    "sentence_bert_config.json": ("max_seq_length", "query_length", "document_length"),
    CONFIG: ("query_length", "document_length"),
    "tokenizer_config.json": ("model_max_length",),
    "config.json": ("max_position_embeddings", "n_positions"),
}
"""Keys of the longest texts, in tokens, by file."""
DIMENSIONS = ("projection_dim", "hidden_size", "dim", "d_model")
NO_LIMIT = 1_000_000  # tokenizers without a limit name a far larger one
_LICENCE = re.compile(r"^licen[sc]e: *(\S.*)$", re.MULTILINE)


def describe(checkpoint: Checkpoint) -> dict[str, Any]:
    """What is computed, by name: architecture, modules, prompts, lengths, licence, ...

    Raises:
        WeightsError: if a file is damaged.
    """
    if checkpoint.name == DEFAULT:
        return {"prompts": dict(zip(("query", "passage"), E5, strict=True)), **BUNDLED}
    folder = checkpoint.path
    config = read_object(folder / "config.json")
    modules = list(_modules(folder))
    found = {
        "kind": read_object(folder / CONFIG).get("model_type"),
        "architecture": next(iter(config.get("architectures") or []), None),
        "modules": modules,
        "as encoder": _as_encoder(checkpoint),
        "similarity": read_object(folder / CONFIG).get("similarity_fn_name"),
        "tokens": _lengths(folder),
        "dimensions": _dimensions(config, modules),
        "labels": list((config.get("id2label") or {}).values()),
        "own code": sorted(config.get("auto_map") or {}),
        "licence": _licence(folder / "README.md"),
    }
    return {name: value for name, value in found.items() if value}


def _as_encoder(checkpoint: Checkpoint) -> dict[str, Any]:
    """Pooling and prompts of a bi-encoder, or why it is none."""
    try:
        sides = zip(("query", "passage"), ("query", PASSAGE_PROMPTS[0]), strict=True)
        prompts = {name: prompt(checkpoint.name, checkpoint.path, side) for name, side in sides}
        if is_released(checkpoint.path):
            return {"prompts": prompts}
        pooling, normalize = family_of(checkpoint, None)
    except (ConfigError, WeightsError) as error:
        return {"refused": str(error)}
    return {"prompts": prompts, "pooling": pooling, "normalize": normalize}


def _modules(folder: Path) -> Iterator[dict[str, Any]]:
    """The type of each module of sentence-transformers, with its settings."""
    for module in modules_of(folder):
        path = str(module.get("path") or "")
        settings = read_object(folder / path / "config.json") if path else {}
        kept = {key: value for key, value in settings.items() if not key.startswith("module_")}
        yield {"type": str(module.get("type")).rpartition(".")[2], **kept}


def _lengths(folder: Path) -> dict[str, int]:
    tables = ((read_object(folder / file), keys) for file, keys in LENGTHS.items())
    given = {key: table.get(key) for table, keys in tables for key in keys}
    return {
        key: int(value)
        for key, value in given.items()
        if isinstance(value, int | float) and value < NO_LIMIT
    }


def _dimensions(config: Mapping[str, Any], modules: list[dict[str, Any]]) -> Any:
    dense = [module["out_features"] for module in modules if "out_features" in module]
    return dense[-1] if dense else next(filter(None, map(config.get, DIMENSIONS)), None)


def _licence(card: Path) -> str | None:
    """The licence that a model's card names in its header."""
    text = card.read_text("utf-8", errors="replace") if card.is_file() else ""
    header = text.split("---")[1] if text.startswith("---") else ""
    named = _LICENCE.search(header)
    return named[1].strip() if named else None
