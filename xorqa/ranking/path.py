"""Rank all paragraphs of the articles that the first hits come from."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from ..core.errors import ConfigError
from ..core.ordering import best_first
from ..core.ranges import Count
from ..core.registry import build, name_of, table_of
from ..core.stages import BaseRanker, Configured
from ..core.types import Hit, Passage, Query
from ..datasets.corpus import Corpus
from ..io.files import digest
from .links import Article, Links, article_of, linked_from, links_sha, read_links
from .rerank import ScoringRanker, reranked


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
        >>> from xorqa import Corpus, Hit, Passage, PathRanker, Query, Question, ReaderRanker
        >>> texts = ["The Nile is a river.", "The Nile is 6650 km long."]
        >>> passages = [Passage(f"nile-{at}", text, "Nile") for at, text in enumerate(texts, 1)]
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
        self._files = _links_files(links)

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
            linked = self._scored(queries, [self._linked(found) for found in scored])
            scored = [[*found, *more] for found, more in zip(scored, linked, strict=True)]
        return [
            reranked([*found, *_others(ranking, found)], [hit.score for hit in found])[: self.keep]
            for ranking, found in zip(hits, scored, strict=True)
        ]

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
        best = list(votes.items())[: self.articles]
        return [
            Hit(passage, score)
            for article, score in best
            for passage in self._members.get(article, ())
        ]

    def _linked(self, found: Sequence[Hit]) -> list[Hit]:
        """The other paragraphs of the articles to which the best ones link."""
        known = {hit.passage.docid for hit in found}
        linked = (
            passage
            for hit in best_first(found)[: self.beam]
            for article in linked_from(hit.passage, self._links)
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


def _links_files(names: Sequence[str]) -> list[Path]:
    files = [Path(name).expanduser() for name in names]
    for file in files:
        if not file.is_file():
            raise ConfigError(
                f"[ranker] 'path' has no links {file}; `xorqa corpus make` writes them for a dump "
                "of Wikipedia"
            )
    return files


def _others(hits: Sequence[Hit], found: Sequence[Hit]) -> list[Hit]:
    """The hits that are not among `found`."""
    docids = {hit.passage.docid for hit in found}
    return [hit for hit in hits if hit.passage.docid not in docids]


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
