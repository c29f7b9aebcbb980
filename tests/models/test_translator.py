from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from xorqa.core.errors import WeightsError
from xorqa.lab.training.common.weight_files import quantise_rows
from xorqa.lab.training.translator.tokens import learn_vocabulary
from xorqa.models.checkpoints import load_tokenizer, resolve
from xorqa.models.source_encoding import encode_sources
from xorqa.models.translator import TranslatorModel, dequantise_rows


@given(st.integers(0, 9), st.floats(1e-3, 10), st.integers(2, 8))
def test_weights_are_off_by_half_a_step(seed: int, scale: float, bits: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    weights = {
        "a": torch.randn(5, 7, generator=generator) * scale,
        "b": torch.ones(3),
        "zero": torch.zeros(2, 2),
    }
    restored = dequantise_rows(quantise_rows(weights, bits=bits))
    assert sorted(restored) == sorted(weights)
    steps = weights["a"].abs().amax(1, keepdim=True) / (2 ** (bits - 1) - 1)
    assert ((restored["a"] - weights["a"]).abs() <= 0.6 * steps).all()
    assert torch.equal(restored["b"], weights["b"]) and restored["zero"].abs().max() == 0


def test_hints_are_the_source_in_latin_letters(tiny: Path) -> None:
    target = learn_vocabulary(["Nile 1732 Inari"] * 3, size=300)
    source = load_tokenizer(resolve(str(tiny))).backend_tokenizer
    [encoded, unknown] = encode_sources(
        ["Где Nile 1732?", "?!"], source, target, max_tokens=50, hints=True
    )
    assert target.decode(encoded.hints).replace(" ", "") == "gdeNile1732?"
    assert len(encoded.hints) == len(encoded.hint_positions)
    assert max(encoded.hint_positions) < len(encoded.ids) - 1
    assert encoded.hint_positions == sorted(encoded.hint_positions)
    assert len(unknown.hints) == len(unknown.hint_positions)
    glosses = [[(0, ["Where"]), (4, ["Nile", "Inari"])]]
    [glossed] = encode_sources(
        ["Где Nile?"], source, target, max_tokens=50, hints=True, glosses=glosses
    )
    ranked = dict.fromkeys(glossed.hint_ranks, "")
    for piece, rank in zip(glossed.hints, glossed.hint_ranks, strict=True):
        ranked[rank] += target.decode([piece])
    assert ranked == {0: " gde Nile?", 1: " Where Nile", 2: " Inari"}
    _, where, *_, nile, inari = dict.fromkeys(
        zip(glossed.hint_ranks, glossed.hint_positions, strict=True)
    )
    assert where < nile and inari == (2, nile[1])
    [cut] = encode_sources(["Nile " * 99], source, target, max_tokens=9, hints=False)
    assert (len(cut.ids), cut.hints) == (9, [])
    later = [[(0, ["Nile"]), (90, ["Inari"])]]
    [cut] = encode_sources(["Nile " * 99], source, target, max_tokens=9, hints=True, glosses=later)
    assert {*cut.hint_ranks} == {0, 1} and "Inari" not in target.decode(cut.hints)


def test_only_a_translators_file_will_do(tiny_adapter: Path) -> None:
    with pytest.raises(WeightsError, match="not for 'translator'"):
        TranslatorModel(str(tiny_adapter))
