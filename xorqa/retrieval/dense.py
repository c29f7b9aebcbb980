"""Dense retrieval: a bi-encoder and a FAISS index, exact or compressed."""

import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache, cached_property, partial
from pathlib import Path
from random import Random
from typing import Any

from ..core.progress import Progress, silent, split_progress
from ..core.types import Hit, Passage, Query, SearchText, best_first
from ..core.validation import Count, CountOrZero
from ..datasets.corpus import Corpus
from ..io.files import digest, read_json, write_json
from ..io.locks import lock_path, sweep, sweep_finished
from ..models.checkpoints import DEFAULT
from ..models.encoder import Encoder, EncoderSettings
from ..models.towers import Text
from . import manifest
from .announcement import announced
from .over_corpus import OverCorpus
from .vectors.build import build_index
from .vectors.encode import encode_corpus
from .vectors.kinds import EXACT, check_kind, index_size, open_index
from .vectors.shards import WORK, Floats, Shard, vector_width

INDEX = "index.faiss"
SHARDS = "shards"
UNFINISHED = f"{SHARDS}/of.json"  # the manifest of a build in progress, and its shards' size
FILLING = 0.05  # the time of filling a compressed index, as a share of encoding, roughly
TUNING_QUESTIONS = 200  # pseudo-questions that a compressed index is tuned with
QUESTION_LENGTH = 60  # characters of a pseudo-question


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
        encoder: str = DEFAULT,
        *,
        corpus: Corpus | None = None,
        folder: Path | None = None,
        passage_tower: str | None = None,
        pooling: str = "mean",
        query_prefix: str | None = None,
        passage_prefix: str | None = None,
        normalize: bool = True,
        max_tokens: Count = 512,
        dtype: str = "auto",
        adapter: str | None = None,
        passage_adapter: str | None = None,
        transform: str | None = None,
        layer: CountOrZero | None = None,
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
        return digest(self._manifest, self.text, *weights)

    def build(
        self,
        *,
        rebuild: bool = False,
        progress: Progress = silent,
        workers: int = 0,
        on: str = "processes",
    ) -> None:
        """Encode the corpus shard by shard and write the index; a killed build resumes.

        `workers` encode with one thread each, `on` "processes" or a "ray" cluster; 0 encodes in
        this process with all threads.

        Raises:
            IndexMismatchError: if the existing index has other passages or weights.
            DataError: if the folder holds something else.
            LockedError: if another process builds it.
            XorqaError: if a worker was killed.
        """
        if self._is_built(rebuild):
            sweep_finished(self.folder, shards=self.folder / SHARDS)
            return
        with lock_path(self.folder, "index"):
            self._sweep()
            manifest.check_replaceable(self.folder, unless=UNFINISHED)
            if not self._is_built(rebuild):  # by the process that this one waited for
                self._build(rebuild, progress, workers, on)

    def _is_built(self, rebuild: bool) -> bool:
        """Whether there is nothing to build; an existing index is checked."""
        if rebuild or not manifest.exists(self.folder):
            return False
        manifest.check(self.folder, self._manifest)
        return True

    def _sweep(self) -> None:
        """Delete the temporary files of killed builds."""
        shards = self.folder / SHARDS
        for folder in (shards, self.folder):
            sweep(folder)
        if shards.is_dir() and not any(shards.iterdir()):  # killed before its first file
            shards.rmdir()

    def _build(self, rebuild: bool, progress: Progress, workers: int, on: str) -> None:
        if manifest.exists(self.folder) or self._other_shards():
            shutil.rmtree(self.folder, ignore_errors=True)
        elif rebuild:  # a killed build; its shards are verified when they are read
            (self.folder / SHARDS / "draft.faiss").unlink(missing_ok=True)
        shards = self.folder / SHARDS
        write_json(self.folder / UNFINISHED, self._unfinished)
        filling = 0.0 if self.kind == EXACT else FILLING
        encoding_progress, filling_progress = split_progress(progress, (1.0, filling))
        report = announced(encoding_progress, self.use, self._size)
        chunks = self.encode(self.corpus.passages, shards, report, workers=workers, on=on)
        measured = build_index(
            self.kind,
            chunks,
            self.pseudo_questions,
            self.folder / INDEX,
            shards / "draft.faiss",
            progress=filling_progress,
        )
        manifest.write(self.folder, self._manifest | self.built_by | measured, without=SHARDS)
        shutil.rmtree(shards)
        with suppress(AttributeError):
            del self._index

    def encode(
        self,
        passages: Sequence[Passage],
        folder: Path,
        progress: Progress,
        *,
        workers: int = 0,
        on: str = "processes",
    ) -> list[Shard]:
        """Encode passages into shards in `folder`; complete ones are kept."""
        return encode_corpus(
            passages,
            folder,
            text_of=self._text_of,
            encode_here=self.encoder.passages,
            encode_in_worker=partial(encode_passages, self.settings),
            workers=workers,
            on=on,
            progress=progress,
        )

    def _other_shards(self) -> bool:
        """Whether the folder has an unfinished build of another index."""
        path = self.folder / UNFINISHED
        return path.is_file() and read_json(path) != self._unfinished

    @property
    def description(self) -> dict[str, Any]:
        """The part of the manifest that is known before the index is built."""
        return self._manifest

    @property
    def _unfinished(self) -> dict[str, Any]:
        return self._manifest | {"shard_work": WORK}

    def _size(self, passages: int) -> float:
        """The bytes of the index that is being built, approximately."""
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

    def _text_of(self, passage: Passage) -> Text:
        """The text of a passage that is encoded."""
        return passage.titled

    @cached_property
    def _index(self) -> Any:
        self.build()
        return open_index(self.folder / INDEX, passages=len(self.corpus))

    def retrieve(self, queries: Sequence[Query], *, k: int) -> list[list[Hit]]:
        """The k passages with the highest inner product, equal scores by docid."""
        sources = [query.of(self.text) for query in queries]
        index = self._index
        nonempty = [at for at, source in enumerate(sources) if source.text.strip()]
        hits: list[list[Hit]] = [[] for _ in queries]
        if not nonempty or k < 1:
            return hits
        vectors = self.encoder.queries(
            [sources[at].text for at in nonempty], [sources[at].lang for at in nonempty]
        )
        rankings = zip(*index.search(vectors, min(k, len(self.corpus))), strict=True)
        for at, (scores, positions) in zip(nonempty, rankings, strict=True):
            hits[at] = best_first(
                Hit(self.corpus.passages[position], float(score))
                for score, position in zip(scores, positions, strict=True)
                if position >= 0  # -1 if the lists searched hold fewer than k
            )
        return hits


@cache
def shared_encoder(settings: EncoderSettings) -> Encoder:
    """The encoder shared by all retrievers with these settings, so that weights load once."""
    return Encoder(settings)


def encode_passages(
    settings: EncoderSettings, texts: Sequence[Text], langs: Sequence[str]
) -> Floats:
    """Encode passages with an encoder of these settings; picklable, for worker processes."""
    return shared_encoder(settings).passages(texts, langs)
