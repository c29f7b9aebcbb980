"""Helpers for the notebooks: fonts for all scripts, tables, traces and menus."""

from .fonts import use_fonts
from .interact import pick
from .show import follow, show

__all__ = ["follow", "pick", "show", "use_fonts"]
