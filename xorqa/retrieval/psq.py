"""Probabilistic structured queries: search with all translations of each word of a question."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import ConfigError
from ..core.lang import ENGLISH
from ..core.progress import Progress, silent
from ..core.text.stems import stem
from ..core.types import Hit, Query, Question, best_first
from ..core.validation import NonNegative, Share
from ..datasets.corpus import Corpus
from ..io.files import digest
from ..io.strict_json import parse_json
from ..io.word_probabilities import TABLE_TOKENS, table_files, table_tokens
from ..models.word_translations import WordTranslations, bundled_words
from .bm25 import best_rows
from .lexical import LexicalRetriever, field_name, is_sparse_matrix

BUNDLED = "bundled"
VOCABULARY, STEMS = "vocabulary.json", "stems.json"
ARRAYS = {"starts": np.int64, "passages": np.int32, "counts": np.int32, "lengths": np.int64}


class Psq(LexicalRetriever):
    """BM25 of expected frequencies: no word of the question is committed to one translation.

    The term and document frequency of a word of the original question are expectations over its
    English translations (probabilistic structured queries, Darwish and Oard 2003), and
    its weight is the probability that it has one. `table` is a file or a folder of `xorqa train
    lexicon --probabilities`, or "bundled" (docs/data.md#word-translations); `KnownWords` says which
    of its words a token is. A translation matches all words with its stem. A word that the table
    lacks matches the same word or, if no passage has it, those with its stem; one that it has
    without a translation matches nothing. Passages in other languages than English are matched with
    the same words; in the question's language this is `Bm25`.

    Example:
        >>> from pathlib import Path
        >>> from xorqa import Corpus, Passage, Query, Question
        >>> from xorqa.retrieval.psq import Psq
        >>> _ = Path("psq.tsv").write_text("fi\\tjärvi\\tlake\\t0.7\\nfi\\tjärvi\\tpond\\t0.2\\n")
        >>> corpus = Corpus("w", [Passage("Inari", "A lake."), Passage("Nile", "A river.")])
        >>> retriever = Psq(table="psq.tsv", corpus=corpus, folder=Path("indexes/psq"))
        >>> [hits] = retriever.retrieve([Query(Question("q", "Mikä järvi?", "fi"), "", "fi")], k=2)
        >>> [hit.passage.docid for hit in hits]
        ['Inari']
    """

    use = "psq"
    disk_share = 1.0

    def __init__(
        self,
        *,
        table: str = BUNDLED,
        corpus: Corpus | None = None,
        folder: Path | None = None,
        k1: NonNegative = 0.9,
        b: Share = 0.4,
    ) -> None:
        super().__init__(corpus=corpus, folder=folder, k1=k1, b=b)
        self.table = table

    @staticmethod
    def indexed(table: Mapping[str, Any]) -> Mapping[str, Any]:
        """No setting: the index has frequencies, which are weighted when it is searched."""
        return {"use": table["use"]}

    def fingerprint(self) -> str:
        """A hash of the manifest, the table and the BM25 parameters."""
        return digest("stems", self.index_manifest(), self.k1, self.b, *self._translations.hashes)

    def build(self, *, rebuild: bool = False, progress: Progress = silent) -> None:
        """Build the index, or check an existing one; the table must exist."""
        _ = self._translations
        super().build(rebuild=rebuild, progress=progress)

    def index_settings(self, *, fresh: bool = False) -> dict[str, Any]:
        return {"tokens": TABLE_TOKENS, "stems": 1}

    def write_index(self, folder: Path, progress: Progress) -> None:
        for lang, texts in self._tokens(progress, table_tokens):
            count_terms(texts, lang).save(folder / field_name(lang))

    def open_index(self) -> dict[str, TermCounts]:
        return self._open_each(
            lambda lang: TermCounts.load(
                self.folder / field_name(lang), passages=len(self._by_lang[lang])
            )
        )

    def _hits(self, query: Query, k: int) -> list[Hit]:
        if k < 1 or not query.question.text.strip():
            return []
        # Every language: the question's words are translated, or matched as they are.
        return best_first(hit for lang in self._by_lang for hit in self._search(lang, query, k))[:k]

    def _search(self, lang: str, query: Query, k: int) -> list[Hit]:
        index, passages = self.index[lang], self._by_lang[lang]
        scores = np.zeros(len(passages))
        for terms, mass in self._terms(index, lang, query.question):
            if terms:
                scores += _bm25(index, terms, mass, k1=self.k1, b=self.b)
        return [Hit(passages[row], float(scores[row])) for row in best_rows(scores, k)]

    def _terms(
        self, index: TermCounts, lang: str, question: Question
    ) -> Iterator[tuple[Mapping[int, float], float]]:
        """The probable terms of each word of the question, and the probability that it has any.

        If the passages are not in English, or are in the question's language, each word is its
        only term.
        """
        if lang != ENGLISH or question.lang == ENGLISH:
            for token in table_tokens(question.text, question.lang):
                yield index.of(token), 1.0
            return
        for word in self._translations.words(question.text, question.lang, index.vocabulary):
            if word.translations is None:
                yield index.of(word.text) or index.of_stem(stem(word.text, question.lang)), 1.0
            else:
                yield index.inflected(word.translations), sum(word.translations.values())

    @cached_property
    def _translations(self) -> WordTranslations:
        if self.table == BUNDLED:
            return bundled_words()
        translations = WordTranslations(Path(self.table).expanduser())
        if not any(file.is_file() for file in table_files(translations.path)):
            raise ConfigError(
                f"[retriever] 'psq' has no table {self.table}; make one with: "
                f"xorqa train lexicon pairs.tsv --probabilities --out {self.table}"
            )
        return translations


def _bm25(
    index: TermCounts, terms: Mapping[int, float], mass: float, *, k1: float, b: float
) -> NDArray[np.float64]:
    """The score of one word for each passage, as in Lucene, with expected frequencies."""
    p = np.array(list(terms.values())) / mass
    ids = np.array(list(terms))
    frequency = index.expected(ids, p)
    count = len(index.lengths)
    documents = min(float(p @ index.documents[ids]), count)  # forms share passages
    idf = np.log1p((count - documents + 0.5) / (documents + 0.5))
    norm = k1 * (1 - b + b * index.lengths / index.lengths.mean())
    return np.asarray(mass * idf * frequency / np.maximum(frequency + norm, 1e-9))


@dataclass(frozen=True)
class TermCounts:
    """A sparse matrix (terms, passages) in rows of terms.

    Term t is in the passages from `passages[starts[t]]` to before `passages[starts[t + 1]]`, each
    time as often as `counts` has it. `lengths` are the passages' numbers of tokens, `stems` those
    of the terms.
    """

    vocabulary: dict[str, int]
    stems: list[str]
    starts: NDArray[np.int64]
    passages: NDArray[np.int32]
    counts: NDArray[np.int32]
    lengths: NDArray[np.int64]

    @cached_property
    def documents(self) -> NDArray[np.int64]:
        """The number of passages of each term."""
        return np.diff(self.starts)

    @cached_property
    def _inflections(self) -> dict[str, list[int]]:
        """The terms of each stem."""
        terms: dict[str, list[int]] = {}
        for term, its_stem in enumerate(self.stems):
            terms.setdefault(its_stem, []).append(term)
        return terms

    def inflected(self, translations: Mapping[str, float]) -> dict[int, float]:
        """All forms of each English word with its probability."""
        probable: dict[int, float] = {}
        for word, p in translations.items():
            tokens = table_tokens(word, ENGLISH)
            for token in tokens:
                its_stem = stem(token, ENGLISH)
                known = its_stem if its_stem in self._inflections else token  # in older tables
                for term in self._inflections.get(known, ()):
                    probable[term] = probable.get(term, 0.0) + p / len(tokens)
        return probable

    def of(self, word: str) -> dict[int, float]:
        """The term of a word, if there is one."""
        return {self.vocabulary[word]: 1.0} if word in self.vocabulary else {}

    def of_stem(self, its_stem: str) -> dict[int, float]:
        """All forms of a stem."""
        return dict.fromkeys(self._inflections.get(its_stem, ()), 1.0)

    def expected(self, terms: NDArray[np.int64], p: NDArray[np.float64]) -> NDArray[np.float64]:
        """The expected frequency in each passage of a term that is `terms[i]` with `p[i]`."""
        slices = [slice(self.starts[term], self.starts[term + 1]) for term in terms]
        passages = np.concatenate([self.passages[term] for term in slices])
        weighted = [self.counts[term] * share for term, share in zip(slices, p, strict=True)]
        return np.bincount(passages, np.concatenate(weighted), len(self.lengths)).astype(np.float64)

    def save(self, folder: Path) -> None:
        """Write the arrays and the vocabulary into a new folder."""
        folder.mkdir(parents=True)
        for name, words in ((VOCABULARY, list(self.vocabulary)), (STEMS, self.stems)):
            (folder / name).write_text(json.dumps(words, ensure_ascii=False), encoding="utf-8")
        for name in ARRAYS:
            np.save(folder / f"{name}.npy", getattr(self, name))

    @classmethod
    def load(cls, folder: Path, *, passages: int) -> TermCounts:
        """Open the files of a folder.

        Raises:
            TypeError, and `ARRAY_ERRORS`: if a file is damaged, or the index has another number
                of passages.
        """
        words, stems = (parse_json((folder / name).read_bytes()) for name in (VOCABULARY, STEMS))
        arrays = [np.load(folder / f"{name}.npy", allow_pickle=False) for name in ARRAYS]
        counts = cls({word: term for term, word in enumerate(words)}, stems, *arrays)
        if not counts._is_consistent(passages):
            raise ValueError(f"{folder.name} has inconsistent parts")
        return counts

    def _is_consistent(self, passages: int) -> bool:
        arrays = [(getattr(self, name), kind) for name, kind in ARRAYS.items()]
        if any(array.ndim != 1 or array.dtype != kind for array, kind in arrays):
            return False
        matrix, terms = (self.starts, self.passages, self.counts), len(self.vocabulary)
        is_matrix = is_sparse_matrix(*matrix, terms=terms, count=passages)
        return len(self.lengths) == passages and len(self.stems) == terms and is_matrix


def count_terms(texts: Iterable[Sequence[str]], lang: str) -> TermCounts:
    """Count the tokens of each passage in a language."""
    vocabulary: dict[str, int] = {}
    lengths, numbers = [], []
    for text in texts:
        terms = [vocabulary.setdefault(token, len(vocabulary)) for token in text]
        numbers.append(np.array(terms, np.int64))
        lengths.append(len(text))
    width = max(len(lengths), 1)
    passages = np.repeat(np.arange(len(lengths)), lengths)
    # One number per pair of term and passage: sorted, these are the matrix in rows of terms.
    cells, counts = np.unique(
        np.concatenate([*numbers, np.empty(0, np.int64)]) * width + passages, return_counts=True
    )
    starts = np.searchsorted(cells // width, np.arange(len(vocabulary) + 1))
    return TermCounts(
        vocabulary,
        [stem(word, lang) for word in vocabulary],
        starts.astype(np.int64),
        (cells % width).astype(np.int32),
        counts.astype(np.int32),
        np.array(lengths, np.int64),
    )
