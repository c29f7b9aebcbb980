"""Question-answering models as released: `AutoModelForQuestionAnswering` and `DPRReader`.

They score, for each token of a window, whether the answer starts or ends there. A reader of DPR
also scores the passage (Karpukhin et al. 2020).
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..core.errors import ConfigError, WeightsError
from ..core.progress import announce
from .batches import pad
from .checkpoints import Checkpoint, cannot_load, load, load_tokenizer, resolve, shared_tokenizer
from .device import Dtype, autocast, load_dtype, pick_device

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

HEAD = "ForQuestionAnswering"
DPR = "DPRReader"
PAGES = ("LayoutLM", "Lilt", "Lxmert", "MarkupLM")
"""The beginnings of models that read pages or images."""
WINDOW = 384  # tokens, as in the recipes of models that allow 512 (Devlin et al. 2019 and later)
USUAL_LIMIT = 512
NO_LIMIT = 1_000_000  # tokenizers without a limit name a far larger one
OFFSET_POSITIONS = ("roberta", "camembert", "xmod", "mpnet", "longformer", "ibert", "data2vec-text")
"""Types of models, by the end of their names, whose positions begin after the padding's id."""


class QuestionAnsweringModel:
    """A question-answering model with its tokenizer; both load on first use.

    `trust_remote_code` runs the code that the model brings.

    Raises:
        WeightsError: if its config.json names another kind of model.
    """

    def __init__(
        self, name: str, *, dtype: Dtype = "auto", trust_remote_code: bool = False
    ) -> None:
        self.dtype = dtype
        self.checkpoint = resolve(name)
        self.is_dpr = _architecture(self.checkpoint, trusted=trust_remote_code) == DPR
        self._code = {"trust_remote_code": trust_remote_code}

    def window(self, max_tokens: int | None) -> int:
        """The tokens of a window: as set, else the model's limit, 384 where that is 512.

        A reader of DPR cuts longer passages, so its window is the limit.

        Raises:
            ConfigError: if more are set than the model allows.
        """
        limit = self.limit
        if max_tokens is None:
            return WINDOW if limit == USUAL_LIMIT and not self.is_dpr else limit
        if max_tokens > limit:
            raise ConfigError(
                f"max_tokens = {max_tokens}, but {self.checkpoint.name} reads {limit} at most"
            )
        return max_tokens

    @cached_property
    def limit(self) -> int:
        """The most tokens that the tokenizer and the model's positions allow."""
        config = self._model.config
        positions = getattr(config, "max_position_embeddings", None) or NO_LIMIT
        if str(config.model_type).removesuffix("-xl").endswith(OFFSET_POSITIONS):
            positions -= (config.pad_token_id or 0) + 1
        limit = int(min(positions, self.tokenizer.model_max_length))
        return limit if 0 < limit < NO_LIMIT else USUAL_LIMIT

    @cached_property
    def tokenizer(self) -> Any:
        """The fast tokenizer of the checkpoint.

        Raises:
            WeightsError: if it is not fast, or its windows do not begin with the question.
        """
        if self.is_dpr:  # the class that keeps capitals where the model's settings say so
            return load_tokenizer(self.checkpoint, kind=f"{DPR}TokenizerFast")
        tokenizer = shared_tokenizer(self.checkpoint, **self._code)
        if tokenizer.padding_side != "right":
            raise WeightsError(
                f"the tokenizer of {self.checkpoint.name} pads on the left: such models (XLNet) "
                "read the passage before the question, which is not supported"
            )
        return tokenizer

    def logits(
        self, rows: Sequence[Sequence[int]], segments: Sequence[Sequence[int]]
    ) -> NDArray[np.float32]:
        """(rows, padded tokens, 2): start and end of each token of windows of token ids.

        A reader of DPR has a third column, the relevance of the row's passage.
        """
        import torch

        ids, mask = pad(rows, value=self.tokenizer.pad_token_id or 0)
        inputs = {"input_ids": ids, "attention_mask": mask}
        if self._has_segments and all(segments):
            inputs["token_type_ids"] = pad(segments, value=0)[0]
        with torch.inference_mode(), autocast(self.dtype, weights=self._model.dtype):
            output = self._model(**inputs)
        columns = [output.start_logits, output.end_logits]
        if self.is_dpr:
            columns.append(output.relevance_logits[:, None].expand_as(columns[0]))
        result: NDArray[np.float32] = torch.stack(columns, dim=-1).float().cpu().numpy()
        return result

    def parameters(self) -> tuple[int, int]:
        """The number of parameters besides the word embeddings, and that of these."""
        words = int(self._model.get_input_embeddings().weight.numel())
        return sum(weight.numel() for weight in self._model.parameters()) - words, words

    @cached_property
    def _has_segments(self) -> bool:
        return (getattr(self._model.config, "type_vocab_size", 0) or 0) > 1 and (
            "token_type_ids" in inspect.signature(self._model.forward).parameters
        )

    @cached_property
    def _model(self) -> Any:
        kind = DPR if self.is_dpr else f"AutoModel{HEAD}"
        model = load(self.checkpoint, kind, optional=(), dtype=load_dtype(self.dtype), **self._code)
        if type(model).__module__.startswith("transformers.") and _code(self.checkpoint):
            announce(f"{self.checkpoint.name}: transformers' own class computes it, not its code")
        labels = getattr(getattr(model, "qa_outputs", None), "out_features", 2)
        if labels != 2:
            raise WeightsError(
                f"{self.checkpoint.name} has {labels} scores of a token, not those of start and end"
            )
        if "attention_mask" not in inspect.signature(model.forward).parameters:
            raise WeightsError(
                f"{self.checkpoint.name} ({type(model).__name__}) has no attention mask, so its "
                "scores would depend on padding"
            )
        return model.to(pick_device())


def _code(checkpoint: Checkpoint) -> dict[str, Any]:
    """The classes of the code that a model brings, by the auto class that loads each."""
    return dict(checkpoint.config.get("auto_map") or {})


def _architecture(checkpoint: Checkpoint, *, trusted: bool) -> str:
    """The architecture that a model's config names, which must be a reader of texts.

    It may be a class of the code that the model brings, if that is `trusted`.
    """
    name = checkpoint.architecture or HEAD
    if HEAD not in name and name != DPR:
        if f"AutoModel{HEAD}" in _code(checkpoint):
            if trusted:
                return name
            raise cannot_load(checkpoint, ValueError("custom code"))
        raise WeightsError(
            f"{checkpoint.name} is a {name}, not a reader; [reader] needs a model that was trained "
            f"for question answering (...{HEAD}, or {DPR})"
        )
    if name.startswith(PAGES):
        raise WeightsError(f"{checkpoint.name} is a {name}, which reads pages or images, not texts")
    return name
