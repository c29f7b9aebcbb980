"""How many questions have an answer, in percent: Tables 1 and 9 of XOR QA (Asai et al. 2021)."""

from collections import Counter
from collections.abc import Mapping

from ...tables.grid import Grid

ALL = "all"
COLUMNS = {
    "before": "in W_i",
    "after": "in W_i or in English",
    "gain": "gain",
    "long": "long, English",
    "short": "short, English",
}


def coverage(counts: Mapping[str, Mapping[str, int]]) -> dict[str, dict[str, float]]:
    """Percentages by language and of all questions together, from the counts of `count_rounds`.

    `before` and `after` are of all questions, those with a short answer in W_i, and those with one
    in W_i or English (Table 1). `long` and `short` are of the questions that W_i does not answer:
    those with an English passage, and those with a short answer in it (Table 9).
    """
    total: Counter[str] = Counter()
    for row in counts.values():
        total.update(row)
    return {lang: _percent(row) for lang, row in ({**counts, ALL: total}).items()}


def _percent(row: Mapping[str, int]) -> dict[str, float]:
    before = _share(row["short in W_i"], row["questions"])
    after = _share(row["short in W_i"] + row["cross-lingual"], row["questions"])
    long, short = (_share(row[name], row["selected"]) for name in ("long", "cross-lingual"))
    return {"before": before, "after": after, "gain": after - before, "long": long, "short": short}


def _share(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 0.0


def coverage_grid(percentages: Mapping[str, Mapping[str, float]]) -> Grid:
    """The percentages as a table, all languages together last."""
    rows = [(lang, *(f"{row[name]:.0f}" for name in COLUMNS)) for lang, row in percentages.items()]
    caption = "Percent of the questions; of English answers: percent of those selected."
    return Grid(
        "Coverage", ("language", *COLUMNS.values()), (tuple(rows[:-1]), (rows[-1],)), caption
    )
