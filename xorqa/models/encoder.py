"""Bi-encoders: texts to vectors, with one shared tower or two."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..core.errors import ConfigError, WeightsError
from ..core.named import import_named
from ..core.progress import Progress, silent
from ..core.validation import Count, CountOrZero
from ..io.files import digest
from .adapters import CARD, open_adapter, shipped
from .checkpoints import DEFAULT, resolve
from .plugged import PluggedTower, TextEncoder, plugged_name
from .released import E5, ReleasedTower, is_released, prompt
from .towers import Text, Tower, family_of
from .transforms import SIDES, Transform, open_transform

NOT_OF_VECTORS = ("dtype", "adapter", "passage_adapter", "transform")
"""Settings that a manifest leaves out: a precision that only rounds, and files known by hash."""
BUNDLED: dict[str, Any] = {"pooling": "mean", "normalize": True, "max_tokens": 512}
"""What the bundled encoder and adapters compute with."""
AnyTower = Tower | ReleasedTower | PluggedTower


@dataclass(frozen=True, slots=True)
class EncoderSettings:
    """The settings that determine the vectors of a text.

    `model` is the bundled encoder, a folder, a model of the hub, `package.module:Class`, or an
    object with `encode_query` and `encode_document`. A model with modules of its own
    (`models.released`) needs no other setting; what is set overrides what the model has. A bare
    transformers checkpoint needs `pooling`: "mean" over tokens, "cls" (the first token) or
    "pooler" (the model's pooling layer).

    `passage_tower` names a second model for passages (DPR), `passage_adapter` another adapter
    for them; without either, queries and passages share one tower. `normalize` gives vectors unit
    length. `max_tokens` is the most of a text, by default the model's own limit. `transform`
    removes language information from the vectors (`models.transforms`). `layer` pools the output
    of that layer, 0 for the token embeddings, instead of the last one. `truncate_dim` keeps the
    first dimensions only (Matryoshka). `trust_remote_code` runs the code that a model brings.
    """

    model: str | TextEncoder = DEFAULT
    passage_tower: str | None = None
    pooling: str | None = None
    query_prefix: str | None = None
    passage_prefix: str | None = None
    normalize: bool | None = None
    max_tokens: Count | None = None
    dtype: str = "auto"
    adapter: str | None = None
    passage_adapter: str | None = None
    transform: str | None = None
    layer: CountOrZero | None = None
    truncate_dim: Count | None = None
    backend: Literal["torch", "onnx", "openvino"] = "torch"
    trust_remote_code: bool = False

    def given_prefix(self, side: str) -> str | None:
        """The prefix that is set for a "query" or a "passage"."""
        return self.query_prefix if side == "query" else self.passage_prefix

    @property
    def name(self) -> str:
        """The model's name; that of an object is the one of its class."""
        return self.model if isinstance(self.model, str) else plugged_name(self.model)

    def prefix(self, side: str) -> str:
        """The text before each query or passage: as set, or else the model's own prompt."""
        given = self.given_prefix(side)
        name = (side == "passage" and self.passage_tower) or self.name
        if given is not None or is_plugged(self.model):
            return given or ""
        if name == DEFAULT:
            return E5[side == "passage"]
        return prompt(name, resolve(name).path, side)

    def completed(self) -> "EncoderSettings":
        """With the pooling, normalisation and length of the bundled encoder and of adapters."""
        if self.name != DEFAULT and not self.adapter and not self.passage_adapter:
            return self
        missing = {name: BUNDLED[name] for name in BUNDLED if getattr(self, name) is None}
        return replace(self, **missing)

    def pooled(self, name: str) -> tuple[str, bool]:
        """The pooling of a model without modules, and whether its vectors get unit length."""
        settings = self.completed()
        if settings.pooling is not None and settings.normalize is not None:
            return settings.pooling, settings.normalize
        pooling, normalize = family_of(resolve(name), settings.pooling)
        given = settings.normalize
        return settings.pooling or pooling, normalize if given is None else given

    def for_manifest(self) -> dict[str, Any]:
        """The settings an index manifest stores: those that decide its vectors, but no hashes."""
        completed = self.completed()
        table = {option.name: getattr(completed, option.name) for option in fields(self)}
        settings = {name: table[name] for name in table if name not in NOT_OF_VECTORS}
        for name in ("layer", "truncate_dim"):
            if settings[name] is None:
                del settings[name]
        for name, default in (("backend", "torch"), ("trust_remote_code", False)):
            if settings[name] == default:
                del settings[name]
        if self.name != DEFAULT or self.adapter or self.passage_adapter:
            settings |= {f"{side}_prefix": self.prefix(side) for side in SIDES}
        return settings | {"model": self.name}

    def indexed(self) -> "EncoderSettings":
        """The settings of an index's vectors: without an adapter that is for queries only.

        The card of such an adapter (`xorqa train query-encoder`) names the side "query"; every
        index of its base serves it.
        """
        if self.adapter is None or self.passage_adapter or self.passage_tower:
            return self
        card = open_adapter(self.adapter, task="encoder").card
        is_for_queries = card.get("recipe", {}).get("side") == "query"
        return replace(self, adapter=None) if is_for_queries else self


def encoder_settings(name: str) -> EncoderSettings:
    """The settings of an encoder: a checkpoint, or an adapter (shipped, or a .safetensors file).

    An adapter's card provides its pooling and prefixes.

    Raises:
        WeightsError: if an adapter is for another task or another base.
    """
    if name not in shipped() and not name.endswith(".safetensors"):
        return EncoderSettings(name)
    adapter = open_adapter(name, task="encoder")
    recipe = adapter.card.get("recipe", {})
    if not isinstance(recipe, Mapping):
        raise WeightsError(f"{adapter.path} is damaged: its card's recipe is not a table")
    options = ("pooling", "normalize", "query_prefix", "passage_prefix")
    trained_with = {option: recipe[option] for option in options if option in recipe}
    table = {"model": adapter.base.name, "adapter": name, **trained_with}
    return CARD.fill(EncoderSettings, table, where=f"{adapter.path} is damaged: its card's")


class Encoder:
    """A bi-encoder. Weights load on first use.

    Karpukhin et al. 2020 (DPR), section 3; Wang et al. 2024 (multilingual E5).
    """

    def __init__(self, settings: EncoderSettings | None = None) -> None:
        self.settings = settings or EncoderSettings()
        if self.settings.layer is not None and self.settings.pooling == "pooler":
            raise ConfigError("pooling = 'pooler' pools the last layer; remove layer")
        if self.settings.transform and self.settings.normalize is False:
            raise ConfigError("a transform returns unit vectors, so it needs normalize = true")

    def fingerprint(self) -> str:
        """A hash of the settings, both towers' weights and the transform."""
        base = self._base_fingerprint
        return digest(base, self._transform.fingerprint()) if self._transform else base

    def queries(
        self, texts: Sequence[str], langs: Sequence[str] | None = None
    ) -> NDArray[np.float32]:
        """Encode queries as vectors (texts, dimensions).

        Raises:
            ConfigError: if the encoder has a transform, which needs the `langs` of the texts.
        """
        return self._encode("query", texts, langs)

    def passages(
        self,
        texts: Sequence[Text],
        langs: Sequence[str] | None = None,
        *,
        progress: Progress = silent,
    ) -> NDArray[np.float32]:
        """Encode passages as vectors (texts, dimensions).

        A (title, text) pair is encoded as a tokenizer pair, prefixed once. `progress` is called
        after each batch with the number of tokens encoded and their total.

        Raises:
            ConfigError: if the encoder has a transform, which needs the `langs` of the texts.
        """
        if self.for_passages is not self:
            return self.for_passages.passages(texts, langs, progress=progress)
        return self._encode("passage", texts, langs, progress)

    @cached_property
    def for_passages(self) -> "Encoder":
        """The encoder of an index's vectors, see `EncoderSettings.indexed`."""
        indexed = self.settings.indexed()
        return self if indexed == self.settings else Encoder(indexed)

    @property
    def dimensions(self) -> int:
        """The dimensions of the vectors."""
        return self._query_tower.dimensions

    @property
    def passage_dimensions(self) -> int:
        """The dimensions of the passages' vectors."""
        return self.for_passages._passage_tower.dimensions

    def tokens(self, texts: Sequence[str]) -> list[tuple[str, int]]:
        """Each text with its number of tokens, special tokens included."""
        return list(zip(texts, self._query_tower.count_tokens(texts), strict=True))

    @cached_property
    def _query_tower(self) -> AnyTower:
        return self._tower(self.settings.model, self.settings.adapter)

    @cached_property
    def _passage_tower(self) -> AnyTower:
        other, adapter = self.settings.passage_tower, self.settings.passage_adapter
        if other is None and adapter is None:
            return self._query_tower
        return self._tower(other or self.settings.model, adapter)

    def _tower(self, model: str | TextEncoder, adapter: str | None) -> AnyTower:
        s = self.settings.completed()
        if is_plugged(model):
            encoder = import_named(model, {}, kind="encoder")() if isinstance(model, str) else model
            return PluggedTower(encoder, normalize=s.normalize)
        checkpoint = resolve(str(model))
        if is_released(checkpoint.folder) and adapter is None and s.layer is None:
            return ReleasedTower(checkpoint, s)
        pooling, normalize = s.pooled(checkpoint.name)
        tower = Tower(
            checkpoint.name,
            adapter,
            pooling=pooling,
            normalize=normalize,
            max_tokens=s.max_tokens,
            dtype=s.dtype,
            layer=s.layer,
        )
        self._check_adapter(tower)
        return tower

    def _check_adapter(self, tower: Tower) -> None:
        """Refuse settings other than those that a tower's adapter was trained with."""
        if tower.adapter is None:
            return
        trained_with = tower.adapter.card.get("recipe", {})
        prefixes = {f"{side}_prefix": self.settings.prefix(side) for side in SIDES}
        current = {"pooling": tower.pooling, "normalize": tower.normalize, **prefixes}
        for name, value in current.items():
            if trained_with.get(name, value) != value:
                raise ConfigError(
                    f"adapter '{tower.adapter_name}' was trained with "
                    f"{name} = {trained_with[name]!r}, but the encoder has {value!r}"
                )

    @cached_property
    def _base_fingerprint(self) -> str:
        settings = self.settings.for_manifest()
        if self.settings.adapter is None and self.settings.name != DEFAULT:
            settings |= {"model": None, "passage_tower": None}  # a folder may move
        return digest(settings, self._query_tower.sha, self._passage_tower.sha)

    @cached_property
    def _transform(self) -> Transform | None:
        name = self.settings.transform
        return open_transform(name, encoder=self.for_passages._base_fingerprint) if name else None

    def _encode(
        self,
        side: str,
        texts: Sequence[Text],
        langs: Sequence[str] | None,
        progress: Progress = silent,
    ) -> NDArray[np.float32]:
        if self.settings.transform and langs is None:
            raise ConfigError(
                f"transform '{self.settings.transform}' depends on the language: "
                "pass the language of every text"
            )
        tower = self._query_tower if side == "query" else self._passage_tower
        vectors = tower.encode(side, texts, self.settings.prefix(side), progress)
        if self._transform is None or langs is None:
            return vectors
        return self._transform.apply(vectors, langs, side=side)


def is_plugged(model: str | TextEncoder) -> bool:
    """Whether a model is an object, or the name of a class of others."""
    return not isinstance(model, str) or (":" in model and not model.startswith((".", "/", "~")))
