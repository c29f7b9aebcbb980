"""The device to compute on and its fastest precision."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.errors import ConfigError

if TYPE_CHECKING:
    import torch

DTYPES = ("auto", "float32", "bfloat16", "float16")


def pick_device(name: str = "auto") -> torch.device:
    """`auto` prefers CUDA, then Apple's MPS, then the CPU."""
    import torch

    if name != "auto":
        return torch.device(name)
    if torch.cuda.is_available():
        return torch.device("cuda")
    return torch.device("mps" if torch.backends.mps.is_available() else "cpu")


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


def autocast(name: str, device: torch.device | None = None) -> Any:
    """An autocast context for the precision `pick_dtype(name, device)`; disabled for float32."""
    import torch

    device = device or pick_device()
    dtype = pick_dtype(name, device)
    enabled = dtype is not torch.float32
    return torch.autocast(device.type, dtype if enabled else torch.bfloat16, enabled=enabled)


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
