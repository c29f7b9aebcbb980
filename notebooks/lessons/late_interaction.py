"""Tools of lesson 12: token vectors of a mixed pool, rankings by three kinds of scores, a table."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from xorqa.core.types import Example, Hit, Passage
from xorqa.datasets.mini import load
from xorqa.models.checkpoints import resolve, shared_tokenizer
from xorqa.models.encoder import Encoder
from xorqa.models.encoder_settings import EncoderSettings
from xorqa.models.maxsim import maxsim
from xorqa.models.transforms import Transform, open_transform
from xorqa.ranking.cross_encoder import CrossEncoder

from . import bundled
from .fonts import use_fonts
from .intervals import Difference, difference
from .late_interaction_exercises import check_1, check_2, check_3, check_4

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "DEPTH",
    "check_1",
    "check_2",
    "check_3",
    "check_4",
    "cross_scores",
    "difference",
    "draw_table",
    "encoder",
    "examples",
    "gain",
    "library_scores",
    "mean_vectors",
    "passages",
    "pieces",
    "ranks",
    "reordered",
    "units",
    "without_language",
]

Floats = NDArray[np.floating[Any]]
DEPTH = 5  # passages that a ranker reorders
DTYPE: Final = "float32"  # the same on every machine
MEANS = "tokens-e5-small-q4"


@cache
def examples() -> tuple[Example, ...]:
    """All questions of the bundled world; English passages answer half of them."""
    return load().examples


@cache
def passages() -> tuple[Passage, ...]:
    """The passages of all eight languages: one pool."""
    return tuple(passage for corpus in load().corpora.values() for passage in corpus)


@cache
def encoder() -> Encoder:
    """The bi-encoder whose token vectors are compared."""
    return Encoder(EncoderSettings(dtype=DTYPE))


def pieces(side: str, text: str) -> list[str]:
    """The subwords of a text with its prefix, as the encoder reads them."""
    backend = shared_tokenizer(resolve()).backend_tokenizer
    tokens: list[str] = backend.encode(encoder().settings.prefix(side) + text).tokens
    return tokens


def units(vectors: Floats) -> Floats:
    """The rows, each of length 1."""
    scaled: Floats = vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
    return scaled


def mean_vectors(texts: Sequence[Floats]) -> Floats:
    """One vector per text: the mean of its token vectors, of length 1."""
    return np.stack([units(rows.mean(axis=0)) for rows in texts])


@cache
def _means() -> Transform:
    return open_transform(MEANS, encoder=encoder().token_fingerprint)


def without_language(vectors: Floats, lang: str, side: str) -> Floats:
    """Token vectors of length 1 without their language's mean, which was fitted on other text."""
    return _means().apply_to_tokens(np.asarray(vectors, np.float32), lang, side=side)


def library_scores(questions: Sequence[Floats], texts: Sequence[Floats]) -> Floats:
    """The library's MaxSim of all questions (rows) and passages."""
    lengths = np.array([len(rows) for rows in texts], np.int64)
    return maxsim(list(questions), np.concatenate(texts), lengths)


def cross_scores(scores: Floats) -> Floats:
    """The cross-encoder's scores of each question's first passages; -inf for all others."""
    first = np.argsort(-scores, axis=1, kind="stable")[:, :DEPTH]
    hits = [[Hit(passages()[at], 0.0) for at in row] for row in first]
    ranker = CrossEncoder(depth=DEPTH, text="question", dtype=DTYPE)
    computed = np.full(scores.shape, -np.inf)
    computed[np.arange(len(first))[:, None], first] = ranker.scores(
        bundled.as_asked(examples()), hits
    )
    return computed


def reordered(scores: Floats, other: Floats) -> Floats:
    """Scores that rank the first passages of `scores` by `other`, and the rest as before."""
    places = np.argsort(np.argsort(-scores, axis=1, kind="stable"), axis=1)
    ranked = np.where(places < DEPTH, -np.inf, -places.astype(float))
    for row, first in enumerate(np.argsort(places, axis=1)[:, :DEPTH]):
        order = first[np.argsort(-other[row, first], kind="stable")]
        ranked[row, order] = -np.arange(DEPTH, dtype=float)
    return ranked


def ranks(scores: Floats) -> NDArray[np.int64]:
    """The rank of each question's gold passage, from 1."""
    positions = {passage.docid: at for at, passage in enumerate(passages())}
    golds = [positions[bundled.gold_docid(example)] for example in examples()]
    of_gold = scores[np.arange(len(golds)), golds]
    above: NDArray[np.int64] = (scores > of_gold[:, None]).sum(axis=1)
    return 1 + above


def gain(before: Floats, after: Floats, asked: NDArray[np.bool_] | None = None) -> Difference:
    """The difference in questions whose gold passage is first, in points; of some or of all."""
    one, other = (ranks(scores) == 1 for scores in (before, after))
    return difference(one, other) if asked is None else difference(one[asked], other[asked])


def draw_table(values: Floats, rows: Sequence[str], columns: Sequence[str]) -> Figure:
    """Inner products of tokens as colours; a frame marks the highest of each row."""
    import matplotlib.pyplot as plt

    use_fonts()
    figure: Figure
    figure, axes = plt.subplots(figsize=(7.5, 3.6), layout="constrained")
    axes.imshow(values, cmap="Blues", aspect="auto")
    for row, column in enumerate(values.argmax(axis=1)):
        box = plt.Rectangle((column - 0.5, row - 0.5), 1, 1, fill=False, edgecolor="#a63603", lw=2)
        axes.add_patch(box)
    middle = (values.min() + values.max()) / 2
    for (row, column), value in np.ndenumerate(values):
        colour = "white" if value > middle else "#333333"
        axes.text(column, row, f"{value:.2f}", ha="center", va="center", fontsize=7, color=colour)
    axes.set_yticks(range(len(rows)), rows, fontsize=9)
    axes.set_xticks(range(len(columns)), columns, fontsize=9, rotation=60, ha="right")
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return figure
