"""Draw `losses.svg` from `losses.json`, which the command `ledger` writes (docs/experiments.md)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

HERE = Path(__file__).parent
DATA, CHART = HERE / "losses.json", HERE / "losses.svg"
TRANSLATORS = {"human": "human translation", "bundled": "our translator", "none": "no translation"}
PARTS = {  # label, fill and ink; the fills are of Okabe and Ito's colour-blind safe palette
    "f1": ("answered (F1)", "#0072b2", "#ffffff"),
    "translation": ("lost in translation", "#e69f00", "#000000"),
    "retrieval": ("retrieval", "#000000", "#ffffff"),
    "reading": ("reading", "#56b4e9", "#000000"),
    "back-translation": ("back-translation", "#f0e442", "#000000"),
}
LEFT, TOP, WIDTH, BAR, STEP = 150, 84, 690, 34, 54  # pixels
NARROW = 4.0  # percent: a part as small as this has its number above the bar


def draw(ledger: Mapping[str, Mapping[str, Mapping[str, float]]]) -> str:
    """The chart as SVG: a bar a translator, a part each for the score and the four losses.

    Raises:
        ValueError: if a loss is negative, which a stacked bar cannot show.
    """
    height = TOP + STEP * len(TRANSLATORS) + 8
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 880 {height}" width="880" '
        f'height="{height}" role="img" font-family="system-ui, sans-serif" font-size="13">\n'
        "<title>Where the points are lost</title>\n"
        f'<rect x="1" y="1" width="878" height="{height - 2}" rx="10" fill="#ffffff" '
        'stroke="#8c959f"/>\n',
        _text(
            18, 24, "Where the points are lost: XOR-Full's F1, bm25 on the bundled world", bold=True
        ),
        *_legend(),
    ]
    for at, (name, label) in enumerate(TRANSLATORS.items()):
        y = TOP + STEP * at
        parts.append(_text(LEFT - 10, y + BAR / 2 + 5, label, anchor="end"))
        parts += _bar(ledger[name]["macro"], y)
    return "".join(parts) + "</svg>\n"


def _legend() -> Iterator[str]:
    x = LEFT
    for label, fill, _ in PARTS.values():
        yield f'<rect x="{x}" y="40" width="13" height="13" fill="{fill}" stroke="#24292f"/>\n'
        yield _text(x + 19, 51, label)
        x += 42 + 7 * len(label)


def _bar(means: Mapping[str, float], y: int) -> Iterator[str]:
    x = float(LEFT)
    for name, (label, fill, ink) in PARTS.items():
        value = means[name]
        if value < 0:
            raise ValueError(f"the loss of {name} is negative ({value:.1f}); draw a table instead")
        width = WIDTH * value / 100
        if width:
            yield (
                f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{BAR}" fill="{fill}" '
                f'stroke="#ffffff"><title>{label}: {value:.1f}</title></rect>\n'
            )
            small = value < NARROW
            at, colour = (y - 3, "#24292f") if small else (y + 22, ink)
            yield _text(x + width / 2, at, f"{value:.1f}", "middle", colour)
        x += width


def _text(
    x: float,
    y: float,
    text: str,
    anchor: str = "start",
    ink: str = "#24292f",
    *,
    bold: bool = False,
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:g}" text-anchor="{anchor}" fill="{ink}"{weight}>{text}</text>\n'
    )


if __name__ == "__main__":
    CHART.write_text(draw(json.loads(DATA.read_text(encoding="utf-8"))["losses"]), encoding="utf-8")
    print(CHART)
