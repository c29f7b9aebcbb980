"""Late interaction over a whole corpus: token vectors in an index of its own, and MaxSim."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import ConfigError
from ..core.progress import Progress, silent, split_progress
from ..core.registry import build, table_of
from ..core.stages import BaseRetriever, Retriever
from ..core.types import Hit, Passage, Query, SearchText, best_first
from ..core.validation import Count, NonNegative, Range
from ..datasets.corpus import Corpus
from ..io.files import digest
from ..models.checkpoints import DEFAULT
from ..models.device import Dtype
from ..models.late_interaction import EncoderTokens, LateEncoder, LateSettings, late_encoder
from ..models.maxsim import chunks, maxsim
from ..models.released import EXTRA
from ..models.towers import units
from .dense import Dense
from .over_corpus import retriever_over, search_nonempty
from .rows.retriever import RowIndex, joined_rows
from .rows.store import Rows, Table, read_shard
from .rows.token_codes import BITS, Kind, array_names, cosine_of_bits, decoded, stored, to_compare
from .rows.token_pooling import pooled

TOKENS = 1 << 15  # of passages scored at a time
QUERIES = 64  # scored in one pass over the index
MEANS = "means"
BITS_OF = {"float32": 32, "int16": 16, "int8": 8, "bits": 1}

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Means:
    """The passages' vectors in a shard, for the index of the first stage."""

    path: Path
    part: slice

    @property
    def positions(self) -> NDArray[np.int64]:
        """The positions of the passages in the corpus."""
        return np.arange(self.part.start, self.part.stop)

    def read(self) -> Floats:
        """The vectors (passages, dimensions)."""
        return read_shard(self.path)[MEANS]


def first_stages(first: Any) -> Sequence[Any]:
    """The first stages that a setting names: none, one, or several."""
    if first is None:
        return []
    return first if isinstance(first, Sequence) and not isinstance(first, str) else [first]


class LateInteraction(RowIndex):
    """Ranks passages by MaxSim between the token vectors of query and passage.

    `model` is a late-interaction model (ColBERT, PyLate), BGE-M3, or any encoder that `Dense`
    accepts by name: see `LateSettings`, which describes the other settings. `kind` is how a number
    is stored: as a code of 16 bits ("int16", which changes scores by some 1e-5 of their size), of
    8 bits ("int8", half the space, less than 1 %), as it is ("float32"), or as its sign after a
    rotation ("bits", a sixteenth of "int16"). With a `pool_factor` above 1 that many token vectors
    of a passage become one on average (`token_pooling`).

    Every query is compared with every token, so this is for small corpora. With `first`, the table
    of another retriever or of several, only the first `depth` hits of each are compared; their
    scores, each times its number of `retrieval`, are added. Each stage has an index of its own.

    Example:
        >>> from pathlib import Path
        >>> from xorqa import Corpus, LateInteraction, Passage, Query, Question
        >>> texts = {"Nile": "The Nile is in Africa.", "Rhine": "The Rhine is in Europe."}
        >>> corpus = Corpus("rivers", [Passage(name, text) for name, text in texts.items()])
        >>> retriever = LateInteraction(corpus=corpus, folder=Path("indexes/late-interaction"))
        >>> query = Query(Question("q", "나일강은 어디 있나요?", "ko"), "Where is the Nile?", "en")
        >>> [hits] = retriever.retrieve([query], k=2)
        >>> [hit.passage.docid for hit in hits]
        ['Nile', 'Rhine']
    """

    version = 1
    use = "late-interaction"
    extra = EXTRA
    packages = ("sentence_transformers",)
    disk_share = 12.5  # of a bit per dimension, without pooling

    def __init__(
        self,
        model: str = DEFAULT,
        *,
        corpus: Corpus | None = None,
        folder: Path | None = None,
        query_prefix: str | None = None,
        passage_prefix: str | None = None,
        max_tokens: Count | None = None,
        transform: str | None = None,
        dtype: Dtype = "auto",
        batch_tokens: Count | None = None,
        trust_remote_code: bool = False,
        text: SearchText = "question",
        kind: Kind = "int16",
        pool_factor: Annotated[float, Range(1, 100)] = 1.0,
        first: Mapping[str, Any]
        | Retriever
        | Sequence[Mapping[str, Any] | Retriever]
        | None = None,
        depth: Count = 100,
        retrieval: NonNegative | Sequence[NonNegative] = 0.0,
    ) -> None:
        super().__init__(corpus, folder)
        self.settings = LateSettings(
            model,
            query_prefix,
            passage_prefix,
            max_tokens,
            transform,
            dtype,
            trust_remote_code,
            batch_tokens,
        )
        self.text = text
        self.kind = kind
        self.pool_factor = pool_factor
        self.arrays = array_names(kind)
        stages = first_stages(first)
        self.first_tables = [table_of("retriever", stage) for stage in stages]
        weights = retrieval if isinstance(retrieval, Sequence) else [retrieval] * len(stages)
        if len(weights) != len(stages):
            raise ConfigError(
                f"[retriever] 'late-interaction' has {len(stages)} first stages but "
                f"{len(weights)} weights in 'retrieval'"
            )
        self.depth, self.retrieval = depth, [float(weight) for weight in weights]
        if corpus is not None:
            self.first  # noqa: B018  so that mistakes in its table are reported here

    @staticmethod
    def indexed(table: Mapping[str, Any]) -> Mapping[str, Any]:
        """The table without the first stage and how its hits are compared."""
        of_search = {"first", "depth", "retrieval", "text"}
        return {name: value for name, value in table.items() if name not in of_search}

    @cached_property
    def first(self) -> list[Retriever]:
        """The retrievers whose hits are compared, over the same corpus; none: all passages are."""
        root = self.folder.parent
        return [retriever_over(self.corpus, table, root) for table in self.first_tables]

    @property
    def by_qid(self) -> bool:
        """Whether a first stage looks questions up by their ids."""
        return any(stage.by_qid for stage in self.first)

    @cached_property
    def encoder(self) -> LateEncoder:
        """The encoder; weights load on first use."""
        return late_encoder(self.settings)

    def index_settings(self) -> dict[str, Any]:
        """The model, the hash of its passages' weights, their settings, and how they are stored.

        Another encoder of questions alone, or another of their prefixes, does not change an index.
        """
        settings = {k: v for k, v in self.encoder.description.items() if k != "query_prefix"}
        return {
            "encoder": self.settings.model,
            "settings": settings,
            "weights": self.encoder.passage_sha,
            "index": self.kind,
        } | ({"pool_factor": self.pool_factor} if self.pool_factor > 1 else {})

    def fingerprint(self) -> str:
        """A hash of the manifest, the encoder, which text is encoded, and of the first stages."""
        first = [(stage.version, stage.fingerprint()) for stage in self.first]
        search = [first, self.depth, self.retrieval] if first else []
        queries = [self.encoder.sha, self.encoder.description, self.text]
        return digest(self.index_manifest(), *queries, *self.settings.precision, *search)

    def build(
        self,
        *,
        rebuild: bool = False,
        progress: Progress = silent,
        workers: int = 0,
        devices: Sequence[str] = (),
    ) -> None:
        """Build the index of the token vectors, and those of the first stages.

        If the vectors of a first stage are the means of the token vectors, one pass of the encoder
        serves both.
        """
        apart = [stage for at, stage in enumerate(self.first) if at != self._means_for]
        *reports, own = split_progress(progress, [1.0] * len(apart) + [1.0])
        for stage, report in zip(apart, reports, strict=True):
            stage.build(rebuild=rebuild, progress=report)
        super().build(rebuild=rebuild, progress=own, workers=workers, devices=devices)
        if self._means_for is not None:  # complete, unless only the token vectors were there
            self.first[self._means_for].build(progress=own)

    @cached_property
    def _means_for(self) -> int | None:
        """The number of the first stage whose vectors are the means of the token vectors."""
        if isinstance(self.encoder, EncoderTokens):
            for number, table in enumerate(self.first_tables):
                stage = build("retriever", table)
                if type(stage) is Dense and self.encoder.gives_passages_of(stage.encoder):
                    return number
        return None

    def index_size(self, passages: int) -> float:
        """The bytes of an index of that many passages, approximately."""
        return super().index_size(passages) * BITS_OF[self.kind] / self.pool_factor

    def is_complete(self) -> bool:
        """Whether all stages' indexes are complete."""
        first = [stage for stage in self.first if isinstance(stage, BaseRetriever)]
        return all(stage.is_complete() for stage in first) and super().is_complete()

    def verify(self) -> list[str]:
        """The notes of all stages."""
        return [*(note for stage in self.first for note in stage.verify()), *super().verify()]

    def encode(self, passages: Sequence[Passage], progress: Progress = silent) -> Table:
        """The passages' token vectors as they are stored."""
        texts, langs = [p.titled for p in passages], [p.lang for p in passages]
        return self._stored(self.encoder.encode("passage", texts, langs, progress))

    def encode_shard(self, passages: Sequence[Passage], progress: Progress = silent) -> Table:
        """The table of `encode`, with the passages' vectors if a first stage stores them."""
        encoder = self.encoder
        if self._means_for is None or not isinstance(encoder, EncoderTokens):
            return self.encode(passages, progress)
        texts, langs = [p.titled for p in passages], [p.lang for p in passages]
        vectors = encoder.encoder.token_vectors("passage", texts, progress=progress)
        means = units(np.stack([rows.mean(axis=0) for rows in vectors]))
        return {**self._stored(encoder.compared("passage", vectors, langs)), MEANS: means}

    def shard_settings(self) -> dict[str, Any]:
        """Whether shards have the passages' vectors."""
        return {} if self._means_for is None else {MEANS: True}

    def after_encoding(self, shards: Mapping[Path, slice], *, rebuild: bool) -> None:
        """Build the index of the first stage whose vectors the shards have."""
        stage = None if self._means_for is None else self.first[self._means_for]
        if isinstance(stage, Dense):
            chunks = [Means(path, part) for path, part in shards.items()]
            stage.build_from(chunks, rebuild=rebuild)

    def _stored(self, vectors: Sequence[Floats]) -> Table:
        kept = (pooled(rows, self.pool_factor) for rows in vectors)
        return joined_rows([stored(rows, self.kind) for rows in kept], self.arrays)

    def truncated(self, passages: Sequence[Passage]) -> int:
        """The number of passages of which only the beginning is encoded."""
        return self.encoder.truncated([passage.titled for passage in passages])

    def cosine(self, stored: Table, encoded: Table) -> float:
        """The lowest cosine between a token's vectors; of bits, an estimate."""
        if self.kind == BITS:
            return cosine_of_bits(stored, encoded)
        one, other = decoded(stored), decoded(encoded)
        if one.shape != other.shape:
            return 0.0
        return float((units(one) * units(other)).sum(axis=1).min(initial=1.0))

    def retrieve(self, queries: Sequence[Query], *, k: int) -> list[list[Hit]]:
        """The k passages with the highest scores, equal scores by docid."""
        return search_nonempty(queries, self.text, k, partial(self._search, self.index, k))

    def _search(self, rows: Rows, k: int, queries: Sequence[Query]) -> Iterator[list[Hit]]:
        sources = [query.of(self.text) for query in queries]
        texts, langs = [source.text for source in sources], [source.lang for source in sources]
        vectors = to_compare(self.encoder.encode("query", texts, langs), self.kind)
        if self.first:
            runs = [stage.retrieve(queries, k=max(k, self.depth)) for stage in self.first]
            for query, *rankings in zip(vectors, *runs, strict=True):
                yield self._compared(query, rankings, rows)
            return
        for start in range(0, len(vectors), QUERIES):
            for scores in self._scores(vectors[start : start + QUERIES], rows):
                yield self.best(scores, k)

    def _compared(self, query: Floats, rankings: Sequence[list[Hit]], rows: Rows) -> list[Hit]:
        """The hits of the first stages by their new scores."""
        passages = {hit.passage.docid: hit.passage for ranking in rankings for hit in ranking}
        if not passages:
            return []
        places = [self._positions[docid] for docid in passages]
        [scores] = self._maxsim([query], rows.at(places))
        total = dict(zip(passages, scores.tolist(), strict=True))
        for weight, ranking in zip(self.retrieval, rankings, strict=True):
            for hit in ranking:
                total[hit.passage.docid] += weight * hit.score
        return best_first(Hit(passages[docid], score) for docid, score in total.items())

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {passage.docid: at for at, passage in enumerate(self.corpus)}

    def _scores(self, queries: Sequence[Floats], rows: Rows) -> Floats:
        """MaxSim (queries, passages)."""
        scores = np.zeros((len(queries), len(rows.lengths)), np.float32)
        for part in chunks(rows.lengths, most=TOKENS):
            scores[:, part] = self._maxsim(queries, rows.part(part))
        return scores

    def _maxsim(self, queries: Sequence[Floats], table: Table) -> Floats:
        averages = self.encoder.averages
        return maxsim(queries, decoded(table), table["lengths"], mean=averages)
