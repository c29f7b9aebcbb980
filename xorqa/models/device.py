"""The device and the precision to compute with, for all models.

`auto` is bfloat16 on a GPU (float16 on one that lacks it). On a CPU, what ships with xorqa computes
in float32, with products in bfloat16 where that is faster, and so do the models that transformers
runs; those that sentence-transformers runs and generators keep the precision they are stored in.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from ..core.errors import ConfigError, one_of

if TYPE_CHECKING:
    import torch

Dtype = Literal["auto", "float32", "bfloat16", "float16"]
DTYPES = get_args(Dtype)
DEVICE = "XORQA_DEVICE"
"""The environment variable that names the device of `auto`."""


def pick_device(name: str = "auto") -> torch.device:
    """`auto` is the device of `XORQA_DEVICE`, or prefers CUDA, then Apple's MPS, then the CPU.

    Raises:
        ConfigError: if this machine has no such device.
    """
    import torch

    if name == "auto":
        name = os.environ.get(DEVICE) or "auto"
    if name != "auto":
        return _device(name)
    if torch.cuda.is_available():
        return torch.device("cuda")
    return torch.device("mps" if torch.backends.mps.is_available() else "cpu")


def environments(devices: Sequence[str]) -> list[dict[str, str]]:
    """The environment variables of one worker process per device.

    Raises:
        ConfigError: if this machine lacks one of the devices.
    """
    return [{DEVICE: str(pick_device(name))} for name in devices]


def pick_dtype(name: str, device: torch.device | None = None) -> torch.dtype:
    """The precision of matrix products: `auto` is bfloat16 where that is faster.

    `device` defaults to `pick_device()`.

    Raises:
        ConfigError: for a name that is not in `DTYPES`.
    """
    import torch

    if name not in DTYPES:
        raise ConfigError(f"no dtype is called '{name}'; valid: {', '.join(DTYPES)}")
    if name != "auto":
        return getattr(torch, name)  # type: ignore[no-any-return]
    device = device or pick_device()
    if device.type == "cuda":
        return torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float16
    if device.type == "cpu" and _cpu_has_bfloat16():
        return torch.bfloat16
    return torch.float32


def load_dtype(
    name: str, device: torch.device | None = None, *, on_cpu: Literal["float32", "auto"] = "float32"
) -> Any:
    """The precision that a released model's weights have, each cast when it is read.

    `auto` is half precision on a CUDA device. Elsewhere it is `on_cpu`, where "auto" keeps the
    stored precision.

    Raises:
        ConfigError: for a name that is not in `DTYPES`.
    """
    device = device or pick_device()
    return on_cpu if name == "auto" and device.type != "cuda" else pick_dtype(name, device)


def not_default(dtype: str, batch_tokens: int | None) -> list[dict[str, Any]]:
    """What a fingerprint has of these settings: nothing as long as they are not set."""
    given = {"dtype": dtype, "batch_tokens": batch_tokens}
    table = {name: value for name, value in given.items() if value not in ("auto", None)}
    return [table] if table else []


class WithPrecision:
    """Settings with a precision and a size of batches, of which "auto" and None are no choice."""

    __slots__ = ()
    dtype: Dtype
    batch_tokens: int | None

    @property
    def precision(self) -> list[dict[str, Any]]:
        """For a fingerprint: the precision and the size of batches, as long as they are set."""
        return not_default(self.dtype, self.batch_tokens)


def autocast(
    name: str, device: torch.device | None = None, *, weights: torch.dtype | None = None
) -> Any:
    """An autocast context for the precision `pick_dtype(name, device)`; disabled for float32.

    It is also disabled for `weights` that are not float32: they decide the precision.
    """
    import torch

    device = device or pick_device()
    dtype = pick_dtype(name, device)
    enabled = dtype is not torch.float32 and weights in (None, torch.float32)
    return torch.autocast(device.type, dtype if enabled else torch.bfloat16, enabled=enabled)


def _device(name: str) -> torch.device:
    import torch

    try:
        device = torch.device(name)
        torch.empty(1, device=device)
    except Exception as error:  # each backend raises its own
        gpus = [f"cuda:{number}" for number in range(torch.cuda.device_count())]
        valid = one_of(["cpu", *gpus, *(["mps"] if torch.backends.mps.is_available() else [])])
        raise ConfigError(f"this machine has no device '{name}'; valid: {valid}") from error
    return device


def _cpu_has_bfloat16() -> bool:
    """Whether the CPU multiplies bfloat16 faster than float32: with AMX, or AMD's AVX512-bf16.

    Intel's AVX512-bf16 alone, as in virtual machines that mask AMX, is half as fast as float32.
    """
    import torch

    def has(check: str) -> bool:
        return bool(getattr(torch.cpu, check, bool)())

    return has("_is_amx_tile_supported") or (has("_is_avx512_bf16_supported") and not _is_intel())


def _is_intel() -> bool:
    info = Path("/proc/cpuinfo")
    return info.is_file() and "GenuineIntel" in info.read_text()
