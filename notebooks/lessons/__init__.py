"""Tools of the notebooks: tables, traces, figures, menus, claims and verdicts on exercises."""

from .claims import ClaimError, claim, uncounted
from .fonts import use_fonts
from .grading import Verdict
from .interact import pick
from .intervals import mean_interval
from .pictures import draw
from .show import follow, show, table

__all__ = [
    "ClaimError",
    "Verdict",
    "claim",
    "draw",
    "follow",
    "mean_interval",
    "pick",
    "show",
    "table",
    "uncounted",
    "use_fonts",
]
