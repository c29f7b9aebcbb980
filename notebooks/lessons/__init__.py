"""Tools of the notebooks: tables, traces, figures, menus, claims and verdicts on exercises."""

from .claims import ClaimError, claim
from .fonts import use_fonts
from .grading import Verdict
from .interact import pick
from .pictures import draw
from .show import follow, show, table

__all__ = [
    "ClaimError",
    "Verdict",
    "claim",
    "draw",
    "follow",
    "pick",
    "show",
    "table",
    "use_fonts",
]
