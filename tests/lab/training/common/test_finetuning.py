from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

from xorqa.core.errors import ConfigError
from xorqa.lab.training.common import finetuning
from xorqa.lab.training.common.finetuning import (
    Finetuning,
    Full,
    LowRank,
    fit_and_settle,
    make_trainable,
    save_adapter,
    training_options,
)
from xorqa.lab.training.common.loop import Schedule
from xorqa.lab.training.common.time_limit import TimeLimit
from xorqa.lab.training.common.training_folder import TrainingProgress
from xorqa.models.adapters import merge, open_adapter
from xorqa.models.checkpoints import Checkpoint, load, resolve

Weights = dict[str, torch.Tensor]


@pytest.fixture(scope="module")
def base(tiny: Path) -> Checkpoint:
    return resolve(str(tiny))


def how(method: str, **values: Any) -> Finetuning:
    return Finetuning(method, rank=2, alpha=4, **values)


def trained(base: Checkpoint, how: Finetuning) -> Full | LowRank:
    body = load(base, "AutoModelForTokenClassification", num_labels=3, **training_options())
    return make_trainable(body, base, how, task="reader")


def moved(learning: Full | LowRank, size: float = 1e-2) -> None:
    """As if it had been trained: every parameter that learns has another value."""
    generator = torch.Generator().manual_seed(5)
    with torch.no_grad():
        for value in learning.parameters.values():
            value.add_(size * torch.randn(value.shape, generator=generator))


def written(learning: Full | LowRank, base: Checkpoint, path: Path) -> Path:
    save_adapter(path, learning.adapter_tensors(), task="reader", base=base, card={})
    return path


def weights(base: Checkpoint, path: Path | None = None) -> Weights:
    """A new model's weights, with an adapter merged into them."""
    torch.manual_seed(0)
    model = load(base, "AutoModelForTokenClassification", num_labels=3)
    if path:
        merge(model, open_adapter(str(path), task="reader"))
    return {name: value.detach() for name, value in model.named_parameters()}


def test_full_training_leaves_only_embeddings_alone(base: Checkpoint) -> None:
    learning = trained(base, how("full"))
    named = dict(learning.model.named_parameters())
    still = set(named) - set(learning.parameters)
    assert still == {name for name in named if ".embeddings." in name}
    assert all(value.requires_grad is (name not in still) for name, value in named.items())


def test_what_was_trained_in_full_comes_back_in_four_bits(base: Checkpoint, tmp_path: Path) -> None:
    learning = trained(base, how("full"))
    moved(learning)
    before, found = weights(base), weights(base, written(learning, base, tmp_path / "a"))
    for name, value in learning.model.named_parameters():
        error = (found[name] - value.detach()).abs().max()
        if value.ndim == 2 and "classifier" not in name:
            farthest = (value.detach() - before[name]).abs().max()
            assert error <= 1.01 * farthest / 8, name
        else:
            assert error <= 1e-3 * value.abs().max(), name


def test_a_model_can_compute_with_the_weights_of_its_file(base: Checkpoint, tmp_path: Path) -> None:
    learning = trained(base, how("full", frozen_layers=1))
    moved(learning)
    before = dict(learning.model.named_parameters())
    stored = weights(base, written(learning, base, tmp_path / "a"))
    rounded = 0
    with learning.as_stored():
        for name, parameter in learning.parameters.items():
            module, _, kind = name.rpartition(".")
            value = getattr(learning.model.get_submodule(module), kind)
            if value.ndim == 2 and module != "classifier":
                torch.testing.assert_close(value, stored[name], rtol=0, atol=1e-7)
                assert not torch.equal(value, parameter)
                value.sum().backward()
                assert torch.equal(parameter.grad, torch.ones_like(parameter))
                rounded += 1
    assert rounded == 6
    after = dict(learning.model.named_parameters())
    assert after.keys() == before.keys()
    assert all(after[name] is value for name, value in before.items())


def test_the_file_holds_no_more_than_was_changed(base: Checkpoint, tmp_path: Path) -> None:
    learning = trained(base, how("full", frozen_layers=1))
    moved(learning)
    names = set(load_file(written(learning, base, tmp_path / "a")))
    assert not any("layer.0." in name for name in names)
    assert sum(name.endswith(".Q") for name in names) == 6
    assert {"classifier.weight", "classifier.bias"} < names


@pytest.mark.parametrize("method", ["lora", "full"])
def test_frozen_layers_get_no_gradient(base: Checkpoint, method: str) -> None:
    if method == "lora":
        pytest.importorskip("peft")
    learning = trained(base, how(method, frozen_layers=1))
    learning.model(input_ids=torch.tensor([[0, 5, 6, 2]])).logits.sum().backward()
    named = dict(learning.model.named_parameters())
    assert all(named[name].grad is None for name in named if ".layer.0." in name)
    assert any(".layer.1." in name for name in learning.parameters)
    assert not any(".layer.0." in name for name in learning.parameters)
    assert all(value.grad is not None for value in learning.parameters.values())
    with pytest.raises(
        ConfigError, match=r"frozen_layers must be below 2, the layers of .*, not 2"
    ):
        trained(base, how(method, frozen_layers=2))


@pytest.mark.parametrize("method", ["lora", "full"])
@pytest.mark.parametrize("frozen", [0, 1])
def test_both_methods_go_on_from_low_rank_pairs(
    base: Checkpoint, tmp_path: Path, method: str, frozen: int
) -> None:
    pytest.importorskip("peft")
    first = trained(base, how("lora"))
    moved(first, 0.1)
    start = written(first, base, tmp_path / "start")
    values = {"start": str(start), "frozen_layers": frozen}
    second = trained(base, how(method, **values))
    wanted, found = weights(base, start), weights(base, written(second, base, tmp_path / "end"))
    before = weights(base)
    for name, value in wanted.items():
        farthest = float((value - before[name]).abs().max())
        assert torch.allclose(found[name], value, atol=1e-3 + 1.01 * farthest / 8), name
        if method == "full":
            trained_value = second.model.get_parameter(name).detach()
            assert torch.allclose(trained_value, value, atol=1e-6), name


def test_pairs_that_change_nothing_are_not_written(base: Checkpoint) -> None:
    pytest.importorskip("peft")
    learning = trained(base, how("lora", frozen_layers=1))
    assert set(learning.adapter_tensors()) == {"classifier.weight", "classifier.bias"}
    moved(learning)
    assert set(learning.adapter_tensors()) == set(learning.parameters)


def test_low_rank_pairs_cannot_go_on_from_whole_changes(base: Checkpoint, tmp_path: Path) -> None:
    pytest.importorskip("peft")
    first = trained(base, how("full"))
    moved(first)
    start = str(written(first, base, tmp_path / "start"))
    with pytest.raises(
        ConfigError, match=r"changes whole weights.*set method = \"full\" to continue"
    ) as it:
        trained(base, how("lora", start=start))
    assert "\n" not in str(it.value)
    again = trained(base, how("full", start=start))
    wanted = weights(base, Path(start))
    assert all(torch.equal(value, wanted[name]) for name, value in again.model.named_parameters())


@pytest.mark.slow
def test_all_of_the_bundled_encoder_fits_into_12_mb(e5: Checkpoint, tmp_path: Path) -> None:
    learning = trained(e5, how("full"))
    moved(learning, 1e-3)
    assert written(learning, e5, tmp_path / "a").stat().st_size < 12_000_000


def test_a_time_limit_leaves_time_for_settling(
    base: Checkpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: dict[str, float] = {}

    def fit(*_: Any, out: Path, limit: TimeLimit, **options: Any) -> TrainingProgress:
        given[out.name] = limit.left
        return TrainingProgress()

    monkeypatch.setattr(finetuning, "fit", fit)
    learning = trained(base, how("full"))
    for name, settle in (("settled-after", 1), ("only", 0)):
        fit_and_settle(
            learning,
            [()],
            lambda _: torch.zeros(()),
            schedule=Schedule(1e-3),
            settle=settle,
            out=tmp_path / name,
            limit=TimeLimit(100.0, lambda: 0.0),
        )
    assert given["only"] == given["settled"] == 100
    assert 50 < given["settled-after"] < 100
