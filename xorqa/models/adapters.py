"""Adapters: the weight changes of a fine-tuned base, in one small file that identifies the base.

A file holds the change of each trained weight in one of two forms, and whole tensors (a new
head, biases, norms; float16) under their own names:

- a low-rank pair, `<module>.A` (rank, inputs) and `<module>.B` (outputs, rank), both float16;
  the change is their product B A (Hu et al. 2021, LoRA);
- the full change in 4 bits, `<module>.Q` (blocks, 32) of uint8 and `<module>.S` (blocks,) of
  float16. The weight is flattened by rows (one value per input) into blocks of 64, the last one
  zero-padded. Byte j of a block holds value j in its low nibble and value j + 32 in its high
  nibble; a nibble n stands for (n - 8) times the block's scale. The scale maps the value
  farthest from zero to -8. The error is at most half a scale, or one scale for values of similar
  magnitude and the opposite sign, because the largest code is 7.

A reader's no-answer threshold is in a JSON file beside its weights: `reader.card.json` beside
`reader.safetensors`, written by `xorqa train no-answer`. Below it, the probability that a passage
answers counts as "no answer found".
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ..core.errors import ConfigError, WeightsError, one_of
from ..core.validation import SETTINGS, Share, Validator
from ..io.files import read_json, sha256, sha256_once
from ..io.strict_json import parse_json
from .checkpoints import Checkpoint, resolve
from .differences import SUFFIX, restored, restored_folder

if TYPE_CHECKING:
    import torch

SHIPPED = Path(__file__).parent / "weights"
RETIRED = {"encoder-queries": "encoder-questions", "reader-en": "reader-multi"}
"""Adapters that no longer ship, and what to use instead; their recipes train them again."""
TASKS = (
    "encoder",
    "reader",
    "ranker",
    "translator",
    "transliterator",
    "document-head",
    "image-encoder",
)
WHOLE = (
    "transliterator",
    "image-encoder",
)  # tasks whose files have all weights: their base is not needed
BLOCK = 64  # error: 9.7 % of reader-en's change (32: 8.7 %); all of e5-stored takes 11.4 MB

KEY = "no_answer"
CARD = Validator(WeightsError)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Adapter:
    """An adapter file; `sha` identifies it, and `card` records how it was trained."""

    path: Path
    task: str
    base_name: str
    base_sha: str
    sha: str
    card: Mapping[str, Any]

    @property
    def base(self) -> Checkpoint:
        """The weights that it changes.

        Raises:
            WeightsError: if they have changed since it was trained.
        """
        base = resolve(self.base_name)
        if base.sha != self.base_sha:
            raise WeightsError(
                f"{self.path} was trained on {self.base_name} with weights {self.base_sha}; "
                f"{base.location} has {base.sha}"
            )
        return base


def shipped() -> dict[str, Path]:
    """The adapters in the package, by name: files, or differences from another of them."""
    files = (*SHIPPED.glob("*.safetensors"), *SHIPPED.glob(f"*{SUFFIX}"))
    return {path.stem: path for path in sorted(files)}


def find_adapter(name: str) -> Path:
    """The file of a shipped adapter by name, or of a path.

    Raises:
        WeightsError: if there is no such file.
    """
    path = shipped().get(name, Path(name).expanduser())
    if not path.is_file():
        instead = f"it no longer ships; use '{RETIRED[name]}', or " if name in RETIRED else ""
        raise WeightsError(f"no adapter is called '{name}'; {instead}valid: {one_of(shipped())}")
    return restored(path) if path.suffix == SUFFIX else path


def is_adapter(name: str) -> bool:
    """Whether a name is an adapter's: of the package, or of a file, though it may not exist.

    Other names are models: a folder, or `owner/name` on the hub.
    """
    path = Path(name).expanduser()
    if name in shipped() or path.is_file() or path.suffix in (".safetensors", SUFFIX):
        return True
    return "/" not in name and name not in (".", "..", "~")


def card_path(weights: Path) -> Path:
    """The JSON file beside an adapter, or in the package, for what was fitted after training."""
    beside = weights.with_suffix(".card.json")
    return SHIPPED / beside.name if beside.is_relative_to(restored_folder()) else beside


def open_adapter(name: str, *, task: str | None = None) -> Adapter:
    """Open a shipped adapter by name, or any file by path; `task` is the task it must be for.

    Raises:
        WeightsError: if it does not exist, is for another task, or its base has changed. The base
            of a task in `WHOLE` is not opened.
    """
    from safetensors import safe_open

    path = find_adapter(name)
    try:
        with safe_open(path, framework="np") as stream:
            metadata = stream.metadata() or {}
    except Exception as error:
        raise WeightsError(f"{path} is not an adapter file: {error}") from error
    task_of_file, base, base_sha = (metadata.get(key) for key in ("task", "base", "base_sha"))
    if task is not None and task_of_file != task:
        raise WeightsError(f"{path} is an adapter for {task_of_file!r}, not for '{task}'")
    if task_of_file is None or base is None or base_sha is None:
        raise WeightsError(f"{path} is not an adapter file: it does not name its base")
    if task_of_file not in TASKS:
        raise WeightsError(f"{path} is an adapter for {task_of_file!r:.60}; valid: {one_of(TASKS)}")
    card = read_card(path, metadata.get("card", "{}"))
    fitted_path = card_path(path)
    fitted = read_json(fitted_path) if fitted_path.is_file() else {}
    if not isinstance(fitted, dict):
        raise WeightsError(f"{fitted_path} must hold a table")
    if KEY in fitted:  # it cannot change the model's output; the weights alone identify that
        card[KEY] = fitted[KEY]
    adapter = Adapter(path, task_of_file, base, base_sha, sha256_once(path)[:16], card)
    if task_of_file not in WHOLE:
        _ = adapter.base  # raises at once if it has changed
    return adapter


def read_card(path: Path, text: str) -> dict[str, Any]:
    """The card in the metadata of a file of weights.

    Raises:
        WeightsError: if it is not a JSON object.
    """
    try:
        card = parse_json(text)
    except ValueError as error:
        raise WeightsError(f"{path} is damaged: its card is not valid JSON ({error})") from error
    if not isinstance(card, dict):
        raise WeightsError(f"{path} is damaged: its card is not a JSON object")
    return card


def card_as(adapter: Adapter, cls: type[T]) -> T:
    """The entries of an adapter's card that are fields of the dataclass `cls`.

    Raises:
        WeightsError: if one is missing, or of another type.
    """
    names = [field.name for field in fields(cls)]  # type: ignore[arg-type]
    table = {name: adapter.card[name] for name in names if name in adapter.card}
    return CARD.fill(cls, table, where=f"{adapter.path} is damaged: its card")


def merge(model: Any, adapter: Adapter) -> None:
    """Add the changes to the model's weights and replace its whole tensors.

    Raises:
        WeightsError: if the model has no such weight, or one of another shape.
    """
    import torch
    from safetensors.torch import load_file

    tensors = load_file(adapter.path)
    parameters = dict(model.named_parameters())
    with torch.no_grad():
        for name, value in tensors.items():
            module, _, form = name.rpartition(".")
            try:
                if form == "A":
                    weight = parameters[f"{module}.weight"]
                    weight.add_(tensors[f"{module}.B"].float() @ value.float())
                elif form == "Q":
                    weight = parameters[f"{module}.weight"]
                    weight.add_(dequantise(value, tensors[f"{module}.S"], weight.shape))
                elif form not in {"B", "S"}:
                    parameters[name].copy_(value)
            except (KeyError, RuntimeError) as error:
                raise WeightsError(
                    f"{adapter.path} does not fit {adapter.base.name}, which has no {name} "
                    f"of shape {tuple(value.shape)}"
                ) from error


def dequantise(codes: torch.Tensor, scales: torch.Tensor, shape: Sequence[int]) -> torch.Tensor:
    """The change that `quantise` quantised, in float32.

    Raises:
        RuntimeError: if it does not have that shape.
    """
    import torch

    size = math.prod(shape)
    if codes.shape != (-(-size // BLOCK), BLOCK // 2):
        raise RuntimeError(f"not a change of shape {tuple(shape)}")
    steps = torch.cat([codes & 15, codes >> 4], dim=1).float() - 8
    return (steps * scales.float()[:, None]).flatten()[:size].view(*shape)


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """A threshold from 0 to 1, and how it was fitted.

    `adapter_sha` identifies the weights, `seed` the sample of `questions` from the held-out
    articles (a share `held_out` of those in `files`). Each question was read twice in `passages`
    retrieved passages: once with a passage that answers among them, once without. `answered` is
    the share of the former at or above the threshold, `refused` that of the latter below it.
    """

    threshold: Share
    adapter_sha: str
    files: tuple[str, ...]
    held_out: Share
    questions: int
    passages: int
    seed: int
    answered: Share
    refused: Share


def no_answer_threshold(reader: str) -> float:
    """The threshold of a reader: the name of a bundled one, or the path of its weights.

    Raises:
        WeightsError: if there is no such reader, or no threshold was fitted to its weights.
    """
    weights = find_adapter(reader)
    path = card_path(weights)
    command = f"fit one with: xorqa train no-answer {reader}"
    if not path.is_file():
        raise WeightsError(f"reader {reader} has no no-answer threshold; {command}")
    try:
        card = read_json(path)
        table = card.get(KEY) if isinstance(card, Mapping) else None
        if not isinstance(table, Mapping):
            raise WeightsError(f"{path} has no table '{KEY}'")
        fitted = SETTINGS.fill(NoAnswer, table, where=KEY)
    except ConfigError as error:
        raise WeightsError(f"{path} does not hold a no-answer threshold: {error}") from error
    if not sha256(weights).startswith(fitted.adapter_sha):
        raise WeightsError(f"{path} was fitted to other weights than {weights}; {command}")
    return fitted.threshold
