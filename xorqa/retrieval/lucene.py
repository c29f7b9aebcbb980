"""BM25 with Lucene itself, driven through the jar that pyserini ships."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ..core.errors import ConfigError, DataError
from ..core.lang import LANGUAGES, language
from ..core.lazy import expect
from ..core.progress import Progress, silent
from ..core.types import Hit, Passage, Query
from ..datasets.corpus import Corpus
from ..text import search_tokens
from . import manifest
from .java import EXTRA, attached, errors_as, lucene, reason, start
from .lexical import LexicalRetriever, field

OWN = "xorqa"
"""The analyzer's name for the tokens of `text.search_tokens`."""

STANDARD = "standard.StandardAnalyzer"
MOST_TERMS = 1024  # Lucene refuses more clauses


class Lucene(LexicalRetriever):
    """BM25 (`BM25Similarity`), one field a language in one index.

    `analyzers` names other Lucene classes than `lang.LANGUAGES` does, by language, as in
    `{"ja": "cjk.CJKAnalyzer"}`, or "xorqa" for the tokens of `text.search_tokens`. An index
    keeps the classes it was built with and queries are analysed by those. k1 and b count at
    search time only: one index serves any. A token that a query repeats counts as often.
    """

    kind = "lucene"

    def __init__(
        self,
        *,
        corpus: Corpus | None = None,
        folder: Path | None = None,
        k1: float = 0.9,
        b: float = 0.4,
        analyzers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(corpus=corpus, folder=folder, k1=k1, b=b)
        expect("pyserini", extra=EXTRA)
        self.analyzers = dict(analyzers or {})
        for code in self.analyzers:
            language(code)

    def retrieve(self, queries: Sequence[Query], *, k: int) -> list[list[Hit]]:
        """The k passages with the highest BM25, equal scores by docid.

        Empty where a query has no token the passages have. Builds the index on first use.
        """
        with attached():
            return super().retrieve(queries, k=k)

    def _content(self, *, fresh: bool) -> dict[str, Any]:
        """The analyzer a language: as asked for, else as already indexed, else the table's."""
        chosen = {lang: LANGUAGES[lang].lucene for lang in self._by_lang if lang in LANGUAGES}
        stored = None if fresh or not manifest.exists(self.folder) else manifest.read(self.folder)
        if stored and isinstance(stored.get("analyzers"), dict):
            chosen.update(stored["analyzers"])
        chosen.update(self.analyzers)
        used = {lang: chosen.get(lang, STANDARD) for lang in self._by_lang}
        return {
            "analyzers": used,
            "tokens": search_tokens.VERSION if OWN in used.values() else None,
        }

    def _write(self, folder: Path, content: dict[str, Any], progress: Progress) -> None:
        fields = {lang: _Field(lang, name) for lang, name in content["analyzers"].items()}
        with errors_as(lambda why: DataError(f"index {self.folder} cannot be written ({why})")):
            writer = _writer(folder, fields.values())
            try:
                for passage in self._ordered(progress):
                    writer.addDocument(fields[passage.lang].document(passage.titled))
                writer.forceMerge(1)
                writer.commit()
            finally:
                writer.close()

    def _open(self) -> tuple[Any, dict[str, _Field]]:
        analyzers = self._content(fresh=False)["analyzers"]
        with errors_as(self._damaged):
            reader = lucene("index.DirectoryReader").open(_directory(self.folder))
            searcher = lucene("search.IndexSearcher")(
                start().cast("org.apache.lucene.index.IndexReader", reader)
            )
        if reader.maxDoc() != len(self.corpus):
            raise self._damaged(f"{reader.maxDoc()} passages, not {len(self.corpus)}")
        searcher.setSimilarity(lucene("search.similarities.BM25Similarity")(self.k1, self.b))
        return searcher, {lang: _Field(lang, name) for lang, name in analyzers.items()}

    def _search(self, lang: str, text: str, k: int) -> list[Hit]:
        searcher, fields = self._index
        tokens = fields[lang].tokens(text)
        if not tokens:
            return []
        with errors_as(self._damaged):
            top = searcher.search(_any_of(tokens, field(lang)), min(k, len(self.corpus)))
            return [Hit(self._places[doc], score) for doc, score in _read(top)]

    @cached_property
    def _places(self) -> list[Passage]:
        """Passages by Lucene's document number: they keep the order they were added in."""
        return list(self._ordered(silent))


class _Field:
    """A language's field and analyzer; one document is used again for every passage."""

    def __init__(self, lang: str, name: str) -> None:
        self.name = field(lang)
        self.lang = lang
        self.own = name == OWN
        self.analyzer = _analyzer("core.WhitespaceAnalyzer" if self.own else name, lang)
        self._value = lucene("document.TextField")(self.name, "", lucene("document.Field$Store").NO)
        self._document = lucene("document.Document")()
        self._document.add(self._value)

    def document(self, text: str) -> Any:
        """The Java document with this text in its only field."""
        self._value.setStringValue(self._given(text))
        return self._document

    def tokens(self, text: str) -> list[str]:
        """What the analyzer makes of a text."""
        found = []
        stream = self.analyzer.tokenStream(self.name, self._given(text))
        try:
            term = stream.addAttribute(lucene("analysis.tokenattributes.CharTermAttribute"))
            stream.reset()
            while stream.incrementToken():
                found.append(str(term.toString()))
            stream.end()
        finally:
            stream.close()
        return found

    def _given(self, text: str) -> str:
        """The text as Java takes it: no half surrogate pairs; our own tokens divided by blanks."""
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return " ".join(search_tokens.tokens(text, self.lang)) if self.own else text


def _analyzer(name: str, lang: str) -> Any:
    """An analyzer by its class below `org.apache.lucene.analysis`."""
    try:
        analyzer = lucene(f"analysis.{name}")()
        if hasattr(analyzer, "tokenStream"):
            return analyzer
        why = "no analyzer"
    except (LookupError, start().JavaException) as error:
        why = reason(error)
    raise ConfigError(
        f"[retriever] 'lucene' cannot use analyzer '{name}' for {lang} ({why}); name a class "
        f"below org.apache.lucene.analysis such as {LANGUAGES['en'].lucene}, or {OWN}"
    )


def _directory(folder: Path) -> Any:
    """The folder for Lucene; without its lock, for a finished index has no writer.

    Java takes a relative path from where it was started, Python from where it is now.
    """
    place = start().autoclass("java.io.File")(str(folder.absolute())).toPath()
    return lucene("store.FSDirectory").open(place, lucene("store.NoLockFactory").INSTANCE)


def _writer(folder: Path, fields: Iterable[_Field]) -> Any:
    """A writer whose merges keep the documents' order, which a tie is decided by."""
    analyzers = start().autoclass("java.util.HashMap")()
    for one in fields:
        analyzers.put(one.name, one.analyzer)
    usual = lucene(f"analysis.{STANDARD}")()
    config = lucene("index.IndexWriterConfig")(
        lucene("analysis.miscellaneous.PerFieldAnalyzerWrapper")(usual, analyzers)
    )
    config.setMergePolicy(lucene("index.LogDocMergePolicy")())
    return lucene("index.IndexWriter")(_directory(folder), config)


def _read(top: Any) -> Iterable[tuple[int, float]]:
    """Numbers and scores of a Java `TopDocs`: as one JSON text, not three calls a hit."""
    rows = json.loads(_json().writeValueAsString(top))["scoreDocs"]
    scores = np.array([row["score"] for row in rows], np.float32).tolist()
    return zip((row["doc"] for row in rows), scores, strict=True)


@cache
def _json() -> Any:
    return start().autoclass("com.fasterxml.jackson.databind.ObjectMapper")()


def _any_of(tokens: Sequence[str], name: str) -> Any:
    """A query for any of the tokens, weighted by how often each occurs.

    Where there are too many the most frequent ones count, and the first of equal ones.
    """
    builder = lucene("search.BooleanQuery$Builder")()
    should = lucene("search.BooleanClause$Occur").SHOULD
    for token, count in Counter(tokens).most_common(MOST_TERMS):
        term = lucene("search.TermQuery")(lucene("index.Term")(name, token))
        one = lucene("search.BoostQuery")(term, float(count)) if count > 1 else term
        builder.add(one, should)
    return builder.build()
