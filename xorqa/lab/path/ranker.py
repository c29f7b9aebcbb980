"""Rank all paragraphs of the articles that the first hits come from, or that those link to.

The links between articles are files of `xorqa corpus make`.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from ...core.errors import ConfigError
from ...core.registry import build, name_of, table_of
from ...core.stages import BaseRanker, Configured
from ...core.types import Hit, Passage, Query, best_first
from ...core.validation import Count
from ...datasets.corpora.make import LINKS, REDIRECTS
from ...datasets.corpora.mediawiki import page_title
from ...datasets.corpus import Corpus
from ...io.files import digest, read_fields, sha256
from ...ranking.rerank import ScoringRanker, reranked

Article = tuple[str, str]  # language, and the title or, without one, the docid
Links = Mapping[Article, Sequence[tuple[Article, str]]]
"""The articles that an article links to, each with the text that shows the link."""


class PathRanker(Configured, BaseRanker):
    """Rank all paragraphs of the best articles, and of those that their best paragraphs link to.

    After Path Retriever (Asai et al. 2020). An article is the passages of one title and language;
    a passage without a title is an article of its own. The first `depth` hits vote: an article has
    the score of its best hit. `scorer`, another ranker (name, table or
    object), scores every paragraph of the best `articles`, retrieved or not.

    With `links` (files of `xorqa corpus make`), one hop follows: all paragraphs of the articles
    to which the best `beam` paragraphs link are scored as well, each by itself; the paper's scorer
    also reads the path. Other hits follow in their order; `keep` hits are kept (None: all).

    Example:
        >>> from xorqa import Corpus, Hit, Passage, Query, Question, ReaderRanker
        >>> from xorqa.lab.path.ranker import PathRanker
        >>> texts = ["The Nile is a river.", "The Nile is 6650 km long."]
        >>> passages = [Passage(f"nile-{n}", text, "Nile") for n, text in enumerate(texts, 1)]
        >>> ranker = PathRanker(scorer=ReaderRanker(), corpus=Corpus("rivers", passages))
        >>> query = Query(Question("q", "나일강의 길이는?", "ko"), "How long is the Nile?", "en")
        >>> [ranked] = ranker.rank([query], [[Hit(passages[0], 1.0)]])
        >>> [hit.passage.docid for hit in ranked]
        ['nile-2', 'nile-1']
    """

    version = 2

    def __init__(
        self,
        *,
        scorer: str | Mapping[str, Any] | ScoringRanker = "reader",
        corpus: Corpus | None = None,
        articles: Count = 10,
        links: Sequence[str] = (),
        beam: Count = 5,
        depth: Count = 100,
        keep: Count | None = None,
    ) -> None:
        self._corpus = corpus
        self.articles, self.depth, self.keep, self.beam = articles, depth, keep, beam
        self.scorer = _scorer(scorer)
        self._files = [Path(name).expanduser() for name in links]
        for file in self._files:
            if not file.is_file():
                raise ConfigError(
                    f"[ranker] 'path' has no links {file}; `xorqa corpus make` writes them for a "
                    "dump of Wikipedia"
                )

    @property
    def corpus(self) -> Corpus:
        """The passages. Raises ConfigError if it has none yet."""
        if self._corpus is None:
            raise ConfigError(
                "PathRanker has no corpus yet; pass it to a Pipeline, or build it with corpus=..."
            )
        return self._corpus

    def fingerprint(self) -> str:
        """A hash of the corpus, the scorer and the settings."""
        scorer = name_of("ranker", type(self.scorer)), self.scorer.version
        settings = self.articles, self.depth, self.keep, self.beam, links_sha(self._files)
        return digest(self.corpus.sha, *scorer, self.scorer.fingerprint(), *settings)

    def rank(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[Hit]]:
        """The paragraphs of the best articles, best first, then the other hits in their order."""
        scored = self._scored(queries, [self._paragraphs(ranking) for ranking in hits])
        if self._files:
            linked = self._scored(queries, [self._linked(paragraphs) for paragraphs in scored])
            scored = [[*first, *second] for first, second in zip(scored, linked, strict=True)]
        ranked = []
        for paragraphs, ranking in zip(scored, hits, strict=True):
            docids = {hit.passage.docid for hit in paragraphs}
            others = [hit for hit in ranking if hit.passage.docid not in docids]
            scores = [hit.score for hit in paragraphs]
            ranked.append(reranked([*paragraphs, *others], scores)[: self.keep])
        return ranked

    def _scored(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[Hit]]:
        """The hits with the scorer's scores."""
        return [
            [Hit(hit.passage, score) for hit, score in zip(row, scores, strict=True)]
            for row, scores in zip(hits, self.scorer.scores(queries, hits), strict=True)
        ]

    def _paragraphs(self, hits: Sequence[Hit]) -> list[Hit]:
        """The paragraphs of the best articles, each with its article's score."""
        votes: dict[Article, float] = {}
        for hit in best_first(hits[: self.depth]):
            votes.setdefault(article_of(hit.passage), hit.score)
        return [
            Hit(passage, score)
            for article, score in list(votes.items())[: self.articles]
            for passage in self._members.get(article, ())
        ]

    def _linked(self, paragraphs: Sequence[Hit]) -> list[Hit]:
        """The other paragraphs of the articles to which the best ones link."""
        known = {hit.passage.docid for hit in paragraphs}
        linked = (
            passage
            for hit in best_first(paragraphs)[: self.beam]
            for article, text in self._links.get(article_of(hit.passage), ())
            if text in hit.passage.text  # the passage shows the link
            for passage in self._members[article]
            if passage.docid not in known
        )
        return [Hit(passage, 0.0) for passage in dict.fromkeys(linked)]

    @cached_property
    def _links(self) -> Links:
        return read_links(self._files, self._members.keys())

    @cached_property
    def _members(self) -> dict[Article, list[Passage]]:
        members: dict[Article, list[Passage]] = {}
        for passage in self.corpus:
            members.setdefault(article_of(passage), []).append(passage)
        return members


def _scorer(stage: str | Mapping[str, Any] | ScoringRanker) -> ScoringRanker:
    """The ranker that scores paragraphs: all of them, so it has no `depth` or `keep` of its own."""
    table = table_of("ranker", stage)
    for setting in ("depth", "keep"):
        if setting in table:
            raise ConfigError(
                f"[ranker] 'path' scores all paragraphs of its articles: set '{setting}' beside "
                "scorer, not in it"
            )
    scorer = build("ranker", table)
    if not isinstance(scorer, ScoringRanker):
        name = name_of("ranker", type(scorer))
        raise ConfigError(
            f"[ranker] 'path' cannot use the scorer '{name}'; valid: reader, cross-encoder, or a "
            "subclass of ScoringRanker"
        )
    return scorer


def article_of(passage: Passage) -> Article:
    """The article of a passage; one without a title is an article of its own."""
    return passage.lang, passage.title or passage.docid


def read_links(files: Sequence[Path], articles: Collection[Article]) -> Links:
    """The links between these articles of files `NAME.links.tsv`.

    The redirects in `NAME.redirects.tsv`, if it exists, are followed.

    Raises:
        DataError: if a file cannot be read, or a line lacks a field.
    """
    links: dict[Article, list[tuple[Article, str]]] = {}
    for file in files:
        path = _redirects_file(file)
        pairs = read_fields(path, 2, "title and target") if path.is_file() else ()
        redirects = {title: page_title(target) for title, target in pairs}
        for lang, title, target, text in read_fields(file, 4, "language, title, target, text"):
            source, linked = (lang, title), (lang, redirects.get(target, target))
            if source in articles and linked in articles and source != linked:
                links.setdefault(source, []).append((linked, text))
    return links


def links_sha(files: Sequence[Path]) -> str:
    """A hash of files of links and of the redirects beside them; "" without files."""
    redirects = filter(Path.is_file, map(_redirects_file, files))
    return digest(*map(sha256, [*files, *redirects])) if files else ""


def _redirects_file(file: Path) -> Path:
    return file.with_name(file.name.removesuffix(LINKS) + REDIRECTS)
