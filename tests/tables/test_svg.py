from xml.etree import ElementTree

from xorqa.tables.svg import curves

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
