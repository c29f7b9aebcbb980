"""BUCC's files: gold pairs and mined pairs, by the ids of their sentences."""

import math
import re
from dataclasses import dataclass
from pathlib import Path

from ...core.errors import ConfigError, DataError
from ...core.lang import ISO_639_1
from ...io.files import read_lines
from .bucc import Pair


@dataclass(frozen=True, slots=True)
class Candidates:
    """Mined pairs with their scores, 0 if the file has none."""

    scores: dict[Pair, float]
    scored: bool


def read_gold(path: Path) -> set[Pair]:
    """Read gold pairs, two ids per line, separated by a tab.

    Raises:
        DataError: if the file cannot be read, has no pair, or naming the line of another layout.
    """
    pairs = {(ids[0], ids[1]) for _, ids in _rows(path, (2,), "two ids")}
    if not pairs:
        raise DataError(f"{path} has no pair; write two ids per line, separated by a tab")
    return pairs


def read_candidates(path: Path) -> Candidates:
    """Read mined pairs: two ids per line, or a score and two ids; of equal pairs, the best score.

    Raises:
        DataError: if the file cannot be read, or naming the line of another layout.
    """
    scores: dict[Pair, float] = {}
    widths = set()
    for where, fields in _rows(path, (2, 3), "two ids, or a score and two ids"):
        widths.add(len(fields))
        if len(widths) > 1:
            raise DataError(f"{where}: some lines have a score, others do not")
        pair = fields[-2], fields[-1]
        score = _score(fields[0], where) if len(fields) == 3 else 0.0
        scores[pair] = max(score, scores.get(pair, score))
    return Candidates(scores, scored=3 in widths)


def gold_language(path: Path, gold: set[Pair]) -> str:
    """The language other than English that all ids begin with (de-000001), or the file's name.

    Raises:
        ConfigError: if neither names a language.
    """
    prefixes = {name.partition("-")[0] for pair in gold for name in pair if "-" in name}
    parts = re.split(r"[^a-z]+", path.name.lower())
    for names in (sorted(prefixes), parts):
        if codes := [name for name in names if name in ISO_639_1 and name != "en"]:
            return codes[0]
    raise ConfigError(f"{path}: no language in the ids or the file's name; name it test-de.tsv")


def _rows(path: Path, widths: tuple[int, ...], needs: str) -> list[tuple[str, list[str]]]:
    rows = []
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip():
            continue
        where = f"{path}, line {number}"
        fields = [field.strip() for field in line.split("\t")]
        if len(fields) not in widths or not all(fields):
            raise DataError(f"{where}: needs {needs}, separated by tabs")
        rows.append((where, fields))
    return rows


def _score(text: str, where: str) -> float:
    try:
        score = float(text)
    except ValueError:
        score = math.nan
    if not math.isfinite(score):
        raise DataError(f"{where}: the score '{text:.30}' is not a finite number")
    return score
