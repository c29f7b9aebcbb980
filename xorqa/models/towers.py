"""One tower of a bi-encoder: a model, optionally with an adapter, that encodes texts as vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import ConfigError, WeightsError, one_of
from ..core.progress import Progress, silent
from ..io.files import digest, read_json
from .adapters import Adapter, merge, open_adapter
from .batches import by_length, pad, step_for
from .bert import Bert, load_encoder
from .checkpoints import DEFAULT, Checkpoint, load, resolve, shared_tokenizer
from .device import autocast, load_dtype, pick_device, pick_dtype
from .prompts import MODULES

if TYPE_CHECKING:
    import torch

POOLINGS = ("mean", "cls", "pooler")
FAMILIES = {
    "DPRQuestionEncoder": ("cls", False),
    "DPRContextEncoder": ("cls", False),
    "Contriever": ("mean", True),
}
"""Pooling of bare checkpoints, and whether they compare unit vectors, by architecture.

Contriever's vectors have unit length as in sentence-transformers; its paper compares them by
inner product, which is `normalize = false`.
"""
NO_ENCODERS = {
    "ForSequenceClassification": ("a cross-encoder or classifier", "the ranker `cross-encoder`"),
    "ForCausalLM": ("a decoder", "the reader `generate` or the ranker `cross-encoder`"),
    "ForConditionalGeneration": ("a translator or generator", "the translator `seq2seq`"),
    "MTModel": ("a translator", "the translator `seq2seq`"),
    "ForQuestionAnswering": ("a reader", "the reader `span`"),
    "ColBERT": ("a late-interaction model", "the retriever `late-interaction`"),
}
"""What a bare checkpoint is, and the stage for it, by the end of its architecture's name."""
BATCH = 512  # texts whose tokens are counted at once
PREFIX_TOKENS = 16  # of a prefix and special tokens, approximately
CARD = "card.json"  # in a checkpoint that `xorqa train biencoder` wrote, see `family_of`
NO_LIMIT = 1_000_000  # tokenizers without a limit name a far larger one

Text = str | tuple[str, str]
"""A text, or a pair of title and text, or of sentence and paragraph."""
Rows = Sequence[Sequence[int]]


class Tower:
    """A model with its tokenizer; weights load on first use."""

    def __init__(
        self,
        model: str,
        adapter: str | None,
        *,
        pooling: str,
        normalize: bool,
        dtype: str,
        layer: int | None = None,
        max_tokens: int | None = None,
        batch_tokens: int | None = None,
    ) -> None:
        if pooling not in POOLINGS:
            raise ConfigError(f"no pooling is called '{pooling}'; valid: {one_of(POOLINGS)}")
        self.checkpoint = resolve(model)
        self.adapter_name = adapter
        self.adapter: Adapter | None = open_adapter(adapter, task="encoder") if adapter else None
        if self.adapter and self.adapter.base.sha != self.checkpoint.sha:
            raise WeightsError(
                f"{self.adapter.path} is an adapter for {self.adapter.base.name}, not for {model}"
            )
        self.pooling = pooling
        self.normalize = normalize
        self.dtype = dtype
        self.layer = layer
        self.max_tokens = max_tokens
        self.batch_tokens = batch_tokens

    @property
    def sha(self) -> str:
        """A hash of the weights, and of the adapter or all else that decides the vectors."""
        if self.adapter:
            return digest(self.checkpoint.sha, self.adapter.sha)
        return self.checkpoint.fingerprint

    @cached_property
    def _tokenizer(self) -> Any:
        return shared_tokenizer(self.checkpoint)

    @cached_property
    def _model(self) -> Any:
        options = {} if self.adapter else {"dtype": load_dtype(self.dtype)}
        if self.pooling == "pooler":
            model = load(self.checkpoint, "AutoModel", **options)
        else:
            model = load_encoder(self.checkpoint, **options)
        if self.adapter:
            merge(model, self.adapter)
        return model.to(pick_device())

    @property
    def dimensions(self) -> int:
        """The dimensions of the vectors."""
        if isinstance(self._model, Bert):
            return self._model.dimensions
        config = self._model.config
        return int(getattr(config, "projection_dim", 0) or config.hidden_size)

    @property
    def step(self) -> int:
        """The step of its batches' padded widths."""
        return step_for(pick_dtype(self.dtype))

    @cached_property
    def has_segments(self) -> bool:
        """Whether the texts of a pair get segment ids (Devlin et al. 2019, BERT), 0 and 1.

        Their tokenizer has to make them, and the model to embed them. DPR's own code gives its
        towers none, and neither the bundled model nor an adapter trained on single texts knows
        them.
        """
        if self.checkpoint.name == DEFAULT:
            return False
        if self.adapter and not self.adapter.card.get("recipe", {}).get("context"):
            return False
        config = self.checkpoint.config
        embeds = int(config.get("type_vocab_size") or 0) > 1 and config.get("model_type") != "dpr"
        return embeds and "token_type_ids" in self._tokenizer.model_input_names

    def tokenize(self, texts: Sequence[Text], *, limit: int | None = None) -> list[list[int]]:
        """Token ids of each text, truncated to `limit` or the model's maximum."""
        return self.with_segments(texts, limit=limit)[0]

    def with_segments(
        self, texts: Sequence[Text], *, limit: int | None = None
    ) -> tuple[list[list[int]], list[list[int]] | None]:
        """Token ids as of `tokenize`, and the segment ids if a text is a pair that gets them."""
        if not texts:
            return [], None
        longest = self._longest if limit is None else min(limit, self._tokenizer.model_max_length)
        encoded = self._tokenizer(list(texts), truncation=True, max_length=longest)
        has_pairs = not all(isinstance(text, str) for text in texts)
        segments = list(encoded["token_type_ids"]) if has_pairs and self.has_segments else None
        return list(encoded["input_ids"]), segments

    @cached_property
    def _longest(self) -> int:
        """The most tokens of a text: as set, or what the tokenizer and the positions allow."""
        limit: int = min(self.max_tokens or NO_LIMIT, self._tokenizer.model_max_length)
        if limit < NO_LIMIT:
            return limit
        return int(self.checkpoint.config.get("max_position_embeddings") or 512)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """The number of tokens of each text, special tokens included."""
        return list(map(len, self.tokenize(texts)))

    def truncated(self, texts: Sequence[Text], prefix: str) -> int:
        """The number of texts that have more tokens than the model reads."""
        return count_longer(self._tokenizer, texts, prefix, self._longest)

    def encode(
        self, side: str, texts: Sequence[Text], prefix: str, progress: Progress = silent
    ) -> NDArray[np.float32]:
        """Vectors (texts, dimensions); `progress` counts tokens."""
        rows, segments = self.with_segments([prefixed(prefix, text) for text in texts])
        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        lengths = list(map(len, rows))
        done, total = 0, sum(lengths)
        for batch in by_length(lengths, budget=self.batch_tokens, step=self.step):
            vectors[batch] = self.embed(*chosen(batch, rows, segments))
            done += sum(lengths[index] for index in batch)
            progress(done, total)
        return vectors

    def token_vectors(
        self, side: str, texts: Sequence[Text], prefix: str, progress: Progress = silent
    ) -> list[NDArray[np.float32]]:
        """Each text's token vectors (tokens, dimensions), as the last layer returns them.

        Tokens of the prefix and special tokens are included; `progress` counts tokens.
        """
        rows, segments = self.with_segments([prefixed(prefix, text) for text in texts])
        vectors: list[NDArray[np.float32]] = [np.zeros((0, 0), np.float32)] * len(rows)
        lengths = list(map(len, rows))
        done, total = 0, sum(lengths)
        for batch in by_length(lengths, budget=self.batch_tokens, step=self.step):
            output, _ = self._run(*chosen(batch, rows, segments))
            states = self._states(output, "last_hidden_state").float().cpu().numpy()
            for row, index in zip(states, batch, strict=True):
                vectors[index] = row[: lengths[index]].copy()
                done += lengths[index]
            progress(done, total)
        return vectors

    def embed(self, rows: Rows, segments: Rows | None = None) -> NDArray[np.float32]:
        """Vectors (rows, dimensions) of one batch of token ids, with their segment ids if any.

        Raises:
            ConfigError: if the model lacks the output that `pooling` or `layer` needs.
        """
        from torch.nn.functional import normalize

        output, attention_mask = self._run(rows, segments)
        pooled = self._pool(output, attention_mask)
        pooled = normalize(pooled, dim=-1) if self.normalize else pooled
        vectors: NDArray[np.float32] = pooled.cpu().numpy()
        return vectors

    def _run(self, rows: Rows, segments: Rows | None = None) -> tuple[Any, torch.Tensor]:
        """The model's output for one batch of token ids, and the attention mask."""
        import torch

        ids, attention_mask = pad(rows, value=self._tokenizer.pad_token_id, step=self.step)
        with torch.inference_mode(), autocast(self.dtype, weights=self._model.dtype):
            output = self._model(
                input_ids=ids,
                attention_mask=attention_mask,
                output_hidden_states=self.layer is not None,
                **self.segment_inputs(segments),
            )
        return output, attention_mask

    def segment_inputs(self, segments: Rows | None) -> dict[str, torch.Tensor]:
        """The model's input for segment ids, if there are any."""
        return {"token_type_ids": pad(segments, value=0, step=self.step)[0]} if segments else {}

    def _pool(self, output: Any, attention_mask: torch.Tensor) -> torch.Tensor:
        """One vector per row. DPR models return the first token's only as `pooler_output`."""
        is_dpr = not isinstance(self._model, Bert) and self._model.config.model_type == "dpr"
        dpr_cls = is_dpr and self.pooling == "cls"
        name = "pooler_output" if dpr_cls or self.pooling == "pooler" else "last_hidden_state"
        if getattr(output, name, None) is None:
            raise ConfigError(
                f"pooling = '{self.pooling}' needs a {name}, which {self.checkpoint.name} lacks"
            )
        states: torch.Tensor = self._states(output, name).float()
        if name == "pooler_output":
            return states
        if self.pooling == "cls":
            return states[:, 0]
        mask = attention_mask.unsqueeze(-1).float()
        return (states * mask).sum(1) / mask.sum(1)

    def _states(self, output: Any, name: str) -> torch.Tensor:
        """The output of that name, or the hidden states of the selected layer."""
        if self.layer is None:
            states: torch.Tensor = getattr(output, name)
            return states
        layers: Sequence[torch.Tensor] = output.hidden_states
        if self.layer >= len(layers):
            raise ConfigError(
                f"layer = {self.layer}, but {self.checkpoint.name} has layers 0 to "
                f"{len(layers) - 1}"
            )
        return layers[self.layer]


def chosen(batch: Sequence[int], rows: Rows, segments: Rows | None) -> tuple[Rows, Rows | None]:
    """The rows at the positions of a batch, and their segment ids."""
    picked = [segments[index] for index in batch] if segments else None
    return [rows[index] for index in batch], picked


def count_longer(tokenizer: Any, texts: Sequence[Text], prefix: str, limit: int) -> int:
    """The number of texts that have more tokens than `limit`, special tokens included."""
    long = [prefixed(prefix, text) for text in texts if may_exceed(text, limit)]
    batches = (long[start : start + BATCH] for start in range(0, len(long), BATCH))
    return sum(
        len(ids) > limit
        for batch in batches
        for ids in tokenizer(batch, truncation=False, verbose=False)["input_ids"]
    )


def may_exceed(text: Text, limit: int) -> bool:
    """Whether a text may have more tokens than `limit`, by the bytes of its characters."""
    joined = text if isinstance(text, str) else " ".join(text)
    size = len(joined.encode(errors="replace"))
    return size - len(joined) / 2 > limit - PREFIX_TOKENS  # a token per two ASCII letters at most


def prefixed(prefix: str, text: Text) -> Text:
    """A text, or the first one of a pair, with a prefix."""
    return prefix + text if isinstance(text, str) else (prefix + text[0], text[1])


def family_of(checkpoint: Checkpoint, pooling: str | None) -> tuple[str, bool]:
    """The pooling of a bare checkpoint, and whether its vectors get unit length.

    They are known of a checkpoint with the card of its training, and of some architectures.

    Raises:
        ConfigError: if the pooling is neither set nor known from the model's architecture.
        WeightsError: if the model is no encoder of texts.
    """
    architecture = checkpoint.architecture
    for ending, (kind, stage) in NO_ENCODERS.items():
        if architecture.endswith(ending):
            raise WeightsError(
                f"{checkpoint.name} is {kind} ({architecture}), not a bi-encoder; see {stage}"
            )
    if trained_with := recipe_of(checkpoint):
        return str(trained_with["pooling"]), bool(trained_with["normalize"])
    if architecture in FAMILIES:
        return FAMILIES[architecture]
    if pooling is None:
        raise ConfigError(
            f"{checkpoint.name} has no {MODULES} that names its pooling; "
            f"set pooling to one of: {one_of(POOLINGS)} (in a command: "
            f"{checkpoint.name},pooling=cls)"
        )
    return pooling, True


def recipe_of(checkpoint: Checkpoint) -> Mapping[str, Any]:
    """The recipe of a checkpoint that `xorqa train biencoder` wrote; empty for others.

    Raises:
        WeightsError: if its card lacks the pooling or the normalisation.
    """
    path = checkpoint.folder / CARD
    card = read_json(path) if path.is_file() else {}
    if not isinstance(card, dict) or card.get("task") != "encoder":
        return {}
    recipe = card.get("recipe")
    if not isinstance(recipe, dict) or not {"pooling", "normalize"} <= recipe.keys():
        raise WeightsError(f"{path} is damaged: it has no recipe with pooling and normalize")
    return recipe


def units(vectors: NDArray[Any]) -> NDArray[np.float32]:
    """The rows with unit length; zero rows stay zero."""
    rows = np.asarray(vectors, np.float32)
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    scaled = np.zeros_like(rows)
    np.divide(rows, norms, out=scaled, where=norms > 0)
    return scaled
