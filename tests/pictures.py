"""Small pictures for tests."""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageDraw


def write_picture(
    path: Path, colour: str = "red", *, shape: str = "ellipse", at: int = 6, side: int = 40
) -> Path:
    """A shape of one colour on a transparent square."""
    picture = Image.new("RGBA", (side, side), (0, 0, 0, 0))
    draw = ImageDraw.Draw(picture)
    getattr(draw, shape)((at, at, side - 6, side - 6), fill=colour)
    path.parent.mkdir(parents=True, exist_ok=True)
    picture.save(path)
    return path
