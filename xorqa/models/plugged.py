"""Encoders of others: any object with `encode_query` and `encode_document`.

Models of sentence-transformers have these methods; so may a client of an embedding service.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from ..core.errors import ConfigError, XorqaError
from ..core.named import import_named
from ..core.progress import Progress, silent
from ..io.files import digest
from .checkpoints import first_line
from .towers import Text, units

if TYPE_CHECKING:
    from numpy.typing import NDArray

PROBES = ("Where is the Nile?", "나일강은 아프리카에 있다.", "1987")
DECIMALS = 2  # of the probes' unit vectors; machines differ in later ones
BATCH = 256


@runtime_checkable
class TextEncoder(Protocol):
    """What an encoder needs to be used by name or as an object.

    Both methods take a list of texts and return an array (texts, dimensions). An object may also
    have `fingerprint() -> str`, which identifies its weights and settings; without it, an index is
    identified by the class and by the vectors of three short texts.
    """

    def encode_query(self, inputs: list[str]) -> Any:
        """Encode queries."""

    def encode_document(self, inputs: list[str]) -> Any:
        """Encode passages."""


def plugged_name(encoder: object) -> str:
    """The name of an object's class, `module:Class`."""
    return f"{type(encoder).__module__}:{type(encoder).__qualname__}"


def plugged(name: str) -> TextEncoder:
    """The encoder that a class, or a function without parameters, named `module:name` makes.

    Raises:
        ConfigError: if it cannot be imported or made.
    """
    make = import_named(name, {}, kind="encoder")
    try:
        encoder: TextEncoder = make()
    except Exception as error:  # code of others
        raise ConfigError(
            f"encoder '{name}' cannot be made by calling it without arguments: {error}"
        ) from error
    return encoder


class PluggedTower:
    """A tower that asks an object for its vectors."""

    def __init__(self, encoder: Any, *, normalize: bool | None) -> None:
        for method in ("encode_query", "encode_document"):
            if not callable(getattr(encoder, method, None)):
                raise ConfigError(f"{plugged_name(encoder)} is no encoder: it has no {method}")
        self.encoder = encoder
        self.normalize = normalize

    @cached_property
    def sha(self) -> str:
        """Identifies the object: its own fingerprint, or its class and three vectors."""
        own = getattr(self.encoder, "fingerprint", None)
        if callable(own):
            return digest(plugged_name(self.encoder), str(own()))
        vectors = [units(self._ask(side, list(PROBES))) for side in ("query", "passage")]
        rounded = [np.round(rows, DECIMALS).tolist() for rows in vectors]
        return digest(plugged_name(self.encoder), rounded)

    @cached_property
    def dimensions(self) -> int:
        """The dimensions of the vectors."""
        return int(self._ask("query", [PROBES[0]]).shape[1])

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Words count for tokens: an object's own tokens are not known."""
        return [len(text.split()) for text in texts]

    def truncated(self, texts: Sequence[Text], prefix: str) -> int:
        """None: what an object reads is not known."""
        return 0

    def token_vectors(
        self, side: str, texts: Sequence[Text], prefix: str, progress: Progress = silent
    ) -> list[NDArray[np.float32]]:
        """Not available. Raises ConfigError."""
        raise ConfigError(f"{plugged_name(self.encoder)} returns a vector per text, none per token")

    def encode(
        self, side: str, texts: Sequence[Text], prefix: str, progress: Progress = silent
    ) -> NDArray[np.float32]:
        """Vectors (texts, dimensions); a pair of title and text is joined by a line break."""
        joined = [prefix + (text if isinstance(text, str) else "\n".join(text)) for text in texts]
        vectors = np.zeros((len(joined), self.dimensions), np.float32)
        for start in range(0, len(joined), BATCH):
            vectors[start : start + BATCH] = self._ask(side, joined[start : start + BATCH])
            progress(min(start + BATCH, len(joined)), len(joined))
        return units(vectors) if self.normalize else vectors

    def _ask(self, side: str, texts: list[str]) -> NDArray[np.float32]:
        name = "encode_query" if side == "query" else "encode_document"
        method, where = getattr(self.encoder, name), f"{plugged_name(self.encoder)}.{name}"
        try:
            vectors = np.asarray(method(texts, **_quiet(method)), np.float32)
        except XorqaError:
            raise
        except Exception as error:  # code of others
            raise ConfigError(f"{where} failed: {first_line(error)}") from error
        if vectors.ndim != 2 or len(vectors) != len(texts):
            raise ConfigError(
                f"{where} returned an array of shape {vectors.shape} for {len(texts)} texts"
            )
        if not np.isfinite(vectors).all():
            raise ConfigError(f"{where} returned values that are no finite numbers")
        return vectors


def _quiet(method: Callable[..., Any]) -> dict[str, bool]:
    """The option that keeps sentence-transformers from drawing its own progress bar."""
    try:
        names = inspect.signature(method).parameters
    except (TypeError, ValueError):
        return {}
    return {"show_progress_bar": False} if "show_progress_bar" in names else {}
