"""Word alignment from token similarities.

Jalili Sabet et al. 2020 (SimAlign), section 2: two tokens are linked if each is the other's
nearest by cosine ("Argmax"), and words if any of their tokens are. The vectors are those of
layer 8 of 12, the layer the paper uses for multilingual BERT; nothing was tuned here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ...core.stages import Stage
from ...core.types import Span
from ...io.files import digest
from ...models.batches import by_length, pad
from ...models.bert import load_encoder
from ...models.checkpoints import DEFAULT, Checkpoint, load_tokenizer, resolve
from ...models.device import autocast, pick_device
from ..common.spans import overlapping

LAYER = 8

Links = Mapping[tuple[int, int], float]
"""Alignment weights by (source word, target word): attention scores, or 1 for a link."""


@dataclass(frozen=True, slots=True)
class SegmentedText:
    """A text and the spans of its words."""

    text: str
    words: tuple[Span, ...]


@runtime_checkable
class WordAligner(Stage, Protocol):
    """Aligns the words of texts (source, target) that are translations of each other.

    A translator that has attention scores may implement this protocol.
    """

    def links(self, pairs: Sequence[tuple[SegmentedText, SegmentedText]]) -> list[Links]: ...


def align(
    source: NDArray[np.float32],
    target: NDArray[np.float32],
    source_words: Sequence[Sequence[int]],
    target_words: Sequence[Sequence[int]],
) -> dict[tuple[int, int], float]:
    """Links between the words of mutually nearest tokens (ties: the first).

    `source` and `target` are token vectors (tokens, dimensions); the other two list the words
    that each token overlaps.
    """
    if not len(source) or not len(target):
        return {}
    similarity = _unit(source) @ _unit(target).T
    forward, backward = similarity.argmax(1), similarity.argmax(0)
    mutual = [(i, int(j)) for i, j in enumerate(forward) if backward[j] == i]
    return {(a, b): 1.0 for i, j in mutual for a in source_words[i] for b in target_words[j]}


class EncoderAligner:
    """Aligns words by the token vectors of an encoder layer. Weights load on first use.

    Texts are cut at the encoder's limit; words beyond it have no links.
    """

    version = 1

    def __init__(self, *, model: str = DEFAULT, layer: int = LAYER) -> None:
        self.model = model
        self.layer = layer

    def fingerprint(self) -> str:
        """A hash of the weights and the layer."""
        return digest(self._checkpoint.sha, self.layer)

    def links(self, pairs: Sequence[tuple[SegmentedText, SegmentedText]]) -> list[Links]:
        """The links of each pair of texts, in order."""
        if not pairs:
            return []
        sides = [side for pair in pairs for side in pair]
        encoded = self._tokenizer(
            [side.text for side in sides],
            truncation=True,
            max_length=self._tokenizer.model_max_length,
            return_offsets_mapping=True,
        )
        words_by_token = [
            [overlapping(side.words, Span(*offset)) for offset in offsets]
            for side, offsets in zip(sides, encoded["offset_mapping"], strict=True)
        ]
        in_words = [[token for token, words in enumerate(row) if words] for row in words_by_token]
        vectors = self._vectors(encoded["input_ids"], in_words)
        words = [[words for words in row if words] for row in words_by_token]
        return [
            align(vectors[source], vectors[source + 1], words[source], words[source + 1])
            for source in range(0, len(sides), 2)
        ]

    def _vectors(
        self, rows: Sequence[Sequence[int]], tokens: Sequence[Sequence[int]]
    ) -> list[NDArray[np.float32]]:
        """The vectors (tokens, dimensions) of each row's selected tokens."""
        import torch

        vectors: list[NDArray[np.float32]] = [np.empty((0, 0), np.float32)] * len(rows)
        for batch in by_length([len(row) for row in rows]):
            ids, mask = pad([rows[index] for index in batch], value=self._tokenizer.pad_token_id)
            with torch.inference_mode(), autocast("auto"):
                output = self._model(input_ids=ids, attention_mask=mask, output_hidden_states=True)
            states = output.hidden_states[self.layer].float().cpu().numpy()
            for index, state in zip(batch, states, strict=True):
                vectors[index] = state[list(tokens[index])]
        return vectors

    @cached_property
    def _checkpoint(self) -> Checkpoint:
        return resolve(self.model)

    @cached_property
    def _tokenizer(self) -> Any:
        return load_tokenizer(self._checkpoint)

    @cached_property
    def _model(self) -> Any:
        return load_encoder(self._checkpoint).to(pick_device())


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(norms, 1e-12), np.float32)
