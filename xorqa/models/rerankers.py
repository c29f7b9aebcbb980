"""Cross-encoders and causal rerankers as released: sentence-transformers runs them.

Their activation, length, prompt and chat template are the model's. Settings that a user gives
override them, and are announced.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ..core.errors import ConfigError, WeightsError
from ..core.named import expect
from ..core.progress import announce
from ..io.files import read_object
from .checkpoints import Checkpoint, first_line, load_tokenizer
from .pair_settings import PairClassifierSettings
from .prompts import CONFIG, MODULES, repository_of
from .released import EXTRA, batches, check_complete, model_options, open_model

KINDS = {
    "ForSequenceClassification": "AutoModelForSequenceClassification",
    "ForCausalLM": "AutoModelForCausalLM",
}
"""The auto class that has all weights of an architecture, by the end of its name."""
QWEN3 = """\
<|im_start|>system
Judge whether the Document meets the requirements based on the Query and the Instruct provided. \
Note that the answer can only be "yes" or "no".<|im_end|>
<|im_start|>user
<Instruct>: {{ messages | selectattr("role", "eq", "system") | map(attribute="content") | first \
| default("Given a web search query, retrieve relevant passages that answer the query") }}
<Query>: {{ messages | selectattr("role", "eq", "query") | map(attribute="content") | first }}
<Document>: {{ messages | selectattr("role", "eq", "document") | map(attribute="content") \
| first }}<|im_end|>
<|im_start|>assistant
<think>

</think>

{# #}"""
"""The input of Qwen3-Reranker on its card (Zhang et al. 2025), for copies without a template."""
TEMPLATES = {
    repository: QWEN3
    for size in ("0.6B", "4B", "8B")
    for repository in (f"Qwen/Qwen3-Reranker-{size}", f"tomaarsen/Qwen3-Reranker-{size}-seq-cls")
}
"""Chat templates of repositories that describe their input on the card only."""
RELEVANT = {"label_1", "1", "relevant", "yes", "true"}
NOT_RELEVANT = {"label_0", "0", "irrelevant", "not relevant", "not_relevant", "no", "false"}


class ReleasedReranker:
    """A reranker that sentence-transformers loads; weights load on first use."""

    def __init__(self, checkpoint: Checkpoint, settings: PairClassifierSettings) -> None:
        expect("sentence_transformers", extra=EXTRA)
        self.checkpoint, self.settings = checkpoint, settings
        if settings.tokens:
            raise ConfigError(f"{checkpoint.name} is no monoT5; remove tokens")

    @property
    def identity(self) -> tuple[object, ...]:
        """A hash of weights, tokenizer and modules, and the settings."""
        s = self.settings
        code = ["its own code"] if s.trust_remote_code else []
        weights = self.checkpoint.fingerprint
        return "released", weights, self._template, s.max_tokens, s.prompt, *code

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """The model's score of each pair, after its own activation.

        Of two labels, the score is that of the relevant one less that of the other.
        """
        scores = self._predicted(pairs)
        if self._relevant is not None:
            scores = scores[:, self._relevant] - scores[:, 1 - self._relevant]
        return [float(score) for score in scores]

    def _predicted(self, pairs: Sequence[tuple[str, str]]) -> Any:
        """The library's scores (pairs) or (pairs, labels)."""
        options = {"prompt": self.settings.prompt, "show_progress_bar": False}
        limit = self.settings.batch_tokens
        if limit is None:
            return self._model.predict(list(pairs), **options)
        scores: list[Any] = [None] * len(pairs)
        for numbers, size in batches(self._model, pairs, limit):
            batch = [pairs[number] for number in numbers]
            for number, score in zip(
                numbers, self._model.predict(batch, **options, **size), strict=True
            ):
                scores[number] = score
        return np.array(scores)

    @cached_property
    def _template(self) -> str | None:
        """The chat template that the repository's card describes and its files lack."""
        if (self.checkpoint.folder / MODULES).is_file():
            return None
        return TEMPLATES.get(repository_of(self.checkpoint.name))

    @cached_property
    def _relevant(self) -> int | None:
        """Which of two labels means relevant; None for a model with one score.

        Raises:
            WeightsError: for other labels; the model is then another kind of classifier.
        """
        count = int(self._model.num_labels)
        if count == 1:
            return None
        names = self._model.config.id2label or {}
        labels = [str(names.get(index, f"LABEL_{index}")) for index in range(count)]
        lower = [label.lower() for label in labels]
        for relevant in (1, 0) if count == 2 else ():
            if lower[relevant] in RELEVANT and lower[1 - relevant] in NOT_RELEVANT:
                if lower[relevant] == "label_1":
                    announce(f"{self.checkpoint.name}: LABEL_1 of two labels counts as relevant")
                return relevant
        raise WeightsError(
            f"{self.checkpoint.name} is a classifier with the labels {', '.join(labels)}, not a "
            "reranker, which has one score, or two labels for not relevant and relevant"
        )

    @cached_property
    def _model(self) -> Any:
        s, checkpoint = self.settings, self.checkpoint
        _check_kind(checkpoint, trusted=s.trust_remote_code)
        template = {} if self._template is None else {"chat_template": self._template}
        model = open_model(
            "CrossEncoder",
            checkpoint,
            model_options(s.dtype),
            trust_remote_code=s.trust_remote_code,
            processor_kwargs=template,
        )
        self._check_input(model)
        return self._with_settings(model)

    def _check_input(self, model: Any) -> None:
        """Refuse a model whose input for a pair is not known."""
        name, tokenizer = self.checkpoint.name, model.tokenizer
        has_template = bool(getattr(tokenizer, "chat_template", None))
        if _kind_of(self.checkpoint) == KINDS["ForCausalLM"] and not has_template:
            raise WeightsError(
                f"{name} is a decoder without a chat template for pairs; save one that renders "
                "the roles query and document as chat_template.jinja beside the model"
            )
        try:
            model.preprocess([("query", "document")])
        except ValueError as error:
            raise WeightsError(f"{name} cannot read pairs: {first_line(error)}") from error

    def _with_settings(self, model: Any) -> Any:
        """The model with the settings that override its own, each announced."""
        s, name = self.settings, self.checkpoint.name
        own = model.max_seq_length
        if s.max_tokens is not None and own is not None and s.max_tokens != own:
            if s.max_tokens > own:
                raise ConfigError(f"{name} reads at most {own} tokens; lower max_tokens")
            announce(f"{name}: max_tokens = {s.max_tokens} instead of {own}")
            model.max_seq_length = s.max_tokens
        prompt = (model.prompts or {}).get(model.default_prompt_name)
        if s.prompt is not None and prompt and s.prompt != prompt:
            announce(f"{name}: prompt = {s.prompt!r} instead of {prompt!r}")
        return model


def _kind_of(checkpoint: Checkpoint) -> str | None:
    """The auto class of a reranker's transformer; None if the architecture is not a reranker's."""
    architecture = checkpoint.architecture
    return next((kind for end, kind in KINDS.items() if architecture.endswith(end)), None)


def _check_kind(checkpoint: Checkpoint, *, trusted: bool) -> None:
    """Refuse what is no reranker, and one whose weights are not all in its files.

    sentence-transformers would initialise a missing classifier at random.
    """
    kind, of_library = _kind_of(checkpoint), _library_kind(checkpoint)
    if of_library not in (None, "CrossEncoder") or (kind is None and of_library is None):
        what = of_library or checkpoint.architecture or "unknown architecture"
        raise WeightsError(
            f"{checkpoint.name} is no reranker but a {what}; a cross-encoder has a sequence "
            "classifier or a decoder with a chat template for pairs"
        )
    if trusted:
        return  # its own code names its weights
    _check_activation(checkpoint)
    check_complete(checkpoint, kind or "AutoModel", optional=())
    if kind == KINDS["ForCausalLM"] and not (checkpoint.path / MODULES).is_file():
        _check_answers(checkpoint)


def _check_activation(checkpoint: Checkpoint) -> None:
    """Refuse an activation function that is none: the library calls any function of torch."""
    config = checkpoint.config
    own = config.get("sentence_transformers")
    named = [own.get("activation_fn")] if isinstance(own, dict) else []
    for name in (*named, config.get("sbert_ce_default_activation_function")):
        if name is not None and not str(name).startswith("torch.nn."):
            raise WeightsError(
                f"{checkpoint.name}: its activation function {name} is no activation of torch.nn"
            )


def _library_kind(checkpoint: Checkpoint) -> str | None:
    """The model's type by sentence-transformers' files; None if they do not name one."""
    named = read_object(checkpoint.path / CONFIG).get("model_type")
    path = checkpoint.path / MODULES
    if named is None and path.is_file() and "Pooling" in path.read_text("utf-8"):
        return "SentenceTransformer"  # older files name no type
    return None if named is None else str(named)


def _check_answers(checkpoint: Checkpoint) -> None:
    """Refuse a decoder without the tokens of its two answers."""
    lacks = {"yes", "no"} - load_tokenizer(checkpoint, fast=False).get_vocab().keys()
    if lacks:
        raise WeightsError(
            f"the tokenizer of {checkpoint.name} lacks {' and '.join(sorted(lacks))}, by which a "
            "decoder's answer is scored"
        )
