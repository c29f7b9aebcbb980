"""Evaluate an encoder on a pool: LAReQA's measures, language probe, principal components."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ...core.errors import ConfigError, DataError
from ...core.progress import TaskProgress, silent
from ...models.transforms import Key, Transform, is_kind, open_transform
from ..common.transforms import fit_transform
from .geometry import principal_components, probe_accuracy
from .measures import Measures, compute_measures
from .pool import Pool, PoolQuestion, PoolSentence
from .ranks import target_ranks
from .similarity import BM25, Vectors, encode_pool, lexical_scores
from .token_vectors import TokenVectors, encode_pool_tokens

if TYPE_CHECKING:
    from numpy.typing import NDArray

NONE = "none"
PLOTTED = ("en", "zh")  # the two languages that Roy et al. 2020 plot and probe

Fit = Literal["pool", "half"]


@dataclass(frozen=True, slots=True, eq=False)
class EncoderResult:
    """The results of one encoder, with or without a transform, on one pool.

    Attributes:
        name: the encoder's name, with that of the transform if there is one.
        settings: the settings that the results depend on.
        measures: LAReQA's measures.
        probe: accuracy (0 to 1) of a language probe on "questions", on "candidates", and on both
            in English and Chinese ("en and zh", Roy et al. 2020, section 5.4); None if it cannot be
            computed.
        points: two principal components (n, 2) by language and side, for two languages.

    BM25 and late interaction have no vectors of texts, so `probe` and `points` are empty.
    """

    name: str
    settings: Mapping[str, Any]
    measures: Measures
    probe: Mapping[str, float | None]
    points: Mapping[Key, NDArray[np.float64]]

    def to_json(self) -> dict[str, Any]:
        """All results except the points."""
        return {**self.settings, **self.measures.to_json(), "language probe": dict(self.probe)}


def evaluate_encoder(
    pool: Pool,
    encoder: str,
    transforms: Sequence[str] = (NONE,),
    *,
    fitted: Fit = "pool",
    context: bool = False,
    late_interaction: bool = False,
    folder: Path,
    progress: TaskProgress = silent,
) -> Iterator[EncoderResult]:
    """Evaluate an encoder with each transform: "none", a kind of transform, or a stored one.

    Args:
        fitted: "pool" fits a transform on the evaluated vectors: a diagnosis of the vectors, not
            a system's result. "half" fits on every second article, and evaluates all transforms
            on the pool of the other articles only.
        context, folder: as for `encode_pool`. BM25 searches sentences without context.
        late_interaction: compare token vectors by MaxSim, see `token_vectors`.

    Raises:
        ConfigError: if a transform cannot be used.
        DataError: if no articles are left to evaluate on.
    """
    test_pool = pool.subset(_is_test) if fitted == "half" else pool
    if not test_pool.questions:
        raise DataError(f"pool {pool.name} has too few articles to split in halves")
    if encoder == BM25:
        scores = lexical_scores(test_pool)
        measures = _compute(scores, test_pool, encoder, progress)
        yield EncoderResult(encoder, {"encoder": encoder, "transform": NONE}, measures, {}, {})
        return
    if late_interaction and context:
        raise ConfigError("late interaction compares sentences without their paragraphs")
    vectors: Vectors | TokenVectors = (
        encode_pool_tokens(encoder, pool, folder=folder, progress=progress)
        if late_interaction
        else encode_pool(encoder, pool, context=context, folder=folder, progress=progress)
    )
    for kind in transforms:
        name = " ".join([encoder] + ["MaxSim"] * late_interaction + [kind] * (kind != NONE))
        used = vectors.subset(pool, _is_test) if fitted == "half" else vectors
        if kind != NONE:
            used = used.transformed(test_pool, _transform(kind, pool, vectors, fitted))
        settings = {"encoder": encoder} | _settings(vectors, kind, fitted, context=context)
        measures = _compute(used.scores, test_pool, name, progress)
        yield _result(name, settings, measures, test_pool, used)


def _settings(
    vectors: Vectors | TokenVectors, kind: str, fitted: Fit, *, context: bool
) -> dict[str, Any]:
    """What the results depend on, besides the encoder's name."""
    settings: dict[str, Any] = {
        "weights": vectors.encoder,
        "context": context and vectors.encoder is not None,
        "transform": kind,
    }
    if isinstance(vectors, TokenVectors):
        settings["late interaction"] = True
    else:
        settings |= vectors.described
    return settings | (
        {"fitted on": fitted, "diagnostic": fitted == "pool"} if is_kind(kind) else {}
    )


def _result(
    name: str,
    settings: Mapping[str, Any],
    measures: Measures,
    pool: Pool,
    vectors: Vectors | TokenVectors,
) -> EncoderResult:
    """The measures, with probe and points of vectors of texts; those of tokens have neither."""
    if isinstance(vectors, TokenVectors):
        vectors.forget_scores()
        return EncoderResult(name, settings, measures, {}, {})
    probe, points = _probe(pool, vectors), _points(pool, vectors)
    return EncoderResult(name, settings, measures, probe, points)


def _is_train(article: int) -> bool:
    return article % 2 == 0


def _is_test(article: int) -> bool:
    return not _is_train(article)


def _transform(kind: str, pool: Pool, vectors: Vectors | TokenVectors, fitted: Fit) -> Transform:
    """Fit a transform on the pool or half of it, or open a stored one."""
    if not is_kind(kind):
        if vectors.encoder is None:
            raise ConfigError(
                f"'{kind}' is a stored transform, which cannot be applied to vectors from a file"
            )
        return open_transform(kind, encoder=vectors.encoder)
    if fitted == "pool":
        return fit_transform(vectors.by_key(pool), kind)
    return fit_transform(vectors.subset(pool, _is_train).by_key(pool.subset(_is_train)), kind)


def _compute(
    scores: Callable[[slice], NDArray[np.float32]], pool: Pool, name: str, progress: TaskProgress
) -> Measures:
    def scores_of(batch: slice) -> NDArray[np.float32]:
        progress(f"ranking by {name}", batch.stop, len(pool.questions))
        return scores(batch)

    return compute_measures(target_ranks(scores_of, pool))


def _probe(pool: Pool, vectors: Vectors) -> dict[str, float | None]:
    rows: list[PoolQuestion | PoolSentence] = [*pool.questions, *pool.sentences]
    both = np.concatenate([vectors.questions, vectors.candidates])
    langs = np.array([row.lang for row in rows])
    articles = np.array([row.article for row in rows])
    asked = np.arange(len(rows)) < len(pool.questions)
    parts = {"questions": asked, "candidates": ~asked}
    if {*PLOTTED} <= {*pool.langs}:
        parts[" and ".join(PLOTTED)] = np.isin(langs, PLOTTED)
    return {
        name: probe_accuracy(both[part], langs[part].tolist(), articles[part].tolist())
        for name, part in parts.items()
    }


def _points(pool: Pool, vectors: Vectors) -> dict[Key, NDArray[np.float64]]:
    """Principal components for the paper's two languages, or the pool's first two."""
    langs = PLOTTED if {*PLOTTED} <= {*pool.langs} else pool.langs[:2]
    by_key = {key: rows for key, rows in vectors.by_key(pool).items() if key[0] in langs}
    ends = np.cumsum([len(rows) for rows in by_key.values()])[:-1]
    points = principal_components(np.concatenate([*by_key.values()]))
    return dict(zip(by_key, np.split(points, ends), strict=True))
