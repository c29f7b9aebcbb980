"""The precision that `auto` chooses on a CPU."""

from __future__ import annotations

import pytest

from xorqa.models import device


@pytest.mark.parametrize(
    ("amx", "avx512", "intel", "chosen"),
    [
        (True, True, True, "bfloat16"),
        (False, True, False, "bfloat16"),
        (False, True, True, "float32"),  # of a virtual machine that masks AMX
        (False, False, False, "float32"),
        (False, False, True, "float32"),
    ],
)
def test_bfloat16_is_chosen_where_it_is_faster(
    amx: bool, avx512: bool, intel: bool, chosen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch

    monkeypatch.setattr(torch.cpu, "_is_amx_tile_supported", lambda: amx, raising=False)
    monkeypatch.setattr(torch.cpu, "_is_avx512_bf16_supported", lambda: avx512, raising=False)
    monkeypatch.setattr(device, "_is_intel", lambda: intel)
    assert device.pick_dtype("auto", torch.device("cpu")) is getattr(torch, chosen)
    assert device.pick_dtype("bfloat16", torch.device("cpu")) is torch.bfloat16
