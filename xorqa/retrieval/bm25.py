"""BM25 in memory with bm25s: no Java, made for corpora a laptop holds."""

from __future__ import annotations

import importlib
import logging
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.progress import Progress
from ..core.types import Hit
from ..text import search_tokens
from .lexical import LexicalRetriever, field

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Bm25(LexicalRetriever):
    """BM25 as Lucene counts it (Kamphuis et al. 2020, "Lucene (accurate)").

    Tokens are those of `text.search_tokens`; one that a query repeats counts as often. The
    scores of every token are computed when indexing, so other k1 or b need another index.
    """

    kind = "bm25"

    def _content(self, *, fresh: bool) -> dict[str, Any]:
        return {"k1": self.k1, "b": self.b, "tokens": search_tokens.VERSION}

    def _write(self, folder: Path, content: dict[str, Any], progress: Progress) -> None:
        for lang, passages in groupby(self._ordered(progress), key=lambda passage: passage.lang):
            texts = (search_tokens.tokens(passage.titled, lang) for passage in passages)
            index = index_of(texts, k1=self.k1, b=self.b)
            index.save(folder / field(lang), show_progress=False)

    def _open(self) -> dict[str, Any]:
        try:
            return {lang: self._load(lang) for lang in self._by_lang}
        except (OSError, EOFError, ValueError, KeyError, TypeError) as error:
            raise self._damaged(error) from error

    def _load(self, lang: str) -> Any:
        index = _bm25s().BM25.load(self.folder / field(lang), show_progress=False)
        scores = index.scores
        if scores["num_docs"] != len(self._by_lang[lang]):
            raise ValueError(f"{field(lang)} holds {scores['num_docs']} passages")
        whole = len(scores["data"]) == len(scores["indices"]) == scores["indptr"][-1]
        if not whole or len(scores["indptr"]) != len(index.vocab_dict) + 1:
            raise ValueError(f"{field(lang)} has parts that do not belong together")
        return index

    def _search(self, lang: str, text: str, k: int) -> list[Hit]:
        index = self._index[lang]
        known = index.get_tokens_ids(search_tokens.tokens(text, lang))
        if not known:
            return []
        scores = index.get_scores_from_ids(known)
        passages = self._by_lang[lang]
        return [Hit(passages[row], float(scores[row])) for row in _best(scores, k)]


def index_of(texts: Iterable[Sequence[str]], *, k1: float, b: float) -> Any:
    """bm25s' index of the tokens of texts."""
    vocabulary: dict[str, int] = {"": 0}  # bm25s cannot do with none
    rows = [[vocabulary.setdefault(token, len(vocabulary)) for token in text] for text in texts]
    index = _bm25s().BM25(k1=k1, b=b, method="lucene")
    with np.errstate(invalid="ignore"):  # 0 tokens of 0 on average
        index.index((rows, vocabulary), create_empty_token=False, show_progress=False)
    return index


def _best(scores: NDArray[np.float32], k: int) -> list[int]:
    """The rows of the `k` highest scores above 0, the earlier of equal ones first."""
    rows = np.flatnonzero(scores > 0)
    if len(rows) > k:
        least = np.partition(scores[rows], -k)[-k]
        rows = rows[scores[rows] >= least]
    order = np.argsort(-scores[rows], kind="stable")[:k]
    return [int(row) for row in rows[order]]


def _bm25s() -> ModuleType:
    module = importlib.import_module("bm25s")
    logging.getLogger("bm25s").setLevel(logging.WARNING)  # it sets DEBUG for all who log
    return module
