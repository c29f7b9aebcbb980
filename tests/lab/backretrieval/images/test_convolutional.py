import numpy as np
from PIL import Image, ImageDraw

from xorqa.lab.backretrieval.images.encode import SHIPPED, open_image_encoder

SHAPES = {"ellipse": "gold", "rectangle": "brown", "cross": "red", "star": "deepskyblue"}


def drawing(shape, *, size, thin=False):
    """A shape as one of two artists draws it: large and filled, or smaller with an outline."""
    picture = Image.new("RGBA", (size, size), (0, 0, 0, 0))
    draw, start, end = ImageDraw.Draw(picture), size // 8, size - size // 8
    style = {"fill": SHAPES[shape]} | ({"outline": "black", "width": 3} if thin else {})
    if shape == "cross":
        for ends in ((start, start, end, end), (start, end, end, start)):
            draw.line(ends, fill=SHAPES[shape], width=size // (8 if thin else 5))
    elif shape == "star":
        draw.regular_polygon((size / 2, size / 2, size // 3), 3, fill=SHAPES[shape])
        draw.regular_polygon((size / 2, size / 2, size // 3), 3, rotation=60, fill=SHAPES[shape])
    else:
        getattr(draw, shape)((start, start, end, end), **style)
    return picture


def test_the_shipped_encoder_recognises_what_another_artist_has_drawn():
    encode = open_image_encoder(SHIPPED)
    first = encode([drawing(shape, size=160) for shape in SHAPES])
    second = encode([drawing(shape, size=90, thin=True) for shape in SHAPES])
    assert first.shape == (len(SHAPES), 128)
    similarity = first @ second.T
    similarity /= np.linalg.norm(first, axis=1)[:, None] * np.linalg.norm(second, axis=1)
    assert similarity.argmax(axis=1).tolist() == list(range(len(SHAPES)))
