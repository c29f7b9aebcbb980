"""Every script of the lessons has its glyphs, and words of four come out as they should."""

import io
import warnings
from pathlib import Path

import numpy as np
import pytest
from lessons import use_fonts

from xorqa.datasets.mini import load as load_mini

plt = pytest.importorskip("matplotlib.pyplot")
matplotlib = pytest.importorskip("matplotlib")
pytest.importorskip("manimgx_fonts")

REFERENCES = Path(__file__).parent / "words"
WORDS = {"ar": "العربية", "bn": "ক্ষিতি", "hi": "हिन्दी", "te": "స్త్రీ"}
THE_SAME = 0.97  # correlation of two pictures of one word; the libraries' releases differ a little


@pytest.fixture(autouse=True)
def fonts():
    with matplotlib.rc_context():
        matplotlib.rcdefaults()  # of a matplotlibrc nothing stays
        matplotlib.use("Agg")
        matplotlib.rcParams["text.usetex"] = True
        use_fonts()
        yield


def drawn(text, **options):
    """A word in black on white, as grey values."""
    figure = plt.figure(figsize=(2, 1), dpi=80)
    figure.text(0.5, 0.4, text, size=32, ha="center", **options)
    file = io.BytesIO()
    figure.savefig(file, format="raw")
    plt.close(figure)
    return np.frombuffer(file.getvalue(), np.uint8).reshape(80, 160, 4)[..., 0].astype(float)


def alike(one, other):
    return float(np.corrcoef(one.ravel(), other.ravel())[0, 1])


def test_no_glyph_of_the_bundled_world_is_missing():
    texts = [example.question.text for example in load_mini().examples]
    letters = sorted({*"".join(texts)} | {*"".join(WORDS.values())})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for at in range(0, len(letters), 40):
            drawn(" ".join(letters[at : at + 40]))


def test_a_missing_glyph_would_be_noticed():
    with pytest.warns(UserWarning, match="missing"):
        drawn("\ue000")


@pytest.mark.parametrize("lang", WORDS)
def test_a_word_is_shaped_as_the_reference_shows_it(lang):
    reference = plt.imread(REFERENCES / f"{lang}.png")
    assert alike(drawn(WORDS[lang]), reference) > THE_SAME


@pytest.mark.parametrize("lang", WORDS)
def test_letters_that_do_not_join_would_be_noticed(lang):
    apart = "\u200c".join(WORDS[lang])
    reference = plt.imread(REFERENCES / f"{lang}.png")
    assert alike(drawn(apart), reference) < THE_SAME


def test_fonts_of_the_system_do_not_win_over_the_packages():
    manager = matplotlib.font_manager.fontManager
    deja_vu = matplotlib.font_manager.findfont("DejaVu Sans")
    families = use_fonts()
    systems = [
        matplotlib.font_manager.FontEntry(fname=deja_vu, name=name, weight=400) for name in families
    ]
    manager.ttflist = systems + manager.ttflist
    assert use_fonts() == families
    chosen = [matplotlib.font_manager.findfont(name) for name in families]
    assert all("site-packages" in path and path != deja_vu for path in chosen)


def test_right_to_left_text_reads_right_to_left():
    """A tall bar before an Arabic word stands at its right end."""
    ink = drawn("|ال") < 128
    columns = np.flatnonzero(ink.any(axis=0))
    assert ink[:, columns[-1]].sum() > ink[:, columns[0]].sum()
