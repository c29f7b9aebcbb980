"""Our translator's file, and what it does: texts in, English texts out.

The lower layers are the base's own, frozen; the file holds the layers above, in 8 bits a weight
(a row of a matrix is `<name>.Q`, int8, times its `<name>.S`, float16), and the vocabularies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .adapters import Adapter, open_adapter
from .adapters import save as save_adapter
from .batches import by_length
from .beam import search
from .checkpoints import Checkpoint, load_tokenizer
from .device import pick_device
from .seq2seq import Network, Shape
from .source_encoding import LowerLayers, read_sources, source_batch
from .vocabulary import END, QUESTION

if TYPE_CHECKING:
    import torch

TASK = "translator"
BUDGET = 2048  # padded source tokens a batch


class TranslatorModel:
    """A translator from its file: shipped, or a `.safetensors` file. Weights load on first use."""

    def __init__(self, name: str) -> None:
        self.adapter: Adapter = open_adapter(name, task=TASK)
        self.shape = Shape(**self.adapter.card["shape"])
        self.frozen = int(self.adapter.card["frozen_layers"])

    def translate(
        self,
        texts: Sequence[str],
        *,
        beams: int = 4,
        longest: int = 64,
    ) -> list[str]:
        """English texts. Sources are cut at `longest` tokens, and so is what they become."""
        import torch

        source, target = self._tokenizers
        sources = read_sources(texts, source, target, longest=longest, hints=self.shape.hints)
        found = [""] * len(texts)
        for batch in by_length([len(one.ids) for one in sources], budget=BUDGET):
            some = [sources[at] for at in batch]
            with torch.inference_mode():
                states = self._lower.states([one.ids for one in some]) if self.frozen else None
                memory = self._network.memory(source_batch(some, states))
                rows = search(
                    self._network, memory, start=QUESTION, end=END, beams=beams, longest=longest
                )
            for at, text in zip(batch, target.decode_batch(rows), strict=True):
                found[at] = text.strip()
        return found

    @cached_property
    def _lower(self) -> LowerLayers:
        return LowerLayers(self.adapter.base, self.frozen)

    @cached_property
    def _tensors(self) -> Mapping[str, torch.Tensor]:
        from safetensors.torch import load_file

        tensors: dict[str, torch.Tensor] = load_file(self.adapter.path)
        return tensors

    @cached_property
    def _network(self) -> Network:
        device = pick_device()
        weights = {name: value.to(device) for name, value in unpacked(self._tensors).items()}
        return Network(weights, self.shape)

    @cached_property
    def _tokenizers(self) -> tuple[Any, Any]:
        from tokenizers import Tokenizer

        target, *own = (
            Tokenizer.from_str(bytes(self._tensors[name].tolist()).decode())
            for name in ("english.json", "foreign.json")
            if name in self._tensors
        )
        if own:
            return own[0], target
        return load_tokenizer(self.adapter.base).backend_tokenizer, target


def save_translator(
    path: Path,
    weights: Mapping[str, torch.Tensor],
    tokenizers: Mapping[str, Any],
    *,
    base: Checkpoint,
    shape: Shape,
    frozen_layers: int,
    card: Mapping[str, Any],
) -> None:
    """Write a translator's file; `tokenizers` are "english" and perhaps "foreign"."""
    import torch

    texts = {
        f"{name}.json": torch.tensor(list(one.to_str().encode()), dtype=torch.uint8)
        for name, one in tokenizers.items()
    }
    about = {**card, "shape": asdict(shape), "frozen_layers": frozen_layers}
    save_adapter(path, {**packed(weights), **texts}, task=TASK, base=base, card=about)


def packed(weights: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Matrices in 8 bits a weight, rows scaled by their largest; vectors as they are."""
    import torch

    found: dict[str, torch.Tensor] = {}
    for name, value in weights.items():
        if value.dim() == 1:
            found[name] = value
            continue
        scales = (value.abs().amax(1) / 127).clamp(min=1e-7).half()
        codes = (value / scales.float()[:, None]).round().clamp(-127, 127)
        found |= {f"{name}.Q": codes.to(torch.int8), f"{name}.S": scales}
    return found


def unpacked(tensors: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """The weights that `packed` packed, in float32; other tensors of the file left out."""
    found: dict[str, torch.Tensor] = {}
    for name, value in tensors.items():
        if name.endswith(".Q"):
            scales = tensors[f"{name.removesuffix('.Q')}.S"]
            found[name.removesuffix(".Q")] = value.float() * scales.float()[:, None]
        elif not name.endswith((".S", ".json")):
            found[name] = value.float()
    return found
