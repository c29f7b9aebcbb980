"""Transforms that remove language information from vectors.

"center" subtracts the language's mean vector (Libovický et al. 2020, "On the Language
Neutrality"). "remove:K" projects out the language's first K principal directions, those of the
singular value decomposition without centring (Yang et al. 2021, "Language Information Removal").
"subspace" projects out of all languages the directions in which their means differ (Xie et al.
2022, "Discovering Low-rank Subspaces"); it does not depend on a text's language.
"""

import hashlib
import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import ConfigError, WeightsError, one_of
from ..io.files import digest
from .adapters import read_card

SHIPPED = Path(__file__).parent / "weights"
SIDES = ("query", "passage")
SUBSPACE = "subspace"
MEAN_KINDS = ("center", SUBSPACE)  # kinds that need only the means
MIN_NORM = 1e-6  # shorter vectors are rounding errors without a direction

Key = tuple[str, str]
"""A language and a side."""


@dataclass(frozen=True, eq=False)
class Transform:
    """The components to remove from the vectors of each (language, side).

    An entry is (1 + K, dimensions): the mean and the K orthonormal directions of "remove:K".
    `card` records what the entries were fitted on.
    """

    kind: str
    entries: Mapping[Key, NDArray[np.float32]]
    card: Mapping[str, Any] = field(default_factory=dict)

    def apply(
        self, vectors: NDArray[np.float32], langs: Sequence[str], *, side: str
    ) -> NDArray[np.float32]:
        """Transform vectors to unit vectors (texts, dimensions); zero vectors stay zero.

        `langs` is the language of each row. A row in a language without an entry uses the entry
        with the nearest mean, row by row, so that results do not depend on the batch. "subspace"
        ignores the language.

        Raises:
            ConfigError: if the transform was not fitted on this side.
        """
        transformed = np.array(vectors, np.float32)
        if self.kind == SUBSPACE:
            transformed -= _projection(transformed, self._subspace)
        else:
            for lang, rows in self._rows_by_entry(transformed, langs, side).items():
                mean, directions = self.entries[lang, side][0], self.entries[lang, side][1:]
                removed = _projection(transformed[rows], directions) if len(directions) else mean
                transformed[rows] -= removed
        transformed[~np.any(vectors, axis=1)] = 0
        norms = np.linalg.norm(transformed, axis=1, keepdims=True)
        units = np.zeros_like(transformed)
        np.divide(transformed, norms, out=units, where=norms > MIN_NORM)
        return units

    def apply_to_tokens(
        self, rows: NDArray[np.float32], lang: str, *, side: str
    ) -> NDArray[np.float32]:
        """Transform the token vectors (tokens, dimensions) of one text to unit vectors.

        A text in a language without an entry uses the entry nearest to its mean vector.

        Raises:
            ConfigError: if the transform was not fitted on this side.
        """
        lang = self._entry_of_text(rows, lang, side)
        return self.apply(rows, [lang] * len(rows), side=side)

    def token_mean(self, rows: NDArray[np.float32], lang: str, *, side: str) -> NDArray[np.float32]:
        """The mean that `apply_to_tokens` of "center" subtracts from a text's token vectors."""
        mean: NDArray[np.float32] = self.entries[self._entry_of_text(rows, lang, side), side][0]
        return mean

    def _entry_of_text(self, rows: NDArray[np.float32], lang: str, side: str) -> str:
        if self.kind == SUBSPACE or (lang, side) in self.entries or not len(rows):
            return lang
        [nearest] = self._rows_by_entry(rows.mean(axis=0, keepdims=True), [lang], side)
        return nearest

    def fingerprint(self, *, side: str | None = None) -> str:
        """A hash of everything that affects the output, of both sides or of one."""
        hashes = {
            f"{lang}.{of}": hashlib.sha256(entry.tobytes()).hexdigest()
            for (lang, of), entry in self.entries.items()
            if side in (None, of) or self.kind == SUBSPACE
        }
        return digest(self.kind, hashes)

    @cached_property
    def _subspace(self) -> NDArray[np.float32]:
        """The directions that "subspace" projects out."""
        return mean_difference_directions(self.entries)

    def _rows_by_entry(
        self, vectors: NDArray[np.float32], langs: Sequence[str], side: str
    ) -> dict[str, list[int]]:
        """The rows that use each language's entry."""
        fitted = sorted(lang for lang, entry_side in self.entries if entry_side == side)
        if not fitted:
            sides = one_of({entry_side for _, entry_side in self.entries})
            raise ConfigError(f"the transform was fitted on no {side} vectors; valid: {sides}")
        means = np.stack([self.entries[lang, side][0] for lang in fitted])
        rows: dict[str, list[int]] = {}
        for row, (vector, lang) in enumerate(zip(vectors, langs, strict=True)):
            entry_lang = lang
            if lang not in fitted:
                _warn_once(lang, side, one_of(fitted))
                entry_lang = fitted[int(np.argmin(np.square(means - vector).sum(axis=1)))]
            rows.setdefault(entry_lang, []).append(row)
        return rows


def is_kind(name: str) -> bool:
    """Whether a name is a kind of transform to fit rather than a stored transform."""
    return name in MEAN_KINDS or name.startswith("remove:")


def direction_count(kind: str) -> int:
    """The number of principal directions that a kind removes.

    Raises:
        ConfigError: for an unknown kind.
    """
    if kind in MEAN_KINDS:
        return 0
    match = re.fullmatch(r"remove:([1-9]\d*)", kind)
    if match is None:
        kinds = f"center, remove:K, {SUBSPACE}"
        raise ConfigError(f"no transform is of kind '{kind}'; valid: {kinds}")
    return int(match[1])


def mean_difference_directions(entries: Mapping[Key, NDArray[np.float32]]) -> NDArray[np.float32]:
    """Orthonormal directions (K, dimensions) that span the differences of the languages' means."""
    by_side: dict[str, list[NDArray[np.float32]]] = {}
    for (_, side), entry in sorted(entries.items(), key=lambda item: item[0][1]):
        by_side.setdefault(side, []).append(entry[0])
    means = [np.array(rows, np.float64) for rows in by_side.values()]
    differences = np.concatenate([rows - rows.mean(axis=0) for rows in means])
    _, sizes, directions = np.linalg.svd(differences, full_matrices=False)
    return np.ascontiguousarray(directions[sizes > MIN_NORM], np.float32)


def shipped() -> dict[str, Path]:
    """The transforms in the package, by name."""
    return {path.stem: path for path in sorted(SHIPPED.glob("*.transform"))}


def open_transform(name: str, *, encoder: str) -> Transform:
    """Open a shipped transform by name, or any file by path.

    Raises:
        WeightsError: if it does not exist, or was fitted for an encoder with another
            fingerprint.
    """
    from safetensors import safe_open

    path = shipped().get(name, Path(name).expanduser())
    if not path.is_file():
        raise WeightsError(f"no transform is called '{name}'; valid: {one_of(shipped())}")
    try:
        with safe_open(path, framework="np") as stream:
            metadata = stream.metadata() or {}
            tensors = {tensor: stream.get_tensor(tensor) for tensor in stream.keys()}  # noqa: SIM118
    except Exception as error:
        raise WeightsError(f"{path} is not a transform file: {error}") from error
    if metadata.get("task") != "transform":
        raise WeightsError(f"{path} is not a transform file; make one with xorqa transform fit")
    if metadata.get("encoder") != encoder:
        raise WeightsError(
            f"{path} was fitted for an encoder with fingerprint {metadata.get('encoder')}, not "
            f"{encoder}; fit one for this encoder with xorqa transform fit"
        )
    card = read_card(path, metadata.get("card", "{}"))
    entries = _stored_entries(path, metadata, tensors)
    return Transform(metadata["kind"], entries, card)


def _stored_entries(
    path: Path, metadata: Mapping[str, str], tensors: Mapping[str, NDArray[np.float32]]
) -> dict[Key, NDArray[np.float32]]:
    """The tensors by language and side. Raises WeightsError if one has no valid key or shape."""
    kind = metadata.get("kind", "")
    if not is_kind(kind) or not tensors:
        raise WeightsError(f"{path} is damaged: it holds no transform of a known kind")
    rows, width = 1 + direction_count(kind), next(iter(tensors.values())).shape[-1:]
    entries = {}
    for name, entry in tensors.items():
        lang, _, side = name.rpartition(".")
        sound = entry.dtype == np.float32 and bool(np.isfinite(entry).all())
        if not lang or side not in SIDES or entry.shape != (rows, *width) or not sound:
            raise WeightsError(f"{path} is damaged: entry {name!r:.60} is not what was fitted")
        entries[lang, side] = entry
    return entries


def _projection(
    vectors: NDArray[np.float32], directions: NDArray[np.float32]
) -> NDArray[np.floating[Any]]:
    """The part of vectors (texts, dimensions) that lies in the directions (K, dimensions)."""
    return (vectors @ directions.T) @ directions


@cache
def _warn_once(lang: str, side: str, fitted: str) -> None:
    logging.getLogger(__name__).warning(
        f"the transform was not fitted on {side} vectors in '{lang}' (fitted on: {fitted}); it "
        "uses the language with the nearest mean instead"
    )
