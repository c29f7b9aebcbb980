"""Two pictures as SVG for the report's page, whose style gives them their colours."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from ...models.transforms import Key

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST = 400  # points of one kind; more only cover each other
_SIDE = 1000
_BAR = 400
_MARKS = {"query": "m-9 0h18m-9-9v18", "passage": "h0"}  # a cross, a dot
_SIDES = {"query": "questions", "passage": "candidates"}


def scatter(
    title: str, points: Mapping[Key, NDArray[np.float64]], *, name: Callable[[str], str] = str
) -> str:
    """Points (n, 2) by language and side: a colour a language, a mark a side.

    Both axes have one scale. Of more than `MOST` of a kind only some, evenly chosen, are shown.
    """
    rows = np.concatenate([*points.values()])
    low, high = rows.min(axis=0), rows.max(axis=0)
    scale = (_SIDE - 60) / (float((high - low).max()) or 1.0)
    langs = list(dict.fromkeys(lang for lang, _ in points))
    parts = []
    for at, ((lang, side), some) in enumerate(points.items()):
        shown = some[np.linspace(0, len(some) - 1, min(len(some), MOST)).astype(int)]
        placed = np.rint((shown - (low + high) / 2) * (scale, -scale) + _SIDE / 2).astype(int)
        style = f"{side} c{langs.index(lang)}"
        legend = _SIDE + 40 + 44 * at
        path = "".join(f"M{x} {y}{_MARKS[side]}" for x, y in placed.tolist())
        parts += [
            f'<path class="{style}" d="{path}"/>\n',
            f'<path class="{style}" d="M30 {legend - 10}{_MARKS[side]}"/>\n',
            f'<text x="56" y="{legend}">{escape(name(lang))}, {_SIDES[side]}</text>\n',
        ]
    height = _SIDE + 60 + 44 * len(points)
    return _svg("scatter", title, _SIDE, height, 360, "".join(parts))


def bars(
    title: str, shares: Mapping[str, Mapping[str, float]], *, name: Callable[[str], str] = str
) -> str:
    """A bar for each question language, divided by candidate language, its own coming first.

    Args:
        title: what the picture shows.
        shares: question language to candidate language to share, as `Measures.top` has them.
        name: writes a language.
    """
    parts = []
    for at, (asked, row) in enumerate(shares.items()):
        y, x = 24 * at + 4, 96.0
        parts.append(f'<text class="label" x="90" y="{y + 13}">{escape(name(asked))}</text>\n')
        others = [lang for lang in row if lang != asked]
        for number, lang in enumerate([asked, *others]):
            style = "own" if lang == asked else f"other{number % 2}"
            width = _BAR * row.get(lang, 0.0)
            told = f"{name(lang)}: {100 * row.get(lang, 0.0):.1f} %"
            parts.append(
                f'<rect class="{style}" x="{x:.1f}" y="{y}" width="{width:.1f}" height="18">'
                f"<title>{escape(told)}</title></rect>\n"
            )
            x += width
        share = f"{100 * row.get(asked, 0.0):.1f} %"
        parts.append(f'<text x="{102 + _BAR}" y="{y + 13}">{share}</text>\n')
    return _svg("bars", title, _BAR + 156, 24 * len(shares) + 4, _BAR + 156, "".join(parts))


def _svg(kind: str, title: str, width: int, height: int, shown: int, body: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{kind}" viewBox="0 0 {width} {height}" '
        f'width="{shown}" role="img">\n<title>{escape(title)}</title>\n{body}</svg>\n'
    )
