from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.lab.common.svg import colours, curves, heatmap, luminance

SVG = "{http://www.w3.org/2000/svg}"
LINES = {"a <b>": [(0.0, 0.0), (1.0, 0.5)], "b": [(0.5, 1.0), (1.0, 1.0)]}


def test_every_curve_is_drawn_in_every_panel() -> None:
    svg = ElementTree.fromstring(
        curves(
            "t",
            {"one": LINES, "two": {"b": LINES["b"]}},
            axes=("across", "down"),
            marks={"two": {"b": (0.5, 1.0)}},
            note="a note",
        )
    )
    texts = [element.text for element in svg.iter(f"{SVG}text")]
    assert {"t", "one", "two", "across", "down", "a <b>", "b", "a note"} <= set(texts)
    coloured = [path for path in svg.iter(f"{SVG}path") if path.get("stroke-width") == "2"]
    assert len(coloured) == 3 + 2  # curves, and a legend per name
    strokes = {(path.get("stroke"), path.get("stroke-dasharray")) for path in coloured}
    assert len(strokes) == 2
    [circle] = svg.iter(f"{SVG}circle")
    ends = [path.get("d") for path in coloured if path.get("stroke") == circle.get("fill")]
    assert ends[1].startswith(f"M{circle.get('cx')} {circle.get('cy')}")


def test_higher_risk_is_higher_up() -> None:
    svg = ElementTree.fromstring(curves("t", {"one": LINES}, axes=("x", "y")))
    first = next(p for p in svg.iter(f"{SVG}path") if p.get("stroke-width") == "2")
    (_, low), (_, high) = (map(float, end.split()) for end in first.get("d", "")[1:].split("L"))
    assert high < low


def test_a_panel_without_points() -> None:
    ElementTree.fromstring(curves("t", {"one": {"a": []}}, axes=("x", "y")))


SVG = "{http://www.w3.org/2000/svg}"
figures = st.none() | st.floats(-1000, 1000)


def draw(
    rows: list[str], columns: list[str], values: list[list[float | None]]
) -> ElementTree.Element:
    return ElementTree.fromstring(
        heatmap("A <title> & more", rows, columns, values, axes=("rows", '"columns"'))
    )


def texts(root: ElementTree.Element) -> list[str]:
    return [str(element.text) for element in root.iter(f"{SVG}text")]


@given(st.lists(st.lists(figures, min_size=3, max_size=3), max_size=4))
def test_every_value_and_name_is_drawn(values: list[list[float | None]]) -> None:
    rows = [f"r<{at}" for at in range(len(values))]
    root = draw(rows, ["a", "b & c", "d"], values)
    numbers = [f"{value:.1f}" for row in values for value in row if value is not None]
    names = ["A <title> & more", '"columns"', "rows", "a", "b & c", "d", *rows]
    assert sorted(texts(root)) == sorted(names + numbers)
    cells = len([*root.iter(f"{SVG}rect")]) - 1  # one is the background
    assert cells == 3 * len(values)


def test_none_is_a_grey_cell_and_higher_is_darker() -> None:
    root = draw(["a"], ["b", "c", "d"], [[None, 40.0, 80.0]])
    _, empty, low, high = (str(rect.get("fill")) for rect in root.iter(f"{SVG}rect"))
    assert empty[1:3] == empty[3:5] == empty[5:7]
    assert empty != low
    bright, dark = (luminance(tuple(bytes.fromhex(fill[1:]))) for fill in (low, high))
    assert bright > dark


@pytest.mark.parametrize("values", [[], [[]], [[None]], [[5.0, 5.0]]])
def test_tables_without_a_range(values: list[list[float | None]]) -> None:
    rows, columns = ["r"] * len(values), ["c"] * len(values[0] if values else [])
    assert len(texts(draw(rows, columns, values))) >= 3


@given(st.none() | st.floats(0, 1))
def test_text_can_be_read_on_any_colour(share: float | None) -> None:
    low, high = sorted(map(luminance, colours(share)))
    assert (high + 0.05) / (low + 0.05) >= 4.5


@pytest.mark.parametrize("count", [1, 2, 12])
def test_cells_and_labels_are_inside_the_picture(count: int) -> None:
    names = [f"lang{at}" for at in range(count)]
    root = draw(names, names, [[1.0] * count] * count)
    width, height = (float(str(root.get(side))) for side in ("width", "height"))
    for rect in [*root.iter(f"{SVG}rect")][1:]:
        x, y, w, h = (float(str(rect.get(name))) for name in ("x", "y", "width", "height"))
        assert 0 < x < x + w < width
        assert 0 < y < y + h < height
    for text in root.iter(f"{SVG}text"):
        assert 0 < float(str(text.get("x"))) < width
        assert 0 < float(str(text.get("y"))) < height
