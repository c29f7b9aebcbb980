"""XTREME-R's Table 25 beside prediction files: what is in each printed bucket of XQuAD.

Ruder et al. 2021, appendix K.2, with the question types of Table 6.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...core.errors import ConfigError, one_of
from ...core.lang import in_name
from ...metrics.significance import Settings
from ...tables.grid import MISSING, Grid, Row
from ..common.parallel_files import find_files
from ..diagnosis.buckets import Bucket
from ..diagnosis.diagnosis import Diagnosis, diagnose_data
from ..diagnosis.from_files import read_files
from ..diagnosis.measure import BucketScore
from ..diagnosis.xtreme_r import F1_EM, XTREME_R
from .printed import DOUBTFUL, PrintedTable

FEATURES = {
    "aLen": "aLen",
    "qLen": "qLen",
    "cLen": "cLen",
    "BLEU-AQ": "sacreBLEU-AQ",
    "BLEU-QC": "sacreBLEU-QC",
}
"""The columns of Table 25, and our features as printed."""

_FEW = Settings(samples=1)  # no interval is printed


def beside_predictions(table: PrintedTable, title: str, paths: Sequence[Path], data: Path) -> Grid:
    """Each printed bucket with its questions and each system's mean of F1 and exact match.

    Args:
        table: Table 25.
        title: of the grid.
        paths: systems: prediction files with a language in their names, or folders of them.
        data: XQuAD's folder: `xquad`, if it was fetched.

    Raises:
        ConfigError: for a file without a language, or in none of the eight of Table 25.
    """
    by_lang: dict[str, dict[str, Path]] = {}
    for path in paths:
        for lang, file in _files(path).items():
            by_lang.setdefault(lang, {})[str(path)] = file
    printed = list(dict.fromkeys(line[0] for line in table.lines))
    langs = [lang for lang in printed if lang in by_lang]
    if not langs:
        raise ConfigError(f"Table 25 has no {one_of(by_lang)}; it has {one_of(printed)}")
    others = sorted(by_lang.keys() - set(printed))
    groups = [
        group
        for lang in langs
        for group in _of_language(table, lang, data, by_lang[lang], list(map(str, paths)))
    ]
    caption = (
        f"{'Not in Table 25: ' + ', '.join(others) + '. ' if others else ''}"
        "n, %: questions in the printed bucket; greedy: the bucket that the rule of --buckets "
        "greedy makes of these questions; systems: mean of F1 and EM. first-token: the types of "
        "Table 6. " + " ".join(table.notes)
    )
    header = ("lang", "feature", "bucket", "printed", "greedy", "n", "%", *map(str, paths))
    return Grid(f"{title}: {table.title}", header, tuple(groups), caption, labels=5, fixed=True)


def _files(path: Path) -> dict[str, Path]:
    if path.is_dir():
        return find_files(path)
    lang = in_name(path.name)
    if lang is None:
        raise ConfigError(f"{path} has no language in its name, as in reader.de.json")
    return {lang: path}


def _of_language(
    table: PrintedTable, lang: str, data: Path, systems: dict[str, Path], order: Sequence[str]
) -> list[tuple[Row, ...]]:
    read = read_files(
        "squad",
        [data / f"xquad.{lang}.json"],
        {name: [file] for name, file in systems.items()},
        english=data / "xquad.en.json",
    )
    lines = [line for line in table.lines if line[0] == lang]
    intervals = {
        feature: [line[table.columns.index(column)] for line in lines]
        for column, feature in FEATURES.items()
    }
    limits = {
        feature: [_upper(cell) for cell in cells[:-1]] for feature, cells in intervals.items()
    }
    options: dict[str, Any] = {"by": XTREME_R, "metrics": [F1_EM], "settings": _FEW}
    at_limits = diagnose_data(read, buckets="greedy", edges=limits, **options)
    filled = diagnose_data(read, buckets="greedy", **options)
    groups = []
    for feature in XTREME_R:
        cells = intervals.get(feature)
        names = [bucket.name for bucket in _buckets(at_limits, feature)]
        ours = [bucket.name for bucket in _buckets(filled, feature)] if cells else []
        rows = []
        for place, name in enumerate(names):
            label, print_ = (lines[place][1], cells[place]) if cells else (name, MISSING)
            greedy = ours[place] if place < len(ours) else MISSING
            values = _values(at_limits, feature, name, order)
            rows.append((lang, feature, label, print_, greedy, *values))
        groups.append(tuple(rows))
    return groups


def _buckets(diagnosis: Diagnosis, feature: str) -> Sequence[Bucket]:
    return next(iter(diagnosis.buckets.values()))[feature].buckets


def _values(diagnosis: Diagnosis, feature: str, bucket: str, order: Sequence[str]) -> Row:
    """The number of questions in a bucket, their share, and each system's value."""
    total = len(diagnosis.data.questions)
    place = [row.name for row in _buckets(diagnosis, feature)].index(bucket)
    n = int((next(iter(diagnosis.buckets.values()))[feature].of == place).sum())
    found: dict[str, BucketScore] = {
        name: row
        for name, by_feature in diagnosis.scores.items()
        for row in by_feature.get(feature, ())
        if row.bucket.name == bucket
    }
    cells = (
        f"{found[name].metrics[F1_EM].value:.1f}" if name in found else MISSING for name in order
    )
    return (str(n), f"{100 * n / total:.1f}", *cells)


def _upper(interval: str) -> float:
    """The upper limit of a printed interval: 5 of "(2,5]", 0 of "0"."""
    text = interval.removesuffix(DOUBTFUL).strip().strip("[](")
    return float(text.rpartition(",")[2])
