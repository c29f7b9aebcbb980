"""Measures: named functions of predictions, which give each question a score."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Measure:
    """What tables, leaderboard and comparisons need to know of a measure.

    Attributes:
        name: its name in files of scores and on the command line.
        display_name: its name as papers write it, for tables.
        higher_is_better: the direction of its scores.
        citation: where it is defined.
    """

    name: str
    display_name: str
    higher_is_better: bool = True
    citation: str = ""

    @property
    def title(self) -> str:
        """Its display name, with an arrow if lower scores are better."""
        return self.display_name + ("" if self.higher_is_better else " ↓")

    def best(self, scores: Iterable[float]) -> float:
        """The best of its scores."""
        return max(scores) if self.higher_is_better else min(scores)


F1 = Measure("f1", "F1", citation="Rajpurkar et al. 2016, section 6.1")
EXACT_MATCH = Measure("em", "EM", citation="Rajpurkar et al. 2016, section 6.1")
BLEU = Measure("bleu", "BLEU", citation="Papineni et al. 2002, section 2")

SHARED = {measure.name: measure for measure in (F1, EXACT_MATCH, BLEU)}
"""The measures of several tasks, by name."""
