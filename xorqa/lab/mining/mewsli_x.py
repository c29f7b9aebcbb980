"""Mewsli-X (Ruder et al. 2021): MAP@20 of the entities retrieved for a mention in its context.

A mention has one gold entity, so MAP@20 is the reciprocal of its rank. The official script is
`evaluate` in `third_party/utils_mewslix.py` of google-research/xtreme; the strict scorer follows
the paper where files differ from what the script foresees.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from ...core.errors import ConfigError, DataError
from ...core.lang import ISO_639_1, language
from ...io.encodings import read_utf8
from ...io.files import read_json, write_json
from ...io.predictions import Predictions, repeated_ids, wrong_type
from ...io.strict_json import as_texts, parse_json_pairs
from ...metrics.measure import Measure
from ...metrics.report import Reference, Score
from ...metrics.task import Task

TOP = 20
"""The number of entities that count."""


def read_gold(path: Path, *, lang: str | None = None) -> list[Reference]:
    """Read XTREME-R's gold file of a language, `test-de.json`: id to a list of entity ids.

    The language is `lang`, or else the last code in the file's name.

    Raises:
        ConfigError: if neither gives a language, or it is unknown.
        DataError: if the file has another layout.
    """
    parts = reversed(re.split(r"[^a-z]+", path.stem.lower()))
    code = language(lang).code if lang else next((p for p in parts if p in ISO_639_1), None)
    if code is None:
        raise ConfigError(f"{path}: no language in the file's name; set it with --lang")
    rows = read_json(path)
    try:
        gold = {qid: as_texts(entities) for qid, entities in rows.items()}
    except (AttributeError, TypeError) as error:
        raise DataError(f"{path} must map ids to lists of entity ids: {error}") from error
    return [Reference(qid, code, entities) for qid, entities in gold.items()]


def read_rankings(path: Path) -> Predictions[tuple[str, ...]]:
    """Read a prediction file of Mewsli-X: id to the ids of entities, best first.

    The last entry of a repeated id counts, as in Python's `json.load`. Entries of another type are
    left out.

    Raises:
        DataError: if the file cannot be read or is not a JSON object.
    """
    rows = read_json(path)
    if not isinstance(rows, dict):
        raise DataError(f"{path} must be a JSON object of ids and lists of entity ids")
    problems = repeated_ids(qid for qid, _ in parse_json_pairs(read_utf8(path)))
    rankings = {}
    for qid, entities in rows.items():
        if isinstance(entities, list) and all(isinstance(entity, str) for entity in entities):
            rankings[qid] = tuple(entities)
        else:
            problems.append(wrong_type(qid, "the prediction must be a list of strings", entities))
    return Predictions(rankings, tuple(problems))


def write_rankings(
    path: Path, rankings: Mapping[str, Sequence[str]], langs: Mapping[str, str]
) -> None:
    """Write a prediction file: id to the list of entity ids, best first; `langs` is unused."""
    write_json(path, {qid: list(entities) for qid, entities in rankings.items()})


def score_officially(
    references: Iterable[Reference], predictions: Mapping[str, Sequence[str]]
) -> list[Score]:
    """`map@20` as XTREME-R's script counts: 1 / rank of the gold entity, 0 below rank 20.

    Only the first gold entity counts. A mention without a prediction scores 0. An entity that is
    predicted twice takes two ranks.
    """
    return [
        Score(row.qid, row.lang, {"map@20": _official_rank(row, predictions.get(row.qid, ()))})
        for row in references
    ]


def _official_rank(reference: Reference, entities: Sequence[str]) -> float:
    gold = reference.answers[0].strip()
    ranks = (rank for rank, entity in enumerate(entities[:TOP], 1) if entity == gold)
    return next((1 / rank for rank in ranks), 0.0)


def score_strictly(
    references: Iterable[Reference], predictions: Mapping[str, Sequence[str]]
) -> list[Score]:
    """`map@20` of each mention: 1 / rank of its best gold entity within the first 20, else 0.

    Every gold entity counts, an entity that is predicted twice takes only its first rank, and
    white space around ids does not matter.
    """
    return [
        Score(row.qid, row.lang, {"map@20": _strict_rank(row, predictions.get(row.qid, ()))})
        for row in references
    ]


def _strict_rank(reference: Reference, entities: Sequence[str]) -> float:
    gold = {answer.strip() for answer in reference.answers}
    ranked = [*dict.fromkeys(entity.strip() for entity in entities)][:TOP]
    return next((1 / rank for rank, entity in enumerate(ranked, 1) if entity in gold), 0.0)


MEWSLI_X = Task(
    name="mewsli-x",
    title="Mewsli-X: MAP@20 of the entities retrieved for a mention",
    scorers={"official": score_officially, "strict": score_strictly},
    measures=(Measure("map@20", "map@20"),),
    citation="Ruder et al. 2021",
    read_references=read_gold,
    read_predictions=read_rankings,
    write_predictions=write_rankings,
)
