"""Mine Tatoeba's pairs, hidden among sentences without a translation, with several encoders."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from ...core.errors import DataError
from ...core.progress import TaskProgress, silent
from ...tables.grid import MISSING, Grid
from ..mining.bucc import f1_scores
from ..mining.encoding import encode_sides
from ..mining.margins import Margin
from ..mining.retrieval import Candidates, mine
from ..mining.sentences import Sentences, read_parallel
from ..mining.tatoeba_files import find_test_sets

PAIRS = 45
DISTRACTORS = 10
RECALL = 0.8
SEED = 1
MARGINS: tuple[Margin, ...] = ("absolute", "ratio")


@dataclass(frozen=True, slots=True)
class Result:
    """The best F1 over all thresholds, and the highest precision at a recall of `RECALL` or more.

    Both are from 0 to 1; `precision` is None if that recall is not reached.
    """

    encoder: str
    margin: Margin
    lang: str
    f1: float
    precision: float | None


def measure(
    folder: Path,
    langs: Sequence[str],
    encoders: Sequence[str],
    *,
    pairs: int = PAIRS,
    distractors: int = DISTRACTORS,
    vectors: Path | None = None,
    progress: TaskProgress = silent,
) -> list[Result]:
    """Mine `pairs` pairs of each language among `distractors` times as many sentences per side.

    The distractors of the two sides are from different pairs of the test set. Pairs are mined by
    max retrieval, without filters.

    Raises:
        DataError: if a test set has too few pairs.
    """
    results = []
    for lang, (path, english_path) in find_test_sets(folder, langs).items():
        english, other = read_parallel(english_path, "en"), read_parallel(path, lang)
        sides = hide(english, other, pairs=pairs, distractors=distractors)
        for encoder in encoders:
            x, y = encode_sides(encoder, sides, folder=vectors, progress=progress)
            for margin in MARGINS:
                candidates = mine(x, y, margin=margin)
                results.append(Result(encoder, margin, lang, *judge(candidates, pairs)))
    return results


def hide(english: Sentences, other: Sentences, *, pairs: int, distractors: int) -> list[Sentences]:
    """Draw both sides: translations of each other in the first `pairs` rows, then distractors.

    Of pairs with a sentence that occurred before, only the first counts.
    """
    needed, per_side = pairs * (1 + 2 * distractors), pairs * distractors
    seen: set[str] = set()
    rows = []
    for row, texts in enumerate(zip(english.texts, other.texts, strict=True)):
        if not seen.intersection(texts) and all(texts):
            rows.append(row)
        seen.update(texts)
    if len(rows) < needed:
        raise DataError(f"{other.name} has {len(rows)} different pairs; {needed} are needed")
    rows = Random(SEED).sample(rows, needed)  # neighbouring lines are alike
    first, second = (
        rows[: pairs + per_side],
        [*rows[:pairs], *islice(rows, pairs + per_side, needed)],
    )
    return [_select(english, first), _select(other, second)]


def judge(candidates: Candidates, pairs: int) -> tuple[float, float | None]:
    """The best F1, and the precision at `RECALL`, if the pairs are those of the first rows."""
    right: NDArray[np.int64] = np.cumsum(
        (candidates.sources == candidates.targets) & (candidates.sources < pairs), dtype=np.int64
    )
    values = [f1_scores(int(correct), mined, pairs) for mined, correct in enumerate(right, 1)]
    precise = [row["precision"] for row in values if row["recall"] >= RECALL]
    return max(row["f1"] for row in values), max(precise, default=None)


def grid(results: Sequence[Result], *, pairs: int, distractors: int) -> Grid:
    """A row per encoder and margin, a column per language and measure."""
    langs = sorted({row.lang for row in results})
    by_key = {(row.encoder, row.margin, row.lang): row for row in results}
    keys = dict.fromkeys((row.encoder, row.margin) for row in results)
    rows = []
    for encoder, margin in keys:
        of_langs = [by_key[encoder, margin, lang] for lang in langs]
        cells = [cell for row in of_langs for cell in (_percent(row.f1), _percent(row.precision))]
        mean = sum(row.f1 for row in of_langs) / len(of_langs)
        rows.append((encoder, margin, *cells, _percent(mean)))
    columns = [name for lang in langs for name in (f"{lang} F1", f"{lang} P")]
    caption = (
        f"Percent. {pairs} pairs among {pairs * distractors} other sentences per side. F1: the "
        f"best over all thresholds; P: the highest precision at a recall of {RECALL:.0%} or more."
    )
    header = ("encoder", "margin", *columns, "mean F1")
    return Grid("mining Tatoeba", header, (tuple(rows),), caption, labels=2)


def to_json(results: Sequence[Result]) -> list[dict[str, object]]:
    """The results as JSON values."""
    return [asdict(row) for row in results]


def _select(sentences: Sentences, rows: Sequence[int]) -> Sentences:
    ids, texts = ([values[row] for row in rows] for values in (sentences.ids, sentences.texts))
    return Sentences(sentences.name, sentences.lang, tuple(ids), tuple(texts))


def _percent(value: float | None) -> str:
    return MISSING if value is None else f"{100 * value:.1f}"
