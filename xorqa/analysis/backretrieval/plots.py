"""The scatter plots of the HTML page, as SVG; its style sheet sets their colours."""

from __future__ import annotations

from collections.abc import Sequence
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
