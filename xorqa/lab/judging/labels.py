"""Human verdicts on a run's answers."""

from pathlib import Path

from ...core.errors import DataError
from ...io.files import read_fields

_LABELS = {"1": True, "0": False}
_NEEDS = "a qid and 1 (right) or 0 (wrong)"


def read_labels(path: Path) -> dict[str, bool]:
    """Read a qid and 1 (right) or 0 (wrong) per line, separated by a tab.

    Raises:
        DataError: if the file cannot be read or is empty, or naming the line of another layout or
            with a repeated qid.
    """
    labels: dict[str, bool] = {}
    for number, (qid, label) in enumerate(read_fields(path, 2, _NEEDS), 1):
        if label.strip() not in _LABELS:
            raise DataError(f"{path}, line {number}: needs {_NEEDS}, separated by tabs")
        if qid in labels:
            raise DataError(f"{path}, line {number}: question '{qid}' occurs twice")
        labels[qid] = _LABELS[label.strip()]
    if not labels:
        raise DataError(f"{path} has no verdict")
    return labels
