"""Transforms of vectors that take away, language by language, what only tells the language.

"center" subtracts the mean vector (Roy et al. 2020, LAReQA, the section on language bias).
"remove:K" projects the first K principal directions out, those of the singular value
decomposition without centring (Yang et al. 2021, "Language Information Removal").
"subspace" projects out, from all languages alike, the directions in which their means differ
(Xie et al. 2022, "Discovering Low-rank Subspaces", section 3): it need not know a text's language.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.errors import ConfigError, DataError, WeightsError, one_of
from ..io.files import atomic_path, digest

if TYPE_CHECKING:
    from numpy.typing import NDArray

SHIPPED = Path(__file__).parent / "weights"
SIDES = ("query", "passage")
SUBSPACE = "subspace"
MEANS = ("center", SUBSPACE)  # kinds that need the means alone
TINY = 1e-6  # a shorter vector is rounding and has no direction

Key = tuple[str, str]
"""A language and a side."""


@dataclass(frozen=True, eq=False)
class Transform:
    """What is taken away, by (language, side).

    An entry is (1 + K, dimensions): the mean and the K orthonormal directions of "remove:K".
    `card` says what the entries were fitted on.
    """

    kind: str
    entries: Mapping[Key, NDArray[np.float32]]
    card: Mapping[str, Any] = field(default_factory=dict)

    def apply(
        self, vectors: NDArray[np.float32], langs: Sequence[str], *, side: str
    ) -> NDArray[np.float32]:
        """Unit vectors (texts, dimensions); zero vectors stay zero.

        `langs` is the language of each row. A row in a language that the transform does not
        know takes that of the nearest mean, each for itself, so that its vector does not
        depend on its neighbours; "subspace" does the same to all.

        Raises:
            ConfigError: if nothing is known of this side's vectors.
        """
        moved = np.array(vectors, np.float32)
        if self.kind == SUBSPACE:
            moved -= _projected(moved, self._apart)
        else:
            for lang, rows in self._rows(moved, langs, side).items():
                mean, directions = self.entries[lang, side][0], self.entries[lang, side][1:]
                moved[rows] -= _projected(moved[rows], directions) if len(directions) else mean
        moved[~np.any(vectors, axis=1)] = 0
        lengths = np.linalg.norm(moved, axis=1, keepdims=True)
        units = np.zeros_like(moved)
        np.divide(moved, lengths, out=units, where=lengths > TINY)
        return units

    def fingerprint(self) -> str:
        """A hash of all that decides its output."""
        hashes = {
            f"{lang}.{side}": hashlib.sha256(entry.tobytes()).hexdigest()
            for (lang, side), entry in self.entries.items()
        }
        return digest(self.kind, hashes)

    @cached_property
    def _apart(self) -> NDArray[np.float32]:
        """What "subspace" projects out: worked out once, not for every question."""
        return differences(self.entries)

    def _rows(
        self, vectors: NDArray[np.float32], langs: Sequence[str], side: str
    ) -> dict[str, list[int]]:
        """The rows that each known language serves."""
        known = sorted(lang for lang, of in self.entries if of == side)
        if not known:
            there = one_of({of for _, of in self.entries})
            raise ConfigError(f"the transform was fitted on no {side} vectors; there are: {there}")
        means = np.stack([self.entries[lang, side][0] for lang in known])
        rows: dict[str, list[int]] = {}
        for at, (vector, lang) in enumerate(zip(vectors, langs, strict=True)):
            own = lang
            if lang not in known:
                _tell_once(lang, side, one_of(known))
                own = known[int(np.argmin(np.square(means - vector).sum(axis=1)))]
            rows.setdefault(own, []).append(at)
        return rows


def is_kind(name: str) -> bool:
    """Whether a name asks for a kind of transform to fit, and is not that of a stored one."""
    return name in MEANS or name.startswith("remove:")


def fit(vectors: Mapping[Key, NDArray[np.float32]], kind: str) -> Transform:
    """The transform that the vectors (texts, dimensions) of each (language, side) give.

    Raises:
        ConfigError: if there is no such kind or side.
        DataError: if there are too few vectors, or not all are of one length.
    """
    count = _directions(kind)
    for lang, side in vectors:
        if side not in SIDES:
            raise ConfigError(f"no side of {lang} is called '{side}'; there are: {one_of(SIDES)}")
    if len({rows.shape[1] for rows in vectors.values()}) > 1:
        raise DataError("the vectors of a transform must all have the same length")
    return Transform(kind, {key: _entry(rows, count, key) for key, rows in vectors.items()})


def differences(entries: Mapping[Key, NDArray[np.float32]]) -> NDArray[np.float32]:
    """Orthonormal directions (K, dimensions) that hold how the languages' means differ, by side."""
    means = [
        np.array([entry[0] for (_, of), entry in entries.items() if of == side], np.float64)
        for side in sorted({of for _, of in entries})
    ]
    apart = np.concatenate([rows - rows.mean(axis=0) for rows in means])
    _, sizes, directions = np.linalg.svd(apart, full_matrices=False)
    return np.ascontiguousarray(directions[sizes > TINY], np.float32)


def save(path: Path, transform: Transform, *, encoder: str) -> None:
    """Write a transform with its card; `encoder` is the fingerprint it was fitted for."""
    from safetensors.numpy import save_file

    about = {
        "task": "transform",
        "kind": transform.kind,
        "encoder": encoder,
        "card": json.dumps(dict(transform.card), ensure_ascii=False),
    }
    tensors = {f"{lang}.{side}": entry for (lang, side), entry in transform.entries.items()}
    with atomic_path(path) as temporary:
        save_file(tensors, temporary, metadata=about)


def shipped() -> dict[str, Path]:
    """The transforms inside the package, by name."""
    return {path.stem: path for path in sorted(SHIPPED.glob("*.transform"))}


def open_transform(name: str, *, encoder: str) -> Transform:
    """A shipped transform by its name, or any file by its path.

    Raises:
        WeightsError: if there is none, or it was fitted for another encoder than the one with
            this fingerprint.
    """
    from safetensors import safe_open

    path = shipped().get(name, Path(name).expanduser())
    if not path.is_file():
        raise WeightsError(f"no transform is called '{name}'; there are: {one_of(shipped())}")
    try:
        with safe_open(path, framework="np") as stream:
            about = stream.metadata() or {}
            tensors = {tensor: stream.get_tensor(tensor) for tensor in stream.keys()}  # noqa: SIM118
    except Exception as error:
        raise WeightsError(f"{path} is not a transform file: {error}") from error
    if about.get("task") != "transform":
        raise WeightsError(f"{path} is not a transform file; xorqa transform fit writes one")
    if about["encoder"] != encoder:
        raise WeightsError(
            f"{path} was fitted for an encoder with the fingerprint {about['encoder']}; this one "
            f"has {encoder}: fit another (xorqa transform fit)"
        )
    entries = {
        (lang, side): tensors[f"{lang}.{side}"]
        for lang, side in (tensor.rsplit(".", 1) for tensor in tensors)
    }
    return Transform(about["kind"], entries, json.loads(about["card"]))


def _directions(kind: str) -> int:
    """How many principal directions a kind removes."""
    if kind in MEANS:
        return 0
    found = re.fullmatch(r"remove:([1-9]\d*)", kind)
    if found is None:
        there = f"center, remove:K, {SUBSPACE}"
        raise ConfigError(f"no transform is of kind '{kind}'; there are: {there}")
    return int(found[1])


def _entry(rows: NDArray[np.float32], count: int, key: Key) -> NDArray[np.float32]:
    """The mean and `count` directions of (texts, dimensions), summed in float64."""
    if min(rows.shape) < max(1, count):
        raise DataError(
            f"{rows.shape[0]} {key[1]} vectors of length {rows.shape[1]} in '{key[0]}' are too few "
            f"for a mean and {count} directions"
        )
    exact = rows.astype(np.float64)
    entry = exact.mean(axis=0, keepdims=True)
    if count:  # the right singular vectors, the largest value last
        directions = np.linalg.eigh(exact.T @ exact).eigenvectors.T[::-1]
        entry = np.concatenate([entry, directions[:count]])
    return np.ascontiguousarray(entry, np.float32)


def _projected(
    vectors: NDArray[np.float32], directions: NDArray[np.float32]
) -> NDArray[np.floating[Any]]:
    """The part of vectors (texts, dimensions) that lies in the directions (K, dimensions)."""
    return (vectors @ directions.T) @ directions


@cache
def _tell_once(lang: str, side: str, known: str) -> None:
    logging.getLogger(__name__).warning(
        "the transform knows no %s vectors in '%s' (it knows: %s); those of the language with the "
        "nearest mean serve instead",
        side,
        lang,
        known,
    )
