"""The score above which mined pairs are precise enough, chosen on a labelled sample."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path

from ...core.errors import DataError
from ...io.files import read_lines

TextPair = tuple[str, str]
_LABELS = {"1": True, "0": False}


def read_sample(path: Path) -> dict[TextPair, bool]:
    """Read labelled pairs: 1 (a translation) or 0, and the two texts, separated by tabs.

    Lines of mined pairs that are labelled in place may have a score before the texts.

    Raises:
        DataError: if the file cannot be read or is empty, or naming the line of another layout.
    """
    sample = {}
    for number, line in enumerate(read_lines(path), 1):
        label, *others = line.split("\t")
        if label.strip() not in _LABELS or len(others) not in (2, 3) or not all(others[-2:]):
            raise DataError(f"{path}, line {number}: needs 1 or 0 and two texts, separated by tabs")
        sample[others[-2], others[-1]] = _LABELS[label.strip()]
    if not sample:
        raise DataError(f"{path} has no labelled pair")
    return sample


def choose_threshold(
    scores: Mapping[TextPair, float], sample: Mapping[TextPair, bool], precision: float
) -> tuple[float, int]:
    """The lowest score such that the labelled pairs not below it have at least that precision.

    Labelled pairs that were not mined do not count. Returns the threshold and how many counted.

    Raises:
        DataError: if no labelled pair was mined, or no threshold is precise enough.
    """
    labelled = sorted(
        ((scores[pair], right) for pair, right in sample.items() if pair in scores), reverse=True
    )
    if not labelled:
        raise DataError("no pair of the sample was mined; label pairs of the output")
    threshold = _lowest(labelled, precision)
    if threshold is None:
        raise DataError(
            f"no threshold reaches a precision of {precision} on the {len(labelled)} labelled "
            "pairs that were mined; lower --precision"
        )
    return threshold, len(labelled)


def _lowest(labelled: Sequence[tuple[float, bool]], precision: float) -> float | None:
    right = count = 0
    lowest = None
    for score, group in groupby(labelled, key=lambda row: row[0]):
        labels = [label for _, label in group]
        right, count = right + sum(labels), count + len(labels)
        if right / count >= precision:
            lowest = score
    return lowest
