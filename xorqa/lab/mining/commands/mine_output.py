"""What `xorqa mine` writes and prints."""

from collections.abc import Sequence

from ....cli.show import print_line
from ....core.progress import quantity
from ..alignment import Aligned
from ..pairs import Mined, MinedPair


def pair_line(pair: MinedPair, *, ids: bool) -> str:
    """A line of the output: the score, and both texts or ids."""
    cells = (pair.source_id, pair.target_id) if ids else (pair.source, pair.target)
    return "\t".join([repr(pair.score), *cells]) + "\n"


def aligned_line(row: Aligned, langs: Sequence[str], *, ids: bool) -> str:
    """A line of the output with a pivot: the score, and a text or id, or nothing, per language."""
    cells = row.ids if ids else row.texts
    return "\t".join([repr(row.score), *(cells.get(lang, "") for lang in langs)]) + "\n"


def summarise(mined: Mined, source: str, target: str) -> None:
    """Print the counts of a pair of languages."""
    statistics = mined.statistics
    unique = statistics["unique"]
    removed = ", ".join(f"{name} {count}" for name, count in statistics["removed"].items())
    print_line(
        f"{source}-{target}: {unique[source]} and {unique[target]} different sentences, "
        f"{statistics['candidates']} candidates"
    )
    if removed:
        print_line(f"  removed: {removed}")
    if "threshold" in statistics:
        threshold, below = statistics["threshold"], statistics["below threshold"]
        print_line(f"  threshold {threshold:.4f}: {quantity(below, 'pair')} below it")
