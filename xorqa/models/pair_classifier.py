"""Classifiers of text pairs by name: sequence classifiers, and adapters of rankers."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from ..core.errors import WeightsError
from ..io.files import read_json
from .adapters import Adapter, merge, open_adapter, shipped
from .batches import by_length, pad, step_for
from .bert import load_token_classifier
from .checkpoints import Checkpoint, load, load_tokenizer, resolve
from .device import autocast, pick_device, pick_dtype

TASK = "ranker"
DEFAULT_RANKER = "ranker-questions"


@dataclass(frozen=True, slots=True)
class PairClassifierSettings:
    """The settings of a `PairClassifier`; `max_tokens` is the most of both texts together."""

    model: str
    max_tokens: int
    dtype: str


@cache
def shared(settings: PairClassifierSettings) -> "PairClassifier":
    """One classifier for all stages with the same settings, so weights load once."""
    return PairClassifier(settings)


class PairClassifier:
    """Scores pairs of texts with one logit, or with the difference of two; loads on first use.

    An adapter of a ranker changes an encoder, and its logit is that of the first token.
    """

    def __init__(self, settings: PairClassifierSettings) -> None:
        self.settings = settings

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """One score per pair; a higher one means more relevant.

        Raises:
            WeightsError: if the model is not a sequence classifier with one or two labels.
        """
        if not pairs:
            return []
        encoded = self._tokenizer(
            [first for first, _ in pairs],
            [second for _, second in pairs],
            truncation="longest_first",
            max_length=self.settings.max_tokens,
        )
        scores = [0.0] * len(pairs)
        for batch in by_length([len(row) for row in encoded["input_ids"]], step=self._step):
            for index, score in zip(batch, self._logits(encoded, batch), strict=True):
                scores[index] = score
        return scores

    @property
    def sha(self) -> str:
        """A hash of the weights."""
        adapter = self._adapter
        return self._checkpoint.sha if adapter is None else f"{adapter.sha}-{adapter.base.sha}"

    def _logits(self, encoded: Any, batch: Sequence[int]) -> list[float]:
        """The scores of the pairs at these positions."""
        import torch

        filling = {"input_ids": self._tokenizer.pad_token_id or 0}
        inputs = {
            name: pad(
                [rows[index] for index in batch], value=filling.get(name, 0), step=self._step
            )[0]
            for name, rows in encoded.items()
        }
        with torch.inference_mode(), autocast(self.settings.dtype):
            logits = self._model(**inputs).logits.float()
        if self._adapter is not None:
            logits = logits[:, 0]  # of the first token
        scores = logits[:, 0] if logits.shape[1] == 1 else logits[:, 1] - logits[:, 0]
        return [float(score) for score in scores.cpu()]

    @cached_property
    def _adapter(self) -> Adapter | None:
        name = self.settings.model
        is_file = name in shipped() or name.endswith(".safetensors")
        return open_adapter(name, task=TASK) if is_file else None

    @cached_property
    def _checkpoint(self) -> Checkpoint:
        return self._adapter.base if self._adapter else resolve(self.settings.model)

    @cached_property
    def _tokenizer(self) -> Any:
        return load_tokenizer(self._checkpoint)

    @cached_property
    def _step(self) -> int:
        return step_for(pick_dtype(self.settings.dtype))

    @cached_property
    def _model(self) -> Any:
        if self._adapter is not None:
            model = load_token_classifier(self._checkpoint, labels=1)
            merge(model, self._adapter)
        else:
            _check_labels(self._checkpoint)
            model = load(self._checkpoint, "AutoModelForSequenceClassification")
        return model.to(pick_device())


def _check_labels(checkpoint: Checkpoint) -> None:
    """Reject a model whose classifier would be initialised at random, or has other labels."""
    config = read_json(checkpoint.path / "config.json")
    names = config.get("architectures") or ["unknown"]
    labels = len(config.get("id2label") or (0, 1))  # two are the default of transformers
    if not str(names[0]).endswith("ForSequenceClassification") or labels > 2:
        raise WeightsError(
            f"{checkpoint.name} is a {names[0]} with {labels} labels; a cross-encoder needs a "
            "sequence classifier with one or two labels"
        )
