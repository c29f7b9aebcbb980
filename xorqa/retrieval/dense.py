"""Dense retrieval: a bi-encoder's vectors in a FAISS index, exact or compressed."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from functools import cached_property, partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Literal

from ..core.errors import DataError
from ..core.ordering import best_first
from ..core.progress import Progress, silent
from ..core.types import Hit, Passage, Query
from ..datasets.corpus import Corpus
from ..io.files import digest, read_json, write_json
from ..models.checkpoints import DEFAULT
from ..models.encoder import Encoder, EncoderSettings
from ..models.towers import Text
from . import manifest
from .over_corpus import OverCorpus
from .vectors.build import make
from .vectors.encode import encode_corpus
from .vectors.kinds import EXACT, check_kind, open_index

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

UNFINISHED = "shards/of.json"
ASKED = 200  # stretches of passages that a compressed index's recall is measured with
STRETCH = 60  # characters, about a question's length


class Dense(OverCorpus):
    """Inner products of query and passage vectors.

    `kind` is the index's (`vectors.kinds`): "flat" compares exactly, the others trade a little
    recall, which the manifest tells, for size or speed. `text` says what is encoded: "question"
    (as asked; for a multilingual encoder) or "query" (its translation; for an English one). The
    other settings are the encoder's.
    """

    version = 1
    use = "dense"

    def __init__(
        self,
        encoder: str = DEFAULT,
        *,
        corpus: Corpus | None = None,
        folder: Path | None = None,
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
        kind: str = EXACT,
    ) -> None:
        check_kind(kind)
        super().__init__(corpus, folder)
        self.kind = kind
        self.text = text
        self.settings = EncoderSettings(
            encoder,
            passage_tower,
            pooling,
            query_prefix,
            passage_prefix,
            normalize,
            max_tokens,
            dtype,
            adapter,
            passage_adapter,
            transform,
        )
        self.encoder = shared_encoder(self.settings)

    @cached_property
    def _manifest(self) -> dict[str, Any]:
        settings = self.settings.for_manifest()
        index = {} if self.kind == EXACT else {"index": self.kind}
        return manifest.describe(
            self.use,
            self.corpus,
            encoder=settings.pop("model"),
            weights=self.encoder.fingerprint(),
            settings=settings,
            **index,
        )

    def fingerprint(self) -> str:
        """A hash of the index's manifest and of the text searched with."""
        return digest(self._manifest, self.text)

    def build(
        self,
        *,
        rebuild: bool = False,
        progress: Progress = silent,
        workers: int = 0,
        on: str = "processes",
    ) -> None:
        """Encode the corpus shard by shard and write the index; goes on where it was killed.

        `workers` encode at one thread each, `on` "processes" or a "ray" cluster; 0 is this
        process with all its threads.

        Raises:
            IndexMismatchError: if the index there belongs to other passages or weights.
            DataError: if the folder holds something else.
            XorqaError: if a worker was killed.
        """
        manifest.refuse_foreign(self.folder, unless=UNFINISHED)
        if manifest.exists(self.folder) and not rebuild:
            manifest.check(self.folder, self._manifest)
            return
        if manifest.exists(self.folder) or self._other_shards():
            shutil.rmtree(self.folder, ignore_errors=True)
        elif rebuild:  # begun and killed; its shards are checked when they are read
            (self.folder / "shards" / "draft.faiss").unlink(missing_ok=True)
        write_json(self.folder / UNFINISHED, self._manifest)
        parts = self.folder / "shards"
        encoded = encode_corpus(
            self.corpus.passages,
            parts,
            searched=self._searched,
            here=self.encoder.passages,
            there=partial(encode_passages, self.settings),
            workers=workers,
            on=on,
            progress=progress,
        )
        measured = make(
            self.kind,
            encoded,
            self._stretches,
            self.folder / "index.faiss",
            draft=parts / "draft.faiss",
            progress=progress,
        )
        manifest.write(self.folder, self._manifest | measured)
        shutil.rmtree(parts)
        self.__dict__.pop("_index", None)

    def _other_shards(self) -> bool:
        """Whether a build of something else was left unfinished here."""
        path = self.folder / UNFINISHED
        return path.is_file() and read_json(path) != self._manifest

    def _stretches(self) -> NDArray[np.float32]:
        """Vectors of some passages' words, encoded as questions: they ask for what is there."""
        chance = Random(ASKED)
        some = chance.sample(self.corpus.passages, min(ASKED, len(self.corpus)))
        starts = [chance.randrange(max(1, len(passage.text) - STRETCH)) for passage in some]
        texts = [one.text[at : at + STRETCH] for one, at in zip(some, starts, strict=True)]
        return self.encoder.queries(texts, [passage.lang for passage in some])

    def _searched(self, passage: Passage) -> Text:
        """What of a passage is encoded."""
        return passage.titled

    @cached_property
    def _index(self) -> Any:
        self.build()
        path = self.folder / "index.faiss"
        index = open_index(path)
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
            if place >= 0  # -1 where the lists searched hold fewer than k
        ]
        return best_first(found)


_ENCODERS: dict[EncoderSettings, Encoder] = {}


def shared_encoder(settings: EncoderSettings) -> Encoder:
    """One encoder for all retrievers with the same settings, so that weights load once."""
    return _ENCODERS.setdefault(settings, Encoder(settings))


def encode_passages(
    settings: EncoderSettings, texts: Sequence[Text], langs: Sequence[str]
) -> NDArray[np.float32]:
    """Vectors of passages by the encoder with these settings: what a worker is sent."""
    return shared_encoder(settings).passages(texts, langs)
