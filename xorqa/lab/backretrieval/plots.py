"""The scatter plots and box plots of the HTML pages, as SVG; a style sheet sets their colours."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape

from .all_pairs import Pair, Spread
from .evaluate import Results, best_first

_WIDTH, _HEIGHT = 420, 320
_ROW = 46  # of a box with the names of pairs above it
_LEFT, _RIGHT, _TOP, _BOTTOM = 60, 390, 24, 260  # of the points


def scatter(results: Results, measure: str) -> str:
    """A plot of a measure against XLR, with a numbered point per encoder, best BkR first."""
    names = best_first(results)
    rows = [results.values[name] for name in names]
    xs, ys = ([100 * float(row[key].mean()) for row in rows] for key in ("XLR", measure))
    middle = (_TOP + _BOTTOM) / 2
    parts = [
        f'<path d="M46 10V{_BOTTOM + 14}H{_WIDTH - 10}"/>\n',
        _text((_LEFT + _RIGHT) / 2, _HEIGHT - 10, "XLR, %"),
        f'<g transform="rotate(-90 14 {middle})">{_text(14, middle, f"{measure}, %")}</g>\n',
        *(_text(x, _BOTTOM + 32, f"{v:.0f}") for x, v in ((_LEFT, min(xs)), (_RIGHT, max(xs)))),
        *(_text(30, y + 5, f"{v:.0f}") for y, v in ((_BOTTOM, min(ys)), (_TOP, max(ys)))),
    ]
    for number, (name, x, y) in enumerate(zip(names, xs, ys, strict=True), 1):
        across, down = _scaled(x, xs, _LEFT, _RIGHT), _scaled(y, ys, _BOTTOM, _TOP)
        label = f"{name}: XLR {x:.1f}, {measure} {y:.1f}"
        parts.append(
            f'<g><title>{escape(label)}</title><circle cx="{across:.1f}" cy="{down:.1f}" r="5"/>'
            f"{_text(across, down - 9, str(number))}</g>\n"
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        f'width="{_WIDTH}" role="img">\n<title>{measure} against XLR</title>\n'
        f"{''.join(parts)}</svg>\n"
    )


def _text(x: float, y: float, text: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>\n'


def _scaled(value: float, values: Sequence[float], low: float, high: float) -> float:
    extent = max(values) - min(values)
    return low + (value - min(values)) / extent * (high - low) if extent else (low + high) / 2


def box_plot(spreads: Mapping[str, Spread], title: str, chance: float) -> str:
    """Boxes of shares: least value, quartiles and greatest value; a dashed line at chance.

    Each pair of languages is a point with its name; those of the least and the greatest value are
    written beside it (Backretrieval's figure 3 names three pairs).
    """
    top, low, high = 50, 180, _WIDTH + 180
    height = top + _ROW * len(spreads) + 30
    most = max([chance, *(spread.quartiles[-1] for spread in spreads.values())])

    def x(value: float) -> float:
        return low + value / most * (high - low - 40) if most else low

    parts = [_text((low + high) / 2, 16, f"{title}, x 1000")]
    for row, (name, spread) in enumerate(spreads.items()):
        y = top + _ROW * row
        least, first, median, third, greatest = map(x, spread.quartiles)
        label = " / ".join(f"{1000 * value:.1f}" for value in spread.quartiles)
        parts.append(
            f'<g><title>{escape(name)}: {label}</title><text x="{low - 10}" y="{y + 5}" '
            f'style="text-anchor: end">{escape(name[-26:])}</text>'
            f'<path d="M{least:.1f} {y}H{first:.1f}M{third:.1f} {y}H{greatest:.1f}'
            f'M{median:.1f} {y - 9}v18" style="stroke: currentColor"/>'
            f'<rect x="{first:.1f}" y="{y - 9}" width="{third - first:.1f}" height="18"/>'
            "</g>\n"
        )
        ordered = sorted(spread.by_pair, key=spread.by_pair.__getitem__)
        parts += [_point(pair, spread.by_pair[pair], x, y) for pair in ordered]
        ends = dict.fromkeys((ordered[0], ordered[-1]))
        parts += [_text(x(spread.by_pair[pair]), y - 13, "-".join(pair)) for pair in ends]
    parts.append(
        f'<path d="M{x(chance):.1f} {top - 26}V{height - 24}" stroke-dasharray="4 4"/>\n'
        + _text(x(chance), height - 8, f"random {1000 * chance:.1f}")
        + _text(x(most), height - 8, f"{1000 * most:.1f}")
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {high} {height}" '
        f'width="{high}" role="img">\n<title>{escape(title)}</title>\n{"".join(parts)}</svg>\n'
    )


def _point(pair: Pair, value: float, x: Callable[[float], float], y: float) -> str:
    return (
        f"<g><title>{'-'.join(pair)}: {1000 * value:.1f}</title>"
        f'<circle cx="{x(value):.1f}" cy="{y}" r="3"/></g>\n'
    )
