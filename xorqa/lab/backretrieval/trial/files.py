"""The files of a blind trial: a table and a page for the judge, and the key, kept apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from ....core.errors import DataError
from ....core.progress import quantity
from ....io.files import csv_text, digest, quote_cell, read_object
from ....io.strict_json import as_text, as_texts
from ...building.read import read_rows
from ...common.page import html_page
from ..captions.caption import Caption, exists
from ..images.picture import BrokenPictureError, data_uri
from .draw import Shown

COLUMNS = ("id", "trial", "query", "suggestion", "score")
SCALE = ("very relevant", "relevant", "somewhat relevant", "not relevant")
"""The scores 1 to 4; Fain et al. 2021 name the first and the last."""
_SIDE = 160  # pixels of a picture
_ASK = (
    "Score each suggestion in the column score of judgements.csv: 1 (very relevant), 2 (relevant), "
    "3 (somewhat relevant) or 4 (not relevant). The order is random."
)
_PLACE = "abcdefghijklmnopqrstuvwxyz"
Captions = Sequence[Caption]


@dataclass(frozen=True, slots=True)
class Key:
    """Which encoders suggest each item of a trial; ids are `12c`, the third of query 12."""

    trial: str
    encoders: tuple[str, ...]
    by: Mapping[str, tuple[str, ...]]


def item_ids(shown: Sequence[Shown]) -> Iterator[tuple[str, int, int]]:
    """The id of each item, and the indices of its query and of its suggestion."""
    for number, one in enumerate(shown, 1):
        for place, suggestion in enumerate(one.suggestions):
            letter = _PLACE[place] if place < len(_PLACE) else f"-{place + 1}"
            yield f"{number}{letter}", one.query, suggestion.target


def key_json(shown: Sequence[Shown], sides: tuple[Captions, Captions], **about: Any) -> Any:
    """The key as JSON; `about` has the encoders, the seed and the data."""
    source, target = sides
    items: dict[str, dict[str, Any]] = {
        name: {"query": source[query].id, "suggestion": target[index].id}
        for name, query, index in item_ids(shown)
    }
    every = [suggestion for one in shown for suggestion in one.suggestions]
    for item, suggestion in zip(items.values(), every, strict=True):
        item["by"] = [*suggestion.by]
    return {"trial": digest(about, items)[:8], **about, "items": items}


def judgements_csv(shown: Sequence[Shown], sides: tuple[Captions, Captions], trial: str) -> str:
    """The table that the judge fills in."""
    source, target = sides
    rows = [
        (name, trial, quote_cell(_text(source[query])), quote_cell(_text(target[index])), "")
        for name, query, index in item_ids(shown)
    ]
    return csv_text([COLUMNS, *rows])


def trial_page(
    shown: Sequence[Shown], sides: tuple[Captions, Captions], langs: tuple[str, str], trial: str
) -> tuple[str, int]:
    """The page with texts and pictures, and the number of texts shown without a picture."""
    source, target = sides
    picture, missing, last = cache(_picture), 0, -1
    parts = [f"<p>{escape(_ASK)} Trial {trial}.</p>\n"]
    for name, query, index in item_ids(shown):
        cells = [("", langs[0], source[query])] if query != last else []
        cells.append((name, langs[1], target[index]))
        for label, lang, caption in cells:
            # as in `Caption`: a source text has its first picture, a target text its last
            paths = caption.images[:1] if not label else caption.images[-1:]
            drawn = picture(paths)
            missing += not drawn
            text = f'<bdi lang="{escape(lang)}">{escape(_text(caption))}</bdi>'
            tag = "p" if label else "h2"
            parts.append(f"<{tag}>{escape(label)} {drawn} {text}</{tag}>\n")
        last = query
    title = f"Blind trial, {langs[0]} to {langs[1]}"
    head = Path(__file__).parents[1] / "report.html"
    return html_page(title, "".join(parts), head=head), missing


def read_key(path: Path) -> Key:
    """Read the key of a trial.

    Raises:
        DataError: if it is not one.
    """
    value = read_object(path)
    try:
        by = {as_text(name): as_texts(item["by"]) for name, item in value["items"].items()}
        key = Key(as_text(value["trial"]), as_texts(value["encoders"]), by)
    except (KeyError, TypeError, AttributeError) as error:
        raise DataError(f"{path} is not the key of a blind trial ({error!r:.80})") from error
    if not by or not all(names and {*names} <= {*key.encoders} for names in by.values()):
        raise DataError(f"{path} is not the key of a blind trial: items of unknown encoders")
    return key


def read_judgements(path: Path, key: Key) -> dict[str, int]:
    """Read the scores of a filled-in table by item; items without a score are left out.

    Raises:
        DataError: naming the row with another score than 1 to 4, of another trial, or with an
            unknown or repeated item; or if no item has a score.
    """
    scores: dict[str, int] = {}
    seen = set()
    for row in read_rows(path):
        where = f"{path}, {row.where}"
        name, score = row.cells.get("id", ""), row.cells.get("score", "")
        if row.broken:
            raise DataError(f"{where}: {row.broken}")
        if row.cells.get("trial") != key.trial:
            other = row.cells.get("trial") or "none"
            raise DataError(f"{where}: trial {other}, but the key is that of trial {key.trial}")
        if name not in key.by or name in seen:
            problem = "occurs twice" if name in seen else "is not in the key"
            raise DataError(f"{where}: item '{name}' {problem}")
        seen.add(name)
        if score and score not in ("1", "2", "3", "4"):
            raise DataError(f"{where}: score '{score:.20}' is not 1, 2, 3 or 4")
        if score:
            scores[name] = int(score)
    if not scores:
        raise DataError(f"{path} has no score in {quantity(len(seen), 'row')}")
    return scores


def _text(caption: Caption) -> str:
    return f"{caption.text}\n{caption.body}" if caption.body else caption.text


def _picture(paths: tuple[Path, ...]) -> str:
    """The picture as a tag; "" if there is none or it is broken."""
    try:
        return "".join(
            f'<img src="{data_uri(path, _SIDE)}" alt="">' for path in paths if exists(path)
        )
    except BrokenPictureError:
        return ""
