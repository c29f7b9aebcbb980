"""Question-answering models as released: `AutoModelForQuestionAnswering` of transformers.

They score, for each token of a window, whether the answer starts or ends there.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..core.errors import ConfigError, WeightsError
from ..io.files import read_json
from .batches import pad
from .checkpoints import Checkpoint, load, resolve, shared_tokenizer
from .device import autocast, pick_device

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

HEAD = "ForQuestionAnswering"
WINDOW = 384  # tokens, as in the recipes of models that allow 512 (Devlin et al. 2019 and later)
USUAL_LIMIT = 512
NO_LIMIT = 1_000_000  # tokenizers without a limit name a far larger one
OFFSET_POSITIONS = ("roberta", "camembert", "xmod", "mpnet", "longformer", "ibert", "data2vec-text")
"""Types of models, by the end of their names, whose positions begin after the padding's id."""


class QuestionAnsweringModel:
    """A question-answering model with its tokenizer; both load on first use.

    Raises:
        WeightsError: if its config.json names another kind of model.
    """

    def __init__(self, name: str) -> None:
        self.checkpoint = resolve(name)
        _check_head(self.checkpoint)

    def window(self, max_tokens: int | None) -> int:
        """The tokens of a window: as set, else the model's limit, 384 where that is 512.

        Raises:
            ConfigError: if more are set than the model allows.
        """
        limit = self.limit
        if max_tokens is None:
            return WINDOW if limit == USUAL_LIMIT else limit
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
        tokenizer = shared_tokenizer(self.checkpoint)
        if tokenizer.padding_side != "right":
            raise WeightsError(
                f"the tokenizer of {self.checkpoint.name} pads on the left: such models (XLNet) "
                "read the passage before the question, which is not supported"
            )
        return tokenizer

    def logits(
        self, rows: Sequence[Sequence[int]], segments: Sequence[Sequence[int]], *, dtype: str
    ) -> NDArray[np.float32]:
        """(rows, padded tokens, 2): start and end of each token of windows of token ids.

        Raises:
            WeightsError: if the model has other outputs.
        """
        import torch

        ids, mask = pad(rows, value=self.tokenizer.pad_token_id or 0)
        inputs = {"input_ids": ids, "attention_mask": mask}
        if self._has_segments and all(segments):
            inputs["token_type_ids"] = pad(segments, value=0)[0]
        with torch.inference_mode(), autocast(dtype):
            output = self._model(**inputs)
        scores = torch.stack([output.start_logits, output.end_logits], dim=-1)
        result: NDArray[np.float32] = scores.float().cpu().numpy()
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
        model = load(self.checkpoint, f"AutoModel{HEAD}", optional=())
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


def _check_head(checkpoint: Checkpoint) -> None:
    path = checkpoint.path / "config.json"
    config = read_json(path) if path.is_file() else {}
    architecture = str((config.get("architectures") or [HEAD])[0])
    if HEAD not in architecture:
        raise WeightsError(
            f"{checkpoint.name} is a {architecture}, not a reader; [reader] needs a model that was "
            f"trained for question answering (...{HEAD})"
        )
