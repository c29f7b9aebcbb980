"""Pictures: sharp, not clipped, and described."""

from io import BytesIO

import pytest
from lessons import draw

plt = pytest.importorskip("matplotlib.pyplot")
Image = pytest.importorskip("PIL.Image")


def test_a_figure_becomes_a_picture_of_150_dpi_with_its_description():
    figure, axes = plt.subplots(figsize=(4, 2))
    axes.plot([0, 1])
    picture = draw(figure, "A line that rises.")
    data, metadata = picture._repr_mimebundle_()
    image = Image.open(BytesIO(picture.png))
    assert image.info["dpi"] == pytest.approx((150, 150), abs=0.1)
    assert metadata["image/png"] == {
        "alt": "A line that rises.",
        "width": image.width * 100 // 150,
        "height": image.height * 100 // 150,
    }
    assert data["text/plain"] == repr(picture) == "A line that rises."
    assert not plt.fignum_exists(figure.number)


def test_a_long_title_is_not_clipped():
    figure, axes = plt.subplots(figsize=(2, 1))
    axes.set_title("a title that is much wider than the two inches of its figure")
    assert draw(figure, "An empty diagram.").width > 300
