"""Fonts for matplotlib that cover every script in the lessons.

matplotlib 3.11 and later shapes and orders text with HarfBuzz and FriBidi, so letters join,
vowel signs move and right-to-left text is ordered correctly, if the fonts have the glyphs.
"""

from importlib.resources import files

from xorqa.core.named import expect

_PACKAGES = {"manimgx_fonts": ".ttf", "noto_cjk_sans_jp_regular": ".otf"}
_FIRST = "Noto Sans"
_EXCLUDED = ("Emoji", "Symbols", "Italic")


def use_fonts() -> list[str]:
    """Use the Noto fonts in matplotlib for this process; returns the names of the families.

    The first is Noto Sans (Latin, Greek, Cyrillic); the others are fallbacks for missing glyphs.
    System fonts with the same names are ignored, and TeX is switched off, so that figures look the
    same everywhere.

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
    matplotlib.rcParams.update({"font.family": families, "text.usetex": False})
    return families


def _paths(package: str, suffix: str) -> list[str]:
    """The font files of a package, without symbols and italics."""
    every = sorted(map(str, files(package).iterdir()))
    return [p for p in every if p.endswith(suffix) and not any(name in p for name in _EXCLUDED)]
