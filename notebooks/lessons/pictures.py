"""Figures for notebooks: sharp, complete, and described in words."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Any

from .fonts import use_fonts

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DPI = 150  # of the image
SHOWN = 100  # pixels an inch on a page
COLOURS = 256  # in the palette, which makes files a quarter as large


@dataclass(frozen=True, slots=True)
class Picture:
    """A cell's output: a PNG image, or its description where images are not shown."""

    png: bytes
    width: int
    height: int
    alt: str

    def __repr__(self) -> str:
        return self.alt

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, str], dict[str, Any]]:
        data = {"image/png": b64encode(self.png).decode("ascii"), "text/plain": self.alt}
        return data, {"image/png": {"alt": self.alt, "width": self.width, "height": self.height}}


def subplots(*shape: int, **options: Any) -> tuple[Figure, Any]:
    """Matplotlib's, with fonts for every script."""
    import matplotlib.pyplot as plt

    use_fonts()
    figure, axes = plt.subplots(*shape, layout="constrained", **options)
    return figure, axes


def draw(figure: Figure, alt: str) -> Picture:
    """A figure as a picture of 150 dpi, cropped to what it contains; closes the figure.

    `alt` describes it for who cannot see it: what is drawn, and what it shows.
    """
    import matplotlib.pyplot as plt
    from PIL import Image

    drawn, small = BytesIO(), BytesIO()
    figure.savefig(drawn, format="png", dpi=DPI, bbox_inches="tight")
    plt.close(figure)
    image = Image.open(drawn).convert("RGB").quantize(COLOURS)
    image.save(small, format="png", dpi=(DPI, DPI), optimize=True)
    width, height = (size * SHOWN // DPI for size in image.size)
    return Picture(small.getvalue(), width, height, alt)
