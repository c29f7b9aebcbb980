"""BM25 with bm25s: in memory and without Java, for corpora that fit on a laptop."""

import importlib
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.progress import Progress
from ..core.text import search_tokens
from ..core.types import Hit, Query
from .lexical import LexicalRetriever, field_name, is_sparse_matrix


class Bm25(LexicalRetriever):
    """BM25 as in Lucene (Kamphuis et al. 2020, "Lucene (accurate)").

    Tokens are those of `text.search_tokens`; a token repeated in the query counts each time.
    Token scores are computed at indexing time, so changing k1 or b needs a new index.

    Example:
        >>> from pathlib import Path
        >>> from xorqa import Bm25, Query, load_dataset
        >>> world = load_dataset("mini").only(["fi"])
        >>> question = world.examples[0].question
        >>> query = Query(question, "Who discovered francium?", "en")
        >>> retriever = Bm25(corpus=world.corpora["en"], folder=Path("indexes/bm25"))
        >>> [hits] = retriever.retrieve([query], k=1)
        >>> hits[0].passage.title
        'Francium'
    """

    use = "bm25"
    disk_share = 1.5

    @classmethod
    def machine_checks(cls) -> Mapping[str, Callable[[], str]]:
        """A search with bm25s."""
        return {"bm25": cls.check_search}

    def index_settings(self, *, fresh: bool = False) -> dict[str, Any]:
        return {"k1": self.k1, "b": self.b, "tokens": search_tokens.VERSION}

    def write_index(self, folder: Path, progress: Progress) -> None:
        for lang, texts in self._tokens(progress):
            index = index_tokens(texts, k1=self.k1, b=self.b)
            index.save(folder / field_name(lang), show_progress=False)

    def open_index(self) -> dict[str, Any]:
        return self._open_each(self._load)

    def _load(self, lang: str) -> Any:
        index = _bm25s().BM25.load(self.folder / field_name(lang), show_progress=False)
        scores, terms, count = index.scores, len(index.vocab_dict), len(self._by_lang[lang])
        if scores["num_docs"] != count:
            raise ValueError(f"{field_name(lang)} holds {scores['num_docs']} passages")
        matrix = scores["indptr"], scores["indices"], scores["data"]
        in_range = all(0 <= number < terms for number in index.vocab_dict.values())
        if not (in_range and is_sparse_matrix(*matrix, terms=terms, count=count)):
            raise ValueError(f"{field_name(lang)} has inconsistent parts")
        return index

    def _search(self, lang: str, query: Query, k: int) -> list[Hit]:
        index = self.index[lang]
        token_ids = index.get_tokens_ids(search_tokens.tokens(query.text, lang))
        if not token_ids:
            return []
        scores = index.get_scores_from_ids(token_ids)
        passages = self._by_lang[lang]
        return [Hit(passages[row], float(scores[row])) for row in best_rows(scores, k)]


def index_tokens(texts: Iterable[Sequence[str]], *, k1: float, b: float) -> Any:
    """A bm25s index of tokenised texts."""
    vocabulary: dict[str, int] = {"": 0}  # bm25s needs at least one token
    rows = [[vocabulary.setdefault(token, len(vocabulary)) for token in text] for text in texts]
    index = _bm25s().BM25(k1=k1, b=b, method="lucene")
    with np.errstate(invalid="ignore"):  # texts without tokens: 0 / 0
        index.index((rows, vocabulary), create_empty_token=False, show_progress=False)
    return index


def best_rows(scores: NDArray[np.floating[Any]], k: int) -> list[int]:
    """The rows of the `k` highest scores above 0; ties in row order."""
    rows = np.flatnonzero(scores > 0)
    if len(rows) > k:
        kth_score = np.partition(scores[rows], -k)[-k]
        rows = rows[scores[rows] >= kth_score]
    order = np.argsort(-scores[rows], kind="stable")[:k]
    return [int(row) for row in rows[order]]


def _bm25s() -> ModuleType:
    module = importlib.import_module("bm25s")
    logging.getLogger("bm25s").setLevel(logging.WARNING)  # bm25s sets DEBUG globally
    return module
