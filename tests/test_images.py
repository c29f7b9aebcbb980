"""The pictures of README and docs: said in words, legible, and fit for the colour-blind."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

from tests.test_docs import PAGES, ROOT

OKABE_ITO = {
    "#000000",
    "#e69f00",
    "#56b4e9",
    "#009e73",
    "#f0e442",
    "#0072b2",
    "#d55e00",
    "#cc79a7",
}
SVG = sorted((ROOT / "docs" / "images").glob("*.svg"))
_IMAGE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)[^)]*\)")
_TAG = re.compile(r"<img\b[^>]*>")


def images(page: Path) -> list[tuple[str, str]]:
    """(alternative text, target) of each image of a page."""
    text = page.read_text(encoding="utf-8")
    tags = [(_attribute(tag, "alt"), _attribute(tag, "src")) for tag in _TAG.findall(text)]
    return [*_IMAGE.findall(text), *tags]


def _attribute(tag: str, name: str) -> str:
    found = re.search(rf'\b{name}="([^"]*)"', tag)
    return found[1] if found else ""


def luminance(colour: str) -> float:
    """The relative luminance of WCAG 2, from 0 (black) to 1 (white)."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    """WCAG's contrast ratio, from 1 to 21; text needs 4.5."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_image_says_in_words_what_it_shows(page: Path) -> None:
    for alt, target in images(page):
        assert len(alt.split()) >= 5, f"{page.name}: {target} has the alt text {alt!r}"


def test_images_and_missing_alt_texts_are_noticed(tmp_path: Path) -> None:
    assert [target for page in PAGES for _, target in images(page)].count(
        "docs/images/losses.svg"
    ) == 1
    page = tmp_path / "page.md"
    page.write_text('![](a.svg) and <img src="b.svg"> and <img alt="a road" src="c.svg">')
    assert images(page) == [("", "a.svg"), ("", "b.svg"), ("a road", "c.svg")]


@pytest.mark.parametrize("path", SVG, ids=lambda path: path.name)
def test_pictures_have_a_title_and_letters_that_can_be_read(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert re.search(r"<svg[^>]* role=\"img\"", text) and "<title" in text
    assert min(map(int, re.findall(r'font-size="(\d+)"', text))) >= 13


def test_colours_of_the_pipeline_contrast_with_its_letters() -> None:
    text = (ROOT / "docs" / "images" / "pipeline.svg").read_text(encoding="utf-8")
    boxes = re.findall(r'<rect[^>]* fill="(#\w{6})"', text)
    inks = set(re.findall(r'<(?:g|text)[^>]* fill="(#\w{6})"', text))
    assert boxes and inks
    assert min(contrast(ink, box) for ink in inks for box in boxes) >= 4.5


def test_colours_of_the_losses_are_safe_and_contrast_with_their_numbers() -> None:
    parts = runpy.run_path(str(ROOT / "docs" / "images" / "losses.py"))["PARTS"]
    for label, fill, ink in parts.values():
        assert fill in OKABE_ITO, label
        assert contrast(fill, ink) >= 4.5, label
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
