from pathlib import Path

import numpy as np
import pytest
import torch

from xorqa.lab.training.translator import hidden_states as module
from xorqa.lab.training.translator.hidden_states import HiddenStates
from xorqa.models.checkpoints import load, resolve
from xorqa.models.source_encoding import LowerLayers

ROWS = [[0, 5, 2], [0, 9, 8, 7, 6, 2], [0, 2], [0, 11, 12, 2]]


def test_states_are_those_of_the_layer(tiny: Path, tmp_path: Path) -> None:
    base = resolve(str(tiny))
    found = HiddenStates(tmp_path, ROWS, LowerLayers(base, 1, dtype="float32")).batch([2, 1])
    assert found.shape == (2, 8, 32)
    model = load(base, "AutoModel", add_pooling_layer=False)
    for at, row in enumerate((ROWS[2], ROWS[1])):
        with torch.inference_mode():
            hidden = model(input_ids=torch.tensor([row]), output_hidden_states=True).hidden_states
        wanted = hidden[1][0]
        torch.testing.assert_close(found[at, : len(row)], wanted, atol=2e-3, rtol=2e-3)
        assert not found[at, len(row) :].any()


def test_a_killed_pass_goes_on(tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CHUNK", 1)
    monkeypatch.setattr(module, "SAVE_EVERY", 1)
    lower = LowerLayers(resolve(str(tiny)), 1)
    whole = HiddenStates(tmp_path / "whole", ROWS, lower)
    told: list[int] = []

    def stop(done: int, total: int) -> None:
        told.append(done)
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        HiddenStates(tmp_path / "parts", ROWS, lower, progress=stop)
    parts = HiddenStates(
        tmp_path / "parts", ROWS, lower, progress=lambda done, _: told.append(done)
    )
    assert told == [1, 2, 3, 4]
    np.testing.assert_array_equal(whole.values, parts.values)
    HiddenStates(tmp_path / "parts", ROWS, lower, progress=stop)  # all is there
