"""Charts as SVG: curves in panels side by side, and heat maps of tables of numbers."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape

Points = Sequence[tuple[float, float]]
"""Both coordinates from 0 to 1, from left to right."""

_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000")  # of Okabe and Ito
_DASHES = ("", "8 4", "2 3", "8 3 2 3")  # so that curves differ without colours, too
_SIDE, _LEFT, _TOP, _GAP = 260, 70, 74, 56  # pixels
_LINE = 22
_LETTER_WIDTH = 7  # pixels, roughly
_END = ' text-anchor="end"'

Colour = tuple[int, int, int]
"""Red, green and blue from 0 to 255."""

_LIGHT: Colour = (247, 251, 255)
_DARK: Colour = (8, 48, 107)
_EMPTY: Colour = (217, 217, 217)
_ROW_HEIGHT = 30


def curves(
    title: str,
    panels: Mapping[str, Mapping[str, Points]],
    *,
    axes: tuple[str, str],
    marks: Mapping[str, Mapping[str, tuple[float, float]]] | None = None,
    note: str = "",
) -> str:
    """Draw an SVG with a square panel per name, and the same named curves in each.

    Args:
        title: the title above the panels.
        panels: panel to curve to points.
        axes: the labels of the horizontal and the vertical axis; both go from 0 to 100 %.
        marks: panel to curve to a point that gets a circle.
        note: a line below the legend.
    """
    names = list(dict.fromkeys(name for lines in panels.values() for name in lines))
    width = _LEFT + (_SIDE + _GAP) * len(panels)
    bottom = _TOP + _SIDE
    parts = [_text(10, 20, title, ' text-anchor="start" font-weight="bold"')]
    for position, (panel, lines) in enumerate(panels.items()):
        left = _LEFT + (_SIDE + _GAP) * position
        parts += _frame(left, panel, axes, first=position == 0)
        for name, points in lines.items():
            parts.append(_curve(left, names.index(name), points))
            if mark := (marks or {}).get(panel, {}).get(name):
                parts.append(_mark(left, names.index(name), mark))
    for number, name in enumerate(names):
        y = bottom + 66 + _LINE * number
        parts.append(f'<path d="M{_LEFT} {y}h34" {_stroke(number)}/>\n')
        parts.append(_text(_LEFT + 44, y, name, ' text-anchor="start"'))
    below = bottom + 66 + _LINE * len(names)
    parts += [_text(_LEFT, below, note, ' text-anchor="start"')] if note else []
    longest = max(map(len, (title, note, *names)))
    width, height = max(width, _LEFT + 44 + _LETTER_WIDTH * longest), below + 14
    return _svg(title, width, height, parts)


def _frame(left: int, panel: str, axes: tuple[str, str], *, first: bool) -> list[str]:
    """A panel's name, axes and ticks; the vertical axis is labelled in the first panel."""
    bottom, middle = _TOP + _SIDE, _TOP + _SIDE / 2
    across, down = axes
    ticks = [
        part
        for share in (0.0, 0.5, 1.0)
        for part in (
            _text(*_place(left, (share, 0.0), down=16), f"{100 * share:.0f}"),
            _text(*_place(left, (0.0, share), right=-8), f"{100 * share:.0f}", _END),
        )
    ]
    label = _text(18, middle, down, f' transform="rotate(-90 18 {middle:g})"')
    return [
        _text(left + _SIDE / 2, _TOP - 22, panel),
        f'<path d="M{left} {_TOP}V{bottom}H{left + _SIDE}" fill="none" stroke="#525252"/>\n',
        *ticks,
        _text(left + _SIDE / 2, bottom + 38, across),
        *([label] if first else []),
    ]


def _curve(left: int, number: int, points: Points) -> str:
    places = (_place(left, point) for point in points)
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    return f'<path d="M{path}" {_stroke(number)}/>\n' if path else ""


def _mark(left: int, number: int, point: tuple[float, float]) -> str:
    x, y = _place(left, point)
    colour = _COLOURS[number % len(_COLOURS)]
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{colour}" stroke="#ffffff"/>\n'


def _place(
    left: int, point: tuple[float, float], *, right: float = 0.0, down: float = 0.0
) -> tuple[float, float]:
    x, y = point
    return left + _SIDE * x + right, _TOP + _SIDE * (1 - y) + down


def _stroke(number: int) -> str:
    dash = _DASHES[number % len(_DASHES)]
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return f'fill="none" stroke="{_COLOURS[number % len(_COLOURS)]}" stroke-width="2"{dashed}'


def _text(x: float, y: float, text: str, attributes: str = "") -> str:
    """A line of text; `y` is its vertical middle."""
    return f'<text x="{x:g}" y="{y:g}" dy="0.35em"{attributes}>{escape(text)}</text>\n'


def _svg(title: str, width: float, height: float, parts: Iterable[str]) -> str:
    """A drawing on a white ground, with its title for screen readers."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" font-family="sans-serif" font-size="13" '
        f'text-anchor="middle">\n<title>{escape(title)}</title>\n'
        f'<rect width="100%" height="100%" fill="#ffffff"/>\n{"".join(parts)}</svg>\n'
    )


def heatmap(
    title: str,
    rows: Sequence[str],
    columns: Sequence[str],
    values: Sequence[Sequence[float | None]],
    *,
    axes: tuple[str, str],
) -> str:
    """Draw an SVG with a cell per value, written with one decimal; higher values are darker.

    Args:
        title: the title above the table.
        rows, columns: their names.
        values: (rows, columns); None is an empty grey cell.
        axes: the labels of rows and columns.
    """
    row_label, column_label = axes
    column = max(52, _LETTER_WIDTH * max(map(len, columns), default=0) + 8)
    left, top = 40 + _LETTER_WIDTH * max(map(len, rows), default=0), 78
    across = max(column * len(columns), _LETTER_WIDTH * len(column_label))
    down = max(_ROW_HEIGHT * len(rows), _LETTER_WIDTH * len(row_label))
    width, height = max(left + across, _LETTER_WIDTH * len(title)) + 16, top + down + 10
    middle = top + down / 2
    parts = [
        _text(10, 20, title, ' text-anchor="start" font-weight="bold"'),
        _text(left + across / 2, 46, column_label),
        _text(16, middle, row_label, f' transform="rotate(-90 16 {middle:g})"'),
        *(
            _text(left + column * (position + 0.5), 68, name)
            for position, name in enumerate(columns)
        ),
        *(
            _text(left - 8, top + _ROW_HEIGHT * (position + 0.5), name, ' text-anchor="end"')
            for position, name in enumerate(rows)
        ),
        *_cells(values, left, top, column),
    ]
    return _svg(title, width, height, parts)


def colours(share: float | None) -> tuple[Colour, Colour]:
    """The background and text colours of a cell, by its value from lowest (0) to highest (1).

    The text is black or white, whichever has more contrast (WCAG 2.1, at least 4.5 to 1).
    """
    if share is None:
        return _EMPTY, (0, 0, 0)
    red, green, blue = (round(a + share * (b - a)) for a, b in zip(_LIGHT, _DARK, strict=True))
    dark = (luminance((red, green, blue)) + 0.05) ** 2 < 1.05 * 0.05
    return (red, green, blue), (255, 255, 255) if dark else (0, 0, 0)


def luminance(colour: Colour) -> float:
    """Relative luminance from 0 (black) to 1 (white), as WCAG 2.1 defines it."""
    shares = [value / 255 for value in colour]
    linear = [s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _cells(values: Sequence[Sequence[float | None]], left: int, top: int, width: int) -> list[str]:
    numbers = [value for row in values for value in row if value is not None]
    low = min(numbers, default=0.0)
    extent = max(numbers, default=0.0) - low
    parts = []
    for down, row in enumerate(values):
        for across, value in enumerate(row):
            x, y = left + width * across, top + _ROW_HEIGHT * down
            share = None if value is None else (value - low) / extent if extent else 0.0
            fill, ink = (f"#{r:02x}{g:02x}{b:02x}" for r, g, b in colours(share))
            parts.append(
                f'<rect x="{x}" y="{y}" width="{width}" height="{_ROW_HEIGHT}" fill="{fill}"/>\n'
            )
            if value is not None:
                number = f"{value:.1f}"
                parts.append(_text(x + width / 2, y + _ROW_HEIGHT / 2, number, f' fill="{ink}"'))
    return parts
