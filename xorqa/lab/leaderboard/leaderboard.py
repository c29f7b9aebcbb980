"""A leaderboard as plain values: for its page, its JSON and its CSV."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ...core.lang import ISO_639_1
from ...io.files import csv_text, quote_cell
from ...metrics.significance import DEFAULTS, Settings
from ...metrics.task import SCORERS
from .averages import with_averages
from .boards import BOARDS, Board
from .entries import Rejected, System, by_board
from .language_groups import family, size_class
from .metadata import Metadata, public_values
from .ranking import Row, language_ranks, ranked
from .result import MEAN

_RANKING = ("above", "difference", "p_corrected", "to_english", "to_human")
"""Columns of the line with the value that ranks a row."""
_COLUMNS = (
    *("board", "questions", "rank", "system", "published", "table", "table_notes"),
    *("scorer", "language", "metric", "value"),
    *_RANKING,
    *public_values(Metadata(model="")),
)


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """The ranked rows of each board that has any, and the systems that are not ranked.

    `settings` are those of the tests against the row above; `lang` is the language that rows are
    ranked by, or `MEAN`.
    """

    boards: Mapping[str, Sequence[Row]]
    rejected: Sequence[Rejected]
    settings: Settings
    lang: str = MEAN


def make_leaderboard(
    systems: Sequence[System],
    rejected: Sequence[Rejected] = (),
    settings: Settings = DEFAULTS,
    lang: str = MEAN,
) -> Leaderboard:
    """Rank systems on every board on which they have results, by their means or by a language."""
    rows = by_board([with_averages(system) for system in systems])
    boards = {name: ranked(rows[name], settings, lang) for name in BOARDS if name in rows}
    boards = {name: board for name, board in boards.items() if board}
    return Leaderboard(boards, rejected, settings, lang)


def to_json(
    leaderboard: Leaderboard,
    pages: Mapping[str, str] | None = None,
    pairs: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """The leaderboard as JSON values.

    `pages` maps systems to their diagnosis pages, `pairs` to those that compare several.
    """
    links = pages or {}, pairs or {}
    langs = sorted({lang for rows in leaderboard.boards.values() for lang in _langs(rows)})
    return {
        "boards": [_board(BOARDS[name], rows, *links) for name, rows in leaderboard.boards.items()],
        "not_ranked": list(map(asdict, leaderboard.rejected)),
        "languages": {
            lang: {
                "name": ISO_639_1[lang].name if lang in ISO_639_1 else lang,
                "family": family(lang),
                "size": size_class(lang),
            }
            for lang in langs
        },
        "settings": asdict(leaderboard.settings),
        "ranked_by": leaderboard.lang,
    }


def to_csv(leaderboard: Leaderboard) -> str:
    """A line per row, scorer, language and measure, with the metadata repeated in each."""
    rows = (
        [_cell(values[name]) for name in _COLUMNS]
        for board, rows in leaderboard.boards.items()
        for row in rows
        for values in _csv_rows(board, row, leaderboard.lang)
    )
    return csv_text([_COLUMNS, *rows])


def _langs(rows: Sequence[Row]) -> list[str]:
    """The languages of a board's values, in the order of their codes."""
    keys = {key for row in rows for by_lang in row.result.values.values() for key in by_lang}
    return sorted(keys - {MEAN})


def _board(
    board: Board, rows: Sequence[Row], pages: Mapping[str, str], pairs: Mapping[str, str]
) -> dict[str, Any]:
    return {
        "name": board.name,
        "title": board.title,
        "lower_is_better": not board.higher_is_better,
        "metrics": [{"name": row.name, "label": row.display_name} for row in board.measures],
        "scorers": [
            scorer for scorer in SCORERS if any(scorer in row.result.values for row in rows)
        ],
        "languages": _langs(rows),
        "rows": [
            _row(row, pages, pairs) | {"ranks": ranks}
            for row, ranks in zip(rows, language_ranks(rows), strict=True)
        ],
    }


def _row(row: Row, pages: Mapping[str, str], pairs: Mapping[str, str]) -> dict[str, Any]:
    system, result = row.system, row.result
    return {
        "rank": row.rank,
        "system": system.name,
        "published": system.published,
        "human": system.human,
        "table": result.table,
        "notes": result.notes,
        "to_english": row.to_english,
        "to_human": row.to_human,
        "questions": result.group,
        "data": result.data,
        "n": dict(result.n),
        "values": {scorer: dict(values) for scorer, values in result.values.items()},
        "test": asdict(row.test) if row.test else None,
        "untested": row.untested,
        "diagnosis": pages.get(system.name, ""),
        "pairs": pairs.get(system.name, ""),
        "metadata": public_values(system.metadata),
    }


def _csv_rows(board: str, row: Row, ranked_by: str) -> list[dict[str, Any]]:
    system, result = row.system, row.result
    place = {
        "board": board,
        "questions": result.group,
        "rank": row.rank,
        "system": system.name,
        "published": system.published,
        "table": result.table,
        "table_notes": result.notes,
    }
    test = row.test
    ranking = {
        "above": test.above if test else "",
        "difference": test.difference if test else "",
        "p_corrected": test.p_corrected if test else "",
        "to_english": row.to_english,
        "to_human": row.to_human,
    }
    empty = dict.fromkeys(_RANKING, "")
    return [
        {
            **place,
            "scorer": scorer,
            "language": lang,
            "metric": measure,
            "value": value,
            **(ranking if (lang, measure) == (ranked_by, result.board.main) else empty),
            **public_values(system.metadata),
        }
        for scorer, values in result.values.items()
        for lang, by_measure in values.items()
        for measure, value in by_measure.items()
    ]


def _cell(value: object) -> str:
    if isinstance(value, list):
        return quote_cell("; ".join(map(str, value)))
    return "" if value is None else quote_cell(str(value))
