"""monoT5: a sequence-to-sequence model that says whether a passage is relevant.

The input is "Query: ... Document: ... Relevant:", and the score log P(relevant) of the first output
token among two (Nogueira et al. 2020); mMonoT5 is the same on mT5 (Bonifacio et al. 2021).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from ..core.errors import ConfigError, WeightsError
from ..core.progress import announce
from .batches import by_length, pad, step_for
from .checkpoints import Checkpoint, load, load_tokenizer
from .device import pick_device, pick_dtype
from .pair_settings import PairClassifierSettings
from .prompts import repository_of
from .released import model_options

PROMPT = "Query: {query} Document: {document}"
END = "Relevant:"
MAX_TOKENS = 512
"""Of the input: T5's positions are relative, and these rerankers were trained with 512 tokens."""
_ENGLISH, _SPOKEN = ("\u2581false", "\u2581true"), ("\u2581no", "\u2581yes")
_PORTUGUESE, _LARGE = ("\u2581não", "\u2581sim"), ("\u2581", "\u2581true")
_MONO_T5 = "small-msmarco-10k small-msmarco-100k base-msmarco base-msmarco-10k large-msmarco"
_MONO_T5 += " large-msmarco-10k 3b-msmarco 3b-msmarco-10k base-med-msmarco 3b-med-msmarco"
_MT5 = "en-msmarco en-pt-msmarco-v1 en-pt-msmarco-v2 mmarco-v1 mmarco-v2"
_PTT5 = "base-pt-msmarco-10k base-pt-msmarco-100k base-en-pt-msmarco-10k base-en-pt-msmarco-100k"
TOKENS = {
    **{f"castorini/monot5-{name}": _ENGLISH for name in _MONO_T5.split()},
    **{f"unicamp-dl/InRanker-{size}": _ENGLISH for size in ("small", "base", "3B")},
    **{f"unicamp-dl/mt5-base-{name}": _SPOKEN for name in _MT5.split()},
    **{f"unicamp-dl/ptt5-{name}-v{v}": _PORTUGUESE for name in _PTT5.split() for v in (1, 2)},
    **{f"unicamp-dl/mt5-{name}": _LARGE for name in ("3B-mmarco-en-pt", "13b-mmarco-100k")},
}
"""The tokens of "not relevant" and "relevant" by repository, as in pygaggle."""


def is_seq2seq(checkpoint: Checkpoint) -> bool:
    """Whether a model has an encoder and a decoder, and generates text."""
    is_pair = checkpoint.config.get("is_encoder_decoder") is True
    return is_pair and checkpoint.architecture.endswith("ForConditionalGeneration")


class MonoT5:
    """Scores pairs by two tokens of a sequence-to-sequence model; weights load on first use."""

    def __init__(self, checkpoint: Checkpoint, settings: PairClassifierSettings) -> None:
        name = checkpoint.name
        tokens = settings.tokens or TOKENS.get(repository_of(name), ())
        if len(tokens) != 2:
            raise ConfigError(
                f"{name} is a sequence-to-sequence model; if it is a monoT5, set tokens to those "
                'of "not relevant" and "relevant", such as ["\u2581false", "\u2581true"]'
            )
        if settings.prompt is not None:
            raise ConfigError(f"{name} is a monoT5, whose input is fixed; remove prompt")
        self.checkpoint, self.tokens, self.dtype = checkpoint, tokens, settings.dtype
        self.max_tokens = settings.max_tokens or MAX_TOKENS
        self.batch_tokens = settings.batch_tokens
        if self.max_tokens != MAX_TOKENS:
            announce(f"{name}: max_tokens = {self.max_tokens} instead of {MAX_TOKENS}")

    @property
    def identity(self) -> tuple[object, ...]:
        """A hash of weights and tokenizer, and the settings."""
        return "monot5", self.checkpoint.fingerprint, self.max_tokens, self.tokens

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """log P(relevant) of each pair."""
        rows = [self._input(query, document) for query, document in pairs]
        scores = [0.0] * len(rows)
        lengths = [len(row) for row in rows]
        for batch in by_length(lengths, budget=self.batch_tokens, step=self._step):
            found = self._log_probabilities([rows[index] for index in batch])
            for index, score in zip(batch, found, strict=True):
                scores[index] = score
        return scores

    def _input(self, query: str, document: str) -> list[int]:
        """Token ids; of a longer input, the document's end is cut, and never "Relevant:"."""
        start = PROMPT.format(query=query, document=document)
        ids: list[int] = self._tokenizer(f"{start} {END}")["input_ids"]
        if len(ids) <= self.max_tokens:
            return ids
        end: list[int] = self._tokenizer(END)["input_ids"]
        kept = self._tokenizer(start, add_special_tokens=False)["input_ids"]
        return [*kept[: max(0, self.max_tokens - len(end))], *end]

    def _log_probabilities(self, rows: Sequence[Sequence[int]]) -> list[float]:
        import torch

        ids, mask = pad(rows, value=self._tokenizer.pad_token_id or 0, step=self._step)
        start = torch.full((len(rows), 1), self._model.config.decoder_start_token_id)
        with torch.inference_mode():
            logits = self._model(
                input_ids=ids, attention_mask=mask, decoder_input_ids=start.to(ids.device)
            ).logits
        both = logits[:, 0, self._answers].float().log_softmax(-1)
        return [float(score) for score in both[:, 1].cpu()]

    @cached_property
    def _answers(self) -> list[int]:
        """The ids of the two tokens."""
        vocabulary = self._tokenizer.get_vocab()
        if lacks := [token for token in self.tokens if token not in vocabulary]:
            raise WeightsError(f"the tokenizer of {self.checkpoint.name} has no token {lacks[0]!r}")
        return [vocabulary[token] for token in self.tokens]

    @cached_property
    def _tokenizer(self) -> Any:
        return load_tokenizer(self.checkpoint, fast=False)

    @cached_property
    def _step(self) -> int:
        return step_for(pick_dtype(self.dtype))

    @cached_property
    def _model(self) -> Any:
        options = model_options(self.dtype)
        model = load(self.checkpoint, "AutoModelForSeq2SeqLM", optional=(), **options)
        return model.to(pick_device())
