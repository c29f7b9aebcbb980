import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

from xorqa.core.errors import WeightsError
from xorqa.lab.training.common.finetuning import save_adapter
from xorqa.models import e5_small_q4
from xorqa.models.adapters import merge, open_adapter
from xorqa.models.batches import pad
from xorqa.models.bert import embed, load_encoder, load_token_classifier
from xorqa.models.checkpoints import DEFAULT, Checkpoint, load, load_body, resolve
from xorqa.models.device import autocast

BATCHES = ([[5, 6, 7]], [[5] * 20, [9] * 33, [4]], [[8] * 32, [7] * 32])


@pytest.fixture
def bundled(tiny: Path, tmp_path: Path) -> Checkpoint:
    """The tiny checkpoint, as if it were the bundled model, unpacked."""
    folder = shutil.copytree(tiny, tmp_path / "bundled")
    (folder / "done.json").touch()
    return Checkpoint(DEFAULT, folder, "tiny")


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_hidden_states_are_those_of_transformers(
    tiny: Path, bundled: Checkpoint, dtype: str
) -> None:
    theirs, ours = load_body(resolve(str(tiny))), load_encoder(bundled)
    for rows in BATCHES:
        ids, mask = pad(rows, value=1, device=torch.device("cpu"))
        with torch.inference_mode(), autocast(dtype, torch.device("cpu")):
            expected = theirs(input_ids=ids, attention_mask=mask, output_hidden_states=True)
            output = ours(input_ids=ids, attention_mask=mask, output_hidden_states=True)
            first = load_encoder(bundled, layers=1)(input_ids=ids, attention_mask=mask)
        assert torch.equal(output.last_hidden_state, expected.last_hidden_state)
        assert torch.equal(first.last_hidden_state, expected.hidden_states[1])
        assert all(map(torch.equal, output.hidden_states, expected.hidden_states))
        assert len(output.hidden_states) == len(expected.hidden_states)
        assert output.logits is None


def test_logits_are_those_of_transformers(
    tiny: Path, bundled: Checkpoint, tiny_adapter: Path
) -> None:
    theirs = load(resolve(str(tiny)), "AutoModelForTokenClassification", num_labels=3)
    ours = load_token_classifier(bundled, labels=3)
    adapter = open_adapter(str(tiny_adapter))
    ids, mask = pad(BATCHES[1], value=1, device=torch.device("cpu"))
    for model in (theirs, ours):
        merge(model, adapter)
    with torch.inference_mode():
        expected = theirs(input_ids=ids, attention_mask=mask).logits
        assert torch.equal(ours(input_ids=ids, attention_mask=mask).logits, expected)


def test_packed_words_are_those_of_the_checkpoint(home: Path, e5: Checkpoint) -> None:
    packed = load_encoder(resolve()).weights[e5_small_q4.WORDS]
    unpacked = load_encoder(e5).weights[e5_small_q4.WORDS]
    ids = torch.from_numpy(np.random.default_rng(1).integers(0, len(unpacked), (3, 50)))
    assert torch.equal(embed(packed, ids), embed(unpacked, ids))


def test_an_adapter_cannot_change_packed_words(home: Path, tmp_path: Path) -> None:
    base, path = resolve(), tmp_path / "words.safetensors"
    name = e5_small_q4.WORDS.removesuffix(".weight")
    pair = {f"{name}.A": torch.zeros(1, 384), f"{name}.B": torch.zeros(250037, 1)}
    save_adapter(path, pair, task="encoder", base=base, card={})
    with pytest.raises(WeightsError, match="does not fit e5-small-q4"):
        merge(load_encoder(base), open_adapter(str(path)))
