"""Rank all paragraphs of the articles that the first hits come from."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from ..core.configured import Configured
from ..core.errors import ConfigError
from ..core.ordering import best_first
from ..core.ranges import Count
from ..core.registry import build, name_of, table_of
from ..core.types import Hit, Passage, Query
from ..datasets.corpus import Corpus
from ..io.files import digest
from .rerank import ScoringRanker, reranked

Article = tuple[str, str]  # language, and the title or, without one, the docid


class PathRanker(Configured):
    """Rank all paragraphs of the best articles, as Path Retriever does before its hops along links.

    Asai et al. 2020. An article is the passages of one title and language; a passage without a
    title is an article of its own. The first `depth` hits vote: an article has the score of its
    best hit. `scorer`, another ranker (name, table or object), scores every paragraph of the best
    `articles`, retrieved or not. Other hits follow in their order; `keep` hits are kept (None:
    all). Passages carry no links, so no hop follows.

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

    version = 1

    def __init__(
        self,
        *,
        scorer: str | Mapping[str, Any] | ScoringRanker = "reader",
        corpus: Corpus | None = None,
        articles: Count = 10,
        depth: Count = 100,
        keep: Count | None = None,
    ) -> None:
        self._corpus = corpus
        self.articles, self.depth, self.keep = articles, depth, keep
        self.scorer = _scorer(scorer)

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
        settings = self.articles, self.depth, self.keep
        return digest(self.corpus.sha, *scorer, self.scorer.fingerprint(), *settings)

    def rank(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[Hit]]:
        """The paragraphs of the best articles, best first, then the other hits in their order."""
        paragraphs = [self._paragraphs(ranking) for ranking in hits]
        scored = self.scorer.scores(queries, paragraphs)
        return [
            reranked([*found, *_others(ranking, found)], scores)[: self.keep]
            for ranking, found, scores in zip(hits, paragraphs, scored, strict=True)
        ]

    def _paragraphs(self, hits: Sequence[Hit]) -> list[Hit]:
        """The paragraphs of the best articles, each with its article's score."""
        votes: dict[Article, float] = {}
        for hit in best_first(hits[: self.depth]):
            votes.setdefault(_article(hit.passage), hit.score)
        best = list(votes.items())[: self.articles]
        return [
            Hit(passage, score)
            for article, score in best
            for passage in self._members.get(article, ())
        ]

    @cached_property
    def _members(self) -> dict[Article, list[Passage]]:
        members: dict[Article, list[Passage]] = {}
        for passage in self.corpus:
            members.setdefault(_article(passage), []).append(passage)
        return members


def _article(passage: Passage) -> Article:
    return passage.lang, passage.title or passage.docid


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
