"""The settings of a model that scores pairs of texts."""

from dataclasses import dataclass

from .device import Dtype


@dataclass(frozen=True, slots=True)
class PairClassifierSettings:
    """The settings of a `PairClassifier`.

    None leaves a value to the model: `max_tokens` of both texts together, and the `prompt`.
    `tokens` are those of a monoT5 for "not relevant" and "relevant"; none: the released ones.
    `dtype` and `batch_tokens` are those of an encoder (`EncoderSettings`).
    """

    model: str
    max_tokens: int | None
    dtype: Dtype
    prompt: str | None = None
    tokens: tuple[str, ...] = ()
    trust_remote_code: bool = False
    batch_tokens: int | None = None
