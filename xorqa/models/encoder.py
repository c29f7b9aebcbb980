"""Bi-encoders: texts to vectors, with one shared tower or two."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import ConfigError, WeightsError, one_of
from ..core.progress import Progress, silent
from ..core.validation import Count, CountOrZero
from ..io.files import digest
from .adapters import CARD, open_adapter, shipped
from .batches import by_length
from .checkpoints import DEFAULT
from .towers import POOLINGS, Text, Tower
from .transforms import SIDES, Transform, open_transform

HASHED = ("adapter", "passage_adapter", "transform")  # files, identified by their content


@dataclass(frozen=True, slots=True)
class EncoderSettings:
    """The settings that determine the vectors of a text.

    `passage_tower` names a second model for passages (DPR), `passage_adapter` another adapter
    for them; without either, queries and passages share one tower. Prefixes default to E5's
    ("query: ", "passage: ") for E5 models, else to none. `pooling` is "mean" over tokens, "cls"
    (the first token) or "pooler" (the model's pooling layer). `transform` removes language
    information from the vectors (`models.transforms`). `layer` pools the output of that layer, 0
    for the token embeddings, instead of the last one.
    """

    model: str = DEFAULT
    passage_tower: str | None = None
    pooling: str = "mean"
    query_prefix: str | None = None
    passage_prefix: str | None = None
    normalize: bool = True
    max_tokens: Count = 512
    dtype: str = "auto"
    adapter: str | None = None
    passage_adapter: str | None = None
    transform: str | None = None
    layer: CountOrZero | None = None

    def prefix(self, side: str) -> str:
        """The prefix of a "query" or a "passage"."""
        prefix = self.query_prefix if side == "query" else self.passage_prefix
        if prefix is not None:
            return prefix
        return f"{side}: " if "e5-" in self.model.lower() else ""

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

    def for_manifest(self) -> dict[str, Any]:
        """The settings an index manifest stores: without the precision and hashed files."""
        settings = asdict(self)
        for name in ("dtype", *HASHED):  # the precision changes vectors only by rounding
            del settings[name]
        if self.layer is None:
            del settings["layer"]
        if self.adapter or self.passage_adapter:  # a card names the prefixes, defaults or not
            settings |= {f"{side}_prefix": self.prefix(side) for side in SIDES}
        return settings


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
        if self.settings.pooling not in POOLINGS:
            raise ConfigError(
                f"no pooling is called '{self.settings.pooling}'; valid: {one_of(POOLINGS)}"
            )
        if self.settings.layer is not None and self.settings.pooling == "pooler":
            raise ConfigError("pooling = 'pooler' pools the last layer; remove layer")
        if self.settings.transform and not self.settings.normalize:
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
        rows = self._query_tower.tokenize(texts, limit=self.settings.max_tokens)
        return [(text, len(row)) for text, row in zip(texts, rows, strict=True)]

    @cached_property
    def _query_tower(self) -> Tower:
        return self._tower(self.settings.model, self.settings.adapter)

    @cached_property
    def _passage_tower(self) -> Tower:
        other, adapter = self.settings.passage_tower, self.settings.passage_adapter
        if other is None and adapter is None:
            return self._query_tower
        return self._tower(other or self.settings.model, adapter)

    def _tower(self, model: str, adapter: str | None) -> Tower:
        s = self.settings
        tower = Tower(
            model,
            adapter,
            pooling=s.pooling,
            normalize=s.normalize,
            dtype=s.dtype,
            layer=s.layer,
        )
        trained_with = tower.adapter.card.get("recipe", {}) if tower.adapter else {}
        prefixes = {f"{side}_prefix": s.prefix(side) for side in SIDES}
        current = {"pooling": s.pooling, "normalize": s.normalize, **prefixes}
        for name, value in current.items():
            if trained_with.get(name, value) != value:
                raise ConfigError(
                    f"adapter '{adapter}' was trained with {name} = {trained_with[name]!r}, "
                    f"but the encoder has {value!r}"
                )
        return tower

    @cached_property
    def _base_fingerprint(self) -> str:
        settings = self.settings.for_manifest()
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
        prefixed = [_prefixed(self.settings.prefix(side), text) for text in texts]
        rows = tower.tokenize(prefixed, limit=self.settings.max_tokens)
        vectors = np.zeros((len(texts), tower.dimensions), np.float32)
        lengths = [len(row) for row in rows]
        done, total = 0, sum(lengths)
        for batch in by_length(lengths, step=tower.step):
            vectors[batch] = tower.embed([rows[index] for index in batch])
            done += sum(lengths[index] for index in batch)
            progress(done, total)
        if self._transform is None or langs is None:
            return vectors
        return self._transform.apply(vectors, langs, side=side)


def _prefixed(prefix: str, text: Text) -> Text:
    return prefix + text if isinstance(text, str) else (prefix + text[0], text[1])
