"""Probabilistic structured queries: search with all translations of each word of a question."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import ConfigError
from ..core.progress import Progress, silent
from ..core.text import search_tokens
from ..core.types import Hit, Query, Question, best_first
from ..core.validation import NonNegative, Share
from ..datasets.corpus import Corpus
from ..io.files import digest, sha256
from ..io.word_probabilities import WordProbabilities, read_word_probabilities
from .bm25 import best_rows
from .lexical import LexicalRetriever, field_name
from .term_counts import TermCounts, count_terms

ENGLISH = "en"


class Psq(LexicalRetriever):
    """BM25 of expected frequencies: no word of the question is committed to one translation.

    The term and document frequency of a word of the original question are expectations over its
    English translations (probabilistic structured queries, Darwish and Oard 2003), and
    its weight is the probability that it has one. `table` is a file of `xorqa train lexicon
    --probabilities`. Words that it lacks, and passages in other languages than English, are
    matched with the same words; in the question's language this is `Bm25`.

    Example:
        >>> from pathlib import Path
        >>> from xorqa import Corpus, Passage, Psq, Query, Question
        >>> _ = Path("psq.tsv").write_text("fi\\tjärvi\\tlake\\t0.7\\nfi\\tjärvi\\tpond\\t0.2\\n")
        >>> texts = {"Inari": "Inari is a lake.", "Nile": "The Nile is a river."}
        >>> corpus = Corpus("w", [Passage(name, text) for name, text in texts.items()])
        >>> retriever = Psq(table="psq.tsv", corpus=corpus, folder=Path("indexes/psq"))
        >>> [hits] = retriever.retrieve([Query(Question("q", "Mikä järvi?", "fi"), "", "fi")], k=2)
        >>> [hit.passage.docid for hit in hits]
        ['Inari']
    """

    kind = "psq"
    disk_share = 1.0

    def __init__(
        self,
        *,
        table: str | None = None,
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
        return digest(self._manifest(), self.k1, self.b, sha256(self._path) if self._path else "")

    def build(self, *, rebuild: bool = False, progress: Progress = silent) -> None:
        """Build the index, or check an existing one; the table must exist."""
        _ = self._path
        super().build(rebuild=rebuild, progress=progress)

    def _index_settings(self, *, fresh: bool) -> dict[str, Any]:
        return {"tokens": search_tokens.VERSION}

    def _write(self, folder: Path, settings: dict[str, Any], progress: Progress) -> None:
        for lang, passages in groupby(self._ordered(progress), key=lambda passage: passage.lang):
            texts = (search_tokens.tokens(passage.titled, lang) for passage in passages)
            count_terms(texts).save(folder / field_name(lang))

    def _open(self) -> dict[str, TermCounts]:
        try:
            return {
                lang: TermCounts.load(self.folder / field_name(lang), passages=len(passages))
                for lang, passages in self._by_lang.items()
            }
        except (OSError, EOFError, ValueError, KeyError, TypeError) as error:
            raise self._damaged(error) from error

    def _hits(self, query: Query, k: int) -> list[Hit]:
        question = query.question
        if k < 1 or not question.text.strip():
            return []
        hits = [hit for lang in self._by_lang for hit in self._hits_in(lang, question, k)]
        return best_first(hits)[:k]

    def _search(self, lang: str, text: str, k: int) -> list[Hit]:
        return self._hits_in(lang, Question("", text, lang), k)

    def _hits_in(self, lang: str, question: Question, k: int) -> list[Hit]:
        index, passages = self._index[lang], self._by_lang[lang]
        scores = np.zeros(len(passages))
        for translations in self._translations(lang, question):
            rows = {
                index.vocabulary[w]: p for w, p in translations.items() if w in index.vocabulary
            }
            if rows:
                scores += _bm25(index, rows, translations, k1=self.k1, b=self.b)
        return [Hit(passages[row], float(scores[row])) for row in best_rows(scores, k)]

    def _translations(self, lang: str, question: Question) -> Iterator[Mapping[str, float]]:
        """The probabilities of each word's translations into the passages' language."""
        words = search_tokens.tokens(question.text, question.lang)
        translated = lang == ENGLISH != question.lang
        table = self._probabilities.get(question.lang, {}) if translated else {}
        for word in words:
            yield table.get(word, {word: 1.0})

    @cached_property
    def _path(self) -> Path | None:
        if self.table is None:
            return None
        path = Path(self.table).expanduser()
        if not path.is_file():
            raise ConfigError(
                f"[retriever] 'psq' has no table {self.table}; make one with: "
                f"xorqa train lexicon pairs.tsv --probabilities --out {self.table}"
            )
        return path

    @cached_property
    def _probabilities(self) -> WordProbabilities:
        return read_word_probabilities(self._path) if self._path else {}


def _bm25(
    index: TermCounts,
    rows: Mapping[int, float],
    translations: Mapping[str, float],
    *,
    k1: float,
    b: float,
) -> NDArray[np.float64]:
    """The score of one word for each passage, as in Lucene, with expected frequencies."""
    mass = sum(translations.values())
    p = np.array(list(rows.values())) / mass
    ids = np.array(list(rows))
    frequency = index.expected(ids, p)
    documents = float(p @ index.documents[ids])
    count = len(index.lengths)
    idf = np.log1p((count - documents + 0.5) / (documents + 0.5))
    norm = k1 * (1 - b + b * index.lengths / index.lengths.mean())
    return np.asarray(mass * idf * frequency / np.maximum(frequency + norm, 1e-9))
