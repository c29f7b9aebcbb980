"""Translation by encoder-decoder models: OPUS-MT, NLLB, M2M-100 and the like."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from ..core.named import expect
from ..core.validation import Count
from ..io.files import digest
from ..models.batches import by_length, pad
from ..models.checkpoints import Checkpoint, load, load_tokenizer, resolve
from ..models.device import autocast, pick_device
from .checks import ModelTranslator, OnFailure, ignore_failure

BUDGET = 1536  # padded source tokens per batch; a beam search multiplies them
STEP = 8  # questions are short


class Seq2SeqTranslator(ModelTranslator):
    """A transformers model with its tokenizer, by hub name or folder, and a beam search.

    `longest` limits the tokens of a source and of an output. Failed translations, and questions
    in a language that the model lacks, are reported to `failed`.

    Example:
        >>> from xorqa import Question, Seq2SeqTranslator
        >>> translator = Seq2SeqTranslator(model="./opus-mt-fi-en", beams=2)
        >>> question = Question("q", "Missä on Inari?", "fi")
        >>> [query] = translator.translate([question], to="en")
        >>> query.question == question
        True
    """

    version = 1

    def __init__(
        self,
        *,
        model: str,
        beams: Count = 4,
        longest: Count = 128,
        device: str = "auto",
        dtype: str = "auto",
        failed: OnFailure = ignore_failure,
    ) -> None:
        super().__init__(model, beams, longest, device, failed)
        self.dtype = dtype

    def fingerprint(self) -> str:
        """A hash of the weights and of the search settings."""
        return digest("seq2seq", self._checkpoint.sha, self.beams, self.longest, self.dtype)

    def generate(self, sources: Sequence[tuple[str, str]], target: str) -> list[str]:
        """The best output for each (language token, text); `target` is the outputs' first token."""
        rows = [self._ids(token, text) for token, text in sources]
        outputs = [""] * len(rows)
        for batch in by_length(list(map(len, rows)), budget=BUDGET):
            texts = self._batch([rows[index] for index in batch], target)
            for index, text in zip(batch, texts, strict=True):
                outputs[index] = text
        return outputs

    def _ids(self, token: str, text: str) -> list[int]:
        """The language token, the pieces of the text, and the end token."""
        kwargs = {"truncation": True, "max_length": self.longest, "add_special_tokens": False}
        ids = self._tokenizer(text, **kwargs)["input_ids"]
        return [*([self._id(token)] if token else []), *ids, self._tokenizer.eos_token_id]

    def _batch(self, rows: Sequence[Sequence[int]], target: str) -> list[str]:
        import torch

        device = pick_device(self.device)
        ids, mask = pad(rows, value=self._tokenizer.pad_token_id, step=STEP, device=device)
        forced = {"forced_bos_token_id": self._id(target)} if target else {}
        with torch.inference_mode(), autocast(self.dtype, device):
            outputs = self._model.generate(
                input_ids=ids,
                attention_mask=mask,
                num_beams=self.beams,
                max_new_tokens=self.longest,
                do_sample=False,
                **forced,
            )
        dropped = {*forced.values(), *self._tokenizer.all_special_ids}
        return [
            str(self._tokenizer.decode([number for number in row if number not in dropped]))
            for row in outputs.tolist()
        ]

    def _id(self, token: str) -> int:
        return int(self._tokenizer.convert_tokens_to_ids(token))

    def in_vocabulary(self, token: str) -> bool:
        """Whether the tokenizer has a token."""
        number = self._tokenizer.convert_tokens_to_ids(token)
        return number is not None and number != self._tokenizer.unk_token_id

    @cached_property
    def _checkpoint(self) -> Checkpoint:
        return resolve(self.name)

    @cached_property
    def _tokenizer(self) -> Any:
        expect("sentencepiece", extra="mt")
        return load_tokenizer(self._checkpoint, fast=False)

    @cached_property
    def _model(self) -> Any:
        return load(self._checkpoint, "AutoModelForSeq2SeqLM").to(pick_device(self.device))
