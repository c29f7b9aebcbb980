"""A tower in training: what of its model learns, and vectors with a gradient."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...models.batches import by_length, pad
from ...models.checkpoints import load_body
from ...models.device import autocast, pick_dtype, training_options
from ...models.towers import Tower
from ..common.finetuning import trained
from .recipe import BiencoderRecipe

if TYPE_CHECKING:
    import numpy as np
    import torch
    from numpy.typing import NDArray

TOGETHER = 16  # texts of similar length padded together: half the tokens of a whole batch's width


class InTraining(Tower):
    """A tower as the encoder will use it, trained by the recipe's method."""

    def __init__(self, recipe: BiencoderRecipe) -> None:
        super().__init__(
            recipe.base,
            None,
            pooling=recipe.pooling,
            normalize=recipe.normalize,
            dtype=recipe.dtype,
        )
        self.recipe = recipe
        body = load_body(self.checkpoint, **training_options())
        self.learning = trained(body, self.checkpoint, recipe, task="encoder")
        self.__dict__["_model"] = self.learning.model.to(self._device)
        self.parameters = self.learning.parameters

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
        ids, mask = pad(rows, value=self._tokenizer.pad_token_id, step=self.step)
        with autocast(self._device, pick_dtype(self.dtype, self._device)):
            output = self._model(input_ids=ids, attention_mask=mask)
        return self._pool(output, mask)

    def all_vectors(self, texts: Sequence[str], *, longest: int) -> NDArray[np.float32]:
        """The same of any number of texts, without a gradient."""
        import numpy as np

        rows = self.tokenize(texts, limit=longest)
        found = np.zeros((len(rows), self.dimensions), np.float32)
        for batch in by_length([len(row) for row in rows], step=self.step):
            found[batch] = self.embed([rows[at] for at in batch])
        return found

    def exported(self) -> dict[str, torch.Tensor]:
        """What changed, as an adapter has it."""
        return self.learning.exported()
