"""The temperature that a reader's card names divides logits: it must be a positive number."""

from pathlib import Path

import pytest

from xorqa.core.errors import WeightsError
from xorqa.lab.training.common.finetuning import save_adapter
from xorqa.models.checkpoints import resolve
from xorqa.reading.pairs import PairReader, PairSettings


@pytest.mark.parametrize("temperature", [0, -1.5, float("nan"), float("inf"), "2", None, True, []])
def test_a_temperature_that_no_logit_can_be_divided_by_is_refused(
    tiny: Path, tmp_path: Path, temperature: object
) -> None:
    import torch

    path = tmp_path / "reader.safetensors"
    tensors = {"classifier.bias": torch.zeros(3)}
    save_adapter(
        path, tensors, task="reader", base=resolve(str(tiny)), card={"temperature": temperature}
    )
    with pytest.raises(WeightsError, match=r"is damaged: its card") as refused:
        _ = PairReader(PairSettings(str(path), 64, 10, "auto")).temperature
    assert "\n" not in str(refused.value)
