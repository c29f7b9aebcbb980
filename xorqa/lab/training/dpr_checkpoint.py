"""Convert a checkpoint of the DPR code, which XOR QA's authors used, to two models.

Its file (`.cp`, `.cpt`) holds both towers beside the state of the optimiser: `question_model.*` and
`ctx_model.*`, each a BERT without a head. Neither configuration nor vocabulary is in it.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.errors import ConfigError, DataError, WeightsError
from ...core.progress import announce
from ...io.files import atomic_dir, read_json, sha256, write_json
from ...models.checkpoints import load_body, resolve

if TYPE_CHECKING:
    import torch

TOWERS = {"question": "question_model.", "passage": "ctx_model."}
IGNORED = ("embeddings.position_ids", "pooler.")
"""A buffer of older versions of transformers, and a layer that DPR does not use."""
TOKENIZER = ("tokenizer", "vocab", "special_tokens", "added_tokens", "merges", "sentencepiece")
"""Beginnings of the names of a tokenizer's files."""
OWNER = "google-bert"
"""On the model hub, of the models that DPR names without an owner."""


def convert_dpr(file: Path, out: Path, *, base: str | None = None) -> dict[str, Path]:
    """Write the folders `question` and `passage` in `out`, and return them by these names.

    Configuration and tokenizer are those of `base`, by default the model that the checkpoint
    names. Vectors are the first token's, and compared by inner product.

    Raises:
        ConfigError: if a folder exists.
        DataError: if the file cannot be read, or is no checkpoint of DPR's two towers.
        WeightsError: if the base has another shape.
    """
    if taken := next((out / name for name in TOWERS if (out / name).exists()), None):
        raise ConfigError(f"{taken} exists; choose another folder with --out")
    state = _read(file)
    towers = {name: _tower(state, prefix, file) for name, prefix in TOWERS.items()}
    checkpoint = resolve(base or _named_base(state, file))
    body = load_body(checkpoint)
    expected = body.state_dict()
    for tower in towers.values():
        _check_shapes(tower, expected, file, checkpoint.name)
    card = {"file": file.name, "sha": sha256(file), "base": checkpoint.name}
    config = read_json(checkpoint.path / "config.json") | {"architectures": [type(body).__name__]}
    folders = {name: out / name for name in TOWERS}
    for name, folder in folders.items():
        with atomic_dir(folder) as temporary:
            _write_weights(temporary, towers[name])
            _copy_tokenizer(checkpoint.path, temporary)
            write_json(temporary / "config.json", config)
            write_json(temporary / "origin.json", card)
    return folders


def _read(file: Path) -> Mapping[str, Any]:
    """The checkpoint; only tensors and plain values are loaded, never code."""
    import torch

    try:
        state: Any = torch.load(file, map_location="cpu", weights_only=True)
    except OSError as error:
        raise DataError(f"{file} cannot be read: {error.strerror or error}") from error
    except Exception as error:  # damaged files raise many exception types
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise DataError(
            f"{file} is no checkpoint of tensors and plain values ({reason:.100}); other objects "
            "could run code and are not loaded"
        ) from error
    weights = state.get("model_dict") if isinstance(state, Mapping) else None
    if not isinstance(weights, Mapping) or not weights:
        raise DataError(f"{file} has no 'model_dict'; it is no checkpoint of the DPR code")
    checked: Mapping[str, Any] = state
    return checked


def _tower(state: Mapping[str, Any], prefix: str, file: Path) -> dict[str, torch.Tensor]:
    """The weights of one tower by their names in BERT."""
    weights: Mapping[str, torch.Tensor] = state["model_dict"]
    tower = {n.removeprefix(prefix): w for n, w in weights.items() if n.startswith(prefix)}
    if not tower:
        kind = "a reader's" if any("qa_outputs" in name for name in weights) else "another"
        raise DataError(f"{file} has no weights '{prefix}*': it is {kind} checkpoint")
    if any(name.startswith("encode_proj.") for name in tower):
        raise DataError(f"{file}: its towers end in a projection, which no encoder here has")
    return {name: weight for name, weight in tower.items() if not name.startswith(IGNORED)}


def _named_base(state: Mapping[str, Any], file: Path) -> str:
    """The model that training started from, as the checkpoint names it."""
    parameters = state.get("encoder_params") or {}
    encoder = parameters.get("encoder") or {}
    name = parameters.get("pretrained_model_cfg") or encoder.get("pretrained_model_cfg")
    if not isinstance(name, str) or not name:
        raise DataError(f"{file} does not name the model it started from; name it with --base")
    full = name if "/" in name else f"{OWNER}/{name}"
    announce(f"configuration and tokenizer of {full}, which {file.name} names")
    return full


def _check_shapes(
    tower: Mapping[str, torch.Tensor],
    expected: Mapping[str, torch.Tensor],
    file: Path,
    base: str,
) -> None:
    for name, weight in expected.items():
        if name in tower and tower[name].shape != weight.shape:
            shapes = f"{tuple(tower[name].shape)}, and {base} {tuple(weight.shape)}"
            raise WeightsError(f"{file}: {name} is {shapes}; name its own base with --base")
    missing = sorted(set(expected) - set(tower) - set(IGNORED))
    unknown = sorted(set(tower) - set(expected))
    if missing or unknown:
        what = f"lacks {missing[0]}" if missing else f"has {unknown[0]}"
        raise WeightsError(f"{file} {what}, unlike {base}; name its own base with --base")


def _write_weights(folder: Path, tower: Mapping[str, torch.Tensor]) -> None:
    from safetensors.torch import save_file

    weights = {name: weight.float().contiguous().clone() for name, weight in tower.items()}
    save_file(weights, folder / "model.safetensors", {"format": "pt"})


def _copy_tokenizer(base: Path, folder: Path) -> None:
    for path in base.iterdir():
        if path.name.startswith(TOKENIZER) and path.is_file():
            shutil.copyfile(path, folder / path.name)
