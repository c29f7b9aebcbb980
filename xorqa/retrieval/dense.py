"""Dense retrieval: a bi-encoder's vectors in a FAISS index, searched exactly."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..datasets.corpus import Corpus
from ..errors import DataError
from ..files import atomic_path, digest, read_json, write_json
from ..models.checkpoints import DEFAULT
from ..models.encoder import Encoder, EncoderSettings
from ..models.towers import Text
from ..types import Hit, Passage, Query
from . import manifest

if TYPE_CHECKING:
    from numpy.typing import NDArray

SHARD = 2048  # passages; a killed build redoes at most this many
UNFINISHED = "shards/of.json"

Progress = Callable[[int, int], None]


class DenseRetriever:
    """Inner products of query and passage vectors (exact, `IndexFlatIP`).

    `text` says what is encoded: "question" (as asked; for a multilingual encoder) or
    "query" (its translation; for an English one). The other settings are the encoder's.
    """

    version = 1
    kind = "dense"

    def __init__(
        self,
        corpus: Corpus,
        folder: Path,
        *,
        encoder: str = DEFAULT,
        passage_tower: str | None = None,
        pooling: str = "mean",
        query_prefix: str | None = None,
        passage_prefix: str | None = None,
        normalize: bool = True,
        max_tokens: int = 512,
        dtype: str = "auto",
        adapter: str | None = None,
        passage_adapter: str | None = None,
        transform: str | None = None,
        text: Literal["question", "query"] = "question",
    ) -> None:
        self.corpus = corpus
        self.folder = folder
        self.text = text
        self.settings = EncoderSettings(
            encoder, passage_tower, pooling, query_prefix, passage_prefix, normalize, max_tokens,
            dtype, adapter, passage_adapter, transform,
        )  # fmt: skip
        self.encoder = shared_encoder(self.settings)

    @cached_property
    def _manifest(self) -> dict[str, Any]:
        settings = self.settings.described()
        return manifest.describe(self.kind, self.corpus, encoder=settings.pop("model"),
                                 weights=self.encoder.fingerprint(), settings=settings)  # fmt: skip

    def fingerprint(self) -> str:
        """A hash of the index's manifest and of the text searched with."""
        return digest(self._manifest, self.text)

    def build(
        self, *, rebuild: bool = False, progress: Progress = lambda done, total: None
    ) -> None:
        """Encode the corpus shard by shard and write the index; goes on where it was killed.

        Raises:
            IndexMismatchError: if the index there belongs to other passages or weights.
            DataError: if the folder holds something else.
        """
        import faiss

        manifest.refuse_foreign(self.folder, unless=UNFINISHED)
        if manifest.exists(self.folder) and not rebuild:
            manifest.check(self.folder, self._manifest)
            return
        if rebuild or self._other_shards():
            shutil.rmtree(self.folder, ignore_errors=True)
        write_json(self.folder / UNFINISHED, self._manifest)
        starts = range(0, len(self.corpus), SHARD)
        vectors = np.concatenate([self._shard(start, progress) for start in starts])
        index = faiss.IndexFlatIP(vectors.shape[1])
        index.add(vectors)
        with atomic_path(self.folder / "index.faiss") as temporary:
            faiss.write_index(index, str(temporary))
        manifest.write(self.folder, self._manifest)
        shutil.rmtree(self.folder / "shards")
        self.__dict__.pop("_index", None)

    def _other_shards(self) -> bool:
        """Whether a build of something else was left unfinished here."""
        path = self.folder / UNFINISHED
        return path.is_file() and read_json(path) != self._manifest

    def _shard(self, start: int, progress: Progress) -> NDArray[np.float32]:
        """The vectors of `SHARD` passages from `start` on, from disk if they are there."""
        path = self.folder / "shards" / f"{start:09d}.npy"
        total = len(self.corpus)
        if path.is_file():
            progress(min(start + SHARD, total), total)
            return np.load(path)  # type: ignore[no-any-return]
        passages = self.corpus.passages[start : start + SHARD]
        vectors = self.encoder.passages(
            [self._searched(passage) for passage in passages],
            [passage.lang for passage in passages],
            progress=lambda done: progress(start + done, total),
        )
        with atomic_path(path) as temporary, temporary.open("wb") as stream:
            np.save(stream, vectors)
        return vectors

    def _searched(self, passage: Passage) -> Text:
        """What of a passage is encoded."""
        return passage.titled

    @cached_property
    def _index(self) -> Any:
        import faiss

        self.build()
        path = self.folder / "index.faiss"
        try:
            index = faiss.read_index(str(path))
        except RuntimeError as error:
            raise DataError(f"{path} is damaged; build it again (xorqa index --rebuild)") from error
        if index.ntotal != len(self.corpus):
            raise DataError(
                f"{path} has {index.ntotal} vectors for {len(self.corpus)} passages; "
                "build it again (xorqa index --rebuild)"
            )
        return index

    def retrieve(self, queries: Sequence[Query], *, k: int) -> list[list[Hit]]:
        """The k passages with the highest inner product, equal scores by docid."""
        asking = [query.question if self.text == "question" else query for query in queries]
        index = self._index
        asked = [at for at, one in enumerate(asking) if one.text.strip()]
        hits: list[list[Hit]] = [[] for _ in queries]
        if not asked or k < 1:
            return hits
        vectors = self.encoder.queries(
            [asking[at].text for at in asked], [asking[at].lang for at in asked]
        )
        scores, places = index.search(vectors, min(k, len(self.corpus)))
        for at, row_scores, row_places in zip(asked, scores, places, strict=True):
            hits[at] = self._hits(row_scores, row_places)
        return hits

    def _hits(self, scores: NDArray[np.float32], places: NDArray[np.int64]) -> list[Hit]:
        found = [
            Hit(self.corpus.passages[place], float(score))
            for score, place in zip(scores, places, strict=True)
        ]
        return sorted(found, key=lambda hit: (-hit.score, hit.passage.docid))


_ENCODERS: dict[EncoderSettings, Encoder] = {}


def shared_encoder(settings: EncoderSettings) -> Encoder:
    """One encoder for all retrievers with the same settings, so that weights load once."""
    return _ENCODERS.setdefault(settings, Encoder(settings))
