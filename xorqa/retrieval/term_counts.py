"""The frequencies of terms in the passages of one language, on disk."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..io.arrays import read_array
from ..io.strict_json import parse_json

VOCABULARY = "vocabulary.json"
ARRAYS = {"starts": np.int64, "passages": np.int32, "counts": np.int32, "lengths": np.int64}


@dataclass(frozen=True)
class TermCounts:
    """A sparse matrix (terms, passages) in rows of terms.

    Term t is in the passages from `passages[starts[t]]` to before `passages[starts[t + 1]]`, each
    time as often as `counts` has it. `lengths` are the passages' numbers of tokens.
    """

    vocabulary: dict[str, int]
    starts: NDArray[np.int64]
    passages: NDArray[np.int32]
    counts: NDArray[np.int32]
    lengths: NDArray[np.int64]

    @cached_property
    def documents(self) -> NDArray[np.int64]:
        """The number of passages of each term."""
        return np.diff(self.starts)

    def expected(self, terms: NDArray[np.int64], p: NDArray[np.float64]) -> NDArray[np.float64]:
        """The expected frequency in each passage of a term that is `terms[i]` with `p[i]`."""
        slices = [slice(self.starts[term], self.starts[term + 1]) for term in terms]
        places = np.concatenate([self.passages[one] for one in slices])
        weighted = [self.counts[one] * share for one, share in zip(slices, p, strict=True)]
        return np.bincount(places, np.concatenate(weighted), len(self.lengths)).astype(np.float64)

    def save(self, folder: Path) -> None:
        """Write the arrays and the vocabulary into a new folder."""
        folder.mkdir(parents=True)
        (folder / VOCABULARY).write_text(
            json.dumps(list(self.vocabulary), ensure_ascii=False), encoding="utf-8"
        )
        for name in ARRAYS:
            np.save(folder / f"{name}.npy", getattr(self, name))

    @classmethod
    def load(cls, folder: Path, *, passages: int) -> TermCounts:
        """Open the files of a folder.

        Raises:
            OSError, ValueError, EOFError, TypeError: if a file is damaged, or the index has
                another number of passages.
        """
        words = parse_json((folder / VOCABULARY).read_bytes())
        parts = [read_array(folder / f"{name}.npy") for name in ARRAYS]
        opened = cls({word: at for at, word in enumerate(words)}, *parts)
        if not opened._is_consistent(passages):
            raise ValueError(f"{folder.name} has inconsistent parts")
        return opened

    def _is_consistent(self, passages: int) -> bool:
        arrays = [(getattr(self, name), kind) for name, kind in ARRAYS.items()]
        if any(array.ndim != 1 or array.dtype != kind for array, kind in arrays):
            return False
        return bool(
            len(self.lengths) == passages
            and len(self.starts) == len(self.vocabulary) + 1
            and self.starts[0] == 0
            and self.starts[-1] == len(self.passages) == len(self.counts)
            and np.all(self.documents >= 0)
            and (not len(self.passages) or self.passages.min() >= 0)
            and (not len(self.passages) or self.passages.max() < passages)
        )


def count_terms(texts: Iterable[Sequence[str]]) -> TermCounts:
    """Count the tokens of each passage."""
    vocabulary: dict[str, int] = {}
    lengths, codes = [], []
    for text in texts:
        codes.append(
            np.array([vocabulary.setdefault(token, len(vocabulary)) for token in text], np.int64)
        )
        lengths.append(len(text))
    terms = np.concatenate([*codes, np.empty(0, np.int64)])
    places = np.repeat(np.arange(len(lengths)), lengths)
    cells, counts = np.unique(terms * max(len(lengths), 1) + places, return_counts=True)
    term, place = cells // max(len(lengths), 1), cells % max(len(lengths), 1)
    starts = np.searchsorted(term, np.arange(len(vocabulary) + 1))
    return TermCounts(
        vocabulary,
        starts.astype(np.int64),
        place.astype(np.int32),
        counts.astype(np.int32),
        np.array(lengths, np.int64),
    )
