"""Late-interaction encoders: texts to token vectors, to be compared by MaxSim.

Three kinds, by what the model is: a late-interaction model that sentence-transformers loads (its
own format, PyLate's, Stanford's ColBERT), BGE-M3 with its multi-vector head, or the token vectors
of any bi-encoder, from which each language's mean can be subtracted.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ..core.errors import ConfigError, Notice, WeightsError
from ..core.named import expect, require
from ..core.progress import Progress, announce, silent
from ..core.validation import Count
from ..io.files import digest, read_object, sha256_once
from .adapters import shipped
from .bge_m3 import TOKENS, M3Head
from .checkpoints import DEFAULT, Checkpoint, resolve
from .device import Dtype, WithPrecision
from .encoder import Encoder
from .encoder_settings import EncoderSettings, encoder_settings, is_plugged
from .hub import modules_of
from .prompts import CONFIG, WithPrefixes, is_released
from .released import EXTRA, batches, check_weights, model_options, open_model
from .towers import count_longer, family_of, units
from .transforms import Transform, open_transform

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

METADATA = "artifact.metadata"
"""Of Stanford's ColBERT: lengths and markers."""
CENTRED = {name: f"tokens-{name}" for name in (DEFAULT, "encoder-questions")}
"""The shipped means of token vectors, by encoder."""
NO_TRANSFORM = "none"


@dataclass(frozen=True, slots=True)
class LateSettings(WithPrefixes, WithPrecision):
    """The settings that determine the token vectors of a text.

    `model` is a late-interaction model, BGE-M3, or any encoder that `Dense` accepts by name.
    `max_tokens` cuts texts of both sides. `transform` subtracts each language's mean token vector,
    for an encoder that was not trained for late interaction: a file, "none", or by default the
    shipped means of the bundled encoder and none for others.
    """

    model: str = DEFAULT
    query_prefix: str | None = None
    passage_prefix: str | None = None
    max_tokens: Count | None = None
    transform: str | None = None
    dtype: Dtype = "auto"
    trust_remote_code: bool = False
    batch_tokens: Count | None = None


class LateEncoder(Protocol):
    """An encoder of token vectors; `averages`: scores are divided by the query's tokens.

    `sha` is a hash of everything that decides them, `passage_sha` of what decides those of
    passages, which an index stores.
    """

    @property
    def averages(self) -> bool: ...

    @property
    def description(self) -> dict[str, Any]: ...

    @property
    def sha(self) -> str: ...

    @property
    def passage_sha(self) -> str: ...

    def encode(
        self, side: str, texts: Sequence[str], langs: Sequence[str], progress: Progress = silent
    ) -> list[Floats]: ...

    def truncated(self, texts: Sequence[str]) -> int: ...


@cache
def late_encoder(settings: LateSettings) -> LateEncoder:
    """The encoder of these settings, shared by the stages that have them.

    Raises:
        WeightsError: if the model does not exist, or is none that has token vectors.
        ConfigError: for settings that this kind of model does not have.
    """
    name = settings.model
    if name in shipped() or name.endswith(".safetensors") or name == DEFAULT:
        return EncoderTokens(settings)
    if is_plugged(name):
        raise ConfigError(f"{name} returns a vector per text; late interaction needs one per token")
    checkpoint = resolve(name)
    if is_late_interaction(checkpoint.path):
        _without_transform(settings, "a late-interaction model")
        return ReleasedTokens(checkpoint, settings)
    if (checkpoint.path / TOKENS).is_file():
        _without_transform(settings, f"a model with a head for token vectors ({TOKENS})")
        return M3Tokens(checkpoint, settings)
    return EncoderTokens(settings)


def is_late_interaction(folder: Path) -> bool:
    """Whether a folder's files say that its model was trained for late interaction."""
    if read_object(folder / CONFIG).get("model_type") in ("MultiVectorEncoder", "ColBERT"):
        return True
    types = " ".join(str(module.get("type")) for module in modules_of(folder))
    if "pylate." in types or "multi_vector_encoder" in types:
        return True
    return "HF_ColBERT" in (read_object(folder / "config.json").get("architectures") or [])


def _without_transform(settings: LateSettings, kind: str) -> None:
    if settings.transform not in (None, NO_TRANSFORM):
        raise ConfigError(f"{settings.model} is {kind}, which needs no transform; remove it")


class ReleasedTokens:
    """A late-interaction model that sentence-transformers loads; weights load on first use."""

    def __init__(self, checkpoint: Checkpoint, settings: LateSettings) -> None:
        expect("sentence_transformers", extra=EXTRA)
        self.checkpoint = checkpoint
        self.settings = settings

    @property
    def sha(self) -> str:
        """A hash of the model's files."""
        metadata = self.checkpoint.path / METADATA
        own = [sha256_once(metadata)] if metadata.is_file() else []
        return digest(self.checkpoint.fingerprint, *own)

    passage_sha = sha

    @property
    def description(self) -> dict[str, Any]:
        """The settings that override the model's own."""
        return self.settings.overridden

    @property
    def averages(self) -> bool:
        """Whether the model's similarity is MeanMaxSim."""
        return str(self._model.similarity_fn_name) == "meanmaxsim"

    def encode(
        self, side: str, texts: Sequence[str], langs: Sequence[str], progress: Progress = silent
    ) -> list[Floats]:
        """Each text's token vectors (tokens, dimensions); `progress` counts characters."""
        query = side == "query"
        encode = self._model.encode_query if query else self._model.encode_document
        vectors: list[Floats] = [np.zeros((0, 0), np.float32)] * len(texts)
        done, total = 0, sum(map(len, texts))
        for batch, size in batches(self._model, texts, self.settings.batch_tokens):
            encoded = encode(
                [texts[number] for number in batch],
                prompt=self.settings.given_prefix(side),
                convert_to_numpy=True,
                show_progress_bar=False,
                **size,
            )
            for number, rows in zip(batch, encoded, strict=True):
                vectors[number] = np.asarray(rows, np.float32)
                done += len(texts[number])
            progress(done, total)
        return vectors

    def truncated(self, texts: Sequence[str]) -> int:
        """The number of passages of which only the beginning is encoded."""
        model, given = self._model, self.settings.given_prefix("passage")
        limit = getattr(model[0], "document_length", None) or model.max_seq_length
        prefix = (model.prompts or {}).get("document", "") if given is None else given
        return count_longer(model.tokenizer, texts, prefix, limit) if limit else 0

    @cached_property
    def _model(self) -> Any:
        check_weights(self.checkpoint, trust_remote_code=self.settings.trust_remote_code)
        library = require("sentence_transformers", extra=EXTRA)
        if not hasattr(library, "MultiVectorEncoder"):
            raise WeightsError(
                f"{self.checkpoint.name} needs sentence-transformers 6.2 or later; "
                f"install it with: pip install 'xorqa[{EXTRA}]'"
            )
        model = open_model(
            "MultiVectorEncoder",
            self.checkpoint,
            model_options(self.settings.dtype),
            trust_remote_code=self.settings.trust_remote_code,
        )
        return self._with_settings(model)

    def _with_settings(self, model: Any) -> Any:
        """The model with the settings that override its own, each announced."""
        name = self.checkpoint.name
        self.settings.announce_prefixes(name, model.prompts)
        if (limit := self.settings.max_tokens) is not None:
            first, own_limit = model[0], model.max_seq_length
            announce(f"{name}: max_tokens = {limit} instead of its own limits ({own_limit})")
            model.max_seq_length = limit
            if getattr(first, "document_length", None):
                first.document_length = min(first.document_length, limit)
        return model


class M3Tokens:
    """BGE-M3 with its multi-vector head."""

    averages = True

    def __init__(self, checkpoint: Checkpoint, settings: LateSettings) -> None:
        self.settings = settings
        self.head = M3Head(checkpoint, TOKENS, settings)

    @property
    def sha(self) -> str:
        """A hash of the model and the head."""
        return self.head.sha

    passage_sha = sha

    @property
    def description(self) -> dict[str, Any]:
        """The prefixes, of which the model has none, and the head's file."""
        prefixes = {f"{side}_prefix": self._prefix(side) for side in ("query", "passage")}
        return prefixes | {"head": TOKENS, "max_tokens": self.settings.max_tokens}

    def encode(
        self, side: str, texts: Sequence[str], langs: Sequence[str], progress: Progress = silent
    ) -> list[Floats]:
        """Each text's token vectors (tokens, dimensions); `progress` counts tokens."""
        return self.head.vectors([self._prefix(side) + text for text in texts], progress)

    def truncated(self, texts: Sequence[str]) -> int:
        """The number of passages of which only the beginning is encoded."""
        return self.head.truncated(texts, self._prefix("passage"))

    def _prefix(self, side: str) -> str:
        return self.settings.given_prefix(side) or ""


class EncoderTokens:
    """The token vectors of a bi-encoder with unit length, less their language's mean."""

    averages = False

    def __init__(self, settings: LateSettings) -> None:
        self.settings = settings
        self.encoder = Encoder(_encoder_settings(settings))
        self.transform_name = settings.transform or CENTRED.get(settings.model, NO_TRANSFORM)

    @property
    def sha(self) -> str:
        """A hash of the encoder and of the transform."""
        encoder, transform = self.encoder.token_fingerprint, self.transform
        return digest(encoder, transform.fingerprint() if transform else None)

    @property
    def passage_sha(self) -> str:
        """A hash of the passages' encoder and of their side of the transform."""
        encoder, transform = self.encoder.passage_fingerprint, self.transform
        return digest(encoder, transform.fingerprint(side="passage") if transform else None)

    @property
    def description(self) -> dict[str, Any]:
        """What decides the vectors beside the weights."""
        settings = self.encoder.settings
        prefixes = {f"{side}_prefix": settings.prefix(side) for side in ("query", "passage")}
        transform = Path(self.transform_name).name
        return prefixes | {"max_tokens": settings.max_tokens, "transform": transform}

    def encode(
        self, side: str, texts: Sequence[str], langs: Sequence[str], progress: Progress = silent
    ) -> list[Floats]:
        """Each text's token vectors (tokens, dimensions); `progress` counts tokens."""
        vectors = self.encoder.token_vectors(side, texts, progress=progress)
        return self.compared(side, vectors, langs)

    def compared(self, side: str, vectors: Sequence[Floats], langs: Sequence[str]) -> list[Floats]:
        """The encoder's token vectors as they are compared: centred, with unit length."""
        if self.transform is None:
            return [units(rows) for rows in vectors]
        return [
            self.transform.apply_to_tokens(rows, lang, side=side)
            for rows, lang in zip(vectors, langs, strict=True)
        ]

    def truncated(self, texts: Sequence[str]) -> int:
        """The number of passages of which only the beginning is encoded."""
        return self.encoder.truncated(texts)

    def gives_passages_of(self, other: Encoder) -> bool:
        """Whether the unit means of passages' token vectors are the vectors of `other`."""
        settings = other.for_passages.settings.completed()
        return (
            (settings.pooling, settings.normalize, settings.layer) == ("mean", True, None)
            and (settings.transform, settings.truncate_dim) == (None, None)
            and settings.dtype == self.settings.dtype
            and self.encoder.passage_fingerprint == other.passage_fingerprint
        )

    @cached_property
    def transform(self) -> Transform | None:
        """What is subtracted from the token vectors; None: nothing."""
        if self.settings.transform is None and self.transform_name == NO_TRANSFORM:
            message = (
                f"{self.settings.model} was not trained for late interaction, and its token "
                "vectors are not centred; fit their means with xorqa transform fit --tokens, or "
                'set transform = "none"'
            )
            warnings.warn(message, Notice, stacklevel=2)
        if self.transform_name == NO_TRANSFORM:
            return None
        return open_transform(self.transform_name, encoder=self.encoder.token_fingerprint)


def _encoder_settings(settings: LateSettings) -> EncoderSettings:
    """The encoder's settings; a bare checkpoint needs no pooling for its token vectors."""
    encoder, options = encoder_settings(settings.model), settings.overridden
    for name in ("dtype", "batch_tokens", "trust_remote_code"):
        options[name] = getattr(settings, name)
    if encoder.adapter is None and settings.model != DEFAULT:
        checkpoint = resolve(settings.model)
        if not is_released(checkpoint.path):
            family_of(checkpoint, "mean")  # refuses what is no encoder of texts
            options |= {"pooling": "mean", "normalize": True}
    return replace(encoder, **options)
