"""Two SVG plots for the HTML report, whose style sheet sets their colours."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from ...models.transforms import Key

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SIDE = 1000
_EDGE = 30  # around the points
_BAR = 400
_MARKERS = {"query": "m-9 0h18m-9-9v18", "passage": "h0"}  # a cross, a dot
_SIDES = {"query": "questions", "passage": "candidates"}


def scatter(
    title: str, points: Mapping[Key, NDArray[np.float64]], *, name: Callable[[str], str] = str
) -> str:
    """Plot points (n, 2), with a colour per language and a marker per side.

    Each axis goes from 0, the lowest value, to 1, the highest, as in Figure 5 of Roy et al. 2020.
    """
    rows = np.concatenate([*points.values()])
    low, high = rows.min(axis=0), rows.max(axis=0)
    spread = np.where(high > low, high - low, 1.0)
    langs = list(dict.fromkeys(lang for lang, _ in points))
    corners = ((_EDGE, _SIDE - 2, "0"), (_SIDE - _EDGE, _SIDE - 2, "1"), (2, _EDGE, "1"))
    parts = [f'<text class="axis" x="{x}" y="{y}">{text}</text>\n' for x, y, text in corners]
    for position, ((lang, side), group) in enumerate(points.items()):
        shares = (group - low) / spread * (1, -1) + (0, 1)
        pixels = np.rint(shares * (_SIDE - 2 * _EDGE) + _EDGE).astype(int)
        style = f"{side} c{langs.index(lang)}"
        legend = _SIDE + 40 + 44 * position
        path = "".join(f"M{x} {y}{_MARKERS[side]}" for x, y in pixels.tolist())
        parts += [
            f'<path class="{style}" d="{path}"/>\n',
            f'<path class="{style}" d="M30 {legend - 10}{_MARKERS[side]}"/>\n',
            f'<text x="56" y="{legend}">{escape(name(lang))}, {_SIDES[side]}</text>\n',
        ]
    height = _SIDE + 60 + 44 * len(points)
    return _svg("scatter", title, _SIDE, height, 360, "".join(parts))


def bars(
    title: str, shares: Mapping[str, Mapping[str, float]], *, name: Callable[[str], str] = str
) -> str:
    """Plot a bar per question language, divided by candidate language, its own first.

    Args:
        title: the title of the plot.
        shares: question language to candidate language to share, as in `Measures.top`.
        name: returns the display name of a language.
    """
    parts = []
    for position, (question_lang, row) in enumerate(shares.items()):
        y, x = 24 * position + 4, 96.0
        parts.append(
            f'<text class="label" x="90" y="{y + 13}">{escape(name(question_lang))}</text>\n'
        )
        others = [lang for lang in row if lang != question_lang]
        for number, lang in enumerate([question_lang, *others]):
            style = "own" if lang == question_lang else f"other{number % 2}"
            width = _BAR * row.get(lang, 0.0)
            label = f"{name(lang)}: {100 * row.get(lang, 0.0):.1f} %"
            parts.append(
                f'<rect class="{style}" x="{x:.1f}" y="{y}" width="{width:.1f}" height="18">'
                f"<title>{escape(label)}</title></rect>\n"
            )
            x += width
        share = f"{100 * row.get(question_lang, 0.0):.1f} %"
        parts.append(f'<text x="{102 + _BAR}" y="{y + 13}">{share}</text>\n')
    return _svg("bars", title, _BAR + 156, 24 * len(shares) + 4, _BAR + 156, "".join(parts))


def _svg(kind: str, title: str, width: int, height: int, shown: int, body: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{kind}" viewBox="0 0 {width} {height}" '
        f'width="{shown}" role="img">\n<title>{escape(title)}</title>\n{body}</svg>\n'
    )
