"""Translation by encoder-decoder models: OPUS-MT, NLLB, M2M-100 and the like."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial
from typing import Any

from ..core.configured import Configured
from ..core.errors import ConfigError, WeightsError
from ..core.lazy import expect
from ..core.stages import BaseTranslator
from ..core.types import Query, Question
from ..io.files import digest
from ..models.batches import by_length, pad
from ..models.checkpoints import Checkpoint, load, resolve
from ..models.device import autocast, pick_device, pick_dtype
from .codes import attempts
from .guard import Report, guarded, unheard

BUDGET = 1536  # padded source tokens a batch; a beam search multiplies them
STEP = 8  # questions are short


class Seq2SeqTranslator(Configured, BaseTranslator):
    """A transformers model with its tokenizer, by hub name or folder, and a beam search.

    `longest` is the most tokens of a source and of an output. What is no translation, or in a
    language the model does not know, is reported to `failed`.
    """

    version = 1

    def __init__(
        self,
        *,
        model: str,
        beams: int = 4,
        longest: int = 128,
        device: str = "auto",
        dtype: str = "auto",
        failed: Report = unheard,
    ) -> None:
        if beams < 1 or longest < 1:
            raise ConfigError("[translator] beams and longest must be 1 or more")
        self.name, self.beams, self.longest = model, beams, longest
        self.device, self.dtype = device, dtype
        self.failed = failed

    def fingerprint(self) -> str:
        """The weights and how they are searched."""
        return digest("seq2seq", self._checkpoint.sha, self.beams, self.longest, self.dtype)

    def translate(self, questions: Sequence[Question], *, to: str) -> list[Query]:
        """One query a question; those that fail stay in their own language.

        Raises:
            ConfigError: if the model does not translate into `to`.
            WeightsError: if there is no such model.
        """
        tell = partial(attempts, generate=self.generate, to=to, knows=self._knows, name=self.name)
        return guarded(questions, tell, to=to, failed=self.failed)

    def generate(self, sources: Sequence[tuple[str, str]], target: str) -> list[str]:
        """The best output for each text and the mark before it; `target` begins the outputs."""
        rows = [self._ids(mark, text) for mark, text in sources]
        outputs = [""] * len(rows)
        for batch in by_length(list(map(len, rows)), budget=BUDGET):
            texts = self._batch([rows[at] for at in batch], target)
            for at, text in zip(batch, texts, strict=True):
                outputs[at] = text
        return outputs

    def _ids(self, mark: str, text: str) -> list[int]:
        """A mark, the pieces of a text, and the end."""
        kwargs = {"truncation": True, "max_length": self.longest, "add_special_tokens": False}
        ids = self._tokenizer(text, **kwargs)["input_ids"]
        return [*([self._id(mark)] if mark else []), *ids, self._tokenizer.eos_token_id]

    def _batch(self, rows: Sequence[Sequence[int]], target: str) -> list[str]:
        import torch

        device = pick_device(self.device)
        ids, mask = pad(rows, value=self._tokenizer.pad_token_id, step=STEP, device=device)
        forced = {"forced_bos_token_id": self._id(target)} if target else {}
        with torch.inference_mode(), autocast(device, pick_dtype(self.dtype, device)):
            outputs = self._model.generate(
                input_ids=ids,
                attention_mask=mask,
                num_beams=self.beams,
                max_new_tokens=self.longest,
                do_sample=False,
                **forced,
            )
        unsaid = {*forced.values(), *self._tokenizer.all_special_ids}
        return [
            str(self._tokenizer.decode([number for number in row if number not in unsaid]))
            for row in outputs.tolist()
        ]

    def _id(self, token: str) -> int:
        return int(self._tokenizer.convert_tokens_to_ids(token))

    def _knows(self, token: str) -> bool:
        found = self._tokenizer.convert_tokens_to_ids(token)
        return found is not None and found != self._tokenizer.unk_token_id

    @cached_property
    def _checkpoint(self) -> Checkpoint:
        return resolve(self.name)

    @cached_property
    def _tokenizer(self) -> Any:
        expect("sentencepiece", extra="mt")
        from transformers import AutoTokenizer

        path = self._checkpoint.path
        try:
            return AutoTokenizer.from_pretrained(path)
        except Exception as error:  # damaged files raise dozens of kinds
            line = (str(error).strip() or type(error).__name__).splitlines()[0]
            raise WeightsError(f"the tokenizer of {path} cannot be loaded: {line}") from error

    @cached_property
    def _model(self) -> Any:
        return load(self._checkpoint, "AutoModelForSeq2SeqLM").to(pick_device(self.device))
