"""Helpers for the notebooks: fonts for all scripts, tables, traces, menus and claims."""

from .claims import ClaimError, claim
from .fonts import use_fonts
from .interact import pick
from .show import follow, show

__all__ = ["ClaimError", "claim", "follow", "pick", "show", "use_fonts"]
