"""What the notebooks share: fonts for all scripts, tables, a question's road, things to turn."""

from .fonts import use_fonts
from .interact import pick
from .show import follow, show

__all__ = ["follow", "pick", "show", "use_fonts"]
