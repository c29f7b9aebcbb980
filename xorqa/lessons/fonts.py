"""Fonts in which matplotlib can draw every script of the lessons.

matplotlib shapes and orders text itself (from 3.11 on, with HarfBuzz and FriBidi), so letters
join, vowel signs move and right-to-left text reads right to left, if the glyphs are there.
"""

from __future__ import annotations

from importlib.resources import files

from ..lazy import expect

_PACKAGES = {"manimgx_fonts": ".ttf", "noto_cjk_sans_jp_regular": ".otf"}
_FIRST = "Noto Sans"
_LEFT_OUT = ("Emoji", "Symbols", "Italic")


def use_fonts() -> list[str]:
    """Make the Noto fonts matplotlib's own for this process; returns the families' names.

    The first is Noto Sans (Latin, Greek, Cyrillic); for a glyph it does not have the others are
    asked in turn.

    Raises:
        MissingExtraError: without the extra `notebooks`.
    """
    for package in ("matplotlib", *_PACKAGES):
        expect(package, extra="notebooks")
    import matplotlib
    from matplotlib import font_manager

    found = {_FIRST: None}
    for package, suffix in _PACKAGES.items():
        for path in sorted(map(str, files(package).iterdir())):
            if path.endswith(suffix) and not any(name in path for name in _LEFT_OUT):
                font_manager.fontManager.addfont(path)
                found[font_manager.get_font(path).family_name] = None
    matplotlib.rcParams["font.family"] = list(found)
    return list(found)
