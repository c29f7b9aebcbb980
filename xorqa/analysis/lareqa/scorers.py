"""What a pool can be asked with: an encoder's vectors, a file of vectors, or BM25."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import BadZipFile

import numpy as np

from ...core.errors import DataError
from ...core.progress import Tell, silent
from ...datasets.pool import Pool
from ...io.files import atomic_path, digest
from ...models.encoder import Encoder, encoder_settings
from ...models.towers import Text
from ...models.transforms import Key, Transform
from ...retrieval.analysis import tokens
from ...retrieval.bm25 import index_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

BM25 = "bm25"
SHARD = 1024  # texts; a killed run encodes at most so many again


@dataclass(frozen=True, slots=True, eq=False)
class Vectors:
    """Vectors of a pool's questions (n, dimensions) and candidates (m, dimensions), in its order.

    `encoder` is the fingerprint of what made them; of a file's vectors it is not known.
    """

    questions: Floats
    candidates: Floats
    encoder: str | None = None

    def scores(self, part: slice) -> Floats:
        """Inner products of some questions with all candidates."""
        product: Floats = self.questions[part] @ self.candidates.T
        return product

    def part(self, pool: Pool, keep: Callable[[int], bool]) -> Vectors:
        """The vectors of `pool.part(keep)`."""
        return Vectors(
            self.questions[[keep(row.article) for row in pool.questions]],
            self.candidates[[keep(row.article) for row in pool.sentences]],
            self.encoder,
        )

    def by_key(self, pool: Pool) -> dict[Key, Floats]:
        """The vectors of each language and side, to fit a transform on."""
        sides = (
            ("query", self.questions, pool.questions),
            ("passage", self.candidates, pool.sentences),
        )
        return {
            (lang, side): vectors[spoken == lang]
            for side, vectors, rows in sides
            for spoken in [np.array([row.lang for row in rows])]
            for lang in np.unique(spoken).tolist()
        }

    def transformed(self, pool: Pool, transform: Transform) -> Vectors:
        """The vectors as a transform leaves them: of unit length."""
        asked, spoken = ([row.lang for row in rows] for rows in (pool.questions, pool.sentences))
        return Vectors(
            transform.apply(self.questions, asked, side="query"),
            transform.apply(self.candidates, spoken, side="passage"),
            self.encoder,
        )


def make_vectors(
    name: str,
    pool: Pool,
    *,
    context: bool = False,
    folder: Path,
    progress: Tell = silent,
) -> Vectors:
    """The vectors of an encoder, or those that a file `name.npz` holds.

    Args:
        name: a checkpoint's name, an adapter's, or a file.
        context: encode a candidate as the tokenizer's pair of the sentence and its whole
            paragraph (of E5 `passage: SENTENCE </s></s> PARAGRAPH`, the longer of the two cut
            first where both are too long), not as the sentence alone.
        folder: keeps the vectors; the same texts are not encoded again.
    """
    if name.endswith(".npz"):
        return read_vectors(Path(name), pool)
    encoder = Encoder(encoder_settings(name))
    asked = [row.text for row in pool.questions]
    searched: list[Text] = [
        (row.text, row.context) if context else row.text for row in pool.sentences
    ]
    key = folder, encoder.fingerprint()
    return Vectors(
        _cached(asked, encoder.queries, *key, "questions", progress),
        _cached(searched, encoder.passages, *key, "candidates", progress),
        encoder.fingerprint(),
    )


def read_vectors(path: Path, pool: Pool) -> Vectors:
    """Vectors from an .npz with the arrays `questions` and `candidates`.

    Their rows are in the pool's order: by language code, then as the language's file has them.

    Raises:
        DataError: if an array is missing or does not fit the pool.
    """
    try:
        with np.load(path, allow_pickle=False) as stream:
            found = {name: stream[name] for name in ("questions", "candidates")}
    except (OSError, EOFError, ValueError, BadZipFile) as error:
        raise DataError(f"{path} cannot be read as an .npz file: {error}") from error
    except KeyError as error:
        raise DataError(f"{path}: {error}; needed are 'questions' and 'candidates'") from error
    width = found["questions"].shape[-1:]
    for name, rows in (("questions", pool.questions), ("candidates", pool.sentences)):
        if found[name].dtype.kind not in "fiu" or found[name].shape != (len(rows), *width):
            raise DataError(
                f"{path}: '{name}' is {found[name].dtype} of the shape {found[name].shape}; "
                f"the pool needs numbers of the shape ({len(rows)}, dimensions), the dimensions "
                "of questions and candidates the same"
            )
    return Vectors(*(rows.astype(np.float32) for rows in found.values()))


def lexical_scores(pool: Pool) -> Callable[[slice], Floats]:
    """BM25 of a pool's sentences, all languages in one index, as Lucene counts it.

    A sentence is analysed as its language wants it, a question as its own does: across
    languages they share names, numbers and little else.
    """
    index = index_of((tokens(row.text, row.lang) for row in pool.sentences), k1=0.9, b=0.4)

    def scores(part: slice) -> Floats:
        found = np.zeros((len(pool.questions[part]), len(pool.sentences)), np.float32)
        for at, row in enumerate(pool.questions[part]):
            if known := index.get_tokens_ids(tokens(row.text, row.lang)):
                found[at] = index.get_scores_from_ids(known)
        return found

    return scores


def _cached(
    texts: Sequence[Text],
    encode: Callable[..., Floats],
    folder: Path,
    encoder: str,
    name: str,
    progress: Tell,
) -> Floats:
    """Vectors shard by shard, each in a file named after encoder, side and texts."""
    shards = []
    for start in range(0, len(texts), SHARD):
        some = texts[start : start + SHARD]
        path = folder / f"{digest(encoder, name, some)}.npy"
        if not path.is_file():
            vectors = encode(some)
            with atomic_path(path) as temporary, temporary.open("wb") as stream:
                np.save(stream, vectors)
        shards.append(np.load(path))
        progress(name, start + len(some), len(texts))
    return np.concatenate(shards)
