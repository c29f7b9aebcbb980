"""Bi-encoders: texts to vectors, with one shared tower or two."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import ConfigError
from ..core.progress import Progress, silent
from ..io.files import digest
from .checkpoints import DEFAULT, resolve
from .encoder_settings import EncoderSettings, is_plugged
from .plugged import PluggedTower, TextEncoder, plugged
from .prompts import is_released
from .released import ReleasedTower
from .towers import Text, Tower, recipe_of
from .transforms import SIDES, Transform, open_transform

NOT_OF_OBJECTS = ("pooling", "max_tokens", "layer", "truncate_dim", "backend", "adapter")
NOT_OF_BARE = ("truncate_dim", "backend")
"""Settings that have no effect on the vectors of an object, or of a model without modules."""
AnyTower = Tower | ReleasedTower | PluggedTower


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

    def token_vectors(
        self, side: str, texts: Sequence[Text], *, progress: Progress = silent
    ) -> list[NDArray[np.float32]]:
        """Each text's token vectors (tokens, dimensions), from which its vector is pooled.

        `side` is "query" or "passage". Prefix and special tokens are included; the vectors have
        no unit length, and no transform is applied.
        """
        if side == "passage" and self.for_passages is not self:
            return self.for_passages.token_vectors(side, texts, progress=progress)
        tower = self._query_tower if side == "query" else self._passage_tower
        return tower.token_vectors(side, texts, self.settings.prefix(side), progress)

    @property
    def token_fingerprint(self) -> str:
        """A hash of what decides token vectors, which a transform of them is fitted for."""
        return digest("tokens", self._base_fingerprint, self.for_passages._base_fingerprint)

    @cached_property
    def for_passages(self) -> "Encoder":
        """The encoder of an index's vectors, see `EncoderSettings.indexed`."""
        indexed = self.settings.indexed()
        return self if indexed == self.settings else Encoder(indexed)

    @property
    def passage_fingerprint(self) -> str:
        """A hash of what decides the passages' token vectors and pooling, without transforms."""
        encoder = self.for_passages
        settings = encoder.settings.for_manifest() | {"model": None, "query_prefix": None}
        prefix = encoder.settings.prefix("passage")
        return digest(settings | {"passage_prefix": prefix}, encoder._passage_tower.sha)

    @property
    def dimensions(self) -> int:
        """The dimensions of the vectors."""
        return self._query_tower.dimensions

    @property
    def passage_dimensions(self) -> int:
        """The dimensions of the passages' vectors."""
        return self.for_passages._passage_tower.dimensions

    @property
    def has_segments(self) -> bool:
        """Whether the two texts of a passage that is a pair get segment ids (`towers`)."""
        tower = self.for_passages._passage_tower
        return isinstance(tower, Tower) and tower.has_segments

    @property
    def trained_with(self) -> Mapping[str, Any]:
        """The recipe in the card of its passages' adapter or checkpoint; empty without one."""
        tower = self.for_passages._passage_tower
        return _recipe(tower) if isinstance(tower, Tower) else {}

    def truncated(self, texts: Sequence[Text]) -> int:
        """The number of passages of which only the beginning is encoded."""
        tower = self.for_passages._passage_tower
        return tower.truncated(texts, self.for_passages.settings.prefix("passage"))

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
        tower = self._tower(other or self.settings.model, adapter)
        if tower.dimensions != self._query_tower.dimensions:
            raise ConfigError(
                f"{self.settings.name} has vectors of {self._query_tower.dimensions} dimensions, "
                f"{other} of {tower.dimensions}; name the two towers of one model"
            )
        return tower

    def _tower(self, model: str | TextEncoder, adapter: str | None) -> AnyTower:
        s = self.settings.completed()
        if is_plugged(model):
            if s.precision:
                raise ConfigError(
                    f"{s.name} decides itself how it computes; remove dtype and batch_tokens"
                )
            self._check_lacks(NOT_OF_OBJECTS, "an object of another library")
            encoder = plugged(model) if isinstance(model, str) else model
            return PluggedTower(encoder, normalize=s.normalize)
        checkpoint = resolve(str(model))
        if is_released(checkpoint.folder) and adapter is None and s.layer is None:
            return ReleasedTower(checkpoint, s)
        self._check_lacks(NOT_OF_BARE, "a model without modules of sentence-transformers")
        pooling, normalize = s.pooled(checkpoint.name)
        tower = Tower(
            checkpoint.name,
            adapter,
            pooling=pooling,
            normalize=normalize,
            max_tokens=s.max_tokens,
            dtype=s.dtype,
            layer=s.layer,
            batch_tokens=s.batch_tokens,
        )
        self._check_adapter(tower)
        return tower

    def _check_lacks(self, names: Sequence[str], kind: str) -> None:
        """Refuse settings that would have no effect."""
        for name in names:
            if getattr(self.settings, name) not in (None, "torch"):
                raise ConfigError(
                    f"{name} has no effect on {self.settings.name}, {kind}; remove {name}"
                )

    def _check_adapter(self, tower: Tower) -> None:
        """Refuse settings other than those that an adapter or checkpoint was trained with."""
        trained_with, kind = _recipe(tower), "adapter" if tower.adapter else "checkpoint"
        prefixes = {f"{side}_prefix": self.settings.prefix(side) for side in SIDES}
        current = {"pooling": tower.pooling, "normalize": tower.normalize, **prefixes}
        for name, value in current.items():
            if trained_with.get(name, value) != value:
                raise ConfigError(
                    f"{kind} '{tower.adapter_name or tower.checkpoint.name}' was trained with "
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


def _recipe(tower: Tower) -> Mapping[str, Any]:
    """The recipe of a tower's adapter, or of its checkpoint."""
    if tower.adapter is None:
        return recipe_of(tower.checkpoint)
    recipe: Mapping[str, Any] = tower.adapter.card.get("recipe", {})
    return recipe
