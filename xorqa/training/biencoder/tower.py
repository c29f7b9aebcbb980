"""A tower in training: low-rank pairs on its model, and vectors with a gradient."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...errors import ConfigError
from ...lazy import require
from ...models.adapters import open_adapter
from ...models.batches import by_length, pad
from ...models.checkpoints import load
from ...models.device import autocast, pick_dtype
from ...models.towers import Tower
from .recipe import BiencoderRecipe

if TYPE_CHECKING:
    import numpy as np
    import torch
    from numpy.typing import NDArray

TOGETHER = 16  # texts of similar length padded together: half the tokens of a whole batch's width


class InTraining(Tower):
    """A tower as the encoder will use it, whose low-rank pairs are trained."""

    def __init__(self, recipe: BiencoderRecipe) -> None:
        super().__init__(recipe.base, None, pooling=recipe.pooling, normalize=recipe.normalize,
                         dtype=recipe.dtype)  # fmt: skip
        self.recipe = recipe
        model = _with_lora(self._load(), recipe).to(self._device)
        self.__dict__["_model"] = model
        self.parameters: dict[str, torch.nn.Parameter] = {
            name: value for name, value in model.named_parameters() if value.requires_grad
        }
        if recipe.start:
            self._go_on_from(recipe.start)

    @property
    def device(self) -> torch.device:
        """Where it computes."""
        device: torch.device = self._device
        return device

    def vectors(self, texts: Sequence[str], *, longest: int) -> torch.Tensor:
        """(texts, dimensions) in float32 with a gradient; each text is cut at `longest` tokens."""
        import torch
        from torch.nn.functional import normalize

        rows = self.tokenize(texts, limit=longest)
        order = sorted(range(len(rows)), key=lambda at: len(rows[at]))
        parts = [order[at : at + TOGETHER] for at in range(0, len(order), TOGETHER)]
        pooled = torch.cat([self._states([rows[at] for at in part]) for part in parts])
        places = torch.tensor(order, device=pooled.device).argsort()
        return normalize(pooled[places], dim=-1) if self.normalize else pooled[places]

    def _states(self, rows: Sequence[Sequence[int]]) -> torch.Tensor:
        import torch

        ids, mask = (
            torch.from_numpy(array).to(self._device)
            for array in pad(rows, value=self._tokenizer.pad_token_id, step=8)
        )
        with autocast(self._device, pick_dtype(self.dtype, self._device)):
            output = self._model(input_ids=ids, attention_mask=mask)
        return self._pooled(output, mask)

    def all_vectors(self, texts: Sequence[str], *, longest: int) -> NDArray[np.float32]:
        """The same of any number of texts, without a gradient."""
        import numpy as np

        rows = self.tokenize(texts, limit=longest)
        found = np.zeros((len(rows), self.dimensions), np.float32)
        for batch in by_length([len(row) for row in rows]):
            found[batch] = self.embed([rows[at] for at in batch])
        return found

    def exported(self) -> dict[str, torch.Tensor]:
        """The low-rank pairs under an adapter file's names, the scale multiplied into B."""
        return {
            _own_name(name): value * self._scale(name) for name, value in self.parameters.items()
        }

    def _load(self) -> Any:
        still = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
        try:
            return load(self.checkpoint, "AutoModel", add_pooling_layer=False, **still)
        except TypeError:  # an architecture that never has a pooling layer
            return load(self.checkpoint, "AutoModel", **still)

    def _scale(self, name: str) -> float:
        return self.recipe.alpha / self.recipe.rank if ".lora_B." in name else 1.0

    def _go_on_from(self, start: str) -> None:
        """Set the parameters to an adapter's, in place."""
        import torch
        from safetensors.torch import load_file

        adapter = open_adapter(start, task="encoder")
        if adapter.base.sha != self.checkpoint.sha:
            raise ConfigError(
                f"{adapter.path} was trained on {adapter.base.name}, not on {self.checkpoint.name}"
            )
        tensors = load_file(adapter.path)
        with torch.no_grad():
            for name, value in self.parameters.items():
                own = _own_name(name)
                if own not in tensors or tensors[own].shape != value.shape:
                    raise ConfigError(
                        f"[biencoder] start: {adapter.path} has other layers or another rank"
                    )
                value.copy_(tensors[own].float() / self._scale(name))


def _own_name(peft_name: str) -> str:
    """Our name for peft's."""
    name = peft_name.removeprefix("base_model.model.")
    return name.replace(".lora_A.default.weight", ".A").replace(".lora_B.default.weight", ".B")


def _with_lora(body: Any, recipe: BiencoderRecipe) -> Any:
    """The model with low-rank pairs on all linear layers above the frozen ones."""
    peft = require("peft", extra="train")
    count = body.config.num_hidden_layers
    if recipe.frozen_layers >= count:
        raise ConfigError(
            f"[biencoder] frozen_layers must be below {count}, the layers of {recipe.base}, "
            f"not {recipe.frozen_layers}"
        )
    layers = "|".join(map(str, range(recipe.frozen_layers, count)))
    lora = peft.LoraConfig(
        r=recipe.rank, lora_alpha=recipe.alpha,
        target_modules=rf".*layer\.({layers})\..*(query|key|value|dense)",
    )  # fmt: skip
    return peft.get_peft_model(body, lora).train()
