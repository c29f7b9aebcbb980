"""Open pictures: any format that Pillow reads."""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.errors import XorqaError
from ....core.named import expect

if TYPE_CHECKING:
    from numpy.typing import NDArray

EXTRA = "images"


class BrokenPictureError(XorqaError):
    """A file that is not a picture, or only a part of one."""


def open_picture(path: Path) -> Any:
    """The picture as a Pillow image in RGBA.

    Raises:
        BrokenPictureError: if it cannot be decoded.
        MissingExtraError: if Pillow is not installed.
    """
    expect("PIL", extra=EXTRA)
    from PIL import Image

    try:
        with Image.open(path) as picture:
            return picture.convert("RGBA")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise BrokenPictureError(f"{path} cannot be decoded: {error}") from error


def on_white(picture: Any) -> Any:
    """The picture in RGB, with white where it is transparent."""
    from PIL import Image

    white = Image.new("RGBA", picture.size, "white")
    return Image.alpha_composite(white, picture).convert("RGB")


def pixels(picture: Any, side: int, mode: str) -> NDArray[np.float32]:
    """The picture, scaled to a square: (side, side) or (side, side, channels), from 0 to 1."""
    scaled = picture.convert(mode).resize((side, side), resample=2)  # bilinear
    return np.asarray(scaled, np.float32) / np.float32(255)


def data_uri(path: Path, side: int = 48) -> str:
    """The picture, scaled down to fit a square, as a PNG in a data URI for HTML.

    Raises:
        BrokenPictureError: if it cannot be decoded.
    """
    picture = open_picture(path)
    picture.thumbnail((side, side))
    stream = io.BytesIO()
    picture.save(stream, "PNG", optimize=True)
    return f"data:image/png;base64,{base64.b64encode(stream.getvalue()).decode()}"
