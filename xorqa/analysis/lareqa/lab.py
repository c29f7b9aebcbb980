"""An encoder judged on a pool: LAReQA's measures, and how its vectors lie by language."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ...core.errors import ConfigError, DataError
from ...core.progress import Tell, silent
from ...datasets.pool import Pool
from ...models.transforms import Key, Transform, fit, is_kind, open_transform
from .geometry import principal_components, probe_accuracy
from .measures import Measures, measure
from .ranks import target_ranks
from .scorers import BM25, Vectors, lexical_scores, make_vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

NONE = "none"
SHOWN = ("en", "zh")  # the languages of Roy et al. 2020, Figure 5

Fit = Literal["pool", "half"]


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """One encoder, as a transform leaves its vectors, on one pool.

    name: of the encoder, and of the transform if there is one.
    about: what decided the figures.
    measures: LAReQA's.
    probe: "questions" and "candidates" to a language probe's accuracy; None if not possible.
    points: language and side to two principal components (n, 2), of two languages.

    BM25 has no vectors, so `probe` and `points` are empty.
    """

    name: str
    about: Mapping[str, Any]
    measures: Measures
    probe: Mapping[str, float | None]
    points: Mapping[Key, NDArray[np.float64]]

    def to_json(self) -> dict[str, Any]:
        """Everything but the points."""
        return {**self.about, **self.measures.to_json(), "language probe": dict(self.probe)}


def judge(
    pool: Pool,
    encoder: str,
    transforms: Sequence[str] = (NONE,),
    *,
    fitted: Fit = "pool",
    context: bool = False,
    folder: Path,
    progress: Tell = silent,
) -> Iterator[Judged]:
    """Judge an encoder, once for each transform: "none", a kind of transform, or a stored one.

    Args:
        fitted: "pool" fits a transform on the vectors it is judged on: a diagnosis of the
            vectors, no result of a system. "half" fits on every second article and judges on
            the pool of the others alone, whatever the transform.
        context, folder: as for `make_vectors`. BM25 searches sentences alone.

    Raises:
        ConfigError: if a transform cannot be used.
        DataError: if there are no articles to judge on.
    """
    tested = pool.part(_is_tested) if fitted == "half" else pool
    if not tested.questions:
        raise DataError(f"pool {pool.name} has too few articles to be halved")
    if encoder == BM25:
        scores = lexical_scores(tested)
        measures = _measured(scores, tested, encoder, progress)
        yield Judged(encoder, {"encoder": encoder, "transform": NONE}, measures, {}, {})
        return
    vectors = make_vectors(encoder, pool, context=context, folder=folder, progress=progress)
    for kind in transforms:
        name = encoder if kind == NONE else f"{encoder} {kind}"
        about = {
            "encoder": encoder,
            "weights": vectors.encoder,
            "context": context and vectors.encoder is not None,
            "transform": kind,
            **_fitting(kind, fitted),
        }
        left = vectors.part(pool, _is_tested) if fitted == "half" else vectors
        if kind != NONE:
            left = left.transformed(tested, _transform(kind, pool, vectors, fitted))
        measures = _measured(left.scores, tested, name, progress)
        yield Judged(name, about, measures, _probe(tested, left), _points(tested, left))


def _is_fitted(article: int) -> bool:
    return article % 2 == 0


def _is_tested(article: int) -> bool:
    return not _is_fitted(article)


def _fitting(kind: str, fitted: Fit) -> dict[str, Any]:
    if not is_kind(kind):
        return {}
    return {"fitted on": fitted, "diagnostic": fitted == "pool"}


def _transform(kind: str, pool: Pool, vectors: Vectors, fitted: Fit) -> Transform:
    """A transform fitted on the pool or half of it, or a stored one."""
    if not is_kind(kind):
        if vectors.encoder is None:
            raise ConfigError(f"'{kind}' is a stored transform; a file's vectors cannot have one")
        return open_transform(kind, encoder=vectors.encoder)
    if fitted == "pool":
        return fit(vectors.by_key(pool), kind)
    return fit(vectors.part(pool, _is_fitted).by_key(pool.part(_is_fitted)), kind)


def _measured(
    scores: Callable[[slice], NDArray[np.float32]], pool: Pool, name: str, progress: Tell
) -> Measures:
    def told(part: slice) -> NDArray[np.float32]:
        progress(f"ranking by {name}", part.stop, len(pool.questions))
        return scores(part)

    return measure(target_ranks(told, pool))


def _probe(pool: Pool, vectors: Vectors) -> dict[str, float | None]:
    sides = (
        ("questions", vectors.questions, pool.questions),
        ("candidates", vectors.candidates, pool.sentences),
    )
    return {
        name: probe_accuracy(some, [row.lang for row in rows], [row.article for row in rows])
        for name, some, rows in sides
    }


def _points(pool: Pool, vectors: Vectors) -> dict[Key, NDArray[np.float64]]:
    """The paper's two languages, or the first two where one of them is missing."""
    langs = SHOWN if {*SHOWN} <= {*pool.langs} else pool.langs[:2]
    some = {key: rows for key, rows in vectors.by_key(pool).items() if key[0] in langs}
    ends = np.cumsum([len(rows) for rows in some.values()])[:-1]
    shown = principal_components(np.concatenate([*some.values()]))
    return dict(zip(some, np.split(shown, ends), strict=True))
