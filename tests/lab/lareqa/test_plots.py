import re
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.lab.lareqa.plots import bars, scatter

SVG = "{http://www.w3.org/2000/svg}"
KEYS = [("en", "query"), ("zh", "query"), ("en", "passage"), ("zh", "passage")]


def places(path: ElementTree.Element) -> list[tuple[float, float]]:
    points = re.findall(r"M(\d+) (\d+)", str(path.get("d")))
    return [(float(x), float(y)) for x, y in points]


@given(st.integers(1, 5), st.floats(1e-6, 1e6), st.floats(-1e3, 1e3))
def test_points_are_inside_the_picture(count: int, scale: float, shift: float) -> None:
    random = np.random.default_rng(count)
    points = {key: random.normal(size=(count, 2)) * scale + shift for key in KEYS}
    root = ElementTree.fromstring(scatter("A & b", points))
    width, height = map(float, str(root.get("viewBox")).split()[2:])
    paths = [*root.iter(f"{SVG}path")]
    assert [len(places(path)) for path in paths] == [count, 1] * 4
    assert all(0 < x < width and 0 < y < height for path in paths for x, y in places(path))


def test_each_axis_goes_from_0_to_1_and_up_is_up() -> None:
    points = {("en", "query"): np.array([[0.0, 0.0], [4.0, 1.0]])}
    root = ElementTree.fromstring(scatter("t", points))
    (x0, y0), (x1, y1) = places(next(root.iter(f"{SVG}path")))
    assert x1 - x0 == y0 - y1 > 900
    assert [text.text for text in root.iter(f"{SVG}text")][:3] == ["0", "1", "1"]


def test_all_points_are_shown_and_one_place_is_a_picture() -> None:
    points = {("en", "query"): np.zeros((1200, 2))}
    root = ElementTree.fromstring(scatter("t", points))
    assert len(places(next(root.iter(f"{SVG}path")))) == 1200


def test_the_questions_language_is_first_and_shares_fill_the_bar() -> None:
    shares = {"de": {"de": 0.5, "en": 0.3, "th": 0.2}, "th": {"de": 0.1, "en": 0.1, "th": 0.8}}
    root = ElementTree.fromstring(bars("t", shares, name=lambda lang: f"<{lang}>"))
    rows = [*root.iter(f"{SVG}rect")]
    labels = [row.findtext(f"{SVG}title") for row in rows]
    assert labels == [
        "<de>: 50.0 %",
        "<en>: 30.0 %",
        "<th>: 20.0 %",
        "<th>: 80.0 %",
        "<de>: 10.0 %",
        "<en>: 10.0 %",
    ]
    widths = [float(str(row.get("width"))) for row in rows]
    assert sum(widths[:3]) == pytest.approx(sum(widths[3:]))
    ends = [float(str(row.get("x"))) + width for row, width in zip(rows, widths, strict=True)]
    starts = [float(str(row.get("x"))) for row in rows]
    assert ends[0] == pytest.approx(starts[1], abs=0.2)
    assert "80.0 %" in [text.text for text in root.iter(f"{SVG}text")]
