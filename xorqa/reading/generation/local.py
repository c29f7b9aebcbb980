"""Replies of a model on this machine: a causal or sequence-to-sequence model of transformers."""

import warnings
from collections.abc import Callable, Sequence
from functools import cache, cached_property
from typing import Any

from ...core.errors import Notice, WeightsError
from ...models.chat_limits import without_system_role
from ...models.checkpoints import Checkpoint, load, load_tokenizer, resolve
from ...models.device import Dtype, autocast, load_dtype, pick_device
from ...models.thoughts import START_TOKENS, TAG_TOKENS
from .endpoint import Check, Prompt
from .reply import Reply

_LONG = 1 << 20  # tokens; a tokenizer's limit above it means that it has none


@cache
def shared(model: str, max_new_tokens: int, dtype: Dtype) -> "LocalModel":
    """One model for all stages with the same settings, so weights load once."""
    return LocalModel(model, max_new_tokens, dtype)


class LocalModel:
    """Continues texts greedily, one by one; weights load on first use."""

    def __init__(self, model: str, max_new_tokens: int, dtype: Dtype) -> None:
        self.name, self.max_new_tokens, self.dtype = model, max_new_tokens, dtype
        self._has_warned = False

    @property
    def sha(self) -> str:
        """A hash of the weights, the configuration, the tokenizer and its chat template."""
        return self._checkpoint.fingerprint

    def chat(self, prompts: Sequence[Prompt], check: Check) -> list[Reply]:
        """Replies to conversations; one with more tokens than the model reads has a problem."""
        return [self._reply(self._ids(prompt), check, cut=False) for prompt in prompts]

    def complete(self, texts: Sequence[str], check: Check) -> list[Reply]:
        """Outputs for plain inputs, which are cut to the tokens that the model reads."""
        return [self._reply(self._tokenizer(text)["input_ids"], check, cut=True) for text in texts]

    def _reply(self, ids: list[int], check: Callable[[str], Reply], *, cut: bool) -> Reply:
        import torch

        if len(ids) > self._most_tokens:
            if not cut:
                reason = f"the prompt has {len(ids)} tokens, {self.name} reads {self._most_tokens}"
                return Reply("", problem=f"{reason}; lower `passages`")
            ids = ids[: self._most_tokens]
        device = pick_device()
        batch = torch.tensor([ids], device=device)
        with torch.inference_mode(), autocast(self.dtype, device, weights=self._model.dtype):
            [output] = self._model.generate(
                input_ids=batch,
                attention_mask=torch.ones_like(batch),
                max_new_tokens=self.max_new_tokens,
                do_sample=False,
            ).tolist()
        begun = "" if cut else self._begun_thought(ids)
        return check(begun + self._text(output if self._is_seq2seq else output[len(ids) :]))

    def _ids(self, prompt: Prompt) -> list[int]:
        """A conversation by the tokenizer's chat template, or its messages one after the other."""
        messages = [dict(message) for message in prompt.messages]
        if not getattr(self._tokenizer, "chat_template", None):
            text = "\n\n".join(message["content"] for message in messages) + "\n"
            return list(self._tokenizer(text)["input_ids"])
        from jinja2 import TemplateError

        options = {"tokenize": True, "add_generation_prompt": True, "return_dict": True}
        problem = ""
        for conversation in (messages, without_system_role(messages)):
            try:
                encoded = self._tokenizer.apply_chat_template(conversation, **options)
            except TemplateError as error:
                problem = str(error)
                continue
            if problem:
                self._report_merged()
            return list(encoded["input_ids"])
        raise WeightsError(f"the chat template of {self.name} refuses a conversation: {problem}")

    def _report_merged(self) -> None:
        if not self._has_warned:
            self._has_warned = True
            message = "refuses the system role; its text begins the user's message"
            warnings.warn(f"the chat template of {self.name} {message}", Notice, stacklevel=2)

    def _begun_thought(self, ids: list[int]) -> str:
        """The tag with which the template has begun the reply's thoughts, or ""."""
        end = str(self._tokenizer.decode(ids[-8:])).rstrip()
        return next((tag for tag in START_TOKENS if end.endswith(tag)), "")

    def _text(self, ids: list[int]) -> str:
        """The text of a reply, with the tokens around its thoughts even if they are special."""
        tokenizer = self._tokenizer
        added = getattr(tokenizer, "added_tokens_decoder", {})
        special = {number for number, token in added.items() if token.special}
        special |= set(tokenizer.all_special_ids)
        tags = {number for number in special & set(ids) if str(added.get(number)) in TAG_TOKENS}
        if not tags:
            return str(tokenizer.decode(ids, skip_special_tokens=True))
        return str(tokenizer.decode([n for n in ids if n in tags or n not in special]))

    @cached_property
    def _most_tokens(self) -> int:
        """The tokens that the model reads; a causal model's output is counted with its input."""
        limits = [int(self._tokenizer.model_max_length)]
        positions = getattr(self._model.config, "max_position_embeddings", None)
        limits += [int(positions)] if positions else []
        room = 0 if self._is_seq2seq else self.max_new_tokens
        return max(1, min(_LONG, *limits) - room)

    @cached_property
    def _checkpoint(self) -> Checkpoint:
        return resolve(self.name)

    @cached_property
    def _is_seq2seq(self) -> bool:
        config = self._checkpoint.config
        named = str((config.get("architectures") or [""])[0])
        ends = ("ConditionalGeneration", "MTModel")
        return config.get("is_encoder_decoder") is True or named.endswith(ends)

    @cached_property
    def _tokenizer(self) -> Any:
        return load_tokenizer(self._checkpoint, fast=False)

    @cached_property
    def _model(self) -> Any:
        kind = "AutoModelForSeq2SeqLM" if self._is_seq2seq else "AutoModelForCausalLM"
        dtype = load_dtype(self.dtype, on_cpu="auto")
        return load(self._checkpoint, kind, dtype=dtype).to(pick_device())
