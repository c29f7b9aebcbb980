"""Dense retrieval: a bi-encoder and a FAISS index, exact or compressed."""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from ..core.progress import Progress, announce, silent, split_progress
from ..core.types import Hit, Passage, Query, SearchText, best_first
from ..core.validation import Count, CountOrZero
from ..datasets.corpus import Corpus
from ..io.files import atomic_dir, digest, read_json, write_json
from ..io.locks import lock_path, sweep
from ..models.checkpoints import DEFAULT
from ..models.device import Dtype
from ..models.encoder_settings import EncoderSettings
from ..models.plugged import TextEncoder
from ..models.towers import Text
from . import manifest
from .over_corpus import OverCorpus, announced, note_truncated, search_nonempty
from .vectors.build import DELETED, build_index, mixed_chunks, save_index, update_rows
from .vectors.encoding import encode_passages, shared_encoder
from .vectors.kinds import EXACT, MemoryChunk, VectorChunk, check_kind, index_size, open_index
from .vectors.shards import WORK, Floats, Shard, encode_corpus, vector_width

INDEX = "index.faiss"
OF = "of.json"  # with a build's shards: the manifest of its index, and the shards' size
SHARDS = "shards"  # of a build in progress
UNFINISHED = f"{SHARDS}/{OF}"
UPDATE = "update"  # of an update in progress, in the earlier index's folder
FILLING = 0.05  # the time of filling a compressed index, as a share of encoding, roughly
TUNING_QUESTIONS = 200  # pseudo-questions that a compressed index is tuned with
QUESTION_LENGTH = 60  # characters of a pseudo-question
SINCE_TRAINING = "encoded_since_training"
NOT_OF_TRAINING = {"files", "sum", manifest.BUILT_BY}
RETRAINED_SHARE = 0.25  # of vectors that are newer than the training


class Dense(OverCorpus):
    """Ranks passages by the inner product of query and passage vectors.

    `kind` is the kind of index (`vectors.kinds`): "flat" is exact; the others trade a little
    recall, recorded in the manifest, for size or speed. `text` selects what is encoded:
    "question" (the original, for a multilingual encoder) or "query" (its translation, for an
    English encoder). The other settings are those of `EncoderSettings`.

    Example:
        >>> from pathlib import Path
        >>> from xorqa import Corpus, Dense, Passage, Query, Question
        >>> texts = {"Nile": "The Nile is in Africa.", "Rhine": "The Rhine is in Europe."}
        >>> corpus = Corpus("rivers", [Passage(name, text) for name, text in texts.items()])
        >>> retriever = Dense("e5-small-q4", corpus=corpus, folder=Path("indexes/dense"))
        >>> query = Query(Question("q", "나일강은 어디 있나요?", "ko"), "Where is the Nile?", "en")
        >>> [hits] = retriever.retrieve([query], k=2)
        >>> [hit.passage.docid for hit in hits]
        ['Nile', 'Rhine']
    """

    version = 1
    use = "dense"

    def __init__(
        self,
        encoder: str | TextEncoder = DEFAULT,
        *,
        corpus: Corpus | None = None,
        folder: Path | None = None,
        passage_tower: str | None = None,
        pooling: str | None = None,
        query_prefix: str | None = None,
        passage_prefix: str | None = None,
        normalize: bool | None = None,
        max_tokens: Count | None = None,
        dtype: Dtype = "auto",
        adapter: str | None = None,
        passage_adapter: str | None = None,
        transform: str | None = None,
        layer: CountOrZero | None = None,
        truncate_dim: Count | None = None,
        backend: Literal["torch", "onnx", "openvino"] = "torch",
        trust_remote_code: bool = False,
        batch_tokens: Count | None = None,
        text: SearchText = "question",
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
            layer,
            truncate_dim,
            backend,
            trust_remote_code,
            batch_tokens,
        )
        self.encoder = shared_encoder(self.settings)

    @staticmethod
    def indexed(table: Mapping[str, Any]) -> Mapping[str, Any]:
        """The table without an adapter for queries only: every index of its base serves it."""
        adapter = table.get("adapter")
        other = table.get("passage_tower") or table.get("passage_adapter")
        if (
            not isinstance(adapter, str)
            or other
            or EncoderSettings(adapter=adapter).indexed().adapter
        ):
            return table
        return {name: value for name, value in table.items() if name != "adapter"}

    def index_manifest(self, *, fresh: bool = False) -> dict[str, Any]:
        """The encoder, its weights and its settings, and the kind of index."""
        return self._manifest

    @cached_property
    def _manifest(self) -> dict[str, Any]:
        settings = self.settings.indexed().for_manifest()
        index = {} if self.kind == EXACT else {"index": self.kind}
        return manifest.describe(
            self.use,
            self.corpus,
            encoder=settings.pop("model"),
            weights=self.encoder.for_passages.fingerprint(),
            settings=settings,
            **index,
        )

    def fingerprint(self) -> str:
        """A hash of the manifest, of which text is encoded, and of an adapter for queries only."""
        for_queries_only = self.encoder.for_passages is not self.encoder
        weights = [self.encoder.fingerprint()] if for_queries_only else []
        return digest(self._manifest, self.text, *weights, *self.settings.precision)

    def build(
        self,
        *,
        rebuild: bool = False,
        progress: Progress = silent,
        workers: int = 0,
        on: str = "processes",
        devices: Sequence[str] = (),
    ) -> None:
        """Encode the corpus shard by shard and write the index; a killed build resumes.

        `workers` encode with one thread each, `on` "processes" or a "ray" cluster; 0 encodes in
        this process with all threads. With `devices` ("cuda:0", "cuda:1") there is one worker per
        device instead.

        Raises:
            IndexMismatchError: if the existing index has other passages or weights.
            DataError: if the folder holds something else.
            LockedError: if another process builds it.
            XorqaError: if a worker was killed.
        """
        ways = {"workers": workers, "on": on, "devices": devices}
        work = partial(self._build, rebuild, progress, ways)
        self.build_locked(work, rebuild=rebuild, unfinished=UNFINISHED)

    def _build(self, rebuild: bool, progress: Progress, ways: Mapping[str, Any]) -> None:
        shards = self.folder / SHARDS
        if manifest.exists(self.folder):
            shutil.rmtree(self.folder, ignore_errors=True)
        elif rebuild:  # a killed build; its shards are verified when they are read
            (shards / "draft.faiss").unlink(missing_ok=True)
        self._prepare(shards)
        announce(self.settings.prompts_in_use())
        filling = 0.0 if self.kind == EXACT else FILLING
        encoding_progress, filling_progress = split_progress(progress, (1.0, filling))
        report = announced(encoding_progress, self.use, self.index_size)
        chunks = self.encode(self.corpus.passages, shards, report, **ways)
        self._write(chunks, filling_progress)

    def build_from(
        self, chunks: Sequence[VectorChunk], *, rebuild: bool = False, progress: Progress = silent
    ) -> None:
        """Build the index of passages' vectors that are encoded already, see `build`."""

        def write() -> None:
            shutil.rmtree(self.folder, ignore_errors=True)
            self._prepare(self.folder / SHARDS)
            self._write(chunks, progress)

        self.build_locked(write, rebuild=rebuild, unfinished=UNFINISHED)

    def _write(self, chunks: Sequence[VectorChunk], progress: Progress) -> None:
        shards = self.folder / SHARDS
        measured = build_index(
            self.kind,
            chunks,
            self.pseudo_questions,
            self.folder / INDEX,
            shards / "draft.faiss",
            progress=progress,
        )
        manifest.write(self.folder, self._manifest | self.built_by | measured, without=SHARDS)
        shutil.rmtree(shards)

    def _prepare(self, folder: Path) -> None:
        """Delete what is in a folder of shards, except what a killed build of this index left."""
        of, unfinished = folder / OF, self._manifest | {"shard_work": WORK}
        if not of.is_file() or read_json(of) != unfinished:
            shutil.rmtree(folder, ignore_errors=True)
            write_json(of, unfinished)
        sweep(folder)

    def encode(
        self, passages: Sequence[Passage], folder: Path, progress: Progress, **ways: Any
    ) -> list[Shard]:
        """Encode passages into shards in `folder`; complete ones are kept.

        `ways` are the options of `encode_corpus` about workers. A `Notice` counts the passages that
        are longer than the encoder reads.
        """
        texts = [self.text_of(passage, self.settings) for passage in passages]
        note_truncated(self.encoder.truncated(texts), len(passages))
        return encode_corpus(
            passages,
            folder,
            text_of=partial(self.text_of, settings=self.settings),
            encode_here=self.encoder.passages,
            encode_in_worker=partial(encode_passages, self.settings),
            progress=progress,
            **ways,
        )

    def index_size(self, passages: int) -> float:
        """The bytes of an index of that many passages, approximately."""
        width = vector_width(self.folder / SHARDS) or self.encoder.passage_dimensions
        return index_size(self.kind, passages, width)

    def pseudo_questions(self) -> Floats:
        """Vectors of random excerpts of passages, encoded as questions."""
        random = Random(TUNING_QUESTIONS)
        sample = random.sample(self.corpus.passages, min(TUNING_QUESTIONS, len(self.corpus)))
        excerpts = []
        for passage in sample:
            start = random.randrange(max(1, len(passage.text) - QUESTION_LENGTH))
            excerpts.append(passage.text[start : start + QUESTION_LENGTH])
        return self.encoder.queries(excerpts, [passage.lang for passage in sample])

    @staticmethod
    def text_of(passage: Passage, settings: EncoderSettings) -> Text:
        """The text of a passage that an encoder of these settings encodes."""
        return passage.titled

    def open_index(self) -> Any:
        """The FAISS index, memory-mapped."""
        return open_index(self.folder / INDEX, passages=len(self.corpus))

    def retrieve(self, queries: Sequence[Query], *, k: int) -> list[list[Hit]]:
        """The k passages with the highest inner product, equal scores by docid."""
        return search_nonempty(queries, self.text, k, partial(self._search, self.index, k))

    def _search(self, index: Any, k: int, queries: Sequence[Query]) -> Iterator[list[Hit]]:
        sources = [query.of(self.text) for query in queries]
        texts, langs = [source.text for source in sources], [source.lang for source in sources]
        vectors = self.encoder.queries(texts, langs)
        rankings = zip(*index.search(vectors, min(k, len(self.corpus))), strict=True)
        for scores, positions in rankings:
            yield best_first(
                Hit(self.corpus.passages[position], float(score))
                for score, position in zip(scores, positions, strict=True)
                if position >= 0  # -1 if the lists searched hold fewer than k
            )

    def update(self, earlier: Self, *, progress: Progress = silent) -> int:
        """Build the index from that of earlier passages; only new and changed ones are encoded.

        Returns how many were encoded. The earlier index does not change, and this one appears
        whole. The new vectors are stored in the earlier one's folder until then, so that a killed
        update resumes.

        Raises:
            IndexMismatchError: if an index has other passages or weights.
            DataError: if a folder holds something else, or the earlier index is damaged.
            LockedError: if another process writes one of the indexes.
        """
        with lock_path(earlier.folder, "index"), lock_path(self.folder, "index"):
            manifest.check(earlier.folder, earlier.index_manifest())
            manifest.verify(earlier.folder)
            manifest.check_replaceable(self.folder, unless=UNFINISHED)
            if manifest.exists(self.folder):  # of an update that was killed, or of another file
                manifest.check(self.folder, self.index_manifest())
                shutil.rmtree(earlier.folder / UPDATE, ignore_errors=True)
                return 0
            positions = {passage: position for position, passage in enumerate(self.corpus)}
            moves = np.array([positions.get(p, DELETED) for p in earlier.corpus], np.int64)
            chunks = self._encode_new(moves, earlier.folder / UPDATE, progress)
            stored = manifest.read(earlier.folder)
            index = open_index(earlier.folder / INDEX, mapped=False, passages=len(earlier.corpus))
            with atomic_dir(self.folder) as temporary:
                measured = self._write_updated(temporary / INDEX, index, moves, chunks, stored)
                manifest.write(temporary, self.index_manifest() | self.built_by | measured)
            shutil.rmtree(earlier.folder / UPDATE)
        return _count(chunks)

    def _encode_new(
        self, moves: NDArray[np.int64], folder: Path, progress: Progress
    ) -> list[MemoryChunk]:
        """The vectors of the passages to which no row moves; `folder` stores their shards."""
        self._prepare(folder)
        new = np.setdiff1d(np.arange(len(self.corpus)), moves)
        if not len(new):
            return []
        passages = [self.corpus.passages[position] for position in new]
        shards = self.encode(passages, folder, announced(progress, self.use, self.index_size))
        return [MemoryChunk(new[shard.positions], shard.read()) for shard in shards]

    def _write_updated(
        self,
        path: Path,
        index: Any,
        moves: NDArray[np.int64],
        chunks: Sequence[MemoryChunk],
        stored: Mapping[str, Any],
    ) -> dict[str, Any]:
        """Write the updated index; returns what the manifest stores of its training.

        Codes of new vectors lose accuracy where those that the index was trained with are no
        longer typical, so it is trained again once a share of its vectors is newer.
        """
        newer = stored.get(SINCE_TRAINING, 0) + _count(chunks)
        if self.kind != EXACT and newer > RETRAINED_SHARE * len(self.corpus):
            with TemporaryDirectory() as folder:
                mixed = mixed_chunks(index, moves, chunks)
                draft = Path(folder, "draft")
                return build_index(self.kind, mixed, self.pseudo_questions, path, draft)
        save_index(update_rows(self.kind, index, moves, chunks), path)
        others = {*self.index_manifest(), *NOT_OF_TRAINING}
        measured = {key: value for key, value in stored.items() if key not in others}
        return measured | {SINCE_TRAINING: newer}


def _count(chunks: Sequence[MemoryChunk]) -> int:
    return sum(len(chunk.positions) for chunk in chunks)
