"""Late interaction over a pool: MaxSim between the token vectors of questions and candidates.

Khattab and Zaharia 2020 (ColBERT): each token of the question counts with its best token of the
candidate. Sums are divided by nothing, since a question's candidates all have its tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...core.errors import ConfigError
from ...core.progress import TaskProgress, silent
from ...io.files import atomic_path, digest
from ...models.encoder import Encoder
from ...models.encoder_settings import encoder_settings
from ...models.maxsim import chunks, maxsim
from ...models.towers import units
from ...models.transforms import Key, Transform
from ...retrieval.rows.retriever import joined_rows
from ...retrieval.rows.store import LENGTHS, Rows, joined, read_shard, write_shard
from ...retrieval.rows.token_codes import VECTORS
from ..common.word_vectors import is_word_vectors
from .pool import Pool, PoolQuestion, PoolSentence

Floats = NDArray[np.float32]

TOKENS = 4096  # candidates' tokens compared at a time, which a CPU's cache holds
SHARD = 1024  # texts per file; an interrupted run encodes at most this many again


@dataclass(frozen=True, slots=True, eq=False)
class TokenVectors:
    """The token vectors of a pool's questions and candidates, in pool order.

    As `Vectors`, but a question and a candidate are compared by MaxSim of unit vectors. `encoder`
    is the fingerprint of the encoder; `folder` keeps the scores of an interrupted run.
    """

    questions: Rows
    candidates: Rows
    encoder: str
    folder: Path
    transform: str = ""

    def scores(self, batch: slice) -> Floats:
        """MaxSim of a batch of questions with all candidates."""
        path = self.folder / f"scores-{self._key}-{batch.start}.npy"
        if not path.is_file():
            asked = Rows(self.questions.part(batch))
            with atomic_path(path) as temporary, temporary.open("wb") as stream:
                np.save(stream, self._maxsim([units(rows) for rows in _by_text(asked)]))
        scores: Floats = np.load(path)
        return scores

    @property
    def _key(self) -> str:
        """A hash of the encoder, the transform and which texts there are."""
        lengths = (self.questions.lengths.tolist(), self.candidates.lengths.tolist())
        return digest(self.encoder, self.transform, *lengths)

    def _maxsim(self, questions: Sequence[Floats]) -> Floats:
        lengths = self.candidates.lengths
        scores = np.zeros((len(questions), len(lengths)), np.float32)
        for part in chunks(lengths, most=TOKENS):
            table = self.candidates.part(part)
            scores[:, part] = maxsim(questions, units(table[VECTORS]), table[LENGTHS])
        return scores

    def forget_scores(self) -> None:
        """Delete the scores of a run that is finished."""
        for path in self.folder.glob("scores-*.npy"):
            path.unlink()

    def subset(self, pool: Pool, keep: Callable[[int], bool]) -> TokenVectors:
        """The vectors that belong to `pool.subset(keep)`."""
        questions, candidates = (
            _kept(tokens, [keep(row.article) for row in rows])
            for _, tokens, rows in self._sides(pool)
        )
        return replace(self, questions=questions, candidates=candidates)

    def by_key(self, pool: Pool) -> dict[Key, Floats]:
        """The vectors by language and side, to fit a transform on."""
        by_key: dict[Key, Floats] = {}
        for side, tokens, rows in self._sides(pool):
            langs = np.repeat([row.lang for row in rows], tokens.lengths)
            by_key |= {(lang, side): tokens.table[VECTORS][langs == lang] for lang in pool.langs}
        return {key: rows for key, rows in by_key.items() if len(rows)}

    def transformed(self, pool: Pool, transform: Transform) -> TokenVectors:
        """Apply a transform of token vectors; the results have unit length."""
        questions, candidates = (
            _rows(
                [
                    transform.apply_to_tokens(of_text, row.lang, side=side)
                    for of_text, row in zip(_by_text(tokens), rows, strict=True)
                ]
            )
            for side, tokens, rows in self._sides(pool)
        )
        applied = transform.fingerprint()
        return replace(self, questions=questions, candidates=candidates, transform=applied)

    def _sides(
        self, pool: Pool
    ) -> tuple[tuple[str, Rows, Sequence[PoolQuestion | PoolSentence]], ...]:
        questions = ("query", self.questions, pool.questions)
        return questions, ("passage", self.candidates, pool.sentences)


def _rows(vectors: Sequence[Floats]) -> Rows:
    return Rows(joined_rows([[rows] for rows in vectors], [VECTORS]))


def _by_text(tokens: Rows) -> list[Floats]:
    """The token vectors of each text."""
    return np.split(tokens.table[VECTORS], tokens.starts[1:-1])


def _kept(tokens: Rows, keep: Sequence[bool]) -> Rows:
    return _rows([rows for rows, kept in zip(_by_text(tokens), keep, strict=True) if kept])


def encode_pool_tokens(
    name: str, pool: Pool, *, folder: Path, progress: TaskProgress = silent
) -> TokenVectors:
    """Encode a pool with the token vectors of a checkpoint or an adapter.

    Raises:
        ConfigError: for files of vectors, which have one per text.
    """
    if name.endswith(".npz") or is_word_vectors(name):
        raise ConfigError(f"{name} has one vector per text; late interaction needs an encoder")
    encoder = Encoder(encoder_settings(name))
    key = encoder.token_fingerprint
    questions, candidates = (
        _encoded(encoder, side, [row.text for row in rows], folder, progress)
        for side, rows in (("query", pool.questions), ("passage", pool.sentences))
    )
    return TokenVectors(questions, candidates, key, folder)


def _encoded(
    encoder: Encoder, side: str, texts: Sequence[str], folder: Path, progress: TaskProgress
) -> Rows:
    """Encode in shards, each cached in a file named after encoder, side and texts."""
    shards = []
    for start in range(0, len(texts), SHARD):
        batch = texts[start : start + SHARD]
        key = digest("tokens", encoder.token_fingerprint, side, batch)
        path = folder / f"{key}.safetensors"
        if not path.is_file():
            write_shard(path, _rows(encoder.token_vectors(side, batch)).table)
        shards.append(read_shard(path))
        progress(f"token vectors, {side}", start + len(batch), len(texts))
    return Rows(joined(shards))
