"""Fine-tuning: which parameters are trained and exported, low-rank pairs or all, and how.

Every method starts from the base's weights or from an adapter on it, and can freeze the lowest
layers: they keep the weights of the start, which are exported as well. "lora" and "full" give an
adapter, "all" a checkpoint (`all_weights`).
"""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from ....core.errors import ConfigError, one_of
from ....core.named import require
from ....core.progress import Log, silent
from ....core.validation import Count, CountOrZero
from ....io.files import atomic_path, write_json
from ....models.adapters import BLOCK, Adapter, dequantise, merge, open_adapter
from ....models.checkpoints import Checkpoint
from ....models.device import pick_device
from .loop import Batch, Schedule, fit
from .recipe import Recipe
from .time_limit import UNLIMITED, TimeLimit
from .training_folder import TrainingProgress

if TYPE_CHECKING:
    import torch

Method = Literal["lora", "full", "all"]
"""Low-rank pairs on all linear layers, all weights of the layers, or all with the embeddings."""
PEFT_TASKS = {"reader": "TOKEN_CLS", "encoder": None}
HEAD = "classifier."
SETTLED = "settled"
"""The subfolder of the steps with the weights as stored."""
LAYER = re.compile(r"\blayer\.(\d+)\.")
BEFORE_SETTLING = 0.85  # of the time that is left
LINEAR = r".*\blayer\.\d+\..*(query|key|value|dense)"


@dataclass(frozen=True, slots=True)
class Finetuning:
    """How to train: `start` is an adapter to continue from."""

    method: Method
    start: str | None = None
    frozen_layers: int = 0
    rank: int = 32
    alpha: int = 64


@dataclass(frozen=True, slots=True)
class FinetuningRecipe(Recipe):
    """A recipe that fine-tunes its base."""

    adapters: ClassVar[tuple[str, ...]] = ("start",)
    methods: ClassVar[tuple[Method, ...]] = ("lora", "full")  # those that the kind can export

    method: Method = "lora"
    start: str | None = None  # an adapter to continue from: a bundled name or a file
    frozen_layers: CountOrZero = 0  # the lowest layers, not trained
    rank: Count = 32
    alpha: int = 64

    def __post_init__(self) -> None:
        """Check the settings. Raises ConfigError."""
        Recipe.__post_init__(self)
        if self.method not in self.methods:
            raise ConfigError(
                f"[{self.table}] cannot train method = '{self.method}'; "
                f"valid: {one_of(self.methods)}"
            )

    @property
    def finetuning(self) -> Finetuning:
        """The weights to train, and their start."""
        return Finetuning(self.method, self.start, self.frozen_layers, self.rank, self.alpha)


class LowRank:
    """Low-rank pairs (Hu et al. 2021, LoRA) on all linear layers, and a model's new head, if any.

    Parameters have their adapter names here. peft multiplies a pair's product by alpha / rank; an
    adapter file stores B with that factor included.
    """

    def __init__(self, model: Any, base: Checkpoint, how: Finetuning, task: str) -> None:
        peft = require("peft", extra="train")
        size = {"r": how.rank, "lora_alpha": how.alpha}
        lora = peft.LoraConfig(**size, target_modules=LINEAR, task_type=PEFT_TASKS[task])
        with warnings.catch_warnings():  # peft reads an attribute that transformers renamed
            warnings.filterwarnings("ignore", "`is_gradient_checkpointing`", FutureWarning)
            self.model = peft.get_peft_model(model, lora).train()
        self._scale = how.alpha / how.rank
        named = self.model.named_parameters()
        self._all = {_adapter_name(name): value for name, value in named if value.requires_grad}
        if how.start:
            self._load(open_start(how.start, base, task=task))
        self.parameters = _unfrozen(self._all, how.frozen_layers)

    def adapter_tensors(self) -> dict[str, torch.Tensor]:
        """The head, and the trained pairs; the products of the others are zero."""
        zero = {n[:-1] for n, value in self._all.items() if n.endswith(".B") and not value.any()}
        return {n: value * self._factor(n) for n, value in self._all.items() if n[:-1] not in zero}

    @contextmanager
    def as_stored(self) -> Iterator[None]:
        """Nothing changes: pairs are not rounded to 4 bits."""
        yield

    def _load(self, adapter: Adapter) -> None:
        """Set the parameters to an adapter's values; pairs it lacks stay unchanged.

        Raises:
            ConfigError: if the adapter does not fit the parameters.
        """
        import torch
        from safetensors.torch import load_file

        tensors = load_file(adapter.path)
        if any(name.endswith(".Q") for name in tensors):
            raise ConfigError(
                f"start: {adapter.path} changes whole weights, which low-rank pairs cannot hold; "
                'set method = "full" to continue from it'
            )
        if unknown := sorted(set(tensors) - set(self._all)):
            raise ConfigError(
                f"start: {adapter.path} changes {unknown[0]}, which this recipe does not train"
            )
        with torch.no_grad():
            for name, value in tensors.items():
                if self._all[name].shape != value.shape:
                    raise ConfigError(f"start: {adapter.path} has another rank")
                self._all[name].copy_(value.float() / self._factor(name))

    def _factor(self, name: str) -> float:
        return self._scale if name.endswith(".B") else 1.0


class Full:
    """All weights, biases and norms of the layers, and a new head; embeddings stay frozen."""

    def __init__(self, model: Any, base: Checkpoint, how: Finetuning, task: str) -> None:
        self.model = model.train()
        named = dict(model.named_parameters())
        self._all = {name: value for name, value in named.items() if self.trains(name)}
        self._base = {name: value.detach().clone() for name, value in self._all.items()}
        if how.start:
            merge(model, open_start(how.start, base, task=task))
        self.parameters = _unfrozen(self._all, how.frozen_layers)
        for name, value in named.items():
            value.requires_grad_(name in self.parameters)

    @staticmethod
    def trains(name: str) -> bool:
        """Whether a weight is trained, by its name."""
        return LAYER.search(name) is not None or name.startswith(HEAD)

    def adapter_tensors(self) -> dict[str, torch.Tensor]:
        """The differences from the base, by adapter name: matrices in 4 bits, others whole."""
        tensors = {}
        for name, value in self._all.items():
            change = value.detach().cpu() - self._base[name]
            if _is_rounded(name, value):
                if change.any():
                    module = name.removesuffix(".weight")
                    tensors[f"{module}.Q"], tensors[f"{module}.S"] = quantise(change)
            elif name.startswith(HEAD) or change.any():
                tensors[name] = value
        return tensors

    @contextmanager
    def as_stored(self) -> Iterator[None]:
        """Within it, the model computes with its matrices in 4 bits, as the adapter file has them.

        Gradients ignore the rounding (Bengio et al. 2013, the straight-through estimator).
        """
        from torch.nn.utils import parametrize

        matrices = [name for name, value in self.parameters.items() if _is_rounded(name, value)]
        modules = [self.model.get_submodule(name.removesuffix(".weight")) for name in matrices]
        for name, module in zip(matrices, modules, strict=True):
            base = self._base[name].to(module.weight.device)
            parametrize.register_parametrization(module, "weight", _rounding(base))
        try:
            yield
        finally:
            for module in modules:
                parametrize.remove_parametrizations(module, "weight", leave_parametrized=False)


class AllWeights(Full):
    """All weights of a model, its embeddings too, stored as they are."""

    @staticmethod
    def trains(name: str) -> bool:
        """Every weight is."""
        return True

    @contextmanager
    def as_stored(self) -> Iterator[None]:
        """Nothing changes: a checkpoint has no 4-bit weights."""
        yield


def _is_rounded(name: str, value: torch.Tensor) -> bool:
    return value.ndim == 2 and not name.startswith(HEAD)


def _rounding(base: torch.Tensor) -> torch.nn.Module:
    """A module that rounds the difference of a weight from its base."""
    import torch

    class Rounding(torch.nn.Module):
        def forward(self, weight: torch.Tensor) -> torch.Tensor:
            change = (weight - base).detach()
            return weight + (dequantise(*quantise(change), change.shape) - change)

    return Rounding()


def make_trainable(model: Any, base: Checkpoint, how: Finetuning, *, task: str) -> LowRank | Full:
    """Prepare a model for training; it is the base with the head of a "reader" or "encoder".

    Raises:
        ConfigError: if the start does not fit, or all layers are frozen.
    """
    layers = {match[1] for name, _ in model.named_parameters() if (match := LAYER.search(name))}
    if how.frozen_layers >= len(layers):
        raise ConfigError(
            f"frozen_layers must be below {len(layers)}, the layers of {base.name}, "
            f"not {how.frozen_layers}"
        )
    methods: Mapping[Method, type[LowRank | Full]]
    methods = {"lora": LowRank, "full": Full, "all": AllWeights}
    return methods[how.method](model, base, how, task)


def open_start(name: str, base: Checkpoint, *, task: str) -> Adapter:
    """The adapter that training starts from.

    Raises:
        ConfigError: if it was trained on another base.
    """
    adapter = open_adapter(name, task=task)
    if adapter.base.sha != base.sha:
        raise ConfigError(f"{adapter.path} was trained on {adapter.base.name}, not on {base.name}")
    return adapter


def fit_and_settle(
    trainable: LowRank | Full,
    batches: Sequence[Batch],
    loss: Callable[[Batch], torch.Tensor],
    *,
    schedule: Schedule,
    settle: int,
    out: Path,
    validate: Callable[[], float] | None = None,
    report: Log = silent,
    stop_after: int | None = None,
    limit: TimeLimit = UNLIMITED,
) -> TrainingProgress:
    """`fit`, then `settle` steps over the first batches again, with the weights as stored."""
    train_on = partial(
        fit, trainable.parameters, loss=loss, schedule=schedule, validate=validate, report=report
    )
    before = limit.share(BEFORE_SETTLING) if settle else limit
    progress = train_on(batches, out=out, stop_after=stop_after, limit=before)
    if settle and stop_after is None:
        with trainable.as_stored():
            train_on(batches[: settle * schedule.accumulate], out=out / SETTLED, limit=limit)
    return progress


def write_adapter(
    path: Path,
    tensors: Mapping[str, torch.Tensor],
    *,
    task: str,
    base: Checkpoint,
    card: Mapping[str, Any],
) -> None:
    """Write an adapter with its card, and the card beside it as `card.json`."""
    save_adapter(path, tensors, task=task, base=base, card=card)
    write_json(path.with_name("card.json"), card)


def _adapter_name(peft_name: str) -> str:
    name = peft_name.removeprefix("base_model.model.").replace(".modules_to_save.default", "")
    return name.replace(".lora_A.default.weight", ".A").replace(".lora_B.default.weight", ".B")


def _unfrozen(parameters: dict[str, Any], frozen_layers: int) -> dict[str, Any]:
    """The parameters above the frozen layers; the frozen ones no longer need a gradient."""
    trained = {}
    for name, value in parameters.items():
        match = LAYER.search(name)
        if match and int(match[1]) < frozen_layers:
            value.requires_grad_(False)
        else:
            trained[name] = value
    return trained


def training_options(dropout: float = 0.0) -> dict[str, Any]:
    """Options of `checkpoints.load` for a model to train.

    Dropout applies to hidden states only: on attention weights it makes a CPU step a third
    slower. CPUs also use eager attention, because the backward pass of fused attention dominates
    the step: in bfloat16 on AVX512, eager is 1.6 times as fast (16 windows of 160 tokens).
    """
    options = {"hidden_dropout_prob": dropout, "attention_probs_dropout_prob": 0.0}
    return options | ({"attn_implementation": "eager"} if pick_device().type == "cpu" else {})


def quantise(change: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Quantise a weight's change to 4 bits: the tensors of `.Q` and `.S`."""
    import torch

    flat = change.detach().float().flatten()
    blocks = torch.nn.functional.pad(flat, (0, -len(flat) % BLOCK)).view(-1, BLOCK)
    farthest = blocks.gather(1, blocks.abs().argmax(1, keepdim=True))
    scales = (farthest / -8).half()
    codes = (blocks / scales.float()).nan_to_num(0).round().clamp(-8, 7)  # a scale may be 0
    low, high = (codes + 8).to(torch.uint8).chunk(2, dim=1)
    return low | high << 4, scales[:, 0]


def save_adapter(
    path: Path,
    tensors: Mapping[str, torch.Tensor],
    *,
    task: str,
    base: Checkpoint,
    card: Mapping[str, Any],
) -> None:
    """Write an adapter: float16 except for quantised codes; low-rank pairs include their scale.

    The same tensors and card give the same bytes.
    """
    import torch
    from safetensors.torch import save as to_bytes

    metadata = {"task": task, "base": base.name, "base_sha": base.sha, "card": json.dumps(card)}
    stored = {}
    for name, value in tensors.items():
        dtype = torch.float16 if value.is_floating_point() else value.dtype
        stored[name] = value.detach().cpu().to(dtype).contiguous()
    with atomic_path(path) as temporary:
        temporary.write_bytes(_with_sorted_metadata(to_bytes(stored, metadata)))


def _with_sorted_metadata(file: bytes) -> bytes:
    """A safetensors file with its metadata sorted; the library writes them in a random order."""
    end = 8 + int.from_bytes(file[:8], "little")
    header = json.loads(file[8:end])
    header["__metadata__"] = dict(sorted(header["__metadata__"].items()))
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + file[end:]
