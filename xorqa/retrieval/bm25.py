"""BM25 with bm25s: in memory and without Java, for corpora that fit on a laptop."""

import importlib
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.lang import ENGLISH
from ..core.progress import Progress
from ..core.text import search_tokens
from ..core.text.folding import check_options
from ..core.types import Hit, Query
from ..core.validation import NonNegative, Share
from ..datasets.corpus import Corpus
from .lexical import LexicalRetriever, field_name, is_sparse_matrix

STOP_WORDS = "stop_words_en"
"""The folder of the index of English stop words."""


class _Opened(NamedTuple):
    """The version of the tokens, the index of each language and that of English stop words."""

    version: int
    by_lang: dict[str, Any]
    stop_words: Any = None


class Bm25(LexicalRetriever):
    """BM25 as in Lucene (Kamphuis et al. 2020, "Lucene (accurate)").

    Tokens are those of `text.search_tokens`; a token repeated in the query counts each time.
    Token scores are computed at indexing time, so changing k1 or b needs a new index. An index of
    an earlier version of the tokens is searched with that version.

    `folding` names optional foldings, for passages and queries: `simplified-chinese` (traditional
    characters as simplified ones; needs `xorqa[chinese]`) and `vietnamese-marks` (Vietnamese
    without marks). `word_pairs` makes each two adjacent words a further token, so that a passage
    with the words of the query in their order ranks above one that only has the words; this is
    no longer Lucene's BM25, and the index is several times as large. An English query of nothing
    but stop words ("The Who") is searched in an index of their pairs and of the titles' stop words.

    `every_language` searches the passages of all languages, each with its own analyzer, so that
    names, options and numbers of the query are found in any of them.

    Raises:
        ConfigError: for an unknown folding.

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

    def __init__(
        self,
        *,
        corpus: Corpus | None = None,
        folder: Path | None = None,
        k1: NonNegative = 0.9,
        b: Share = 0.4,
        folding: Sequence[str] = (),
        word_pairs: bool = False,
        every_language: bool = False,
    ) -> None:
        super().__init__(corpus=corpus, folder=folder, k1=k1, b=b)
        self.every_language = every_language
        self.ranks_each_language = not every_language
        self.folding = check_options(folding)
        self.word_pairs = word_pairs

    @staticmethod
    def indexed(table: Mapping[str, Any]) -> Mapping[str, Any]:
        """The table without `every_language`, which applies only to the search."""
        return {name: value for name, value in table.items() if name != "every_language"}

    def index_settings(self, *, fresh: bool = False) -> dict[str, Any]:
        settings: dict[str, Any] = {
            "k1": self.k1,
            "b": self.b,
            "tokens": self.tokens_version(fresh=fresh),
        }
        settings |= {"folding": list(self.folding)} if self.folding else {}
        return settings | ({"word_pairs": True} if self.word_pairs else {})

    def write_index(self, folder: Path, progress: Progress) -> None:
        tokens = partial(search_tokens.tokens, folding=self.folding, pairs=self.word_pairs)
        for lang, texts in self._tokens(progress, tokens):
            index = index_tokens(texts, k1=self.k1, b=self.b)
            index.save(folder / field_name(lang), show_progress=False)
        if passages := self._by_lang.get(ENGLISH):
            stops = (search_tokens.stop_tokens(row.text, row.title) for row in passages)
            index = index_tokens(stops, k1=self.k1, b=self.b)
            index.save(folder / STOP_WORDS, show_progress=False)

    def open_index(self) -> _Opened:
        version = self.tokens_version()
        indexes = self._open_each(lambda lang: self._load(field_name(lang), lang))
        if version > 1 and ENGLISH in indexes:
            stop_words = self._open_each(lambda lang: self._load(STOP_WORDS, lang), [ENGLISH])
            return _Opened(version, indexes, stop_words[ENGLISH])
        return _Opened(version, indexes)

    def _load(self, name: str, lang: str) -> Any:
        index = _bm25s().BM25.load(self.folder / name, show_progress=False)
        scores, terms, count = index.scores, len(index.vocab_dict), len(self._by_lang[lang])
        if scores["num_docs"] != count:
            raise ValueError(f"{name} holds {scores['num_docs']} passages")
        matrix = scores["indptr"], scores["indices"], scores["data"]
        in_range = all(0 <= number < terms for number in index.vocab_dict.values())
        if not (in_range and is_sparse_matrix(*matrix, terms=terms, count=count)):
            raise ValueError(f"{name} has inconsistent parts")
        return index

    def _search(self, lang: str, query: Query, k: int) -> list[Hit]:
        version, indexes, stop_words = self.index
        index = indexes[lang]
        tokens = partial(search_tokens.tokens, folding=self.folding, pairs=self.word_pairs)
        words = tokens(query.text, lang, version=version)
        if not words and lang == ENGLISH and stop_words:
            index, words = stop_words, search_tokens.stop_tokens(query.text)
        token_ids = index.get_tokens_ids(words)
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
