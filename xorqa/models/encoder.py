"""Texts to vectors: pooling, prefixes, and one shared tower or two are its properties."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.errors import ConfigError, one_of
from ..io.files import digest
from .adapters import open_adapter, shipped
from .batches import by_length
from .checkpoints import DEFAULT
from .towers import POOLINGS, Text, Tower
from .transforms import SIDES, Transform, open_transform

if TYPE_CHECKING:
    from numpy.typing import NDArray

HASHED = ("adapter", "passage_adapter", "transform")  # files, known by what they hold


@dataclass(frozen=True, slots=True)
class EncoderSettings:
    """What decides the vectors of a text.

    `passage_tower` names a second model for passages (DPR), `passage_adapter` another adapter
    for them; without either one tower serves both. An adapter is a trained change of its
    tower. Prefixes default to E5's ("query: ", "passage: ") for E5 models, else to none.
    `pooling` is "mean" over tokens, "cls" (the first token) or "pooler" (the model's own).
    `transform` takes away what only tells the language (`models.transforms`).
    """

    model: str = DEFAULT
    passage_tower: str | None = None
    pooling: str = "mean"
    query_prefix: str | None = None
    passage_prefix: str | None = None
    normalize: bool = True
    max_tokens: int = 512
    dtype: str = "auto"
    adapter: str | None = None
    passage_adapter: str | None = None
    transform: str | None = None

    def prefix(self, side: str) -> str:
        """What stands before a "query" or a "passage"."""
        given = self.query_prefix if side == "query" else self.passage_prefix
        if given is not None:
            return given
        return f"{side}: " if "e5-" in self.model.lower() else ""

    def described(self) -> dict[str, Any]:
        """What an index says of them: neither the precision nor the names of hashed files."""
        table = asdict(self)
        for name in ("dtype", *HASHED):  # another dtype: the same vectors up to rounding
            del table[name]
        if self.adapter or self.passage_adapter:  # a card names the prefixes, defaults or not
            table |= {f"{side}_prefix": self.prefix(side) for side in SIDES}
        return table


def encoder_settings(name: str) -> EncoderSettings:
    """The settings of an encoder: a checkpoint, or an adapter (shipped, or a .safetensors file).

    An adapter's card tells its pooling and prefixes.

    Raises:
        WeightsError: if an adapter is for another task or another base.
    """
    if name not in shipped() and not name.endswith(".safetensors"):
        return EncoderSettings(name)
    adapter = open_adapter(name, task="encoder")
    recipe = adapter.card.get("recipe", {})
    told = ("pooling", "normalize", "query_prefix", "passage_prefix")
    own = {option: recipe[option] for option in told if option in recipe}
    return EncoderSettings(adapter.base.name, adapter=name, **own)


class Encoder:
    """A bi-encoder. Weights load on first use.

    Karpukhin et al. 2020 (DPR), section 3; Wang et al. 2024 (multilingual E5), section 2.
    """

    def __init__(self, settings: EncoderSettings | None = None) -> None:
        self.settings = settings or EncoderSettings()
        if self.settings.pooling not in POOLINGS:
            raise ConfigError(
                f"no pooling is called '{self.settings.pooling}'; there are: {one_of(POOLINGS)}"
            )
        if self.settings.transform and not self.settings.normalize:
            raise ConfigError("a transform makes unit vectors, so it needs normalize = true")

    def fingerprint(self) -> str:
        """A hash of the settings, of both towers' weights, and of the transform if there is one."""
        own = self._untransformed
        return digest(own, self._transform.fingerprint()) if self._transform else own

    def queries(
        self, texts: Sequence[str], langs: Sequence[str] | None = None
    ) -> NDArray[np.float32]:
        """Vectors (texts, dimensions) of what is searched with.

        Raises:
            ConfigError: if there is a transform but `langs`, one a text, are not given.
        """
        self._check(langs)
        vectors = self._encode(self._query_tower, self.settings.prefix("query"), texts)
        return self._transformed(vectors, langs, "query")

    def passages(
        self,
        texts: Sequence[Text],
        langs: Sequence[str] | None = None,
        *,
        progress: Callable[[int], None] = lambda done: None,
    ) -> NDArray[np.float32]:
        """Vectors (texts, dimensions) of what is searched; `progress` hears of texts done.

        A pair of title and text is encoded as the tokenizer's pair, the prefix before it.

        Raises:
            ConfigError: if there is a transform but `langs`, one a text, are not given.
        """
        self._check(langs)
        prefix = self.settings.prefix("passage")
        vectors = self._encode(self._passage_tower, prefix, texts, progress)
        return self._transformed(vectors, langs, "passage")

    def tokens(self, texts: Sequence[str]) -> list[tuple[str, int]]:
        """Each text with its number of tokens, the two that mark its ends among them."""
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
        tower = Tower(model, adapter, pooling=s.pooling, normalize=s.normalize, dtype=s.dtype)
        trained = tower.adapter.card.get("recipe", {}) if tower.adapter else {}
        own = {
            "pooling": s.pooling,
            "normalize": s.normalize,
            **{f"{side}_prefix": s.prefix(side) for side in SIDES},
        }
        for name, value in own.items():
            if trained.get(name, value) != value:
                raise ConfigError(
                    f"adapter '{adapter}' was trained with {name} = {trained[name]!r}, "
                    f"but the encoder has {value!r}"
                )
        return tower

    @cached_property
    def _untransformed(self) -> str:
        settings = self.settings.described()
        return digest(settings, self._query_tower.sha, self._passage_tower.sha)

    @cached_property
    def _transform(self) -> Transform | None:
        name = self.settings.transform
        return open_transform(name, encoder=self._untransformed) if name else None

    def _check(self, langs: Sequence[str] | None) -> None:
        if self.settings.transform and langs is None:
            raise ConfigError(
                f"transform '{self.settings.transform}' goes by language: "
                "give the language of every text"
            )

    def _transformed(
        self, vectors: NDArray[np.float32], langs: Sequence[str] | None, side: str
    ) -> NDArray[np.float32]:
        if self._transform is None or langs is None:
            return vectors
        return self._transform.apply(vectors, langs, side=side)

    def _encode(
        self,
        tower: Tower,
        prefix: str,
        texts: Sequence[Text],
        progress: Callable[[int], None] = lambda done: None,
    ) -> NDArray[np.float32]:
        rows = tower.tokenize(
            [_prefixed(prefix, text) for text in texts], limit=self.settings.max_tokens
        )
        vectors = np.zeros((len(texts), tower.dimensions), np.float32)
        done = 0
        for batch in by_length([len(row) for row in rows], step=tower.step):
            vectors[batch] = tower.embed([rows[index] for index in batch])
            done += len(batch)
            progress(done)
        return vectors


def _prefixed(prefix: str, text: Text) -> Text:
    return prefix + text if isinstance(text, str) else (prefix + text[0], text[1])
