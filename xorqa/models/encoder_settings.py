"""The settings of a bi-encoder, and those of a model by its name."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

from ..core.errors import WeightsError
from ..core.validation import SETTINGS, Count, CountOrZero
from .adapters import CARD, open_adapter, shipped
from .checkpoints import DEFAULT, resolve
from .device import Dtype, WithPrecision
from .plugged import TextEncoder, plugged_name
from .prompts import E5, WithPrefixes, prompt
from .towers import family_of
from .transforms import SIDES

NOT_OF_VECTORS = ("dtype", "batch_tokens", "adapter", "passage_adapter", "transform")
"""Settings that a manifest leaves out: those that only round, and files known by hash."""
BUNDLED: dict[str, Any] = {"pooling": "mean", "normalize": True, "max_tokens": 512}
"""What the bundled encoder and adapters compute with."""


@dataclass(frozen=True, slots=True)
class EncoderSettings(WithPrefixes, WithPrecision):
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
    `dtype` is the precision (`models.device`); `batch_tokens` are computed at a time, padding
    included.
    """

    model: str | TextEncoder = DEFAULT
    passage_tower: str | None = None
    pooling: str | None = None
    query_prefix: str | None = None
    passage_prefix: str | None = None
    normalize: bool | None = None
    max_tokens: Count | None = None
    dtype: Dtype = "auto"
    adapter: str | None = None
    passage_adapter: str | None = None
    transform: str | None = None
    layer: CountOrZero | None = None
    truncate_dim: Count | None = None
    backend: Literal["torch", "onnx", "openvino"] = "torch"
    trust_remote_code: bool = False
    batch_tokens: Count | None = None

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

    def prompts_in_use(self) -> str:
        """What is put before each query and each passage, for an announcement."""
        query, passage = (self.prefix(side) for side in SIDES)
        return f"{self.name}: queries begin with {query!r}, passages with {passage!r}"

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
    """The settings of an encoder: a model, or an adapter (shipped, or a .safetensors file).

    Settings may follow the name, as in `owner/model,pooling=cls,max_tokens=256`. An adapter's
    card provides its pooling and prefixes.

    Raises:
        ConfigError: for a setting that an encoder does not have.
        WeightsError: if an adapter is for another task or another base.
    """
    name, given = settings_in_name(name)
    if name not in shipped() and not name.endswith(".safetensors"):
        return SETTINGS.fill(EncoderSettings, {"model": name, **given}, where=f"encoder {name}:")
    adapter = open_adapter(name, task="encoder")
    recipe = adapter.card.get("recipe", {})
    if not isinstance(recipe, Mapping):
        raise WeightsError(f"{adapter.path} is damaged: its card's recipe is not a table")
    options = ("pooling", "normalize", "query_prefix", "passage_prefix")
    trained_with = {option: recipe[option] for option in options if option in recipe}
    table = {"model": adapter.base.name, "adapter": name, **trained_with}
    settings = CARD.fill(EncoderSettings, table, where=f"{adapter.path} is damaged: its card's")
    changed = SETTINGS.fill(EncoderSettings, {**table, **given}, where=f"encoder {name}:")
    return changed if given else settings


def settings_in_name(name: str) -> tuple[str, dict[str, Any]]:
    """A model's name, and the settings that follow it: `owner/model,pooling=cls,max_tokens=256`."""
    name, *assignments = re.split(r",(?=\w+=)", name)
    items = (item.partition("=") for item in assignments)
    return name, {key: _value(text) for key, _, text in items}


def _value(text: str) -> str | int | bool:
    """The value of a setting that follows a name."""
    if text.isdecimal():
        return int(text)
    return {"true": True, "false": False}.get(text, text)


def is_plugged(model: str | TextEncoder) -> bool:
    """Whether a model is an object, or the name of a class of others."""
    return not isinstance(model, str) or (":" in model and not model.startswith((".", "/", "~")))
