"""A tower in training: its trainable weights, and vectors with a gradient."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....models.batches import by_length, pad
from ....models.checkpoints import load_body
from ....models.device import autocast, pick_device
from ....models.towers import Rows, Text, Tower, chosen
from ..common.finetuning import Finetuning, make_trainable, training_options

if TYPE_CHECKING:
    import numpy as np
    import torch
    from numpy.typing import NDArray

PADDED_TOGETHER, CPU_PADDED_TOGETHER = 256, 16
"""Texts of similar length: half the tokens of padding a whole batch."""


class TowerInTraining(Tower):
    """A tower as the encoder will use it, with trainable weights."""

    def __init__(
        self, base: str, how: Finetuning, *, pooling: str, normalize: bool, dtype: str
    ) -> None:
        super().__init__(base, None, pooling=pooling, normalize=normalize, dtype=dtype)
        body = load_body(self.checkpoint, **training_options())
        self.trainable = make_trainable(body, self.checkpoint, how, task="encoder")
        self._model = self.trainable.model.to(pick_device())

    @property
    def device(self) -> torch.device:
        """The device of its weights."""
        return pick_device()

    def vectors(self, texts: Sequence[Text], *, max_tokens: int) -> torch.Tensor:
        """(texts, dimensions) in float32 with a gradient; texts are cut at `max_tokens`."""
        return self.with_tokens(texts, max_tokens=max_tokens)[0]

    def with_tokens(
        self, texts: Sequence[Text], *, max_tokens: int
    ) -> tuple[torch.Tensor, list[torch.Tensor]]:
        """The vectors, and each text's token vectors (tokens, dimensions), with a gradient."""
        import torch
        from torch.nn.functional import normalize

        rows, segments = self.with_segments(texts, limit=max_tokens)
        order = sorted(range(len(rows)), key=lambda index: len(rows[index]))
        size = CPU_PADDED_TOGETHER if self.device.type == "cpu" else PADDED_TOGETHER
        groups = [order[start : start + size] for start in range(0, len(order), size)]
        encoded = [self._encoded(*chosen(group, rows, segments)) for group in groups]
        pooled = torch.cat([vectors for vectors, _ in encoded])
        states = [states for _, of_group in encoded for states in of_group]
        positions = torch.tensor(order, device=pooled.device).argsort()
        vectors = normalize(pooled[positions], dim=-1) if self.normalize else pooled[positions]
        return vectors, [states[at] for at in positions.tolist()]

    def _encoded(
        self, rows: Rows, segments: Rows | None
    ) -> tuple[torch.Tensor, list[torch.Tensor]]:
        ids, mask = pad(rows, value=self._tokenizer.pad_token_id, step=self.step)
        with autocast(self.dtype):
            output = self._model(
                input_ids=ids, attention_mask=mask, **self.segment_inputs(segments)
            )
        states = self._states(output, "last_hidden_state").float()
        tokens = [of_text[: len(row)] for of_text, row in zip(states, rows, strict=True)]
        return self._pool(output, mask), tokens

    def embed_texts(self, texts: Sequence[Text], *, max_tokens: int) -> NDArray[np.float32]:
        """The same vectors without a gradient, of any number of texts."""
        import numpy as np

        rows, segments = self.with_segments(texts, limit=max_tokens)
        vectors = np.zeros((len(rows), self.dimensions), np.float32)
        for batch in by_length([len(row) for row in rows], step=self.step):
            vectors[batch] = self.embed(*chosen(batch, rows, segments))
        return vectors
