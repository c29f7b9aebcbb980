"""Write a leaderboard as a static site: one page, its script and styles, CSV, JSON, diagnoses."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ...core.errors import ConfigError, DataError, XorqaError
from ...core.lang import ISO_639_1
from ...core.progress import TaskProgress, silent
from ...datasets.catalog import CATALOG
from ...experiments.run_folder import MANIFEST, RunFolder
from ...io.files import read_json, write_json, write_text
from ...metrics.task import OFFICIAL, SCORERS
from ...tables.grid import MISSING, Grid
from ...tables.render import render
from ..common.page import INTERACTIVE, linked_page, shared_file
from ..diagnosis.diagnosis import diagnose_data
from ..diagnosis.from_runs import read_run_folders
from ..diagnosis.joined import join_pages
from ..diagnosis.page import diagnosis_page, page_data, page_of
from ..diagnosis.page_data import PageData, read_page
from .boards import BOARDS, Board
from .entries import Rejected, System
from .leaderboard import Leaderboard, to_csv, to_json
from .ranking import Row as BoardRow
from .result import MEAN

TITLE = "Leaderboard"
STYLE, SCRIPT = "leaderboard.css", "leaderboard.js"
OWN_DIAGNOSIS = "diagnosis.html"
"""A page of `xorqa diagnose --html` in a system's folder, which is made again from its data."""
DIAGNOSES = "diagnosis"
"""The folder of the site with the pages of diagnoses."""
PAIRS = f"{DIAGNOSES}/pairs"
"""The folder with the pages of several systems."""


def check_place(folder: Path, site: Path) -> None:
    """Check that the site is outside the folder of systems.

    Raises:
        ConfigError: if not, since the next call would read it as a system.
    """
    if site.resolve().is_relative_to(folder.resolve()):
        raise ConfigError(f"--out {site} is inside {folder}; name a folder outside it")


@dataclass(frozen=True, slots=True)
class Pages:
    """Addresses in the site: of a system's diagnosis, and of the page that compares it with others.

    `missing` has why there is no page, or no feature on one.
    """

    single: Mapping[str, str] = field(default_factory=dict)
    pairs: Mapping[str, str] = field(default_factory=dict)
    missing: Sequence[str] = ()


def diagnose_systems(
    systems: Sequence[System], site: Path, *, progress: TaskProgress = silent
) -> Pages:
    """Write the diagnosis page of each run folder, or of the page beside other results.

    Systems over the same questions also have a page together, which compares any two of them.
    """
    single: dict[str, str] = {}
    read: dict[str, PageData] = {}
    missing: list[str] = []
    for done, system in enumerate(systems):
        progress("diagnoses", done, len(systems))
        if system.folder is None:
            continue
        try:
            page = _diagnosis(system)
            if page is not None:
                text, read[system.name] = page
                write_text(site / DIAGNOSES / f"{system.name}.html", text)
                single[system.name] = f"{DIAGNOSES}/{quote(system.name)}.html"
        except (XorqaError, OSError) as error:
            missing.append(f"{system.name}: no diagnosis, since {error}")
    progress("diagnoses", len(systems), len(systems))
    pairs: dict[str, str] = {}
    for number, joined in enumerate(join_pages(read), 1):
        address = f"{PAIRS}/{number}.html"
        write_text(site / address, page_of(joined.data, title=", ".join(joined.systems)))
        pairs |= dict.fromkeys(joined.systems, address)
        missing += [
            f"{address}: no {feature}, whose buckets differ between {', '.join(joined.systems)}"
            for feature in joined.left_out
        ]
    return Pages(single, pairs, missing)


def write_site(leaderboard: Leaderboard, site: Path, pages: Pages | None = None) -> None:
    """Write the page, `leaderboard.csv` and `leaderboard.json`, and the page's files.

    Diagnosis pages of earlier builds, other than `pages`, are removed.
    """
    pages = pages or Pages()
    for folder in (DIAGNOSES, PAIRS):
        for old in (site / folder).glob("*.html"):
            if f"{folder}/{quote(old.name)}" not in {*pages.single.values(), *pages.pairs.values()}:
                old.unlink()
    values = to_json(leaderboard, pages.single, pages.pairs)
    for name in ("page.css", *INTERACTIVE):
        write_text(site / name, shared_file(name))
    for name in (STYLE, SCRIPT):
        write_text(site / name, Path(__file__).with_name(name).read_text(encoding="utf-8"))
    write_text(site / "leaderboard.csv", to_csv(leaderboard))
    write_json(site / "leaderboard.json", values)
    write_text(site / "index.html", page(leaderboard, values))


def page(leaderboard: Leaderboard, values: Mapping[str, Any]) -> str:
    """The page; its script builds the table of a task, and without it there are plain tables."""
    controls = Path(__file__).with_name("controls.html").read_text(encoding="utf-8")
    plain = "".join(render(grid, "html") for grid in grids(leaderboard))
    plain = plain or "<p>No system is ranked.</p>\n"
    data = json.dumps(values, ensure_ascii=False).replace("<", "\\u003c")
    body = (
        f"<main>\n{controls}<noscript>\n{plain}</noscript>\n{_rejected(leaderboard.rejected)}</main>\n"
        f'<script type="application/json" id="data">{data}</script>\n'
    )
    styles = ("page.css", "interactive.css", STYLE)
    return linked_page(TITLE, body, styles=styles, scripts=("interactive.js", SCRIPT))


def grids(leaderboard: Leaderboard) -> list[Grid]:
    """A table of each board: the means of the official and the strict scorer."""
    return [
        _grid(BOARDS[name], rows, leaderboard.lang) for name, rows in leaderboard.boards.items()
    ]


def _grid(board: Board, rows: Sequence[BoardRow], lang: str) -> Grid:
    scorers = [scorer for scorer in SCORERS if any(scorer in row.result.values for row in rows)]
    columns = [(measure, scorer) for measure in board.measures for scorer in scorers]
    names = [
        measure.display_name + ("" if scorer == OFFICIAL else f" {scorer}")
        for measure, scorer in columns
    ]
    cells = tuple(
        (
            row.result.group if lang == MEAN else row.result.data,
            str(row.rank or MISSING),
            row.system.metadata.model,
            *(_score(row, measure.name, scorer, lang) for measure, scorer in columns),
        )
        for row in rows
    )
    better = "higher" if board.higher_is_better else "lower"
    what = "Means over languages" if lang == MEAN else f"Values in {ISO_639_1[lang].name}"
    caption = f"{what}, in percent; {better} is better."
    header = ("questions", "rank", "model", *names)
    return Grid(board.title, header, (cells,), caption, labels=3, fixed=True)


def _score(row: BoardRow, measure: str, scorer: str, lang: str) -> str:
    value = row.result.values.get(scorer, {}).get(lang, {}).get(measure)
    return MISSING if value is None else f"{value:.1f}"


def _rejected(rows: Sequence[Rejected]) -> str:
    if not rows:
        return ""
    items = "".join(
        f"<li><strong>{escape(row.model or row.name)}</strong> ({escape(row.name)}): "
        f"{escape('; '.join(row.reasons))}</li>\n"
        for row in rows
    )
    return f"<h2>Not ranked</h2>\n<p>These failed a check.</p>\n<ul>\n{items}</ul>\n"


def _diagnosis(system: System) -> tuple[str, PageData] | None:
    """The page of a system, whose name is that of its folder, and its data; None without one."""
    folder = system.folder or Path()
    if system.is_run:
        name = str(read_json(folder / MANIFEST).get("dataset"))
        if name not in CATALOG and not RunFolder(folder).keeps_data:
            raise DataError(f"'{name}' is not a data set of xorqa, and the run does not keep it")
        data = read_run_folders([folder])
        [outcomes] = data.systems.values()
        diagnosis = diagnose_data(replace(data, systems={system.name: outcomes}))
        return diagnosis_page(diagnosis), page_data(diagnosis)
    path = folder / OWN_DIAGNOSIS
    if not path.is_file():
        return None
    page = read_page(path)
    return page_of(page, title=system.name), page
