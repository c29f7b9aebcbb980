"""Late interaction over a whole corpus: token vectors in an index of its own, and MaxSim."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..core.progress import Progress, silent
from ..core.types import Hit, Passage, Query, SearchText
from ..core.validation import Count
from ..datasets.corpus import Corpus
from ..io.files import digest
from ..models.checkpoints import DEFAULT
from ..models.device import Dtype
from ..models.late_interaction import LateEncoder, LateSettings, late_encoder
from ..models.maxsim import chunks, maxsim
from ..models.released import EXTRA
from ..models.towers import units
from .rows.retriever import RowIndex, joined_rows
from .rows.store import Rows, Table

Kind = Literal["int16", "int8", "float32"]

TOKENS = 1 << 15  # of passages scored at a time
QUERIES = 64  # scored in one pass over the index


class LateInteraction(RowIndex):
    """Ranks passages by MaxSim between the token vectors of query and passage.

    `model` is a late-interaction model (ColBERT, PyLate), BGE-M3, or any encoder that `Dense`
    accepts by name: see `LateSettings`, which describes the other settings. `kind` is how a number
    is stored: as a code of 16 bits ("int16", which changes scores by some 1e-5 of their size), of
    8 bits ("int8", half the space, less than 1 %), or as it is ("float32"). Every query is
    compared with every token, so this is for small corpora; for large ones there is the ranker of
    the same name.

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
    disk_share = 200.0
    arrays = ("vectors", "scales")

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

    @cached_property
    def encoder(self) -> LateEncoder:
        """The encoder; weights load on first use."""
        return late_encoder(self.settings)

    def index_settings(self) -> dict[str, Any]:
        """The model, the hash of its weights, the settings, and how vectors are stored."""
        return {
            "encoder": self.settings.model,
            "weights": self.encoder.sha,
            "settings": self.encoder.description,
            "index": self.kind,
        }

    def fingerprint(self) -> str:
        """A hash of the manifest and of which text is encoded."""
        return digest(self.index_manifest(), self.text, *self.settings.precision)

    def encode(self, passages: Sequence[Passage], progress: Progress = silent) -> Table:
        """The passages' token vectors as they are stored."""
        texts, langs = [p.titled for p in passages], [p.lang for p in passages]
        vectors = self.encoder.encode("passage", texts, langs, progress)
        return joined_rows([_stored(rows, self.kind) for rows in vectors], self.arrays)

    def truncated(self, passages: Sequence[Passage]) -> int:
        """The number of passages of which only the beginning is encoded."""
        return self.encoder.truncated([passage.titled for passage in passages])

    def cosine(self, stored: Table, encoded: Table) -> float:
        """The lowest cosine between a token's vectors."""
        one, other = _decoded(stored), _decoded(encoded)
        if one.shape != other.shape:
            return 0.0
        return float((units(one) * units(other)).sum(axis=1).min(initial=1.0))

    def retrieve(self, queries: Sequence[Query], *, k: int) -> list[list[Hit]]:
        """The k passages with the highest MaxSim, equal scores by docid."""
        hits: list[list[Hit]] = [[] for _ in queries]
        sources = [query.of(self.text) for query in queries]
        nonempty = [number for number, source in enumerate(sources) if source.text.strip()]
        rows: Rows = self.index
        if not nonempty or k < 1:
            return hits
        vectors = self.encoder.encode(
            "query",
            [sources[number].text for number in nonempty],
            [sources[number].lang for number in nonempty],
        )
        for start in range(0, len(nonempty), QUERIES):
            scores = self._scores(vectors[start : start + QUERIES], rows)
            for number, row in zip(nonempty[start : start + QUERIES], scores, strict=True):
                hits[number] = self.best(row, k)
        return hits

    def _scores(self, queries: Sequence[NDArray[np.float32]], rows: Rows) -> NDArray[np.float32]:
        """MaxSim (queries, passages)."""
        scores = np.zeros((len(queries), len(rows.lengths)), np.float32)
        for part in chunks(rows.lengths, most=TOKENS):
            table = rows.part(part)
            scores[:, part] = maxsim(
                queries, _decoded(table), table["lengths"], mean=self.encoder.averages
            )
        return scores


def _stored(rows: NDArray[np.float32], kind: str) -> tuple[NDArray[Any], NDArray[np.float32]]:
    """Vectors as they are stored: as they are, or as codes, with a scale per token."""
    if kind == "float32":
        return rows, np.ones(len(rows), np.float32)
    highest = np.iinfo(kind).max
    scales = np.abs(rows).max(axis=1, initial=0.0) / highest
    divisors = np.where(scales > 0, scales, 1)[:, None]
    return np.rint(rows / divisors).astype(kind), scales.astype(np.float32)


def _decoded(table: Table) -> NDArray[np.float32]:
    """The vectors of a table (tokens, dimensions)."""
    vectors = np.asarray(table["vectors"], np.float32)
    return vectors * np.asarray(table["scales"], np.float32)[:, None]
