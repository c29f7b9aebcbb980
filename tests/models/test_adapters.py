import re
import shutil
from pathlib import Path

import hypothesis.strategies as st
import pytest
import torch
from hypothesis import given
from safetensors.torch import save_file

from xorqa.core.errors import WeightsError
from xorqa.io.files import sha256
from xorqa.lab.training.common.finetuning import quantise, save_adapter
from xorqa.models.adapters import BLOCK, dequantise, merge, open_adapter, shipped
from xorqa.models.checkpoints import load, resolve

QUERY = "bert.encoder.layer.1.attention.self.query"


@pytest.fixture
def tensors() -> dict[str, torch.Tensor]:
    torch.manual_seed(3)
    return {
        f"{QUERY}.A": torch.randn(2, 32),
        f"{QUERY}.B": torch.randn(32, 2),
        "classifier.weight": torch.randn(3, 32),
        "classifier.bias": torch.randn(3),
    }


def test_what_was_saved_is_merged(
    tiny: Path, tmp_path: Path, tensors: dict[str, torch.Tensor]
) -> None:
    base = resolve(str(tiny))
    path = tmp_path / "new" / "a.safetensors"
    save_adapter(path, tensors, task="reader", base=base, card={"steps": 7})
    adapter = open_adapter(str(path), task="reader")
    assert (adapter.base, adapter.card, adapter.path) == (base, {"steps": 7}, path)
    assert adapter.sha == sha256(path)[:16]

    model = load(base, "AutoModelForTokenClassification", num_labels=3)
    before = {name: value.clone() for name, value in model.named_parameters()}
    merge(model, adapter)
    after = dict(model.named_parameters())
    half = {name: value.half().float() for name, value in tensors.items()}
    wanted = before[f"{QUERY}.weight"] + half[f"{QUERY}.B"] @ half[f"{QUERY}.A"]
    assert torch.equal(after[f"{QUERY}.weight"], wanted)
    assert torch.equal(after["classifier.weight"], half["classifier.weight"])
    assert torch.equal(after["classifier.bias"], half["classifier.bias"])
    changed = {f"{QUERY}.weight", "classifier.weight", "classifier.bias"}
    for name in set(before) - changed:
        assert torch.equal(before[name], after[name])


@given(
    rows=st.integers(1, 7),
    columns=st.integers(1, 100),
    power=st.integers(-5, 2),
    seed=st.integers(0, 99),
)
def test_four_bits_are_off_by_half_a_scale_or_one_at_the_far_end(
    rows: int, columns: int, power: int, seed: int
) -> None:
    generator = torch.Generator().manual_seed(seed)
    change = 10.0**power * torch.randn(rows, columns, generator=generator)
    codes, scales = quantise(change)
    found = dequantise(codes, scales, change.shape)
    step = scales.float().abs().repeat_interleave(BLOCK)[: change.numel()].view(change.shape)
    error = (found - change).abs()
    close = (
        change.sign()
        == -scales.float().repeat_interleave(BLOCK)[: change.numel()].view(change.shape).sign()
    )
    tiny = 2.0**-20  # what float16 rounds the smallest scales by
    assert (error <= 1.01 * step + tiny).all()
    assert (error[close] <= 0.51 * step[close] + tiny).all()


def test_a_change_in_four_bits_by_hand(tiny: Path, tmp_path: Path) -> None:
    scale, steps = 0.25, torch.arange(32 * 32).view(32, 32) % 16 - 8
    codes, scales = quantise(scale * steps)
    assert (codes.shape, codes.dtype) == ((16, 32), torch.uint8)
    assert torch.equal(scales, torch.full((16,), scale, dtype=torch.float16))
    assert codes[0, :3].tolist() == [0x00, 0x11, 0x22]  # values 0 and 32, 1 and 33, 2 and 34
    base = resolve(str(tiny))
    save_adapter(
        tmp_path / "a",
        {f"{QUERY}.Q": codes, f"{QUERY}.S": scales},
        task="reader",
        base=base,
        card={},
    )
    model = load(base, "AutoModelForTokenClassification", num_labels=3)
    before = model.get_parameter(f"{QUERY}.weight").detach().clone()
    merge(model, open_adapter(str(tmp_path / "a"), task="reader"))
    assert torch.equal(model.get_parameter(f"{QUERY}.weight"), before + scale * steps)


def test_nothing_stays_nothing() -> None:
    for change in (torch.zeros(3, 70), torch.full((3, 70), 1e-12)):
        assert not dequantise(*quantise(change), change.shape).any()


def test_the_same_adapter_has_the_same_bytes(tiny: Path, tmp_path: Path) -> None:
    path, card = tmp_path / "a.safetensors", {"recipe": {"license": "CC BY-SA 4.0 – “全部” \\ \n"}}
    files = set()
    for _ in range(5):
        save_adapter(
            path,
            {"classifier.bias": torch.ones(3)},
            task="reader",
            base=resolve(str(tiny)),
            card=card,
        )
        files.add(path.read_bytes())
    assert len(files) == 1
    assert open_adapter(str(path)).card == card


def test_saving_is_whole_or_not_at_all(tiny: Path, tmp_path: Path) -> None:
    with pytest.raises(TypeError):
        save_adapter(
            tmp_path / "a", {}, task="reader", base=resolve(str(tiny)), card={"x": object()}
        )
    assert list(tmp_path.iterdir()) == []


def test_an_adapter_for_another_task_is_refused(tiny_adapter: Path) -> None:
    with pytest.raises(WeightsError, match=r"is an adapter for 'reader', not for 'translator'$"):
        open_adapter(str(tiny_adapter), task="translator")


def test_an_adapter_of_another_base_is_refused(
    tiny: Path, tmp_path: Path, tensors: dict[str, torch.Tensor]
) -> None:
    base = tmp_path / "base"
    shutil.copytree(tiny, base)
    old = resolve(str(base))
    save_adapter(tmp_path / "a", tensors, task="reader", base=old, card={})
    with (base / "model.safetensors").open("r+b") as stream:
        stream.seek(-1, 2)
        stream.write(b"\x7f")
    new = resolve(str(base))
    message = f"was trained on {base} with weights {old.sha}; {base} has {new.sha}"
    with pytest.raises(WeightsError, match=re.escape(message)) as caught:
        open_adapter(str(tmp_path / "a"), task="reader")
    assert "\n" not in str(caught.value)


def test_other_files_are_not_adapters(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("hello")
    with pytest.raises(WeightsError, match=r"text is not an adapter file: .+") as caught:
        open_adapter(str(tmp_path / "text"), task="reader")
    assert "\n" not in str(caught.value)
    save_file({"w": torch.zeros(1)}, tmp_path / "plain")
    with pytest.raises(WeightsError, match=r"plain is an adapter for None, not for 'reader'"):
        open_adapter(str(tmp_path / "plain"), task="reader")
    save_file({"w": torch.zeros(1)}, tmp_path / "half", metadata={"task": "reader"})
    with pytest.raises(WeightsError, match=r"half is not an adapter file: .*base") as caught:
        open_adapter(str(tmp_path / "half"), task="reader")
    assert "\n" not in str(caught.value)


def test_an_unknown_name_lists_the_valid_names() -> None:
    with pytest.raises(WeightsError, match="no adapter is called 'reader-xx'; valid: ") as it:
        open_adapter("reader-xx", task="reader")
    assert all(name in str(it.value) for name in shipped())


def test_an_adapter_that_does_not_fit_is_one_line(tiny: Path, tmp_path: Path) -> None:
    base = resolve(str(tiny))
    model = load(base, "AutoModelForTokenClassification", num_labels=3)
    for tensor in (
        {"classifier.weight": torch.zeros(2, 5)},
        {"no.such.module.bias": torch.ones(2)},
        dict(zip(("classifier.Q", "classifier.S"), quantise(torch.ones(9, 32)), strict=True)),
        {"classifier.Q": torch.zeros(2, 32, dtype=torch.uint8)},
    ):
        save_adapter(tmp_path / "a", tensor, task="reader", base=base, card={})
        with pytest.raises(WeightsError, match=r"a does not fit .*(classifier|no\.such)") as caught:
            merge(model, open_adapter(str(tmp_path / "a"), task="reader"))
        assert "\n" not in str(caught.value)
