"""Text encoders that are models: checkpoints, adapters and document heads, with options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ...core.errors import ConfigError, one_of
from ...models.encoder import Encoder
from ...models.encoder_settings import EncoderSettings, encoder_settings
from ...models.transforms import is_kind
from ..common.transforms import fit_transform
from .document_head.model import concatenated, is_document_head, open_document_head
from .once_per_side import Floats, OncePerSide
from .texts import Texts

FIELDS = ("title", "both")


class ModelEncoder(OncePerSide):
    """A model that encodes the texts of each language once, all as queries."""

    def __init__(self, name: str, options: Mapping[str, str]) -> None:
        super().__init__()
        self._name = name
        self._head = open_document_head(name) if is_document_head(name) else None
        if self._head and options:
            raise ConfigError(f"{name} is a document head, which has no options")
        self._kind = options.get("transform", "")
        self._fields = chosen_fields(options)
        self._encoder = self._head.encoder if self._head else Encoder(_settings(name, options))

    def __call__(self, source: Texts, target: Texts) -> tuple[Floats, Floats]:
        """Vectors of source and target texts."""
        first, second = self.vectors_of(source), self.vectors_of(target)
        if not is_kind(self._kind):
            return first, second
        keys = (source.lang, "query"), (target.lang, "query")
        transform = fit_transform(dict(zip(keys, (first, second), strict=True)), self._kind)
        return (
            transform.apply(first, [source.lang] * len(first), side="query"),
            transform.apply(second, [target.lang] * len(second), side="query"),
        )

    def _encode(self, side: Texts) -> Floats:
        langs = [side.lang] * len(side.texts)
        titles = self._encoder.queries(side.texts, langs)
        if not self._head and self._fields == FIELDS[0]:
            return titles
        bodies = self._encoder.queries(side.whole_bodies(self._name), langs)
        return (self._head or concatenated)(titles, bodies)


def chosen_fields(options: Mapping[str, str]) -> str:
    """The option `fields`. Raises ConfigError."""
    fields = options.get("fields", FIELDS[0])
    if fields not in FIELDS:
        raise ConfigError(f"fields={fields} is not valid; valid: {one_of(FIELDS)}")
    return fields


def _settings(name: str, options: Mapping[str, str]) -> EncoderSettings:
    """The settings of the encoder; both sides are encoded as queries."""
    settings = encoder_settings(name)
    layer, transform = (options.get(key) for key in ("layer", "transform"))
    if layer is not None and not layer.isdecimal():
        raise ConfigError(f"layer={layer} is not a number")
    return replace(
        settings,
        layer=int(layer) if layer is not None else None,
        pooling=options.get("pooling", settings.pooling),
        transform=transform if transform and not is_kind(transform) else None,
    )
