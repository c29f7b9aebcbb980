"""Similarity of a pool's questions and candidates, by an encoder, vectors from a file, or BM25."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.errors import DataError
from ...core.progress import TaskProgress, announce, silent
from ...core.text.search_tokens import tokens
from ...io.files import ARRAY_ERRORS, atomic_path, digest
from ...models.encoder import Encoder
from ...models.encoder_settings import encoder_settings
from ...models.towers import Text, units
from ...models.transforms import Key, Transform
from ...retrieval.bm25 import index_tokens
from ..common.word_vectors import Coverage, WordVectors, coverage_json, is_word_vectors
from .pool import Pool, PoolQuestion, PoolSentence

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

BM25 = "bm25"
SHARD = 1024  # texts per file; an interrupted run encodes at most this many again


@dataclass(frozen=True, slots=True, eq=False)
class Vectors:
    """Vectors of a pool's questions (n, dimensions) and candidates (m, dimensions), in pool order.

    `encoder` is the encoder's fingerprint, None for vectors from a file; `segments`: the sentences
    and paragraphs of candidates had segment ids. `coverage`: by language, the words that files of
    word vectors lack.
    """

    questions: Floats
    candidates: Floats
    encoder: str | None = None
    segments: bool = False
    coverage: Mapping[str, Coverage] = field(default_factory=dict)

    @property
    def described(self) -> dict[str, Any]:
        """What else the results depend on: segment ids, and the words that were missing."""
        segments = {"segment ids": True} if self.segments else {}
        return segments | ({"word vectors": coverage_json(self.coverage)} if self.coverage else {})

    def scores(self, batch: slice) -> Floats:
        """Inner products of a batch of questions with all candidates."""
        product: Floats = self.questions[batch] @ self.candidates.T
        return product

    def subset(self, pool: Pool, keep: Callable[[int], bool]) -> Vectors:
        """The vectors that belong to `pool.subset(keep)`."""
        return Vectors(
            self.questions[[keep(row.article) for row in pool.questions]],
            self.candidates[[keep(row.article) for row in pool.sentences]],
            self.encoder,
        )

    def by_key(self, pool: Pool) -> dict[Key, Floats]:
        """The vectors by language and side, to fit a transform on."""
        sides = (
            ("query", self.questions, pool.questions),
            ("passage", self.candidates, pool.sentences),
        )
        by_key = {}
        for side, vectors, rows in sides:
            langs = np.array([row.lang for row in rows])
            for lang in np.unique(langs).tolist():
                by_key[lang, side] = vectors[langs == lang]
        return by_key

    def transformed(self, pool: Pool, transform: Transform) -> Vectors:
        """Apply a transform; the results have unit length."""
        question_langs = [row.lang for row in pool.questions]
        candidate_langs = [row.lang for row in pool.sentences]
        return Vectors(
            transform.apply(self.questions, question_langs, side="query"),
            transform.apply(self.candidates, candidate_langs, side="passage"),
            self.encoder,
        )


def encode_pool(
    name: str, pool: Pool, *, context: bool = False, folder: Path, progress: TaskProgress = silent
) -> Vectors:
    """Encode a pool, or read its vectors from a file `name.npz`.

    Args:
        name: a checkpoint, an adapter, a file, or files of word vectors (`common.word_vectors`).
        context: encode a candidate as the pair of the sentence and its whole paragraph (for E5,
            `passage: SENTENCE </s></s> PARAGRAPH`, the longer truncated first), instead of the
            sentence alone; with segment ids where the encoder has them.
        folder: the folder of cached vectors.
    """
    if name.endswith(".npz"):
        return read_vectors(Path(name), pool)
    if is_word_vectors(name):
        return _mean_word_vectors(name, pool, context=context)
    encoder = Encoder(encoder_settings(name))
    questions = [row.text for row in pool.questions]
    candidates: list[Text] = [
        (row.text, row.context) if context else row.text for row in pool.sentences
    ]
    if encoder.trained_with.get("context") and not context:
        announce(
            f"{name} was trained on sentences with their paragraphs; add --context to use both"
        )
    segments = context and encoder.has_segments
    kind = "candidates with segments" if segments else "candidates"  # cached under that name
    key = folder, encoder.fingerprint()
    return Vectors(
        _cached(questions, encoder.queries, *key, "questions", progress),
        _cached(candidates, encoder.passages, *key, kind, progress),
        encoder.fingerprint(),
        segments,
    )


def _mean_word_vectors(name: str, pool: Pool, *, context: bool) -> Vectors:
    """Mean word vectors of unit length; those of questions and candidates come from one file."""
    files = WordVectors(name)
    texts = [row.text for row in pool.questions]
    texts += [f"{row.text}\n{row.context}" if context else row.text for row in pool.sentences]
    rows: list[PoolQuestion | PoolSentence] = [*pool.questions, *pool.sentences]
    langs = np.array([row.text_lang for row in rows])
    by_lang = {
        lang: files.encode([texts[at] for at in np.flatnonzero(langs == lang)], lang)
        for lang in np.unique(langs).tolist()
    }
    vectors = np.empty((len(texts), files.dimensions), np.float32)
    for lang, means in by_lang.items():
        vectors[langs == lang] = units(means)
    questions, candidates = np.split(vectors, [len(pool.questions)])
    return Vectors(questions, candidates, files.fingerprint, coverage=files.coverage)


def read_vectors(path: Path, pool: Pool) -> Vectors:
    """Read vectors from an .npz file with the arrays `questions` and `candidates`.

    Their rows are in the pool's order: by language code, then as in the language's file.

    Raises:
        DataError: if an array is missing or does not match the pool.
    """
    try:
        with np.load(path, allow_pickle=False) as stream:
            arrays = {name: stream[name] for name in ("questions", "candidates")}
    except ARRAY_ERRORS as error:
        raise DataError(f"{path} cannot be read as an .npz file: {error}") from error
    except KeyError as error:
        raise DataError(f"{path}: {error}; 'questions' and 'candidates' are required") from error
    width = arrays["questions"].shape[-1:]
    for name, rows in (("questions", pool.questions), ("candidates", pool.sentences)):
        array = arrays[name]
        if array.dtype.kind not in "fiu" or array.shape != (len(rows), *width):
            raise DataError(
                f"{path}: '{name}' has type {array.dtype} and shape {array.shape}; the pool needs "
                f"numbers of shape ({len(rows)}, dimensions), with the same dimensions for "
                "questions and candidates"
            )
    return Vectors(*(array.astype(np.float32) for array in arrays.values()))


def lexical_scores(pool: Pool) -> Callable[[slice], Floats]:
    """Score with Lucene's BM25 over a pool's sentences, with all languages in one index.

    Each text is analysed in its language, a translation in its target language. Terms shared
    across languages are mostly names and numbers.
    """
    index = index_tokens((tokens(row.text, row.text_lang) for row in pool.sentences), k1=0.9, b=0.4)

    def scores(batch: slice) -> Floats:
        matrix = np.zeros((len(pool.questions[batch]), len(pool.sentences)), np.float32)
        for row, question in enumerate(pool.questions[batch]):
            if term_ids := index.get_tokens_ids(tokens(question.text, question.text_lang)):
                matrix[row] = index.get_scores_from_ids(term_ids)
        return matrix

    return scores


def _cached(
    texts: Sequence[Text],
    encode: Callable[..., Floats],
    folder: Path,
    encoder: str,
    name: str,
    progress: TaskProgress,
) -> Floats:
    """Encode in shards, each cached in a file named after encoder, side and texts."""
    shards = []
    for start in range(0, len(texts), SHARD):
        batch = texts[start : start + SHARD]
        path = folder / f"{digest(encoder, name, batch)}.npy"
        if not path.is_file():
            vectors = encode(batch)
            with atomic_path(path) as temporary, temporary.open("wb") as stream:
                np.save(stream, vectors)
        shards.append(np.load(path))
        progress(name, start + len(batch), len(texts))
    return np.concatenate(shards)
