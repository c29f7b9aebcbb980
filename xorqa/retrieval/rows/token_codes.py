"""How an index stores token vectors: as numbers, as integer codes, or as a bit per dimension."""

from collections.abc import Sequence
from functools import cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ...core.errors import ConfigError
from .store import Table

Kind = Literal["int16", "int8", "float32", "bits"]
Floats = NDArray[np.float32]

BITS = "bits"
VECTORS = "vectors"
SCALES = "scales"


def array_names(kind: Kind) -> tuple[str, ...]:
    """The names of the arrays of an index: vectors and, unless they are bits, a scale per token."""
    return (VECTORS,) if kind == BITS else (VECTORS, SCALES)


def stored(rows: Floats, kind: Kind) -> tuple[NDArray[Any], ...]:
    """The arrays of a passage's token vectors (tokens, dimensions).

    Raises:
        ConfigError: for bits of a number of dimensions that is no multiple of 8.
    """
    if kind == BITS:
        if rows.shape[1] % 8:
            raise ConfigError(
                f"[retriever] vectors of {rows.shape[1]} dimensions fill no whole bytes with "
                'bits; set kind = "int8"'
            )
        return (np.packbits(rows @ rotation(rows.shape[1]) >= 0, axis=1),)
    if kind == "float32":
        return rows, np.ones(len(rows), np.float32)
    highest = np.iinfo(kind).max
    scales = np.abs(rows).max(axis=1, initial=0.0) / highest
    divisors = np.where(scales > 0, scales, 1)[:, None]
    return np.rint(rows / divisors).astype(kind), scales.astype(np.float32)


def decoded(table: Table) -> Floats:
    """The token vectors (tokens, dimensions) of a table; of bits, in rotated dimensions."""
    vectors = table[VECTORS]
    if SCALES in table:
        return np.asarray(vectors, np.float32) * np.asarray(table[SCALES], np.float32)[:, None]
    return np.take(_numbers_of_bytes(8 * vectors.shape[1]), vectors, axis=0).reshape(
        len(vectors), -1
    )


@cache
def _numbers_of_bytes(width: int) -> Floats:
    """The numbers (256, 8) that the bits of each byte are, in vectors of `width` dimensions."""
    bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).astype(np.float32)
    return np.asarray((2 * bits - 1) / np.float32(np.sqrt(width)), np.float32)


def cosine_of_bits(one: Table, other: Table) -> float:
    """The cosine that the share of different bits in two tables stands for; 0 for other shapes.

    Two vectors at an angle of t differ in t / pi of their signs (Charikar 2002).
    """
    left, right = one[VECTORS], other[VECTORS]
    if left.shape != right.shape:
        return 0.0
    different = np.unpackbits(np.bitwise_xor(left, right).astype(np.uint8))
    return float(np.cos(np.pi * different.mean())) if left.size else 1.0


def to_compare(queries: Sequence[Floats], kind: Kind) -> list[Floats]:
    """Token vectors of queries in the dimensions of `decoded`."""
    if kind != BITS:
        return list(queries)
    return [query @ rotation(query.shape[1]) for query in queries]


@cache
def rotation(width: int) -> Floats:
    """A random orthogonal matrix, always the same one.

    Few dimensions of an encoder's vectors carry most of their length; a rotation spreads it over
    all bits.
    """
    drawn = np.random.Generator(np.random.PCG64(width)).standard_normal((width, width))
    orthogonal, triangle = np.linalg.qr(drawn)
    return np.asarray(orthogonal * np.sign(np.diag(triangle)), np.float32)
