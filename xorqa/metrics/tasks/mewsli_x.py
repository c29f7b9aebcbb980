"""Mewsli-X (Ruder et al. 2021): MAP@20 of the entities retrieved for a mention in its context."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from ...core.errors import ConfigError, DataError
from ...core.lang import ISO_639_1, language
from ...io.files import read_json, write_json
from ...io.predictions import read_rankings
from ...io.strict_json import as_texts
from ..official.mewsli_x import score_mewsli_x
from ..report import Reference
from ..strict.mewsli_x import score_mewsli_x as score_strictly
from ..task import Task


def read_gold(path: Path, *, lang: str | None = None) -> list[Reference]:
    """Read XTREME-R's gold file of a language, `test-de.json`: id to a list of entity ids.

    The language is `lang`, or else the last code in the file's name.

    Raises:
        ConfigError: if neither gives a language, or it is unknown.
        DataError: if the file has another layout.
    """
    parts = reversed(re.split(r"[^a-z]+", path.stem.lower()))
    found = language(lang).code if lang else next((p for p in parts if p in ISO_639_1), None)
    if found is None:
        raise ConfigError(f"{path}: no language in the file's name; set it with --lang")
    rows = read_json(path)
    try:
        gold = {qid: as_texts(entities) for qid, entities in rows.items()}
    except (AttributeError, TypeError) as error:
        raise DataError(f"{path} must map ids to lists of entity ids: {error}") from error
    return [Reference(qid, found, entities) for qid, entities in gold.items()]


def write_rankings(
    path: Path, rankings: Mapping[str, Sequence[str]], langs: Mapping[str, str]
) -> None:
    """Write a prediction file: id to the list of entity ids, best first; `langs` is unused."""
    write_json(path, {qid: list(entities) for qid, entities in rankings.items()})


MEWSLI_X = Task(
    name="mewsli-x",
    title="Mewsli-X: MAP@20 of the entities retrieved for a mention",
    scorers={"official": score_mewsli_x, "strict": score_strictly},
    read_references=read_gold,
    read_predictions=read_rankings,
    write_predictions=write_rankings,
)
