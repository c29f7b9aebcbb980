"""Translation by encoder-decoder models of transformers: OPUS-MT, NLLB, M2M-100, MADLAD-400, ..."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from ..core.errors import ConfigError
from ..core.named import expect
from ..core.validation import Count
from ..io.files import digest, read_object
from ..models.batches import by_length, pad
from ..models.checkpoints import Checkpoint, load, load_tokenizer, resolve
from ..models.device import Dtype, autocast, load_dtype, pick_device
from .checks import OnFailure, ignore_failure
from .language_codes import (
    BEFORE_SOURCE,
    FORMS,
    Codes,
    Naming,
    OnePair,
    TaskPrefixes,
    family,
    pair_in_name,
)
from .model_translator import ModelTranslator

BUDGET = 1536  # padded source tokens per batch; a beam search multiplies them
STEP = 8  # questions are short

_FORMS_BY_TYPE = {
    "marian": ("opus",),
    "m2m_100": ("nllb", "m2m"),
    "nllb-moe": ("nllb",),
    "mbart": ("mbart",),
    "t5": ("madlad",),
    "mt5": ("madlad",),
    "umt5": ("madlad",),
    "fsmt": (),
}
"""The language tokens that models of each `model_type` have; the others need a prefix."""

_ONE_PAIR = ("marian", "fsmt")


class Seq2SeqTranslator(ModelTranslator):
    """A transformers model with its tokenizer, by hub name or folder, and a beam search.

    The tokenizer builds the source, and the languages are named as the model's family names
    them, with the codes of its own vocabulary. `longest` limits the tokens of a text and of an
    output. `codes` chooses other codes (`{"zh": "zho_Hant"}`); `prefix`, with {source} and
    {target}, is for models that name languages in words, as T5 does. Failed translations are
    reported to `failed`.

    Example:
        >>> from xorqa import Question, Seq2SeqTranslator
        >>> translator = Seq2SeqTranslator(model="./opus-mt-fi-en", beams=2)
        >>> question = Question("q", "Missä on Inari?", "fi")
        >>> [query] = translator.translate([question], to="en")
        >>> query.question == question
        True
    """

    version = 2

    def __init__(
        self,
        *,
        model: str,
        beams: Count = 4,
        longest: Count = 128,
        codes: Mapping[str, str] | None = None,
        prefix: str | None = None,
        device: str = "auto",
        dtype: Dtype = "auto",
        batch_tokens: Count = BUDGET,
        failed: OnFailure = ignore_failure,
    ) -> None:
        super().__init__(model, beams, longest, codes, prefix, device, failed)
        self.dtype, self.batch_tokens = dtype, batch_tokens

    def fingerprint(self) -> str:
        """A hash of the model's files and of the search settings."""
        languages = sorted(self.codes.items()), self.prefix
        search = self.beams, self.longest, self.dtype
        batches = [self.batch_tokens] if self.batch_tokens != BUDGET else []
        return digest("seq2seq", self._checkpoint.fingerprint, *search, *languages, *batches)

    def own_naming(self) -> Naming:
        """How the model names languages, read from its vocabulary and configuration.

        Raises:
            ConfigError: if its files do not say it, or it lacks a code of `codes`.
        """
        kind = str(self._config.get("model_type", ""))
        form, tokens = family(self._vocabulary, _FORMS_BY_TYPE.get(kind, ()))
        if form:
            codes = Codes(self.name, form, tokens, self.codes, self._only_target(form))
            pair = OnePair(self.name, *self._declared_pair())
            return pair if form == "opus" and pair.lacks_code(codes) else codes
        if tasks := self._task_prefixes():
            return TaskPrefixes(self.name, tasks)
        if kind in _ONE_PAIR:
            return OnePair(self.name, *self._declared_pair())
        raise ConfigError(
            f"[translator] {self.name} ({kind or 'no model_type'}) does not say how it names "
            'languages; set prefix, such as "translate {source} to {target}: ", or "" for none'
        )

    def generate(self, sources: Sequence[tuple[str, str]], target: str) -> list[str]:
        """The best output for each (what names the languages, text).

        `target` is the outputs' first token, "" for none.
        """
        rows = [self.source_ids(before, text) for before, text in sources]
        outputs = [""] * len(rows)
        for batch in by_length(list(map(len, rows)), budget=self.batch_tokens):
            texts = self._batch([rows[index] for index in batch], target)
            for index, text in zip(batch, texts, strict=True):
                outputs[index] = text
        return outputs

    def source_ids(self, before: str, text: str) -> list[int]:
        """The source as the tokenizer builds it, with at most `longest` tokens of the text."""
        tokenizer = self.tokenizer
        if before and self._names_source:
            tokenizer.src_lang = before.strip("_")
            before = ""
        elif before and isinstance(self.naming, Codes):
            before += " "
        ids = tokenizer(before + text)["input_ids"]
        longest = self.longest + len(tokenizer(before)["input_ids"])
        if len(ids) > longest:
            self.report_cut()
            ids = tokenizer(before + text, truncation=True, max_length=longest)["input_ids"]
        return [int(number) for number in ids]

    def _batch(self, rows: Sequence[Sequence[int]], target: str) -> list[str]:
        import torch

        device, model = pick_device(self.device), self.model
        ids, mask = pad(rows, value=self.tokenizer.pad_token_id, step=STEP, device=device)
        forced = {"forced_bos_token_id": self.token_id(target)} if target else {}
        with torch.inference_mode(), autocast(self.dtype, device, weights=model.dtype):
            outputs = model.generate(
                input_ids=ids,
                attention_mask=mask,
                num_beams=self.beams,
                max_new_tokens=self.longest,
                do_sample=False,
                **forced,
            )
        dropped = {*forced.values(), *self.tokenizer.all_special_ids}
        return [
            str(self.tokenizer.decode([number for number in row if number not in dropped]))
            for row in outputs.tolist()
        ]

    def token_id(self, token: str) -> int:
        """The id of a token of the vocabulary."""
        return int(self.tokenizer.convert_tokens_to_ids(token))

    @property
    def _names_source(self) -> bool:
        """Whether the tokenizer puts the code of the source's language into the source."""
        return isinstance(self.naming, Codes) and self.naming.form not in BEFORE_SOURCE

    def _only_target(self, form: str) -> str:
        """The language token that all outputs begin with; "" for none or any."""
        config = self._config | self._generation_config
        names = ["decoder_start_token_id", *(["forced_bos_token_id"] if form == "mbart" else [])]
        numbers = [config[name] for name in names if isinstance(config.get(name), int)]
        tokens = map(str, self.tokenizer.convert_ids_to_tokens(numbers))
        return next(filter(FORMS[form].fullmatch, tokens), "")

    def _declared_pair(self) -> tuple[str, str]:
        """The source and target by the repository's name, or else by the model's files."""
        langs = self._config.get("langs")
        if isinstance(langs, list) and len(langs) == 2:
            return str(langs[0]), str(langs[1])
        pair = pair_in_name(self.name.partition("@")[0])
        own = [getattr(self.tokenizer, name, "") or "" for name in ("source_lang", "target_lang")]
        return pair if any(pair) else (str(own[0]), str(own[1]))

    def _task_prefixes(self) -> dict[str, str]:
        tasks = self._config.get("task_specific_params") or {}
        return {
            name: str(task["prefix"])
            for name, task in tasks.items()
            if name.startswith("translation_") and "prefix" in task
        }

    @cached_property
    def _vocabulary(self) -> list[str]:
        """The tokens that the tokenizer knows and the model has weights for, by their ids."""
        tokenizer = self.tokenizer
        size = int(self._config.get("vocab_size") or len(tokenizer))
        vocab = dict(tokenizer.get_vocab())
        # M2M-100's language tokens are in a table of their own.
        vocab |= getattr(tokenizer, "lang_token_to_id", {})
        return sorted((token for token in vocab if vocab[token] < size), key=vocab.__getitem__)

    @cached_property
    def _config(self) -> dict[str, Any]:
        return self._json("config.json")

    @cached_property
    def _generation_config(self) -> dict[str, Any]:
        return self._json("generation_config.json")

    def _json(self, name: str) -> dict[str, Any]:
        return read_object(self._checkpoint.path / name)

    @cached_property
    def _checkpoint(self) -> Checkpoint:
        return resolve(self.name)

    @cached_property
    def tokenizer(self) -> Any:
        """The model's tokenizer."""
        expect("sentencepiece", extra="mt")
        return load_tokenizer(self._checkpoint, fast=False)

    @cached_property
    def model(self) -> Any:
        """The model on its device."""
        self.report_beams((self._config | self._generation_config).get("num_beams"))
        device = pick_device(self.device)
        dtype = load_dtype(self.dtype, device)
        return load(self._checkpoint, "AutoModelForSeq2SeqLM", dtype=dtype).to(device)
