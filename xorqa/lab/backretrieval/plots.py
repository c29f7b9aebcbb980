"""The scatter plots and box plots of the HTML pages, as SVG; a style sheet sets their colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from .evaluate import Results, best_first

_WIDTH, _HEIGHT = 420, 320
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


def box_plot(boxes: Mapping[str, Sequence[float]], title: str, chance: float) -> str:
    """Boxes of shares: least value, quartiles and greatest value; a dashed line at chance."""
    top, low, high = 40, 180, _WIDTH + 180
    height = top + 34 * len(boxes) + 30
    most = max([chance, *(values[-1] for values in boxes.values())])
    ys = {name: top + 34 * row for row, name in enumerate(boxes)}

    def x(value: float) -> float:
        return low + value / most * (high - low - 20) if most else low

    parts = [_text((low + high) / 2, 16, f"{title}, x 1000")]
    for name, values in boxes.items():
        least, first, median, third, greatest = map(x, values)
        label = " / ".join(f"{1000 * value:.0f}" for value in values)
        parts.append(
            f'<g><title>{escape(name)}: {label}</title><text x="{low - 10}" y="{ys[name] + 5}" '
            f'style="text-anchor: end">{escape(name[-26:])}</text>'
            f'<path d="M{least:.1f} {ys[name]}H{first:.1f}M{third:.1f} {ys[name]}H{greatest:.1f}'
            f'M{median:.1f} {ys[name] - 9}v18" style="stroke: currentColor"/>'
            f'<rect x="{first:.1f}" y="{ys[name] - 9}" width="{third - first:.1f}" height="18"/>'
            "</g>\n"
        )
    parts.append(
        f'<path d="M{x(chance):.1f} {top - 16}V{height - 24}" stroke-dasharray="4 4"/>\n'
        + _text(x(chance), height - 8, f"random {1000 * chance:.0f}")
        + _text(x(most), height - 8, f"{1000 * most:.0f}")
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {high} {height}" '
        f'width="{high}" role="img">\n<title>{escape(title)}</title>\n{"".join(parts)}</svg>\n'
    )
