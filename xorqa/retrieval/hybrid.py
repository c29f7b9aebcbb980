"""Hybrid retrieval: several retrievers combined by reciprocal rank fusion."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from inspect import signature
from pathlib import Path
from typing import Any

from ..core.errors import ConfigError
from ..core.progress import Progress, silent, split_progress
from ..core.registry import table_of
from ..core.stages import BaseRetriever, Retriever, missing_members
from ..core.types import Hit, Passage, Query, best_first
from ..core.validation import Count, NonNegative
from ..datasets.corpus import Corpus
from ..io.files import digest
from .over_corpus import OverCorpus, retriever_over

ENCODING_TIME = 50.0  # of a part that encodes the passages; a lexical part takes 1


class Hybrid(OverCorpus):
    """Scores a passage by the sum of weight / (constant + rank) over its parts, ranks from 1.

    Cormack, Clarke and Buettcher 2009. `parts` are stage tables as in a config; each part
    contributes its first `depth` hits. In a corpus of several languages, lexical parts rank the
    passages of a language, and the other parts decide which language comes next
    (`in_language_order`).

    Example:
        >>> from pathlib import Path
        >>> from xorqa import Bm25, Corpus, Dense, Hybrid, Passage, Query, Question
        >>> texts = {"Nile": "The Nile is in Africa.", "Rhine": "The Rhine is in Europe."}
        >>> corpus = Corpus("rivers", [Passage(name, text) for name, text in texts.items()])
        >>> retriever = Hybrid([Bm25(), Dense()], corpus=corpus, folder=Path("indexes/hybrid"))
        >>> query = Query(Question("q", "나일강은 어디 있나요?", "ko"), "Where is the Nile?", "en")
        >>> [hits] = retriever.retrieve([query], k=2)
        >>> [hit.passage.docid for hit in hits]
        ['Nile', 'Rhine']
    """

    version = 2

    def __init__(
        self,
        parts: Sequence[Mapping[str, Any] | Retriever],
        *,
        corpus: Corpus | None = None,
        folder: Path | None = None,
        weights: Sequence[NonNegative] | None = None,
        constant: NonNegative = 60.0,
        depth: Count = 100,
    ) -> None:
        super().__init__(corpus, folder)
        fusable = (
            isinstance(part, Mapping) or not missing_members(part, "retriever") for part in parts
        )
        if not parts or not all(fusable):
            raise ConfigError(
                "[retriever] 'hybrid' needs parts = a list of tables: "
                "[{ use = 'bm25' }, { use = 'dense' }]"
            )
        self.tables = [table_of("retriever", part) for part in parts]
        self.weights = list(weights or [1.0] * len(parts))
        if len(self.weights) != len(parts):
            raise ConfigError(
                f"[retriever] 'hybrid' has {len(parts)} parts but {len(self.weights)} weights"
            )
        self.constant = constant
        self.depth = depth
        if corpus is not None:
            self.parts  # noqa: B018  so that mistakes in a part are reported here

    @cached_property
    def parts(self) -> list[Retriever]:
        """The fused retrievers, over the same corpus."""
        root = self.folder.parent
        return [retriever_over(self.corpus, table, root) for table in self.tables]

    @property
    def by_qid(self) -> bool:
        """Whether a part looks questions up by their ids."""
        return any(part.by_qid for part in self.parts)

    def fingerprint(self) -> str:
        """A hash of the parts' fingerprints and the fusion's settings."""
        fingerprints = [(part.version, part.fingerprint()) for part in self.parts]
        return digest(fingerprints, self.weights, self.constant, self.depth)

    def build(
        self,
        *,
        rebuild: bool = False,
        progress: Progress = silent,
        workers: int = 0,
        devices: Sequence[str] = (),
    ) -> None:
        """Build the index of each part; `workers` and `devices` are for those that encode.

        Raises:
            ConfigError: if no part encodes in several processes, but they are given.
        """
        times = [1.0 if part.ranks_each_language else ENCODING_TIME for part in self.parts]
        shared = {"workers": workers, "devices": devices}
        given = {name: value for name, value in shared.items() if value}
        accepted = [given.keys() & signature(part.build).parameters.keys() for part in self.parts]
        if given and not any(accepted):
            raise ConfigError(
                f"--{' and --'.join(given)}: no part of 'hybrid' encodes in processes"
            )
        reports = split_progress(progress, times)
        for part, own, report in zip(self.parts, accepted, reports, strict=True):
            part.build(rebuild=rebuild, progress=report, **{name: given[name] for name in own})

    def is_complete(self) -> bool:
        """Whether all parts are complete."""
        return all(part.is_complete() for part in self.parts if isinstance(part, BaseRetriever))

    def verify(self) -> list[str]:
        """The notes of all parts."""
        return [note for part in self.parts for note in part.verify()]

    def retrieve(self, queries: Sequence[Query], *, k: int) -> list[list[Hit]]:
        """The k passages with the highest fused score, equal scores by docid."""
        runs = [part.retrieve(queries, k=max(k, self.depth)) for part in self.parts]
        return [self._fuse(rankings)[:k] for rankings in zip(*runs, strict=True)]

    def _fuse(self, rankings: Sequence[list[Hit]]) -> list[Hit]:
        constant = self.constant
        lexical = [part.ranks_each_language for part in self.parts]
        guides = [number for number, is_lexical in enumerate(lexical) if not is_lexical]
        if guides and any(lexical) and len(self.corpus.languages) > 1:
            weights = [self.weights[number] for number in guides]
            guide = fuse([rankings[n] for n in guides], weights=weights, constant=constant)
            rankings = [
                in_language_order(ranking, guide) if is_lexical else ranking
                for ranking, is_lexical in zip(rankings, lexical, strict=True)
            ]
        return fuse(rankings, weights=self.weights, constant=constant)


def fuse(
    rankings: Sequence[Sequence[Hit]], *, weights: Sequence[float], constant: float
) -> list[Hit]:
    """The sum of weight / (constant + rank) over rankings, equal scores by docid."""
    scores: dict[str, float] = {}
    passages: dict[str, Passage] = {}
    for weight, ranking in zip(weights, rankings, strict=True):
        for rank, hit in enumerate(ranking, 1):
            docid = hit.passage.docid
            passages[docid] = hit.passage
            scores[docid] = scores.get(docid, 0.0) + weight / (constant + rank)
    return best_first(Hit(passages[docid], score) for docid, score in scores.items())


def in_language_order(ranking: Sequence[Hit], guide: Sequence[Hit]) -> list[Hit]:
    """The hits of `ranking` with their languages in the order of the guide's hits.

    Lexical ranks of different languages are not comparable: a question reaches the passages of
    its own language, relevant or not, and few others. So each place goes to the language of the
    guide's hit there: to the ranking's best hit left in that language or, if the ranking has none
    in it at all, to the guide's hit.
    """
    by_lang: dict[str, list[Hit]] = {}
    for hit in ranking:
        by_lang.setdefault(hit.passage.lang, []).append(hit)
    left = {lang: iter(hits) for lang, hits in by_lang.items()}
    placed = [
        next(left[lang], None) if (lang := hit.passage.lang) in left else hit for hit in guide
    ]
    hits = [hit for hit in placed if hit]
    docids = {hit.passage.docid for hit in hits}
    return [*hits, *(hit for hit in ranking if hit.passage.docid not in docids)]
