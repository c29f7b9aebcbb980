"""`metadata.toml`: what a leaderboard must know of a system beside its scores."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date
from pathlib import Path
from typing import Annotated, Any

from ...core.config import read_toml
from ...core.errors import ConfigError, one_of
from ...core.lang import ISO_639_1
from ...core.validation import Range, Validator

FILE = "metadata.toml"
REQUIRED = (
    "parameters",
    "pretraining",
    "fine_tuning",
    "black_box",
    "hardware",
    "date",
    "seen_languages",
)
"""The fields that a row needs to be ranked, beside its model; published rows may lack them."""

MOST_PARAMETERS = 10**15
AMOUNTS = ("monolingual_data", "parallel_data", "fine_tuning_data")
_AMOUNT = re.compile(
    r"\d[\d,]*(\.\d+)?([KMBT]? (tokens|words|sentences|pairs|questions|examples)| ?[KMGTP]B)"
)

_METADATA = Validator(ConfigError, "field")
ByLang = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class ResultEntry:
    """Results of one board: a file, or the values themselves.

    Attributes:
        board: the name of a board.
        file: a file of results, relative to `metadata.toml`.
        data: the questions; by default the board's.
        values: a language or "mean" to measure to value, in percent, without a file; by default
            "mean" is the mean over these languages.
        languages: those that a "mean" without values by language is over.
        table: the place of the values in the paper.
    """

    board: str
    file: str = ""
    data: str = ""
    values: ByLang | None = None
    languages: Sequence[str] = ()
    table: str = ""


@dataclass(frozen=True, slots=True)
class Metadata:
    """A system, as its authors describe it.

    Attributes:
        model: its name.
        parameters: the number of all parameters, word embeddings included.
        pretraining: the data of pre-training.
        monolingual_data: its amounts without translations: "85 GB", "6.3T tokens".
        parallel_data: its amounts of translations: "25B pairs".
        fine_tuning: the data of fine-tuning.
        fine_tuning_data: its amounts: "87,599 questions".
        black_box: services that nobody else can rerun, such as a commercial translator; [] if
            there are none.
        hardware: the machine of training or of the experiment.
        paper: authors and year.
        link: of the paper or the code, with https.
        date: of the experiment or the paper, as 2026-11-25.
        seen_languages: codes of the languages of the fine-tuning data.
        developed_on: codes of the languages whose validation sets settings were chosen by.
        notes: anything else.
        results: result files; a run folder needs none.
    """

    model: str
    parameters: Annotated[int, Range(1)] | None = None
    pretraining: Sequence[str] | None = None
    monolingual_data: Sequence[str] | None = None
    parallel_data: Sequence[str] | None = None
    fine_tuning: Sequence[str] | None = None
    fine_tuning_data: Sequence[str] | None = None
    black_box: Sequence[str] | None = None
    hardware: str | None = None
    paper: str = ""
    link: str = ""
    date: str | None = None
    seen_languages: Sequence[str] | None = None
    developed_on: Sequence[str] | None = None
    notes: str = ""
    results: Sequence[ResultEntry] = ()


def read_metadata(path: Path) -> Metadata:
    """Read a metadata file.

    Raises:
        ConfigError: if it cannot be read, or naming the unknown field or the wrong value.
    """
    return as_metadata(read_toml(path), where=str(path))


def as_metadata(table: Mapping[str, Any], *, where: str) -> Metadata:
    """A table of TOML as metadata.

    Raises:
        ConfigError: naming the unknown field or the wrong value.
    """
    values = {
        key: value.isoformat() if isinstance(value, date) else value for key, value in table.items()
    }
    metadata = _METADATA.fill(Metadata, values, where=where)
    if not metadata.model.strip():
        raise ConfigError(f"{where} model is empty")
    if (metadata.parameters or 0) > MOST_PARAMETERS:
        raise ConfigError(f"{where} parameters must be at most {MOST_PARAMETERS:,}")
    if metadata.link and not metadata.link.startswith("https://"):
        raise ConfigError(f"{where} link must begin with https://, not {metadata.link!r:.80}")
    named = {*(metadata.seen_languages or ()), *(metadata.developed_on or ())}
    named = named.union(*(row.languages for row in metadata.results))
    if unknown := named - set(ISO_639_1):
        raise ConfigError(f"{where}: no ISO 639-1 code of a language: {one_of(unknown)}")
    _check_amounts(metadata, where)
    _check_date(metadata, where)
    return metadata


def missing_fields(metadata: Metadata) -> list[str]:
    """The required fields that are absent or empty; an empty list is a value."""
    return [name for name in REQUIRED if getattr(metadata, name) in (None, "")]


def public_values(metadata: Metadata) -> dict[str, Any]:
    """The fields for CSV and JSON, without the results."""
    return {
        field.name: list(value) if isinstance(value, tuple) else value
        for field in fields(metadata)
        if field.name != "results"
        for value in [getattr(metadata, field.name)]
    }


def _check_amounts(metadata: Metadata, where: str) -> None:
    for name in AMOUNTS:
        for amount in getattr(metadata, name) or ():
            if not _AMOUNT.fullmatch(amount):
                raise ConfigError(
                    f"{where} {name} must be amounts such as '85 GB', '6.3T tokens' or "
                    f"'87,599 questions', not {amount!r:.80}"
                )


def _check_date(metadata: Metadata, where: str) -> None:
    try:
        date.fromisoformat(metadata.date or "2026-01-01")
    except ValueError as error:
        raise ConfigError(
            f"{where} date must be a date such as 2026-11-25, not {metadata.date!r:.80}"
        ) from error
