"""Fonts in which matplotlib can draw every script of the lessons.

matplotlib shapes and orders text itself (from 3.11 on, with HarfBuzz and FriBidi), so letters
join, vowel signs move and right-to-left text reads right to left, if the glyphs are there.
"""

from __future__ import annotations

from importlib.resources import files

from ..core.lazy import expect

_PACKAGES = {"manimgx_fonts": ".ttf", "noto_cjk_sans_jp_regular": ".otf"}
_FIRST = "Noto Sans"
_LEFT_OUT = ("Emoji", "Symbols", "Italic")


def use_fonts() -> list[str]:
    """Make the Noto fonts matplotlib's own for this process; returns the families' names.

    The first is Noto Sans (Latin, Greek, Cyrillic); for a glyph it does not have the others are
    asked in turn. Fonts of the system with those names are set aside, so that a picture looks the
    same on every machine.

    Raises:
        MissingExtraError: without the extra `notebooks`.
    """
    for package in ("matplotlib", *_PACKAGES):
        expect(package, extra="notebooks")
    import matplotlib
    from matplotlib import font_manager

    paths = [path for package, suffix in _PACKAGES.items() for path in _paths(package, suffix)]
    names = {path: font_manager.get_font(path).family_name for path in paths}
    families = list(dict.fromkeys([_FIRST, *names.values()]))
    manager = font_manager.fontManager
    manager.ttflist = [font for font in manager.ttflist if font.name not in families]
    for path in paths:
        manager.addfont(path)
    matplotlib.rcParams["font.family"] = families
    return families


def _paths(package: str, suffix: str) -> list[str]:
    """The font files of a package, without symbols and slanted letters."""
    every = sorted(map(str, files(package).iterdir()))
    return [p for p in every if p.endswith(suffix) and not any(name in p for name in _LEFT_OUT)]
